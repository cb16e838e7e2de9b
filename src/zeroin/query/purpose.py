"""What a task is for and what kinds of file it is about, from its wording."""

from __future__ import annotations

import re
from collections.abc import Iterable

from zeroin.config import MAX_TASK_CHARS
from zeroin.query import traces
from zeroin.query.kind import kind_in
from zeroin.query.overview import asks_overview, mentions_overview
from zeroin.query.segment import Kind, Segments, segment
from zeroin.query.vocabulary import AMBIGUOUS_LANGUAGES, LANGUAGE_NAMES
from zeroin.terms import WORD
from zeroin.types import Purpose, Role, Task, TaskKind

_REVIEW = re.compile(
    r"^\W*(?:(?:code )?review\b|please review\b|check (?:this|my) (?:change|diff|patch|pr)\b)", re.IGNORECASE
)
_FIX = re.compile(
    r"\b(?:fix\w*|broken|wrong\w*|incorrect\w*|fail\w*|errors?)\b|修复|错误|失败", re.IGNORECASE
)

# "Add a test" asks for one beside the change: the task is not about tests.
_TESTS = re.compile(
    r"\b(?:flaky|test[- ]?(?:suite|helper|utils?|utilit\w+|fixture\w*|infrastructure)|unit ?tests?|integration tests?|"
    r"(?:failing|broken|skipped|slow) tests?|tests? (?:\w+ ){0,2}(?:fails?|failing|broken|hangs?|is flaky|are flaky|"
    r"skipped|times? out)\b|\w{3,80}_test\.\w+|tests?/)|单元测试",
    re.IGNORECASE,
)
_DOCS = re.compile(
    r"\b(?:documentation|docs?|readme|changelog|tutorials?|user guide|doc(?:umentation)? page|typos?|"
    r"api reference|sphinx|mkdocs|release notes)\b|文档|Dokumentation",
    re.IGNORECASE,
)
# Documents of the repository for sure; other documentation may be docstrings, which live in the code.
_DOC_FILE = re.compile(
    r"\b(?:readme|changelog|tutorials?|user guide|release notes|(?:docs?|documentation) (?:site|pages?|build|index)|"
    r"mkdocs|sphinx)\b|\bdocs/",
    re.IGNORECASE,
)
_DOC_OBJECT = re.compile(r"\bdoc ?strings?\b|[\w-]-docs?\b|^\W*DOC:|`|\w[._:]\w", re.IGNORECASE)
_EXAMPLES = re.compile(
    r"\b(?:examples?[ /](?:app|project|code|folder|dir\w*|script|notebook)s?|in (?:the )?examples?\b|examples/|"
    r"demo app|sample project|notebooks?)\b",
    re.IGNORECASE,
)
_CONFIG = re.compile(
    r"\b(?:CI|github actions?|gitlab[- ]ci|travis|azure pipelines|workflows? file|dockerfile|"
    r"docker[- ]compose|docker image|makefile|cmake\w*|"
    r"helm chart|pre-commit|packaging|"
    r"(?:the|docker|cmake|wheel|release|bazel|gradle|npm) build|build (?:system|script|configuration)|"
    r"fails? to build|compil(?:e|ing|ation) (?:fails?|"
    r"error)|dependenc(?:y|ies) (?:version|bump|pin|update)|"
    r"bump|requirements\.txt|linter config|eslint config|dependabot)\b"
)

_LANGUAGE = re.compile(r"(?<![\w.+#/-])([A-Za-z][A-Za-z+#]{1,11}\d?)(?![\w+#/-])")
_LANGUAGE_CONTEXT = re.compile(
    r"\b(?:in|using|for|the|with|from|of) (go|c|ruby|swift|vue|node)\b(?: (?:code|client|sdk|binding|api|server|"
    r"module|package))",
    re.IGNORECASE,
)
_CPP = re.compile(r"(?<!\w)(?:C\+\+|C#)(?!\w)")


def purpose_of(task: Task) -> Purpose:
    """The purpose that the wording of a task implies; a diff is a review."""
    if task.diff is not None:
        return "review"
    return purpose_in(segment(task.text[:MAX_TASK_CHARS]), task.text[:4_000])


def purpose_in(segments: Segments, text: str) -> Purpose:
    """As `purpose_of`, for a task that is already told apart; `text` is its beginning as written."""
    title = segments.title or text[:200]
    if _REVIEW.match(title):
        return "review"
    if asks_overview(text):
        return "architecture"
    kind = _kind_in(segments, text)
    if kind in (TaskKind.QUESTION, TaskKind.SYMBOL):
        return "architecture" if mentions_overview(title) else "explore"
    if kind in (TaskKind.TRACE, TaskKind.BUG):
        return "fix"
    return "fix" if kind is not TaskKind.FEATURE and _FIX.search(title) else "feature"


def _kind_in(segments: Segments, text: str) -> TaskKind:
    traced = any(trace.ordered for trace in segments.traces)
    failing = traced or any(part.kind is Kind.ERROR for part in segments.parts)
    return kind_in(segments.title, text, traced=traced, failing=failing, roles=wanted_roles(segments))


def wanted_roles(segments: Segments) -> frozenset[Role]:
    """Kinds of file that the task is about besides implementation: named in its title, or of its errors and traces."""
    title = segments.title
    roles = set()
    if _TESTS.search(title) and not re.match(
        r"\W*(?:add|write|create)\b.{0,20}\btests?\b", title, re.IGNORECASE
    ):
        roles.add(Role.TEST)
    if re.match(
        r"\W*(?:add|write|improve|increase|fix|update|refactor|migrate)\b.{0,20}\btests?\b(?! for| that| to)",
        title,
        re.IGNORECASE,
    ):
        roles.add(Role.TEST)
    if _DOC_FILE.search(title) or (_DOCS.search(title) and not _DOC_OBJECT.search(title)):
        roles.add(Role.DOC)
    if _EXAMPLES.search(title):
        roles.add(Role.EXAMPLE)
    if _CONFIG.search(title):
        roles.add(Role.CONFIG)
    return frozenset(roles)


def languages(segments: Segments, extensions: Iterable[str], *, short: bool) -> frozenset[str]:
    """Languages that the task names: in its title, as the only language of its fences, or by files that it mentions."""
    found = set()
    text = segments.title
    for match in _LANGUAGE.finditer(text):
        name = match.group(1).lower()
        if name in LANGUAGE_NAMES and name not in AMBIGUOUS_LANGUAGES:
            found.add(LANGUAGE_NAMES[name])
    for match in _CPP.finditer(text):
        found.add(LANGUAGE_NAMES[match.group().lower()])
    for match in _LANGUAGE_CONTEXT.finditer(text):
        found.add(LANGUAGE_NAMES[match.group(1).lower()])
    if short:
        return frozenset(found)
    for extension in extensions:
        if extension in LANGUAGE_NAMES:
            found.add(LANGUAGE_NAMES[extension])
    if not found:
        fences = {LANGUAGE_NAMES[p.language] for p in segments.parts if p.language in LANGUAGE_NAMES}
        if len(fences) == 1:
            found = fences
    return frozenset(found)


def is_short(text: str, limit: int) -> bool:
    """Whether a text is a search query: one line of at most `limit` words and no trace."""
    line = text.strip()
    return (
        "\n" not in line
        and len(WORD.findall(line[:1_000])) <= limit
        and not (": " in line and traces.is_error(line))
    )
