"""The wheel is the same bit for bit wherever it is built: python .ci/wheels.py

What is committed is built twice, in folders of different names, with another umask and other times of the files.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def built(folder: Path, umask: int, when: int) -> tuple[str, str]:
    """Name and SHA-256 of the wheel of what is committed, built in a folder."""
    source = folder / "source"
    source.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(source)], input=archive, check=True)
    for path in source.rglob("*"):
        path.chmod(path.stat().st_mode & ~umask)
        os.utime(path, (when, when))
    said = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=True)
    env = {**os.environ, "SOURCE_DATE_EPOCH": said.stdout.strip()}
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps", "--no-cache-dir"]
    before = os.umask(umask)
    try:
        subprocess.run([*pip, "-w", str(folder), str(source)], env=env, check=True)
    finally:
        os.umask(before)
    (wheel,) = folder.glob("*.whl")
    return wheel.name, hashlib.sha256(wheel.read_bytes()).hexdigest()


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="zeroin-wheels-") as made:
        first = built(Path(made) / "a", 0o022, 1_000_000_000)
        second = built(Path(made) / "another-folder" / "b", 0o077, 1_500_000_000)
    if first != second:
        sys.exit(f"two builds of the same commit differ: {first}, {second}")
    print(*first)


if __name__ == "__main__":
    main()
