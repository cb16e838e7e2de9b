"""The short form of an answer, which the first screen of table, Markdown and MCP text share.

Of each file the strongest reason and the lines to read; of all gaps one line, and of all words another.
"""

import re
from collections.abc import Iterable, Sequence

from zeroin.answer import Context
from zeroin.context.clean import line, path_text
from zeroin.context.packing.select import joined
from zeroin.context.rendering import wording
from zeroin.patterns import lazy_pattern
from zeroin.types import Gap, Judgment, Span, figure_of

FEW = 5  # spans shown of a file; the others are counted
_QUOTED, _LEAST_QUOTED = lazy_pattern("(?<=“)[^“”]+(?=”)"), 12
_MOST_NEED = 300  # characters of what a gap needs
_MOST_NAME = 60  # characters of a word, or of a name that is missing


def main_reason(judgment: Judgment, limit: int) -> str:
    """Return the strongest reason of a file, in at most `limit` characters."""
    reason = next((text for r in judgment.reasons if (text := line(r.text))), "")
    quoted = _QUOTED.search(reason)
    if quoted is not None and len(reason) > limit:  # shorten the quotation, not the sentence
        room = len(quoted[0]) - (len(reason) - limit)
        if room >= _LEAST_QUOTED:
            reason = quoted.re.sub(lambda found: wording.shortened(found[0].rstrip("…"), room), reason, count=1)
    if len(reason) > limit:
        first = next(r for r in judgment.reasons if r.text)
        reason = _with_short_paths(reason, [text for e in first.evidence for text in (e.path, e.text)], limit)
    return wording.shortened(reason, limit) or "no single reason stands out"


def _with_short_paths(sentence: str, texts: Iterable[str], limit: int) -> str:
    """Return a sentence of `limit` characters if leaving out leading folders of its paths, the longest first, will do.

    What a path says lies at its end, and what a sentence says of a path mostly follows it. What is left of one is the
    end of no other: `…/a/index.ts`, not `…/index.ts`.
    """
    paths = sorted({path_text(text) for text in texts if "/" in text}, key=lambda path: (-len(path), path))
    for path in paths:
        whole = re.compile(rf"(?<![\w./-]){re.escape(path)}(?![\w/-])")
        if len(sentence) > limit and whole.search(sentence):
            parts = path.split("/")
            tails = ["/".join(parts[-kept:]) for kept in range(len(parts) - 1, 0, -1)]
            own = [
                tail for tail in tails if not any(f"/{other}".endswith(f"/{tail}") for other in paths if other != path)
            ]
            shorter = [whole.sub(f"…/{tail}".replace("\\", r"\\"), sentence) for tail in own] or [sentence]
            sentence = next((text for text in shorter if len(text) <= limit), shorter[-1])
    return sentence


def change_in(context: Context, limit: int) -> str:
    """Return the files of a change that is reviewed, in a line of about `limit` characters; "" for another task.

    Where they do not all fit, they go by their names without folders.
    """
    if context.task.diff is None:
        return ""
    paths = [path_text(file.path) for file in context.task.diff.files]
    label = "reviewed, so not listed: "
    names = paths if len(label) + len(", ".join(paths)) <= limit else [_name(path) for path in paths]
    return label + as_many(names, limit - len(label), ", ")


def _name(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"…/{name}" if folder else name


def to_read(judgment: Judgment, shown: Sequence[Span] = ()) -> Sequence[Span]:
    """Return the lines to read of a file: those `shown` of it, else its best spans."""
    return shown or joined(judgment.spans, max((s.end for s in judgment.spans), default=0))


def lines_of(spans: Sequence[Span], limit: int, *, named: bool = True) -> str:
    """Return the lines to read in about `limit` characters, in line order: with names if all fit, else the best spans.

    The best span is shown whatever its length.
    """
    if not spans:
        return ""
    ordered = sorted(spans, key=lambda s: s.start)
    if named and len(spans) <= FEW:
        names = [line(s.symbol) for s in ordered]
        firsts = [first + " …" * bool(more) for first, more, _ in (n.partition(", ") for n in names)]
        for labels in (names, firsts):
            labelled = zip(map(wording.numbers_of, ordered), labels, strict=True)
            text = " · ".join(f"{numbers} {label}".strip() for numbers, label in labelled)
            if len(text) <= limit:
                return text
    best = sorted(ordered, key=lambda s: -s.score)

    def some(count: int) -> str:
        left = len(best) - count
        lines = ", ".join(wording.numbers_of(s) for s in ordered if s in best[:count])
        return lines + (f" +{left}" if left else "")

    return _longest(map(some, range(1, min(FEW, len(best)) + 1)), limit)


def _longest(texts: Iterable[str], limit: int) -> str:
    """Return the longest of `texts`, each longer than the last, that fits `limit`; the first whatever its length."""
    kept = ""
    for text in texts:
        if kept and len(text) > limit:
            break
        kept = text
    return kept


def missing_in(context: Context, limit: int) -> str:
    """Return the gaps in one line of about `limit` characters, critical ones first; shortened if they do not fit."""
    whole = " · ".join(missing_rows(context))
    if len(whole) <= limit or not context.gaps:
        return whole
    return as_many(list(dict.fromkeys(map(_need, context.gaps))), limit)


def missing_rows(context: Context) -> list[str]:
    """Return each gap as a sentence, critical ones first; where there is none, one that says so."""
    rows = [_marked(wording.shortened(line(gap.need), _MOST_NEED), gap) for gap in context.gaps]
    return rows or ["no gap found" if context.sufficient else "no gap found; files may be missing all the same"]


_IN_FULL = frozenset({"part left out", "quoted"})  # forms of gaps that a name alone does not describe


def _need(gap: Gap) -> str:
    """Name a gap by what would close it: a name and the file that has it, a path, or a word that the code lacks."""
    name = wording.shortened(line(gap.follow_up), _MOST_NAME)
    homes = [path_text(path) for path in gap.search.paths]
    if not name or gap.form in _IN_FULL:
        text = wording.shortened(line(gap.need), 2 * _MOST_NAME)
    elif gap.follow_up in gap.search.paths:  # a path that is cut short opens nothing
        text = path_text(gap.follow_up)
    elif gap.kind == "terminology" or (gap.kind == "aspect" and not homes):
        text = f"“{name}”"
    elif homes and homes[0] not in name:
        text = f"{name} in {homes[0]}"
    else:
        text = name
    return _marked(text, gap)


def _marked(text: str, gap: Gap) -> str:
    return f"{text} (critical)" if gap.critical else text


def words_in(context: Context, limit: int) -> str:
    """The codebase's words for those of the task, in one line of about `limit` characters; "" where there are none."""
    codes: dict[str, list[str]] = {}
    for term in context.shown_terms:
        word = wording.shortened(line(term.task_word), _MOST_NAME)
        doubt = "" if term.certainty == "sure" else f" ({term.certainty})"
        codes.setdefault(word, []).append(wording.shortened(line(term.code_word), _MOST_NAME) + doubt)
    return as_many([f"{word} → {', '.join(dict.fromkeys(words))}" for word, words in codes.items()], limit)


def files_in(judgments: Sequence[Judgment], limit: int) -> str:
    """Return files in one line of about `limit` characters, each with its relevance."""
    text = [f"{path_text(j.path)}{wording.role_note(j)} {figure_of(j.relevance)}" for j in judgments]
    return as_many(text, limit)


def as_many(text: Sequence[str], limit: int, between: str = " · ") -> str:
    """Return as many leading phrases as `limit` characters hold, at least one, and how many more there are."""
    counts = range(1, len(text) + 1)
    more = (f"{between}{len(text) - count} more" if count < len(text) else "" for count in counts)
    return _longest((between.join(text[:count]) + left for count, left in zip(counts, more, strict=True)), limit)
