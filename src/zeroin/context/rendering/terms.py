"""What `zeroin terms` shows: the codebase's words for those of a text, for people, agents and programs.

Guesses are shown only where they are asked for; JSON holds them always, with their certainty.
"""

from collections.abc import Iterable, Sequence

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from zeroin.answer import Terminology
from zeroin.context.clean import line
from zeroin.context.rendering import structures
from zeroin.context.rendering.markdown import cell
from zeroin.context.rendering.screen import Screen, normalise_links
from zeroin.context.rendering.table import console, shown
from zeroin.context.rendering.wording import source_of, spoken_of
from zeroin.context.rendering.written import dumps, json_of
from zeroin.context.rendering.xml import element, tag
from zeroin.types import Expansion

_NONE = "No other word that is sure or likely."


def render(found: Terminology, format_: str, screen: Screen, *, guesses: bool = False) -> str:
    """Return what was found as `table`, `json`, `markdown` or `xml`; with `guesses`, guesses too."""
    if format_ == "json":
        return dumps(json_of(structures.Terminology, found, schema=structures.TERMS), indent=2) + "\n"
    terms = found.terms if guesses else found.shown
    if format_ == "markdown":
        return _markdown(found, terms)
    return _xml(found, terms) if format_ == "xml" else _table(found, terms, screen)


def _table(found: Terminology, shown_terms: Sequence[Expansion], screen: Screen) -> str:
    """Return a block for each word of the text: the code's words, how certain they are, and where each was learned."""
    links = screen.links
    out = console(screen.width, screen.color or bool(links.root))
    if not shown_terms:
        out.print(Text(_NONE, style="bold"))
    for task_word, terms in _by_word(shown_terms):
        out.print(Text(line(task_word), style="bold underline"))
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column()
        grid.add_column()
        grid.add_column(overflow="fold", max_width=out.width // 3)
        grid.add_column(overflow="fold")
        for term in terms:
            sources = Text("\n".join(source_of(source) for source in term.sources))
            links.mark(sources, [(s.where, s.line) for s in term.sources if s.kind != "commit"])
            grid.add_row(
                Text(term.certainty),
                Text(f"{term.weight:.2f}", style="dim"),
                Text(line(term.code_word), style="bold"),
                sources,
            )
        out.print(Padding(grid, (0, 0, 0, 2)))
        out.print()
    if spoken := " ".join(spoken_of(found)):
        out.print(Text(spoken, style="dim"))
    if hidden := _hidden(found, shown_terms):
        out.print(Text(hidden, style="dim"))
    for warning in found.warnings:
        out.print(Text(f"Warning: {line(warning)}", style="yellow"))
    text = shown(out, screen.ascii_only)
    return normalise_links(text, screen.color) if links.root else text


def _markdown(found: Terminology, shown_terms: Sequence[Expansion]) -> str:
    rows = [
        f"| {cell(line(t.task_word))} | {cell(line(t.code_word))} | {t.certainty} | {t.weight:.2f} | "
        f"{cell('; '.join(source_of(source) for source in t.sources))} |\n"
        for _, terms in _by_word(shown_terms)
        for t in terms
    ]
    head = "| Text | Codebase | Certainty | Weight | Learned from |\n| --- | --- | --- | --- | --- |\n"
    body = head + "".join(rows) if rows else f"{_NONE}\n"
    warnings = "".join(f"- {cell(line(w))}\n" for w in found.warnings)
    spoken = " ".join(part for part in (*spoken_of(found), _hidden(found, shown_terms)) if part)
    return body + (f"\n{cell(spoken)}\n" if spoken else "") + (f"\n{warnings}" if warnings else "")


def _xml(found: Terminology, shown_terms: Sequence[Expansion]) -> str:
    """Return a `<terminology>` of `<term>` elements, each with its `<source>`s, then the words of the text."""
    out = ["<terminology>\n"]
    for _, terms in _by_word(shown_terms):
        for term in terms:
            words = {"task_word": line(term.task_word), "code_word": line(term.code_word)}
            out.append(tag("term", **words, certainty=term.certainty, weight=f"{term.weight:.2f}"))
            out += [element("source", source_of(s), kind=line(s.kind)) for s in term.sources]
            out.append("</term>\n")
    out += [element("word", line(word), files=str(files)) for word, files in found.named.items()]
    out += [element("warning", line(warning)) for warning in found.warnings]
    return "".join([*out, "</terminology>\n"])


def _by_word(terms: Iterable[Expansion]) -> Iterable[tuple[str, list[Expansion]]]:
    """Return terms by the word of the text that they stand for, the strongest word first."""
    groups: dict[str, list[Expansion]] = {}
    for term in terms:
        groups.setdefault(term.task_word, []).append(term)
    return groups.items()


def _hidden(found: Terminology, shown_terms: Sequence[Expansion]) -> str:
    left = len(found.terms) - len(shown_terms)
    return f"{left} guess{'' if left == 1 else 'es'} not shown (--guesses shows them)." if left else ""
