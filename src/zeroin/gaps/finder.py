"""Find gaps in what a cycle has selected, choose those worth asking and showing, and settle those that were asked.

Each detector names what it misses, with evidence and the search that would close it; `selection` says what that is
worth.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from zeroin.evaluate.passages import Matcher
from zeroin.evaluate.task_terms import task_terms_of
from zeroin.gaps.references import aspects, references, texts_missing, unknown_symbols, words_missing
from zeroin.gaps.related_files import changed_together, counterparts, dependencies, gaps_of_purpose, tests_of
from zeroin.gaps.selection import SHOWN, SHOWN_RECALL, GapCandidate, Selection, with_probabilities
from zeroin.index.view import View
from zeroin.terms import WORD
from zeroin.types import LOW, Candidate, Evidence, Gap, Judgment, Query, Task

_BY_PRECISION, _BY_RECALL = 4, 6  # gaps shown that name files: a longer list is a ranking
MOST_ASKED = 24  # gaps that one cycle asks


@dataclass(frozen=True, slots=True)
class GapFinder:
    """Finds gaps: a function of task, query and judgments, whoever judged."""

    view: View
    matcher: Matcher
    without: frozenset[str] = frozenset()

    def gaps(self, task: Task, query: Query, judgments: Sequence[Judgment]) -> tuple[Gap, ...]:
        """Gaps, promising ones first, then those that are worth most; `judgments` best first."""
        selection = self.selection(task, query, judgments)
        found = candidates_of(selection, self.without)
        shown = shown_of([one for one in found if one.shown], selection.asked)
        shown += [one for one in shown_of(found, selection.asked) if not one.shown]
        rest = [one for one in found if one not in shown]
        rest.sort(key=lambda one: (-one.features.precision, -one.features.recall_probability, one.need))
        asked = [one.gap(selection.asked) for one in rest]
        gaps = [one.gap(selection.asked) for one in self.located(shown)]
        gaps += gaps_of_purpose(selection)
        unseen = (replace(gap, shown=False, quiet=False, critical=False) for gap in asked[:MOST_ASKED])
        return (*sorted(gaps, key=lambda g: not g.promising), *unseen)

    def selection(self, task: Task, query: Query, judgments: Sequence[Judgment]) -> Selection:
        """What is selected after a cycle."""
        information = task_terms_of(query, self.view)
        selection = Selection(task, query, information, self.view, judgments, {})
        return replace(selection, passages=self.matcher.read(selection.docs, information))

    def located(self, found: Sequence[GapCandidate]) -> list[GapCandidate]:
        """The same with the lines of their evidence, whose files are read at once."""
        marks = {one.mark for one in found if one.mark is not None}
        self.view.prefetch(doc for doc, _ in marks)
        out = []
        for one in found:
            line = None if one.mark is None else line_of(self.view.text(one.mark[0]), one.mark[1])
            if line is not None and one.evidence:
                first: Evidence = replace(one.evidence[0], line=line)
                one = replace(one, evidence=(first, *one.evidence[1:]))
            out.append(one)
        return out


def candidates_of(selection: Selection, without: Set[str] = frozenset()) -> list[GapCandidate]:
    """List everything that could be missing, with its precision; nothing for an overview, which leaves out most."""
    if selection.task.purpose == "architecture":
        return []
    return with_probabilities(
        [
            *words_missing(selection),
            *texts_missing(selection),
            *unknown_symbols(selection),
            *references(selection),
            *([] if "graph" in without else dependencies(selection)),
            *counterparts(selection),
            *([] if {"history", "cochange"} & without else changed_together(selection)),
            *tests_of(selection),
            *aspects(selection),
        ]
    )


def shown_of(found: Sequence[GapCandidate], asked: Set[str] = frozenset()) -> list[GapCandidate]:
    """Candidates worth showing, a file once: those of the best precision, then those of the best recall_probability.

    What was `asked` already does not keep others from being shown.
    """
    named: set[str] = set()
    out = [one for one in found if not one.search.paths]
    for measure, least, most in (
        ("precision", SHOWN, _BY_PRECISION),
        ("recall_probability", SHOWN_RECALL, _BY_RECALL),
    ):
        room = {True: most, False: most}
        for one in sorted(
            found, key=lambda x: (-getattr(x.features, measure), -x.features.precision, x.need)
        ):
            paths = set(one.search.paths)
            old = paths <= asked
            if paths - named and getattr(one.features, measure) >= least and room[old]:
                room[old] -= 1
                named |= paths
                out.append(one)
    return out


def to_ask(gaps: Sequence[Gap], query: Query) -> tuple[Gap, ...]:
    """Gaps whose searches the next cycle runs: not asked before, the most promising first, at most `MOST_ASKED`."""
    known = {gap.key for gap in query.gaps}
    new: dict[object, Gap] = {}
    for gap in gaps:
        if gap.key not in known and (gap.search.symbols or gap.search.paths or gap.search.words):
            new.setdefault(gap.key, gap)
    ordered = sorted(
        new.values(), key=lambda gap: (not gap.promising, not gap.shown, -gap.precision, -gap.user_relevance)
    )
    return tuple(ordered[:MOST_ASKED])


def with_outcomes(
    gaps: Sequence[Gap], candidates: Sequence[Candidate], judgments: Sequence[Judgment]
) -> tuple[Gap, ...]:
    """The gaps that were asked, each with its outcome.

    Closed by the best file of relevance ≥ 0.2 that its search brought; absent if the search brought nothing.
    """
    relevance = {j.path: j.relevance for j in judgments}
    brought: dict[tuple[str, object], list[str]] = {}
    for candidate in candidates:
        for gap in candidate.asked_by:
            brought.setdefault(gap.key, []).append(candidate.path)
    out = []
    for gap in gaps:
        named = gap.search.paths
        paths = [path for path in brought.get(gap.key, []) if not named or path in named]
        best = max(paths, key=lambda path: (relevance.get(path, 0.0), path), default="")
        if best and relevance.get(best, 0.0) >= LOW:
            out.append(replace(gap, outcome="closed", closed_by=best, critical=False))
        else:
            out.append(replace(gap, outcome="open" if paths else "absent"))
    return tuple(out)


def line_of(text: str, name: str) -> int | None:
    """The first line of a text that says a name; None if none does."""
    for number, line in enumerate(text.split("\n"), start=1):
        if name in line and (name in WORD.findall(line) or not name.isidentifier()):
            return number
    return None
