"""What imports a listed file, or is imported by it, is said to be missing with the words that it is named after."""

from pathlib import Path

import pytest

import zeroin
from tests.repositories import repository
from zeroin.context.rendering import render
from zeroin.context.rendering.screen import PLAIN

FILES = {f"src/plugin_{name}.py": f"def {name}():\n    return {n}\n" for n, name in enumerate("abcdefghij")}
FILES |= {
    "src/plugin_loader.py": "from src.plugin_spec import parse_one\n\n\ndef load_plugin(name):\n"
    "    # load the plugin when its event comes\n    return parse_one(name)\n",
    "src/plugin_spec.py": "def parse_one(name):\n    return event_of(name)\n\n\ndef event_of(name):\n    return name\n",
}


@pytest.mark.parametrize(
    "task",
    [
        "When does the loader load a plugin for an event?",
        "When does the loader load a plugin? It says NoEventError",  # no name says all of it
    ],
)
def test_the_words_are_said_and_not_those_of_every_file(tmp_path: Path, task: str) -> None:
    session = zeroin.open_session(task, repository(tmp_path / "r", FILES), jobs=1, always_loop=True)
    context = session.run()
    needs = {gap.need for cycle in context.cycles for gap in cycle.gaps if "imports" in gap.need}
    assert needs == {"src/plugin_loader.py imports src/plugin_spec.py, whose names say “event”"}
    answer = render(context, session.read, "table", screen=PLAIN)
    assert "words of the task" not in answer


def test_an_import_of_go_names_the_package(tmp_path: Path) -> None:
    """Which file of it is meant, the line does not say."""
    files = {f"src/plugin_{n}.go": f"package src\n\nfunc Plugin{n}() int {{\n\treturn 1\n}}\n" for n in "abcdefghij"}
    files["go.mod"] = "module example.com/app\n"
    files["src/plugin_loader.go"] = (
        'package src\n\nimport "example.com/app/parts"\n\n// LoadPlugin loads the plugin when its event comes.\n'
        "func LoadPlugin(name string) string {\n\treturn parts.ParseOne(name)\n}\n"
    )
    files["parts/plugin_spec.go"] = (
        "package parts\n\nfunc ParseOne(name string) string {\n\treturn EventOf(name)\n}\n\n"
        "func EventOf(name string) string {\n\treturn name\n}\n"
    )
    task, root = "When does the loader load a plugin for an event?", repository(tmp_path / "r", files)
    context = zeroin.open_session(task, root, jobs=1, always_loop=True).run()
    needs = {gap.need for cycle in context.cycles for gap in cycle.gaps if "imports" in gap.need}
    assert needs == {"src/plugin_loader.go imports the package of parts/plugin_spec.go, whose names say “event”"}
