"""A realistic context, and the text of its files."""

from dataclasses import replace

import pytest

from zeroin.answer import Action, Advice, Change, Context, Cycle, Pattern, StopCode, StopReason
from zeroin.context.packing.texts import Read
from zeroin.tree import Skipped, TreeState
from zeroin.types import (
    Candidate,
    Evidence,
    Expansion,
    ExpansionSource,
    Gap,
    Judgment,
    Keyword,
    Origin,
    PathMention,
    Query,
    Reason,
    Role,
    Span,
    SymbolMention,
    Task,
)


def judgment(path: str, relevance: float, *spans: Span, **more: object) -> Judgment:
    reason = Reason(
        "definition", f"defines validateToken named by the task in {path}", (Evidence(path, 12, "validateToken"),)
    )
    plain = Judgment(path, relevance, reasons=(reason,), spans=spans, language="typescript")
    return replace(plain, **more)  # type: ignore[arg-type]


@pytest.fixture
def texts() -> dict[str, str]:
    body = "".join(
        f"export function step{n}(token: Token): Promise<void> {{ return check(token, {n}); }}\n" for n in range(1, 301)
    )
    return {
        "src/auth/auth.ts": body,
        "src/auth/tokens.ts": body,
        "src/sessions/session-manager.ts": body,
        "src/users/user.ts": "export interface User { id: string }\n",
        "test/auth.test.ts": "it('lets a token expire', () => { expect(validateToken(old)).toBe(false); });\n",
        "docs/auth.md": "# Tokens\n\nA token lives for an hour.\n",
        "dist/auth.js": "function validateToken(e){return e.t>Date.now()}\n",
    }


@pytest.fixture
def context() -> Context:
    spans = tuple(Span(n, n + 12, f"step{n}", "defines a symbol of the task", 1.0 / n) for n in range(10, 280, 30))
    files = (
        judgment("src/auth/auth.ts", 0.92, *spans, missing_context=("jwt-utils (line 4)",)),
        judgment("src/auth/tokens.ts", 0.81, *spans[:3]),
        judgment("src/sessions/session-manager.ts", 0.74, Span(1, 5), cycle=2),
    )
    supporting = (judgment("src/users/user.ts", 0.55, role=Role.IMPLEMENTATION),)
    tests = (judgment("test/auth.test.ts", 0.85, role=Role.TEST),)
    documents = (
        judgment("docs/auth.md", 0.6, role=Role.DOC, language="markdown"),
        judgment("dist/auth.js", 0.45, role=Role.GENERATED, language="javascript"),
    )
    dropped = judgment("src/http/csrf.ts", 0.04, irrelevant_because="its token is the form's")
    gap = Gap(
        "reference",
        "decodeJwt is used but not listed",
        True,
        (Evidence("src/auth/auth.ts", 4, "decodeJwt"),),
        "decodeJwt",
    )
    first = Query(
        keywords=(Keyword("token", 3.0, Origin.TITLE), Keyword("expiry", 3.0, Origin.TITLE)),
        symbols=(SymbolMention("validateToken", 1.0, Origin.SYMBOL),),
        paths=(PathMention("src/auth/auth.ts", 1.0, Origin.TRACE, 12),),
        includes=("src/**",),
        title="Fix the token expiry bug",
    )
    second = Query(
        keywords=(*first.keywords, Keyword("session", 0.7, Origin.LEARNED, "relevant files say it")),
        excludes=("src/http/csrf.ts",),
        focus_areas=("session",),
        must_read=("src/sessions/session-manager.ts",),
        patterns=("src/auth/*.ts",),
    )
    changes = (
        Change("add_keyword", "session", "relevant files say it", (Evidence("src/auth/auth.ts", 30, "session"),)),
        Change(Action.EXCLUDE, "src/http/csrf.ts", "its token is the form's"),
        Change("revoke_exclude", "src/users/user.ts", "a new symbol names it", (Evidence(commit="abcdef0123456789"),)),
    )
    candidates = (Candidate(3, "src/auth/auth.ts", 1.5, {"lexical": 9.0}, {"lexical": 1}, {"lexical": "token"}),)
    return Context(
        task=Task("Fix the token expiry bug"),
        repository="/somewhere/repo",
        revision=TreeState("c" * 40, "t" * 40, True, "HEAD"),
        files=files,
        supporting=supporting,
        terminology=(
            Expansion(
                "expiry",
                "lifetime",
                0.8,
                (ExpansionSource("comment", "src/auth/tokens.ts", 7, "expiry, i.e. lifetime"),),
                certainty="sure",
            ),
        ),
        patterns=(Pattern("location", "2 of 3 files are in src/auth/*.ts", "src/auth/*.ts", ("src/auth/auth.ts",)),),
        gaps=(gap, Gap("aspect", "nothing says how sessions end", False)),
        cycles=(
            Cycle(1, first, (), candidates, (*files[:2], *supporting), (gap,), seconds=0.2),
            Cycle(2, second, changes, candidates, (*files, *supporting), (), seconds=0.1),
        ),
        stop_reason=StopReason(StopCode.ENOUGH, "3 files ≥ 0.7 and no critical gap"),
        sufficient=True,
        advice=Advice("single_file", "the task is about one file"),
        ranking=(*files, *supporting, *tests, *documents, dropped),
        tests=tests,
        documents=documents,
        skipped=(Skipped("a.png", "binary"), Skipped("b.png", "binary"), Skipped("big.sql", "larger than 2 MB")),
        warnings=("the cache is read-only",),
        stats={"documents": 4.0, "seconds": 0.3},
        budget=4000,
    )


@pytest.fixture
def read(texts: dict[str, str]) -> Read:
    return lambda path: texts.get(path, "")
