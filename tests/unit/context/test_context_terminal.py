"""What the table does beside a terminal: in a file or a pipe."""

from dataclasses import replace

import zeroin.context.rendering.table as render_table
from zeroin.answer import Context
from zeroin.context.rendering.screen import Screen


def test_a_path_is_broken_on_a_terminal_alone(context: Context) -> None:
    path = f"src/{'deeply/' * 20}nested.ts"
    given = replace(context, files=(replace(context.files[0], path=path), *context.files[1:]))
    assert path in render_table.render(given, lambda path: "", Screen(80, folds=False))
    assert path not in render_table.render(given, lambda path: "", Screen(80))
