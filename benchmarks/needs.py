"""What an answer says besides its files and gaps, read back: terminology, conventions, and changes of the query."""

import re

import numpy as np

from benchmarks.claims import Findings
from benchmarks.facts import Facts, glob_matches
from benchmarks.sentences import ReasonChecker
from zeroin.answer import Change, Context, Pattern
from zeroin.index.view import View
from zeroin.models.encoder import encoder
from zeroin.models.words import word_table
from zeroin.terms import STOPWORDS, WORD, analyse, analyse_word, term_id
from zeroin.types import LOW, Evidence, Expansion, ExpansionSource, Role

_NEAR = 2  # lines around a line of a bridge that may hold the codebase's word
_QUOTE = 160  # characters of a quoted line
_ROUNDED = 0.011  # two decimals
_SELECTED = 3  # files that are selected where none reaches the bound


class NeedChecker:
    """Checks terms, patterns and changes of one answer; `reasons` checks the evidence that they share."""

    def __init__(self, context: Context, view: View, facts: Facts, found: Findings, reasons: ReasonChecker) -> None:
        self.context, self.view, self.facts, self._claim = context, view, facts, found.claim
        self._reasons = reasons

    # --- terminology ----------------------------------------------------------------------------

    def term(self, term: Expansion) -> None:
        """Every source of a pair says what it is cited for."""
        for source in term.sources:
            self._source(term, source, f"term {term.task_word} → {term.code_word}")

    def _source(self, term: Expansion, source: ExpansionSource, where: str) -> None:
        wanted = {t for word in term.task_word.split() for t in analyse_word(word)}
        learned = set(analyse_word(term.code_word))
        if source.kind == "joined":  # the line says the words in one
            parts, form = term.task_word.lower().split(), term.code_word.lower()
            alike = all(p[:1] in form for p in parts) and any(p[:3] in form for p in parts)
            self._claim("words", alike, where, f"{form} is not {' '.join(parts)} in one word")
            wanted |= learned
        if source.kind in ("abbreviation", "neighbour", "global"):
            self._placeless(term, source, where)
            return
        if source.kind == "commit":
            self._reasons.commit(source.where, where, subject=source.text)
            commit = self.facts.commits([source.where]).get(source.where)
            if commit is not None:
                said = set(analyse(commit.subject))
                named = said | {t for path in commit.files for t in analyse(path)}
                self._claim("words", bool(wanted & said), where, f"“{commit.subject}” says no {term.task_word}")
                self._claim("words", bool(learned & named), where, f"{source.where[:10]}: no {term.code_word}")
            return
        exists = self.facts.exists(source.where)
        lines = self.facts.lines(source.where)
        if not self._claim("path", exists, where, f"{source.where} does not exist"):
            return
        if source.kind == "joined" and source.line is None:  # its path says it
            letters = re.sub(r"\W|_", "", source.where.lower())
            self._claim("words", term.code_word.lower() in letters, where, f"{source.where} does not say it")
            return
        number = source.line or 0
        if not self._claim("line", 1 <= number <= len(lines), where, f"{source.where} has no line {number}"):
            return
        full = lines[number - 1].strip()  # what is quoted of a long line ends with a word
        told = source.text
        quoted = told == full or (len(full) > _QUOTE >= len(told) > 0 and full.startswith(told))
        self._claim("quote", quoted, where, f"{source.where}:{number} is “{full[:_QUOTE]}”")
        said = {t for w in WORD.findall(lines[number - 1]) for t in analyse_word(w)}
        self._claim("words", bool(wanted & said), where, f"{source.where}:{number} says no {term.task_word}")
        around = lines[max(0, number - 1 - _NEAR) : number + _NEAR]
        near = {t for line in around for w in WORD.findall(line) for t in analyse_word(w)}
        self._claim("words", bool(learned & near), where, f"no {term.code_word} near {source.where}:{number}")

    def _placeless(self, term: Expansion, source: ExpansionSource, where: str) -> None:
        """A pair that nobody here wrote down: the code word names something here, and the pair is what it is called."""
        self._claim("path", not source.where and source.line is None, where, f"{source.kind} has a place")
        named = any(self.view.name_df(t) for t in analyse_word(term.code_word))
        self._claim("words", named, where, f"nothing is named {term.code_word}")
        if source.kind == "abbreviation":
            short, _, long = source.text.partition(" / ")
            self._claim("words", bool(short) and _shortens(short, long), where, f"{short} is not short for {long}")
        elif source.kind == "neighbour":
            match = re.fullmatch(r"(\d\.\d\d) alike", source.text)
            told = float(match[1]) if match else 2.0
            alike = _alike(term.task_word, term.code_word)
            self._claim("alike", abs(alike - told) < _ROUNDED, where, f"“{source.text}”, but {alike:.2f}")
        else:
            match = re.fullmatch(r"so in the histories of (\d+) repositories", source.text)
            heads = [t for word in term.task_word.split() for t in analyse_word(word)[:1]]
            found = [f for head in heads for f in word_table().translations(head)]
            codes = set(analyse_word(term.code_word))
            known = {f.repositories for f in found if f.term in codes}
            self._claim("count", match is not None and int(match[1]) in known, where, f"“{source.text}”: {known}")

    # --- conventions ----------------------------------------------------------------------------

    def pattern(self, pattern: Pattern) -> None:
        """The paths of a convention exist and follow it, and its counts are right."""
        where = f"{pattern.kind} “{pattern.text}”"
        for path in pattern.evidence:
            self._claim("path", self.facts.exists(path), where, f"{path} does not exist")
            if pattern.glob:
                self._claim("place", glob_matches(pattern.glob, path), where, f"{path} is not in {pattern.glob}")
        for path in re.findall(r"[\w@.+-]+(?:/[\w@.+-]+)+\.\w+", pattern.text):
            there = path in self.view.numbers or any(p.startswith(f"{path}/") for p in self.view.paths)
            self._claim("path", there or "*" in pattern.text, where, f"no {path}")
        beside = re.search(r"(?:a sibling of|lies beside) (.+?)(?: to imitate)?: ", pattern.text)
        about = (beside[1],) if beside else pattern.evidence if pattern.kind == "location" else ()
        for path in about:
            listed = any(j.path == path for j in self.context.listed)
            self._claim("listed", listed, where, f"is about {path}, which is not listed")
        if match := re.search(r"the (\d+) files of (\S+)$", pattern.text):
            inside = sum(glob_matches(match[2], path) for path in self.view.paths)
            self._claim("count", int(match[1]) == inside, where, f"{match[2]} holds {inside} such files")
        if match := re.match(
            r"(\d+) of (\d+) (\S*) ?files(?: besides tests)? in (.+?) have (\S*)\{name\}(\S*) in (.+?), which",
            pattern.text,
        ):
            holder, folder = ("" if place == "the root" else f"{place}/" for place in (match[4], match[7]))
            alike = re.compile(re.escape(folder + match[5]) + r"[^/]+" + re.escape(match[6]))
            tests = sum(alike.fullmatch(path) is not None for path in self.view.paths)
            self._claim("count", int(match[1]) <= tests, where, f"only {tests} such tests")
            beside = re.compile(re.escape(holder) + r"[^/]+" + re.escape(match[3]))
            files = sum(
                beside.fullmatch(path) is not None and self.view.snapshot.role(doc) is not Role.TEST
                for doc, path in enumerate(self.view.paths)
            )
            self._claim("count", int(match[2]) == files, where, f"there are {files} such files")
        if match := re.match(r"(\d+) of the (\d+) most relevant files", pattern.text):
            self._claim("count", int(match[1]) <= int(match[2]) <= len(self._good()), where, "too many")

    def _good(self) -> list[str]:
        last = self.context.cycles[-1].judgments
        return [j.path for j in last if j.relevance >= LOW] or [j.path for j in last[:_SELECTED]]

    # --- changes of the query -------------------------------------------------------------------

    def change(self, change: Change) -> None:
        """What a change of the query cites is there, and says the word that it adds."""
        where = f"{change.action} {change.what}"
        for evidence in change.evidence:
            if change.action == "focus" and not self.facts.exists(evidence.path):
                continue  # a component is a folder
            self._reasons.evidence(evidence, where)
            if change.action == "add_keyword":
                self._keyword(change.what, evidence, where)
        if place := re.search(r"\((\S+):(\d+)\)", change.why):
            cited = {(e.path, e.line) for e in change.evidence}
            self._claim("number", (place[1], int(place[2])) in cited, where, f"“{change.why}” is not cited")

    def _keyword(self, word: str, evidence: Evidence, where: str) -> None:
        holds = self.facts.says(evidence.path, evidence.line, evidence.text) and word in evidence.text.lower()
        self._claim("words", holds and word not in STOPWORDS, where, f"{evidence.path}:{evidence.line}")


def _shortens(short: str, long: str) -> bool:
    """Whether a short form begins like the long one and has its letters in their order."""
    letters = iter(long.lower())
    return short[:1].lower() == long[:1].lower() and all(letter in letters for letter in short.lower())


def _alike(task_word: str, code_word: str) -> float:
    """The cosine of a word of the task, or a run of words, with a word of the code."""
    model = encoder()
    ids = [term_id(t) for word in task_word.split() for t in analyse_word(word)]
    rows = model.rows(np.array([term_id(t) for t in analyse_word(code_word)], np.uint64))
    known = rows[rows >= 0]
    cosines = model.vectors(known) @ model.task(dict.fromkeys(ids, 1.0))
    return float(cosines.max()) if len(known) else 0.0
