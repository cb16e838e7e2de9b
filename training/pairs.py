"""Pairs of prose and the code it speaks of, from public repositories: what the encoder learns from.

    python -m training.pairs --repos FOLDER --out FOLDER [--repositories training/encoder_repositories.json] [--jobs 2]

Of each repository, at its pinned commit: messages of changes with the lines they change; comments and docstrings with
the definition they describe; sentences in strings (error messages, descriptions of tests) with the definition around
them; names of definitions with their bodies; sections of documents with the code they show. One file a repository,
bags of the analyser's terms; a repository whose file is there is not read again.
"""

import argparse
import json
import multiprocessing
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.repositories import RepositoryError, find_repositories, has_commit, list_blobs, read_blobs
from training.changes import Change, FilePatch, list_changes, read_changes, read_patches, sizes
from training.gold import files_of
from training.held_out import HeldOutError, refuse
from training.messages import clean, is_bot, no_task
from zeroin.corpus.decode import decode
from zeroin.corpus.languages import TEXT_LANGUAGES, language_of
from zeroin.corpus.roles import role_of
from zeroin.parsing.analyse import outline_of
from zeroin.terms import STOPWORDS, WORD, analyse_word, split_identifier, stem
from zeroin.types import Role

LISTED = Path(__file__).with_name("encoder_repositories.json")
KINDS = ("change", "comment", "string", "name", "section")
MOST = {"change": 2_400, "comment": 2_500, "string": 1_200, "name": 1_500, "section": 600}
MAX_CHANGES, MAX_CHANGED_FILES, FILES_A_CHANGE = 2_000, 6, 2
MAX_CODE_FILES, MAX_FILE_BYTES = 900, 100_000
MIN_LINES, MAX_LINES = 3, 90
LEAST_PROSE, LEAST_CODE = 3, 4  # content words of a bag
MAX_WORD = 60  # characters
MAX_TERMS = 160  # of a bag, most frequent first

_SENTENCE = re.compile(r"[A-Za-z][\w'’,;:()-]*(?:\s+[\w'’,;:()-]+){3,}")
_HEADING = re.compile(r"^(?:#{1,6}\s+(?P<atx>.+)|(?P<under>\S.{2,80})\n(?:[=\-~^]{3,}))$", re.MULTILINE)
_FENCE = re.compile(r"```[^\n]*\n(.*?)```|``([^`\n]+)``|`([^`\n]+)`|^(?: {4}|\t)(\S.*)$", re.DOTALL | re.MULTILINE)
_LICENCE = re.compile(r"copyright|licen[cs]ed? under|all rights reserved|SPDX-", re.IGNORECASE)


@dataclass(slots=True)
class Bags:
    """Pairs of one repository: kinds, and the terms of both sides with their counts."""

    kinds: list[int] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)  # pairs of one group are no negatives of each other
    prose: list[Counter[str]] = field(default_factory=list)
    code: list[Counter[str]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    surfaces: dict[str, Counter[str]] = field(default_factory=dict)  # how people write a term

    def add(self, kind: str, group: int, prose: str, code: str) -> None:
        """Keep a pair unless one side says too little or there are enough of its kind."""
        if self.counts[kind] >= MOST[kind]:
            return
        left, right = self.bag(prose), self.bag(code)
        if sum(t not in STOPWORDS for t in left) < LEAST_PROSE - (kind == "name") or len(right) < LEAST_CODE:
            return
        self.counts[kind] += 1
        self.kinds.append(KINDS.index(kind))
        self.groups.append(group)
        self.prose.append(left)
        self.code.append(right)

    def bag(self, text: str) -> Counter[str]:
        """Terms of a text with their counts, the most frequent if there are too many."""
        out: Counter[str] = Counter()
        for word, count in Counter(WORD.findall(text)).items():
            if len(word) > MAX_WORD:
                continue
            parts, terms = split_identifier(word), analyse_word(word)
            for term in terms:
                if not term.isdigit():
                    out[term] += count
            for part in parts:
                self.surfaces.setdefault(stem(part), Counter())[part] += count
            if len(parts) > 1:  # the compound comes last
                self.surfaces.setdefault(terms[-1], Counter())[" ".join(parts)] += count
        return Counter(dict(out.most_common(MAX_TERMS)))

    def _surface(self, term: str) -> str:
        found = self.surfaces.get(term)
        return max(found.items(), key=lambda item: (item[1], item[0]))[0] if found else term

    def save(self, path: Path) -> None:
        """Write the pairs: a local list of terms, and both sides as ragged rows of (term, count)."""
        terms = sorted({t for bags in (self.prose, self.code) for b in bags for t in b})
        number = {term: i for i, term in enumerate(terms)}
        out: dict[str, NDArray[np.generic]] = {
            "terms": np.frombuffer("\n".join(terms).encode(), np.uint8),
            "surfaces": np.frombuffer("\n".join(self._surface(t) for t in terms).encode(), np.uint8),
            "kinds": np.array(self.kinds, np.uint8),
            "groups": np.array(self.groups, np.int32),
        }
        for name, bags in (("prose", self.prose), ("code", self.code)):
            out[f"{name}_ends"] = np.cumsum([len(b) for b in bags]).astype(np.int64)
            out[f"{name}_terms"] = np.array([number[t] for b in bags for t in b], np.int32)
            out[f"{name}_counts"] = np.array([min(255, c) for b in bags for c in b.values()], np.uint8)
        with path.with_suffix(".tmp").open("wb") as file:
            np.savez_compressed(file, **out)
        path.with_suffix(".tmp").replace(path)


def pairs_of(name: str, git_dir: Path, rev: str) -> Bags:
    """The pairs of one repository at a commit."""
    bags = Bags()
    _from_changes(bags, name, git_dir, rev)
    blobs = [b for b in list_blobs(git_dir, rev) if b.size <= MAX_FILE_BYTES]
    wanted = {b.path: b.blob for b in blobs if role_of(b.path) in (Role.IMPLEMENTATION, Role.TEST, Role.DOC)}
    code = [p for p in wanted if (language_of(p) or "text") not in TEXT_LANGUAGES]
    code.sort(key=lambda p: (role_of(p) is Role.TEST, sha256(p.encode()).digest()))
    docs = sorted(p for p in wanted if language_of(p) in ("markdown", "rst"))
    # Tests are one file in four at most: their names and strings are many and much alike.
    tests = [p for p in code if role_of(p) is Role.TEST][: MAX_CODE_FILES // 4]
    chosen = [p for p in code if role_of(p) is not Role.TEST][: MAX_CODE_FILES - len(tests)] + tests
    ids = {wanted[p]: p for p in [*chosen, *docs[:200]]}
    for blob, data in read_blobs(git_dir, list(ids)):
        path = ids[blob]
        decoded = decode(data)
        if decoded.skipped:
            continue
        if path in docs:
            _from_document(bags, path, decoded.text)
        else:
            _from_code(bags, path, decoded.text)
    return bags


def _group(bags: Bags) -> int:
    return bags.groups[-1] + 1 if bags.groups else 0


def _from_changes(bags: Bags, name: str, git_dir: Path, rev: str) -> None:
    ids = list_changes(git_dir, rev)[: 6 * MAX_CHANGES]
    step = max(1, len(ids) // (2 * MAX_CHANGES))
    kept: list[Change] = []
    for change in read_changes(git_dir, ids[::step]):
        if not change.parent or is_bot(change.author, change.committer) or no_task(change.message, name=name):
            continue
        gold = files_of(change.touched).gold
        if 1 <= len(gold) <= MAX_CHANGED_FILES:
            kept.append(change)
        if len(kept) >= MAX_CHANGES:
            break
    here = sizes(git_dir, (b for c in kept for t in c.touched for b in (t.old_blob, t.new_blob)))
    kept = [c for c in kept if all(b in here or set(b) == {"0"} for t in c.touched for b in (t.old_blob, t.new_blob))]
    for at in range(0, len(kept), 200):
        block = {c.sha: c for c in kept[at : at + 200]}
        for sha, patch in read_patches(git_dir, list(block)).items():
            group = _group(bags)
            message = clean(block[sha].message)[:1_000]
            files = [f for f in patch if not f.binary and f.changed <= 400 and _is_source(f.file.new or f.file.path)]
            for file in sorted(files, key=lambda f: -f.changed)[:FILES_A_CHANGE]:
                bags.add("change", group, message, f"{file.file.new or file.file.path}\n{_changed_text(file)}")


def _is_source(path: str) -> bool:
    return role_of(path) is Role.IMPLEMENTATION and (language_of(path) or "text") not in TEXT_LANGUAGES


def _changed_text(patch: FilePatch) -> str:
    """The changed lines and what git tells of the definition around them."""
    lines = patch.text.decode("utf-8", "replace").split("\n")
    return "\n".join(
        line.rpartition("@@")[2] if line.startswith("@@") else line[1:400]
        for line in islice(lines, 400)
        if line[:1] in "@+-"
    )


def _from_code(bags: Bags, path: str, text: str) -> None:
    outline, source, _ = outline_of(text, language_of(path) or "text")
    spans = outline.spans
    for found in outline.found:
        if not MIN_LINES <= found.end - found.start + 1 <= MAX_LINES or found.kind in ("module", "namespace"):
            continue
        first, last = found.start_byte, found.end_byte
        inside = [s for s in spans if s[0] >= first and s[1] <= last]
        leading = [s for s in spans if s[2] and s[1] <= first and not source[s[1] : first].strip()]
        comments = [source[s[0] : s[1]] for s in [*leading[-1:], *inside] if s[2]]
        # A comment of several lines is several spans in most languages: what touches the last one belongs to it.
        if leading:
            comments = [*_run_before(source, spans, leading[-1][0]), *comments]
        bare = _without(source, first, last, inside)
        code = f"{path}\n{bare}"
        group = _group(bags)
        prose = " ".join(c.decode("utf-8", "replace") for c in comments)
        if not _LICENCE.search(prose):
            bags.add("comment", group, prose, code)
        strings = (source[s[0] : s[1]].decode("utf-8", "replace") for s in inside if not s[2])
        sentences = [m.group() for s in strings for m in _SENTENCE.finditer(s[:400])]
        bags.add("string", group, " ".join(sentences)[:600], code)
        bags.add("name", group, f"{found.parent} {found.name}", f"{path}\n{_unnamed(bare, found.name)}")


def _run_before(source: bytes, spans: Sequence[tuple[int, int, bool]], start: int) -> list[bytes]:
    out: list[bytes] = []
    for s in reversed([s for s in spans if s[2] and s[1] <= start][-40:]):
        gap = source[s[1] : start]
        if gap.strip() or gap.count(b"\n") > 1:
            break
        out.insert(0, source[s[0] : s[1]])
        start = s[0]
    return out


def _without(source: bytes, first: int, last: int, spans: Iterable[tuple[int, int, bool]]) -> str:
    parts, at = [], first
    for start, end, _ in spans:
        if start >= at:
            parts.append(source[at:start])
            at = end
    parts.append(source[at:last])
    return b"\n".join(parts).decode("utf-8", "replace")


def _unnamed(text: str, name: str) -> str:
    return re.sub(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", " ", text)


def _from_document(bags: Bags, path: str, text: str) -> None:
    heads = list(_HEADING.finditer(text))
    for number, head in enumerate(heads):
        end = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        body = text[head.end() : end][:4_000]
        code = " ".join(next(filter(None, m.groups()), "") for m in _FENCE.finditer(body))
        prose = _FENCE.sub(" ", body)[:600]
        bags.add("section", _group(bags), f"{head['atx'] or head['under']}\n{prose}", code)


def _one(job: tuple[str, Path, str, Path]) -> tuple[str, dict[str, int], str]:
    name, git_dir, rev, out = job
    try:
        bags = pairs_of(name, git_dir, rev)
    except RepositoryError as error:
        return name, {}, str(error)
    bags.save(out)
    return name, dict(bags.counts), ""


def _jobs(
    listed: Mapping[str, Mapping[str, str]], found: Mapping[str, Path], out: Path
) -> Iterator[tuple[str, Path, str, Path]]:
    for name, row in listed.items():
        path = out / f"{name.replace('/', '+')}.npz"
        git_dir = found.get(name.lower())
        if path.exists():
            continue
        if git_dir is None or not has_commit(git_dir, row["commit"]):
            print(f"{name}: the pinned commit is not here", file=sys.stderr)
            continue
        yield name, git_dir, row["commit"], path


def main(argv: list[str] | None = None) -> int:
    """Reads every listed repository; 2 if a name is held out or the list cannot be read, 130 if interrupted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    parser.add_argument("--out", type=Path, required=True, help="folder for the pairs, a file a repository")
    parser.add_argument("--repositories", type=Path, default=LISTED, help="names and pinned commits")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args(argv)
    try:
        listed = json.loads(args.repositories.read_text(encoding="utf-8"))["repositories"]
        refuse(listed)
    except (OSError, ValueError, KeyError, HeldOutError) as error:
        print(f"{args.repositories}: {error}", file=sys.stderr)
        return 2
    args.out.mkdir(parents=True, exist_ok=True)
    jobs = list(_jobs(listed, find_repositories(args.repos), args.out))
    try:
        with multiprocessing.Pool(args.jobs) as pool:
            for number, (name, counts, error) in enumerate(pool.imap_unordered(_one, jobs), 1):
                print(f"[{number}/{len(jobs)}] {name}: {error or counts}", file=sys.stderr)
    except KeyboardInterrupt:
        print("interrupted; what is complete stays", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
