"""Contents of files of several repositories, cached; one call of git reads all blobs of one object store."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from zeroin.corpus.revision import Revision
from zeroin.protocols import Contents
from zeroin.tree import Entry

_KEPT_BYTES = 32 << 20

Key = tuple[str, str]  # identity of a repository (`Source.identity`), and a blob


class Reader:
    """Reads files, and keeps the blobs of revisions that were used last. Safe to share between threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def read(self, wanted: Sequence[tuple[Contents, Entry]]) -> list[bytes | None]:
        """Return the contents of files, in order; None for one that cannot be read."""
        out: list[bytes | None] = [None] * len(wanted)
        of_blobs: dict[str, tuple[Revision, dict[str, list[int]]]] = {}
        others: dict[int, tuple[Contents, list[int]]] = {}
        for at, (contents, entry) in enumerate(wanted):
            if isinstance(contents, Revision) and entry.blob is not None:
                found = of_blobs.setdefault(contents.identity, (contents, {}))
                found[1].setdefault(entry.blob, []).append(at)
            else:  # a file of a work tree or a folder may change, so it is not kept
                others.setdefault(id(contents), (contents, []))[1].append(at)
        for contents, places in others.values():
            data = contents.read([wanted[at][1] for at in places])
            for at, (_, read) in zip(places, data, strict=True):
                out[at] = read
        for identity, (revision, blobs) in of_blobs.items():
            for blob, read in self._blobs(revision, identity, list(blobs)).items():
                for at in blobs[blob]:
                    out[at] = read
        return out

    def _blobs(self, revision: Revision, identity: str, blobs: Sequence[str]) -> dict[str, bytes | None]:
        with self._lock:
            found: dict[str, bytes | None] = {
                blob: self._kept[identity, blob] for blob in blobs if (identity, blob) in self._kept
            }
            for blob in found:
                self._kept.move_to_end((identity, blob))
        missing = [Entry("", blob) for blob in blobs if blob not in found]
        if missing:
            read = {entry.blob or "": data for entry, data in revision.read(missing)}
            found |= read
            with self._lock:
                for blob, data in read.items():
                    # A missing blob may be there the next time; another thread may have kept this one meanwhile.
                    if data is not None and (identity, blob) not in self._kept:
                        self._kept[identity, blob] = data
                        self._bytes += len(data)
                while self._bytes > _KEPT_BYTES and len(self._kept) > 1:
                    self._bytes -= len(self._kept.popitem(last=False)[1])
        return found
