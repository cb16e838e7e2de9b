"""Repositories whose commits, trees and blobs are tricks."""

import hashlib
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

from benchmarks.hostile.place import RIGHT, Place

_FILL = b"#" * (1 << 20)


def encodings(place: Place) -> None:
    """Commits that claim encodings which do not exist, dates out of range and names that forge lines."""
    parent, tree = place.git("rev-parse", "HEAD"), place.git("rev-parse", "HEAD^{tree}")
    for head, date in (("UTF-7", "1 +0000"), ("no-such", "99999999999999999999 +9999"), ("UTF-16", "-5 -0000")):
        raw = (
            f"tree {tree}\nparent {parent}\nauthor a\x1b[31m <a@b> {date}\ncommitter \u202e <> {date}\n"
            f"encoding {head}\n\n+AGEAcA- coupon\x00customer\x1b]0;x\x07\n\x00\x01{'0' * 40}\n"
        )
        parent = place.git(
            "hash-object", "-t", "commit", "--literally", "-w", "--stdin", stdin=raw.encode("utf-8", "replace")
        )
    place.git("update-ref", "HEAD", parent)


def long_message(place: Place) -> None:
    """A commit message of fifty megabytes, and one of a single line as long."""
    for text in (b"coupon of a customer\n" * 2_500_000, b"coupon " * 7_000_000):
        commit = place.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-F", "-", stdin=text)
        place.git("update-ref", "HEAD", commit)


def bomb(root: Path, kind: str, head: bytes, size: int) -> str:
    """Write a loose object that is `head` and then `#` up to `size` bytes; returns its id."""
    digest, packed = hashlib.sha1(usedforsecurity=False), zlib.compressobj(1)
    data, done = b"", 0
    for part in (b"%s %d\0" % (kind.encode(), size), head):
        digest.update(part)
        data += packed.compress(part)
    while done < size - len(head):
        part = _FILL[: size - len(head) - done]
        digest.update(part)
        data += packed.compress(part)
        done += len(part)
    name = digest.hexdigest()
    path = root / ".git/objects" / name[:2] / name[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data + packed.flush())
    return name


def blob_bomb(place: Place) -> None:
    """Blobs that unpack to two gigabytes: a source file, an ignore file, a manifest."""
    name = bomb(place.root, "blob", b"*.md\n", 2_000_000_000)
    rows = [f"100644 blob {name}\t{path}\n" for path in (".ignore", "coupon.py", "package.json")]
    rest = place.git("ls-tree", "HEAD") + "\n"
    tree = place.git("mktree", stdin=("".join(rows) + rest).encode())
    place.git("update-ref", "HEAD", place.git("commit-tree", tree, "-p", "HEAD", "-m", "Renew the coupon"))


def commit_bomb(place: Place) -> None:
    """A commit that unpacks to a gigabyte."""
    head = place.git("cat-file", "commit", "HEAD").encode() + b"\n"
    (place.root / ".git/refs/heads/main").write_text(bomb(place.root, "commit", head, 1_000_000_000) + "\n")


def tree_bomb(place: Place) -> None:
    """Eleven trees that are ten thousand million files."""
    blob = place.git("rev-parse", f"HEAD:{RIGHT}")
    tree = place.git("mktree", stdin="".join(f"100644 blob {blob}\tf{n}\n" for n in range(10)).encode())
    for _ in range(9):
        tree = place.git("mktree", stdin="".join(f"040000 tree {tree}\td{n}\n" for n in range(10)).encode())
    place.git("update-ref", "HEAD", place.git("commit-tree", tree, "-p", "HEAD", "-m", "Renew the coupon"))


def delta_bomb(place: Place) -> None:
    """A pack of some kilobytes in which a blob copies another one sixty times: 400 MB."""
    base = b"#" * 6_500_000
    size = 60 * len(base)
    copy = b"\xf0" + (len(base)).to_bytes(3, "little")  # from 0, so many bytes
    delta = _varint(len(base)) + _varint(size) + copy * 60
    name = hashlib.sha1(b"blob %d\0" % len(base) + base, usedforsecurity=False).digest()
    body = _entry(3, len(base)) + zlib.compress(base) + _entry(7, len(delta)) + name + zlib.compress(delta)
    data = b"PACK" + struct.pack(">II", 2, 2) + body
    pack = place.root / ".git/objects/pack/pack-1.pack"
    pack.parent.mkdir(exist_ok=True)
    pack.write_bytes(data + hashlib.sha1(data, usedforsecurity=False).digest())
    place.git("index-pack", "-o", str(pack.with_suffix(".idx")), str(pack))
    large = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    for _ in range(60):
        large.update(base)
    rows = f"100644 blob {large.hexdigest()}\tcoupon.py\n" + place.git("ls-tree", "HEAD") + "\n"
    tree = place.git("mktree", stdin=rows.encode())
    place.git("update-ref", "HEAD", place.git("commit-tree", tree, "-p", "HEAD", "-m", "Renew the coupon"))


def _varint(value: int) -> bytes:
    out = b""
    while value > 0x7F:
        out += bytes((value & 0x7F | 0x80,))
        value >>= 7
    return out + bytes((value,))


def _entry(kind: int, size: int) -> bytes:
    first, rest = kind << 4 | size & 15, size >> 4
    return bytes((first | 0x80,)) + _varint(rest) if rest else bytes((first,))


OBJECTS: tuple[Callable[[Place], None], ...] = (
    *(encodings, long_message, blob_bomb, commit_bomb, tree_bomb, delta_bomb),
)
