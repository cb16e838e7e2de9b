"""A file is replaced in one step, and what a killed writer leaves is removed by the next one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from zeroin.replacing import replacing, sweep

posix = pytest.mark.skipif(os.name == "nt", reason="files are not locked on Windows: they go after a day")
_WRITER = (
    "import os, sys\nfrom pathlib import Path\nfrom zeroin.replacing import replacing\n"
    "with replacing(Path(sys.argv[1])) as file:\n"
    "    file.write(b'half')\n    file.flush()\n    print('half', flush=True)\n    sys.stdin.read()\n"
)


def writer(target: Path) -> subprocess.Popen[bytes]:
    """A process that has written half of a file."""
    process = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(target)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"half\n"
    return process


@posix
def test_what_a_killed_writer_leaves_goes_and_what_a_living_one_writes_stays(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with writer(tmp_path / "b") as living:
        with writer(tmp_path / "a") as killed:
            killed.kill()
        foreign = tmp_path / ".a.deadbeefdeadbeef.tmp"
        foreign.touch()
        assert (tmp_path / "a").read_text() == "old"
        assert len(list(tmp_path.iterdir())) == 4
        with replacing(tmp_path / "c") as file:
            file.write(b"new")
        assert len(list(tmp_path.iterdir())) == 4
        assert living.communicate() == (b"", None)
    sweep(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "a": "old",
        "b": "half",
        "c": "new",
        foreign.name: "",
    }


def test_a_failure_leaves_the_old_file_alone(tmp_path: Path) -> None:
    target = tmp_path / ("ä" * 120)
    with replacing(target, mode=0o600, sync=True) as file:
        file.write(b"old")
    with pytest.raises(ValueError, match="late"), replacing(target) as file:
        raise ValueError("late")
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
    assert target.read_bytes() == b"old"
    assert os.name == "nt" or target.stat().st_mode & 0o777 == 0o600
