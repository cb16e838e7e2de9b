"""Check what works on this machine, and advise on what does not: `zeroin doctor`.

Nothing is repaired, built or written.
"""

import os
import platform
import re
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from importlib import metadata, util
from pathlib import Path
from typing import Literal, NamedTuple

from rich.filesize import decimal as size_text

from zeroin import __version__
from zeroin.config import READER, cache_dir, data_dir, may_learn
from zeroin.context.clean import line
from zeroin.corpus.folder import PlainFolder
from zeroin.corpus.git import OLDEST_GIT, Git
from zeroin.corpus.git_process import find_program
from zeroin.corpus.revision import Revision
from zeroin.corpus.source import open_source
from zeroin.errors import GitError, InputError, ModelError, OptionError, RepositoryError
from zeroin.index.cache import cache_size, usage
from zeroin.index.database import SET_ASIDE_SUFFIX, SUFFIX, Unusable, connect_read_only, file_name, index_dir
from zeroin.index.gather import key_of
from zeroin.install.entries import State as EntryState
from zeroin.install.hosts import Host, all_hosts, of_user, project_of
from zeroin.install.plan import ALL, Change, Part, installing, items
from zeroin.learning.store import SUFFIX as LEARNED_SUFFIX
from zeroin.learning.store import learned_dir
from zeroin.models import encoder, ranker, reader
from zeroin.models.shipped import SHIPPED, damaged
from zeroin.parsing.grammars import GRAMMAR_LANGUAGES, parser_for, query_for
from zeroin.protocols import Source
from zeroin.tree import Entry, Skipped
from zeroin.wording import counted

State = Literal["ok", "warn", "bad"]

_LEAST_FREE = 500_000_000  # bytes; the index of a large repository takes a few hundred megabytes
_MANY_FILES = 100_000  # more take minutes to analyse the first time
_REASONS = 4  # why files are not searched: so many are named, the most frequent first
_PROGRAM_S = 20.0
_OLDEST_GIT = ".".join(map(str, OLDEST_GIT))
_REINSTALL = "install zeroin again: pip install --force-reinstall zeroin"


class Finding(NamedTuple):
    """What a check found, and what to do about it: one line each, `advice` "" where there is nothing to do.

    `bad`: zeroin lacks something that it needs; `warn`: it loses quality, time or a surface.
    """

    state: State
    text: str
    advice: str = ""


class Result(NamedTuple):
    """The finding of one check, with its area and name."""

    area: str
    name: str
    finding: Finding


def examine(path: str | Path = ".") -> list[Result]:
    """Run every check, by area; one that does not apply has no result. Raises `InputError` where `path` is no path."""
    if not isinstance(path, str | Path):
        raise InputError(f"the path must be a text or a Path, not {path!r}")
    found = [(area, name, check()) for area, name, check in MACHINE]
    found += [("repository", name, finding) for name, finding in _repository(str(path)).items()]
    found += [("agents", name, finding) for name, finding in _hosts(Path(path)).items()]
    return [Result(area, name, finding) for area, name, finding in found if finding is not None]


def works(results: list[Result]) -> bool:
    """Tell whether zeroin has all that it needs: no finding is bad."""
    return not any(result.finding.state == "bad" for result in results)


def _zeroin() -> Finding:
    program = find_program("zeroin")
    if program is None:
        advice = "hosts start it by name: put the folder of the program `zeroin` on PATH"
        return Finding("warn", f"{__version__}, not on PATH", advice)
    if Path(program).resolve().parent != Path(sys.executable).parent.resolve():
        version = _output(program, "--version").removeprefix("zeroin ") or "one that does not run"
        if version != __version__:
            advice = "hosts start the one on PATH: upgrade it, or remove it and put this one there"
            return Finding("warn", f"{__version__}, but {line(version)[:40]} is on PATH: {program}", advice)
    return Finding("ok", f"{__version__} at {program}")


def _git() -> Finding:
    program, advice = find_program("git"), f"install git {_OLDEST_GIT} or later and put it on PATH"
    if program is None:
        return Finding("bad", "not found on PATH", f"{advice}; without it, only plain folders are searched")
    version = re.search(r"(\d+)\.(\d+)(?:\.\d+)*", _output(program, "version"))
    if version is None:
        return Finding("bad", f"{program} does not run, or does not say its version", advice)
    if (int(version[1]), int(version[2])) < OLDEST_GIT:
        advice += ": older ones cannot be kept from running what a repository configures"
        return Finding("bad", f"{version[0]} at {program}", advice)
    return Finding("ok", f"{version[0]} at {program}")


def _output(*command: str) -> str:
    """Return what a program prints; "" where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=_PROGRAM_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace").strip()


def _mcp() -> Finding:
    try:
        version = metadata.version("mcp")
    except metadata.PackageNotFoundError:
        advice = "only if a host is to ask over MCP: pip install 'zeroin[mcp]'"
        return Finding("ok", "the extra is not installed (optional)", advice)
    if int(version.partition(".")[0]) < 2:
        return Finding("warn", f"the SDK is {version}", "pip install --upgrade 'zeroin[mcp]'")
    return Finding("ok", f"SDK {version}: `zeroin mcp` works")


def _grammars() -> Finding:
    broken = [name for name in GRAMMAR_LANGUAGES if parser_for(name) is None or query_for(name) is None]
    count = f"{len(GRAMMAR_LANGUAGES) - len(broken)} of {len(GRAMMAR_LANGUAGES)} languages are parsed"
    if broken:
        text = f"{count}; not {', '.join(broken)}: their names are found by patterns, less exactly"
        return Finding("warn", text, _REINSTALL)
    return Finding("ok", count)


def _models() -> Finding:
    wrong = damaged()
    if wrong:
        return Finding("bad", "; ".join(f"{name}: {what}" for name, what in wrong.items()), _REINSTALL)
    models = (
        (ranker.VARIABLE, ranker.read_ranker),
        (encoder.VARIABLE, encoder.read_encoder),
        (READER, reader.read_reader),
    )
    for variable, read in models:
        given = os.environ.get(variable)
        if given:
            try:
                read(Path(given))
            except ModelError as error:
                return Finding("bad", str(error), f"correct or unset {variable}")
            advice = f"unset {variable} unless you mean it"
            return Finding("warn", f"{given} replaces the shipped one", advice)
    size = sum(encoder.SHIPPED.with_name(name).stat().st_size for name in SHIPPED)
    return Finding("ok", f"{len(SHIPPED)} files are what was shipped, {size_text(size)}")


def _cache() -> Finding:
    try:
        folder = cache_dir()
    except OptionError as error:
        advice = "set ZEROIN_CACHE_DIR and ZEROIN_DATA_DIR to folders that can be written"
        return Finding("bad", str(error), advice)
    if why := _not_writable(folder):
        advice = "make it writable, or name another folder in ZEROIN_CACHE_DIR; until then nothing is kept"
        return Finding("bad", f"{folder}: {why}", advice)
    aside = _count(index_dir(), f"*{SUFFIX}{SET_ASIDE_SUFFIX}")
    repositories, sessions = len(usage()), _count(folder, "runs/*.json")
    text = f"{folder}: {counted(repositories, 'repository')} in {size_text(cache_size())}, {counted(sessions, 'run')}"
    if aside:
        advice = "zeroin cache --prune removes what is set aside; check the disk if it recurs"
        return Finding("warn", f"{text}; {aside} damaged indexes set aside, built anew since", advice)
    return Finding("ok", text)


def _disk() -> Finding | None:
    try:
        free = shutil.disk_usage(_nearest(cache_dir())).free
    except (OSError, OptionError):
        return None  # `_cache` says what is wrong
    if free < _LEAST_FREE:
        advice = "free some space, or: zeroin cache --prune --max-mb 200"
        return Finding("warn", f"{size_text(free)} free", advice)
    return Finding("ok", f"{size_text(free)} free")


def _data() -> Finding | None:
    try:
        folder = data_dir()
    except OptionError:
        return None
    if why := _not_writable(folder):
        advice = "make it writable, or name another folder in ZEROIN_DATA_DIR; until then nothing can be learned"
        return Finding("warn", f"{folder}: {why}", advice)
    count = _count(learned_dir(), f"*{LEARNED_SUFFIX}")
    text = f"{folder}: lessons of {count} repositor{'y' if count == 1 else 'ies'}"
    return Finding("ok", text if may_learn() else f"{text}; not used, since ZEROIN_NO_LEARNED is set")


def _count(folder: Path, names: str) -> int:
    """Return how many files of such names a folder holds, 0 if it cannot be read."""
    try:
        return len([*folder.glob(names)])
    except OSError:
        return 0


def _not_writable(folder: Path) -> str:
    """Return why nothing can be written in `folder` (or made, where it is missing); "" if it can."""
    near = _nearest(folder)
    if not near.is_dir():
        return f"{near} is no folder"
    return "" if os.access(near, os.W_OK | os.X_OK) else f"{near} cannot be written"


def _nearest(folder: Path) -> Path:
    whole = Path(os.path.abspath(folder))  # noqa: PTH100 - resolve() follows links, and may fail on them
    return next((p for p in (whole, *whole.parents) if os.path.lexists(p)), whole)


def _repository(path: str) -> dict[str, Finding | None]:
    """Return what is found at a path; its kind alone where it cannot be read."""
    try:
        source = open_source(path)
        entries, skipped = source.list()
    except RepositoryError as error:
        return {"kind": Finding("bad", str(error), "name a folder or repository: zeroin doctor PATH")}
    except GitError as error:
        return {"kind": Finding("bad", f"{path}: {error}", f"`git -C {path} status` says what is wrong")}
    return {
        "kind": _kind(source),
        "history": _history(source),
        "files": _files(entries, skipped),
        "index": _index(source, entries, f"zeroin index {path}"),
    }


def _kind(source: Source) -> Finding:
    if isinstance(source, PlainFolder):
        if source.has_refused_git:
            text = f"{source.root}: git does not take its .git for a repository; searched as a plain folder"
            return Finding("warn", text, f"git -C '{source.root}' status says what is wrong")
        advice = "in a git repository, history improves answers"
        return Finding("ok", f"{source.root}: a plain folder", advice)
    if not source.commit:
        advice = "files are searched; commits will help: history says which files change together"
        return Finding("warn", f"{source.root}: a git repository without a commit", advice)
    kind = "a bare repository" if isinstance(source, Revision) else "a git work tree"
    below = f", folder {source.prefix.rstrip('/')}" if source.prefix else ""
    return Finding("ok", f"{source.root}: {kind} at {source.commit[:10]}{below}")


def _history(source: Source) -> Finding | None:
    if source.git_dir is None or isinstance(source, PlainFolder):
        return None
    git = Git(source.git_dir)
    try:
        if git.run("rev-parse", "--is-shallow-repository").strip() == b"true":
            count = git.run("rev-list", "--count", "HEAD").decode().strip()
            advice = "git fetch --unshallow (in CI: fetch-depth: 0); history finds files that words do not"
            return Finding("warn", f"a shallow clone, commits: {count}", advice)
        if git.run("config", "--get-regexp", r"^remote\..*\.promisor$", accept=(0, 1)).strip():
            text = "a partial clone: zeroin fetches nothing, objects that are not here are not read"
            advice = "only --rev and --diff suffer; to get all: git fetch --refetch --no-filter"
            return Finding("warn", text, advice)
    except GitError as error:
        return Finding("warn", line(str(error)), "git fsck says what is damaged")
    return None


def _files(entries: tuple[Entry, ...], skipped: tuple[Skipped, ...]) -> Finding:
    reasons = Counter(line(each.reason) for each in skipped)
    left_out = ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common(_REASONS))
    text = f"{len(entries):,} file{'' if len(entries) == 1 else 's'}"
    text += f"; {len(skipped):,} not searched: {left_out}" if skipped else ""
    if not entries:
        return Finding("warn", text, "nothing to search: is it the right folder? is all of it ignored?")
    if len(entries) > _MANY_FILES:
        return Finding("warn", text, "name what to leave out in .zeroinignore, or ask about a folder")
    return Finding("ok", text)


def _index(source: Source, entries: tuple[Entry, ...], build: str) -> Finding:
    try:
        file = index_dir() / (file_name(source.identity) + SUFFIX)
        if not file.exists():
            return Finding("ok", "none yet: the first question builds it", f"to have it ahead: {build}")
        with closing(connect_read_only(file)) as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise Unusable("is damaged", broken=True)
            known = set(connection.execute("SELECT blob, language FROM facts"))
    except OptionError as error:
        return Finding("warn", str(error))
    except (Unusable, sqlite3.Error) as error:
        if isinstance(error, Unusable) and not error.broken:
            advice = f"{build}; or use the zeroin that made it, or look at its rights"
            return Finding("warn", f"it {error}", advice)
        text = f"damaged ({line(str(error))}); the next question sets it aside and starts anew"
        return Finding("warn", text, f"nothing is lost: {build}")
    # A file that git has no blob of is changed or untracked: it is hashed, and analysed if new, when it is asked about.
    keys = [key_of(entry) for entry in entries if entry.blob is not None]
    done, rest = sum(key in known for key in keys), len(entries) - len(keys)
    text = f"{done:,} of {len(keys):,} committed files known, " if keys else ""
    text += size_text(file.stat().st_size)
    unknown = "changed or not committed" if keys else "files, not in git,"
    text += f"; {rest:,} {unknown} are read with each question" if rest else ""
    return Finding("ok", text, f"the next question does the rest; ahead: {build}" if done < len(keys) else "")


def _hosts(path: Path) -> dict[str, Finding]:
    try:
        places = of_user()
    except RuntimeError:
        return {"hosts": Finding("ok", "this user has no home folder")}
    top = project_of(path)
    nothing = Finding("ok", "no coding agent is found here", "to set one up all the same: zeroin install NAME")
    return {host.name: _host(host, top) for host in all_hosts() if places.found(host)} or {"hosts": nothing}


def _host(host: Host, top: Path) -> Finding:
    for project, option, where in ((None, "", ""), (top, " --project", " (in this repository)")):
        changes = [installing(item) for item in items(of_user(project), [host], ALL)]
        if any(change.state is not EntryState.MISSING for change in changes):
            finding = _installed(changes, f"zeroin install {host.name}{option}")
            return finding._replace(text=f"{host.title}: {finding.text}{where}")
    return Finding("ok", f"{host.title}: zeroin is not installed in it", f"zeroin install {host.name}")


def _installed(changes: list[Change], command: str) -> Finding:
    problem = next((change for change in changes if change.problem), None)
    if problem is not None:
        text = line(f"{problem.item.path}: {problem.problem}")
        return Finding("warn", text, f"correct the file, then: {command}")
    states = {part: {str(each.state) for each in changes if each.item.part is part} for part in ALL}
    text = ", ".join(f"{part} {' and '.join(sorted(found))}" for part, found in states.items() if found)
    if EntryState.MISSING not in states[Part.MCP] and util.find_spec("mcp") is None:
        return Finding("warn", f"{text}; the MCP server needs an extra", "pip install 'zeroin[mcp]'")
    if any(change.state is EntryState.STALE for change in changes):
        return Finding("warn", text, f"{command} brings it up to date")
    return Finding("ok", text, f"{command} adds what is missing" if "missing" in text else "")


# Area, name and check, which returns None where it does not apply.
MACHINE: tuple[tuple[str, str, Callable[[], Finding | None]], ...] = (
    ("machine", "zeroin", _zeroin),
    ("machine", "python", lambda: Finding("ok", f"{platform.python_version()} on {platform.platform()}")),
    ("machine", "git", _git),
    ("machine", "mcp", _mcp),
    ("parts", "grammars", _grammars),
    ("parts", "models", _models),
    ("storage", "cache", _cache),
    ("storage", "disk", _disk),
    ("storage", "data", _data),
)
