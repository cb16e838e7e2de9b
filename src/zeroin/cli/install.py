"""`zeroin install` and `zeroin uninstall`: show the plan, ask, carry it out, report."""

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from zeroin.cli.options import all_of
from zeroin.cli.output import NOT_FOUND, OK, complain, say, write
from zeroin.context.clean import clean, line
from zeroin.context.redaction.redact import redact
from zeroin.errors import InstallError
from zeroin.install.entries import State
from zeroin.install.hosts import Places, all_hosts, of_user, project_of
from zeroin.install.plan import ALL, Change, Item, Part, Planner, apply, installing, items, uninstalling

HOSTS = tuple(host.name for host in all_hosts())

_options = all_of(
    click.argument("hosts", nargs=-1, type=click.Choice(HOSTS), metavar="[HOST]..."),
    click.option("--project", is_flag=True, help="The repository's own files, not those of the user."),
    click.option("--mcp", is_flag=True, help="The entry that starts the MCP server."),
    click.option("--skill", is_flag=True, help="The Agent Skill."),
    click.option("--agent", is_flag=True, help="The read-only retrieval subagent."),
    click.option("--prompt", is_flag=True, help="A block in AGENTS.md, CLAUDE.md or the like; not in --all."),
    click.option("--all", "everything", is_flag=True, help="MCP entry, skill and subagent."),
    click.option("--print", "--dry-run", "show", is_flag=True, help="Print every change as a diff, change nothing."),
    click.option("--yes", "-y", is_flag=True, help="Do not ask."),
)


@click.command()
@_options
@click.option("--check", is_flag=True, help="Say what is missing, stale or edited; exit code 0 if all is current.")
def install(hosts: tuple[str, ...], project: bool, check: bool, show: bool, yes: bool, **wanted: bool) -> int:
    """Make zeroin known to coding agents: those named, or all that are found here.

    HOST is one of claude, codex, cursor, gemini, copilot, opencode, zed. Shows what would change and asks; the rest of
    each file stays as it is, and `zeroin uninstall` takes our entry out again. Without a part: --all.
    """
    places = _places(project)
    found = [host for host in all_hosts() if (host.name in hosts if hosts else places.found(host))]
    if not found:
        return complain(f"no coding agent is found here; name one: zeroin install {'|'.join(HOSTS)}")
    changes = [installing(item) for item in items(places, found, _parts(wanted))]
    if check:
        for change in changes:
            _row(str(change.state), change, places, change.problem)
        return OK if all(change.state is State.CURRENT for change in changes) else NOT_FOUND
    for change in changes:
        _row(change.verb, change, places, _why(change) or " ".join(change.item.add if change.needed else ()))
    if any(change.needed for change in changes):
        _notes(changes, places)
    return _carry_out(changes, installing, places, show=show, yes=yes)


@click.command()
@_options
def uninstall(hosts: tuple[str, ...], project: bool, show: bool, yes: bool, **wanted: bool) -> int:
    """Take our entry out of the files of the hosts named, or of all; everything else stays.

    Without a part, all go, the block of --prompt too.
    """
    places, named = _places(project), hosts or HOSTS
    parts = _parts(wanted) if any(wanted.values()) else tuple(Part)
    here = [host.name for host in all_hosts() if host.name in named or places.found(host)]

    def planner(item: Item) -> Change:
        return uninstalling(item, tuple(name for name in item.hosts if name in here and name not in named))

    every = items(places, all_hosts(), parts)
    changes = [planner(item) for item in every if set(item.hosts) & set(named)]
    for change in changes:
        if change.verb != "keep" or change.readers:
            _row(change.verb, change, places, _why(change))
    return _carry_out(changes, planner, places, show=show, yes=yes)


def _places(project: bool) -> Places:
    root = project_of(Path.cwd())
    try:
        return of_user(root if project else None)
    except RuntimeError as error:
        raise InstallError("this user has no home folder: set HOME") from error


def _parts(wanted: dict[str, bool]) -> tuple[Part, ...]:
    named = tuple(part for part in Part if wanted[part.value])
    return named if named and not wanted["everything"] else tuple(dict.fromkeys((*ALL, *named)))


def _carry_out(changes: Sequence[Change], planner: Planner, places: Places, *, show: bool, yes: bool) -> int:
    needed = [change for change in changes if change.needed]
    broken = any(change.problem for change in changes)
    if show:
        for change in needed:
            diff = change.diff(places.short(change.item.path)).splitlines()
            write(clean("\n".join(redact("", diff)[0]) + "\n"), None)  # the lines around ours are the user's
        return NOT_FOUND if broken else OK
    if needed and not yes:
        if not sys.stdin.isatty():
            return complain("nothing was changed: give --yes to do this unasked")
        if not click.confirm(f"Change {len(needed)} file{'s' if len(needed) > 1 else ''}?"):
            say("nothing was changed")
            return NOT_FOUND
    failed = apply(needed, planner, places)
    for change in failed:
        complain(f"{places.short(change.item.path)}: {change.problem}")
    done = len(needed) - len(failed)
    say(f"{done} file{'' if done == 1 else 's'} changed" if needed else "nothing to do")
    return NOT_FOUND if failed or broken else OK


def _row(word: str, change: Change, places: Places, remark: str) -> None:
    item = change.item
    about = f"{item.part} for {', '.join(item.hosts)}"
    row = f"{word:13} {line(places.short(item.path)):48} {about}{f': {line(remark)}' if remark else ''}"
    write(row + "\n", None)


def _why(change: Change) -> str:
    """Say why a file is changed or left alone; "" where the verb says it."""
    if change.problem:
        return change.problem
    if change.readers:
        return f"still read by {', '.join(change.readers)}"
    return "edited by you, or not written by zeroin" if change.verb == "leave" else ""


def _notes(changes: Sequence[Change], places: Places) -> None:
    parts, command = {change.item.part for change in changes}, places.which("zeroin")
    if command is None and parts - {Part.MCP}:
        say("note: the skill and the subagent run `zeroin`, which is not on your PATH: see pipx or uv tool")
    if Part.MCP not in parts:
        return
    if places.program != ("zeroin",):
        say(f"note: zeroin is not on the PATH of other programs, so they will start {' '.join(places.program)}")
    elif command is None:
        say("note: the entries start `zeroin`, which is not on your PATH: see pipx or uv tool")
    if find_spec("mcp") is None:
        say("note: the MCP server needs an extra: pip install 'zeroin[mcp]'")
