"""The codebase's own words for what the task names, learned where somebody wrote both.

A *bridge* is a passage of a comment, a document or a string, or a commit message, that says the task's word near a
word by which this codebase names things (a defined name or a path carries it). A cue of definition in between
("is called", "our word for") makes it a strong one. Abbreviations are bridges too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from zeroin.index.resemblance import files_of, resembling_commits
from zeroin.index.view import View
from zeroin.terms import INTENT_WORDS, STOPWORDS, WORD, analyse, analyse_word, split_identifier, stem, term_id
from zeroin.types import Query, Role, Term, TermSource

# Names of folders and files that say nothing of what is in them.
_GENERIC = frozenset(
    "src lib libs pkg test tests testing spec specs doc docs main index init app core common util utils helper helpers "
    "misc base types internal github workflows readme changelog license package packages module modules".split()
)
_BITS = frozenset(
    "doesn isn wasn aren didn won couldn shouldn wouldn hasn haven don ain one two three".split()
)
_UNITS = 8  # words and runs of words that are looked for
_MAX_RUN = 3
_WEAKLY_NAMED = 2  # a word that names something in more files is the codebase's own
_FILES = 25  # files that say the word and are read for bridges
_MAX_LINES = 3_000
_COMMITS = 40
_PER_UNIT = 2
_MIN_WORD = 3
_COMMON = 0.3  # a code word in more than this share of the files (and in twenty) names nothing in particular
_COMMON_FILES = 20
_LEAST = 0.3
_SURE = 0.5  # a run learned this surely is not learned again word by word
_NEAR = (1.0, 0.6, 0.3)  # what a word is worth on the line itself, next to it, and two lines off
_CUE = re.compile(
    r"\b(?:called|known as|our (?:word|name|term) for|what .{1,40} calls?|a\.?k\.?a\.?|i\.e\.|refers? to|stands for|"
    r"means|synonym|alias|term for|instead of|we say|speaks? of)\b",
    re.IGNORECASE,
)
_TABLE_CUE = re.compile(r"[=≈→|]|->|=>")  # between words of a document or of settings; in code it assigns
_PROSE = re.compile(r"\s*(?:#|//|/\*|\*|--|;;|%|\"{3}|'{3}|<!--|\{-)")
_TEXT_LANGUAGES = frozenset({"text", "markdown", "rst", "yaml", "toml", "json"})
# Worth of one passage by kind of evidence, and the most that all passages of a kind can add up to.
_WORTH = {"cue": 0.8, "prose": 0.25, "code": 0.12, "commit": 0.3, "abbreviation": 0.7}
_MOST = {"cue": 3.0, "prose": 0.5, "code": 0.2, "commit": 0.8, "abbreviation": 0.7}
_ACROSS_CUE = 2.0  # "rate limiting is called throttling": across the cue stands the word itself
_BEFORE_WORDS, _AFTER_WORDS = 5, 8


@dataclass(slots=True)
class _Tally:
    """What speaks for one code word, by the kind of evidence: many faint echoes are not one clear voice."""

    amounts: dict[str, float] = field(default_factory=dict)
    surface: str = ""
    best: float = 0.0
    sources: list[TermSource] = field(default_factory=list)

    @property
    def score(self) -> float:
        return sum(min(amount, _MOST[kind]) for kind, amount in self.amounts.items())

    def add(self, kind: str, amount: float, surface: str, source: TermSource) -> None:
        self.amounts[kind] = self.amounts.get(kind, 0.0) + amount
        if amount > self.best:
            self.best, self.surface = amount, surface
            self.sources.insert(0, source)
        else:
            self.sources.append(source)


@dataclass(frozen=True, slots=True)
class TermLearner:
    """Learns pairs (task word, code word) for the words that the code avoids."""

    view: View

    def learn(self, query: Query) -> tuple[Term, ...]:
        """Pairs, strongest first, for words of the title that name next to nothing in this code."""
        task_terms = {t for k in query.own for t in analyse(k.text)}
        out: dict[str, Term] = {}
        learned = {word for term in query.terminology for word in term.task_word.split()}
        for unit in self._units(query.title or query.text[:300], learned):
            if learned >= set(unit):
                continue  # a longer unit already has the word for it
            for term in self._of_unit(unit, task_terms):
                held = out.get(term.code_word)
                if held is None or term.weight > held.weight:
                    out[term.code_word] = term
                if len(unit) > 1 and term.weight >= _SURE:
                    learned |= set(unit)
        return tuple(sorted(out.values(), key=lambda t: (-t.weight, t.task_word, t.code_word)))

    def _units(self, title: str, learned: set[str]) -> list[tuple[str, ...]]:
        """Weakly named words of the title, and the runs of neighbouring words that hold one: longest first."""
        runs: list[list[str]] = [[]]
        for word in WORD.findall(title):
            if word.lower() in STOPWORDS or word.lower() in INTENT_WORDS or not _is_word(word):
                runs.append([])
            else:
                runs[-1].append(word)
        new = {w for run in runs for w in run} - learned
        weak = {w for w in new if self._weakly_named(w)}
        units: list[tuple[str, ...]] = []
        for run in runs:
            if 2 <= len(run) <= _MAX_RUN and weak & set(run):
                units.append(tuple(run))
        units += [(w,) for run in runs for w in run if w in weak]
        return list(dict.fromkeys(units))[:_UNITS]

    def _weakly_named(self, word: str) -> bool:
        return all(self.view.named_in(term) <= _WEAKLY_NAMED for term in analyse_word(word)[:1])

    def _of_unit(self, unit: tuple[str, ...], task_terms: set[str]) -> list[Term]:
        tallies: dict[str, _Tally] = defaultdict(_Tally)
        wanted = {t for word in unit for t in analyse_word(word)}
        self._from_files(wanted, len(unit) > 1, task_terms, tallies)
        self._from_commits(wanted, len(unit) > 1, task_terms, tallies)
        if len(unit) == 1:
            self._abbreviations(unit[0], task_terms, tallies)
        best = sorted(tallies.items(), key=lambda item: (-item[1].score, item[0]))[:_PER_UNIT]
        pairs = [(t, round(float(1 - np.exp(-t.score)), 3)) for _, t in best]
        return [
            Term(" ".join(unit), t.surface, weight, tuple(dict.fromkeys(t.sources))[:3])
            for t, weight in pairs
            if weight >= _LEAST
        ]

    def _from_files(
        self, wanted: set[str], both: bool, task_terms: set[str], tallies: dict[str, _Tally]
    ) -> None:
        """Bridges in files: the line that says the wanted words (two of them for a run) and two lines around."""
        snapshot = self.view.snapshot
        docs: dict[int, int] = defaultdict(int)
        for term in sorted(wanted):
            for doc in snapshot.content.docs[snapshot.content.rows(term_id(term))].tolist():
                docs[doc] += 1
        needed = 2 if both else 1
        chosen = [
            d
            for d, n in docs.items()
            if n >= needed
            and snapshot.role(d) not in (Role.GENERATED, Role.VENDORED, Role.DATA)
            and int(snapshot.lines[d]) <= _MAX_LINES
        ]
        chosen = sorted(chosen, key=lambda d: (-docs[d], int(snapshot.lines[d]), d))[:_FILES]
        self.view.prefetch(chosen)
        for doc in chosen:
            lines = self.view.text(doc).split("\n")
            said = [{t for w in WORD.findall(line) for t in analyse_word(w)} & wanted for line in lines]
            for number, hit in enumerate(said):
                around = hit | (said[number + 1] if both and number + 1 < len(said) else set())
                if hit and len(around) >= needed:
                    source = TermSource(
                        "nearby", self.view.paths[doc], number + 1, lines[number].strip()[:160]
                    )
                    is_text = snapshot.language(doc) in _TEXT_LANGUAGES
                    self._count(lines, number, is_text, wanted, task_terms, source, tallies)

    def _count(
        self,
        lines: Sequence[str],
        at: int,
        is_text: bool,
        wanted: set[str],
        task_terms: set[str],
        source: TermSource,
        tallies: dict[str, _Tally],
    ) -> None:
        """Credit the naming words near a line: the nearer the more, once a passage."""
        prose = is_text or _PROSE.match(lines[at]) is not None
        across: set[str] = set()
        kind = "prose" if prose else "code"
        if prose:
            passage = " ".join(lines[at : at + 3])
            cues = [*_CUE.finditer(passage), *(_TABLE_CUE.finditer(lines[at]) if is_text else ())]
            kind = "cue" if cues else kind
            for cue in cues:
                before = WORD.findall(passage[max(0, cue.start() - 120) : cue.start()])[-_BEFORE_WORDS:]
                behind = WORD.findall(passage[cue.end() : cue.end() + 120])[:_AFTER_WORDS]
                for side, other in ((before, behind), (behind, before)):
                    if wanted & {term for word in side for term in analyse_word(word)}:
                        across.update(other)
        seen: set[str] = set()
        for distance in range(len(_NEAR)):
            for number in sorted({at - distance, at + distance}):
                if not 0 <= number < len(lines):
                    continue
                for word in WORD.findall(lines[number]):
                    for term, surface in _naming_terms(word):
                        if term not in seen and term not in task_terms and self._names_things(word, term):
                            seen.add(term)
                            named = word in across
                            near = _ACROSS_CUE if named else _NEAR[distance]
                            where = replace(source, kind="definition") if named else source
                            tallies[term].add(kind, _WORTH[kind] * near * self._worth(term), surface, where)

    def _from_commits(
        self, wanted: set[str], both: bool, task_terms: set[str], tallies: dict[str, _Tally]
    ) -> None:
        """Bridges in history: what else the subject says, and how the files that it touched are named."""
        history = self.view.history
        if history is None:
            return
        commits, scores = resembling_commits(history, {term_id(t): 1.0 for t in wanted}, _COMMITS)
        if not len(commits):
            return
        for commit, score in zip(commits.tolist(), (scores / scores[0]).tolist(), strict=True):
            subject = history.subjects[commit]
            if len(wanted & set(analyse(subject))) < (2 if both else 1):
                continue
            source = TermSource("commit", history.commits[commit], None, subject[:160])
            files = [history.paths[f] for f in files_of(history, commit)[:8].tolist()]
            for text, share in ((subject, 1.0), (" ".join(files), 0.5)):
                seen: set[str] = set()
                for word in WORD.findall(text):
                    for term, surface in _naming_terms(word):
                        if term not in seen and term not in task_terms and self._names_things(word, term):
                            seen.add(term)
                            amount = _WORTH["commit"] * share * score * self._worth(term)
                            tallies[term].add("commit", amount, surface, source)

    def _names_things(self, word: str, term: str) -> bool:
        lower = word.lower()
        if len(term) < _MIN_WORD or lower in STOPWORDS or lower in INTENT_WORDS or term.isdigit():
            return False
        if lower in _GENERIC or not self.view.named_in(term):
            return False
        df = self.view.snapshot.content.document_frequency(term_id(term))
        return df <= max(_COMMON_FILES, _COMMON * len(self.view.snapshot))

    def _worth(self, term: str) -> float:
        """How well a term names something: full in a path, half in a definition; rare terms more than common."""
        content = self.view.snapshot.content
        most = float(np.log1p((content.documents - 0.5) / 1.5))
        named = 1.0 if self.view.snapshot.path_terms.document_frequency(term_id(term)) else 0.5
        return named * (0.25 + 0.75 * content.idf(term_id(term)) / most) if most > 0 else 0.0

    def _abbreviations(self, word: str, task_terms: set[str], tallies: dict[str, _Tally]) -> None:
        """`auth` for `authentication`: a naming term that the word starts with, or that starts with it."""
        lower = word.lower()
        shorter = {lower[:size] for size in range(_MIN_WORD, len(lower) - _MIN_WORD + 1)}
        longer = {w for w in self.view.path_words if w.startswith(lower) and len(w) >= len(lower) + _MIN_WORD}
        for other in sorted(shorter | longer):
            term = stem(other)
            if other in STOPWORDS or other in INTENT_WORDS or other in _GENERIC:
                continue
            if term in task_terms or term == stem(lower) or self.view.named_in(term) < _WEAKLY_NAMED:
                continue
            short, long = sorted((other, lower), key=len)
            source = TermSource("abbreviation", "", None, f"{short} / {long}")
            tallies[term].add("abbreviation", _WORTH["abbreviation"], other, source)


def _is_word(word: str) -> bool:
    """Whether a word can have another: `s`, `doesn` and `3` are bits of one."""
    return len(word) >= _MIN_WORD and not word.isdigit() and word.lower() not in _BITS


def _naming_terms(word: str) -> list[tuple[str, str]]:
    """(term, the part of the word that it stands for) for every subword."""
    return [(stem(part), part) for part in split_identifier(word)]
