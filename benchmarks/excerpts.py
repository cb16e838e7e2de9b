"""Checks of what an answer shows of a file: its spans, and what speaks against it."""

import re

from benchmarks.claims import Findings
from benchmarks.facts import Facts
from zeroin.terms import WORD, analyse, analyse_word, weighted_terms
from zeroin.types import Context, Keyword, Query, Reason, Span


class ExcerptChecker:
    """Holds spans and words against the text of the revision."""

    def __init__(self, context: Context, facts: Facts, found: Findings) -> None:
        self.context, self.facts, self.found = context, facts, found

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

    def irrelevant(self, path: str, why: str) -> None:
        """What speaks against the file is so."""
        match = re.fullmatch(r"says (.+) on (\d+) lines?, in passing", why)
        if match is not None:
            words = set(match[1].split(", "))
            lines = sum(1 for line in self.facts.lines(path) if words & set(WORD.findall(line)))
            self._claim("count", 0 < lines <= int(match[2]), path, f"{why}: on {lines} lines")
        elif why == "says nothing of the task":
            said = {t for w in self.facts.words(path) for t in analyse_word(w)}
            title = {t for c in self.context.cycles for t in weighted_terms(_title_words(c.query))}
            self._claim("words", not said & title, path, f"{why}, but {said & title}")
        else:
            self._claim(
                "role", why in ("generated file", "vendored file"), path, f"“{why}” is not understood"
            )

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

    def _claim(self, kind: str, holds: bool, where: str, told: str) -> bool:
        return self.found.claim(kind, holds, f"{where}: {told}")


def _title_words(query: Query) -> list[Keyword]:
    """The content words of the title."""
    terms = set(analyse(query.title))
    return [k for k in query.own if terms & set(analyse(k.text))]


def _letters(text: str) -> str:
    """Only letters and digits: headings are marked up, and their mark-up is no part of their name."""
    return re.sub(r"[\W_]+", "", text)
