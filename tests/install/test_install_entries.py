"""Our entry in JSON and TOML files: it goes in and out, and everything else keeps its text."""

import json
import re
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import tried_on
from tests.install import configurations as configs
from zeroin.errors import InstallError
from zeroin.imports.readconfig import plain_json
from zeroin.install.entries import Editor, JsonEntry, State, TomlEntry, _load

ENTRY: dict[str, Any] = {"type": "stdio", "command": "zeroin", "args": ["mcp"]}
JSON = JsonEntry([("mcpServers",)], ENTRY)
TOML = TomlEntry("mcp_servers", ENTRY)
FILES: list[tuple[str, Editor]] = [
    (configs.CLAUDE, JSON),
    (configs.CLAUDE_PROJECT, JSON),
    (configs.CURSOR, JSON),
    (configs.GEMINI, JSON),
    (configs.COPILOT, JSON),
    (configs.VSCODE, JsonEntry([("servers",)], ENTRY)),
    (configs.OPENCODE, JsonEntry([("mcp",)], ENTRY)),
    (configs.OPENCODE_2, JsonEntry([("mcp", "servers")], ENTRY)),
    (configs.ZED, JsonEntry([("context_servers",)], ENTRY)),
    (configs.CODEX, TOML),
]


def put(text: str, editor: Editor = JSON) -> str:
    return editor.put(text.encode()).decode()


def drop(text: str, editor: Editor = JSON) -> str | None:
    rest = editor.drop(text.encode())
    return None if rest is None else rest.decode()


def meaning(text: str) -> Any:
    return _load(plain_json(text.removeprefix("\ufeff")))


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(("text", "editor"), FILES)
def test_real_files(text: str, editor: Editor, eol: str, mark: str) -> None:
    data = (mark + text.replace("\n", eol)).encode()
    assert editor.state(data) is State.MISSING
    after = editor.put(data)
    assert editor.state(after) is State.CURRENT
    assert editor.put(after) == after
    words = [line.split() for line in data.decode().splitlines()]
    kept = iter([line.split() for line in after.decode().splitlines()])
    # Every line is still there, in order, but for one that the entry was put into.
    assert sum(line not in kept for line in words) <= 1 or "\n" not in text.strip()
    out = editor.drop(after)
    assert out is not None and editor.state(out) is State.MISSING
    load = tomllib.loads if editor is TOML else meaning
    without_empty = {key: each for key, each in load(out.decode().removeprefix("\ufeff")).items() if each != {}}
    assert without_empty == load(text)


def test_what_is_written() -> None:
    row = '"zeroin": {"type": "stdio", "command": "zeroin", "args": ["mcp"]}'
    assert put("") == '{\n  "mcpServers": {' + row + "}\n}\n"
    assert put('// top\n{\n\t// c\n\t"mcpServers": {\n\t\t// none\n\t}\n}\n') == (
        '// top\n{\n\t// c\n\t"mcpServers": {\n\t\t' + row + "\n\t\t// none\n\t}\n}\n"
    )
    assert put('{\n\t"mcpServers": {\n\t\t"a": {} // one\n\t}\n}\n') == (
        '{\n\t"mcpServers": {\n\t\t' + row + ',\n\t\t"a": {} // one\n\t}\n}\n'
    )
    block = put("a = 1\n", TOML)
    assert block.splitlines()[2:] == ["[mcp_servers.zeroin]", 'type = "stdio"', 'command = "zeroin"', 'args = ["mcp"]']


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ('{\n  // mine\n  "mcpServers": {"zeroin": {}, /* b */ "b": 1},\n}',
         '{\n  // mine\n  "mcpServers": { /* b */ "b": 1},\n}'),
        ('{"mcpServers": {"a": 1, "zeroin": {}}}', '{"mcpServers": {"a": 1}}'),
        ('{"mcpServers": {"a": 1, // one\n "zeroin": {},}}', '{"mcpServers": {"a": 1, // one\n }}'),
        ('{"mcpServers": {"a": 1, "zeroin": {} /* c */, "b": 2}}', '{"mcpServers": {"a": 1 /* c */, "b": 2}}'),
        ('{"mcpServers": {"zeroin": {},}, "a": 1}', '{"mcpServers": {}, "a": 1}'),
        ('{"mcpServers": {"a": 1, "zeroin": {} // c\n}}', '{"mcpServers": {"a": 1 // c\n}}'),
    ],
)  # fmt: skip
def test_taking_out_keeps_the_neighbours_and_their_comments(text: str, after: str) -> None:
    assert drop(text) == after


def test_a_file_that_says_nothing_else_goes() -> None:
    assert drop(put("")) is None and drop(put("", TOML), TOML) is None
    assert drop('{"$schema": "https://example.org", "mcpServers": {"zeroin": {}}}') is None
    assert drop("{ // mine\n}") == "{ // mine\n}"
    assert drop(put("{ // mine\n}")) is not None


def test_states() -> None:
    def state(entry: Any) -> State:
        data = json.dumps({"mcpServers": {"zeroin": entry}}).encode()
        assert TOML.state(put("", TomlEntry("mcp_servers", entry)).encode()) is JSON.state(data)
        return JSON.state(data)

    assert state({**ENTRY, "env": {}}) is State.CURRENT  # as `claude mcp add` writes it
    for command in ("/opt/bin/zeroin", "C:\\Python\\zeroin.exe"):
        assert state({**ENTRY, "command": command}) is State.STALE
    for changed in ({"args": ["mcp", "--root", "/srv"]}, {"command": "/opt/other"}, {"timeout": 9}):
        assert state({**ENTRY, **changed}) is State.EDITED
    assert JSON.state(b'{"mcpServers": {"zeroin": "x"}}') is State.EDITED
    opencode = JsonEntry([("mcp",)], {"command": ["zeroin", "mcp"]})
    assert opencode.state(b'{"mcp": {"zeroin": {"command": ["/a/zeroin", "mcp"]}}}') is State.STALE
    assert opencode.state(b'{"mcp": {"zeroin": {"command": []}}}') is State.EDITED


@pytest.mark.parametrize(
    ("editor", "data", "problem"),
    [
        (JSON, b'{"a": 1', "line 1"),
        (JSON, b'{"a": 1}\n{"b": 2}', "Extra data, line 2"),
        (JSON, b'{"a": 1,, "b": 2}', "not JSON"),
        (JSON, b'{"a": /* open', "not JSON"),
        (JSON, b'{"' + b'\\"' * 500_000, "not JSON"),  # each of these quotes could begin a string
        (JSON, b"[1]", "top level"),
        (JSON, b'{"mcpServers": []}', '"mcpServers" is not an object'),
        (JSON, b'{"mcpServers": null}', '"mcpServers" is not an object'),
        (JSON, '{"a": 1}'.encode("utf-16"), "UTF-8"),
        (JSON, b"[" * 100_000 + b"]" * 100_000, "deep"),
        (JSON, b'{"a": ' + b"7" * 4_301 + b", } // c", "too many digits"),
        (TOML, b"a = ", "not TOML"),
        (TOML, b"a = 1\na = 2", "not TOML"),
        (TOML, b"mcp_servers = 1", "not an object"),
        (TOML, b"a = " + b"7" * 4_301, "too many digits"),
        (TOML, b"a = 1 # " + b"7" * 1_000_000, "too long"),
        (TOML, b"a." * 50_000 + b"a = 1", "more than 500 dots"),  # minutes, if it were read
    ],
)
def test_what_cannot_be_read_or_changed_is_named(editor: Editor, data: bytes, problem: str) -> None:
    with pytest.raises(InstallError, match=problem):
        editor.put(data)


@pytest.mark.parametrize("text", ["{" + "/*" * 500_000, '{"a": ' + ", " * 500_000, '"' * 999_999, "," + " " * 999_999])
def test_hostile_text_takes_bounded_time(text: str) -> None:
    with pytest.raises(InstallError):
        JSON.put(text.encode())


def test_toml_keeps_what_came_later() -> None:
    later = "\n# by somebody else\n[mcp_servers.later]\nargs = [\n[1],\n]\n"
    out = drop(put(configs.CODEX, TOML) + later, TOML)
    assert out is not None and tomllib.loads(out) == tomllib.loads(configs.CODEX + later)
    assert all(line in out for line in (configs.CODEX + later).splitlines())
    inline = 'mcp_servers = { docs = { command = "x" } }'
    assert tomllib.loads(put(inline, TOML))["mcp_servers"] == {"docs": {"command": "x"}, "zeroin": ENTRY}


@pytest.mark.parametrize("text", ['model = "x"\n', "a = 1\n[z]\nb = 2\n", "# mine\n", "[mcp_servers]\n# mine\n"])
def test_the_only_server_of_a_toml_file_is_taken_out(text: str) -> None:
    out = drop(put(text, TOML), TOML)
    assert out is not None and out.rstrip() == text.rstrip() and TOML.state(out.encode()) is State.MISSING


# Documents with anything between their tokens that comments and blanks can be.
_blanks = st.lists(
    st.sampled_from([" ", "\t", "\n", "\n  ", "\r\n", "/* c */", "/* {\n} */", "// d\n", '// "},\r\n']), max_size=2
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


_values = st.recursive(_scalars, _objects, max_leaves=6)
_objects_of_servers = st.deferred(lambda: _objects(_scalars))


@tried_on(120)
@given(st.sampled_from(["", "\ufeff"]), _blanks, _objects(_values), _blanks)
def test_any_document(mark: str, before: str, text: str, after: str) -> None:
    old = mark + before + text + after
    value = meaning(old)
    servers = value.get("mcpServers", {})
    if servers.get("zeroin", 0) is None:  # says that there is no entry, and stands where one would
        with pytest.raises(InstallError, match="safely"):
            put(old)
        return
    new = put(old)
    assert meaning(new) == {**value, "mcpServers": {**servers, "zeroin": ENTRY}}
    assert JSON.state(new.encode()) is State.CURRENT and put(new) == new
    comments = re.findall(r"/\* c \*/|// d", old)
    if "zeroin" not in servers:  # else the entry of before was replaced, with the comments in it
        assert re.findall(r"/\* c \*/|// d", new) == comments
        out = drop(new)
        if out is None:
            assert not comments
        else:
            assert meaning(out) == {**value, "mcpServers": servers}
            assert re.findall(r"/\* c \*/|// d", out) == comments
