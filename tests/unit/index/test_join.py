"""Several trees as one: every array is the one that assembling all files at once gives."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_edits import PROGRAM

from tests.repositories import write
from zeroin.corpus.source import open_source
from zeroin.index import arrays, postings
from zeroin.index.opening import Opened, open_index
from zeroin.workspace.tree import Below, joined


def opened(folder: Path, files: dict[str, str]) -> Opened:
    return open_index(open_source(write(folder, files)))


@pytest.mark.parametrize("prefixes", [("", "web/", "java/"), ("", "shop/taxes/"), ("money/", "rust/", "")])
def test_joined_trees_are_what_one_tree_is(tmp_path: Path, prefixes: tuple[str, ...]) -> None:
    whole = opened(tmp_path / "whole", dict(PROGRAM))
    left = dict(PROGRAM)
    below: dict[str, dict[str, str]] = {}
    for prefix in sorted(prefixes, key=len, reverse=True):
        below[prefix] = {path[len(prefix) :]: left.pop(path) for path in list(left) if path.startswith(prefix)}
    parts = [opened(tmp_path / f"part{at}", below[prefix]) for at, prefix in enumerate(prefixes)]
    together = joined([Below(*one) for one in zip(prefixes, parts, strict=True)])
    one, other = whole.view.snapshot, together.view.snapshot
    assert one.language_names == other.language_names
    assert one.symbols.kinds == other.symbols.kinds
    expected, found = arrays.to_columns(one), arrays.to_columns(other)
    assert expected.keys() == found.keys()
    for name, column in expected.items():
        assert column.dtype == found[name].dtype, name
        np.testing.assert_array_equal(column, found[name], err_msg=name)
    assert len(one.import_sources) > 3
    for doc, path in enumerate(whole.view.paths):
        assert together.view.text(doc) == PROGRAM[path]


@given(
    st.lists(st.tuples(st.sampled_from("okng"), st.dictionaries(st.integers(0, 9), st.integers(1, 9))), max_size=8),
)
def test_a_few_rows_are_put_where_merging_all_puts_them(documents: list[tuple[str, dict[int, int]]]) -> None:
    """Documents are kept (o, k), new, or gone: those of the first part and those of the second, in any order."""

    def built(kinds: str) -> postings.Postings:
        kept = [sorted(terms.items()) for kind, terms in documents if kind in kinds]
        columns = [(np.array([t for t, _ in d], np.uint64), np.array([[n] for _, n in d], np.uint16)) for d in kept]
        return postings.build([(ids, counts.reshape(-1, 1)) for ids, counts in columns], 1)

    number = np.cumsum([kind != "g" for kind, _ in documents], dtype=np.int32) - 1
    places = [
        np.array([-1 if kind == "g" else at for at, (kind, _) in zip(number, documents, strict=True) if kind in kinds])
        for kinds in ("okg", "n")
    ]
    parts = [*zip((place.astype(np.int32) for place in places), (built("okg"), built("n")), strict=True)]
    size = sum(kind != "g" for kind, _ in documents)
    spliced = postings.merged(list(parts), size, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "_FEW_ROWS", -1)
        merged = postings.merged(list(parts), size, 1)
    one, other = arrays.to_columns(spliced), arrays.to_columns(merged)
    for name, column in one.items():
        assert column.dtype == other[name].dtype, name
        np.testing.assert_array_equal(column, other[name], err_msg=name)
