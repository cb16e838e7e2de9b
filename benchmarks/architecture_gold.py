"""What a repository's own documents call its parts: the paths that they name and that exist in the tree.

    python -m benchmarks.architecture_gold --repos DIR

Of each repository the document that names most: one on the architecture by its name, or the section "project
structure" (and the like) of a README or a guide for contributors. Writes `architecture.jsonl`, a line a repository.
"""

from __future__ import annotations

import argparse
import json
import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.breadth import _OTHER
from benchmarks.repositories import Blob, find_repositories, list_blobs, read_blobs, run_git
from benchmarks.review import CODE

GOLD = Path(__file__).parent / "architecture.jsonl"
FEWEST = 3  # parts: a document that names fewer is no map
LARGEST_SHARE = 0.5  # of the code: a folder that holds more is the whole, not a part
MAX_BYTES = 200_000
MAX_TREE = 5_000

_DOCUMENT = re.compile(r"\.(?:md|rst|txt|adoc)$", re.IGNORECASE)
_ON_THE_WHOLE = re.compile(r"^(?:architecture|internals|hacking|design|.*structure|.*layout)\b", re.IGNORECASE)
_GUIDE = re.compile(r"^(?:readme|contributing|developing|development|developer\w*)\b", re.IGNORECASE)
_NEAR_THE_TOP = re.compile(r"^(?:docs?/|\.github/|guides/)?[^/]+$")
_OTHER_FOLDER = re.compile(r"(?:^|/)(?:tests?|examples?|node_modules|vendor|website|\.claude|skills)/")
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$")
_UNDERLINE = re.compile(r"^([=~^\"*-])\1{2,}\s*$")
_ABOUT_PARTS = re.compile(
    r"\b(?:architecture|(?:code|project|repo\w*|source|directory|folder|file|package)s?[ -](?:layout|structure|"
    r"organi[sz]ation|overview|tour)|(?:structure|layout|organi[sz]ation) of|source code|code ?base|sub-?projects|"
    r"(?:list of |the |included |available )?(?:packages|crates|modules|sub-?modules|components))\b",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^\s{0,3}(?:```|~~~)")
_TREE = re.compile(r"^([\s│├└─┬|`+\\-]*)(\.{0,2}/?[\w@.+-][\w@.+/-]*)")
_QUOTED = re.compile(r"`{1,2}([^`\n]{1,120})`{1,2}|\*\*([^*\n]{1,120})\*\*|\]\(([^)\s]{1,200})\)")
_PATH = re.compile(
    r"(?<![\w/.:@-])(?:[\w@.+-]+/)+[\w@.+-]*|(?<![\w/.:@-])[\w+-]+\.(?:" + "|".join(sorted(CODE)) + r")\b"
)
_TOKEN = re.compile(r"^(?:\.{0,2}/)*([\w@.+-]+(?:/[\w@.+-]+)*)/?$")


@dataclass(frozen=True, slots=True)
class Tree:
    """The code of a revision: files, and every folder with the number of code files below."""

    files: frozenset[str]
    folders: dict[str, int]

    @classmethod
    def of(cls, blobs: Sequence[Blob]) -> Tree:
        files = frozenset(
            b.path for b in blobs if b.path.rpartition(".")[2].lower() in CODE and not _OTHER.search(b.path)
        )
        folders: dict[str, int] = {}
        for path in files:
            folder = posixpath.dirname(path)
            while folder:
                folders[folder] = folders.get(folder, 0) + 1
                folder = posixpath.dirname(folder)
        return cls(files, folders)

    def resolve(self, name: str) -> str | None:
        """The code file or folder (with a trailing slash) that a name means: itself, or the one that ends so."""
        for known, mark in ((self.files, ""), (self.folders, "/")):
            if name in known:
                return name + mark
            found = sorted((p for p in known if p.endswith("/" + name)), key=lambda p: (p.count("/"), p))
            if len(found) == 1 or (found and found[0].count("/") < found[1].count("/")):
                return found[0] + mark
        return None


def sections(text: str, name: str) -> Iterator[str]:
    """The lines of a document that are about the parts: all of it, or the sections whose heading says so."""
    if _ON_THE_WHOLE.match(name):
        yield from text.split("\n")
        return
    inside, depth, before, fenced = False, 0, "", False
    for line in text.split("\n"):
        fenced ^= bool(_FENCE.match(line))
        heading = None if fenced else _HEADING.match(line)
        if heading:
            level, title = len(heading[1]), heading[2]
        elif _UNDERLINE.match(line) and before.strip() and not fenced:
            level, title = 1, before
        else:
            before = line
            if inside:
                yield line
            continue
        if inside and level > depth:
            yield title
        else:
            inside, depth = _ABOUT_PARTS.search(title) is not None and len(title) < 60, level


def names(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Names of files and folders, each with less of its path as an alternative, in the order of the document."""
    stack: list[tuple[int, str]] = []
    fenced = False
    for line in lines:
        if _FENCE.match(line):
            fenced, stack = not fenced, []
            continue
        branch = _TREE.match(line)
        if branch and (fenced or re.search("[├└│]", branch[1])):
            at, name = branch.start(2), branch[2].strip("/").removeprefix("./")
            while stack and stack[-1][0] >= at:
                stack.pop()
            stack.append((at, name))
            parts = [part for _, part in stack if part]
            yield tuple("/".join(parts[i:]) for i in range(len(parts)))
            continue
        if fenced:
            continue
        quoted = [next(g for g in m.groups() if g) for m in _QUOTED.finditer(line)]
        for text in [*quoted, *(m[0] for m in _PATH.finditer(line))]:
            text = re.sub(r"^https?://[^/]+/[^/]+/[^/]+/(?:blob|tree)/[^/]+/", "", text.partition("#")[0])
            token = _TOKEN.match(text.strip())
            if token:
                yield (token[1],)


def parts_in(text: str, name: str, tree: Tree) -> list[str]:
    """The distinct files and folders (with a trailing slash) that a document names, without the whole."""
    found: dict[str, None] = {}
    for alternatives in names(list(sections(text, name))):
        for alternative in alternatives:
            path = tree.resolve(alternative)
            if path is not None:
                found[path] = None
                break
    return [p for p in found if tree.folders.get(p.rstrip("/"), 0) <= LARGEST_SHARE * len(tree.files)]


def best_document(git_dir: Path) -> dict[str, object] | None:
    """The document of a repository's newest commit that names most of its parts, None where none names enough."""
    blobs = list_blobs(git_dir, "HEAD")
    if len(blobs) > MAX_TREE:
        return None
    tree = Tree.of(blobs)
    documents = [
        b
        for b in blobs
        if _DOCUMENT.search(b.path)
        and b.size <= MAX_BYTES
        and b.path.count("/") <= 3
        and (
            (_GUIDE.match(name := posixpath.basename(b.path)) and _NEAR_THE_TOP.match(b.path))
            or (_ON_THE_WHOLE.match(name) and not _OTHER_FOLDER.search(b.path))
        )
    ]
    read = zip(documents, read_blobs(git_dir, [b.blob for b in documents]), strict=True)
    named = {
        b.path: parts_in(data.decode("utf-8", "replace"), posixpath.basename(b.path), tree) for b, (_, data) in read
    }
    best = max(named, key=lambda path: (len(named[path]), -len(path)), default="")
    if not best or len(named[best]) < FEWEST:
        return None
    commit = run_git(git_dir, "rev-parse", "HEAD").decode().strip()
    return {"commit": commit, "document": best, "named": sorted(named[best])}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories (owner+name/…)")
    options = parser.parse_args()
    rows = []
    for repo, git_dir in sorted(find_repositories(options.repos).items()):
        found = best_document(git_dir)
        if found is not None:
            rows.append({"repo": repo, **found})
            print(repo, found["document"], len(found["named"]))  # type: ignore[arg-type]
    GOLD.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
