"""The outline of a file by its tree-sitter grammar and our query: definitions, imports, comments and strings.

Capture names of `queries/*.scm`: `@name` with an outer capture that is the kind of the definition; `@parent` and
`@receiver` name what it belongs to; `@target` is a C declarator; `@scope` encloses definitions without being one (a
Rust impl); `@wrap` belongs to the definition that it ends with (decorators, `export`, `template`); `@comment`, `@doc`,
`@string` are spans of text; `@import` is a whole import, `@specifier` its path where the node itself has it. Names
that start with an underscore serve predicates only.
"""

import time
from functools import lru_cache

import numpy as np
from tree_sitter import Node, Parser, Point, Query, QueryCursor, Tree

from zeroin.parsing import c_family
from zeroin.parsing.generic import repaired
from zeroin.parsing.import_statements import imports_of
from zeroin.parsing.outline import Outline, RawDefinition
from zeroin.patterns import lazy_pattern
from zeroin.tree import Import

# Processor time for a parse: a fixed part and one by size. Ordinary code is parsed at 6 to 16 MB/s, at least four
# times as fast; a slower file is not in its language, and error recovery takes more memory every second.
PARSE_TIMEOUT_S = 0.3
# A step takes 0.01 ms; 0.1 to 23 ms where error recovery is at work. A longer one holds a pause that is not the file's:
# a collection of cyclic garbage, or a machine that was stopped.
_LONGEST_STEP_S = 0.03
_SLOWEST_BYTES_A_SECOND = 1_500_000
_MAX_ERROR_TOKENS = 10_000
_MAX_ERRORS_SEEN = 2_000
_MAX_DEFINITIONS = 20_000  # of one file; more are data
# The Python grammar takes memory quadratic in lines of `/*`, 100 MB for 500, in one step that nothing can stop.
_MAX_C_COMMENTS = 300
_MAX_DEPTH = 1_000  # deeper nodes are not matched
# Parsers take a kilobyte and more for each open bracket, 700 MB for a file of them, and overflow the stack: Java's did
# at 300,000 with 8 MB, where other systems give a thread half a megabyte. Its memory is quadratic in open `<`, 3.8 GB
# for 35 kB, in one step. Of 12,042 files the most were 493 (as comparisons or in strings).
_MAX_OPEN, _MAX_ANGLES = 5_000, 2_000
# It is quadratic, too, in brackets and assignments that are open where an operator follows: 350 MB for 3 kB of `a=>`.
_MAX_OPEN_JAVA, _MAX_ASSIGNED_JAVA = 300, 300
_OPENING, _FEW_OPEN = b"([{<=", min(_MAX_OPEN_JAVA, _MAX_ASSIGNED_JAVA)  # no bound is reached by so few
_MAX_NAME_CHARS = 300

_STATEMENT = lazy_pattern(rb"[;{}]")
_ASSIGNED = lazy_pattern(rb"=+")  # a rule of `=` in a comment counts once
_IS_COMMENT = {"comment": True, "doc": True, "string": False}
_SERVING = frozenset("name specifier parent receiver target".split())  # captures that name no kind of match
_TYPE_KINDS = frozenset(
    "class interface struct trait enum record object protocol extension impl union actor mixin scope".split()
)
_CALLABLE = frozenset("function method class constructor".split())
_RECEIVER = lazy_pattern(r"(\w+)\s*(?:\[[^\[\]]*\])?\s*,?\s*\)\s*$")


def outline(language: str, parser: Parser, query: Query, source: bytes) -> Outline | None:
    """Return the outline of a UTF-8 source, or None when its parse takes too long.

    Where the grammar failed on a stretch of code, the generic analyser reads that stretch.
    """
    if (language == "python" and source.count(b"/*") > _MAX_C_COMMENTS) or _is_too_deep(language, source):
        return None
    out = _outline(language, parser, query, source)
    if out is None or not out.errors:
        return out
    if language in ("c", "cpp"):
        plain = c_family.without_macros(source)
        second = _outline(language, parser, query, plain) if plain != source else None
        if second is not None and _length(second.errors) < _length(out.errors):
            out = second
    if out.errors:
        # After a quote that the grammar did not understand, code often passes for a string of several lines.
        out.spans = [span for span in out.spans if span[2] or b"\n" not in source[span[0] : span[1]]]
        out.found = repaired(language, source, out)
    return out


def _is_too_deep(language: str, source: bytes) -> bool:
    """Tell whether more brackets are open at once than in any real code, counting those in strings and comments."""
    if len(source) - len(source.translate(None, _OPENING)) <= _FEW_OPEN:
        return False
    if language == "java":
        most = _MAX_ASSIGNED_JAVA
        if source.count(b"=") > most and any(len(_ASSIGNED.findall(row)) > most for row in _STATEMENT.split(source)):
            return True
        if _is_open(source, b"([{", b")]}", _MAX_OPEN_JAVA):
            return True
    return _is_open(source, b"([{", b")]}", _MAX_OPEN) or _is_open(source, b"<", b">", _MAX_ANGLES)


def _is_open(source: bytes, opening: bytes, closing: bytes, most: int) -> bool:
    """Tell whether more than `most` of some brackets are open at once."""
    if sum(source.count(bytes((char,))) for char in opening) <= most:
        return False
    step = np.zeros(256, np.int8)
    step[list(opening)], step[list(closing)] = 1, -1
    depth = np.cumsum(step[np.frombuffer(source, np.uint8)], dtype=np.int32)
    return bool((depth - np.minimum.accumulate(np.minimum(depth, 0))).max() > most)


def _length(spans: list[tuple[int, int]]) -> int:
    return sum(end - start for start, end in spans)


def _outline(language: str, parser: Parser, query: Query, source: bytes) -> Outline | None:
    tree = _parse(parser, source)
    if tree is None or _is_rubble(tree.root_node):
        return None
    out = Outline()
    found: list[tuple[int, RawDefinition]] = []  # with the number of the pattern
    wraps: list[Node] = []
    cursor = QueryCursor(query)
    cursor.set_max_start_depth(_MAX_DEPTH)
    for pattern, captures in cursor.matches(tree.root_node):
        kind = _kind_of(tuple(captures))
        if not kind:
            continue
        node = captures[kind][0]
        if kind in _IS_COMMENT:
            out.spans.append((node.start_byte, node.end_byte, _IS_COMMENT[kind]))
        elif kind == "error":
            out.errors.append((node.start_byte, node.end_byte))
        elif kind == "wrap":
            wraps.append(node)
        elif kind == "import":
            out.imports.extend(_imports(language, captures))
        elif len(found) < _MAX_DEFINITIONS and (definition := _definition(kind, captures)):
            found.append((pattern, definition))
    out.spans.sort()
    out.imports.sort(key=lambda i: i.line)
    out.found = _nested(_once(found), wraps)
    if language in ("elixir", "haskell"):
        _qualify(out.found)
        out.found = _merged(out.found)
    return out


@lru_cache(maxsize=1_024)
def _kind_of(names: tuple[str, ...]) -> str:
    """Return the kind of a match with these captures; "" where they name none."""
    return next((name for name in names if name not in _SERVING and name[0] != "_"), "")


def _once(found: list[tuple[int, RawDefinition]]) -> list[RawDefinition]:
    """Keep one definition for each name node, that of the earliest and most specific pattern, and all scopes."""
    named: dict[int, tuple[int, RawDefinition]] = {}  # by the name's first byte
    for pattern, item in found:
        key = -1 - len(named) if item.kind == "scope" else item.name_byte
        if key not in named or pattern < named[key][0]:
            named[key] = (pattern, item)
    return [item for _, item in named.values()]


def _parse(parser: Parser, source: bytes) -> Tree | None:
    """Return the syntax tree, or None when parsing takes too much of this thread's processor time.

    Both clocks must be past the limit, so that a busy machine gives the same facts as an idle one: processor time does
    not count what other processes take, and the sum of steps does not count pauses. Small files are watched too: error
    recovery of some grammars takes seconds and gigabytes for a few kilobytes.
    """
    limit = PARSE_TIMEOUT_S + len(source) / _SLOWEST_BYTES_A_SECOND
    until = time.thread_time() + limit
    spent, last = 0.0, time.monotonic()

    views: list[memoryview] = []

    def read(offset: int, _: Point) -> memoryview:
        views.append(memoryview(source)[offset:])
        return views[-1]

    def late(_offset: int, _error: bool) -> bool:
        nonlocal spent, last
        now = time.monotonic()
        spent += min(now - last, _LONGEST_STEP_S)
        last = now
        return spent > limit and time.thread_time() > until

    try:
        tree = parser.parse(read, progress_callback=late)
    except ValueError:  # the binding reports a stopped parse so
        tree = None
    finally:
        for view in views:  # the binding leaks the views: a released one does not hold on to the source
            view.release()
    if tree is None:
        parser.reset()
        return None
    # Nodes of a tree that was read through a callback fetch their text through it, slowly. The same tree over
    # bytes costs a tenth of a parse, as most is reused; what is ambiguous is read anew, and at times better
    # (Kotlin: two annotations before a class belong to it).
    return parser.parse(source, tree)


def _is_rubble(root: Node) -> bool:
    """Tell whether an error node has so many tokens that a query, quadratic in them, would take seconds."""
    waiting = [root] if root.has_error else []
    for _ in range(_MAX_ERRORS_SEEN):
        if not waiting:
            return False
        node = waiting.pop()
        if node.is_error and node.child_count > _MAX_ERROR_TOKENS:
            return True
        if node.child_count <= _MAX_ERROR_TOKENS:
            waiting.extend(child for child in node.children if child.has_error)
    return False


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _imports(language: str, captures: dict[str, list[Node]]) -> list[Import]:
    node = captures["import"][0]
    line = node.start_point[0] + 1
    if "specifier" in captures:
        module = _text(captures["specifier"][0]).strip("'\"`<> ")
        return [Import(module, (), line)] if module else []
    return imports_of(language, _attributes(node) + _text(node), line)


def _attributes(node: Node) -> str:
    """Return the attributes before a `mod` of Rust, which stand beside it: one may name its file."""
    text = ""
    before = node.prev_named_sibling if node.type == "mod_item" else None
    while before is not None and before.type in ("attribute_item", "line_comment", "block_comment"):
        text = f"{_text(before)}\n{text}" if before.type == "attribute_item" else text
        before = before.prev_named_sibling
    return text


def _definition(kind: str, captures: dict[str, list[Node]]) -> RawDefinition | None:
    """Return the definition of one match; None where it has no name."""
    node = captures[kind][0]
    named = _named(captures)
    if named is None or not 0 < len(named[1]) <= _MAX_NAME_CHARS:
        return None
    name_node, name, parent = named
    if kind == "function" and "target" in captures:
        tested = None if parent else c_family.test_of(_text(captures["target"][0]))
        kind = "method" if parent else kind
        name, parent = tested or (name, parent)
    if kind == "variable" and len(name) > 1 and name.isupper():
        kind = "constant"
    start, (end_row, end_column) = node.start_point[0] + 1, node.end_point
    return RawDefinition(
        name=name,
        kind=kind,
        start_byte=node.start_byte,
        end_byte=node.end_byte,
        start=start,
        end=max(start, end_row + (1 if end_column else 0)),
        name_line=name_node.start_point[0] + 1,
        name_byte=name_node.start_byte,
        parent=parent,
    )


def _named(captures: dict[str, list[Node]]) -> tuple[Node, str, str] | None:
    """Return the node of a definition's name, the name, and the parent if the match names it, else ""."""
    parent = ""
    if "name" in captures:
        node = captures["name"][0]
    else:
        declared = c_family.declared(captures["target"][0]) if "target" in captures else None
        if declared is None:
            return None
        node, parent = declared
    name = _text(node).strip('"`:')
    if name.startswith("'"):
        name = name.strip("'")  # a quoted one; at the end only, it is Haskell's prime
    elif name.startswith("("):
        name = name.strip("() ")  # Haskell: an operator as a name
    elif node.type == "operator_cast":
        name = " ".join(name.partition("(")[0].split())
    elif node.type == "operator" and (what := node.next_sibling) is not None:
        name = f"operator {_text(what)}"  # C#
    elif node.type == "this":
        name = "this[]"  # an indexer of C#
    if "parent" in captures:
        parent = _text(captures["parent"][0])
    elif "receiver" in captures:
        receiver = _RECEIVER.search(_text(captures["receiver"][0]))
        parent = receiver[1] if receiver else ""
    return node, name, parent


def _nested(found: list[RawDefinition], wraps: list[Node]) -> list[RawDefinition]:
    """Return definitions in order, with their parents; functions of a type become methods; wraps widen spans."""
    events: list[tuple[int, int, int, RawDefinition | Node]] = [
        *((wrap.start_byte, -wrap.end_byte, 0, wrap) for wrap in wraps),
        *((item.start_byte, -item.end_byte, 1 + (item.kind != "scope"), item) for item in found),
    ]
    events.sort(key=lambda e: e[:3])
    out: list[RawDefinition] = []
    around: list[RawDefinition] = []
    wrap: Node | None = None
    for _, _, _, event in events:
        if isinstance(event, Node):
            if wrap is None or event.start_byte >= wrap.end_byte:
                wrap = event
            continue
        if wrap is not None:
            _widen(event, wrap)
            wrap = None
        while around and not _is_inside(event, around[-1]):
            around.pop()
        if around and not _belongs(event, around[-1]):
            continue
        around.append(event)
        if event.kind != "scope":
            out.append(event)
    return out


def _widen(item: RawDefinition, wrap: Node) -> None:
    """Extend a definition to its wrap, which may end with an additional semicolon or newline."""
    if wrap.start_byte <= item.start_byte and 0 <= wrap.end_byte - item.end_byte <= 2:
        item.start_byte, item.start = wrap.start_byte, wrap.start_point[0] + 1
        item.end = max(item.end, wrap.end_point[0] + 1)


def _belongs(item: RawDefinition, holder: RawDefinition) -> bool:
    """Make a definition a member of the enclosing one; False where it is no definition there."""
    item.holder = holder.start_byte
    item.parent = item.parent or holder.name
    if item.kind in ("function", "declaration") and holder.kind in _TYPE_KINDS:
        item.kind = "method"
    # C: `Widget w(1);` in a body declares no function, and a variable below `#ifdef` there is a local one.
    return item.kind not in ("declaration", "variable") or holder.kind not in ("function", "method")


def _is_inside(item: RawDefinition, around: RawDefinition) -> bool:
    """Tell whether a definition lies in one that began before it; those of one statement (`a, b :: T`) do not."""
    same = (item.start_byte, item.end_byte) == (around.start_byte, around.end_byte)
    return item.start_byte < around.end_byte and not same and _holds(around.kind, item.kind)


def _holds(outer: str, inner: str) -> bool:
    """Tell whether a definition of kind `outer` can be the parent of one of kind `inner`."""
    if outer in ("constant", "variable"):
        return inner in _CALLABLE
    if outer == "type":  # C: the struct of a typedef is its neighbour, not its member
        return inner not in ("struct", "enum", "union", "type")
    return outer not in ("property", "event", "declaration", "macro")


def _qualify(found: list[RawDefinition]) -> None:
    """Prefix a nested module's name with that of the outer one, as in Elixir; a Haskell file has one module."""
    open_modules: list[RawDefinition] = []
    for item in found:
        while open_modules and open_modules[-1].end_byte <= item.start_byte:
            open_modules.pop()
        if item.kind == "module":
            if open_modules:
                item.name = f"{open_modules[-1].name}.{item.name}"
            open_modules.append(item)


def _merged(found: list[RawDefinition]) -> list[RawDefinition]:
    """Merge consecutive clauses of a function, and its signature, into one definition that spans them all."""
    out: list[RawDefinition] = []
    previous: tuple[str, int, str] | None = None
    for item in found:
        kind = "function" if item.kind in ("signature", "method") else item.kind
        key = (item.name, item.holder, kind)
        if key == previous and kind in ("function", "macro"):
            first = out[-1]
            first.end, first.end_byte = max(first.end, item.end), max(first.end_byte, item.end_byte)
            continue
        if item.kind == "signature":
            item.kind = "function"
        # Only after comparing, as `go'` is no clause of `go`: words of the index have no primes.
        item.name, item.parent = item.name.rstrip("'"), item.parent.rstrip("'")
        out.append(item)
        previous = key
    return out
