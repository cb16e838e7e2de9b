"""Find gaps in what a cycle has selected, choose those to ask and to show, and record what came of those asked."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from zeroin.evaluate.passages import Matcher
from zeroin.evaluate.task_terms import task_terms_of
from zeroin.gaps.references import import_line, references, unknown_symbols
from zeroin.gaps.related_files import changed_together, counterparts, dependencies, gaps_of_purpose, tests_of
from zeroin.gaps.selection import SHOWN, SHOWN_RECALL, GapCandidate, GapForm, Selection, with_probabilities
from zeroin.gaps.words import aspects, missing_quotes, missing_words
from zeroin.index.scope import in_scope
from zeroin.index.view import View
from zeroin.patterns import lines_with
from zeroin.terms import WORD
from zeroin.types import LOW, Candidate, Gap, Judgment, Query, Task

_BY_PRECISION, _BY_RECALL = 4, 6  # gaps shown that name files, at most, by each of the two models
MOST_ASKED = 24  # gaps that one cycle asks


@dataclass(frozen=True, slots=True)
class GapFinder:
    """Finds gaps from task, query and judgments alone, whichever evaluator judged."""

    view: View
    matcher: Matcher
    without: frozenset[str] = frozenset()

    def gaps(self, task: Task, query: Query, judgments: Sequence[Judgment]) -> tuple[Gap, ...]:
        """Return the chosen gaps, promising ones first, then others to ask, by precision; `judgments` best first.

        Where includes and excludes leave no file, nothing is missing of the task: a warning names the pattern.
        """
        if not in_scope(query, self.view).any():
            return ()
        selection = self.selection(task, query, judgments)
        found = candidates_of(selection, self.without)
        chosen = shown_of([one for one in found if one.shown], selection.asked)
        chosen += [one for one in shown_of(found, selection.asked) if not one.shown]
        rest = [one for one in found if one not in chosen]
        rest.sort(key=lambda one: (-one.features.precision, -one.features.recall_probability, one.need))
        gaps = [one.gap(selection.asked) for one in self.located(chosen)]
        gaps += gaps_of_purpose(selection)
        if selection.task.diff is not None:
            from zeroin.gaps.undefined import gaps_of_change  # few tasks are changes

            gaps += gaps_of_change(selection, selection.task.diff)
        unseen = (one.gap(selection.asked) for one in rest[:MOST_ASKED])
        return (
            *sorted(gaps, key=lambda g: not g.promising),
            *(replace(gap, chosen=False, critical=False) for gap in unseen),
        )

    def selection(self, task: Task, query: Query, judgments: Sequence[Judgment]) -> Selection:
        """Return the selected files of a cycle, with what their texts say of the task."""
        terms = task_terms_of(query, self.view)
        selection = Selection(task, query, terms, self.view, judgments, {})
        return replace(selection, matches=self.matcher.read(selection.docs, terms))

    def located(self, found: Sequence[GapCandidate]) -> list[GapCandidate]:
        """Return the same candidates with the lines of their evidence."""
        self.view.prefetch({one.mark[0] for one in found if one.mark is not None})
        out = []
        for one in found:
            if one.mark is not None:
                doc, name = one.mark
                first, *others = one.evidence
                if one.kind == "dependency":
                    number = import_line(self.view, doc, others[0].path, by_folder=True)
                else:
                    lines = lines_with(self.view.text(doc), name)
                    saying = (n for n, line in lines if name in WORD.findall(line) or not name.isidentifier())
                    number = next(saying, None)
                one = replace(one, evidence=(replace(first, line=number), *others))
            out.append(one)
        return out


def candidates_of(selection: Selection, without: Set[str] = frozenset()) -> list[GapCandidate]:
    """Collect all gap candidates, with their precision; none for an overview, which leaves out most files."""
    if selection.task.purpose == "architecture":
        return []
    words = missing_words(selection)
    nameless = {one.follow_up for one in words if one.shown and one.form in (GapForm.UNMENTIONED, GapForm.UNNAMED)}
    return with_probabilities(
        [
            *words,
            *missing_quotes(selection),
            # A word that nothing is named after is defined by no file either: only the first of the two gaps is shown.
            *(replace(one, shown=one.shown and one.follow_up not in nameless) for one in unknown_symbols(selection)),
            *references(selection),
            *([] if "graph" in without else dependencies(selection)),
            *counterparts(selection),
            *([] if {"history", "cochange"} & without else changed_together(selection)),
            *tests_of(selection),
            *aspects(selection),
        ]
    )


def shown_of(found: Sequence[GapCandidate], asked: Set[str] = frozenset()) -> list[GapCandidate]:
    """Return candidates worth showing: by precision, then by recall, each file once; words without a file always.

    The limits count gaps whose files were all `asked` before separately.
    """
    out = [one for one in found if not one.search.paths]
    named: set[str] = set()
    models = (("precision", SHOWN, _BY_PRECISION), ("recall_probability", SHOWN_RECALL, _BY_RECALL))
    for model, least, most in models:
        room = {True: most, False: most}
        for one in sorted(found, key=lambda x: (-getattr(x.features, model), -x.features.precision, x.need)):
            paths = set(one.search.paths)
            old = paths <= asked
            if paths - named and getattr(one.features, model) >= least and room[old]:
                room[old] -= 1
                named |= paths
                out.append(one)
    return out


def to_ask(gaps: Sequence[Gap], query: Query) -> tuple[Gap, ...]:
    """Gaps whose searches the next cycle runs: not asked before, promising ones first, at most `MOST_ASKED`."""
    known = {gap.key for gap in query.gaps}
    new: dict[object, Gap] = {}
    for gap in gaps:
        if gap.key not in known and (gap.search.symbols or gap.search.paths or gap.search.words):
            new.setdefault(gap.key, gap)
    best = sorted(new.values(), key=lambda g: (not g.promising, not g.shown, -g.precision, -g.user_relevance))
    return tuple(best[:MOST_ASKED])


def outcomes_of(gaps: Sequence[Gap], candidates: Sequence[Candidate], judgments: Sequence[Judgment]) -> tuple[Gap, ...]:
    """Return the gaps that were asked, each with its outcome.

    "closed" by the best file of relevance ≥ 0.2 that its search found, "absent" if it found nothing, else "open".
    """
    relevance = {j.path: j.relevance for j in judgments}
    found: dict[object, list[str]] = {}
    for candidate in candidates:
        for gap in candidate.asked_by:
            found.setdefault(gap.key, []).append(candidate.path)
    out = []
    for gap in gaps:
        named = gap.search.paths
        paths = [path for path in found.get(gap.key, []) if not named or path in named]
        best = max(paths, key=lambda path: (relevance.get(path, 0.0), path), default="")
        if best and relevance.get(best, 0.0) >= LOW:
            out.append(replace(gap, outcome="closed", closed_by=best, critical=False))
        else:
            out.append(replace(gap, outcome="open" if paths else "absent"))
    return tuple(out)
