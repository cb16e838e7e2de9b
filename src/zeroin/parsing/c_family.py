"""C and C++ without a preprocessor: blank macros out of a source, and find the names that declarators declare."""

from tree_sitter import Node

from zeroin.patterns import lazy_pattern

_MACRO = rb"[A-Z][A-Z0-9]*_[A-Z0-9_]+"
_UPPER_CASE = lazy_pattern(rb"[A-Z]{3}|[A-Z]_")
_PATTERNS = (
    # Alone on its line, with plain arguments: BEGIN_NAMESPACE, UV_REQ_FIELDS, Q_OBJECT, FOO_EXPORT(x)
    lazy_pattern(rb"^[ \t]*(?:" + _MACRO + rb")(?:\([^(){};\"\n]*\))?[ \t]*;?\s*$"),
    # Before a declaration or after `class`: UV_EXTERN int f(void), class EXPORT_API Foo
    lazy_pattern(rb"(?:(?<=^)|(?<=[ \t>]))(?:" + _MACRO + rb"|[A-Z]{4,})(?:\([\w, ]*\))?[ \t]+(?=[A-Za-z_~\[:])"),
    # Between a declarator and its body: int f() MY_NOEXCEPT {
    lazy_pattern(rb"(?<=\))[ \t]+" + _MACRO + rb"(?:\([^(){};\n]*\))?(?=\s*(?:[;{]|$))"),
)
# Tests are defined by macros: TEST(Suite, Name) { … }, TEST_IMPL(name) { … }
_TEST_MACRO = lazy_pattern(r"[A-Z][A-Z0-9_]{2,}\s*\(\s*(\w+)\s*(?:,\s*(\w+)\s*)?\)$")
_LEAF_NAMES = frozenset(
    "identifier field_identifier type_identifier destructor_name operator_name operator_cast".split()
)
_MAX_DEPTH = 50  # of a declarator


def without_macros(source: bytes) -> bytes:
    """Replace what looks like a macro by spaces; offsets and lines stay the same."""
    out = []
    for row in source.split(b"\n"):
        if _UPPER_CASE.search(row) and not row.lstrip().startswith(b"#"):
            for pattern in _PATTERNS:
                row = pattern.sub(lambda found: b" " * len(found[0]), row)
        out.append(row)
    return b"\n".join(out)


def test_of(declarator: str) -> tuple[str, str] | None:
    """Return name and suite of the test that a macro call such as `TEST(Suite, Name)` defines; None for others."""
    found = _TEST_MACRO.match(declarator)
    return ((found[2], found[1]) if found[2] else (found[1], "")) if found else None


def declared(node: Node | None) -> tuple[Node, str] | None:
    """Return the node of the name that a declarator declares, and the class that qualifies it ("" for none)."""
    parent = ""
    for _ in range(_MAX_DEPTH):
        if node is None:
            return None
        if node.type == "qualified_identifier":
            scope = node.child_by_field_name("scope")
            if scope is not None:
                scope = scope.child_by_field_name("name") or scope  # without template arguments
                parent = (scope.text or b"").decode("utf-8", "replace")
            node = node.child_by_field_name("name")
        elif node.type in ("template_function", "template_method"):
            node = node.child_by_field_name("name")
        elif node.type in _LEAF_NAMES:
            return node, parent
        else:
            inner = node.child_by_field_name("declarator")
            node = inner if inner is not None else next(iter(node.named_children), None)
    return None
