"""A block in somebody else's Markdown, and files that are ours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.install import configurations as configs
from zeroin.errors import InstallError
from zeroin.install.entries import State
from zeroin.install.owned import MarkdownBlock, OwnFile

BLOCK = MarkdownBlock("First, search.\n\nThen, read.\n")


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_the_block_goes_in_at_the_end_and_out_again(eol: str, mark: str) -> None:
    data = (mark + (configs.INSTRUCTIONS.rstrip("\n") + "\n").replace("\n", eol)).encode()
    after = BLOCK.put(data)
    assert after.startswith(data)
    assert BLOCK.state(data) is State.MISSING
    assert BLOCK.state(after) is State.CURRENT
    assert BLOCK.put(after) == after
    assert (b"\n" in after.replace(b"\r\n", b"")) == (eol == "\n")
    assert BLOCK.drop(after) == data


def test_the_block_alone() -> None:
    after = BLOCK.put(b"")
    assert after.startswith(b"<!-- zeroin begin (") and after.endswith(b"Then, read.\n<!-- zeroin end -->\n")
    assert BLOCK.drop(after) is None


def test_stale_and_edited_blocks() -> None:
    old = MarkdownBlock("First, guess.").put(b"# Mine\n")
    assert BLOCK.state(old) is State.STALE
    assert BLOCK.put(old) == BLOCK.put(b"# Mine\n")
    edited = BLOCK.put(b"# Mine\n").replace(b"First", b"Last") + b"\n# More\n"
    assert BLOCK.state(edited) is State.EDITED
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
    assert BLOCK.state(text) is State.MISSING


@given(st.text())
def test_any_text(text: str) -> None:
    after = BLOCK.put(text.encode())
    assert BLOCK.state(after) is State.CURRENT
    assert after.startswith(text.rstrip("\r\n").encode())
    assert (BLOCK.drop(after) or b"").decode().strip() == text.strip()


def test_the_stamp_of_our_own_files_is_where_no_model_reads_it() -> None:
    data = OwnFile("SKILL.md", "---\nname: zeroin\ndescription: finds\n---\n\n# Zeroin\n").put(b"").decode()
    assert data.splitlines()[3].startswith("# zeroin: written by `zeroin install` (")
    assert data.splitlines()[4:] == ["---", "", "# Zeroin"]
    assert OwnFile("more.md", "text\n").put(b"").startswith(b"text\n<!-- zeroin: written by")
    assert OwnFile("a.toml", 'name = "a"\n').put(b"").startswith(b'name = "a"\n# zeroin: written by')


@pytest.mark.parametrize("name", ["SKILL.md", "more.md", "agent.toml"])
def test_states_of_our_own_files(name: str) -> None:
    new, old = OwnFile(name, "---\nname: a\n---\nnew\n"), OwnFile(name, "---\nname: a\n---\nold\n")
    data = old.put(b"")
    assert old.state(data) is old.state(data.replace(b"\n", b"\r\n")) is State.CURRENT
    assert new.state(data) is State.STALE
    edited, foreign = data.replace(b"old", b"mine"), b"somebody else's\n"
    assert new.state(edited) is new.state(foreign) is State.EDITED
    assert new.state(b"") is State.MISSING
    assert new.drop(data) is new.drop(edited) is new.drop(b"---\nname: a\n---\nnew\n") is None
    assert new.drop(foreign) == foreign
