"""Names that a change uses and that nothing defines: the file where they belong is missing from the change.

`TextUtil.escape(…)` in an added line names a class of the tree by its qualifier, `from .text import escape` a module.
If the file of that class or module is not part of the change, and no unchanged file says the name, the name is yet to
be defined there. Nothing is said where it may come from elsewhere: from a base outside of the tree, from a library's
class of the same name, by a wildcard, or from generated code.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from zeroin.corpus.languages import language_of
from zeroin.index.view import View
from zeroin.patterns import lazy_pattern
from zeroin.terms import WORD, term_id
from zeroin.tree import Diff, DiffFile
from zeroin.types import Role

# Share of such names whose file was changed by the same commit, withheld from it.
PRECISION = 0.9
_MAX_LINES, _MAX_LINE, _MAX_USES = 4_000, 400, 200
_MIN_NAME, _HEAD_LINES = 4, 6
# Languages whose files name classes of each other.
_FAMILIES = {"kotlin": "java", "scala": "java", "groovy": "java", "typescript": "javascript", "tsx": "javascript"}
_TYPES = frozenset("class struct enum object module interface trait record union protocol".split())
_OPENS = lazy_pattern(rf"\b(?:{'|'.join(sorted(_TYPES))}|actor|type)\s+([A-Z]\w*)")
_CHAIN = lazy_pattern(r"(?<![\w.$@:>)\]/\\-])[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)+")
_BARE = lazy_pattern(r"(?<![\w.:])[A-Za-z_]\w*")
_PARTS = lazy_pattern(r"\.|::")
_COMMENT = lazy_pattern(r"\s*(?:#(?!\w)|//|/\*|\*|--\s|;;|\"\"\"|''')")
_STRING = lazy_pattern(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`")
_AFTER_CODE = lazy_pattern(r"(?:^|\s)(?://|#(?!\w)).*")
_FROM = lazy_pattern(r"\s*from\s+(\.*[\w.]+)\s+import\s+\(?([\w\s,]+)\)?")
_LISTED = lazy_pattern(r"\b(?:import|export)\s+(?:\w+\s*,\s*)?\{([^{}]*)\}\s*from\s*[\"'](\.[^\"']*)[\"']")
_RENAMED = lazy_pattern(r"\s+as\s+\w+|^\s*type\s+")
_IMPORT = lazy_pattern(r"\s*(?:import|from|use|using|require|const\b.*\brequire)\b")
_RELATIVE = lazy_pattern(r"[\"']\.|\bfrom\s+\.|\b(?:crate|self|super)::")
_SCRIPTS = (".ts", ".tsx", ".js", ".jsx", ".mjs")
# What every type has, and bases that bring no member that is called by the name of the class.
_BUILT_IN = frozenset("values valueOf entries allCases prototype class this super self name call apply bind".split())
_PLAIN_BASES = frozenset(
    "object Enum IntEnum StrEnum Flag IntFlag ABC Protocol Generic Exception Equatable Hashable Sendable Error Codable"
    " Decodable Encodable String Int CaseIterable Comparable Identifiable CustomStringConvertible".split()
)
_GENERIC = lazy_pattern(r"<[^<>]*>|\[[^][]*\]")
_PARENTHESES = lazy_pattern(r"\([^()]*\)")
_BASES = lazy_pattern(r"\bextends\b|\bwith\b|[:<(]")
_MIXED_IN = lazy_pattern(r"^\s*(?:use|include|extend|prepend)\s+\\?(?:\w+(?:\\|::))*([A-Z]\w*)", re.MULTILINE)
_FROM_ELSEWHERE = lazy_pattern(
    r"^\s*from\s+\S+\s+import\s+\*|\b__getattr__\b|\bexport\s+\*|\bpub\s+use\s+[\w:]+::\*|\blombok\b|\bmethod_missing\b"
    r"|\bdefine_method\b|\b__callStatic\b|\bsetattr\(",
    re.MULTILINE,
)


class Undefined(NamedTuple):
    """A name on an added line of a file, as it is `written` there, and the document that has to define it."""

    name: str
    written: str
    user: str
    line: int
    home: int


def undefined_names(diff: Diff, view: View) -> tuple[Undefined, ...]:
    """Return names that the added lines of a change use and that nothing defines, each once for a file."""
    changed = {doc for file in diff.files if (doc := view.doc_of(file.path)) is not None}
    code: dict[str, list[tuple[int, str]]] = {}
    for file in diff.files:
        code[file.path] = _code(file)[: max(0, _MAX_LINES - sum(map(len, code.values())))]
    uses = {path: _uses(path, lines, changed, view) for path, lines in code.items()}
    if not any(uses.values()):
        return ()
    opened = {posixpath.basename(path).partition(".")[0] for path in code}
    opened |= {match[1] for lines in code.values() for _, line in lines for match in _OPENS.finditer(line)}
    said = {path: {word for _, line in lines for word in _BARE.findall(line)} for path, lines in code.items()}
    out: dict[tuple[str, str, int], Undefined] = {}
    for path, found in uses.items():
        for use in found:
            # Another file of the change that says the name without the qualifier may define it.
            others = (p for p in said if p != path and all(other.name != use.name for other in uses[p]))
            if use.written.partition(".")[0] not in opened and not any(use.name in said[p] for p in others):
                out.setdefault((path, use.name, use.home), use)
    return tuple(out.values())


def _code(file: DiffFile) -> list[tuple[int, str]]:
    """Return the lines that a change adds to a file and did not take from it, with numbers; no comments."""
    removed = set(file.removed.split("\n"))
    rows = zip(file.numbers, file.added.split("\n"), strict=False)
    return [(n, line[:_MAX_LINE]) for n, line in rows if n and line not in removed and not _COMMENT.match(line)]


def _uses(path: str, lines: Sequence[tuple[int, str]], changed: Set[int], view: View) -> list[Undefined]:
    """Return the uses of names that the home in question, unchanged itself, does not define."""
    family = _family(language_of(path))
    out: list[Undefined] = []
    for number, line in lines:
        for name, written, home in _names(path, line, lines, family, view):
            new = home not in changed and len(name) >= _MIN_NAME and name not in _BUILT_IN
            if new and len(out) < _MAX_USES and _is_unknown(name, home, changed, view):
                out.append(Undefined(name, written, path, number, home))
    return out


def _family(language: str) -> str:
    return _FAMILIES.get(language, language)


def _names(
    path: str, line: str, lines: Sequence[tuple[int, str]], family: str, view: View
) -> Iterator[tuple[str, str, int]]:
    """Yield names on a line, as written, with the document where its qualifier, or its module, is defined."""
    if match := _FROM.match(line) if family == "python" else _LISTED.search(line) if family == "javascript" else None:
        module, names = (match[1], match[2]) if family == "python" else (match[2], match[1])
        place = _python_module(view, path, module) if family == "python" else _script(view, path, module)
        for name in names.split(",") if place is not None else ():
            bare = _RENAMED.sub("", name).strip()
            yield bare, f"{posixpath.basename(module).strip('.')}.{bare}", place
        return
    code = _AFTER_CODE.sub("", _STRING.sub('""', line))
    if _IMPORT.match(code) and family not in ("java", "rust"):
        return
    for match in _CHAIN.finditer(code):
        parts = _PARTS.split(match[0])
        at = next((i for i, part in enumerate(parts[:-1]) if part[:1].isupper()), None)
        qualifier, name = parts[at or 0], parts[(at or 0) + 1]
        if re.search(rf"\b{name}\s*=(?![=>])", code):  # an assignment defines it
            continue
        home = _module(view, path, qualifier, family) if at is None else _type(view, path, qualifier, family, lines)
        if home is not None:
            yield name, f"{qualifier}.{name}", home


def _is_unknown(name: str, home: int, changed: Set[int], view: View) -> bool:
    """Tell whether no unchanged file says a name, and its home does not get it from elsewhere."""
    names = view.snapshot.names
    if not changed >= set(names.docs[names.rows(term_id(name))].tolist()):
        return False
    text = view.text(home)
    return name not in WORD.findall(text) and not _FROM_ELSEWHERE.search(text)


def _module(view: View, path: str, name: str, family: str) -> int | None:
    """Return the module of Python that a file imports by this name."""
    doc = view.doc_of(path)
    if family != "python" or doc is None:
        return None
    homes = [d for d in view.snapshot.imports_of(doc).tolist() if posixpath.basename(view.paths[d]) == f"{name}.py"]
    if len(homes) != 1:
        return None
    plain = re.search(rf"^\s*import\s(?:.*,)?\s*{name}\b(?!\.)", view.text(doc), re.MULTILINE)
    return homes[0] if not plain or _is_top(view.paths[homes[0]], path) else None


def _is_top(home: str, user: str) -> bool:
    """Tell whether a file of Python can import another one by its bare name: `import logging` means the library's."""
    folder = posixpath.dirname(home)
    return folder in ("", "src", posixpath.dirname(user))


def _type(view: View, path: str, name: str, family: str, lines: Sequence[tuple[int, str]]) -> int | None:
    """Return the document of the only type of this name; None where it may inherit, or the file imports another."""
    snapshot, symbols = view.snapshot, view.snapshot.symbols
    rows = [row for row in symbols.rows_of(name).tolist() if symbols.kinds[int(symbols.kind[row])] in _TYPES]
    rows = [row for row in rows if _family(snapshot.language(int(symbols.docs[row]))) == family]
    homes = {int(symbols.docs[row]) for row in rows}
    if len(homes) != 1 or snapshot.role(home := homes.pop()) is not Role.IMPLEMENTATION:
        return None
    text = view.text(home).split("\n")
    for row in rows:
        start, end = int(symbols.start[row]), int(symbols.end[row])
        if _inherits(name, text[start - 1 : end], family, view):
            return None
    doc = view.doc_of(path)
    own = view.text(doc).split("\n") if doc is not None else []
    return None if _imports_another(name, [*own, *(line for _, line in lines)], home, view) else home


def _inherits(name: str, body: Sequence[str], family: str, view: View) -> bool:
    """Tell whether a type has a base outside of the tree."""
    head = " ".join(body[:_HEAD_LINES]).partition("{")[0].partition(";")[0]
    head = re.split(rf"\b{name}\b", head, maxsplit=1)[-1]
    if family in ("python", "ruby"):
        head = re.split(rf"\b{name}\b", body[0] if body else "", maxsplit=1)[-1]
    head = head.partition("implements")[0]
    while head != (head := _GENERIC.sub("", head)):
        pass
    if family != "python":
        head = _PARENTHESES.sub("", head)
    marker = _BASES.search(head)
    bases = set(WORD.findall(head[marker.end() :])) if marker else set()
    bases |= set(_MIXED_IN.findall("\n".join(body))) if family in ("php", "ruby") else set()
    interfaces = {base for base in bases if family == "csharp" and re.match(r"I[A-Z]", base)}
    known = view.snapshot.symbols.rows_of
    return any(base[:1].isupper() and not len(known(base)) for base in bases - _PLAIN_BASES - interfaces)


def _imports_another(name: str, lines: Sequence[str], home: int, view: View) -> bool:
    """Tell whether a file imports a type of this name whose module is neither the home's folder, file nor namespace."""
    folder, _, file = view.paths[home].rpartition("/")
    own = {posixpath.basename(folder), file.partition(".")[0]} - {name}
    own |= {
        w
        for line in view.text(home).split("\n")
        if line.startswith(("package ", "namespace "))
        for w in WORD.findall(line)[-1:]
    }
    for line in lines:
        if name in line and _IMPORT.match(line) and not _RELATIVE.search(line):
            words = WORD.findall(line)
            if name in words and own.isdisjoint(words):
                return True
    return False


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
        found = [doc for doc in found if _is_top(view.paths[doc], path)]
    return found[0] if len(found) == 1 else None


def _script(view: View, path: str, module: str) -> int | None:
    """Return the document that a file of JavaScript or TypeScript imports by a relative path."""
    whole = posixpath.normpath(posixpath.join(posixpath.dirname(path), module))
    stem = posixpath.splitext(whole)[0] if whole.endswith(_SCRIPTS) else whole
    tries = (whole, *(f"{stem}{ending}" for ending in _SCRIPTS))
    return next((doc for one in tries if (doc := view.doc_of(one)) is not None), None)
