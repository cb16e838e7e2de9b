"""What a change leaves undefined: names that it uses and nothing defines, and imports of files that it removes.

`TextUtil.escape(…)` in an added line names a class of the tree by its qualifier, `from .text import escape` a module.
If the file of that class or module is not part of the change, and no unchanged file says the name, the name is yet to
be defined there: the change lacks the file where it belongs. Nothing is said where it may come from elsewhere: from a
base outside of the tree, from a library's class of the same name, by a wildcard, or from generated code.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence, Set
from functools import cache
from itertools import chain
from typing import NamedTuple

from zeroin.corpus.languages import language_of
from zeroin.imports.tree import module_name
from zeroin.index.view import View
from zeroin.patterns import lazy_pattern
from zeroin.terms import WORD, term_id
from zeroin.tree import Definition, Diff, DiffFile, Import
from zeroin.types import Role

# A relevance below what was measured, withholding one file of a commit at a time: in 93 commits of 33 repositories, in
# which the rules below were chosen, the file was always the withheld one; then in 12 of 12 of 14 other repositories.
PRECISION = 0.9
_MAX_LINES, _MAX_LINE, _MAX_REMOVED, _MAX_USES = 4_000, 400, 400_000, 200
_MOST_GONE = 40  # paths that a change removes or renames whose importers are looked for
_MIN_NAME, _HEAD_LINES, _MAX_BASES = 4, 6, 4
# The languages in which it was measured; those of a family name classes of each other.
_FAMILIES = {
    **{language: language for language in ("python", "java", "csharp", "php", "rust", "javascript")},
    "scala": "java",
    "typescript": "javascript",
    "tsx": "javascript",
}
_TYPES = frozenset("class struct enum object module interface trait record union protocol".split())
_OPENS = lazy_pattern(rf"\b(?:{'|'.join(sorted(_TYPES))}|actor|type)\s+([A-Z]\w*)")
_DEFINES = lazy_pattern(r"\b(?:def|fn|fun|func|function|const|static|let|val|var)\s+([A-Za-z_]\w*)")
_CHAIN = lazy_pattern(r"(?<![\w.$@:>)\]/\\-])[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)+")
_ASSIGNED = lazy_pattern(r"\b([A-Za-z_]\w*)\s*=(?![=>])")
_ADDED = lazy_pattern(r"\.([A-Za-z_]\w*)\s*=(?![=>])")  # to an object
_BARE = lazy_pattern(r"(?<![\w.:])[A-Za-z_]\w*")
# A line of Python that binds a name: others, as those of an import over several lines, only use it.
_MAY_DEFINE = lazy_pattern(r"(?<![=!<>])=(?!=)|\b(?:as|for|def|class|global)\s")
_PARTS = lazy_pattern(r"\.|::")
_COMMENT = lazy_pattern(r"\s*(?:#(?!\w)|//|/\*|\*|--\s|;;|\"\"\"|''')")
_STRING = lazy_pattern(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`")
_AFTER_CODE = lazy_pattern(r"(?:^|\s)(?://|#(?!\w)).*")
_FROM = lazy_pattern(r"\s*from\s+(\.*[\w.]+)\s+import\s+\(?([\w\s,]+)\)?")
_LISTED = lazy_pattern(r"\b(?:import|export)\s+(?:\w+\s*,\s*)?\{([^{}]*)\}\s*from\s*[\"'](\.[^\"']*)[\"']")
_RENAMED = lazy_pattern(r"\s+as\s+\w+|^\s*type\s+")
_IMPORT = lazy_pattern(r"\s*(?:import|from|use|using|require|const\b.*\brequire)\b")
_RELATIVE = lazy_pattern(r"[\"']\.|\bfrom\s+\.|\b(?:crate|self|super)::")
_HERE = frozenset(("crate", "self", "super"))
_SCRIPTS = (".ts", ".tsx", ".js", ".jsx", ".mjs")
# What every type has, and bases that bring no member that is called by the name of the class.
_BUILT_IN = frozenset(
    "values valueOf prototype class this super self name call apply bind default length toString hashCode "
    "equals ordinal getClass compareTo hasOwnProperty constructor unapply tupled curried fromProduct "
    "fromOrdinal cases from tryFrom clone hash into try_from try_into to_string partial_cmp serialize "
    "deserialize Equals ReferenceEquals ToString GetHashCode GetType".split()
)
_PLAIN_BASES = frozenset("object Enum IntEnum StrEnum Flag IntFlag ABC Protocol Generic Exception".split())
_ARGUMENTS = lazy_pattern(r"<[^<>]*>|\[[^][]*\]")  # of types
_PARENTHESES = lazy_pattern(r"\([^()]*\)")
_BASES = lazy_pattern(r"\bextends\b|\bwith\b|[:<(]")
_END = lazy_pattern(r":[ \t]*(?:#.*)?(?:\n|$)")  # of the head of a class of Python
_INTERFACE = lazy_pattern(r"I[A-Z]")
_MIXED_IN = lazy_pattern(r"^[ \t]*use\s+\\?(?:\w+(?:\\|::))*([A-Z]\w*)", re.MULTILINE)
_FROM_ELSEWHERE = lazy_pattern(
    r"^[ \t]*from\s+\S+\s+import\s+\*|\b__getattr__\b|\bexport\s+\*|\bpub\s+use\s+[\w:]+::\*|\blombok\b"
    r"|\b__callStatic\b|\bsetattr\(|\bglobals\(\)|\bpartial (?:class|struct|record)\b|^\w+! ?[({]",
    re.MULTILINE,
)
# A macro or decorator of a type that may add functions, which are in lower case.
_DERIVED = lazy_pattern(
    r"#\[derive\([^)]{0,400}?"
    r"\b(?!(?:Debug|Clone|Copy|Default|(?:Partial)?(?:Eq|Ord)|Hash|(?:S|Des)erialize|Error)\b)[A-Z]"
    r"|^[ \t]*@(?!(?:[a-z]+\.)?(?:dataclass|define|frozen|mutable|s|final|unique|total_ordering|runtime_checkable)\b)"
    r"\w.*\n(?:[ \t]*@.*\n){0,8}[ \t]*class\s",
    re.MULTILINE,
)


class Undefined(NamedTuple):
    """A name on an added line of a file, as it is `written` there, and the document that has to define it."""

    name: str
    written: str
    user: str
    line: int
    home: int


class _Home(NamedTuple):
    """What a file says that may have to define a name, and whether macros add `any` names or `functions` to it."""

    words: Set[str]
    any: bool
    functions: bool

    @classmethod
    def of(cls, text: str) -> "_Home":
        found = (pattern.search(text) is not None for pattern in (_FROM_ELSEWHERE, _DERIVED))
        return cls(frozenset(WORD.findall(text)), *found)

    def lacks(self, name: str) -> bool:
        """Tell whether nothing in the file can define a name."""
        return not self.any and name not in self.words and not (self.functions and name[:1].islower())


def undefined_names(diff: Diff, view: View) -> tuple[Undefined, ...]:
    """Return names that the added lines of a change use and that nothing defines, each once for a file."""
    changed = set(view.docs_of(file.path for file in diff.files))
    code: dict[str, list[tuple[int, str]]] = {}
    left = _MAX_LINES
    for file in diff.files:
        code[file.path] = _code(file)[:left]
        left -= len(code[file.path])
    uses = {path: _uses(path, lines, changed, view) for path, lines in code.items()}
    if not any(uses.values()):
        return ()
    opened = {posixpath.basename(path).partition(".")[0] for path in code}
    known = {word for file in diff.files for word in WORD.findall(file.removed[:_MAX_REMOVED])}
    for _, line in chain.from_iterable(code.values()):
        opened.update(_OPENS.findall(line))
        known.update(_DEFINES.findall(line), _ADDED.findall(line))
    # Another file of the change that says a name without the qualifier may define it.
    for path, lines in code.items():
        said = (line for _, line in lines if not path.endswith(".py") or _MAY_DEFINE.search(line))
        known |= {word for line in said for word in _BARE.findall(line)} - {use.name for use in uses[path]}
    out: dict[tuple[str, str, int], Undefined] = {}
    for path, found in uses.items():
        for use in found:
            qualifier = use.written.rpartition(".")[0]
            opens = qualifier[:1].isupper() and qualifier in opened
            if not opens and use.name not in known:
                out.setdefault((path, use.name, use.home), use)
    return tuple(out.values())


class BrokenImport(NamedTuple):
    """An import of a path that the change takes away, as it is `written` on a line of a document."""

    doc: int
    written: str
    line: int
    gone: str
    renamed: bool


def broken_imports(diff: Diff, view: View) -> tuple[BrokenImport, ...]:
    """Return the imports of files that a change deletes or renames, in files outside of the change.

    Not of those that the tree has again. One that is not searched, such as a large one, is not gone.
    """
    sides = [(file.old_path, file.old_path != file.path, file.deleted) for file in diff.files if file.old_path]
    gone = {old: renamed for old, renamed, deleted in sides if (renamed or deleted) and view.doc_of(old) is None}
    if not gone:
        return ()
    changed = set(view.docs_of(file.path for file in diff.files))
    found = view.imports_of_missing(tuple(gone)[:_MOST_GONE])
    return tuple(
        BrokenImport(doc, _written(imported, path), imported.line, path, gone[path])
        for doc, imported, path in found
        if doc not in changed
    )


def _written(imported: Import, path: str) -> str:
    name = module_name(path)
    return f"{name} of {imported.module}" if name in imported.names else imported.module


def _code(file: DiffFile) -> list[tuple[int, str]]:
    """Return the lines that a change adds to a file and did not take from it, with numbers; no comments."""
    removed = set(file.removed.split("\n"))
    rows = zip(file.numbers, file.added.split("\n"), strict=False)
    return [(n, line[:_MAX_LINE]) for n, line in rows if n and line not in removed and not _COMMENT.match(line)]


def _uses(path: str, lines: Sequence[tuple[int, str]], changed: Set[int], view: View) -> list[Undefined]:
    """Return the uses of names that the home in question, unchanged itself, does not define."""
    family = _FAMILIES.get(language_of(path), "")
    names, out = view.snapshot.names, list[Undefined]()

    @cache
    def home_of(prefix: str, qualifier: str) -> int | None:
        if qualifier[:1].isupper():
            return _type(view, path, prefix, qualifier, family, lines)
        return _module(view, path, qualifier, family)

    @cache
    def module_of(_: str, module: str) -> int | None:
        return _python_module(view, path, module) if family == "python" else _script(view, path, module)

    @cache
    def read(home: int) -> _Home:
        return _Home.of(view.text(home))

    @cache
    def is_new(name: str) -> bool:  # no unchanged file says it
        usual = len(name) < _MIN_NAME or name in _BUILT_IN or name.startswith("__")
        return not usual and changed >= set(names.docs[names.rows(term_id(name))].tolist())

    for number, line in lines if family else ():
        for prefix, qualifier, name, imported in _qualified(line, family):
            home = (module_of if imported else home_of)(prefix, qualifier) if is_new(name) else None
            if home is None or home in changed or not read(home).lacks(name):
                continue
            if len(out) < _MAX_USES:
                stem = qualifier.lstrip(".") if family == "python" else posixpath.basename(qualifier).partition(".")[0]
                out.append(Undefined(name, f"{stem}.{name}", path, number, home))
    return out


def _qualified(line: str, family: str) -> Iterator[tuple[str, str, str, bool]]:
    """Yield what a line uses: what precedes the qualifier, the qualifier, the name, and whether it imports the name."""
    if family == "python" and (match := _FROM.match(line)):
        yield from (("", match[1], _RENAMED.sub("", name).strip(), True) for name in match[2].split(","))
        return
    if family == "javascript" and (match := _LISTED.search(line)):
        yield from (("", match[2], _RENAMED.sub("", name).strip(), True) for name in match[1].split(","))
        return
    code = _AFTER_CODE.sub("", _STRING.sub('""', line))
    if _IMPORT.match(code) and family not in ("java", "rust"):
        return
    assigned = set(_ASSIGNED.findall(code))
    for match in _CHAIN.finditer(code):
        parts = _PARTS.split(match[0])
        at = next((i for i, part in enumerate(parts[:-1]) if part[:1].isupper()), 0)
        if parts[at + 1] not in assigned:
            yield parts[at - 1] if at else "", parts[at], parts[at + 1], False


def _module(view: View, path: str, name: str, family: str) -> int | None:
    """Return the module of Python that a file imports by this name."""
    doc = view.doc_of(path)
    if family != "python" or doc is None:
        return None
    homes = [d for d in view.snapshot.imports_of(doc).tolist() if posixpath.basename(view.paths[d]) == f"{name}.py"]
    if len(homes) != 1:
        return None
    plain = re.search(rf"^[ \t]*import\s(?:.*,)?\s*{name}\b(?!\.)", view.text(doc), re.MULTILINE)
    return homes[0] if not plain or _is_top(view, homes[0], path) else None


def _is_top(view: View, home: int, user: str) -> bool:
    """Tell whether a file of Python can import another one by its bare name; in a package `types` is the library's."""
    folder = posixpath.dirname(view.paths[home])
    beside = folder == posixpath.dirname(user) and view.doc_of(f"{folder}/__init__.py") is None
    return beside or folder in ("", "src")


def _type(view: View, path: str, prefix: str, name: str, family: str, lines: Sequence[tuple[int, str]]) -> int | None:
    """Return the document of the only type of this name; None where it may inherit, or the file imports another."""
    homes = {doc for doc, _ in _definitions(name, family, view)}
    if len(homes) != 1 or view.snapshot.role(home := homes.pop()) is not Role.IMPLEMENTATION:
        return None
    doc = view.doc_of(path)
    own = view.text(doc).split("\n") if doc is not None else []
    if not _is_meant(name, prefix, path, [*own, *(line for _, line in lines)], home, view):
        return None
    return None if _may_inherit(name, family, view) else home


def _definitions(name: str, family: str, view: View) -> list[tuple[int, Definition]]:
    """Return the definitions of types of this name in languages of a family, with their documents."""
    symbols, language = view.snapshot.symbols, view.snapshot.language
    rows = symbols.rows_of(name).tolist()
    found = ((int(symbols.docs[row]), symbols.row(row)) for row in rows)
    return [(doc, one) for doc, one in found if one.kind in _TYPES and _FAMILIES.get(language(doc)) == family]


def _may_inherit(name: str, family: str, view: View, depth: int = _MAX_BASES) -> bool:
    """Tell whether a type, or one of its bases, is not of the tree or has a base that is not."""
    found = _definitions(name, family, view)
    if not found or not depth:
        return True
    bases = {base for doc, one in found for base in _bases(one, view.text(doc).split("\n"), family)}
    return any(base == name or _may_inherit(base, family, view, depth - 1) for base in bases)


def _bases(definition: Definition, text: Sequence[str], family: str) -> set[str]:
    """Return the names of a type's bases that may bring members which are called by the type's name."""
    body = [line[:_MAX_LINE] for line in text[definition.start - 1 : definition.end]]
    _, _, head = "\n".join(body[:_HEAD_LINES]).partition(f" {definition.name}")
    head = _END.split(head, maxsplit=1)[0] if family == "python" else head.partition("{")[0].partition(";")[0]
    head = head.partition("implements")[0]
    head = without_arguments(head)
    head = head if family == "python" else _PARENTHESES.sub("", head)
    marker = _BASES.search(head)
    found = set(WORD.findall(head[marker.end() :])) if marker else set()
    found |= set(_MIXED_IN.findall("\n".join(body))) if family == "php" else set()
    if family != "python":  # words such as `public`
        found = {base for base in found if base[:1].isupper()}
    if family == "csharp":
        found = {base for base in found if not _INTERFACE.match(base)}
    return found - _PLAIN_BASES


def _is_meant(name: str, prefix: str, path: str, lines: Sequence[str], home: int, view: View) -> bool:
    """Tell whether a file can mean the home's type of this name: it imports no other, `prefix` is no other module.

    The home's folder, its file and its namespace name its module. Python and JavaScript have to import a type.
    """
    folder, _, file = view.paths[home].rpartition("/")
    own = {posixpath.basename(folder), file.partition(".")[0]} - {name}
    spaces = (line for line in view.text(home).split("\n") if line.startswith(("package ", "namespace ")))
    own.update(word for line in spaces for word in WORD.findall(line)[-1:])
    if prefix and prefix not in own and prefix not in _HERE:
        return False
    doc = view.doc_of(path)
    importing = [line for line in lines if name in line and _IMPORT.match(line) and name in WORD.findall(line)]
    if importing:
        return all(_RELATIVE.search(line) or not own.isdisjoint(WORD.findall(line)) for line in importing)
    if _FAMILIES[language_of(path)] not in ("python", "javascript"):
        return True
    return doc is not None and home in view.snapshot.imports_of(doc)


def _python_module(view: View, path: str, module: str) -> int | None:
    """Return the document of a module that a file of Python imports from; None for packages and where two match."""
    dots = len(module) - len(module.lstrip("."))
    above = path.split("/")[:-dots] if dots else []
    tail = "/".join([*above, *filter(None, module.split("."))]) + ".py"
    if dots:
        return view.doc_of(tail)
    alike = view.by_name.get(posixpath.basename(tail).lower(), ())
    found = [doc for doc in alike if f"/{view.paths[doc]}".endswith(f"/{tail}")]
    if "/" not in tail:
        found = [doc for doc in found if _is_top(view, doc, path)]
    return found[0] if len(found) == 1 else None


def _script(view: View, path: str, module: str) -> int | None:
    """Return the document that a file of JavaScript or TypeScript imports by a relative path."""
    whole = posixpath.normpath(posixpath.join(posixpath.dirname(path), module))
    stem = posixpath.splitext(whole)[0] if whole.endswith(_SCRIPTS) else whole
    tries = (whole, *(f"{stem}{ending}" for ending in _SCRIPTS))
    found = next((doc for one in tries if (doc := view.doc_of(one)) is not None), None)
    # A style sheet or an image defines by the rules of a bundler.
    return found if found is not None and view.paths[found].endswith(_SCRIPTS) else None


def without_arguments(line: str) -> str:
    """Return a line of code without the arguments of its types."""
    while line != (line := _ARGUMENTS.sub("", line)):
        pass  # from the innermost outwards
    return line
