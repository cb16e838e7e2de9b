"""The words by which a tree names things: kept with its snapshot, the same as made anew."""

from pathlib import Path

from tests.repositories import repository
from zeroin.corpus.source import open_source
from zeroin.index.arrays import to_columns
from zeroin.index.opening import open_index
from zeroin.index.vocabulary import Vocabulary

FILES = {
    "src/throttle/limiter.py": "class RateLimiter:\n    def acquireToken(self): ...\n",
    "src/throttle/größe.py": "def größeMessen(a): ...\n",
    "docs/naming.md": "# Naming\n\nA bucket holds tokens.\n",
}


def test_a_loaded_snapshot_holds_the_vocabulary_that_its_fields_give(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", FILES)
    for _ in ("made", "loaded"):
        snapshot = open_index(open_source(root)).view.snapshot
    kept = snapshot.kept_vocabulary
    assert kept is not None and snapshot.vocabulary() is kept
    anew = Vocabulary.of(snapshot.paths, snapshot.symbols.names, snapshot.content, snapshot.path_terms)
    one, other = to_columns(kept), to_columns(anew)
    assert {name: one[name].tolist() for name in one} == {name: other[name].tolist() for name in other}
    assert {"throttle", "limiter", "token", "größe"} <= set(kept.words)
    assert "bucket" not in set(kept.words)  # prose says it, no name does
    assert [kept.terms[row] for row in kept.number.values()] == list(kept.number)


def test_the_vocabulary_of_an_edited_tree_follows_from_the_kept_one(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", FILES)
    open_index(open_source(root))
    (root / "src/throttle/limiter.py").write_text("class SpeedLimiter:\n    def spendToken(self): ...\n")
    snapshot = open_index(open_source(root)).view.snapshot
    anew = Vocabulary.of(snapshot.paths, snapshot.symbols.names, snapshot.content, snapshot.path_terms)
    one, other = to_columns(snapshot.vocabulary()), to_columns(anew)
    assert {name: one[name].tolist() for name in one} == {name: other[name].tolist() for name in other}
    assert {"speed", "spend"} <= set(anew.words) and not {"rate", "acquire"} & set(anew.words)
