"""A real repository, and the real process."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.ready_process import ReadyProcess
from tests.repositories import commit, copy, repository

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

FILES = {
    "src/auth/token-service.ts": """import { decodeJwt } from "../crypto/jwt";

/** Access tokens: issued at sign-in, checked on every request. */
export class TokenService {
  validateToken(token: string): boolean {
    const claims = decodeJwt(token);
    return claims.expiresAt > Date.now();
  }
}
""",
    "src/auth/session-service.ts": """import { TokenService } from "./token-service";

export class SessionService {
  constructor(private readonly tokens: TokenService) {}
  refresh(token: string): boolean {
    return this.tokens.validateToken(token);
  }
}
""",
    "src/crypto/jwt.ts": """export function decodeJwt(token: string): Claims {
  return JSON.parse(token);
}
""",
    "src/billing/coupon.ts": """export function applyCoupon(total: number, rate: number) {
  return total * (1 - rate);
}
""",
    "src/billing/invoice.ts": """import { applyCoupon } from "./coupon";
export const bill = (n: number) => applyCoupon(n, 0.1);
""",
    "tests/token-service.test.ts": """import { TokenService } from "../src/auth/token-service";
test("expiry", () => new TokenService());
""",
    "README.md": "# Shop\n\nSign-in, sessions and coupons.\n",
}


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `repo` is a copy of."""
    return build_repository(tmp_path_factory.mktemp("built") / "repo")


@pytest.fixture
def repo(built: Path, tmp_path: Path) -> Path:
    """A git repository of two commits: the second changes the token check."""
    return copy(built, tmp_path / "repo")


def build_repository(folder: Path) -> Path:
    """What `repo` is, at `folder`."""
    repository(folder, FILES, "Sign in with tokens")
    service = "src/auth/token-service.ts"
    changed = {service: FILES[service].replace("> Date.now()", ">= Date.now()")}
    commit(folder, changed, "Accept a token in its last millisecond")
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of this process, with a cache and a data directory of the test's own."""
    return build_environment(tmp_path)


def build_environment(folder: Path) -> dict[str, str]:
    """What `environment` is, with its directories below `folder`."""
    left_out = ("NO_COLOR", "COLUMNS", "ZEROIN_CACHE_DIR", "ZEROIN_NO_LEARNED", "FORCE_COLOR")
    return {
        **{k: v for k, v in os.environ.items() if k not in left_out},
        "ZEROIN_CACHE_DIR": str(folder / "cache"),
        "ZEROIN_DATA_DIR": str(folder / "data"),
    }


def answered(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    """An answer in JSON, sure or not."""
    assert done.returncode in (0, 1), done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture
def zeroin(tmp_path: Path, environment: dict[str, str], ready: ReadyProcess) -> Run:
    """Runs the command line in `tmp_path`; `stdin` is bytes; `fresh` starts an interpreter for it."""

    def run(
        *args: str | Path, stdin: bytes = b"", fresh: bool = False, **env: str
    ) -> subprocess.CompletedProcess[bytes]:
        environ = {**environment, **env}
        return ready.run([*map(str, args)], cwd=tmp_path, env=environ, stdin=stdin, fresh=fresh)

    return run


def refused(done: subprocess.CompletedProcess[bytes]) -> str:
    """What a command says that refuses its input: one line, nothing on stdout, exit code 2."""
    rows = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout, len(rows)) == (2, b"", 1), done.stderr
    assert rows[0].startswith("zeroin: ")
    return rows[0].removeprefix("zeroin: ")


def untimed(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without what differs from run to run."""
    return {**answer, "cycles": [{**cycle, "seconds": 0} for cycle in answer["cycles"]], "stats": {}}
