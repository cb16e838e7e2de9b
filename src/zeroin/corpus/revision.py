"""A revision straight from git's objects: no checkout, bare repositories too."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeGuard

from zeroin.config import MAX_FILE_BYTES
from zeroin.corpus.git import Git, to_bytes, to_str
from zeroin.corpus.ignore import GIT_KINDS, Ignores, folders_above
from zeroin.corpus.listed import SUBMODULE, Listed, tree_digest, without_ignored
from zeroin.errors import RepositoryError
from zeroin.tree import Entry, Skipped, TreeState


class Revision(Listed):
    """The tree of one commit, or of the folder `prefix` in it. `commit` is "" in a repository without a commit."""

    def __init__(self, git: Git, root: Path, *, identity: str, prefix: str, commit: str, rev: str) -> None:
        super().__init__(root, identity=identity, git_dir=git.git_dir, prefix=prefix, commit=commit)
        self._git = git
        self._rev = rev
        self._tree = to_bytes(f"{commit}:{prefix.rstrip('/')}")
        if prefix and commit and git.run("cat-file", "-t", self._tree, accept=(0, 1, 128)).strip() != b"tree":
            raise RepositoryError(f"there is no folder {prefix.rstrip('/')!r} in revision {rev}")

    def _find(self) -> Iterable[Entry | Skipped]:
        if not self.commit:
            return ()
        found = list(self._tree_of("-r", self._tree))
        above = [to_bytes(folder + kind) for folder in folders_above(self.prefix) for kind in GIT_KINDS]
        rules = [item._replace(path=self.prefix + item.path) for item in filter(_is_rules, found)]
        if above:
            rules += filter(_is_rules, self._tree_of(self.commit, "--", *above))
        ignores = Ignores(GIT_KINDS)
        for entry, data in self.read(rules):
            ignores.add(entry.path, data or b"")
        return without_ignored(found, ignores, self.prefix)

    def _tree_of(self, *what: str | bytes) -> Iterator[Entry | Skipped]:
        for record in self._git.run("ls-tree", "-z", "--full-tree", *what).split(b"\0"):
            meta, tab, name = record.partition(b"\t")  # "<mode> <type> <blob>\t<path>"
            if meta.startswith(b"100"):
                yield Entry(to_str(name), meta[meta.rfind(b" ") + 1 :].decode("ascii"))
            elif tab:
                yield Skipped(to_str(name), SUBMODULE if meta.startswith(b"160") else "symlink")

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | None]]:
        """Yield contents in order, cut one byte after `MAX_FILE_BYTES`; None where git lacks the blob."""
        wanted = list(entries)
        contents = self._git.blobs((entry.blob or "0" * 40 for entry in wanted), limit=MAX_FILE_BYTES + 1)
        yield from zip(wanted, contents, strict=True)

    def state(self, entries: Sequence[Entry]) -> TreeState:
        """Return the commit and the digest of every path and blob; never dirty."""
        return TreeState(self.commit, tree_digest(entries), dirty=False, rev=self._rev)


def _is_rules(item: Entry | Skipped) -> TypeGuard[Entry]:
    return isinstance(item, Entry) and item.path.endswith(GIT_KINDS)
