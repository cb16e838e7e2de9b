"""Several repositories as one tree: open each, and join those that the task is most likely about."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroin.answer import MemberState
from zeroin.config import Options
from zeroin.corpus.source import open_source
from zeroin.errors import GitError, RepositoryError, ZeroinError
from zeroin.index.gather import Effort
from zeroin.index.opening import Opened
from zeroin.protocols import Contents, Source
from zeroin.types import Query
from zeroin.workspace.copies import sketch_of
from zeroin.workspace.members import Member
from zeroin.workspace.names import Names
from zeroin.workspace.repository import open_tree
from zeroin.workspace.selection import FLOOR, Rows, evidence_of, selected, shares_of, signals_of, word_counts_of
from zeroin.workspace.tree import Below, joined, linked

_LISTING = 8  # repositories that git lists at once


@dataclass(frozen=True, slots=True)
class Workspace:
    """Several repositories opened as one tree, of which the likeliest are searched."""

    opened: Opened
    names: Names
    members: tuple[MemberState, ...]
    shares: Mapping[str, float]  # by name of a searched member: the probability that the task is about it
    asked: tuple[Member, ...] = ()  # as given, also those that could not be opened
    partial: bool = False  # a shard of a fleet did not answer

    @property
    def whole(self) -> bool:
        """Whether every member that was asked is searched: else a glob of the file may rightly match nothing."""
        return len(self.members) >= len(self.asked) and all(member.searched for member in self.members)

    @property
    def kept(self) -> tuple[tuple[str, str, str | None], ...]:
        """Name, path and revision of every member, to open the workspace again."""
        paths = {member.name: member.path for member in self.members}
        return tuple((m.name, paths.get(m.name, str(m.path.absolute())), m.rev) for m in self.asked)

    def inside(self, options: Options) -> Options:
        """Return the options with globs translated for the engine. Raises `InputError`."""
        asked = frozenset(member.name for member in self.asked)  # some may not have been opened
        includes, excludes = (
            tuple(self.names.inside_glob(glob, asked) for glob in given)
            for given in (options.includes, options.excludes)
        )
        return replace(options, includes=includes, excludes=excludes)

    def prior(self, paths: Sequence[str]) -> NDArray[np.float64]:
        """Return the prior of each path in log odds: 0 in the likeliest repository, negative in others."""
        best = max(self.shares.values())
        lost = {name: np.log(max(share / best, FLOOR)) for name, share in self.shares.items()}
        return np.array([lost[path.partition("/")[0]] for path in paths], np.float64)


@dataclass(frozen=True, slots=True)
class Outcome:
    """An opened member, or the error of opening it, with warnings about it."""

    name: str
    tree: Below | None
    warnings: tuple[str, ...]
    error: ZeroinError | None = None


def open_workspace(
    members: Sequence[Member], task: str, query: Query, effort: Effort, named: Sequence[str] = ()
) -> Workspace:
    """Open all members; join those that the query is likely about, and those that `named` paths or its globs name.

    A member that cannot be opened is a warning. If none can be opened, the error of the first one is raised.
    """
    outcomes = list(open_members(members, effort))
    trees = [outcome.tree for outcome in outcomes if outcome.tree is not None]
    if not trees and outcomes[0].error is not None:
        raise outcomes[0].error
    warnings = [warning for outcome in outcomes for warning in outcome.warnings]
    workspace = workspace_of(trees, task, query, warnings, named)
    return replace(workspace, asked=tuple(members))


def workspace_of(
    trees: Sequence[Below], task: str, query: Query, warnings: Sequence[str] = (), named: Sequence[str] = ()
) -> Workspace:
    states = [state_of(tree) for tree in trees]
    views = [tree.opened.view for tree in trees]
    names = [state.name for state in states]
    evidence = evidence_of(task, query, names, views, word_counts_of(query, views))
    sketches = [sketch_of(view.snapshot) for view in views]
    members, companions = with_shares(states, evidence, sketches, query.includes, named)
    searched = [tree for tree, member in zip(trees, members, strict=True) if member.searched]
    return searched_as_one(members, companions, searched, warnings)


def state_of(tree: Below) -> MemberState:
    """Return the state of an opened member, without its share."""
    opened = tree.opened
    return MemberState(tree.prefix[:-1], str(opened.root), opened.tree, len(opened.view.snapshot))


def with_shares(
    members: Sequence[MemberState],
    evidence: Rows,
    sketches: Sequence[bytes],
    includes: Sequence[str],
    named: Sequence[str] = (),
) -> tuple[list[MemberState], frozenset[str]]:
    """Return all members with the probability that the task is about each, and whether it is searched.

    Beside them the names of the companions (`selection.Selected`). Members that the caller's paths or globs name are
    always searched, unless the globs name all members, as those of a workspace file do.
    """
    shares = shares_of(signals_of(evidence))
    names = _names_in(includes)
    if all(member.name in names for member in members):
        names = set()
    names |= _names_in(named)
    always = [
        at
        for at, m in enumerate(members)
        if m.name in names or any(Path(path).is_relative_to(m.path) for path in named)
    ]
    chosen = selected(shares, [member.files for member in members], always, sketches)
    searched = set(chosen.searched)
    originals = {at: members[original].name for at, original in chosen.copies.items()}
    states = [
        replace(m, share=float(shares[at]), searched=at in searched, copy_of=originals.get(at, ""))
        for at, m in enumerate(members)
    ]
    return states, frozenset(members[at].name for at in chosen.companions)


def _names_in(paths: Sequence[str]) -> set[str]:
    return {path.partition(":")[0] for path in paths if ":" in path}


def searched_as_one(
    members: Sequence[MemberState],
    companions: Collection[str],
    trees: Sequence[Below],
    warnings: Sequence[str],
    contents: Contents | None = None,
) -> Workspace:
    """Join the searched members into one tree; their `trees` have the order of `members`.

    `companions` that no import connects with the others are left out.
    Files are read from `contents` by their whole paths; without it, from each tree's own contents.
    """
    known: list[Callable[[str], bool]] = []
    translated = Names([m.name for m in members], lambda path: bool(known) and known[0](path))
    # The joined tree is kept only if all are searched: otherwise the next question joins others.
    opened = joined(trees, names=translated, keep=len(trees) == len(members) and not companions, contents=contents)
    if apart := set(companions) - linked(opened.view.snapshot, companions):
        members = [replace(m, searched=m.searched and m.name not in apart) for m in members]
        trees = [tree for tree in trees if tree.prefix[:-1] not in apart]
        opened = joined(trees, names=translated, keep=False, contents=contents)
    # The state of all members, so that it does not depend on which of them are searched.
    named = "\0".join(f"{m.name}\0{m.revision.tree}" for m in members)
    tree = replace(opened.tree, tree=sha256(named.encode()).hexdigest(), dirty=any(m.revision.dirty for m in members))
    known.append(_knower(opened))
    opened = replace(opened, tree=tree, warnings=(*warnings, *opened.warnings))
    return Workspace(opened, translated, tuple(members), {m.name: m.share for m in members if m.searched})


def open_members(members: Sequence[Member], effort: Effort) -> Iterator[Outcome]:
    """Yield every member opened, or why it cannot be."""
    with ThreadPoolExecutor(min(_LISTING, len(members))) as pool:
        for at, (member, source) in enumerate(zip(members, pool.map(_listed, members), strict=True)):
            name, share = member.name, _share_of(effort, member.name, len(members) - at)
            opened: Opened | ZeroinError
            try:
                opened = source if isinstance(source, ZeroinError) else open_tree(source, share)
            except (GitError, RepositoryError) as error:  # it may have gone away since it was listed
                opened = error
            if isinstance(opened, ZeroinError):
                yield Outcome(name, None, (f"{name} was not searched: {opened}",), opened)
                continue
            warnings = tuple(f"{name}: {warning}" for warning in opened.warnings)
            yield Outcome(name, Below(f"{name}/", replace(opened, warnings=())), warnings)


def _listed(member: Member) -> Source | ZeroinError:
    """Open the source of a member and list its files; mostly waiting for git, so several run at once."""
    try:
        source = open_source(member.path, member.rev)
        source.list()
    except (GitError, RepositoryError) as error:
        return error
    except OSError as error:  # a folder that may not be entered
        return RepositoryError(str(error))
    return source


def _share_of(effort: Effort, name: str, left: int) -> Effort:
    """Return the effort for one of `left` members: an equal part of the time until the deadline."""

    def progress(what: str, done: int, total: int) -> None:
        effort.progress(f"{name}: {what}", done, total)

    return replace(effort, progress=progress, deadline=effort.until(1 / left))


def _knower(opened: Opened) -> Callable[[str], bool]:
    """Return a function that tells whether a path is that of a file, a folder or a skipped file."""
    numbers, paths = opened.view.numbers, opened.view.paths
    skipped = frozenset(item.path for item in opened.skipped)

    def knows(path: str) -> bool:
        at = bisect_left(paths, f"{path}/")
        return path in numbers or path in skipped or (at < len(paths) and paths[at].startswith(f"{path}/"))

    return knows
