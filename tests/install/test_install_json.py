"""The editor of JSON files: the entry goes in and out, everything else keeps its bytes."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import tried_on
from tests.install import configs
from zeroin.errors import InstallError
from zeroin.install.editing import State, fingerprint
from zeroin.install.json_file import JsonEntry
from zeroin.install.jsonc import Document
from zeroin.install.receipts import note

ENTRY: dict[str, Any] = {"type": "stdio", "command": "zeroin", "args": ["mcp"]}
EDITOR = JsonEntry((("mcpServers",),), "zeroin", ENTRY)
FILES = [
    (configs.CLAUDE, ("mcpServers",)),
    (configs.CLAUDE_PROJECT, ("mcpServers",)),
    (configs.CURSOR, ("mcpServers",)),
    (configs.GEMINI, ("mcpServers",)),
    (configs.COPILOT, ("mcpServers",)),
    (configs.VSCODE, ("servers",)),
    (configs.OPENCODE, ("mcp",)),
    (configs.OPENCODE_2, ("mcp", "servers")),
    (configs.ZED, ("context_servers",)),
]


def put(text: str) -> str:
    return EDITOR.put(text.encode()).decode()


def drop(text: str, existed: int | None = None) -> str:
    return EDITOR.drop(text.encode(), existed).decode()


def comments(text: str) -> list[str]:
    return [comment.text for comment in Document(text.removeprefix("\ufeff")).comments]


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(("text", "place"), FILES)
def test_real_files_come_back_without_a_receipt(
    text: str, place: tuple[str, ...], eol: str, mark: str
) -> None:
    editor = JsonEntry((place,), "zeroin", ENTRY)
    data = (mark + text.replace("\n", eol)).encode()
    assert editor.state(data, "") is State.MISSING
    after = editor.put(data)
    assert editor.state(after, "") is State.CURRENT
    assert editor.put(after) == after
    assert comments(after.decode()) == comments(data.decode())
    assert (b"\n" in after.replace(b"\r\n", b"")) == (eol == "\n" and b"\n" in data)
    assert editor.drop(after, editor.depth(data)) == data


def test_the_entry_looks_like_its_neighbours() -> None:
    assert '\t\t"zeroin": {\n\t\t\t"type": "stdio",\n' in put(configs.CURSOR)
    assert '        "zeroin": {\n            "type": "stdio",\n' in put(configs.GEMINI)
    assert put('{"a":1}') == (
        '{"a":1, "mcpServers": {"zeroin": {"type": "stdio", "command": "zeroin", "args": ["mcp"]}}}'
    )
    assert put("") == (
        '{\n  "mcpServers": {\n    "zeroin": {\n      "type": "stdio",\n      "command": "zeroin",\n'
        '      "args": ["mcp"]\n    }\n  }\n}\n'
    )
    assert put(" \n") == put("{}") + "\n" == put("")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ('{\n  "a": 1 // one\n}\n', '{\n  "a": 1, // one\n  "mcpServers": {'),
        ('{\n  "a": 1, // one\n}\n', '{\n  "a": 1, // one\n  "mcpServers": {'),
        ('{\n  "a": 1 /* one */ // two\n}\n', '{\n  "a": 1, /* one */ // two\n  "mcpServers": {'),
        ('{\n  "a": 1}', '{\n  "a": 1,\n  "mcpServers": {'),
        ("{ // none yet\n}", '{ // none yet\n  "mcpServers": {'),
    ],
)
def test_comments_stay_with_what_they_are_about(text: str, after: str) -> None:
    assert put(text).startswith(after)
    assert Document(drop(put(text), 0)).value == Document(text).value
    assert comments(drop(put(text), 0)) == comments(text)


def test_stale_and_edited() -> None:
    old = JsonEntry(EDITOR.places, "zeroin", {**ENTRY, "args": ["serve"]})
    data = old.put(configs.CLAUDE.encode())
    assert EDITOR.state(data, old.fingerprint()) is State.STALE
    assert EDITOR.state(data, "") is State.EDITED
    assert EDITOR.put(data) == EDITOR.put(configs.CLAUDE.encode())
    moved = JsonEntry(EDITOR.places, "zeroin", {**ENTRY, "command": "/opt/venv/bin/zeroin"})
    assert EDITOR.state(moved.put(b"{}"), "") is State.STALE  # the same but for the folder of the program
    assert EDITOR.state(moved.put(b"{}"), fingerprint("something else")) is State.EDITED
    edited = put(configs.CLAUDE).replace('"args": ["mcp"]', '"args": ["mcp"], "env": {"A": "b"}')
    assert EDITOR.state(edited.encode(), EDITOR.fingerprint()) is State.EDITED
    assert drop(edited) == configs.CLAUDE


def test_neighbours_that_came_later_stay() -> None:
    data = json.loads(put(configs.COPILOT))
    data["mcpServers"]["later"] = {"command": "later"}
    text = json.dumps(data, indent=2)
    assert json.loads(drop(text)) == {
        "mcpServers": {**json.loads(configs.COPILOT)["mcpServers"], "later": {"command": "later"}}
    }
    first = '{"mcpServers": {"zeroin": {}, // ours\n "b": {}}}'
    assert drop(first) == '{"mcpServers": {// ours\n "b": {}}}'
    last = '{"mcpServers": {"a": {}, // theirs\n"zeroin": {}}}'
    assert drop(last) == '{"mcpServers": {"a": {} // theirs\n}}'  # the comment does not swallow what follows


def test_tables_go_only_if_they_came_with_us() -> None:
    assert drop(put('{"mcpServers": {}}'), 1) == '{"mcpServers": {}}'
    assert drop(put('{"mcpServers": {}}')) == '{"mcpServers": {}}'
    assert drop(put('{"a": 1}'), 0) == '{"a": 1}'
    assert json.loads(drop(put('{"a": 1}'))) == {"a": 1, "mcpServers": {}}
    kept = put("{}").replace('"zeroin": {', '"other": {}, "zeroin": {')
    assert json.loads(drop(kept, 0)) == {"mcpServers": {"other": {}}}


def test_places_in_order_of_preference() -> None:
    editor = JsonEntry((("mcp", "servers"), ("mcp",)), "zeroin", ENTRY)
    assert json.loads(editor.put(b"{}")) == {"mcp": {"zeroin": ENTRY}}
    assert json.loads(editor.put(b'{"mcp": {"servers": {}}}')) == {"mcp": {"servers": {"zeroin": ENTRY}}}
    both = b'{"mcp": {"servers": {}, "zeroin": {}}}'
    assert json.loads(editor.put(both)) == {"mcp": {"servers": {}, "zeroin": ENTRY}}


def test_the_last_of_several_counts() -> None:
    twice = '{"mcpServers": {"a": {}}, "mcpServers": {"b": {}}}'
    assert json.loads(put(twice)) == {"mcpServers": {"b": {}, "zeroin": ENTRY}}


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b'{"a": 1', "line 1"),
        (b'{"a": 1}\n{"b": 2}', "Extra data, line 2"),
        (b'{\n"a": @}', "line 2"),
        (b"{,}", "not JSON"),
        (b'{"a": 1,, "b": 2}', "not JSON"),
        (b"[1]", "top level"),
        (b'{"mcpServers": []}', '"mcpServers" is not an object'),
        (b'{"mcpServers": null}', '"mcpServers" is not an object'),
        (b'{"a": /* open', "not JSON"),
        ('{"a": 1}'.encode("utf-16"), "UTF-8"),
        (b"[" * 100_000 + b"]" * 100_000, "deep"),
        (b'{"a": ' + b"7" * 4_301 + b"}", "too many digits"),
        (b'{"a": ' + b"7" * 4_301 + b", } // c", "too many digits"),
    ],
)
def test_what_cannot_be_read_is_said(data: bytes, problem: str) -> None:
    with pytest.raises(InstallError, match=problem):
        EDITOR.put(data)


# Documents with anything between their tokens that comments and blanks can be.
_blanks = st.lists(
    st.sampled_from([" ", "\t", "\n", "\n  ", "\r\n", "/* c */", "/* {\n} */", "// d\n", '// "},\r\n']),
    max_size=2,
).map("".join)
_keys = st.sampled_from(["a", "b", "mcpServers", "servers", "zeroin", "é\\n", "\\u007a", "{", "//"])
_scalars = st.sampled_from(["1", "-2.5e3", "true", "null", '"x"', '"\\"}{"', '"// no"', '"ü"'])


@st.composite
def _objects(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    keys = draw(st.lists(_keys, max_size=4, unique=True))
    out = []
    for key in keys:
        value = draw(_objects_of_servers if key == "mcpServers" else inner)
        out.append(f'{draw(_blanks)}"{key}"{draw(_blanks)}:{draw(_blanks)}{value}{draw(_blanks)}')
    tail = f",{draw(_blanks)}" if out and draw(st.booleans()) else draw(_blanks)
    return "{" + ",".join(out) + tail + "}"


@st.composite
def _lists(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    return (
        "["
        + ",".join(f"{draw(_blanks)}{each}{draw(_blanks)}" for each in draw(st.lists(inner, max_size=3)))
        + "]"
    )


_values = st.recursive(_scalars, lambda inner: _objects(inner) | _lists(inner), max_leaves=6)
_objects_of_servers = st.deferred(lambda: _objects(_scalars))
_documents = st.builds(
    lambda mark, before, text, after, crlf: (
        mark + (re.sub(r"\r?\n", "\r\n", before + text + after) if crlf else before + text + after)
    ),
    st.sampled_from(["", "\ufeff"]),
    _blanks,
    _objects(_values),
    _blanks,
    st.booleans(),
)


@tried_on(80)
@given(_documents)
def test_any_document(text: str) -> None:
    data = text.encode()
    before = Document(text.removeprefix("\ufeff")).value
    assert isinstance(before, dict)
    after = EDITOR.put(data)
    meant = Document(after.decode().removeprefix("\ufeff")).value
    servers = before.get("mcpServers", {})
    assert isinstance(servers, dict)
    assert meant == {**before, "mcpServers": {**servers, "zeroin": ENTRY}}
    assert EDITOR.state(after, "") is State.CURRENT
    assert EDITOR.put(after) == after
    assert note(("claude",), EDITOR.fingerprint(), 0, data, after, None).restore(after) == (True, data)
    if "zeroin" not in servers:  # else the entry of before was replaced, with the comments in it
        assert comments(after.decode()) == comments(text)
        out = EDITOR.drop(after, EDITOR.depth(data)).decode()
        assert Document(out.removeprefix("\ufeff")).value == before
        assert comments(out) == comments(text)


@tried_on(40)
@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    ),
    st.sampled_from([2, 4, "\t", None]),
    st.booleans(),
)
def test_documents_as_programs_write_them_come_back_without_a_receipt(
    value: Any, indent: Any, crlf: bool
) -> None:
    text = json.dumps({"first": value, "last": 1}, indent=indent, ensure_ascii=False) + "\n"
    data = (
        (text.replace("\n", "\r\n") if crlf else text)
        .encode("utf-8", "surrogatepass")
        .decode("utf-8", "replace")
    )
    assert drop(put(data), 0) == data
