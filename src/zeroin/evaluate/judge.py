"""The built-in evaluator: features → model → calibration → relevance, with reasons.

Judgments depend on the arguments, and on what was read before for the question: a file is read once. `Matcher` keeps
the matches of texts between cycles.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.deferred import Deferred
from zeroin.evaluate.features import retrieval
from zeroin.evaluate.features.pool import Pool
from zeroin.evaluate.features.rows import features_of
from zeroin.evaluate.features.table import COLUMN
from zeroin.evaluate.model import quoted
from zeroin.evaluate.model.linear import linear_scores
from zeroin.evaluate.model.ranker import LINEAR, NOT_JUDGED, OVERRIDDEN, Reread, contributions, rank
from zeroin.evaluate.passages import Matcher, TextMatch
from zeroin.evaluate.purpose import effective_purpose
from zeroin.evaluate.reasons.subject import Question
from zeroin.evaluate.reasons.writer import MAX_REASONS, reasons_of
from zeroin.evaluate.spans.select import KeptSpans
from zeroin.evaluate.task_terms import TaskTerms, task_terms_of
from zeroin.evaluate.undefined import PRECISION, broken_imports, undefined_names
from zeroin.index.locate import main_changed_docs
from zeroin.index.view import View
from zeroin.protocols import RepositoryView
from zeroin.terms import analyse, analyse_word
from zeroin.types import Candidate, Evidence, Judgment, Origin, Purpose, Query, Reason, Task, best_first
from zeroin.wording import counted

if TYPE_CHECKING:  # loaded by the first question that needs a second cycle
    from zeroin.evaluate.reading import Known, Lines, Rise

# Candidates whose text is read; the others are judged by the index alone. Reading is the largest cost of a cycle: the
# first cycle reads few, later ones more, but fewer if a previous cycle was confident of a file.
READ_FIRST, READ_CONFIDENT, READ = 32, 44, 80
_CONFIDENT = -0.4  # log odds: a relevance of 0.4
_LEAST_PREVIOUS = -6.0  # log odds, of a file without a previous score
_MUST_READ = 1e3  # added to the score of a file that must be read
EXPLAINED = 30  # judgments with reasons, each written on first access
_CHANGED, _BEST = 12, 5  # files that reasons may name

READ_BESIDE = "other files, read beside the task, agree with it more"

Prior = Callable[[Sequence[str]], NDArray[np.float64]]  # paths → log odds that earlier tasks add


class Measured(NamedTuple):
    """Features of all candidates, and the matches of those that were read, by document."""

    rows: NDArray[np.float32]
    matches: Mapping[int, TextMatch]
    purpose: Purpose  # the effective purpose, by which candidates are judged
    quoted: NDArray[np.float64]  # log odds for what the task quotes, shape (candidates,)


class Moved(NamedTuple):
    """Positions of the candidates whose score rose or fell by reading."""

    risen: dict[int, "Rise"]
    fallen: set[int]


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges candidates of one repository.

    With `at_once` the first cycle reads as many texts as later ones and compares whole documents. `prior` returns the
    log odds that earlier tasks add.
    """

    view: View
    matcher: Matcher
    purpose: Purpose = "fix"
    without: frozenset[str] = frozenset()
    at_once: bool = False
    prior: Prior | None = None
    spans: KeptSpans = field(default_factory=KeptSpans)
    known: "Known" = field(default_factory=dict)  # what was read before for this question

    def evaluate(
        self,
        task: Task,
        query: Query,
        candidates: Sequence[Candidate],
        previous: Sequence[Judgment],
        view: RepositoryView,
    ) -> tuple[Judgment, ...]:
        """Judge every candidate, best first; equal relevance is ordered by score, then path."""
        terms = task_terms_of(query, self.view)
        undefined = undefined_names(task.diff, self.view) if task.diff is not None else ()
        broken = broken_imports(task.diff, self.view) if task.diff is not None else ()
        homes = {*(one.home for one in undefined), *(one.doc for one in broken)}
        measured = self.measure(query, candidates, previous, terms, homes)
        purpose, quoted_odds = measured.purpose, measured.quoted
        offsets = quoted_odds + (self.prior([c.path for c in candidates]) if self.prior is not None else 0.0)
        history = any("history" in c.scores for c in candidates)
        least = np.array([PRECISION if c.doc in homes else 0.0 for c in candidates])
        moved = Moved({}, set())
        later = "reader" not in self.without and (self.at_once or bool(previous))
        reread = self._read(query, candidates, terms, measured, moved) if later else None
        ranked = rank(measured.rows, query, purpose, history=history, offsets=offsets, least=least, reread=reread)
        own, scores = (np.where(x > NOT_JUDGED, x + quoted_odds, x) for x in (ranked.own, ranked.scores))
        order = np.lexsort((np.arange(len(candidates)), -scores, -ranked.relevance)).tolist()
        overridden = measured.rows[:, COLUMN["overridden_share"]]
        best = main_changed_docs(query, self.view)[:_CHANGED]
        if not any(mention.origin is Origin.DIFF for mention in query.paths):
            best = [candidates[i].doc for i in order[:_BEST]]
        question = Question(query, terms, self.view, tuple(best), self.spans, undefined, broken)
        top = measured.rows[order[:EXPLAINED]]
        added = cache(lambda: contributions(top, purpose))  # computed on first access to a reason

        def reasons(place: int, against: str) -> tuple[Reason, ...]:
            candidate = candidates[order[place]]
            match = measured.matches.get(candidate.doc, TextMatch())
            odds = float(quoted_odds[order[place]])
            found = reasons_of(question, candidate, match, added()[place], odds)
            rise = moved.risen.get(order[place])
            if rise is not None and rise.places:
                found = (*found[: MAX_REASONS - 1], rise.reason(candidate.path))
            return (*found, Reason("against", against, (Evidence(candidate.path),))) if against else found

        known = {judgment.path: judgment for judgment in previous}
        learned = _learned(query)
        judged = set(ranked.judged.tolist())
        out = []
        for place, i in enumerate(order):
            candidate = candidates[i]
            old, match = known.get(candidate.path), measured.matches.get(candidate.doc)
            if i not in judged and old is not None:
                out.append(old)  # nothing new is known of it
                continue
            judgment = Judgment(
                candidate.path,
                round(float(ranked.relevance[i]), 4),
                score=round(float(scores[i]), 6),
                own_score=round(float(own[i]), 6) if i in moved.risen or i in moved.fallen else None,
                read=match is not None,
            )
            if old is not None and judgment.relevance < old.relevance:
                against = _against(old, match, learned if overridden[i] >= OVERRIDDEN else set())
                judgment = replace(judgment, against=against or (READ_BESIDE if i in moved.fallen else ""))
            if place < EXPLAINED:
                judgment = replace(judgment, reasons=Deferred(partial(reasons, place, judgment.against)))
            out.append(judgment)
        return tuple(sorted(out, key=best_first))

    def _read(
        self, query: Query, candidates: Sequence[Candidate], terms: TaskTerms, measured: Measured, moved: Moved
    ) -> Reread:
        """Return what reads the best candidates; it notes those whose score rises or falls in `moved`.

        Files that the caller has judged keep theirs.
        """
        from zeroin.evaluate.reading import read_scores, rescore

        given = {*query.relevant, *query.irrelevant}

        def read_best(scores: NDArray[np.float64], positions: NDArray[np.int64]) -> NDArray[np.float64]:
            def read(rows: NDArray[np.int64]) -> tuple[NDArray[np.float64], list["Lines"]]:
                docs = [candidates[i].doc for i in positions[rows].tolist()]
                return read_scores(self.known, query, self.view, terms, measured.matches, docs)

            may = np.array([candidates[i].path not in given for i in positions.tolist()], np.bool_)
            found = rescore(scores, may, read)
            moved.risen.update((int(positions[row]), rise) for row, rise in found.risen.items())
            moved.fallen.update(positions[list(found.fallen)].tolist())
            return found.scores

        return read_best

    def measure(
        self,
        query: Query,
        candidates: Sequence[Candidate],
        previous: Sequence[Judgment],
        terms: TaskTerms,
        must_read: Set[int] = frozenset(),
    ) -> Measured:
        """Compute the features of every candidate. Reads the texts of the most promising, and those of `must_read`."""
        purpose = effective_purpose(self.purpose, query, self.view)
        quoted_odds = np.zeros(len(candidates))
        if purpose not in LINEAR:
            quoted_odds = quoted.log_odds(query, self.view, [c.doc for c in candidates])
        odds = {c.path: float(one) for c, one in zip(candidates, quoted_odds, strict=True)}
        pool = Pool(
            query=query,
            candidates=candidates,
            terms=terms,
            view=self.view,
            history=None if "history" in self.without else self.view.history,
            previous_scores={j.path: _own(j) - odds.get(j.path, 0.0) for j in previous if j.score > NOT_JUDGED},
            previously_read=frozenset(j.path for j in previous if j.read),
            compare_documents=self.at_once or bool(previous),
            dense="dense" not in self.without,
        )
        unread = retrieval.columns(pool)
        matches = self.matcher.read(_to_read(pool, linear_scores(unread, purpose) + quoted_odds, must_read), terms)
        rows = features_of(replace(pool, matches=matches), purpose, unread)
        return Measured(rows, matches, purpose, quoted_odds)


def _to_read(pool: Pool, first: NDArray[np.float64], must_read: Set[int]) -> list[int]:
    """Choose the documents to read: those that must be, then the best by first score plus previous score."""
    previous = pool.previous_scores
    confident = bool(previous) and max(previous.values()) >= _CONFIDENT
    most = READ_FIRST if not pool.compare_documents else READ_CONFIDENT if confident else READ
    must = frozenset(pool.query.must_read)
    value = first + [max(previous.get(c.path, _LEAST_PREVIOUS), _LEAST_PREVIOUS) for c in pool.candidates]
    value += [_MUST_READ if c.path in must or c.doc in must_read else 0.0 for c in pool.candidates]
    return [pool.candidates[i].doc for i in np.argsort(-value, kind="stable")[:most]]


def _own(judgment: Judgment) -> float:
    return judgment.score if judgment.own_score is None else judgment.own_score


def _learned(query: Query) -> set[str]:
    """Return terms of the task for which a word of the codebase was learned since the cycle before."""
    new = (pair for pair in query.terminology[query.known_terms :] if pair.is_synonym)
    return {term for pair in new for term in analyse(pair.task_word)}


def _against(old: Judgment, match: TextMatch | None, overridden: Set[str]) -> str:
    """Find new evidence against a file since its previous judgment; "" where there is none.

    `overridden` are task terms found since then to mean something else in this codebase.
    """
    if match is None:
        return ""
    if not old.read:
        lines = match.matched_lines
        return f"read since: {counted(lines, 'line')} of it match{'es' if lines == 1 else ''} the task"
    meant = match.terms & overridden
    if not meant:
        return ""
    said = [word for line in match.lines for word in line.words]
    said += [word for passage in match.passages for word in passage.words]
    surface = {t: word for word in said for t in analyse_word(word)}
    words = sorted({surface.get(t, t) for t in meant})
    found = ", ".join(f"“{word}”" for word in words[:3])
    return f"says {found}, for which this codebase has another word"
