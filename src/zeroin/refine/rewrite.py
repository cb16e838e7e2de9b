"""The next query: the last one plus what the cycle taught. Every change says why it was made (PATTERN P7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zeroin.answer import Change
from zeroin.gaps.finder import to_ask
from zeroin.index.view import View
from zeroin.models.encoder import encoder
from zeroin.refine.compounds import joined_terms
from zeroin.refine.expand import ExpansionLearner
from zeroin.refine.feedback import feedback_terms
from zeroin.terms import analyse
from zeroin.types import HIGH, LOW, Evidence, Expansion, Gap, Judgment, Keyword, Origin, Query

_TERM_WEIGHT = 1.0
_PROPOSED_WEIGHT = 0.5  # of a word that nobody here wrote beside the task's
_FEEDBACK_WEIGHT = 0.5
_MAX_PATTERNS = 3
_MAX_EXCLUDES = 40
_UNSURE, _SURE, _LEAST_WEIGHT = 0.4, 0.8, 0.3  # best relevance where trust is full, where it is least


@dataclass(frozen=True, slots=True)
class Refiner:
    """Rewrites queries for one repository."""

    view: View
    without: frozenset[str] = frozenset()

    def refine(
        self, query: Query, judgments: Sequence[Judgment], gaps: Sequence[Gap]
    ) -> tuple[Query, tuple[Change, ...]]:
        """The next query and what changed; no change means that another cycle would find the same.

        Every change is one that DISPATCH acts on: taken out, the next candidates differ. What must be read is a
        candidate by the gap that names it, too; EVALUATE reads it whatever its rank.
        """
        changes: list[Change] = []
        terms = self._terminology(query, changes)
        keywords = self._keywords(query, terms, judgments, changes)
        asked = self._asked(query, gaps, changes)
        patterns = self._patterns(query, judgments, changes)
        excludes = self._excludes(query, judgments, keywords, asked, changes)
        return (
            replace(
                query,
                keywords=keywords,
                gaps=(*query.gaps, *asked),
                patterns=patterns,
                excludes=excludes,
                focus_areas=self._focus(query, asked, changes),
                must_read=self._must_read(query, asked, changes),
                terminology=terms,
                expansion_weight=_expansion_weight(judgments),
            ),
            tuple(changes),
        )

    def expanded(self, query: Query) -> Query:
        """The query with all learned words: what can be known of it before anything is judged."""
        changes: list[Change] = []
        terms = self._terminology(query, changes)
        return replace(query, keywords=self._keywords(query, terms, (), changes), terminology=terms)

    def spelled(self, query: Query) -> Query:
        """The query with the spellings that the tree has for its words: `keepalive` for "keep alive"."""
        if "terminology" in self.without:
            return query
        known = {(t.task_word, t.code_word) for t in query.terminology}
        found = (t for t in joined_terms(self.view, query) if (t.task_word, t.code_word) not in known)
        return replace(query, terminology=(*query.terminology, *found))

    def _asked(self, query: Query, gaps: Sequence[Gap], changes: list[Change]) -> tuple[Gap, ...]:
        """Gaps whose searches the next cycle runs."""
        if "followed" in self.without:
            return ()
        asked = to_ask(gaps, query)
        changes += [Change("ask", gap.follow_up, gap.need, gap.evidence) for gap in asked]
        return asked

    def _focus(self, query: Query, asked: Sequence[Gap], changes: list[Change]) -> tuple[str, ...]:
        """Words for which no file is known: files that say them, or are nearest to them, count more."""
        focus = list(query.focus_areas)
        for gap in asked:
            if gap.promising and gap.search.words and not gap.search.paths and gap.follow_up not in focus:
                focus.append(gap.follow_up)
                changes.append(Change("focus", gap.follow_up, gap.need, gap.evidence))
        return tuple(focus)

    def _must_read(self, query: Query, asked: Sequence[Gap], changes: list[Change]) -> tuple[str, ...]:
        """Files that promising gaps name are read, however they are ranked."""
        out = list(query.must_read)
        for gap in asked:
            for path in gap.search.paths if gap.promising else ():
                if path not in out:
                    out.append(path)
                    changes.append(Change("must_read", path, gap.need, gap.evidence))
        return tuple(out)

    def _terminology(self, query: Query, changes: list[Change]) -> tuple[Expansion, ...]:
        if "terminology" in self.without:
            return query.terminology
        known = {(t.task_word, t.code_word) for t in query.terminology}
        joined = {t.code_word for t in query.terminology if t.joined}
        new = [
            t
            for t in ExpansionLearner(self.view, None if "meaning" in self.without else encoder()).learn(
                query
            )
            if (t.task_word, t.code_word) not in known and t.code_word not in joined
        ]
        for term in new:
            source = term.sources[0]
            where = f"{source.where}:{source.line}" if source.line else source.where
            seen = f"seen in {where}" if source.where else f"{source.kind}: {source.text}"
            doubt = "" if term.certainty == "sure" else f"{term.certainty}: "
            why = f"{doubt}this codebase's word for “{term.task_word}”, {seen}"
            evidence = (
                Evidence(commit=source.where, text=source.text)
                if source.kind == "commit"
                else Evidence(source.where, source.line, text=source.text)
            )
            changes.append(Change("learn_term", term.code_word, why, (evidence,)))
        return query.terminology + tuple(new)

    def _keywords(
        self, query: Query, terms: tuple[Expansion, ...], judgments: Sequence[Judgment], changes: list[Change]
    ) -> tuple[Keyword, ...]:
        keywords = list(query.keywords)
        known = {t for k in keywords for t in analyse(k.text)}
        for term in terms:
            if not set(analyse(term.code_word)) <= known:
                why = f"learned for “{term.task_word}”"
                share = _TERM_WEIGHT if any(source.where for source in term.sources) else _PROPOSED_WEIGHT
                keywords.append(Keyword(term.code_word, share * term.weight, Origin.LEARNED, why))
                known |= set(analyse(term.code_word))
        self._feedback(query, keywords, judgments, changes)
        return tuple(keywords)

    def _feedback(
        self, query: Query, keywords: list[Keyword], judgments: Sequence[Judgment], changes: list[Change]
    ) -> None:
        """Words that files say which the caller has judged relevant, and others do not.

        Not of files that are relevant by our own judgment alone: on plain-word tasks that costs 3 points of any-hit @5
        and gains nothing anywhere (docs/QUALITY.md, "Cycles").
        """
        for found in feedback_terms(replace(query, keywords=tuple(keywords)), judgments, self.view):
            where = f"{found.evidence[0].path}:{found.evidence[0].line}"
            why = f"relevant files say it, others rarely do ({where})"
            keywords.append(Keyword(found.word, _FEEDBACK_WEIGHT * found.weight, Origin.LEARNED, why))
            changes.append(Change("add_keyword", found.word, why, found.evidence))

    def _patterns(
        self, query: Query, judgments: Sequence[Judgment], changes: list[Change]
    ) -> tuple[str, ...]:
        patterns = list(query.patterns)
        for judgment in judgments:
            if judgment.relevance < HIGH or len(patterns) >= _MAX_PATTERNS:
                break
            folder, _, name = judgment.path.rpartition("/")
            pattern = f"/{folder}/*.{name.rpartition('.')[2]}" if folder and "." in name else ""
            if pattern and pattern not in patterns:
                patterns.append(pattern)
                changes.append(Change("add_pattern", pattern, f"{judgment.path} lives there", ()))
        return tuple(patterns)

    def _excludes(
        self,
        query: Query,
        judgments: Sequence[Judgment],
        keywords: tuple[Keyword, ...],
        asked: Sequence[Gap],
        changes: list[Change],
    ) -> tuple[str, ...]:
        """Drop what is irrelevant with positive evidence; take back what new evidence names."""
        excluded = list(query.excludes)
        for judgment in judgments:
            if len(excluded) >= _MAX_EXCLUDES:
                break
            if judgment.irrelevant_because and judgment.relevance < LOW and judgment.path not in excluded:
                if self._named(judgment.path, keywords, asked) or self._near(query, judgment.path):
                    continue
                excluded.append(judgment.path)
                changes.append(Change("exclude", judgment.path, judgment.irrelevant_because, ()))
        for path in [p for p in query.excludes if p in self.view.numbers and p not in query.pinned]:
            why = self._named(path, keywords, asked)
            if why:
                excluded.remove(path)
                changes.append(Change("revoke_exclude", path, why, ()))
        return tuple(excluded)

    def _near(self, query: Query, path: str) -> bool:
        """Whether a file may say what the task says in other words: nearer to it than the repository is on average."""
        if "meaning" in self.without:
            return False
        return bool(self.view.dense_scores(query.own).z_scores[self.view.numbers[path]] > 0)

    def _named(self, path: str, keywords: tuple[Keyword, ...], asked: Sequence[Gap]) -> str:
        """New evidence that names a file: a learned word in its path, or a gap that asks for it."""
        words = set(analyse(path))
        for keyword in keywords:
            if keyword.origin is Origin.LEARNED and words & set(analyse(keyword.text)):
                return f"its path says {keyword.text}, learned since"
        return next((f"asked for since: {gap.need}" for gap in asked if path in gap.search.paths), "")


def _expansion_weight(judgments: Sequence[Judgment]) -> float:
    """How far words count that nobody wrote down: fully where no file is good, little beside a sure one."""
    best = max((j.relevance for j in judgments), default=0.0)
    return round(
        min(1.0, max(_LEAST_WEIGHT, 1.0 - (best - _UNSURE) / (_SURE - _UNSURE) * (1 - _LEAST_WEIGHT))), 3
    )
