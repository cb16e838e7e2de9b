"""Choose and write the reasons of a file: the evidence that moved the score most, as far as it can be proved.

A reason is given only if its evidence adds to the score and is found in the repository when it is written.
`benchmarks.reasons` checks every sentence against the repository: a new form of sentence needs a check there.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from zeroin.evaluate.features.table import FEATURES, NONE, RESTATED, ROLE
from zeroin.evaluate.passages import TextMatch
from zeroin.evaluate.reasons import content, relations
from zeroin.evaluate.reasons.subject import Question, Subject
from zeroin.types import Candidate, Origin, Reason

MAX_REASONS = 4
_LEAST = 0.15  # of all positive contributions: a smaller share is no reason

WRITERS: Mapping[str, Callable[[Subject], Reason | None]] = {
    "literal": content.quoted,
    "path": content.mentioned,
    "symbols": content.symbols,
    "followed": relations.followed,
    "asked": relations.asked,
    "definitions": content.definitions,
    "passage": content.passage,
    "name": content.path_words,
    "history": relations.matching_commit,
    "dense": content.dense,
    "retriever": content.retriever,
    "names": content.rare_name,
    "changes": relations.changes,
    "cochange": relations.cochanged,
    "graph": relations.imports,
    "hub": relations.hub,
    "beside": partial(relations.neighbour, "beside"),
    "same_stem": partial(relations.neighbour, "same_stem"),
    "pattern": content.pattern,
    "landmarks": relations.landmark,
    "language": content.language,
    "changed_stem": partial(relations.neighbour, "changed_stem"),
    "folder": partial(relations.neighbour, "folder"),
    "callers": relations.uses_changed,
    ROLE: relations.role,
}
# Kinds of evidence for a file that an injected evaluator judged, the strongest first.
_STATED = "literal path symbols followed asked definitions passage name history dense retriever".split()
_CHANGE = ("changed_stem", "folder", "callers")
_OF_ANY = ("changes", "hub", "beside", "folder", "pattern", "language", "landmark")  # reasons that hold of many files
_SAYS = ("path", "symbols", "definitions", "passage", "name")  # what a file itself says
# For a change, these relations to the changed files come before matching words.
_TIES = ("callers", "changed_stem", "cochange", "graph")


def reasons_of(
    question: Question, candidate: Candidate, match: TextMatch, contributions: Mapping[str, float], quoted_odds: float
) -> tuple[Reason, ...]:
    """Write reasons by descending contribution of their evidence; a role that lowered the score comes last.

    A text of the task that the file holds word for word comes first.
    """
    s = Subject(question, candidate, match)
    amounts = by_evidence(contributions) | {"literal": quoted_odds}
    role = amounts.pop(ROLE, 0.0)
    amounts.pop(NONE, None)
    if role > 0 and relations.role(s) is not None:
        amounts[ROLE] = role
    positive = {kind: amount for kind, amount in amounts.items() if amount > 0}
    total = sum(positive.values())
    change = any(mention.origin is Origin.DIFF for mention in question.query.paths)
    kept = (*_CHANGE, *_TIES) if change else _CHANGE  # given however little they add
    first = _first(s, change=change)
    positive = dict.fromkeys(first, 0.0) | positive
    kinds = sorted(positive, key=lambda k: (k not in first, change and k not in _TIES, -positive[k], k))
    small = [kind for kind in kinds if positive[kind] < _LEAST * total and kind not in (*kept, *first)]
    out = _written(s, kinds, small)
    if not out or out[0].kind in _OF_ANY:  # common words say more than a reason that holds of many files
        s.strict = False
        out = _written(s, kinds, small)
    if out and not change and _says_nothing(out[0]):
        said = next((r for kind in kinds if kind in _SAYS and (r := WRITERS[kind](s)) is not None), None)
        out = out if said is None else [said, *(reason for reason in out if reason != said)][:MAX_REASONS]
    for named in (relations.broken_import(s), relations.place_of_undefined(s)):
        out = [named, *out[: MAX_REASONS - 1]] if named is not None else out
    found = content.retriever(s)
    if found is not None:
        out = [*out[: MAX_REASONS - 1], found]
    against = relations.role(s, wanted=False) if role <= -_LEAST * total else None
    if out and len(out) < MAX_REASONS and against is not None:
        out.append(against)
    return tuple(out)


def _first(s: Subject, *, change: bool) -> tuple[str, ...]:
    """Return the kinds that come first, whatever they add: a quoted text, a line that the task names, a lost name."""
    place = None if change else WRITERS["path"](s)
    placed = place is not None and ", line " in place.text
    used = relations.uses_changed(s) if change else None
    lost = used is not None and relations.REMOVED in used.text
    found = {"literal": content.is_verbatim(s), "path": placed, "callers": lost}
    return tuple(kind for kind, holds in found.items() if holds)


def _says_nothing(reason: Reason) -> bool:
    """Tell whether a reason tells nothing of what is in the file."""
    wordless = reason.kind == "dense" and not any(one.text for one in reason.evidence)
    return wordless or reason.kind in (*_OF_ANY, "graph")


def _written(s: Subject, kinds: Sequence[str], small: Collection[str]) -> list[Reason]:
    """Write at most four reasons of the `kinds`, in order; a `small` one only while there is no other."""
    out: list[Reason] = []
    for kind in kinds:
        if len(out) == MAX_REASONS:
            break
        if not out or kind not in small:
            reason = WRITERS[kind](s)
            if reason is not None and reason not in out:
                out.append(reason)
    return out


def by_evidence(contributions: Mapping[str, float]) -> dict[str, float]:
    """Sum the contributions of the features of every kind of evidence, negative ones too."""
    amounts: dict[str, float] = {}
    for feature, amount in contributions.items():
        kind = FEATURES[feature].evidence
        kind = NONE if kind == RESTATED else kind
        amounts[kind] = amounts.get(kind, 0.0) + amount
    return amounts


def stated(question: Question, candidate: Candidate, match: TextMatch) -> tuple[Reason, ...]:
    """Write reasons for a file that an injected evaluator judged, from all evidence that can be found."""
    s = Subject(question, candidate, match)
    s.strict = False
    found = [reason for kind in _STATED if (reason := WRITERS[kind](s)) is not None]
    return tuple(dict.fromkeys(found))[:MAX_REASONS]
