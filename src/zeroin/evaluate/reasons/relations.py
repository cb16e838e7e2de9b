"""Reasons from a file's commits, its relation to the best files, to the change and to gaps, and the map of the parts.

Each function checks the fact that its docstring states, and returns None where it does not hold.
"""

import posixpath
import re
from collections.abc import Callable, Mapping
from itertools import islice

from zeroin.evaluate.languages import STRING, imported_together, strangers
from zeroin.evaluate.reasons.subject import Subject, line_of, listed
from zeroin.evaluate.spans.candidates import is_comment
from zeroin.index.locate import changed_docs, main_changed_docs, stem_key
from zeroin.index.overview import Landmark
from zeroin.patterns import lazy_pattern, lines_with
from zeroin.terms import WORD, shortened, split_identifier, term_id
from zeroin.tree import Definition
from zeroin.types import Edit, Evidence, Origin, Reason, Role, SymbolMention
from zeroin.wording import counted, first_of

_LEAST_IMPORTERS = 2
_LEAST_TOGETHER = 2  # commits
_MAX_PARTS = 2  # of the map in one sentence
_LEAST_SHARE = 0.005  # of the code
_SHARED = 0.5  # of the words of a commit or of the task, by rarity, at least
_READ_USERS = 3  # files read to find who refers to a symbol
_MAX_NAMES = 3  # names of a change in one sentence
_HAS_IT = "has its own", "as the change does"
_SPACES = frozenset({"package", "namespace", "module"})
_REOPENS = frozenset({"extension", "impl"})  # of a type that is defined elsewhere
_IMPORT = lazy_pattern(
    r"\s*(?:(?:import|use|using|require|#\s*include|export|package|mod|source|load|alias)\b|.{0,100}@import\s*\(|"
    r"from\b(?:\s*['\"]|.*import\b))"
)
_REQUIRES = lazy_pattern(r"\brequire(?:_once|_relative)?\b[^'\"(\[]{0,80}['\"(\[]")
_INDEX_FILES = ("__init__", "index", "mod", "lib", "init")  # imported by the name of their folder
_CODE = (Role.IMPLEMENTATION, Role.TEST, Role.EXAMPLE)
REMOVED = "which the change removes"
_EDITS: Mapping[Edit, str] = {  # what a change does to a name that other files may depend on
    "signature": "whose definition the change alters",
    "removed": REMOVED,
    "moved": "which the change moves",
    "body": "at which the change is made",
}
_README_ENDINGS = frozenset("md markdown rst txt adoc asciidoc org pod rdoc textile".split()) | {""}
_ROLES: Mapping[Role, tuple[str, str]] = {
    Role.TEST: ("a test", "tests"),
    Role.DOC: ("documentation", "documentation"),
    Role.CONFIG: ("configuration", "configuration"),
    Role.EXAMPLE: ("an example", "examples"),
    Role.GENERATED: ("generated", "generated files"),
    Role.VENDORED: ("vendored", "vendored files"),
    Role.DATA: ("data", "data"),
}


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


# Kind of evidence → kind of the reason, whether the other file is of the change, what both share, sentence.
_NEIGHBOURS: Mapping[str, tuple[str, bool, Callable[[str], object], str]] = {
    "beside": ("beside", False, _folder, "lies beside {}"),
    "same_stem": ("kin", False, stem_key, "is named like {}"),
    "changed_stem": ("name", True, stem_key, "is named like {}, which the change touches"),
    "folder": ("path", True, _folder, "lies beside {}, which the change touches"),
}


def matching_commit(s: Subject) -> Reason | None:
    """The best commit by BM25 that changed it; it must share half of what it or the task says, to convince a reader."""
    history, own, shared = s.view.history, s.view.commits_of(s.doc), s.question.overlap
    commit = next((c for c in s.question.matching_commits if c in own and shared(c)), None)
    if commit is None or shared(commit) < _SHARED:
        return None
    identity, subject = history.commits[commit], history.subjects[commit]
    text = f"commit {identity[:10]} “{shortened(subject)}” resembles the task and changed it"
    return s.reason("history", text, Evidence(s.path, commit=identity, text=subject))


def changes(s: Subject) -> Reason | None:
    """How often it was changed, and when last."""
    history, own = s.view.all_commits, s.view.changes_of(s.doc)
    if not len(own):
        return None
    newest = int(own[0])
    identity, subject = history.commits[newest], history.subjects[newest]
    least = "at least " if history.partial else ""
    text = f"changed in {least}{counted(len(own), 'commit')}, last in {identity[:10]} “{shortened(subject)}”"
    return s.reason("changes", text, Evidence(s.path, commit=identity, text=subject))


def cochanged(s: Subject) -> Reason | None:
    """The best file that most commits changed together with it; one commit alone may be chance."""
    history, own = s.view.history, s.view.commits_of(s.doc)
    together = {doc: s.view.commits_of(doc) & own for doc in s.others}
    most = max(together, key=lambda doc: len(together[doc]), default=None)
    if most is None or len(together[most]) < (_LEAST_TOGETHER if s.strict else 1):
        return None
    least = "at least " if history.partial else ""
    text = f"changed together with {s.view.paths[most]} in {least}{counted(len(together[most]), 'commit')}"
    evidence = Evidence(s.view.paths[most], commit=history.commits[min(together[most])])
    return s.reason("cochange", text, evidence)


def imports(s: Subject) -> Reason | None:
    """It imports one of the best files, or is imported by it."""
    imported = set(s.view.snapshot.imports_of(s.doc).tolist())
    importers = set(s.view.snapshot.importers_of(s.doc).tolist())
    for doc in s.others:
        path = s.view.paths[doc]
        group = imported_together(s.view.snapshot.language(doc if doc in imported else s.doc))
        if doc in imported:
            line = _import_line(s, s.path, path)
            text = f"imports {path} (line {line})" if line else f"imports {group and f'the {group} of '}{path}"
            return s.reason("graph", text, Evidence(s.path, line, text=path))
        if doc in importers:
            line = _import_line(s, path, s.path)
            by = f"{path}:{line}" if line else path
            text = f"is in a {group} that {by} imports" if group and not line else f"is imported by {by}"
            return s.reason("graph", text, Evidence(path, line, text=s.path))
    return None


def _import_line(s: Subject, importer: str, target: str) -> int | None:
    """Find the line of `importer` that names `target`, where one line does."""
    folder, _, file = target.rpartition("/")
    name = file.partition(".")[0]
    if name in _INDEX_FILES:
        name = folder.rpartition("/")[2]
    whole = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    for number, line in lines_with(s.view.text(s.view.numbers[importer]), name) if name else ():
        if whole.search(line) and (_IMPORT.match(line) or _REQUIRES.search(line)):
            return number
    return None


def hub(s: Subject) -> Reason | None:
    """Many files import it."""
    importers = len(s.view.snapshot.importers_of(s.doc))
    return s.reason("hub", f"imported by {importers} files") if importers >= _LEAST_IMPORTERS else None


def neighbour(kind: str, s: Subject) -> Reason | None:
    """It shares its folder, or its name with marks of tests aside, with one of the best or of the changed files."""
    reason, of_change, key, text = _NEIGHBOURS[kind]
    docs = main_changed_docs(s.query, s.view) if of_change else s.others
    others = (s.view.paths[doc] for doc in docs if doc != s.doc)
    path = next((p for p in others if key(p) == key(s.path) and (key(p) or of_change)), None)
    return s.reason(reason, text.format(path), Evidence(path)) if path else None


def uses_changed(s: Subject) -> Reason | None:
    """It uses rare names of the change, each with its line; names whose definitions the change edits come first.

    A namespace that several files open is left out: it says where the change lies, not what a file uses. Code in a
    language that can call nothing of the change is tied by no name.
    """
    changed = set(changed_docs(s.query, s.view))
    language = s.view.snapshot.language
    is_code = s.view.snapshot.role(s.doc) in _CODE
    if is_code and changed and all(strangers(language(s.doc), language(doc)) for doc in changed):
        return None
    names = s.view.snapshot.names
    used: list[tuple[bool, float, str, SymbolMention]] = []
    for mention in s.query.symbols:
        name = term_id(mention.name)
        said = mention.origin is Origin.DIFF and s.doc in names.docs[names.rows(name)]
        if said and not _is_open_space(s, mention.name):
            value = -mention.weight * names.idf(name)
            used.append((mention.edit not in _EDITS, value, mention.name, mention))
    own = _own_definitions(s)
    ties = (_tie(s, mention, own, changed) for *_, mention in sorted(used, key=lambda u: u[:3]))
    found: dict[tuple[str, str], list[Evidence]] = {}
    for tie, cited in islice(filter(None, ties), _MAX_NAMES):
        found.setdefault(tie, []).append(cited)
    if not found:
        return None
    text = "; ".join(f"{verb} {listed(cited)}, {edit}" for (verb, edit), cited in found.items())
    return s.reason("symbol", text, *(e for cited in found.values() for e in cited))


def _own_definitions(s: Subject) -> dict[str, Definition]:
    """Return the definitions of the file by name. A name that it imports is none: `const isPlain = require(…)`."""
    lines = s.text.split("\n")
    own: dict[str, Definition] = {}
    for definition in s.view.snapshot.symbols.of_document(s.doc):
        line = "".join(lines[definition.start - 1 : definition.end])  # empty where the file is shorter by now
        imported = definition.start == definition.end and (_IMPORT.match(line) or _REQUIRES.search(line))
        if definition.kind not in _REOPENS and not imported:
            own.setdefault(definition.name, definition)
    return own


def _tie(
    s: Subject, mention: SymbolMention, own: Mapping[str, Definition], changed: set[int]
) -> tuple[tuple[str, str], Evidence] | None:
    """Return what a name of the change is to this file (verb and clause), and where; None where it says too little.

    A plain word (`close`, `when`) that both say is no tie, unless the change edits what it means here.
    """
    name, plain = mention.name, len(split_identifier(mention.name)) == 1
    if name in own:
        tie = _own(s, mention, changed)
        if s.strict and plain and name[:1].islower() and tie == _HAS_IT:
            return None
        return tie, s.cited([own[name]])[0]
    line = line_of(name, s.text)
    if line is None:
        return None
    meant = _is_meant(s, mention, line, changed)
    if plain and not meant:
        defined = len(s.view.snapshot.symbols.rows_of(name)) > 0  # others are words of the language and its library
        if not defined or (s.strict and name[:1].islower()):
            return None
    kept = mention.edit == "removed" and _is_left(s, name, changed)
    clause = _EDITS[mention.edit] if meant and not kept else "as the change does"
    return ("uses", clause), Evidence(s.path, line, name)


def _is_left(s: Subject, name: str, changed: set[int]) -> bool:
    """Tell whether a name that a file of the change lost is still defined, or said by one of its files."""
    names, symbols = s.view.snapshot.names, s.view.snapshot.symbols
    return len(symbols.rows_of(name)) > 0 or not changed.isdisjoint(names.docs[names.rows(term_id(name))].tolist())


def place_of_undefined(s: Subject) -> Reason | None:
    """It does not define names that the change uses as its own, nor does any other file."""
    found = [one for one in s.question.undefined if one.home == s.doc][:_MAX_NAMES]
    if not found:
        return None
    names = ", ".join(dict.fromkeys(one.written for one in found))
    lines = ", ".join(dict.fromkeys(f"{posixpath.basename(one.user)}:{one.line}" for one in found))
    evidence = (Evidence(one.user, one.line, one.name) for one in found)
    return s.reason("symbol", f"does not define {names} yet, which the change uses ({lines})", *evidence)


def broken_import(s: Subject) -> Reason | None:
    """It imports a file that the change takes away."""
    found = next((one for one in s.question.broken if one.doc == s.doc), None)
    if found is None:
        return None
    does = "renames" if found.renamed else "removes"
    text = f"imports {shortened(found.written)} (line {found.line}); the change {does} {found.gone}"
    return s.reason("symbol", text, Evidence(s.path, found.line, found.written), Evidence(text=found.gone))


def _own(s: Subject, mention: SymbolMention, changed: set[int]) -> tuple[str, str]:
    """Return what a definition of this file is to a change that says its name."""
    names, symbols = s.view.snapshot.names, s.view.snapshot.symbols
    saying = changed.intersection(names.docs[names.rows(term_id(mention.name))].tolist())
    defining = changed & symbols.homes_of(mention.name)
    if not defining and saying.intersection(s.view.snapshot.importers_of(s.doc).tolist()):
        return "defines", "which the change uses"
    has_it = defining or mention.edit in ("signature", "body", "added", "moved")
    return _HAS_IT if has_it else ("defines", "named by the change")


def _is_meant(s: Subject, mention: SymbolMention, line: int, changed: set[int]) -> bool:
    """Tell whether a line means the definition that the change edits: a plain word can be a member of anything.

    The function of a hunk must be defined by a changed file: git takes a call for one, too. What an unchanged file
    defines, too, and a plain word that no file defines any more, count only where the file imports a changed one; so
    does `total` of `cart.total`.
    """
    if mention.edit not in _EDITS:
        return False
    homes = s.view.snapshot.symbols.homes_of(mention.name)
    if mention.edit == "body" and homes.isdisjoint(changed):
        return False
    plain = len(split_identifier(mention.name)) == 1
    alone = homes <= changed if homes else not plain
    if alone and not plain:
        return True
    said = s.text.split("\n")[line - 1]
    bare = re.search(rf"(?<![\w.>:]){re.escape(mention.name)}(?!\w)", said)
    imports = not changed.isdisjoint(s.view.snapshot.imports_of(s.doc).tolist())
    return imports or (alone and bare is not None)


def _is_open_space(s: Subject, name: str) -> bool:
    """Tell whether a name is that of a namespace which several files open."""
    symbols = s.view.snapshot.symbols
    rows = symbols.rows_of(name)
    kinds = {symbols.kinds[kind] for kind in symbols.kind[rows].tolist()} - {"section"}  # a heading that says it
    return bool(kinds) and kinds <= _SPACES and len(set(symbols.docs[rows].tolist())) > 1


def followed(s: Subject) -> Reason | None:
    """It defines, or uses like other files, a symbol that a reference gap asks for."""
    symbols = s.view.snapshot.symbols
    for gap in s.candidate.asked_by:
        if gap.kind == "reference" and gap.search.symbols:
            name = gap.search.symbols[0]
            row = next((r for r in symbols.rows_of(name).tolist() if int(symbols.docs[r]) == s.doc), None)
            reason = _defines_followed(s, symbols.row(row)) if row is not None else _uses_followed(s, name)
            if reason is not None:
                return reason
    return None


def _defines_followed(s: Subject, definition: Definition) -> Reason | None:
    user = _user(s, definition.name)
    if user is None:
        return None
    home = s.cited([definition])
    return s.reason("followed", f"defines {listed(home)}, which {user.path}:{user.line} refers to", *home, user)


def _uses_followed(s: Subject, name: str) -> Reason | None:
    if s.doc not in s.view.docs_of_symbol(name):
        return None
    line, others = _reference_line(name, s.text), len(s.view.users_of(name)) - 1
    if line is None or others <= 0:
        return None
    text = f"uses {name} (line {line}), as {counted(others, 'other file')} do{'' if others > 1 else 'es'}"
    return s.reason("followed", text, Evidence(s.path, line, name))


def _user(s: Subject, name: str) -> Evidence | None:
    """Find a file that refers to a symbol, one of the best if any does, and the line where it does."""
    names = s.view.snapshot.names
    holders = names.docs[names.rows(term_id(name))].tolist()
    # A word of a build file, of a document or of another language that is spelled like the symbol is no reference.
    home, language = s.view.snapshot.language(s.doc), s.view.snapshot.language
    users = {doc for doc in holders if doc != s.doc and s.view.snapshot.role(doc) in _CODE}
    users = {doc for doc in users if not strangers(language(doc), home)}
    best = [doc for doc in s.question.best if doc in users]
    for doc in [*best, *sorted(users.difference(best))[:_READ_USERS]]:
        line = _reference_line(name, s.view.text(doc))
        if line is not None:
            return Evidence(s.view.paths[doc], line, name)
    return None


def _reference_line(name: str, text: str) -> int | None:
    """Find the first line of code that says an identifier outside of strings."""
    said = ((n, STRING.sub(" ", line)) for n, line in lines_with(text, name) if not is_comment(line))
    return next((n for n, line in said if name in WORD.findall(line)), None)


def asked(s: Subject) -> Reason | None:
    """The need of the gap whose search brought it."""
    kinds = ("dependency", "counterpart")
    gaps = [gap for gap in s.candidate.asked_by if gap.kind in kinds and s.path in gap.search.paths]
    if not gaps:
        return None
    best = max(gaps, key=lambda gap: gap.user_relevance)
    return Reason("asked", best.need, best.evidence)


def role(s: Subject, wanted: bool = True) -> Reason | None:
    """Its role, where the task is about it; unless `wanted`, where the task is not."""
    own = s.view.snapshot.role(s.doc)
    if own not in _ROLES or (own in s.query.wanted_roles) != wanted:
        return None
    what, kind = _ROLES[own]
    return s.reason("role", f"is {what}, and the task is {'' if wanted else 'not '}about {kind}")


def landmark(s: Subject) -> Reason | None:
    """It is on the map of the repository."""
    found = s.view.overview.landmarks.get(s.doc)
    if found is None:
        return None
    read = " read" if s.view.all_commits.partial else ""
    facts = _of_file(s.path, found, read) if found.part else _of_document(s.path, found)
    return s.reason("landmark", "; ".join(facts))


def _of_document(path: str, landmark: Landmark) -> list[str]:
    if not landmark.named:
        stem, _, kind = posixpath.basename(path).partition(".")
        if stem.lower() == "readme" and kind.lower() in _README_ENDINGS:
            return ["the README of the whole"]
        readme = stem.lower().startswith("readme")
        return ["its name begins with README" if readme else "its name says that it is about the whole"]
    number = f"{len(landmark.named)} of {counted(landmark.parts, 'part')}: " if landmark.parts else ""
    return [f"names {number}{first_of(landmark.named, _MAX_PARTS)}"]


def _of_file(path: str, landmark: Landmark, read: str) -> list[str]:
    share = f"{landmark.share:.0%} of the code" if landmark.share >= _LEAST_SHARE else ""
    size = ", ".join(s for s in (counted(landmark.files, "file"), share) if s)
    across = f", in {counted(landmark.across, 'other part')}" if landmark.across else ""
    first = not landmark.place  # the first file of its part
    facts = (
        f"a part of its own{f', {share}' if share else ''}"
        if path == landmark.part
        else f"stands for {landmark.part} ({size})"
        if first
        else f"another file of {landmark.part}",
        landmark.entry,
        f"imported by {landmark.importers} files{across}" if landmark.importers >= _LEAST_IMPORTERS else "",
        f"changed in {landmark.commits:,} of {landmark.history:,} commits{read}" if landmark.commits else "",
        f"uses {first_of(landmark.uses, _MAX_PARTS)}" if first and landmark.uses else "",
        f"used by {first_of(landmark.used_by, _MAX_PARTS)}" if first and landmark.used_by else "",
    )
    return [fact for fact in facts if fact]
