"""The next query: the last one plus what the cycle taught. Every change says why it was made (PATTERN P7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zeroin.answer import Change
from zeroin.index.view import View
from zeroin.models.encoder import encoder
from zeroin.refine.feedback import feedback_terms
from zeroin.refine.terminology import TermLearner
from zeroin.terms import analyse
from zeroin.types import HIGH, LOW, Evidence, Gap, Judgment, Keyword, Origin, Query, SymbolMention, Term

_TERM_WEIGHT = 1.0
_PROPOSED_WEIGHT = 0.5  # of a word that nobody here wrote beside the task's
_FEEDBACK_WEIGHT = 0.5
_SYMBOL_WEIGHT = 0.5
_MAX_SYMBOLS = 10
_MAX_PATTERNS = 3
_MAX_EXCLUDES = 40
_UNSURE, _SURE, _LEAST_TRUST = 0.4, 0.8, 0.3  # best relevance where trust is full, where it is least


@dataclass(frozen=True, slots=True)
class Refiner:
    """Rewrites queries for one repository."""

    view: View
    without: frozenset[str] = frozenset()

    def refine(
        self, query: Query, judgments: Sequence[Judgment], gaps: Sequence[Gap]
    ) -> tuple[Query, tuple[Change, ...]]:
        """The next query and what changed; no change means that another cycle would find the same."""
        changes: list[Change] = []
        terms = self._terminology(query, changes)
        by_meaning = self._by_meaning(query, changes)
        keywords = self._keywords(query, terms, judgments, changes)
        symbols = self._symbols(query, gaps, changes)
        patterns = self._patterns(query, judgments, changes)
        excludes = self._excludes(query, judgments, keywords, symbols, changes)
        focus = self._focus(query, gaps, changes)
        return (
            replace(
                query,
                keywords=keywords,
                symbols=symbols,
                patterns=patterns,
                excludes=excludes,
                focus_areas=focus,
                terminology=terms,
                by_meaning=by_meaning,
                trust=_trust(judgments),
                must_read=self._must_read(query, gaps, changes),
            ),
            tuple(changes),
        )

    def _by_meaning(self, query: Query, changes: list[Change]) -> bool:
        """Once the task's own words have been asked: passages that say the same in other words."""
        if "meaning" in self.without:
            return query.by_meaning
        if not query.by_meaning and not self.view.meaning(query.own).unusual.any():
            return False  # no passage, or no word that the encoder knows
        if not query.by_meaning:
            why = "its own words may not be the code's: passages that mean the same"
            changes.append(Change("by_meaning", query.title or query.text[:80], why))
        return True

    def _terminology(self, query: Query, changes: list[Change]) -> tuple[Term, ...]:
        if "terminology" in self.without:
            return query.terminology
        known = {(t.task_word, t.code_word) for t in query.terminology}
        new = [
            t
            for t in TermLearner(self.view, None if "meaning" in self.without else encoder()).learn(query)
            if (t.task_word, t.code_word) not in known
        ]
        for term in new:
            source = term.sources[0]
            where = f"{source.where}:{source.line}" if source.line else source.where
            seen = f"seen in {where}" if source.where else f"{source.kind}: {source.text}"
            why = f"this codebase's word for “{term.task_word}”, {seen}"
            evidence = (
                Evidence(commit=source.where, text=source.text)
                if source.kind == "commit"
                else Evidence(source.where, source.line, text=source.text)
            )
            changes.append(Change("learn_term", term.code_word, why, (evidence,)))
        return query.terminology + tuple(new)

    def _keywords(
        self, query: Query, terms: tuple[Term, ...], judgments: Sequence[Judgment], changes: list[Change]
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

    def _symbols(self, query: Query, gaps: Sequence[Gap], changes: list[Change]) -> tuple[SymbolMention, ...]:
        if "followed" in self.without:
            return query.symbols
        known = {m.name for m in query.symbols}
        symbols = list(query.symbols)
        references = [g for g in gaps if g.kind == "reference" and len(g.evidence) > 1]
        for gap in [g for g in references if g.follow_up not in known][:_MAX_SYMBOLS]:
            if gap.follow_up not in known:
                symbols.append(SymbolMention(gap.follow_up, _SYMBOL_WEIGHT, Origin.LEARNED))
                changes.append(Change("add_symbol", gap.follow_up, gap.need, gap.evidence))
        return tuple(symbols)

    def _must_read(self, query: Query, gaps: Sequence[Gap], changes: list[Change]) -> tuple[str, ...]:
        """Files that gaps name: what was asked for already, so that no later gap is critical for it."""
        if "followed" in self.without:
            return query.must_read
        homes = [path for gap in gaps if gap.chance or gap.kind == "reference" for path in gap.search.paths]
        out = list(query.must_read)
        for path in sorted(dict.fromkeys(homes), key=lambda p: -homes.count(p)):
            if path not in out:
                gap = next(g for g in gaps if path in g.search.paths)
                out.append(path)
                changes.append(Change("must_read", path, gap.need, gap.evidence))
        return tuple(out)

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
        symbols: tuple[SymbolMention, ...],
        changes: list[Change],
    ) -> tuple[str, ...]:
        """Drop what is irrelevant with positive evidence; take back what new evidence names."""
        excluded = list(query.excludes)
        for judgment in judgments:
            if len(excluded) >= _MAX_EXCLUDES:
                break
            if judgment.irrelevant_because and judgment.relevance < LOW and judgment.path not in excluded:
                if self._named(judgment.path, keywords, symbols) or self._near(query, judgment.path):
                    continue
                excluded.append(judgment.path)
                changes.append(Change("exclude", judgment.path, judgment.irrelevant_because, ()))
        for path in [p for p in excluded if p in self.view.numbers and p not in {j.path for j in judgments}]:
            why = self._named(path, keywords, symbols)
            if why:
                excluded.remove(path)
                changes.append(Change("revoke_exclude", path, why, ()))
        return tuple(excluded)

    def _near(self, query: Query, path: str) -> bool:
        """Whether a file may say what the task says in other words: nearer to it than the repository is on average."""
        if "meaning" in self.without:
            return False
        return bool(self.view.meaning(query.own).unusual[self.view.numbers[path]] > 0)

    def _named(self, path: str, keywords: tuple[Keyword, ...], symbols: tuple[SymbolMention, ...]) -> str:
        """New evidence that names a file: a learned word in its path, or a wanted symbol that it defines."""
        words = set(analyse(path))
        for keyword in keywords:
            if keyword.origin is Origin.LEARNED and words & set(analyse(keyword.text)):
                return f"its path says {keyword.text}, learned since"
        doc = self.view.numbers[path]
        for mention in symbols:
            if mention.origin is Origin.LEARNED:
                rows = self.view.snapshot.symbols.rows_of(mention.name)
                if any(int(self.view.snapshot.symbols.docs[row]) == doc for row in rows):
                    return f"it defines {mention.name}, wanted since"
        return ""

    def _focus(self, query: Query, gaps: Sequence[Gap], changes: list[Change]) -> tuple[str, ...]:
        focus = list(query.focus_areas)
        for gap in gaps:
            if gap.critical and gap.follow_up and gap.follow_up not in focus:
                focus.append(gap.follow_up)
                changes.append(Change("focus", gap.follow_up, gap.need, gap.evidence))
        return tuple(focus)


def _trust(judgments: Sequence[Judgment]) -> float:
    """How far learned words count: fully where nothing good is in hand, little beside a sure file."""
    best = max((j.relevance for j in judgments), default=0.0)
    return round(
        min(1.0, max(_LEAST_TRUST, 1.0 - (best - _UNSURE) / (_SURE - _UNSURE) * (1 - _LEAST_TRUST))), 3
    )
