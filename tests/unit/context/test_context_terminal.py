"""What the table does beside a terminal, and where a line is short."""

from dataclasses import replace

import zeroin.context.rendering.table as render_table
from zeroin.answer import Context
from zeroin.context.packing.texts import Read
from zeroin.context.rendering.screen import Screen
from zeroin.types import Evidence, Reason


def test_a_path_is_broken_on_a_terminal_alone(context: Context) -> None:
    path = f"src/{'deeply/' * 20}nested.ts"
    given = replace(context, files=(replace(context.files[0], path=path), *context.files[1:]))
    assert path in render_table.render(given, lambda path: "", Screen(80, folds=False))
    assert path not in render_table.render(given, lambda path: "", Screen(80))


def test_two_paths_of_a_sentence_are_not_shortened_to_the_same(context: Context) -> None:
    one, other = "src/routes/profile/@[user]/+page.svelte", "src/routes/profile/@[user]/favorites/+page.svelte"
    said = f"{one} was changed together with {other} in 3 of 3 commits"
    reason = Reason("change", said, (Evidence(one), Evidence(other)))
    given = replace(context, files=(replace(context.files[0], path=one, reasons=(reason,)), *context.files[1:]))
    shown = " ".join(render_table.render(given, lambda path: "", Screen(106)).split())
    assert "…/@[user]/+page.svelte was changed together with …/favorites/+page.svelte in 3 of 3 commits" in shown


def test_long_paths_of_a_gap_do_not_push_the_end_off_the_first_screen(context: Context, read: Read) -> None:
    paths = ", ".join(f"src/{'deep/' * 7}part{n}.ts" for n in range(5))
    gap = replace(context.gaps[0], need=f"of 9 parts, {paths} are not selected", evidence=())
    many = tuple(replace(context.files[0], path=f"src/auth/part{n:02}.ts") for n in range(40))
    told = replace(context, files=many, supporting=(), gaps=(gap,))
    rows = render_table.render(told, read, Screen(100)).splitlines()
    assert len(rows[: rows.index("More files") - 1]) <= 24
    assert all(f"part{n}.ts" in " ".join(rows[:24]) for n in range(5))
