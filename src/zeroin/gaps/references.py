"""Gaps about names: symbols that selected files use and nothing selected defines, and words that none of them says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from zeroin.evaluate.passages import TextMatch
from zeroin.evaluate.reasons.wording import shortened
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.gaps.inside import refers_outside
from zeroin.gaps.plain import is_telling, is_test_name
from zeroin.gaps.selection import GapCandidate, Selection, rare_users
from zeroin.index.view import View
from zeroin.terms import INTENT_WORDS, WORD, analyse_word, split_identifier, term_id
from zeroin.types import Evidence, GapKind, Judgment, Role, Search

MAX_DEFINERS = 2  # a symbol defined in more files is a convention, not a missing piece
_MAX_REFERENCES = 12
MIN_NAME = 4  # characters: shorter names are everywhere
_SPANS = 3  # of each file: its heart
_MAX_MISSING = 3  # files that the missing context of one file names
_NAMES = 3  # names of each of them
_SAME_HOME = 0.3  # what a reference is worth that found where another already found
_ABSTRACT = frozenset({"interface", "trait", "protocol", "type", "class"})  # what other files implement
_IMPLEMENTING = frozenset(
    "class struct interface trait protocol enum object record type impl extension module".split()
)
_MAIN_SHARE = 0.12  # a title term that carries this share of the title's information is a main word
_MAX_WORDS = 3
_TITLE_CHARS = 2000  # where there is no title
_MAX_ASPECTS = 3
_ASPECT_WORDS = 4  # words that one aspect names
_LEAST_ASPECT = 0.02  # of the task's information
_LOOKED_AT = 50
_QUOTED_PART = 0.3  # of the task's words: a text that is less of it is mentioned in passing


@dataclass(frozen=True, slots=True)
class Need:
    """A symbol that a file uses at its heart and that other files define or, of an interface, implement."""

    name: str
    line: int
    homes: tuple[int, ...]
    doers: tuple[int, ...] = ()


def needs_of(judgment: Judgment, view: View) -> Iterator[Need]:
    """Symbols on the lines of a file's best spans that are defined in few other files, in the order of the lines."""
    doc = view.doc_of(judgment.path)
    if doc is None or judgment.role is Role.CONFIG:
        return
    snapshot = view.snapshot
    rare = rare_users(view)
    lines = view.text(doc).split("\n")
    seen: set[str] = set()
    for span in judgment.spans[:_SPANS]:
        for number in range(span.start, min(span.end, len(lines)) + 1):
            for name in WORD.findall(lines[number - 1]):
                if name in seen:
                    continue
                seen.add(name)
                if len(name) < MIN_NAME or view.identifier_df(name) > rare:
                    continue
                homes = {int(d) for d in snapshot.symbols.docs[snapshot.symbols.rows_of(name)]}
                if not homes or len(homes) > MAX_DEFINERS or doc in homes:
                    continue
                if any(snapshot.role(d) is Role.IMPLEMENTATION for d in homes):
                    yield Need(name, number, tuple(sorted(homes)))


def missing_context(judgment: Judgment, selected: Collection[int], view: View) -> tuple[str, ...]:
    """What a file points to that is not `selected`, with lines: names of files that it imports first, then imports."""
    doc = view.doc_of(judgment.path)
    if doc is None:
        return ()
    by_home: dict[int, list[Need]] = {}
    for need in needs_of(judgment, view) if judgment.role is not Role.DOC else ():
        if not set(need.homes) & set(selected) and refers_outside(need.name, need.line, view.text(doc)):
            by_home.setdefault(need.homes[0], []).append(need)
    imported = view.snapshot.imports_of(doc).tolist()
    order = sorted(by_home, key=lambda home: (home not in imported, -len(by_home[home]), home))
    out = []
    for home in order[:_MAX_MISSING]:
        names = ", ".join(f"{need.name} (line {need.line})" for need in by_home[home][:_NAMES])
        out.append(f"{names}: {view.paths[home]}")
    lines = view.text(doc).split("\n") if len(out) < _MAX_MISSING else []
    for other in imported:
        if len(out) == _MAX_MISSING:
            break
        if (
            other not in by_home
            and other not in selected
            and view.snapshot.role(other) is Role.IMPLEMENTATION
        ):
            name = stem_of(view.paths[other])
            number = next((n for n, text in enumerate(lines, start=1) if name in WORD.findall(text)), None)
            if number is not None:
                out.append(f"import (line {number}): {view.paths[other]}")
    return tuple(out)


def stem_of(path: str) -> str:
    """A file's name up to the first full stop inside it; of a package's own file the folder's name."""
    folder, _, name = path.rpartition("/")
    stem = name.lstrip(".").partition(".")[0]
    return folder.rpartition("/")[2] if stem in ("__init__", "index", "mod", "lib") and folder else stem


def references(selection: Selection) -> list[GapCandidate]:
    """Symbols used at the heart of selected files whose only definitions are not selected, most telling first."""
    view, snapshot = selection.view, selection.view.snapshot
    uses: Counter[str] = Counter()
    first: dict[str, tuple[str, Need]] = {}
    users: dict[str, dict[str, float]] = {}
    for _, judgment in selection.seeds:
        for need in needs_of(judgment, view):
            uses[need.name] += 1
            users.setdefault(need.name, {})[judgment.path] = judgment.relevance
            first.setdefault(need.name, (judgment.path, need))
    missing: dict[str, set[int]] = {}
    for name, (_, need) in first.items():
        if set(need.homes) & selection.selected_docs:
            continue
        homes = set(need.homes) - selection.excluded
        if homes and not {view.paths[d] for d in homes} >= set(users[name]):
            missing[name] = homes
    from_home = Counter(d for homes in missing.values() for d in homes)
    found: list[tuple[float, GapCandidate]] = []
    for name, defining in missing.items():
        tied = selection.says_task(name)
        together = max(from_home[d] for d in defining)
        doing = [d for d in implementers(view, name) if d not in selection.excluded | defining]
        paths = [view.paths[d] for d in sorted(defining)]
        doers = [view.paths[d] for d in doing]
        path, need = first[name]
        evidence = Evidence(path, need.line, name)
        text = f"{name} ({path}:{need.line}) is defined in {' and '.join(paths)}"
        text += f" and implemented in {' and '.join(doers)}" if doers else ""
        value = snapshot.names.idf(term_id(name)) * (1 + 0.5 * min(uses[name], 4)) * (2.0 if tied else 1.0)
        value *= len(users[name]) * together
        everywhere = (evidence, *(Evidence(home, symbol=name) for home in paths + doers))
        worth = selection.features_of((*defining, *doing), max(users[name].values()))
        search = Search(symbols=(name,), paths=(*paths, *doers))
        form = "implemented" if doers else "symbol"
        user = view.doc_of(path)
        shown = user is not None and _is_meant(need, view.snapshot.imports_of(user).tolist())
        found.append(
            (value, GapCandidate(form, "reference", text, everywhere, name, search, worth, shown=shown))
        )
    return _spread(found)


def _is_meant(need: Need, imported: Collection[int]) -> bool:
    """Whether a name can be said to be the one that another file defines: compound, or of a file that is `imported`.

    `bus.connect` is no call of the only `connect` that the repository defines.
    """
    return len(split_identifier(need.name)) > 1 or bool(set(need.homes) & set(imported))


def unknown_symbols(selection: Selection) -> list[GapCandidate]:
    """Symbols that the task names and that are neither defined nor used anywhere."""
    found = []
    for mention in selection.query.symbols[:10]:
        name = mention.name.replace("::", ".").rpartition(".")[2].strip("()")
        if mention.edit == "added":  # the change itself brings it
            continue
        if mention.weight < 1.0 or len(name) < MIN_NAME or "." in mention.name:
            continue
        if len(selection.view.snapshot.symbols.rows_of(name)) or selection.view.identifier_df(name):
            continue
        need = f"the task names {name}; no file defines or uses it"
        search = Search(words=tuple(split_identifier(name)))
        absence = selection.absence
        shown = not (is_test_name(name) or absence.named_anywhere(name) or absence.said(name))
        evidence = (Evidence(symbol=name),)
        found.append(GapCandidate("unknown symbol", "reference", need, evidence, name, search, shown=shown))
    return found[:3]


def texts_missing(selection: Selection) -> list[GapCandidate]:
    """The text that the task is about, where every file that could hold it was read and none does."""
    held = selection.view.quote_matches(selection.query.quotations)
    if held.by_doc:
        return []
    for quotation in held.absent:
        if quotation.said and quotation.part >= _QUOTED_PART:
            what = quotation.text if quotation.name else f"the quoted text “{shortened(quotation.text)}”"
            need = f"no file contains {what}"
            fixed = max(quotation.fixed, key=len)
            return [GapCandidate("quoted", "aspect", need, (Evidence(text=quotation.text),), fixed)]
    return []


def implementers(view: View, name: str) -> list[int]:
    """Files with a type whose first line says the name: `class JwtCodecs implements JwtCodec`."""
    symbols = view.snapshot.symbols
    rows = symbols.rows_of(name)
    if not any(symbols.kinds[int(symbols.kind[row])] in _ABSTRACT for row in rows):
        return []
    own = int(symbols.name[rows[0]])
    implementing = [number for number, kind in enumerate(symbols.kinds) if kind in _IMPLEMENTING]
    found: list[int] = []
    for doc in view.users_of(name):
        inside = slice(int(symbols.pointers[doc]), int(symbols.pointers[doc + 1]))
        types = np.isin(symbols.kind[inside], implementing)
        starts = set(symbols.start[inside][(symbols.name[inside] != own) & types].tolist())
        lines = enumerate(view.text(doc).split("\n"), start=1)
        if any(number in starts and name in line and name in WORD.findall(line) for number, line in lines):
            found.append(doc)
            if len(found) == MAX_DEFINERS:
                break
    return found


def _spread(found: Sequence[tuple[float, GapCandidate]]) -> list[GapCandidate]:
    """The most valuable references, those that lead to a file not yet led to before more of the same."""
    waiting = sorted(found, key=lambda g: (-g[0], g[1].need))
    led: set[str] = set()
    out: list[GapCandidate] = []
    while waiting and len(out) < _MAX_REFERENCES:
        best = max(waiting, key=lambda g: g[0] * (1.0 if set(g[1].search.paths) - led else _SAME_HOME))
        waiting.remove(best)
        led |= set(best[1].search.paths)
        out.append(best[1])
    return out


def words_missing(selection: Selection) -> list[GapCandidate]:
    """Main words of the title that no selected file says in its code."""
    info = selection.information
    said: set[str] = set()
    for doc, judgment in zip(selection.docs, selection.files, strict=True):
        if judgment.role is not Role.DOC:
            said |= _defines(selection, doc) | _stood_for(selection.passages.get(doc, TextMatch()), info)
    text = selection.task.text
    surface = surface_words(selection.query.title or text[:_TITLE_CHARS])
    best = max((j.relevance for j in selection.files), default=0.0)
    unnamed = sum(w for t, w in info.weights.items() if t in info.title and not len(selection.named_docs[t]))
    unnamed /= info.title_total or 1.0
    if selection.task.diff is not None:  # what is asked about is there, whatever its message says
        unnamed = 0.0
    found: list[GapCandidate] = []
    seen: set[str] = set()
    for term in sorted(info.title, key=lambda t: (-info.weights[t], t)):
        share = info.weights[term] / info.title_total if info.title_total else 0.0
        word = surface.get(term, term)
        if share < _MAIN_SHARE or term in said or word.lower() in INTENT_WORDS or word in seen:
            continue
        seen.add(word)  # the parts of a compound are one word
        claim = _claim(selection, term, word)
        if claim is None:
            continue
        form, need, true = claim
        home = _named_by(selection, term) if form in ("elsewhere", "in passing") else None
        search = Search(words=(word,), paths=() if home is None else (selection.view.paths[home],))
        worth = replace(selection.features_of([] if home is None else [home], best), unnamed=unnamed)
        evidence = (Evidence(text=word), *(Evidence(path) for path in search.paths))
        kind_of: GapKind = "aspect" if form == "in passing" else "terminology"
        shown = is_telling(word, text) and true()
        found.append(GapCandidate(form, kind_of, need, evidence, word, search, worth, shown=shown))
    return found[:_MAX_WORDS]


def _claim(selection: Selection, term: str, word: str) -> tuple[str, str, Callable[[], bool]] | None:
    """What is missing of a main word of the title, as form, need and test; None where the tree has it as a compound."""
    content, absence = selection.view.snapshot.content, selection.absence
    if not content.document_frequency(term_id(term)):
        if content.document_frequency(term_id(word.lower())):
            return None  # the index keeps compounds unstemmed
        need = f"no file says “{word}”: which word does this codebase use for it?"
        return "unsaid", need, lambda: not (absence.named_anywhere(word) or absence.said(word))
    if not selection.view.name_df(term):
        need = f"“{word}” is said, but nothing is named so: which word does this codebase use for it?"
        return "unnamed", need, lambda: not (absence.named_anywhere(word) or absence.named(word))
    if not any(term in selection.passages[d].terms for d in selection.docs if d in selection.passages):
        need = f"no relevant file says “{word}”: another word, or another part of the code?"
        return "elsewhere", need, lambda: not absence.said(word)
    need = f"“{word}” is said in passing only: no name in the relevant files carries it"
    return "in passing", need, lambda: not absence.named(word)


def aspects(selection: Selection) -> list[GapCandidate]:
    """Files not selected whose names say most of what the names of no selected file say."""
    info, view = selection.information, selection.view
    named: set[str] = set()
    for doc in selection.docs:
        named |= _defines(selection, doc) | _stood_for(selection.passages.get(doc, TextMatch()), info)
    text = selection.task.text
    surface = surface_words(text)
    left = {t: info.weights[t] for t in info.weights if t not in named and t in surface}
    found: list[GapCandidate] = []
    held = np.zeros(len(view.snapshot), bool)
    held[list(selection.excluded)] = True
    best = max((j.relevance for j in selection.files), default=0.0)
    while left and len(found) < _MAX_ASPECTS:
        says = selection.shares(left)
        says[held] = 0
        # Of files that say as much, the one tied to the task as a whole.
        order = np.argsort(-(says + 0.5 * selection.overlaps * (says > 0)), kind="stable")[:_LOOKED_AT]
        fit = [int(d) for d in order if view.snapshot.role(int(d)) is Role.IMPLEMENTATION]
        if not fit or says[fit[0]] < _LEAST_ASPECT:
            break
        doc = fit[0]
        carried = sorted((t for t in left if _says(selection, t, doc)), key=lambda t: (-left[t], t))
        shown = tuple(dict.fromkeys(surface[t] for t in carried))[:_ASPECT_WORDS]
        path = view.paths[doc]
        telling = tuple(w for w in shown if is_telling(w, text) and not selection.absence.named(w))
        named_by = ", ".join(f"“{word}”" for word in telling or shown)
        need = f"nothing selected is named by {named_by} of the task; {path} is"
        evidence = (*(Evidence(text=word) for word in telling or shown), Evidence(path))
        search, worth = Search(words=shown, paths=(path,)), selection.features_of([doc], best)
        aspect = GapCandidate("aspect", "aspect", need, evidence, " ".join(telling or shown), search, worth)
        found.append(replace(aspect, shown=bool(telling)))
        held[doc] = True
        left = {t: worth for t, worth in left.items() if t not in carried}
    return found


def surface_words(text: str) -> dict[str, str]:
    """For every term of a text the first word that yields it."""
    return {term: word for word in WORD.findall(text)[::-1] for term in analyse_word(word)}


def _says(selection: Selection, term: str, doc: int) -> bool:
    """Whether the path or a definition of a document says a term of the task."""
    docs = selection.named_docs[term]
    at = int(np.searchsorted(docs, doc))
    return at < len(docs) and int(docs[at]) == doc


def _named_by(selection: Selection, term: str) -> int | None:
    """The file not selected that is named by a term and tied most to the task, if there is one."""
    docs = {int(d) for d in selection.named_docs[term]} - selection.excluded
    inside = [d for d in docs if selection.view.snapshot.role(d) is Role.IMPLEMENTATION]
    return min(inside, key=lambda d: (-float(selection.overlaps[d]), d), default=None)


def _stood_for(passages: TextMatch, info: TaskTerms) -> set[str]:
    """Task terms that a learned word stands for in a file."""
    standing = {task for pairs in info.expansions.values() for task, _ in pairs}
    return standing & passages.terms


def _defines(selection: Selection, doc: int) -> set[str]:
    """Task terms (stand-ins included) that the names of a document carry: its definitions and its path."""
    symbols = selection.view.snapshot.symbols
    words = {
        symbols.names[int(symbols.name[row])]
        for row in range(int(symbols.pointers[doc]), int(symbols.pointers[doc + 1]))
    }
    words |= set(WORD.findall(selection.view.paths[doc]))
    found: set[str] = set()
    for word in words:
        for term in analyse_word(word):
            found |= {task_term for task_term, _ in selection.information.matches(term)}
    return found
