"""What a grammar and its query tell of one file: definitions, imports, and where comments and strings lie.

Capture names of `queries/*.scm`: `@name` with an outer capture that is the kind of the definition; `@parent`
and `@receiver` name what it belongs to; `@scope` encloses definitions without being one (a Rust impl);
`@wrap` belongs to the definition that it ends with (decorators, `export`, `template`); `@comment`, `@doc`,
`@string` are spans of text; `@import` is a whole import, `@specifier` its path where the node itself has it.
Names that start with an underscore serve predicates only.
"""

from __future__ import annotations

import re
import time

from tree_sitter import Node, Parser, Point, Query, QueryCursor, Tree

from zeroin.parsing.generic import repaired
from zeroin.parsing.import_statements import imports_of
from zeroin.parsing.macros import without_macros
from zeroin.parsing.outline import Found, Outline
from zeroin.tree import Import

# Processor time for a parse: a fixed part and one by size. Ordinary code is parsed at 6 to 16 MB/s, at least four
# times as fast; what is slower is no code of its language, and its error recovery eats memory with every second.
PARSE_TIMEOUT_S = 0.3
_SLOWEST_BYTES_A_SECOND = 1_500_000
_CHUNK = 1 << 16
_MAX_ERROR_TOKENS = 10_000
_MAX_ERRORS_SEEN = 2_000
_MAX_DEFINITIONS = 20_000  # of one file; more are data
# The Python grammar takes memory quadratic in lines of `/*`, 100 MB for 500, in one step that nothing can stop.
_MAX_C_COMMENTS = 300
_MAX_DEPTH = 1_000  # deeper nodes are not looked at

_TEXT_CAPTURES = {"comment": True, "doc": True, "string": False}
_TYPE_KINDS = frozenset(
    "class interface struct trait enum record object protocol extension impl union actor mixin scope".split()
)
_MERGED = frozenset({"elixir", "haskell"})  # languages in which clauses of one function are written apart
_RECEIVER = re.compile(r"(\w+)\s*(?:\[[^\[\]]*\])?\s*,?\s*\)\s*$")


def parse(parser: Parser, source: bytes) -> Tree | None:
    """The syntax tree, or None when parsing takes too much of this thread's processor time.

    Processor time, so that a busy machine gives the same facts as an idle one. Small files are watched too:
    error recovery of some grammars takes seconds and gigabytes for a few kilobytes.
    """
    until = time.thread_time() + PARSE_TIMEOUT_S + len(source) / _SLOWEST_BYTES_A_SECOND

    def read(offset: int, _: Point) -> bytes:
        return source[offset : offset + _CHUNK]

    def late(_offset: int, _error: bool) -> bool:
        return time.thread_time() > until

    try:
        tree = parser.parse(read, progress_callback=late)
    except ValueError:  # how the binding says that it was told to stop
        tree = None
    if tree is None:
        parser.reset()
        return None
    # Nodes of a tree that was read through a callback fetch their text through it, slowly. The same tree over
    # bytes costs a tenth of a parse, as all of it is reused.
    return parser.parse(source, tree)


def outline(language: str, parser: Parser, query: Query, source: bytes) -> Outline | None:
    """The outline of a UTF-8 source, or None when its parse takes too long.

    Where the grammar failed on a stretch of code, the generic analyser reads that stretch.
    """
    if language == "python" and source.count(b"/*") > _MAX_C_COMMENTS:
        return None
    out = _outline(language, parser, query, source)
    if out is None or not out.errors:
        return out
    if language in ("c", "cpp"):
        plain = without_macros(source)
        second = _outline(language, parser, query, plain) if plain != source else None
        if second is not None and _length(second.errors) < _length(out.errors):
            out = second
    if out.errors:
        # What looks like a string over several lines is there often code after a quote that was not understood.
        out.spans = [span for span in out.spans if span[2] or b"\n" not in source[span[0] : span[1]]]
        out.found = repaired(language, source, out)
    return out


def _length(spans: list[tuple[int, int]]) -> int:
    return sum(end - start for start, end in spans)


def _outline(language: str, parser: Parser, query: Query, source: bytes) -> Outline | None:
    tree = parse(parser, source)
    if tree is None or _is_rubble(tree.root_node):
        return None
    out = Outline()
    named: dict[int, tuple[int, Found]] = {}  # by the name's first byte: the earliest pattern says most
    wraps: list[tuple[int, int, int, int]] = []
    scopes: list[Found] = []
    cursor = QueryCursor(query)
    cursor.set_max_start_depth(_MAX_DEPTH)
    for pattern, captures in cursor.matches(tree.root_node):
        tag = _tag(captures)
        if tag in _TEXT_CAPTURES:
            node = captures[tag][0]
            out.spans.append((node.start_byte, node.end_byte, _TEXT_CAPTURES[tag]))
        elif tag == "wrap":
            node = captures[tag][0]
            wraps.append((node.start_byte, node.end_byte, node.start_point[0] + 1, node.end_point[0] + 1))
        elif tag == "error":
            node = captures[tag][0]
            out.errors.append((node.start_byte, node.end_byte))
        elif tag == "import":
            out.imports.extend(_imports(language, captures))
        elif tag and len(named) < _MAX_DEFINITIONS:
            found = _found(tag, captures)
            if found is None:
                continue
            if tag == "scope":
                scopes.append(found)
            else:
                at = found.at
                if at not in named or pattern < named[at][0]:
                    named[at] = (pattern, found)
    out.spans.sort()
    out.imports.sort(key=lambda i: i.line)
    out.found = _nest([f for _, f in named.values()], scopes, wraps)
    if language == "elixir":
        _qualify(out.found)
    if language in _MERGED:
        out.found = _merge(out.found)
    return out


def _is_rubble(root: Node) -> bool:
    """Whether an error holds so many tokens that a query, quadratic in them, would take seconds."""
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


def _tag(captures: dict[str, list[Node]]) -> str:
    for name in captures:
        if name not in ("name", "specifier", "parent", "receiver", "target") and name[0] != "_":
            return name
    return ""


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _imports(language: str, captures: dict[str, list[Node]]) -> list[Import]:
    node = captures["import"][0]
    line = node.start_point[0] + 1
    if "specifier" in captures:
        module = _text(captures["specifier"][0]).strip("'\"`<> ")
        return [Import(module, (), line)] if module else []
    return imports_of(language, _text(node), line)


def _found(tag: str, captures: dict[str, list[Node]]) -> Found | None:
    parent = ""
    node = captures[tag][0]
    if "name" in captures:
        name_node = captures["name"][0]
    elif "target" in captures:
        declared = _declared(captures["target"][0])
        if declared is None:
            return None
        name_node, parent = declared
        if parent and tag == "function":
            tag = "method"
        tested = _TEST_MACRO.match(_text(captures["target"][0])) if tag == "function" else None
        if tested:
            return _located(node, name_node, tested[2] or tested[1], tag, tested[1] if tested[2] else "")
    else:
        return None
    name = _text(name_node).strip("\"'`:")
    if name.startswith("("):
        name = name.strip("() ")  # Haskell: an operator as a name
    elif name_node.type == "operator_cast":
        name = " ".join(name.partition("(")[0].split())
    if not name or len(name) > 300:
        return None
    if "parent" in captures:
        parent = _text(captures["parent"][0])
    elif "receiver" in captures:
        match = _RECEIVER.search(_text(captures["receiver"][0]))
        parent = match[1] if match else ""
    if tag == "variable" and len(name) > 1 and name.isupper():
        tag = "constant"
    return _located(node, name_node, name, tag, parent)


# C and C++ tests are defined by macros: TEST(Suite, Name) { … }, TEST_IMPL(name) { … }
_TEST_MACRO = re.compile(r"[A-Z][A-Z0-9_]{2,}\s*\(\s*(\w+)\s*(?:,\s*(\w+)\s*)?\)$")


def _located(node: Node, name_node: Node, name: str, kind: str, parent: str) -> Found:
    end_row, end_column = node.end_point
    start = node.start_point[0] + 1
    return Found(
        name=name,
        kind=kind,
        first=node.start_byte,
        last=node.end_byte,
        start=start,
        end=max(start, end_row + (1 if end_column else 0)),
        line=name_node.start_point[0] + 1,
        at=name_node.start_byte,
        parent=parent,
    )


_LEAF_NAMES = frozenset(
    "identifier field_identifier type_identifier destructor_name operator_name operator_cast".split()
)


def _declared(node: Node | None) -> tuple[Node, str] | None:
    """The name that a C declarator declares, and the class it is qualified with."""
    parent = ""
    for _ in range(50):
        if node is None:
            return None
        if node.type == "qualified_identifier":
            scope = node.child_by_field_name("scope")
            if scope is not None:
                scope = scope.child_by_field_name("name") or scope  # without template arguments
                parent = _text(scope)
            node = node.child_by_field_name("name")
        elif node.type in ("template_function", "template_method"):
            node = node.child_by_field_name("name")
        elif node.type in _LEAF_NAMES:
            return node, parent
        else:
            inner = node.child_by_field_name("declarator")
            node = inner if inner is not None else next(iter(node.named_children), None)
    return None


def _nest(found: list[Found], scopes: list[Found], wraps: list[tuple[int, int, int, int]]) -> list[Found]:
    """Definitions in order, each with its parent; functions of a type become methods; wraps widen spans."""
    events: list[tuple[int, int, int, Found | tuple[int, int, int, int]]] = [
        *((w[0], -w[1], 0, w) for w in wraps),
        *((f.first, -f.last, 1, f) for f in (*scopes, *found)),
    ]
    events.sort(key=lambda e: e[:3])
    out: list[Found] = []
    stack: list[Found] = []
    wrap: tuple[int, int, int, int] | None = None
    for _, _, _, event in events:
        if isinstance(event, tuple):
            if wrap is None or event[0] >= wrap[1]:
                wrap = event
            continue
        if wrap is not None:
            # The statement may close with a semicolon or newline that the definition does not include.
            if wrap[0] <= event.first and 0 <= wrap[1] - event.last <= 2:
                event.first, event.start, event.end = wrap[0], wrap[2], max(event.end, wrap[3])
            wrap = None
        while stack and (stack[-1].last <= event.first or not _holds(stack[-1].kind, event.kind)):
            stack.pop()
        if stack:
            holder = stack[-1]
            event.holder = holder.first
            if not event.parent:
                event.parent = holder.name
            if event.kind in ("function", "declaration") and holder.kind in _TYPE_KINDS:
                event.kind = "method"
            if event.kind == "declaration" and holder.kind in ("function", "method"):
                continue  # C: `Widget w(1);` in a body declares no function
        stack.append(event)
        if event.kind != "scope":
            out.append(event)
    return out


def _qualify(found: list[Found]) -> None:
    """Elixir: a module within a module is named after both."""
    open_modules: list[Found] = []
    for item in found:
        while open_modules and open_modules[-1].last <= item.first:
            open_modules.pop()
        if open_modules and item.kind != "scope":
            if item.kind == "module":
                item.name = f"{open_modules[-1].name}.{item.name}"
            item.parent = open_modules[-1].name if item.parent == open_modules[-1].name else item.parent
        if item.kind == "module":
            open_modules.append(item)


_CALLABLE = frozenset("function method class constructor".split())


def _holds(outer: str, inner: str) -> bool:
    """Whether a definition of kind `outer` can be the parent of one of kind `inner`."""
    if outer in ("constant", "variable"):
        return inner in _CALLABLE
    if outer == "type":  # C: the struct of a typedef is its neighbour, not its member
        return inner not in ("struct", "enum", "union", "type")
    return outer not in ("property", "event", "declaration", "macro")


def _merge(found: list[Found]) -> list[Found]:
    """Clauses of one function that follow one another, as one definition with the span of them all."""
    out: list[Found] = []
    last: dict[tuple[str, int, str], Found] = {}
    previous: tuple[str, int, str] | None = None
    for item in found:
        key = (item.name, item.holder, "function" if item.kind in ("signature", "method") else item.kind)
        if key == previous and key[2] in ("function", "macro"):
            held = last[key]
            held.end, held.last = max(held.end, item.end), max(held.last, item.last)
            continue
        last[key] = item
        if item.kind == "signature":
            item.kind = "function"
        out.append(item)
        previous = key
    return out
