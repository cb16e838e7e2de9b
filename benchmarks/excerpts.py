"""Checks of what an answer shows of a file: its spans, and what speaks against it."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.claims import Findings, Said, number
from benchmarks.facts import Facts
from zeroin.answer import Context
from zeroin.config import MAX_LINE_CHARS
from zeroin.evaluate.dense_passage import LEAST_NEAR
from zeroin.evaluate.digest import WINDOW
from zeroin.evaluate.judge import READ_BESIDE
from zeroin.evaluate.reading import BEST
from zeroin.evaluate.spans.candidates import filled
from zeroin.index.view import View
from zeroin.models.encoder import encoder
from zeroin.terms import (
    STOPWORDS,
    WORD,
    analyse,
    analyse_word,
    split_identifier,
    stem,
    term_id,
    weighted_ids,
    weighted_terms,
)
from zeroin.types import Keyword, Query, Reason, Role, Span

_ROLES = {
    "a test": Role.TEST,
    "documentation": Role.DOC,
    "configuration": Role.CONFIG,
    "an example": Role.EXAMPLE,
    "generated": Role.GENERATED,
    "vendored": Role.VENDORED,
    "data": Role.DATA,
}
_ROUNDED = 0.03  # the index keeps vectors in int8


class ExcerptChecker:
    """Holds spans and words against the text of the revision."""

    def __init__(self, context: Context, view: View, facts: Facts, found: Findings) -> None:
        self.context, self.view, self.facts, self._claim = context, view, facts, found.claim
        self.said = Said(context)

    def span(self, path: str, span: Span) -> None:
        """Its lines exist, say what they match, and hold what they are called."""
        total = len(self.facts.lines(path))
        if not self._claim("span", 1 <= span.start <= span.end <= total, path, f"no {span.start}–{span.end}"):
            return
        if span.why.startswith("matches "):
            inside = self.facts.words(path, span.start, span.end)
            for word in span.why.removeprefix("matches ").split(", "):
                self._claim("span words", word in inside, path, f"{span.start}–{span.end} do not say {word}")
        if span.symbol:
            text = _letters("\n".join(self.facts.lines(path)))
            parts = [p for p in map(_letters, re.split(r", |\.", span.symbol)) if p]
            self._claim("span symbol", all(p in text for p in parts), path, f"has no {span.symbol}")

    def cited(self, path: str, reason: Reason, spans: Sequence[Span]) -> None:
        """The lines that the main reason cites are among those to read."""
        about = re.match(r"lines? (\d+)(?:-(\d+))?", reason.text)
        lines = {e.line for e in reason.evidence if e.path == path and e.line}
        lines.update(range(int(about[1]), int(about[2] or about[1]) + 1) if about else ())
        missing = sorted(n for n in lines if not any(s.start <= n <= s.end for s in spans))
        self._claim("cited", not missing, path, f"“{reason.text}”: no span holds {missing}")

    def irrelevant(self, path: str, why: str) -> None:
        """What speaks against the file is so."""
        match = re.fullmatch(r"says only in passing, on ([\d,]+) lines?: (.+)", why)
        if match is not None:
            words = set(match[2].split(", "))
            lines = sum(1 for line in self.facts.lines(path) if words & set(WORD.findall(line)))
            self._claim("count", 0 < lines <= number(match[1]), path, f"{why}: on {lines} lines")
        elif why == "says nothing of the task":
            said = {t for w in self.facts.words(path) for t in analyse_word(w)}
            title = {t for c in self.context.cycles for t in weighted_terms(_title_words(c.query))}
            self._claim("words", not said & title, path, f"{why}, but {said & title}")
        else:
            self._claim("role", why in ("generated file", "vendored file"), path, f"“{why}” is not understood")

    def read(self, path: str, reason: Reason) -> bool:
        """Where reading put a file, and where it would be without."""
        match = re.fullmatch(
            r"(?:lines? ([\d, -]+), read beside the task, moves?|its path, read beside the task, moves)"
            r" it up by (\d+) places?",
            reason.text,
        )
        if match is None:
            return False
        total = len(self.facts.lines(path))
        cited = {evidence.line for evidence in reason.evidence}
        for place in (match[1] or "").split(", "):
            first, last = (int(number) for number in (place.split("-") * 2)[:2]) if place else (1, 1)
            known = 1 <= first <= last <= max(total, 1) and last - first < WINDOW
            self._claim("line", known, path, f"has no lines {first}-{last}")
            self._claim("line", not place or first in cited, path, f"{first} is not cited")
        self._claim("place", 0 < int(match[2]) < BEST, path, f"moved by {match[2]} places")
        return True

    def against(self, path: str, reason: Reason) -> bool:
        """Why a cycle holds a file for less than the one before did."""
        held = [j.relevance for c in self.context.cycles for j in c.judgments if j.path == path]
        self._claim("fall", bool(held) and held[-1] < max(held), path, f"never fell: {held}")
        if match := re.fullmatch(r"read since: ([\d,]+) lines? of it match(?:es)? the task", reason.text):
            said = self.said.terms
            lines = (WORD.findall(line) for line in self.facts.lines(path))
            saying = sum(1 for words in lines if any(said & set(analyse_word(word)) for word in words))
            told = f"{saying} lines say a word of the task, not {match[1]}"
            return self._claim("count", number(match[1]) <= saying, path, told) or True
        if reason.text == READ_BESIDE:
            later = (j for c in self.context.cycles[1:] for j in c.judgments if j.path != path)
            rose = any(j.own_score is not None and j.score > j.own_score for j in later)
            return self._claim("read", rose, path, "reading raised no other") or True
        match = re.fullmatch(r"says (“.+”), for which this codebase has another word", reason.text)
        if match is None:
            return False
        inside = {term for word in self.facts.words(path) for term in analyse_word(word)}
        meant = {
            term
            for cycle in self.context.cycles
            for pair in cycle.query.terminology
            for word in pair.task_word.split()
            for term in analyse_word(word)
        }
        for word in match[1].strip("“”").split("”, “"):
            terms = set(analyse_word(word))
            self._claim("words", bool(terms & inside), path, f"does not say {word}")
            self._claim("words", bool(terms & meant), path, f"no other word is known for {word}")
        return True

    def retriever(self, path: str, reason: Reason) -> bool:
        """What a caller's own retriever says of a file, as it said it."""
        found = [c.why for cycle in self.context.cycles for c in cycle.candidates if c.path == path]
        told = {"; ".join(f"{name}: {why}" if why else name for name, why in sorted(f.items())) for f in found}
        known = reason.text.removeprefix("found by ") in told
        return self._claim("retriever", known, path, f"no retriever said “{reason.text}”") or True

    def literal(self, path: str, reason: Reason) -> bool:
        """Text of the task that begins on the cited line; a string may be put together over the lines that follow."""
        [evidence] = reason.evidence
        match = re.fullmatch(r"(?:contains the quoted text|has) “(.+)” \(line (\d+)\)", reason.text)
        if match is None:
            return False
        self._claim("number", int(match[2]) == evidence.line, path, f"its evidence is line {evidence.line}")
        self._claim("mention", evidence.text in " ".join(self.said.text.split()), path, "the task does not say it")
        first = (evidence.line or 1) - 1
        shown = "\n".join(self.facts.lines(path)[first : first + 8])
        joined = re.sub(r"[\"'`][^\w\"'`]{0,12}\n\W{0,60}[a-zA-Z]{0,2}[\"'`]", "", shown)
        holds = any(_letters(evidence.text).lower() in _letters(text).lower() for text in (shown, joined))
        self._claim("literal", holds, path, f"line {evidence.line} does not say “{evidence.text}”")
        return evidence.text.startswith(match[1].removesuffix("…"))

    def role(self, path: str, reason: Reason) -> bool:
        """A file of the role that the sentence names, which the task is about or not."""
        match = re.fullmatch(r"is (.+), and the task is( not)? about (.+)", reason.text)
        if match is None or match[1] not in _ROLES:
            return False
        doc, role = self.view.doc_of(path), _ROLES[match[1]]
        is_it = doc is not None and self.view.snapshot.role(doc) is role
        self._claim("role", is_it, path, f"is not {match[1]}")
        wanted = any(role in c.query.wanted_roles for c in self.context.cycles)
        self._claim("role", wanted is not bool(match[2]), path, f"the task wants {match[3]}: {wanted}")
        return True

    def language(self, path: str, reason: Reason) -> bool:
        """A file in a language that the task is about."""
        [evidence] = reason.evidence
        doc = self.view.doc_of(path)
        language = self.view.snapshot.language(doc) if doc is not None else ""
        wanted = {name for c in self.context.cycles for name in c.query.languages}
        holds = language == evidence.text and language in wanted
        self._claim("language", holds, path, f"is {language}; the task is about {sorted(wanted)}")
        return reason.text == f"is {evidence.text}, as the task"

    def dense(self, path: str, reason: Reason) -> bool:
        """Whether the sentence is understood; no passage of the file is nearer, and its words are near the task's."""
        match = re.fullmatch(
            r"lines? (\d+)(?:-(\d+))? (?:(?:say|says) (.+)|(?:are|is) its nearest .+ why)", reason.text
        )
        if match is None:
            return False
        span = int(match[1]), int(match[2] or match[1])
        lines = self.facts.lines(path)
        if not self._claim("line", 1 <= span[0] <= span[1] <= len(lines), path, f"has no lines {span}"):
            return True
        near = {filled(lines, *passage): self._nearness(path, passage) for passage in self._passages(path)}
        if self._claim("passage", span in near, path, f"{span} is no passage of it"):
            best = max(near.values())
            told = f"{span} is {near[span]:.2f} near, its best passage {best:.2f}"
            self._claim("dense", near[span] > 0 and near[span] >= best - _ROUNDED, path, told)
        said: list[str] = []
        for group in match[3].split("; ") if match[3] else ():
            words, _, asked = group.partition(" for “")
            said += words.split(", ")
            for word in words.split(", "):
                self._pair(path, word, asked.removesuffix("”"))
        if not match[3]:
            words = self.facts.words(path, *span)
            near_words = {w for w in _parts_of(words) for a in _parts_of(self._asked()) if _cosine(w, a) > LEAST_NEAR}
            self._claim("words", not near_words, path, f"words of {span} are near the task's: {near_words}")
        for evidence in reason.evidence:
            inside = evidence.path == path and span[0] <= (evidence.line or 0) <= span[1]
            self._claim("line", inside, path, f"line {evidence.line} is not in {span}")
            line = self.facts.words(path, evidence.line or 1, evidence.line or 1)
            parts = {part for word in line for part in split_identifier(word)}
            self._claim("words", evidence.text in parts | {""}, path, f"{evidence.line} does not say {evidence.text}")
        return sorted(said) == sorted(e.text for e in reason.evidence if e.text)

    def _pair(self, path: str, word: str, asked: str) -> None:
        """A word is the task's own, or near the word that the sentence says the task has."""
        if not asked:
            own = {stem(part) for part in self._asked()}
            self._claim("mention", stem(word) in own, path, f"the task does not say {word}")
            return
        meant = self.said.phrases.get(asked)
        self._claim("mention", meant is not None or asked in self._asked(), path, f"the task does not say {asked}")
        near = max(_cosine(word, one) for one in meant or {asked})
        self._claim("words", near >= LEAST_NEAR - _ROUNDED, path, f"{word} is {near:.2f} near {asked}")

    def _asked(self) -> set[str]:
        """Words of the task and of the caller, in every cycle."""
        own = (k.text for c in self.context.cycles for k in c.query.own)
        return {part for text in own for word in WORD.findall(text) for part in split_identifier(word)}

    def _passages(self, path: str) -> list[tuple[int, int]]:
        """First and last lines of the passages of a file that the index holds."""
        snapshot, doc = self.view.snapshot, self.view.numbers[path]
        rows = snapshot.passages[snapshot.passage_pointers[doc] : snapshot.passage_pointers[doc + 1]]
        return [(int(first), int(last)) for first, last in rows]

    def _nearness(self, path: str, span: tuple[int, int]) -> float:
        """The cosine of some lines with the task, from their text."""
        model = encoder()
        text = "\n".join(line[:MAX_LINE_CHARS] for line in self.facts.lines(path)[span[0] - 1 : span[1]])
        counts = Counter(t for word in WORD.findall(text) for t in analyse_word(word))
        rows = model.rows(_ids(list(counts)))
        known = rows >= 0
        held = np.array(list(counts.values()), np.float32)[known]
        asked = [c.query for c in self.context.cycles]
        if not asked or not len(held):
            return 0.0
        passage = model.passages(rows[known], held, (0, len(held)))[0]
        return float(passage @ model.task(weighted_ids(asked[-1].own)))

    def change(self, path: str, reason: Reason) -> bool:
        """Whether the sentence is understood; the lines that it names are the change's."""
        match = re.fullmatch(r"the change touches it(?:, lines (.+?))?(?: …)?", reason.text)
        changed = {f.path: f for f in self.context.task.diff.files} if self.context.task.diff else {}
        self._claim("change", path in changed, path, "the change does not touch it")
        if match is None or path not in changed:
            return match is not None
        shown = [tuple(map(int, part.split("–"))) for part in (match[1] or "").split(", ") if part]
        spans = [(a, b) for a, b in changed[path].spans]
        right = all((part[0], part[-1]) in spans for part in shown)
        self._claim("number", right, path, f"the change touches {spans}, not {shown}")
        return True


def _title_words(query: Query) -> list[Keyword]:
    """The content words of the title."""
    terms = set(analyse(query.title))
    return [k for k in query.own if terms & set(analyse(k.text))]


def _letters(text: str) -> str:
    """Only letters and digits: headings are marked up, and their mark-up is no part of their name."""
    return re.sub(r"[\W_]+", "", text)


def _ids(terms: Sequence[str]) -> NDArray[np.uint64]:
    return np.array([term_id(t) for t in terms], np.uint64)


def _parts_of(words: Iterable[str]) -> set[str]:
    """The parts of words that are long enough to tell something."""
    parts = {part for word in words for part in split_identifier(word)}
    return {part for part in parts if len(part) > 2 and part not in STOPWORDS}


def _cosine(one: str, other: str) -> float:
    """How near two words are to the encoder; 0 if it does not know one of them."""
    rows = encoder().rows(_ids([stem(one), stem(other)]))
    if (rows < 0).any():
        return 0.0
    first, second = encoder().vectors(rows)
    return float(first @ second)
