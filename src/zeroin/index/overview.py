"""The map of a repository: its parts, the file that represents each, and the facts by which it was chosen.

A part is a component of the code (`index.components`). Its weight depends on its size, on how many other parts import
it, and on how many commits changed it. The file that represents it is chosen by its importers, its imports, how often
it changed, and whether a manifest names it.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.index.components import NO_PROGRAM
from zeroin.index.entries import entry_points, manifests_of, program_starts
from zeroin.index.postings import Array
from zeroin.patterns import lazy_pattern
from zeroin.types import Role

if TYPE_CHECKING:
    from zeroin.index.history import History
    from zeroin.index.view import View

# Weights of a part's shares of lines, importing parts, imported parts and commits, and of an entry point in it. Weights
# of a file's imports, importing parts, commits and size (logarithms), of an entry point, its part's or a central name.
_LINES, _IMPORTED, _IMPORTS, _COMMITS, _BEGINS = 1.0, 0.4, 0.3, 0.4, 0.3
_TOGETHER, _ACROSS, _CHANGED, _SIZE = 0.5, 0.5, 0.3, 0.2
_ENTRY, _NAMED_ALIKE, _MAIN = 1.5, 0.7, 0.5
_NEXT = 0.35  # score of a part's second file relative to its first, of its third to its second …
_PER_PART = 4
# A part with this share of the code gives more files, and these at least such a score: no other part needs the places.
_NEARLY_ALL, _PER_LARGEST, _FILLS, _SLIGHTLY_LESS = 0.85, 10, 0.25, 0.98
_SIZE_POWER = 0.25  # of a part's lines: a large part is more of the answer, but not in proportion
_BESIDE = 0.35  # factor for a part that only builds, checks or translates the program
# Lines of a part that count at most for each of its commits: a library that was copied in one commit is not worked on.
_LINES_A_COMMIT = 300
_HALF = 0.5  # of the code: a file at the top that is a part of its own
_LEAST_LINES = 8  # a file of fewer is a marker (`__init__`, `py.typed`) and represents no part
_FEW_DEFINITIONS = 8  # an `__init__` or `index` with fewer hands on what other files define
_INITIALISES = frozenset({"__init__", "index"})
_CENTRAL = frozenset("main app application server cli lib mod core api program engine router".split())
_TOOLS = lazy_pattern(
    r"^(?:\.[^/]+|scripts?|tools?|tasks?|ci|dev|build\w*|hack|contrib\w*|misc|etc|docker|packaging|release|meta|"
    r"website|www|site|sandbox|playground|profiling|profiler|gulpfile\w*|gruntfile\w*|setup\.py|conftest\.py|noxfile\.py)(?:/|$)",
    re.IGNORECASE,
)
_TRANSLATIONS = lazy_pattern(r"(?:^|/)(?:locales?|i18n|l10n|translations?|langs?)/$", re.IGNORECASE)
_ON_THE_WHOLE = lazy_pattern(r"^(?:architecture|design|overview|hacking|structure|internals)\b", re.IGNORECASE)
_GUIDE = lazy_pattern(r"^(?:readme|contributing|developing|development)\b", re.IGNORECASE)
# `README.zh-CN.md`, `README-de.md`, `README.中文.md`: beside `README.md` it says the same.
_TRANSLATED = lazy_pattern(
    r"^(?P<of>.{1,60}?)[._-](?:[a-z]{2}(?:[_-][a-z]{2,4})?|[^\x00-\x7f]{1,20})(?P<end>\.\w{1,8})$", re.IGNORECASE
)
_DOCUMENT_PLACES = frozenset(("", "doc", "docs", ".github"))
_MAX_DOCUMENTS, _MAX_CHARS = 12, 100_000  # read of those on the whole
_TOKEN = lazy_pattern(r"(?:\./)?[\w@+-][\w.@+-]{0,100}(?:/[\w.@+-]{1,100}){0,12}")
# An address on the web: its words name no part.
_ADDRESS = lazy_pattern(r"[a-z]{2,10}://[^\s)>\]]{1,500}", re.IGNORECASE)
_TELLING = 3  # parts that a document must name to be about the organisation of the code
# Scores of documents by their kind: set, not fitted, since documents are the truth that parts are measured by.
_TELLS_PARTS, _TELLS_WHOLE = 1.0, 0.8


class Landmark(NamedTuple):
    """Why a file is on the map: facts of the tree and of its history."""

    part: str  # its component; "" for a document
    place: int = 0  # 0 for the file that stands for the part
    files: int = 0  # of the part
    share: float = 0.0  # of the lines of all code, that of the part
    importers: int = 0  # files that import it
    across: int = 0  # other parts in which these lie
    uses: tuple[str, ...] = ()  # other parts that its part imports, most imports first
    used_by: tuple[str, ...] = ()  # other parts that import its part
    commits: int = 0  # that changed it
    history: int = 0  # commits of its repository
    entry: str = ""  # how it is known that a program begins there
    named: tuple[str, ...] = ()  # parts that the document names; those of the program alone if it names any
    parts: int = 0  # of the program, where the document names any of them


@dataclass(frozen=True, slots=True, eq=False)
class Overview:
    """Scores of all documents, shape (D,), 0–1, 0 for what is not on the map, and why each of them is on it."""

    scores: Array
    landmarks: Mapping[int, Landmark]
    parts: tuple[str, ...]  # of the program, largest weight first


def overview_of(view: View) -> Overview:
    """Return the map of a tree."""
    snapshot, paths = view.snapshot, view.paths
    scores = np.zeros(len(snapshot), np.float32)
    view.prefetch(view.numbers[path] for path in manifests_of(paths))
    entries = entry_points(paths, lambda path: view.text(view.numbers[path]))
    whole, able, size = _files(view, entries)
    imported_by, among = _between({doc: part for part in able for doc in whole[part]}, view)
    changes = _changes(view, view.history)
    # The answer states all commits; weights leave out those that touched most of the tree.
    stated = _changes(view, view.all_commits)
    weights = _weights(view, able, among, changes, program_starts(entries))
    history = int(np.count_nonzero(np.diff(view.all_commits.file_ptr)))
    lines = np.asarray(snapshot.lines, np.float64)
    of_parts = float(sum(lines[docs].sum() for docs in whole.values()))
    importers, imports = view.degrees
    uses, used_by = _neighbours(among)
    landmarks: dict[int, Landmark] = {}
    for part, docs in able.items():
        name = posixpath.basename(part.rstrip("/")).partition(".")[0].lower()

        def value(doc: int, name: str = name) -> float:
            stem = posixpath.basename(paths[doc]).partition(".")[0].lower()
            return float(
                np.log1p(importers[doc])
                + _TOGETHER * np.log1p(imports[doc])
                + _ACROSS * np.log1p(len(imported_by.get(doc, ())))
                + _CHANGED * np.log1p(changes[doc])
                + _SIZE * np.log1p(lines[doc])
                + _ENTRY * (paths[doc] in entries)
                + _NAMED_ALIKE * (stem == name)
                + _MAIN * (stem in _CENTRAL)
            )

        ordered = sorted(docs, key=lambda doc: (-value(doc), paths[doc]))
        written = float(lines[whole[part]].sum())
        most, least = (_PER_LARGEST, _FILLS) if written >= _NEARLY_ALL * of_parts else (_PER_PART, 0.0)
        for place, doc in enumerate(_from_all_over(part, ordered, paths)[:most]):
            scores[doc] = max(weights[part] * _NEXT**place, least * _SLIGHTLY_LESS**place)
            landmarks[doc] = Landmark(
                part=part,
                place=place,
                files=len(whole[part]),
                share=written / size,
                importers=int(importers[doc]),
                across=len(imported_by.get(doc, ())),
                uses=tuple(uses.get(part, ())),
                used_by=tuple(used_by.get(part, ())),
                commits=int(stated[doc]),
                history=history,
                entry=entries[paths[doc]].text if paths[doc] in entries else "",
            )
    parts = tuple(sorted(weights, key=lambda part: (-weights[part], part)))
    for doc, landmark, score in _documents(view, parts):
        scores[doc], landmarks[doc] = score, landmark
    return Overview(scores, landmarks, _of_program(parts))


def joined_overview(maps: Sequence[tuple[str, Sequence[int], Overview]], importers: NDArray[np.int64]) -> Overview:
    """Return the map of several trees, each with its prefix and the numbers of its documents in the whole.

    `importers` counts the files of the whole that import each document, shape (D,).
    """
    scores = np.zeros(len(importers), np.float32)
    landmarks: dict[int, Landmark] = {}
    for prefix, docs, own in maps:
        scores[np.array(docs, np.int64)] = own.scores

        def below(parts: Iterable[str], prefix: str = prefix) -> tuple[str, ...]:
            return tuple(prefix + part for part in parts)

        for doc, landmark in own.landmarks.items():
            landmarks[docs[doc]] = landmark._replace(
                part=landmark.part and prefix + landmark.part,
                importers=int(importers[docs[doc]]),
                uses=below(landmark.uses),
                used_by=below(landmark.used_by),
                named=below(landmark.named),
            )
    turns = zip_longest(*([prefix + part for part in own.parts] for prefix, _, own in maps))
    return Overview(scores, landmarks, tuple(part for turn in turns for part in turn if part is not None))


def _of_program(parts: Iterable[str]) -> tuple[str, ...]:
    """Leave out the parts that only build, check or translate the program."""
    return tuple(part for part in parts if not is_beside(part))


def _between(part_of: Mapping[int, str], view: View) -> tuple[dict[int, set[str]], Counter[tuple[str, str]]]:
    """Return the other parts that import each file, and the number of imports from one part to another."""
    imported_by: dict[int, set[str]] = {}
    among: Counter[tuple[str, str]] = Counter()
    edges = zip(view.snapshot.import_sources.tolist(), view.snapshot.import_targets.tolist(), strict=True)
    for source, target in edges:
        user, used = part_of.get(source, ""), part_of.get(target, "")
        if user and used and user != used:
            imported_by.setdefault(target, set()).add(user)
            among[user, used] += 1
    return imported_by, among


def _neighbours(among: Mapping[tuple[str, str], int]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the parts that each part imports, and those that import it, most imports first."""
    uses: dict[str, list[str]] = {}
    used_by: dict[str, list[str]] = {}
    for (user, used), _ in sorted(among.items(), key=lambda item: (-item[1], item[0])):
        uses.setdefault(user, []).append(used)
        used_by.setdefault(used, []).append(user)
    return uses, used_by


def _from_all_over(part: str, docs: Sequence[int], paths: Sequence[str]) -> list[int]:
    """Return the files of a part, best first, but one of each of its folders before the second of any."""
    shared = posixpath.commonpath([posixpath.dirname(paths[doc]) for doc in docs]) if len(docs) > 1 else part
    taken: Counter[str] = Counter()
    turns = []
    for doc in docs:
        below = paths[doc].removeprefix(shared).strip("/")
        folder = below.partition("/")[0] if "/" in below else ""
        turns.append(taken[folder])
        taken[folder] += 1
    return [doc for _, doc in sorted(zip(turns, docs, strict=True), key=lambda turn: turn[0])]


def _files(view: View, entries: Collection[str]) -> tuple[dict[str, list[int]], dict[str, list[int]], float]:
    """Return the code files of each part, all of them, and those that define something of their own; lines of all code.

    A file that lies in no part, at the top beside the folder of the code, is one if it is an entry point or holds half
    of the code: `clap.zig` beside `clap/`.
    """
    snapshot = view.snapshot
    code = [
        (doc, path, component)
        for doc, (path, component) in enumerate(view.components.items())
        if snapshot.role(doc) is Role.IMPLEMENTATION and snapshot.language(doc) not in NO_PROGRAM
    ]
    size = float(snapshot.lines[[doc for doc, _, _ in code]].sum())
    defines = np.diff(snapshot.symbols.pointers)
    whole: dict[str, list[int]] = {}
    able: dict[str, list[int]] = {}
    for doc, path, component in code:
        stands_alone = path in entries or ("/" not in path and snapshot.lines[doc] >= _HALF * size)
        part = component or (path if stands_alone else "")
        if not part:
            continue
        whole.setdefault(part, []).append(doc)
        least = _FEW_DEFINITIONS if posixpath.basename(path).partition(".")[0] in _INITIALISES else 1
        if snapshot.lines[doc] >= _LEAST_LINES and defines[doc] >= least:
            able.setdefault(part, []).append(doc)
    return whole, able or whole, max(1.0, size)  # in a small tree a few lines are a part


def _changes(view: View, history: History) -> NDArray[np.int64]:
    """Count the commits that changed each document, shape (D,)."""
    touched = view.history_docs[history.file_ids]
    return np.asarray(np.bincount(touched[touched >= 0], minlength=len(view.snapshot)), np.int64)


def _weights(
    view: View,
    members: Mapping[str, list[int]],
    among: Collection[tuple[str, str]],
    changes: NDArray[np.int64],
    entries: Collection[str],
) -> dict[str, float]:
    """Return the weight of each part relative to the largest."""
    written = {part: float(view.snapshot.lines[docs].sum()) for part, docs in members.items()}
    if changes.any():
        written = {part: min(n, _LINES_A_COMMIT * (1.0 + changes[members[part]].sum())) for part, n in written.items()}
    lines = _shares(written)
    changed = _shares({part: float(changes[docs].sum()) for part, docs in members.items()})
    imported = _shares(Counter(used for _, used in among))
    imports = _shares(Counter(user for user, _ in among))
    weights = {
        part: (
            _LINES * lines[part] ** _SIZE_POWER
            + _IMPORTED * imported.get(part, 0.0) ** 0.5
            + _IMPORTS * imports.get(part, 0.0) ** 0.5
            + _COMMITS * changed[part] ** 0.5
            + _BEGINS * any(view.paths[doc] in entries for doc in docs)
        )
        * (_BESIDE if is_beside(part) else 1.0)
        for part, docs in members.items()
    }
    return _shares(weights)


def is_beside(part: str) -> bool:
    """Tell whether a part only builds, checks or translates the program, by its name."""
    return bool(_TOOLS.match(part) or _TRANSLATIONS.search(part))


def _shares(amounts: Mapping[str, float]) -> dict[str, float]:
    """Return amounts as shares of the largest."""
    most = max((*amounts.values(), 1e-9))
    return {name: amount / most for name, amount in amounts.items()}


def _documents(view: View, parts: tuple[str, ...]) -> list[tuple[int, Landmark, float]]:
    """Return documents about the whole code, the parts that each names, and its score."""
    found = []
    for doc, path in enumerate(view.paths):
        folder, name = posixpath.split(path)
        is_guide = _ON_THE_WHOLE.match(name) or _GUIDE.match(name)
        if is_guide and folder in _DOCUMENT_PLACES and view.snapshot.role(doc) is Role.DOC:
            found.append(doc)
    known = {view.paths[doc].lower() for doc in found}
    found = [doc for doc in found if not _is_translation(view.paths[doc].lower(), known)]
    out = []
    view.prefetch(found[:_MAX_DOCUMENTS])
    for doc in found[:_MAX_DOCUMENTS]:
        name = posixpath.basename(view.paths[doc])
        text = _ADDRESS.sub(" ", view.text(doc)[:_MAX_CHARS])
        words = {token.rstrip("./") if token.startswith("./") else token.strip("./") for token in _TOKEN.findall(text)}
        named = tuple(part for part in parts if _is_named(part, words))
        tells_parts, is_whole = len(named) >= min(_TELLING, max(1, len(parts))), _ON_THE_WHOLE.match(name)
        if tells_parts or is_whole or (name.lower().startswith("readme") and "/" not in view.paths[doc]):
            score = _TELLS_PARTS if tells_parts and is_whole else _TELLS_WHOLE
            own = _of_program(named)
            landmark = Landmark("", named=own or named, parts=len(_of_program(parts)) if own else 0)
            out.append((doc, landmark, score))
    return out


def _is_translation(path: str, others: Container[str]) -> bool:
    """Tell whether a document says in another language what one of the `others` beside it says."""
    folder, name = posixpath.split(path)
    match = _TRANSLATED.match(name)
    return match is not None and posixpath.join(folder, match["of"] + match["end"]) in others


def _is_named(part: str, words: set[str]) -> bool:
    """Tell whether the words of a text hold the path of a part, or its name where that is no common word.

    A path of one word is that of a program which is called like the repository. What begins with `./` is a whole path.
    """
    path = part.rstrip("/")
    name = posixpath.basename(path)
    uncommon = re.search(r"[._\d-]|[a-z][A-Z]", name) is not None
    says_path = path in words or f"./{path}" in words
    return (says_path and (uncommon or "/" in part)) or (name in words and uncommon)
