"""Model files: load is the inverse of save, damage is named, and what lies in the package is what was shipped."""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from training.model_files import save_commonness, save_encoder, save_ranker, save_words, word_table_of, write
from zeroin.errors import ModelError
from zeroin.models import commonness, encoder, ranker, reader, shipped, words
from zeroin.models.commonness import Commonness
from zeroin.models.encoder import Encoder
from zeroin.models.ranker import Ranker
from zeroin.models.trees import ObliviousTrees
from zeroin.models.words import Translation
from zeroin.terms import term_id

MOST_BYTES = 32_000_000  # all shipped weights together
FOLDER = Path(shipped.__file__).parent
READERS: dict[str, Callable[[Path], object]] = {
    "a ranker": ranker.read_ranker,
    "an encoder": encoder.read_encoder,
    "a word table": words.read_words,
    "a table of terms": commonness.read_commonness,
    "a reader": reader.read_reader,
}


def small_encoder() -> Encoder:
    """Vectors of "wait" and "delay" point the same way, that of "colour" elsewhere."""
    ids = np.sort(np.array([term_id("wait"), term_id("delay"), term_id("colour")], np.uint64))
    table = np.zeros((3, 4), np.int8)
    for term, row in {"wait": [100, 20, 0, 0], "delay": [110, 10, 0, 0], "colour": [0, 0, 127, 0]}.items():
        table[np.searchsorted(ids, term_id(term))] = row
    scales = (1 / np.linalg.norm(table, axis=1)).astype(np.float32)
    return Encoder(ids, table, scales, np.ones(3, np.float32), np.ones(3, np.float32), {"seed": 1})


def small_ranker() -> Ranker:
    trees = ObliviousTrees(
        np.array([[0, 1]], np.int32),
        np.array([[0.5, 0.5]], np.float32),
        np.array([[0.0, 1.0, 2.0, 3.0]]),
        np.ones((1, 4), np.float32),
        -1.0,
        2,
    )
    return Ranker(trees, ("a", "b"), 7, {"short": np.array([[-1.0, 0.1], [2.0, 0.9]])}, {"tasks": 3})


def test_a_ranker_is_read_as_it_was_written(tmp_path: Path) -> None:
    save_ranker(small_ranker(), tmp_path / "r.npz")
    found = ranker.read_ranker(tmp_path / "r.npz")
    # Leaf = bit 0 (a > 0.5) + bit 1 (b > 0.5); score = base -1 + value of the leaf.
    assert found.trees.predict(np.array([[0.0, 1.0], [1.0, 1.0]], np.float32)).tolist() == [1.0, 2.0]
    assert (found.features, found.features_version, found.card) == (("a", "b"), 7, {"tasks": 3})
    # Between the knots (-1, 0.1) and (2, 0.9): half way at 0.5; level beyond them.
    assert found.relevance(np.array([-5.0, 0.5, 9.0]), "short").tolist() == pytest.approx([0.1, 0.5, 0.9])


def test_an_encoder_is_read_as_it_was_written(tmp_path: Path) -> None:
    save_encoder(small_encoder(), tmp_path / "e.npz")
    found = encoder.read_encoder(tmp_path / "e.npz")
    assert (found.card, found.dimensions) == ({"seed": 1}, 4)
    assert (found.table == small_encoder().table).all()


def test_a_large_table_is_mapped_and_its_damage_is_named(tmp_path: Path) -> None:
    table = np.random.default_rng(1).integers(-127, 127, (5_000, 256), np.int8)
    ones = np.ones(len(table), np.float32)
    path = tmp_path / "e.npz"
    save_encoder(Encoder(np.arange(len(table), dtype=np.uint64), table, ones, ones, ones, {}), path)
    assert (encoder.read_encoder(path).table == table).all()
    content = bytearray(path.read_bytes())
    at = content.index(table[4_000].tobytes())
    content[at] ^= 1
    path.write_bytes(content)
    with pytest.raises(ModelError, match="not an encoder: Bad CRC-32"):
        encoder.read_encoder(path)


def test_a_word_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    rows = {
        "limit": [Translation("throttl", 0.8, 6), Translation("burst", 0.4, 300)],
        "auth": [Translation("limit", 1.0, 5)],
    }
    save_words(word_table_of(rows, {"repositories": 3}), tmp_path / "w.npz")
    table = words.read_words(tmp_path / "w.npz")
    assert table.card == {"repositories": 3}
    assert [(t.term, t.repositories) for t in table.translations("limit")] == [("throttl", 6), ("burst", 255)]
    assert table.translations("limit")[0].weight == pytest.approx(0.8, abs=0.005)  # stored in 255 steps
    assert table.translations("auth")[0].term == "limit"
    assert table.translations("throttl") == table.translations("nowhere") == []


def test_a_table_of_terms_is_read_as_it_was_written(tmp_path: Path) -> None:
    ids = np.array([3, 9], np.uint64)
    save_commonness(Commonness(ids, np.array([40, 7], np.int64), 100), tmp_path / "c.npz")
    found = commonness.read_commonness(tmp_path / "c.npz").document_frequency(np.array([9, 4, 3], np.uint64))
    assert found.tolist() == [7, commonness.UNLISTED, 40]


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("content", [None, b"", b"no model", b"PK\x03\x04 broken"])
def test_what_is_no_model_is_refused_by_name(tmp_path: Path, kind: str, content: bytes | None) -> None:
    path = tmp_path / "broken.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelError, match=rf"broken\.npz: not {kind}") as refused:
        READERS[kind](path)
    assert "pickle" not in str(refused.value)


@pytest.mark.parametrize("compressed", [True, False])
def test_no_damaged_byte_raises_another_error(tmp_path: Path, compressed: bool) -> None:
    arrays = {"ids": np.array([3, 9], np.uint64), "holders": np.array([40, 7], np.uint32)}
    path, refused = tmp_path / "m.npz", 0
    write(path, {"messages": 9, "card": {}}, arrays, compressed=compressed)
    whole = path.read_bytes()
    for at in range(0, len(whole), 5):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 7]) + whole[at + 1 :])
        try:
            commonness.read_commonness(path)
        except ModelError:
            refused += 1
    assert refused > len(whole) // 10


def test_an_array_that_says_it_is_encrypted_is_refused(tmp_path: Path) -> None:
    save_encoder(small_encoder(), tmp_path / "e.npz")
    whole = bytearray((tmp_path / "e.npz").read_bytes())
    whole[whole.rindex(b"PK\x01\x02") + 8] |= 1  # the flags of the last array in the directory
    (tmp_path / "e.npz").write_bytes(whole)
    with pytest.raises(ModelError, match="encrypted"):
        encoder.read_encoder(tmp_path / "e.npz")


def test_arrays_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    good = small_encoder()
    short = Encoder(good.ids, good.table[:2], good.scales, good.task_weights, good.code_weights)
    save_encoder(short, tmp_path / "e.npz")
    with pytest.raises(ModelError, match="belong together"):
        encoder.read_encoder(tmp_path / "e.npz")


def test_a_list_in_place_of_a_table_is_refused(tmp_path: Path) -> None:
    arrays = {name: np.zeros((1, 1), np.float32) for name in ("features", "borders", "values", "weights")}
    header = {"features": ["a"], "features_version": 1, "base": 0.0, "maps": [], "card": {}}
    write(tmp_path / "r.npz", header, arrays)
    with pytest.raises(ModelError, match="not a ranker"):
        ranker.read_ranker(tmp_path / "r.npz")


def test_the_environment_names_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_encoder(small_encoder(), tmp_path / "e.npz")
    save_ranker(small_ranker(), tmp_path / "r.npz")
    monkeypatch.setenv(encoder.VARIABLE, str(tmp_path / "e.npz"))
    monkeypatch.setenv(ranker.VARIABLE, str(tmp_path / "r.npz"))
    assert encoder.encoder().dimensions == 4
    assert ranker.ranker().features == ("a", "b")


def test_the_shipped_files_are_small_and_have_their_digests() -> None:
    found = {}
    for path in sorted(FOLDER.glob("*.npz")):
        with ZipFile(path) as archive:
            whole = hashlib.sha256(path.read_bytes()).hexdigest()
            found[path.name] = shipped.Digests(whole, shipped.digest_of(archive))
    assert found == shipped.SHIPPED
    assert shipped.damaged() == {}
    assert sum(path.stat().st_size for path in FOLDER.glob("*.npz")) <= MOST_BYTES


def test_another_file_in_the_place_of_a_shipped_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_ranker(small_ranker(), tmp_path / "ranker.npz")
    assert ranker.read_ranker(tmp_path / "ranker.npz").features == ("a", "b")
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    with pytest.raises(ModelError, match="not the file that was shipped"):
        ranker.read_ranker(tmp_path / "ranker.npz")


def test_no_flipped_byte_of_a_shipped_file_changes_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    path, whole = tmp_path / "commonness.npz", (FOLDER / "commonness.npz").read_bytes()
    good = commonness.read_commonness(FOLDER / "commonness.npz")
    refused = 0
    for at in range(0, len(whole), 97):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        try:
            found = commonness.read_commonness(path)
        except ModelError:
            refused += 1
        else:
            assert found.ids.tolist() == good.ids.tolist() and found.holders.tolist() == good.holders.tolist()
    assert refused > 0.9 * len(range(0, len(whole), 97))


def test_damage_is_named(tmp_path: Path) -> None:
    for name in shipped.SHIPPED:
        shutil.copy(FOLDER / name, tmp_path / name)
    whole = (tmp_path / "ranker.npz").read_bytes()
    (tmp_path / "ranker.npz").write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    (tmp_path / "words.npz").unlink()
    assert shipped.damaged(tmp_path) == {
        "ranker.npz": "not the file that was shipped",
        "words.npz": "No such file or directory",
    }


def test_the_shipped_word_table() -> None:
    table = words.word_table()
    assert int(str(table.card["repositories"])) >= 150
    assert len(table.pointers) - 1 == table.card["words"]
    assert len(table.targets) == table.card["pairs"]
    assert "throttl" in {t.term for t in table.translations("limit")}
    assert all(t.repositories >= int(str(table.card["support"])) for t in table.translations("authent"))
