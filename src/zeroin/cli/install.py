"""`zeroin install` and `zeroin uninstall`: the plan, the question, the outcome."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zeroin.cli.output import NOT_FOUND, OK, complain, say, write
from zeroin.context.clean import clean, line
from zeroin.errors import InstallError

if TYPE_CHECKING:
    from zeroin.install.hosts import Host
    from zeroin.install.places import Places
    from zeroin.install.plan import Change, Part
    from zeroin.install.receipts import Receipts

# The names are written out because the table of hosts is imported only once one of the commands runs.
HOSTS = ("claude", "codex", "cursor", "gemini", "copilot", "opencode", "zed")


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(
        [
            click.argument("hosts", nargs=-1, type=click.Choice(HOSTS), metavar="[HOST]..."),
            click.option(
                "--project", is_flag=True, help="The repository's own files, not those of the user."
            ),
            click.option("--mcp", is_flag=True, help="The entry that starts the MCP server."),
            click.option("--skill", is_flag=True, help="The Agent Skill."),
            click.option("--agent", is_flag=True, help="The read-only retrieval subagent."),
            click.option(
                "--prompt", is_flag=True, help="A block in AGENTS.md, CLAUDE.md or the like; not in --all."
            ),
            click.option(
                "--all", "everything", is_flag=True, help="MCP entry, skill and subagent; the default."
            ),
            click.option(
                "--print", "show", is_flag=True, help="Print every change as a diff and change nothing."
            ),
            click.option("--yes", "-y", is_flag=True, help="Do not ask."),
        ]
    ):
        command = option(command)
    return command


@click.command()
@_options
@click.option(
    "--check", is_flag=True, help="Say what is missing, stale or edited; exit code 0 if all is current."
)
def install(hosts: tuple[str, ...], project: bool, check: bool, show: bool, yes: bool, **wanted: bool) -> int:
    """Make zeroin known to coding agents: those named, or all that are found here.

    HOST is one of claude, codex, cursor, gemini, copilot, opencode, zed. Shows what would change and asks; everything
    else in the files stays as it is, byte for byte, and `zeroin uninstall` takes it back.
    """
    from zeroin.install.plan import installing, items

    places, receipts = _here(project)
    found = _hosts(hosts, places)
    if not found:
        return complain(f"no coding agent is found here; name one: zeroin install {'|'.join(HOSTS)}")
    changes = [installing(item, receipts) for item in items(places, found, _parts(wanted))]
    if check:
        return _report_states(changes, places)
    return _carry_out(changes, places, receipts, install=True, show=show, yes=yes)


@click.command()
@_options
def uninstall(hosts: tuple[str, ...], project: bool, show: bool, yes: bool, **wanted: bool) -> int:
    """Take away what `zeroin install` wrote, from the hosts named or from all.

    A file that nobody has changed since is as it was before, to the byte; from any other only our entry is taken.
    """
    from zeroin.install.plan import Part, items, uninstalling

    places, receipts = _here(project)
    known = {name for receipt in receipts.files.values() for name in receipt.hosts}
    found = _hosts(hosts or tuple(HOSTS if known else ()), places)
    parts = _parts(wanted) if any(wanted.values()) else tuple(Part)
    changes = [uninstalling(item, receipts) for item in items(places, found, parts)]
    return _carry_out(changes, places, receipts, install=False, show=show, yes=yes)


def _here(project: bool) -> tuple[Places, Receipts]:
    from zeroin.install.places import of_user
    from zeroin.install.receipts import Receipts

    here = Path.cwd()
    root = next((each for each in (here, *here.parents) if (each / ".git").exists()), here)
    try:
        places = of_user(root if project else None)
    except RuntimeError as error:
        raise InstallError("this user has no home folder: set HOME") from error
    return places, Receipts.load(places.environment, places.home)


def _hosts(names: Sequence[str], places: Places) -> list[Host]:
    from zeroin.install import hosts

    return [host for host in hosts.HOSTS if (host.name in names if names else places.found(host))]


def _parts(wanted: dict[str, bool]) -> tuple[Part, ...]:
    from zeroin.install.plan import ALL, Part

    named = tuple(part for part in Part if wanted[part.value])
    return named if named and not wanted["everything"] else tuple(dict.fromkeys((*ALL, *named)))


def _report_states(changes: Sequence[Change], places: Places) -> int:
    from zeroin.install.editing import State

    for change in changes:
        _row(str(change.state), change, places, change.problem)
    return OK if all(change.state is State.CURRENT for change in changes) else NOT_FOUND


def _carry_out(
    changes: Sequence[Change], places: Places, receipts: Receipts, *, install: bool, show: bool, yes: bool
) -> int:
    from zeroin.install.plan import apply

    needed = [change for change in changes if change.needed]
    broken = [change for change in changes if change.problem]
    for change in changes:
        if install or change.verb != "keep" or change.hosts:
            _row(change.verb, change, places, _why(change, install))
        if show and change.needed:
            write(_shown(change.diff(places.short(change.item.path))), None)
    if needed and install:
        _notes(changes, places)
    if show:
        return NOT_FOUND if broken else OK
    if needed and not yes:
        if not sys.stdin.isatty():
            return complain(
                f"nothing was changed: give --yes to {'install' if install else 'uninstall'} this unasked"
            )
        if not click.confirm(f"Change {len(needed)} file{'s' if len(needed) > 1 else ''}?"):
            say("nothing was changed")
            return NOT_FOUND
    failed = apply(changes, receipts, install=install)
    for change in failed:
        complain(f"{places.short(change.item.path)}: {change.problem}")
    done = len(needed) - len(failed)
    say(f"{done} file{'' if done == 1 else 's'} changed" if needed else "nothing to do")
    return NOT_FOUND if failed or broken else OK


def _shown(diff: str) -> str:
    """A diff without secrets and control sequences: what stands beside our lines is the user's."""
    from zeroin.context.redaction.redact import redact

    return clean("\n".join(redact("", diff.splitlines())[0]) + "\n")


def _row(word: str, change: Change, places: Places, remark: str) -> None:
    item = change.item
    about = f"{item.part} for {', '.join(item.hosts)}"
    row = f"{word:13} {line(places.short(item.path)):48} {about}{f': {line(remark)}' if remark else ''}"
    write(row + "\n", None)


def _why(change: Change, install: bool) -> str:
    """What there is to say about a file beside what happens to it."""
    from zeroin.install.editing import State
    from zeroin.install.whole_file import WholeFile

    if change.problem:
        return change.problem
    if change.state is State.EDITED:
        if isinstance(change.item.editor, WholeFile) and not change.item.editor.ours(change.before or b""):
            return "not written by zeroin"
        return "edited by you; `zeroin uninstall` takes it away" if install else "edited by you"
    return f"still read by {', '.join(change.hosts)}" if change.hosts and not install else ""


def _notes(changes: Sequence[Change], places: Places) -> None:
    import shutil

    from zeroin.install.plan import Part

    if not shutil.which("zeroin", path=places.environment.get("PATH", "")) and any(
        change.item.part is not Part.MCP for change in changes
    ):
        say("note: the skill and the subagent run `zeroin`, which is not on your PATH: see pipx or uv tool")
    if not any(change.item.part is Part.MCP for change in changes):
        return
    if places.program != ("zeroin",):
        say(
            f"note: zeroin is not on the PATH of other programs, so they will start {' '.join(places.program)}"
        )
    elif not shutil.which("zeroin", path=places.environment.get("PATH", "")):
        say("note: the entries start `zeroin`, which is not on your PATH: see pipx or uv tool")
    if find_spec("mcp") is None:
        say("note: the MCP server needs an extra: pip install 'zeroin[mcp]'")
