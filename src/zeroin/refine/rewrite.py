"""REFINE: the next query from judgments and gaps. Every change says why it was made (PATTERN P7)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zeroin.answer import Action, Change
from zeroin.gaps.finder import to_ask
from zeroin.index.view import View
from zeroin.models.encoder import encoder
from zeroin.patterns import literal
from zeroin.refine.compounds import joined_terms
from zeroin.refine.expand import ExpansionLearner
from zeroin.refine.feedback import feedback_terms
from zeroin.refine.phrases import with_phrases
from zeroin.terms import analyse
from zeroin.types import HIGH, LOW, Evidence, Expansion, Gap, Judgment, Keyword, Origin, Query

_EXPANSION_WEIGHT = 1.0  # of a keyword that is written in this repository
_MODEL_WEIGHT = 0.5  # of a keyword that a model proposes
_FEEDBACK_WEIGHT = 0.5
_MAX_PATTERNS, _MAX_EXCLUDES = 3, 40
# Expansions count in full up to a best relevance of _UNSURE, and with _MIN_SHARE from _SURE on.
_UNSURE, _SURE, _MIN_SHARE = 0.4, 0.8, 0.3


@dataclass(frozen=True, slots=True)
class Refiner:
    """Rewrites queries for one repository."""

    view: View
    without: frozenset[str] = frozenset()

    def refine(
        self, query: Query, judgments: Sequence[Judgment], gaps: Sequence[Gap]
    ) -> tuple[Query, tuple[Change, ...]]:
        """Return the next query and its changes; without a change another cycle would find the same candidates.

        DISPATCH uses every change: without any one of them its candidates would differ.
        """
        new = self._new_expansions(query)
        terms = query.terminology + new
        keywords = _with_expansions(query.keywords, terms)
        feedback = self._feedback(replace(query, keywords=keywords), judgments)
        keywords += tuple(keyword for keyword, _ in feedback)
        asked = () if "followed" in self.without else to_ask(gaps, query)
        patterns = _new_patterns(query, judgments)
        excludes = self._new_excludes(query, judgments, keywords, asked)
        revoked = self._revoked(query, keywords, asked)
        focus, must_read = _new_focus(query, asked), _new_must_read(query, asked)
        gone = {change.what for change in revoked}
        after = replace(
            query,
            keywords=keywords,
            gaps=(*query.gaps, *asked),
            patterns=(*query.patterns, *(change.what for change in patterns)),
            excludes=(*(p for p in query.excludes if p not in gone), *(change.what for change in excludes)),
            focus_areas=(*query.focus_areas, *(change.what for change in focus)),
            must_read=(*query.must_read, *(change.what for change in must_read)),
            terminology=terms,
            known_terms=len(query.terminology),
            expansion_weight=_expansion_weight(judgments),
        )
        return after, (
            *(_learned(term) for term in new),
            *(change for _, change in feedback),
            *(Change(Action.ASK, gap.follow_up, gap.need, gap.evidence) for gap in asked),
            *patterns,
            *excludes,
            *revoked,
            *focus,
            *must_read,
        )

    def expanded(self, query: Query) -> Query:
        """Return the query with all expansions that can be learned before anything is judged."""
        terms = query.terminology + self._new_expansions(query)
        return replace(query, keywords=_with_expansions(query.keywords, terms), terminology=terms)

    def spelled(self, query: Query, *, english: bool) -> Query:
        """Add words of the code for phrases of a task in English, and joined forms: `keepalive` for "keep alive"."""
        if english and "phrases" not in self.without:
            query = with_phrases(query, self.view)
        if "terminology" in self.without:
            return query
        known = {(t.task_word, t.code_word) for t in query.terminology}
        joined = joined_terms(self.view, query.text or query.title)
        found = (t for t in joined if (t.task_word, t.code_word) not in known)
        return replace(query, terminology=(*query.terminology, *found))

    def _new_expansions(self, query: Query) -> tuple[Expansion, ...]:
        if "terminology" in self.without:
            return ()
        known = {(t.task_word, t.code_word) for t in query.terminology}
        joined = {t.code_word for t in query.terminology if t.joined}
        found = ExpansionLearner(self.view, None if "dense" in self.without else encoder()).learn(query)
        new = (t for t in found if (t.task_word, t.code_word) not in known)
        return tuple(t for t in new if t.code_word not in joined)

    def _feedback(self, query: Query, judgments: Sequence[Judgment]) -> list[tuple[Keyword, Change]]:
        """Return words of the files that the caller has judged relevant.

        Not of files that are relevant by our own judgment alone: on plain-word tasks that costs 3 points of any-hit @5
        and gains nothing anywhere (benchmarks/NOTES.md, "Cycles").
        """
        out = []
        for word, weight, said in feedback_terms(query, judgments, self.view):
            why = f"relevant files say it, others rarely do ({said.path}:{said.line})"
            keyword = Keyword(word, _FEEDBACK_WEIGHT * weight, Origin.LEARNED, why)
            out.append((keyword, Change(Action.ADD_KEYWORD, word, why, (said,))))
        return out

    def _new_excludes(
        self, query: Query, judgments: Sequence[Judgment], keywords: Sequence[Keyword], asked: Sequence[Gap]
    ) -> list[Change]:
        """Return files that are irrelevant with positive evidence, and that no new evidence names."""
        out: list[Change] = []
        for judgment in judgments:
            path, why = judgment.path, judgment.irrelevant_because
            if len(query.excludes) + len(out) >= _MAX_EXCLUDES:
                break
            if not why or judgment.relevance >= LOW or path in query.excludes:
                continue
            if self._named(path, keywords, asked) is None and not self._near(query, path):
                out.append(Change(Action.EXCLUDE, path, why))
        return out

    def _revoked(self, query: Query, keywords: Sequence[Keyword], asked: Sequence[Gap]) -> list[Change]:
        """Return changes that revoke exclusions made by an earlier cycle, where new evidence names the file."""
        ours = [p for p in query.excludes if p in self.view.numbers and p not in query.pinned]
        named = ((path, self._named(path, keywords, asked)) for path in ours)
        return [Change(Action.REVOKE_EXCLUDE, path, *found) for path, found in named if found is not None]

    def _near(self, query: Query, path: str) -> bool:
        """Whether dense retrieval scores a file above the repository's mean: it may say the same in other words."""
        if "dense" in self.without:
            return False
        return bool(self.view.dense_scores(query.own).z_scores[self.view.numbers[path]] > 0)

    def _named(
        self, path: str, keywords: Sequence[Keyword], asked: Sequence[Gap]
    ) -> tuple[str, tuple[Evidence, ...]] | None:
        """Return new evidence that names a file, an expansion in its path or a gap that asks for it; None without."""
        words = set(analyse(path))
        for keyword in keywords:
            if keyword.origin is Origin.LEARNED and words & set(analyse(keyword.text)):
                return f"its path says {keyword.text}, learned since", ()
        asking = (gap for gap in asked if path in gap.search.paths)
        return next(((f"asked for since: {gap.need}", gap.evidence) for gap in asking), None)


def _learned(term: Expansion) -> Change:
    """Return the change that a new expansion makes, with where it was learned."""
    source = term.sources[0]
    where = f"{source.where}:{source.line}" if source.line else source.where
    seen = f"seen in {where}" if source.where else f"{source.kind}: {source.text}"
    doubt = "" if term.certainty == "sure" else f"{term.certainty}: "
    why = f"{doubt}this codebase's word for “{term.task_word}”, {seen}"
    if source.kind == "commit":
        evidence = Evidence(commit=source.where, text=source.text)
    else:
        evidence = Evidence(source.where, source.line, text=source.text)
    return Change(Action.LEARN_TERM, term.code_word, why, (evidence,))


def _with_expansions(keywords: Sequence[Keyword], terms: Sequence[Expansion]) -> tuple[Keyword, ...]:
    """Return the keywords with the code words of expansions, where these add a term."""
    out = list(keywords)
    known = {t for k in keywords for t in analyse(k.text)}
    for term in terms:
        if not set(analyse(term.code_word)) <= known:
            share = _EXPANSION_WEIGHT if any(source.where for source in term.sources) else _MODEL_WEIGHT
            why = f"learned for “{term.task_word}”"
            out.append(Keyword(term.code_word, share * term.weight, Origin.LEARNED, why))
            known |= set(analyse(term.code_word))
    return tuple(out)


def _new_patterns(query: Query, judgments: Sequence[Judgment]) -> list[Change]:
    """Return folders of highly relevant files, as globs to prefer."""
    out: dict[str, Change] = {}
    for judgment in judgments:
        if judgment.relevance < HIGH or len(query.patterns) + len(out) >= _MAX_PATTERNS:
            break
        folder, _, name = judgment.path.rpartition("/")
        pattern = f"/{literal(folder)}/*.{name.rpartition('.')[2]}"
        if folder and "." in name and pattern not in query.patterns:
            out.setdefault(pattern, Change(Action.ADD_PATTERN, pattern, f"{judgment.path} lives there"))
    return list(out.values())


def _new_focus(query: Query, asked: Sequence[Gap]) -> list[Change]:
    """Return the words of promising gaps that name no file; DISPATCH searches for them in a list of its own."""
    out: dict[str, Change] = {}
    for gap in asked:
        words = gap.promising and gap.search.words and not gap.search.paths
        if words and gap.follow_up not in query.focus_areas:
            out.setdefault(gap.follow_up, Change(Action.FOCUS, gap.follow_up, gap.need, gap.evidence))
    return list(out.values())


def _new_must_read(query: Query, asked: Sequence[Gap]) -> list[Change]:
    """Return files that promising gaps name: EVALUATE reads them whatever their rank."""
    out: dict[str, Change] = {}
    for gap in (gap for gap in asked if gap.promising):
        for path in gap.search.paths:
            if path not in query.must_read:
                out.setdefault(path, Change(Action.MUST_READ, path, gap.need, gap.evidence))
    return list(out.values())


def _expansion_weight(judgments: Sequence[Judgment]) -> float:
    """Return the weight of expansions that are not `stated`: 1 up to a best relevance of 0.4, 0.3 from 0.8 on."""
    best = max((j.relevance for j in judgments), default=0.0)
    return round(min(1.0, max(_MIN_SHARE, 1.0 - (best - _UNSURE) / (_SURE - _UNSURE) * (1 - _MIN_SHARE))), 3)
