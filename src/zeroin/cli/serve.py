"""`zeroin serve`: a process that stays, so that commands need not load everything anew."""

import contextlib
import os
import pkgutil
import signal
import sys
import tempfile
import traceback
from importlib import import_module
from pathlib import Path

import click

import zeroin
from zeroin.cli.options import FiniteRange
from zeroin.cli.output import OK, PARTIAL, complain, say
from zeroin.serve import wire

# Modules that no command in a resident process needs.
_LEFT_OUT = tuple(f"zeroin.{name}" for name in ("__main__", "fleet", "install", "langchain", "mcp"))
_EXAMPLE = {
    "cart/total.py": 'def total(prices):\n    """Add up what is in the cart."""\n    return sum(prices)\n',
    "README.md": "# Cart\n\nAdds up prices.\n",
}


@click.command()
@click.option(
    "--idle-s",
    type=FiniteRange(min=1),
    default=900,
    metavar="S",
    help="End when no command has come for S seconds. [900]",
)
@click.option("--stop", is_flag=True, help="End the resident process.")
@click.option("-q", "--quiet", is_flag=True, help="No messages.")
def serve(idle_s: float, stop: bool, quiet: bool) -> int:
    """Stay in memory and run the commands of this user that are started with ZEROIN_SERVE=1.

    The first such command starts it by itself. Linux only; answers are the same without it, a little later.
    """
    if not wire.supported():
        return complain("a resident process needs Linux; commands run without it")
    from zeroin.serve import process

    if stop:
        ended = process.stop()
        return OK if ended or quiet else complain("no resident process runs", code=OK)
    process.serve(_load, _run, idle_s=idle_s, report=(lambda _: None) if quiet else say)
    return OK


def _load() -> None:
    """Import what commands need and answer a sample question, so that models and patterns are loaded once."""
    for module in pkgutil.walk_packages(zeroin.__path__, "zeroin."):
        if not module.name.startswith(_LEFT_OUT):
            with contextlib.suppress(ImportError):  # of an extra that is not installed
                import_module(module.name)
    from zeroin import engine
    from zeroin.context.rendering import render

    before = os.environ.copy()
    with tempfile.TemporaryDirectory() as place:
        os.environ["ZEROIN_CACHE_DIR"] = os.environ["ZEROIN_DATA_DIR"] = place
        try:
            for path, text in _EXAMPLE.items():
                file = Path(place, "cart", path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            session = engine.open_session("the total in the cart is wrong", Path(place, "cart"), jobs=1)
            context = session.run()
            for form in ("json", "table"):
                render(context, session.read, form)
        finally:
            os.environ.clear()
            os.environ.update(before)


def _run(arguments: list[str]) -> int:
    """Run a command line as `python -m zeroin` does and return its exit code."""
    from zeroin.cli.main import main

    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())
        main(arguments)
    except KeyboardInterrupt:
        return complain("interrupted", code=PARTIAL)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    except BaseException:  # noqa: BLE001 (as at the end of a process)
        traceback.print_exc(file=sys.stderr)
        return 1
    return OK
