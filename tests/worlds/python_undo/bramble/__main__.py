"""Start of the program: read settings, open the file, hand over to the screen."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from bramble import __version__
from bramble.editing.editor import Editor
from bramble.settings import load_settings
from bramble.storage.autosave import Autosave
from bramble.storage.backup import keep_backup
from bramble.storage.file_store import FileStore, UnreadableFile
from bramble.ui.commands import CommandTable
from bramble.ui.keymap import Keymap
from bramble.ui.render import Renderer


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bramble", description="Edit an outline.")
    parser.add_argument("file", type=Path, help="a Markdown or OPML file; made if it does not exist")
    parser.add_argument("--read-only", action="store_true", help="look, do not touch")
    parser.add_argument("--version", action="version", version=__version__)
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    options = parse_arguments(sys.argv[1:] if arguments is None else arguments)
    settings = load_settings()
    store = FileStore(options.file)
    try:
        outline = store.load()
    except UnreadableFile as problem:
        print(f"bramble: {problem}", file=sys.stderr)
        return 2
    if not options.read_only:
        keep_backup(options.file, settings.backup_folder, settings.backup_days)

    editor = Editor(outline, journal_depth=settings.revert_journal_depth)
    autosave = Autosave(store, every_seconds=settings.autosave_seconds)
    commands = CommandTable(editor)
    keymap = Keymap.with_overrides(settings.keys)
    renderer = Renderer(width=settings.wrap_at)

    for key in read_keys():
        command = keymap.command_for(key)
        if command == "quit":
            break
        commands.run(command, key)
        if not options.read_only:
            autosave.consider(editor.outline, editor.change_count)
        print(renderer.screen(editor.outline, editor.cursor))
    if not options.read_only:
        store.save(editor.outline)
    return 0


def read_keys() -> Iterator[str]:
    """Names of keys, one a line; the terminal driver is a program of its own and talks through a pipe."""
    for line in sys.stdin:
        yield line.rstrip("\n")


if __name__ == "__main__":
    raise SystemExit(main())
