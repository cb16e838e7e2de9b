"""The editor of TOML files: one table at the end, everything else keeps its bytes."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import tried_on
from tests.install import configs
from zeroin.errors import InstallError
from zeroin.install.editing import Json, State
from zeroin.install.receipts import note
from zeroin.install.toml_file import TomlEntry

ENTRY: dict[str, Json] = {"command": "zeroin", "args": ["mcp"]}
EDITOR = TomlEntry("mcp_servers", "zeroin", ENTRY)


def put(text: str) -> str:
    return EDITOR.put(text.encode()).decode()


def drop(text: str) -> str:
    return EDITOR.drop(text.encode()).decode()


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_real_files_come_back_without_a_receipt(eol: str, mark: str) -> None:
    data = (mark + configs.CODEX.replace("\n", eol)).encode()
    after = EDITOR.put(data)
    assert after.startswith(data)
    assert tomllib.loads(after.decode().removeprefix("\ufeff"))["mcp_servers"]["zeroin"] == ENTRY
    assert EDITOR.state(data, "") is State.MISSING
    assert EDITOR.state(after, "") is State.CURRENT
    assert EDITOR.put(after) == after
    assert EDITOR.drop(after) == data


def test_what_is_written() -> None:
    block = put("")
    assert block.splitlines()[1:] == ["[mcp_servers.zeroin]", 'command = "zeroin"', 'args = ["mcp"]']
    assert block.startswith("# zeroin: written by `zeroin install` (")
    assert put("a = 1") == "a = 1\n\n" + block
    assert drop(put("a = 1\n")) == "a = 1\n"


def test_stale_by_its_stamp_or_the_receipt_and_edited() -> None:
    old = TomlEntry("mcp_servers", "zeroin", {"command": "zeroin", "args": ["serve"]})
    data = old.put(configs.CODEX.encode())
    assert EDITOR.state(data, "") is State.STALE
    assert EDITOR.put(data) == EDITOR.put(configs.CODEX.encode())
    bare = data.replace(b"# zeroin: written", b"# once written")
    assert EDITOR.state(bare, "") is State.EDITED
    assert EDITOR.state(bare, old.fingerprint()) is State.STALE
    edited = put(configs.CODEX) + "tool_timeout_sec = 90\n"
    assert EDITOR.state(edited.encode(), EDITOR.fingerprint()) is State.EDITED
    assert drop(edited) == configs.CODEX


def test_what_came_later_stays() -> None:
    later = "\n# by somebody else\n[mcp_servers.later]\nargs = [\n[1],\n]\n"
    assert drop(put(configs.CODEX) + later) == configs.CODEX + later
    inside = put("a = 1\n") + '[mcp_servers.zeroin.env]\nA = "b"\n[x]\n'
    assert drop(inside) == "a = 1\n\n[x]\n"


def test_a_table_by_hand_goes_without_its_neighbours() -> None:
    text = 'a = 1\n[ mcp_servers . "zeroin" ] # mine\ncommand = "x"\nargs = [\n  "y", # why\n]\n\n# about b\n[b]\n'
    assert drop(text) == "a = 1\n\n# about b\n[b]\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a = ", "not TOML"),
        ("mcp_servers = 1", "not a table"),
        ('mcp_servers = { docs = { command = "x" } }', "safely"),
        ('mcp_servers.zeroin = { command = "x" }', "safely"),
        ("a = 1\na = 2", "not TOML"),
        ("a = " + "7" * 4_301, "too many digits"),
    ],
)
def test_what_cannot_be_edited_is_said(text: str, problem: str) -> None:
    with pytest.raises(InstallError, match=problem):
        put(text)


@pytest.mark.parametrize("value", ["1979-05-27", "0x" + "f" * 5_000])
def test_what_json_cannot_say_is_an_edit(value: str) -> None:
    text = put("") + f"since = {value}\n"
    assert EDITOR.state(text.encode(), EDITOR.fingerprint()) is State.EDITED
    assert drop(text) == ""


_comments = st.sampled_from(
    ["", "\n", "# c\n", "# [mcp_servers.zeroin]\n", "# zeroin: written by me (0123456789abcdef)\n"]
)
_values = st.one_of(
    st.integers(-9, 9).map(str),
    st.booleans().map(lambda value: str(value).lower()),
    st.text(st.characters(codec="utf-8", exclude_characters="\x7f"), max_size=5).map(
        lambda value: json.dumps(value, ensure_ascii=False)
    ),
    st.sampled_from(
        [
            "'''\n[mcp_servers.zeroin]\ncommand = \"x\"\n'''",
            '"""\n# zeroin: written (0123456789abcdef)\n[mcp_servers.zeroin]\n[x]\n"""',
            '[\n[1],\n["a"], # c\n]',
            "{ a = 1, b.c = 2 }",
            "1979-05-27T07:32:00Z",
        ]
    ),
)
_pairs = st.lists(
    st.tuples(_comments, st.sampled_from(["a", "b", '"c d"', "e.f"]), _values),
    max_size=3,
    unique_by=lambda row: row[1],
).map(lambda rows: "".join(f"{comment}{key} = {value}\n" for comment, key, value in rows))
_tables = st.lists(
    st.tuples(
        _comments,
        st.sampled_from(["t", "mcp_servers.docs", 'mcp_servers."x y"', "mcp_servers.zeroin2"]),
        _pairs,
    ),
    max_size=3,
    unique_by=lambda row: row[1],
).map(lambda rows: "".join(f"{comment}[{name}]\n{pairs}" for comment, name, pairs in rows))


@tried_on(60)
@given(st.sampled_from(["", "\ufeff"]), _pairs, _tables, _comments, st.booleans(), st.booleans())
def test_any_document(mark: str, pairs: str, tables: str, tail: str, crlf: bool, cut: bool) -> None:
    text = pairs + tables + tail
    text = text.rstrip("\n") if cut else text
    text = text.replace("\n", "\r\n") if crlf else text
    before = tomllib.loads(text)
    data = (mark + text).encode()
    after = EDITOR.put(data)
    assert after.startswith(data)
    meant = tomllib.loads(after.decode().removeprefix("\ufeff"))
    assert meant == {**before, "mcp_servers": {**before.get("mcp_servers", {}), "zeroin": ENTRY}}
    assert EDITOR.state(after, "") is State.CURRENT
    assert note(("codex",), EDITOR.fingerprint(), 0, data, after, None).restore(after) == (True, data)
    out = EDITOR.drop(after)
    assert out == data or (
        out.rstrip() == data.rstrip() and len(out) - len(data) in (1, 2)
    )  # a last line end
