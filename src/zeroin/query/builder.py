"""Collects the words, symbols and paths of a task; keeps the strongest mention of each, rewards repetition."""

from dataclasses import dataclass, field

from zeroin.query import weights as w
from zeroin.query.names import NAMES, is_common, is_data
from zeroin.terms import STOPWORDS, analyse_word, words
from zeroin.types import Edit, Keyword, Origin, PathMention, SymbolMention

_WHY = {
    Origin.CALLER: "given by the caller",
    Origin.TITLE: "in the title",
    Origin.SYMBOL: "an identifier that the task names",
    Origin.PATH: "in a path that the task names",
    Origin.ERROR: "in an error message",
    Origin.QUOTED: "quoted in the task",
    Origin.DIFF: "on changed lines",
    Origin.PROSE: "in the text",
    Origin.CODE: "in a code snippet",
    Origin.TRACE: "in a trace or log",
}
_OF_CODE = frozenset({Origin.CODE, Origin.TRACE, Origin.SYMBOL, Origin.DIFF})
_WITHOUT_NUMBERS = frozenset({Origin.CODE, Origin.TRACE, Origin.PROSE, Origin.DIFF})
_PLAIN = frozenset({Origin.TITLE, Origin.PROSE, Origin.ERROR, Origin.QUOTED, Origin.DIFF})


@dataclass(slots=True)
class _Word:
    text: str
    weight: float
    origin: Origin
    origins: set[Origin]
    count: int
    order: int


@dataclass(slots=True)
class QueryBuilder:
    """Words, symbols and paths of a task, added part by part.

    `short`: the task is a search query of a few words. `samples`: its words that stand for any name (foo), lower case.
    """

    short: bool = False
    samples: frozenset[str] = frozenset()
    _words: dict[tuple[str, ...], _Word] = field(default_factory=dict)
    _symbols: dict[str, SymbolMention] = field(default_factory=dict)
    _paths: dict[tuple[str, int | None], PathMention] = field(default_factory=dict)
    _stop_words: list[str] = field(default_factory=list)

    def text(self, text: str, origin: Origin, factor: float = 1.0) -> None:
        for word in words(text):
            self.word(word, origin, factor)

    def word(self, word: str, origin: Origin, factor: float = 1.0) -> None:
        """Add one word, identifiers unsplit; stop words, samples, data and common names of code are left out."""
        bare = word.strip("_")
        if bare != word and bare.isalnum() and not word.startswith("__"):
            word = bare
        lower = word.lower()
        if lower in STOPWORDS or lower in self.samples:
            if origin in (Origin.TITLE, Origin.PROSE):
                self.stop_word(word)
            return
        if self._is_noise(word, lower, origin):
            return
        if word.isdigit():
            factor *= w.NUMBER
        elif origin in _PLAIN and (lower in NAMES.words("report_words") or lower in NAMES.words("ask_words")):
            weak = not self.short or lower in NAMES.words("empty_words")
            factor *= w.REPORT_WORD if weak else w.REPORT_WORD_SHORT
        if key := analyse_word(word):
            self._add(key, word, w.KEYWORD[origin] * factor, origin)

    def stop_word(self, word: str) -> None:
        """Keep a word for a task that has no other."""
        if len(self._stop_words) < w.MAX_STOP_WORDS:
            self._stop_words.append(word)

    def number(self, number: str, origin: Origin, factor: float = 1.0) -> None:
        """Add a number that names an error, a port or a status: it weighs like a word."""
        self._add(analyse_word(number), number, w.KEYWORD[origin] * factor, origin)

    @staticmethod
    def _is_noise(word: str, lower: str, origin: Origin) -> bool:
        if lower in NAMES.words("contracted") or is_data(word) or (len(word) == 1 and word.isascii()):
            return True
        if origin in _OF_CODE and is_common(word):
            return True
        return word.isdigit() and (origin in _WITHOUT_NUMBERS or len(word) > 5)

    def _add(self, key: tuple[str, ...], word: str, weight: float, origin: Origin) -> None:
        known = self._words.get(key)
        if known is None:
            self._words[key] = _Word(word, weight, origin, {origin}, 1, len(self._words))
            return
        known.count += 1
        known.origins.add(origin)
        if weight > known.weight:
            known.weight, known.origin = weight, origin
            if len(word) <= len(known.text) or origin in (Origin.SYMBOL, Origin.TITLE):
                known.text = word

    def symbol(self, name: str, weight: float, origin: Origin, edit: Edit = "") -> None:
        """Add a name of code; the strongest mention is kept. `edit` is what a change does to it."""
        if len(name) > 200 or is_data(name):
            return
        known = self._symbols.get(name)
        if known is not None and bool(known.edit) != bool(edit):  # the text of a review names what the change edits
            edit, origin = (known.edit, known.origin) if known.edit else (edit, origin)
            self._symbols[name] = SymbolMention(name, _bounded(max(weight, known.weight)), origin, edit)
        elif known is None or weight > known.weight:
            self._symbols[name] = SymbolMention(name, _bounded(weight), origin, edit)

    def path(
        self,
        path: str,
        weight: float,
        origin: Origin,
        line: int | None = None,
        frame: int | None = None,
        symbol: str = "",
    ) -> None:
        """Add a path or module; the strongest mention of a place is kept."""
        path = path.strip("\"'`,;() ")
        if not path or len(path) > 400:
            return
        known = self._paths.get((path, line))
        if known is None or weight > known.weight:
            self._paths[path, line] = PathMention(path, _bounded(weight), origin, line, frame, symbol)

    def keywords(self) -> tuple[Keyword, ...]:
        """The strongest keywords, best first, at most `MAX_KEYWORDS`; stop words only where there is nothing else."""
        if not self._words:
            stop, why = dict.fromkeys(self._stop_words), "the task has no other word"
            return tuple(Keyword(word, w.STOP_WORD, Origin.TITLE, why) for word in stop)
        ranked = sorted(self._words.values(), key=lambda word: (-_final(word), word.order))[: w.MAX_KEYWORDS]
        return tuple(Keyword(k.text, round(_final(k), 4), k.origin, _why(k)) for k in ranked)

    def symbols(self) -> tuple[SymbolMention, ...]:
        """Return the strongest symbols, best first; among equals the first mentioned."""
        return tuple(sorted(self._symbols.values(), key=lambda s: -s.weight)[: w.MAX_SYMBOLS])

    def paths(self) -> tuple[PathMention, ...]:
        """The strongest path mentions, best first; among equals the innermost frame, then the first mentioned."""
        by_frame = sorted(self._paths.values(), key=lambda p: -1 if p.frame is None else p.frame)
        return tuple(sorted(by_frame, key=lambda p: -p.weight)[: w.MAX_PATHS])


def _bounded(weight: float) -> float:
    return round(min(max(weight, 0.001), w.MAX_MENTION), 4)


def _final(word: _Word) -> float:
    repeated = min(w.REPEAT_MAX, 1 + w.REPEAT_STEP * (word.count.bit_length() - 1))
    agreed = min(w.ORIGIN_MAX, 1 + w.ORIGIN_STEP * (len(word.origins) - 1))
    return max(min(word.weight * repeated * agreed, w.MAX_KEYWORD), 0.001)


def _why(word: _Word) -> str:
    reason = _WHY[word.origin]
    return f"{reason}, {word.count} times" if word.count > 2 else reason
