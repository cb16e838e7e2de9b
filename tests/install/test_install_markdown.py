"""A block in somebody else's Markdown, and files that are ours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.install import configs
from zeroin.errors import InstallError
from zeroin.install.editing import State
from zeroin.install.markdown_file import MarkdownBlock
from zeroin.install.receipts import note
from zeroin.install.whole_file import WholeFile

BLOCK = MarkdownBlock("First, search.\n\nThen, read.\n")
SKILL = WholeFile("SKILL.md", "---\nname: zeroin\ndescription: finds\n---\n\n# Zeroin\n")


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("tail", ["\n", "\n\n"])
def test_the_block_goes_in_at_the_end_and_out_again(eol: str, mark: str, tail: str) -> None:
    data = (mark + (configs.INSTRUCTIONS + tail).replace("\n", eol)).encode()
    after = BLOCK.put(data)
    assert after.startswith(data)
    assert BLOCK.state(data, "") is State.MISSING
    assert BLOCK.state(after, "") is State.CURRENT
    assert BLOCK.put(after) == after
    assert (b"\n" in after.replace(b"\r\n", b"")) == (eol == "\n")
    assert BLOCK.drop(after) == data


def test_the_block_alone() -> None:
    after = BLOCK.put(b"").decode()
    assert after.startswith("<!-- zeroin begin (")
    assert after.endswith("Then, read.\n<!-- zeroin end -->\n")
    assert BLOCK.drop(after.encode()) == b""


def test_stale_and_edited_blocks() -> None:
    old = MarkdownBlock("First, guess.").put(b"# Mine\n")
    assert BLOCK.state(old, "") is State.STALE
    assert BLOCK.put(old) == BLOCK.put(b"# Mine\n")
    edited = BLOCK.put(b"# Mine\n").replace(b"First", b"Last") + b"\n# More\n"
    assert BLOCK.state(edited, BLOCK.fingerprint()) is State.EDITED
    assert BLOCK.drop(edited) == b"# Mine\n\n# More\n"


def test_a_block_without_its_end_is_left_alone() -> None:
    broken = BLOCK.put(b"# Mine\n").replace(b"<!-- zeroin end -->\n", b"# More\n")
    for edit in (BLOCK.put, BLOCK.drop):
        with pytest.raises(InstallError, match="is missing"):
            edit(broken)
    with pytest.raises(InstallError, match="is missing"):
        BLOCK.drop(broken + BLOCK.put(b""))


def test_marks_within_a_line_are_text() -> None:
    text = b"Between `<!-- zeroin begin (0): written by `zeroin install` -->` and the like.\n"
    assert BLOCK.state(text, "") is State.MISSING


@given(st.text())
def test_any_text(text: str) -> None:
    data = text.encode()
    after = BLOCK.put(data)
    assert after.startswith(data)
    assert BLOCK.state(after, "") is State.CURRENT
    assert note(("zed",), BLOCK.fingerprint(), 0, data, after, None).restore(after) == (True, data)
    assert BLOCK.drop(after).strip() == data.strip()


def test_the_stamp_of_our_own_files_is_where_no_model_reads_it() -> None:
    data = SKILL.put(b"").decode()
    assert data.splitlines()[3].startswith("# zeroin: written by `zeroin install` (")
    assert data.splitlines()[4:] == ["---", "", "# Zeroin"]
    assert WholeFile("more.md", "text").put(b"").decode().startswith("text\n<!-- zeroin: written by")
    assert (
        WholeFile("a.toml", 'name = "a"\n').put(b"").decode().startswith('name = "a"\n# zeroin: written by')
    )


@pytest.mark.parametrize("name", ["SKILL.md", "more.md", "agent.toml"])
def test_states_of_our_own_files(name: str) -> None:
    new, old = WholeFile(name, "---\nname: a\n---\nnew\n"), WholeFile(name, "---\nname: a\n---\nold\n")
    data = old.put(b"")
    assert old.state(data, "") is State.CURRENT
    assert old.state(data.replace(b"\n", b"\r\n"), "") is State.CURRENT
    assert new.state(data, "") is State.STALE
    assert new.state(data.replace(b"old", b"mine"), "") is State.EDITED
    assert new.state(b"", "") is State.MISSING
    assert new.ours(data.replace(b"old", b"mine"))
    assert not new.ours(b"---\nname: a\n---\nnew\n")
    assert new.state(b"somebody else's\n", "") is State.EDITED
