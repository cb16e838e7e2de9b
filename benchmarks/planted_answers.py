"""A repository full of made-up secrets, and everything that is said of it and kept of it, searched for them."""

import contextlib
import os
import re
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.planted_secrets import TOKENS, Planted, key_lines, planted, value_of

TASK = "Why does the client connect with the password, token and private key of the staging server?"
FORMATS = ("table", "json", "jsonl", "markdown", "xml", "paths")
_MOST = ("--top", "300", "--budget", "900000", "--pack", "full")
WINDOW = 10  # so many characters of a secret in a row count as the secret
_PLAIN = re.compile(r"[-_]?[0-9a-f]{10,}|-\d+")  # of the name of a kept file, what differs every time
_GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")


def plant(folder: Path) -> list[Planted]:
    """Make a repository with one file of every kind, each in another format, and commits that say a token."""
    of_kind: dict[str, list[Planted]] = {}
    for one in planted():
        of_kind.setdefault(one.kind, []).append(one)
    chosen = [forms[n % len(forms)] for n, forms in enumerate(of_kind.values())]
    folder.mkdir(parents=True)
    _git(folder, "init", "-q", "-b", "main")
    for one in chosen:
        path = folder / re.sub(r"\W+", "-", one.kind.lower()) / one.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(one.lines) + "\n", encoding="utf-8")
    said = [Planted(kind, "commit", "", (), (value_of(TOKENS[kind], "said"),)) for kind in list(TOKENS)[::8]]
    key = Planted("private key", "quoted", "", (), key_lines("quoted", 4)[:3])
    _git(folder, "add", "-A", "-f")
    _git(folder, "commit", "-q", "-m", f"client: connect to the staging server\n\nIts key: {key.secrets[0]}")
    for n, one in enumerate(said):
        (folder / "client.py").write_text(
            f"def connect_client(password, token):\n    # connect with the token {one.secrets[0]}\n    return {n}\n"
            + "".join(f"    # private key of the staging client {row}\n" for row in key.secrets)
        )
        _git(folder, "add", "-A")
        _git(folder, "commit", "-q", "-m", f"client: connect with the token {one.secrets[0]}")
    return [*chosen, *said, key]


def _git(folder: Path, *arguments: str) -> None:
    dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "2024-05-01T12:00:00Z")
    subprocess.run([*_GIT, *arguments], cwd=folder, check=True, capture_output=True, env={**os.environ, **dates})


def said_of(folder: Path, home: Path, formats: Sequence[str] = FORMATS) -> Iterator[tuple[str, str]]:
    """Ask about a repository in every way; yields what was done, and all that was said or kept because of it."""
    home.mkdir()
    names = {"ZEROIN_CACHE_DIR": home / "cache", "ZEROIN_DATA_DIR": home / "data", "HOME": home}
    environment = {**os.environ, **{name: str(path) for name, path in names.items()}}

    def told(*arguments: str) -> str:
        command = [sys.executable, "-m", "zeroin", *arguments]
        done = subprocess.run(command, capture_output=True, env=environment, cwd=home, check=False)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{arguments}: {done.stderr.decode()}")
        return (done.stdout + done.stderr).decode("utf-8", "replace")

    repository = str(folder)
    paths = [str(p.relative_to(folder)) for p in sorted(folder.rglob("*")) if p.is_file() and ".git/" not in str(p)]
    everything = (f"{TASK}\nSee {', '.join(paths)}", repository, "--explain", "--always-loop", *_MOST)
    for name in formats:
        yield f"find -f {name} --explain", told(*everything, "-f", name, "--report", "page.html")
    run = next(path.stem for path in home.rglob("r-*.json"))
    yield "find", told(TASK, repository, "-f", "markdown", "--pack", "skeleton")
    yield "find --diff", told("--diff=HEAD~2", repository, "-f", "json", "--report", "diff.html")
    yield "show", told("show") + told("show", run, "-f", "markdown")
    yield "refine", told("refine", run, "--relevant", "client.py", "-f", "json")
    yield "terms", told("terms", TASK, repository, "--guesses")
    yield "learn", told("learn", TASK, repository, "--relevant", "client.py")
    told("index", repository, "--export", "exported")
    for path in sorted(p for p in home.rglob("*") if p.is_file()):
        if not path.name.startswith("history-"):  # holds the subjects of commits, as git does
            yield f"kept in {_PLAIN.sub('', path.name)}", _content(path)


def _content(path: Path) -> str:
    """Return the bytes of a file as text, and what it holds compressed."""
    data = path.read_bytes()
    parts = [data]
    if path.suffix == ".sqlite3":
        with sqlite3.connect(path) as connection:
            parts += [zlib.decompress(row[0]) for row in connection.execute("SELECT data FROM facts")]
    at = data.find(b"\x78\x01")
    while at >= 0:  # where zlib's lightest level may begin
        with contextlib.suppress(zlib.error):
            parts.append(zlib.decompressobj().decompress(data[at:], 10_000_000))
        at = data.find(b"\x78\x01", at + 1)
    return b"\n".join(parts).decode("latin-1")


def leaks(secrets: Sequence[Planted], text: str) -> list[str]:
    """The kinds of secrets of which some characters in a row stand in a text."""
    windows = {
        value[i : i + WINDOW]: one.kind
        for one in secrets
        for value in one.secrets
        for i in range(max(1, len(value) - WINDOW + 1))
    }
    found = (windows.get(text[i : i + WINDOW]) for i in range(len(text)))
    return sorted({kind for kind in found if kind is not None})
