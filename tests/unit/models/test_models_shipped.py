"""The digests of the shipped models are those of the files, and damage is told."""

from __future__ import annotations

import shutil
from pathlib import Path

from zeroin.models import shipped


def test_the_files_are_what_the_digests_say() -> None:
    assert shipped.damaged() == {}
    folder = Path(shipped.__file__).parent
    assert sorted(shipped.SHIPPED) == sorted(path.name for path in folder.glob("*.npz"))


def test_damage_is_told(tmp_path: Path) -> None:
    folder = Path(shipped.__file__).parent
    for name in shipped.SHIPPED:
        shutil.copy(folder / name, tmp_path / name)
    assert shipped.damaged(tmp_path) == {}
    whole = (tmp_path / "ranker.npz").read_bytes()
    (tmp_path / "ranker.npz").write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    (tmp_path / "words.npz").unlink()
    assert shipped.damaged(tmp_path) == {
        "ranker.npz": "not the file that was shipped",
        "words.npz": "No such file or directory",
    }
