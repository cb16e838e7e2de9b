"""The verb that a title begins with, and what kind of request it makes: "Add …", "Fixes …", "parser: remove …"."""

from __future__ import annotations

import re

from zeroin.types import TaskKind

_VERBS: dict[TaskKind, str] = {
    TaskKind.FEATURE: """
        accept add adjust adopt allow append apply attach auto backport bind block bring cache call change
        check compute configure create customize declare default define deprecate derive detect display distinguish
        emit enable enforce enhance expand expose extend fetch filter finesse forbid format forward generate
        give group implement import improve include increase infer initialize inject insert integrate
        introduce invert keep let limit load log loosen lower make mark match offer override pass permit
        populate postpone prefer prepare preserve print propagate provide publish raise re-add recognise
        recognize recycle refine refresh register reimplement reject relax render report require reserve
        restrict return reveal share run save send serialize set show sign sort store stream strip subtract
        suggest support
        suppress swap sync throw track trigger tweak update validate verify wait warn work write
    """,
    TaskKind.BUG: """
        account address avoid be correct debug ensure escape fallback fix fixup gracefully guard handle honor honour
        hotfix ignore prevent properly recover repair resolve respect restore retry revert sanitize skip stop
        tolerate treat unbreak workaround
    """,
    TaskKind.REFACTORING: """
        clean cleanup compact consolidate convert copy decouple dedup dedupe deduplicate delete drop eliminate
        encapsulate extract factor flatten hide inline isolate lift merge migrate mock modernise modernize
        move optimise optimize port prune rearrange reduce refactor remove rename reorder reorganise
        reorganize replace restructure reuse revamp rework rewrite separate shorten simplify speed spell split
        streamline switch test tidy tighten unexport unify use vectorize wrap
    """,
    TaskKind.DOCUMENTATION: "clarify document explain mention reword rephrase",
    TaskKind.CONFIG: "bump downgrade install pin unpin upgrade",
}
# As the first word of a search these are nouns ("test runner", "return codes"), so they ask for nothing there.
_NOUNS = frozenset(
    """
    account address auto default backport block cache call check compact copy derive display escape factor fallback
    fetch
    filter format group guard hotfix import insert lift limit load log mark match merge mock offer override
    pass port print process publish raise render report retry return run save separate serialize set show sign sort
    speed split store stream switch sync test track trigger tweak wait work write
    """.split()
)
_DOUBLED = frozenset(
    "drop strip stop skip swap wrap trim ship map tag set let run pin unpin prefer dedup unset".split()
)

_TITLE_WORD = re.compile(
    r"[^\w]{0,8}(?P<word>[a-z](?:[a-z]|-(?=[a-z])|['’](?=t\b))*)(?![\w(.:/])(?P<next>\s+[\w`'\"-]+)?",
    re.IGNORECASE,
)
# `parser: …`, `[core] …`, `feat(x)!: …`, `Net/Http: …`, `#12 …`
_SCOPE = re.compile(
    r"^\W{0,4}(?:\[[^\]\n]{1,40}\]\s*:?\s*|\([^)\n]{1,30}\)\s*:?\s*|"
    r"(?:[\w./*{},-]{1,40}(?:\([^)\n]{0,40}\))?!?:\s+){1,2})(?=\S)"
)
_NEGATED = re.compile(
    r"^\W*(?:don['’]?t|do not|never|no longer|only|properly|correctly|gracefully|make sure|not)\b",
    re.IGNORECASE,
)


_NOT_NEEDED = re.compile(
    r"^\W*(?:(?:don['’]?t|do not|no longer) (?:use|need|call|depend|rely|require|import|copy|duplicate)|no need)\b",
    re.IGNORECASE,
)


def _forms(verb: str) -> dict[str, bool]:
    """Inflections of a verb, each with whether it is the bare form."""
    stem = verb[:-1] if verb.endswith("e") else verb
    if verb in _DOUBLED:
        stem += verb[-1]
    past = verb[:-1] + "ied" if verb.endswith("y") and verb[-2] not in "aeo" else stem + "ed"
    third = (
        verb[:-1] + "ies"
        if past.endswith("ied")
        else verb + ("es" if verb[-1] in "sxz" or verb[-2:] in ("ch", "sh") else "s")
    )
    return {verb: True, third: False, past: False, stem + "ing": False}


_KINDS: dict[str, tuple[TaskKind, bool]] = {
    form: (kind, bare and verb in _NOUNS)
    for kind, verbs in _VERBS.items()
    for verb in verbs.split()
    for form, bare in _forms(verb).items()
} | {
    "made": (TaskKind.FEATURE, False),
    "initial": (TaskKind.FEATURE, False),
    "new": (TaskKind.FEATURE, False),
}


def without_scope(title: str) -> str:
    """A title without the place that stands before it: `parser: drop x` is `drop x`."""
    return _SCOPE.sub("", title, count=1)


def asked_by(title: str, *, search: bool) -> TaskKind | None:
    """The kind that the first word of a title without its scope asks for, None where it is no such verb.

    In a `search`, a line of a few words, words that are also nouns do not count, nor do gerunds ("sending responses"):
    what is left are orders and reports of what was done.
    """
    if _NOT_NEEDED.match(title):
        return TaskKind.REFACTORING
    if _NEGATED.match(title):
        return TaskKind.BUG
    match = _TITLE_WORD.match(title)
    if match is None:
        return None
    word = match["word"].lower()
    found = _KINDS.get(word)
    if found is None:
        return None
    kind, noun = found
    if not search or _has_article(match["next"]) or _is_order(title):
        return kind
    adjective = word in _ADJECTIVES or (word.endswith("ing") and word not in _REPORTS)
    return None if noun or adjective else kind


def _is_order(title: str) -> bool:
    """Whether a line is written as a sentence, "Set x on y", and not as words to search for."""
    words = title.split()
    return len(words) >= _LEAST_WORDS and words[0].istitle() and not any(w.istitle() for w in words[1:])


_LEAST_WORDS = 4
# Gerunds that a search hardly begins with, unlike "sending responses".
_REPORTS = frozenset("adding bumping fixing improving refactoring removing renaming updating".split())
_ADJECTIVES = frozenset(
    """
    attached bound cached configured computed customized declared derived detected expected expanded extended exposed
    filtered formatted generated grouped imported included isolated limited loaded marked merged mocked offered
    optimized overridden preserved printed published rendered required reserved reused separated serialized shared
    signed
    skipped sorted stored streamed supported tested validated wrapped
    """.split()
)
_ARTICLES = frozenset("the a an all any only it this that if when unless to".split())


def _has_article(following: str | None) -> bool:
    return following is not None and following.strip().lower() in _ARTICLES
