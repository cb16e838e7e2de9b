"""Gaps about symbols: used by a selected file and defined elsewhere, or named by the task and unknown here."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from zeroin.evaluate.languages import STRING, code_of, strangers
from zeroin.evaluate.undefined import without_arguments
from zeroin.gaps.absence import is_test_name
from zeroin.gaps.selection import GapCandidate, GapForm, Selection, rare_users
from zeroin.imports.tree import module_name
from zeroin.index.view import View
from zeroin.patterns import lazy_pattern, lines_with
from zeroin.terms import WORD, split_identifier, term_id
from zeroin.types import Evidence, Gap, Judgment, Origin, Role, Search

MAX_DEFINERS = 2  # a symbol defined in more files is a convention, not a missing piece
MIN_NAME = 4  # characters: shorter names are everywhere
_MAX_REFERENCES = 12
_SPANS = 3  # best spans of each file: more lines name no more missing files (benchmarks/NOTES.md, 2026-11-26)
_MAX_MISSING, _MAX_NAMES = 3, 3  # files that the missing context of a file lists, and names of each
_MAX_MENTIONS, _MAX_UNKNOWN = 10, 3  # symbols of the task that are looked at, and gaps made of them
_SAME_HOME = 0.3  # weight of a reference whose files other references name already
_ABSTRACT = frozenset({"interface", "trait", "protocol", "type", "class"})  # what other files implement
_IMPLEMENTING = frozenset("class struct interface trait protocol enum object record type impl extension module".split())
_ALIAS = lazy_pattern(r"\btype\b[^=]*=.*")
# Blocks that are apart from their type: of Rust, Haskell and Elixir.
_IMPLEMENTS = lazy_pattern(r"\s*(?:unsafe\s+)?impl\b(.*?)\sfor\s|\s*instance\b(?:.*=>)?\s*(\S+)|\s*defimpl\s+(\S+),")
_APART = frozenset({"rust", "haskell", "elixir"})
# A line that is all comment; `#` with a blank after it, since `#define` and `#[derive]` are code.
_COMMENT = lazy_pattern(r"\s*(?:#\s|//|/\*|\*\s|\*$|--\s|;;|:\w[^:]{0,200}:\s|>\s)")
# What a template fills in.
_FILLED_IN = lazy_pattern(r"\{([^{}]*)\}")
# Parameters have types, before or behind their names; the bases of a class of Python have none.
_PARENTHESES, _TYPED = lazy_pattern(r"\([^()]{0,400}\)"), lazy_pattern(r"\w[: \t][ \t]*\w")
_MEMBER = lazy_pattern(r"(?:\.|->|::|(?<=\w):(?=\w+\())[ \t]*\w+")
# A name that means itself, in languages that have such: `:connect`, `:gen_tcp.connect`, `::error/code`.
_ATOM = lazy_pattern(r"(?<![\w:)\]]):[A-Za-z_]\w*[!?]?(?:\.\w+)?(?!\w)")
_KEYWORD = lazy_pattern(r"(?<![^\s()\[\]{}'`,~@#^])::?[^\s()\[\]{}\";,]+")
# In JavaScript `$` is a letter: `$Store` and `store$` are not `Store` and `store`.
_DOLLAR = lazy_pattern(r"(?<![\w$])\w*\$[\w$]+|(?<![\w$])\w+\$")
# What only looks like the name, by language.
_OTHER_NAMES = {"elixir": _ATOM, "ruby": _ATOM, "crystal": _ATOM, "clojure": _KEYWORD, "lisp": _KEYWORD}
_OTHER_NAMES |= dict.fromkeys(("javascript", "typescript", "tsx", "vue"), _DOLLAR)
_AFTER_CODE = lazy_pattern(r"(?:\s//|\s#)\s.*")
_INCLUDE = lazy_pattern(r"\s*#\s*include\b")
# A line that imports: by a keyword, or one of a list of paths; a name in a list on lines of its own.
_IMPORTING = lazy_pattern(
    r"\b(?:import|from|include|require\w*|use|using|mod|extern|load|source|export|alias)\b"
    r"|^\s*(?:\w+\s+)?([\"'])[^\"']+\1,?\s*$"
)
_LISTED = lazy_pattern(r"^\s*\w+(?:\s+as\s+\w+)?,?\s*$")
_DECLARING = r"(?:let|const|var|val|def|fn|func|fun|function|sub|for|static|mut|my|local|auto|lambda)"
_STATEMENT = r"(?:return|in|and|or|not|await|new|throw|raise|yield|else|case|is|delete|typeof|dyn|impl|go|defer|do)"
# Where a bare name means a definition of its own package, which is a folder, before any other.
_PACKAGES = frozenset("go java kotlin scala groovy".split())
# A module is named like its file, and `Api.post` is the `post` of the module `Api`.
_QUALIFIED = frozenset("elm purescript haskell".split())
# Characters of a file that are searched for a declaration, and of the line that says a name.
_MAX_TEXT, _MAX_LINE = 400_000, 1_000
_TYPE = lazy_pattern(r"\b([A-Z]\w*)(?:<[^;(){}]{0,200}>)?(?:\[\])*\s+\Z")  # of a variable that is declared
_MAX_TYPE = 400  # characters before a variable in which its type is looked for


class Need(NamedTuple):
    """A symbol on a line of a file's best spans, and the files that define it."""

    name: str
    line: int
    homes: tuple[int, ...]


def needs_of(judgment: Judgment, view: View) -> Iterator[Need]:
    """Symbols on the lines of a file's best spans that few other files define, in the order of the lines."""
    doc = view.doc_of(judgment.path)
    if doc is None or judgment.role is Role.CONFIG:
        return
    symbols, rare = view.snapshot.symbols, rare_users(view)
    text = view.text(doc).split("\n")
    first: dict[str, int] = {}  # name → the first line that says it
    for span in judgment.spans[:_SPANS]:
        for number, line in enumerate(text[span.start - 1 : span.end], span.start):
            for name in WORD.findall(line):
                if len(name) >= MIN_NAME:
                    first.setdefault(name, number)
    users = view.snapshot.names.document_frequencies([term_id(name) for name in first])
    for (name, number), used in zip(first.items(), users.tolist(), strict=True):
        if used > rare:
            continue
        homes = symbols.homes_of(name)
        few = 0 < len(homes) <= MAX_DEFINERS and doc not in homes
        if few and any(view.snapshot.role(d) is Role.IMPLEMENTATION for d in homes):
            yield Need(name, number, tuple(sorted(homes)))


def _meant(view: View, doc: int, need: Need) -> tuple[int, ...]:
    """Return the definers of a need that a document's line can mean: those that it imports, if it imports any.

    Of a package's files its own come first.

    In Go `Config` is that of the own folder, and `resolver.Config` that of a folder `resolver`, or of no file here if
    another package of that name is imported. In Lua no other file sees a local function. In Java no file means a method
    of an object whose type is imported from outside.
    """
    language, paths = view.snapshot.language, view.paths
    homes = tuple(home for home in need.homes if not strangers(language(doc), language(home)))
    if language(doc) == "lua":
        return tuple(home for home in homes if not _is_local(need.name, view.text(home)[:_MAX_TEXT]))
    if language(doc) in _QUALIFIED:
        said = view.text(doc).split("\n")[need.line - 1][:_MAX_LINE]
        modules = set(re.findall(rf"(\w+)\.{re.escape(need.name)}(?!\w)", said))
        return tuple(home for home in homes if module_name(paths[home]) in modules) or homes
    imported = tuple(home for home in homes if home in view.snapshot.imports_of(doc))
    if language(doc) not in _PACKAGES:
        return imported or homes
    folder = {home: paths[home].rpartition("/")[0] for home in (doc, *homes)}
    own = tuple(home for home in homes if folder[home] == folder[doc])
    said = view.text(doc).split("\n")[need.line - 1][:_MAX_LINE]
    before = set(re.findall(rf"([\w)\]}}]+\.|^\s*\.)?(?<!\w){re.escape(need.name)}(?!\w)", said))
    text = view.text(doc)[:_MAX_TEXT]
    if language(doc) == "go":
        others = bool(before) and all(_is_package(one[:-1], text) for one in before)
        before.add(f"{need.name}.")  # the package itself
        named = tuple(home for home in homes if f"{folder[home].rpartition('/')[2]}." in before)
        return named + own if "" in before else named or (() if others else homes)
    if language(doc) == "java" and before and all(_is_foreign(one[:-1], text, view) for one in before):
        return ()
    return imported or (own if "" in before else ()) or homes


def _is_local(name: str, text: str) -> bool:
    """Tell whether a file of Lua declares a name as a local function only, and puts it in no table."""
    name = re.escape(name)
    others = rf"\bfunction\s+[\w.]+[.:]{name}\b|(?<!local )\b{name}\s*=(?!=)|\breturn\s+{name}\b"
    return bool(re.search(rf"\blocal\s+function\s+{name}\b", text)) and not re.search(others, text)


def _is_package(name: str, text: str) -> bool:
    """Tell whether a file of Go imports a package of that name."""
    return name.isidentifier() and re.search(rf"(?m)^\s*(?:import\s+)?\"(?:[^\"\n]*/)?{name}\"", text) is not None


def _is_foreign(receiver: str, text: str, view: View) -> bool:
    """Tell whether a file of Java declares a variable, always with an imported type that no file here defines."""
    types: set[str] = set()
    for found in re.finditer(rf"{receiver}\s*[;=,):]", text) if receiver.isidentifier() else ():
        if text[found.start() - 1 : found.start()].isspace():
            declared = _TYPE.search(text, max(0, found.start() - _MAX_TYPE), found.start())
            types |= {declared[1]} if declared else set()
    rows_of = view.snapshot.symbols.rows_of
    return bool(types) and all(re.search(rf"\bimport\s+[\w.]+\.{t};", text) and not len(rows_of(t)) for t in types)


def missing_context(judgment: Judgment, selected: Collection[int], view: View) -> tuple[str, ...]:
    """List what a file uses of documents not `selected`, with lines: names that they define, then imported files."""
    doc = view.doc_of(judgment.path)
    if doc is None:
        return ()
    language, text = view.snapshot.language, view.text(doc)
    imported = view.snapshot.imports_of(doc).tolist()
    by_home: dict[int, list[Need]] = {}
    for need in needs_of(judgment, view) if judgment.role is not Role.DOC else ():
        homes = _meant(view, doc, need)
        if not homes or not set(homes).isdisjoint(selected):
            continue
        known = not set(homes).isdisjoint(imported)
        if refers_outside(need.name, need.line, text, language(doc), imported=known):
            by_home.setdefault(homes[0], []).append(need)
    order = sorted(by_home, key=lambda home: (home not in imported, -len(by_home[home]), home))
    out = []
    for home in order[:_MAX_MISSING]:
        names = ", ".join(f"{need.name} (line {need.line})" for need in by_home[home][:_MAX_NAMES])
        out.append(f"{names}: {view.paths[home]}")
    for other in (d for d in imported if d not in by_home and d not in selected):
        if len(out) == _MAX_MISSING:
            break
        number = import_line(view, doc, view.paths[other])
        if number is not None and view.snapshot.role(other) is Role.IMPLEMENTATION:
            out.append(f"import (line {number}): {view.paths[other]}")
    return tuple(out)


def import_line(view: View, doc: int, path: str, *, by_folder: bool = False) -> int | None:
    """Return the line of a document that imports a file, or else the first that uses a type of the file's name.

    With `by_folder` a line that imports the file's folder counts, too: a package can mean any of its files.
    """
    names = [module_name(path), *(path.split("/")[-2:-1] if by_folder else ())]
    said: list[tuple[int, str, set[str]]] = []
    for number, line in lines_with(code_of(view.text(doc), view.snapshot.language(doc)), *names):
        including = bool(_INCLUDE.match(line))
        if including or not _COMMENT.match(line):
            line = line[:_MAX_LINE] if including else _AFTER_CODE.sub("", line[:_MAX_LINE])
            said.append((number, line, set(WORD.findall(line))))
    for name in names:
        saying = [row for row in said if name in row[2] or (not name.isidentifier() and name in row[1])]
        for form in (_IMPORTING, _LISTED):
            importing = (number for number, line, _ in saying if form.search(line))
            if (first := next(importing, None)) is not None:
                return first
    # Files of one package use each other's types without a line that imports them.
    return next((n for n, _, words in said if names[0] in words and names[0][:1].isupper()), None)


def references(selection: Selection) -> list[GapCandidate]:
    """Return gaps of symbols that seed files use and no selected file defines, most informative first."""
    view = selection.view
    first: dict[str, tuple[str, Need]] = {}
    users: dict[str, dict[str, float]] = {}  # name → relevance of the files that use it
    for _, judgment in selection.seeds:
        for need in needs_of(judgment, view):
            users.setdefault(need.name, {})[judgment.path] = judgment.relevance
            first.setdefault(need.name, (judgment.path, need))
    missing: dict[str, set[int]] = {}
    for name, (_, need) in first.items():
        homes = set(need.homes) - selection.excluded
        closed = set(need.homes) & selection.selected_docs
        if homes and not closed and not {view.paths[d] for d in homes} >= set(users[name]):
            missing[name] = homes
    from_home = Counter(d for homes in missing.values() for d in homes)
    found: list[tuple[float, GapCandidate]] = []
    for name, homes in missing.items():
        used, tied = len(users[name]), 2.0 if selection.says_task(name) else 1.0
        value = view.snapshot.names.idf(term_id(name)) * (1 + 0.5 * min(used, 4)) * tied
        value *= used * max(from_home[d] for d in homes)
        found.append((value, _reference(selection, *first[name], homes, max(users[name].values()))))
    return _diversified(found)


def _reference(selection: Selection, user: str, need: Need, homes: set[int], user_relevance: float) -> GapCandidate:
    """The gap of a symbol that `user` needs, with the files that implement it where it is an interface."""
    view, name = selection.view, need.name
    doing = [d for d in implementers(view, name) if d not in selection.excluded.union(homes)]
    paths, doers = [view.paths[d] for d in sorted(homes)], [view.paths[d] for d in doing]
    meant = [view.paths[d] for d in sorted(homes.intersection(_meant(view, view.numbers[user], need)))]
    said = meant or paths
    said = [path for path in said if not _only_declares(view, path, name)] or said
    text = f"{name} ({user}:{need.line}) is defined in {' and '.join(said)}"
    text += f" and implemented in {' and '.join(doers)}" if doers else ""
    # `bus.connect` is no call of the only `connect` that the repository defines, unless its file is imported.
    imported = view.snapshot.imports_of(view.numbers[user]).tolist()
    return GapCandidate(
        GapForm.IMPLEMENTED if doers else GapForm.SYMBOL,
        "reference",
        text,
        (Evidence(user, need.line, name), *(Evidence(home, symbol=name) for home in said + doers)),
        name,
        Search(symbols=(name,), paths=(*paths, *doers)),
        selection.features_of((*homes, *doing), user_relevance),
        shown=len(split_identifier(name)) > 1 or not set(need.homes).isdisjoint(imported),
    )


def _only_declares(view: View, path: str, name: str) -> bool:
    """Tell whether all that a file has of a name is its prototype, as a header has."""
    symbols, doc = view.snapshot.symbols, view.numbers[path]
    rows = [row for row in symbols.rows_of(name) if symbols.docs[row] == doc]
    return all(symbols.kinds[int(symbols.kind[row])] == "declaration" for row in rows)


def _diversified(found: Sequence[tuple[float, GapCandidate]]) -> list[GapCandidate]:
    """Return the most valuable references; a file that is named already counts less."""
    waiting = sorted(found, key=lambda g: (-g[0], g[1].need))
    named: set[str] = set()
    out: list[GapCandidate] = []
    while waiting and len(out) < _MAX_REFERENCES:
        best = max(waiting, key=lambda g: g[0] * (1.0 if set(g[1].search.paths) - named else _SAME_HOME))
        waiting.remove(best)
        named |= set(best[1].search.paths)
        out.append(best[1])
    return out


def implementers(view: View, name: str) -> list[int]:
    """Return files with a type of that interface: `class JwtCodecs implements JwtCodec`, `impl JwtCodec for Json`.

    Only the first line of the type is read. An alias, a bound, and the type of an argument or of a parameter are none:
    `class Login(codec: JwtCodec)`.
    """
    symbols = view.snapshot.symbols
    rows = symbols.rows_of(name)
    if not any(symbols.kinds[int(symbols.kind[row])] in _ABSTRACT for row in rows):
        return []
    own = int(symbols.name[rows[0]])
    implementing = [number for number, kind in enumerate(symbols.kinds) if kind in _IMPLEMENTING]
    starts: dict[int, set[int]] = {}  # lines where types begin, by file
    for doc in view.users_of(name):
        inside = slice(int(symbols.pointers[doc]), int(symbols.pointers[doc + 1]))
        types = np.isin(symbols.kind[inside], implementing)
        lines = set(symbols.start[inside][(symbols.name[inside] != own) & types].tolist())
        if lines or view.snapshot.language(doc) in _APART:
            starts[doc] = lines
    view.prefetch(starts)

    def implements(doc: int) -> bool:
        rows = lines_with(view.text(doc), name)
        return any(name in WORD.findall(_interfaces(line, begins=number in starts[doc])) for number, line in rows)

    return list(islice(filter(implements, starts), MAX_DEFINERS))


def _interfaces(line: str, *, begins: bool) -> str:
    """Return what the first line of a type, or of a block that implements an interface, says besides arguments."""
    line = without_arguments(_ALIAS.sub("", line[:_MAX_LINE]))
    if begins:
        return _PARENTHESES.sub(lambda found: "" if _TYPED.search(found[0]) else found[0], line)
    block = _IMPLEMENTS.match(line)
    return block[block.lastindex or 0] if block else ""


def unknown_symbols(selection: Selection) -> list[GapCandidate]:
    """Return symbols that the task names and that are neither defined nor used anywhere."""
    view, absence = selection.view, selection.absence
    found = []
    for mention in selection.query.symbols[:_MAX_MENTIONS]:
        name = mention.name.replace("::", ".").rpartition(".")[2].strip("()")
        vague = mention.weight < 1.0 or len(name) < MIN_NAME or "." in mention.name
        if vague or mention.edit == "added":  # the change itself brings it
            continue
        if len(view.snapshot.symbols.rows_of(name)) or view.identifier_df(name):
            continue
        need = f"the task names {name}; no file defines or uses it"
        search = Search(words=tuple(split_identifier(name)))
        asked = mention.origin is not Origin.DIFF  # what a change removes is gone
        shown = asked and not (is_test_name(name) or absence.in_any_name(name) or absence.in_text(name))
        form, evidence = GapForm.UNKNOWN_SYMBOL, (Evidence(symbol=name),)
        found.append(GapCandidate(form, "reference", need, evidence, name, search, shown=shown))
    return found[:_MAX_UNKNOWN]


def is_answered(gap: Gap, listed: Collection[int], view: View) -> bool:
    """Whether a gap asks for a name that its own file declares, or that one of the `listed` documents defines.

    True, too, for a bare name that only other packages define, for a reference in documentation, and for a caller gap
    of a plain word whose file imports none of them.
    """
    if gap.form == GapForm.CALLER:
        imported = view.snapshot.imports_of(view.numbers[gap.search.paths[0]]).tolist()
        return len(split_identifier(gap.follow_up)) == 1 and set(imported).isdisjoint(listed)
    user = next((e for e in gap.evidence if e.path and e.line), None)
    if gap.kind != "reference" or user is None or not gap.search.symbols:
        return False
    doc, symbols = view.doc_of(user.path), view.snapshot.symbols
    if doc is None or view.snapshot.role(doc) is Role.DOC:
        return doc is not None
    homes = [symbols.homes_of(name) for name in gap.search.symbols]
    if gap.form != GapForm.IMPLEMENTED and all(found & set(listed) for found in homes):
        return True
    needs = (Need(n, user.line or 0, tuple(found)) for n, found in zip(gap.search.symbols, homes, strict=True))
    if not any(_meant(view, doc, need) for need in needs):
        return True
    text = view.text(doc)
    language = view.snapshot.language(doc)
    return not any(refers_outside(name, user.line or 0, text, language) for name in gap.search.symbols)


def refers_outside(name: str, line: int, text: str, language: str = "", *, imported: bool = True) -> bool:
    """Tell whether code on a line of `text` says the name, and nothing in the text declares it.

    A parameter, a local variable, a field, an atom, a word of a comment or of a message can be spelled like a
    definition of another file. A name of several words counts in a string, too: it may be looked up there. Unless a
    file that defines it is `imported`, a plain name does not count as a member: `read` of `reader.read()`.
    """
    rows, plain = dict(lines_with(text[:_MAX_TEXT], name)), len(split_identifier(name)) == 1
    said = dict(lines_with(code_of(text[:_MAX_TEXT], language, strings=not plain), name))
    row = _AFTER_CODE.sub("", said.get(line, "")[:_MAX_LINE])
    if plain:
        row = STRING.sub(lambda string: " ".join(("", *_FILLED_IN.findall(string[0]), "")), row)
    row = _OTHER_NAMES[language].sub(" ", row) if language in _OTHER_NAMES else row
    if plain and not imported:
        row = _MEMBER.sub(" ", row)
    if _COMMENT.match(row) or name not in WORD.findall(row):
        return False
    return not _declares(name, "\n".join(rows.values()))


def _declares(name: str, text: str) -> bool:
    """Whether a line declares this name: with a keyword, by assignment, or, of a variable, after its type."""
    spelled = re.escape(name)
    forms = [
        rf"\b{_DECLARING}[ \t]+(?:mut[ \t]+|ref[ \t]+|[*&]+)?{spelled}\b",
        rf"(?<![\w.>]){spelled}[ \t]*(?::=|=(?![=>~]))",
    ]
    if name[:1].islower():
        forms.append(rf"(?<![\w.>]){spelled}[ \t]*\??:[ \t]*[A-Za-z&*\[(]")
        forms.append(rf"\b(?!{_STATEMENT}\b)[A-Za-z_]\w*(?:<\w*>|\[\])?[ \t*&]+\b{spelled}[ \t]*[;=,)]")
        # Taken apart: `const { name } = …`, `{:ok, name} <- …`, `name, error := …`; an attribute of a module of Elixir.
        forms.append(rf"\{{[^{{}}\n]*(?<![\w.@]){spelled}\b[^{{}}\n]*\}}[ \t]*\)?[ \t]*(?:=(?!=)|<-)")
        forms.append(rf"(?m)^[ \t]*(?:[a-z_]\w*,[ \t]*)*{spelled}(?:,[ \t]*[a-z_]\w*)+[ \t]*(?::=|=(?!=))")
        forms.append(rf"(?m)^[ \t]*@{spelled}[ \t]+\S")
    return any(re.search(form, text) for form in forms)
