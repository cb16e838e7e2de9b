"""Repositories that lead out of themselves, as git itself never makes them; `SECRET` stands in a file beside them."""

import hashlib
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.repositories import repository

TASK = "renew the coupon of a customer"
SECRET = "renew_coupon_of_zanzibar"
INSIDE = 'def renew_coupon(customer):\n    """Renew the coupon of a customer."""\n    return customer.coupon\n'
FILES = {"shop/coupons/renew.py": INSIDE, "shop/till.py": "def pay(customer):\n    return 1\n"}


def by_a_linked_folder(root: Path, outside: Path) -> None:
    _replace(root / "shop/coupons", outside)


def by_a_link_further_up(root: Path, outside: Path) -> None:
    (outside / "coupons").mkdir()
    shutil.move(outside / "renew.py", outside / "coupons/renew.py")
    _replace(root / "shop", outside)


def by_a_linked_file(root: Path, outside: Path) -> None:
    _replace(root / "shop/coupons/renew.py", outside / "renew.py")


def by_dots_in_the_index(root: Path, outside: Path) -> None:
    add_to_index(root, f"../{outside.name}/renew.py")


def by_dots_after_a_folder(root: Path, outside: Path) -> None:
    add_to_index(root, f"shop/../../{outside.name}/renew.py")


def by_an_absolute_name(root: Path, outside: Path) -> None:
    add_to_index(root, f"{outside}/renew.py")


def by_the_git_directory(root: Path, outside: Path) -> None:
    shutil.copy(outside / "renew.py", root / ".git/renew.py")
    add_to_index(root, ".GIT/renew.py")
    add_to_index(root, ".git/renew.py")


WAYS: tuple[Callable[[Path, Path], None], ...] = (
    by_a_linked_folder,
    by_a_link_further_up,
    by_a_linked_file,
    by_dots_in_the_index,
    by_dots_after_a_folder,
    by_an_absolute_name,
    by_the_git_directory,
)


def leading_out(folder: Path, way: Callable[[Path, Path], None]) -> Path:
    """A repository in `folder` that leads to a file beside it, which says `SECRET`."""
    outside, root = folder / "outside", folder / "root"
    outside.mkdir()
    (outside / "renew.py").write_text(INSIDE.replace("renew_coupon", SECRET))
    repository(root, FILES, "Shop")
    way(root, outside)
    return root


def add_to_index(root: Path, name: str) -> None:
    """Put a name into git's index (version 2) that git would refuse, for the contents of its first entry."""
    raw = (root / ".git/index").read_bytes()
    count = int.from_bytes(raw[8:12], "big")
    blob = raw[12 + 40 : 12 + 60]  # of the first entry
    entry = struct.pack(">10I", *[0] * 6, 0o100644, 0, 0, 0) + blob + struct.pack(">H", len(name)) + name.encode()
    entry += bytes(8 - len(entry) % 8)
    entries = sorted([entry, *_entries(raw[12:-20], count)], key=lambda e: e[62:].rstrip(b"\0"))
    written = raw[:8] + (count + 1).to_bytes(4, "big") + b"".join(entries)  # without extensions
    (root / ".git/index").write_bytes(written + hashlib.sha1(written, usedforsecurity=False).digest())


def _entries(raw: bytes, count: int) -> list[bytes]:
    found = []
    for _ in range(count):
        size = (62 + (int.from_bytes(raw[60:62], "big") & 0xFFF) + 8) // 8 * 8
        found.append(raw[:size])
        raw = raw[size:]
    return found


def _replace(place: Path, target: Path) -> None:
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink()
    place.symlink_to(target)


def committed_names(root: Path, *parts: str) -> str:
    """A commit whose tree is that of HEAD and has the path of `parts` besides, names that git refuses among them."""

    def run(*args: str, stdin: bytes = b"") -> str:
        done = subprocess.run(["git", "-C", str(root), *args], input=stdin, capture_output=True, check=True)
        return done.stdout.decode().strip()

    found, mode = run("rev-parse", "HEAD:shop/coupons/renew.py"), b"100644"
    for depth, name in enumerate(reversed(parts), 1):
        rows = [mode + b" " + name.encode() + b"\0" + bytes.fromhex(found)]
        if depth == len(parts):
            rows.append(b"40000 shop\0" + bytes.fromhex(run("rev-parse", "HEAD:shop")))
        found = run("hash-object", "-w", "-t", "tree", "--literally", "--stdin", stdin=b"".join(rows))
        mode = b"40000"
    commit = f"tree {found}\nauthor a <a@example.org> 1 +0000\ncommitter a <a@example.org> 1 +0000\n\nx\n"
    return run("hash-object", "-w", "-t", "commit", "--stdin", stdin=commit.encode())
