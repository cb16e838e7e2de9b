"""REFINE in a whole run: the caller's parts are kept, citations hold."""

from pathlib import Path

import zeroin
from tests.repositories import write
from zeroin.answer import Cycle


def test_exclusions_have_evidence_and_caller_s_parts_are_kept(tmp_path: Path) -> None:
    files = {f"src/scores/entry_{i}.py": f"class Entry{i}:\n    amount = {i}\n" for i in range(12)} | {
        "src/tokens/token_store.py": "class TokenStore:\n    def expire(self, token):\n        token.expiry = 0\n",
        "src/users/user.py": "class User:\n    def __init__(self, token):\n        self.push = token\n",
    }
    context = zeroin.retrieve(
        "token expiry is wrong",
        write(tmp_path / "repo", files),
        always_loop=True,
        excludes=("src/scores/**",),
        keywords=("expire",),
        focus=("store",),
    )
    for cycle in context.cycles:
        assert "src/scores/**" in cycle.query.excludes
        assert any(k.text == "expire" for k in cycle.query.keywords)
        assert "store" in cycle.query.focus_areas
        assert not any(j.path.startswith("src/scores/") for j in cycle.judgments)


def cited(cycle: Cycle) -> list[tuple[str, int, str]]:
    return [
        (e.path, e.line, e.symbol)
        for j in cycle.judgments
        for r in j.reasons
        for e in r.evidence
        if e.line is not None and e.symbol
    ]


def test_every_cited_line_says_its_symbol() -> None:
    checked = 0
    for name in ("token-expiry", "rate-limiting", "identity"):
        root = Path(__file__).resolve().parents[3] / "examples" / name
        context = zeroin.retrieve("Where are sessions and tokens refreshed and renewed?", root, always_loop=True)
        for cycle in context.cycles:
            for path, line, symbol in cited(cycle):
                assert symbol in (root / path).read_text().split("\n")[line - 1]
                checked += 1
            for judgment in cycle.judgments:
                lines = (root / judgment.path).read_text().count("\n") + 1
                assert all(1 <= s.start <= s.end <= lines for s in judgment.spans)
    assert checked
