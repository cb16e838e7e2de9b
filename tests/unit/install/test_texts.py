"""The texts that teach the pattern: their form is the host's, their length bounded, all that they name exists."""

import re
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from functools import cache
from importlib.util import find_spec
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from zeroin.answer import StopCode
from zeroin.cli.main import main
from zeroin.install.hosts import all_hosts
from zeroin.install.texts import AGENT_NAME, agent, prompt, skill

AGENT_HOSTS = [host.name for host in all_hosts() if host.user.agent]
SPANS = re.compile(r"`([^`\n]*)`")
FENCES = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def texts() -> dict[str, str]:
    return {"prompt": prompt(), **skill(), **{host: agent(host) for host in AGENT_HOSTS}}


def commands(text: str) -> list[list[str]]:
    """Every call of zeroin in a text, as its words: of fenced shell, and of inline code."""
    lines = [line for block in FENCES.findall(text) for line in block.replace("\\\n", " ").split("\n")]
    spans = SPANS.findall(re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE))
    told = [line.partition("<<")[0].strip() for line in lines + spans]
    return [shlex.split(line)[1:] for line in told if line.startswith("zeroin ")]


def inline_options(text: str) -> set[str]:
    return {m[0] for span in SPANS.findall(text) if (m := re.match(r"--[a-z][a-z-]+", span))}


def said(*words: str) -> str:
    """What the command line writes to stdout, run in this process; it must succeed."""
    raw = BytesIO()
    with redirect_stdout(TextIOWrapper(raw, "utf-8")) as out, pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0
    out.flush()
    return raw.getvalue().decode("utf-8")


@cache
def help_of(command: str) -> str:
    return said(command, "--help")


@cache
def subcommands() -> frozenset[str]:
    return frozenset(re.findall(r"^  ([a-z]+) ", said("--help").partition("Commands:")[2], re.MULTILINE))


def test_the_prompt_is_short_and_carries_the_pattern() -> None:
    text = prompt()
    assert len(text.splitlines()) <= 15
    assert max(map(len, text.splitlines())) <= 125
    for part in ("broad", "0 to 1", "missing", "REFINE", "at most 3 cycles", ">= 0.7", "File | Relevance | Reason"):
        assert part in text, part


def test_the_prompt_works_where_zeroin_is_absent() -> None:
    """The one tool that it names is named under a condition, with what to do without."""
    lines = [line for line in prompt().splitlines() if "zeroin" in line]
    assert len(lines) == 1
    assert "If the command `zeroin` exists" in lines[0] and "If not, use grep" in lines[0]


def test_the_skill_is_short_and_its_links_lead_somewhere() -> None:
    files = skill()
    assert len(files["SKILL.md"].splitlines()) < 200
    assert sum(len(text.splitlines()) for text in files.values()) < 500
    linked = {path for text in files.values() for path in re.findall(r"\]\(([^)]+)\)", text)}
    assert linked == set(files) - {"SKILL.md"}


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("claude", "tools: Bash, Read, Grep, Glob\n"),
        ("codex", 'sandbox_mode = "read-only"\n'),
        ("copilot", "tools: ['execute', 'read', 'search']\n"),
        ("cursor", "readonly: true\n"),
        ("gemini", "tools:\n  - run_shell_command\n  - read_file\n  - grep_search\n  - glob\n  - list_directory\n"),
        ("opencode", '  edit: deny\n  webfetch: deny\n  bash:\n    "*": deny\n    "zeroin *": allow\n'),
    ],
)
def test_the_agent_may_not_write(host: str, allowed: str) -> None:
    text = agent(host)
    assert allowed in text and len(text) < 30_000  # what one host takes of a prompt
    assert "| File | Relevance | Reason |" in text and "Terminology:" in text and "Gaps:" in text


@pytest.mark.parametrize("name", list(texts()))
def test_every_command_and_option_exists(name: str) -> None:
    text = texts()[name]
    found = commands(text)
    for words in found:
        command = words[0] if words and words[0] in subcommands() else "find"
        options = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        for option in options:
            assert re.search(rf"(?<![\w-]){option}(?![\w-])", help_of(command)), f"{command} {option}"
    asked = inline_options(text)
    known = "".join(help_of(command) for command in ("find", "refine"))
    assert {option for option in asked if not re.search(rf"{option}(?![\w-])", known)} == set()
    if name not in ("prompt", "references/by-hand.md", "references/answers.md"):
        assert {words[0] for words in found} >= {"refine", "more"}


def test_the_parts_of_an_answer_are_those_that_it_has() -> None:
    """The sections and reasons to stop that the skill explains are what the renderer and the loop write."""
    from importlib.resources import files

    told = skill()["references/answers.md"]
    rendering = files("zeroin").joinpath("context/rendering")
    renderer = "".join(rendering.joinpath(name).read_text(encoding="utf-8") for name in ("markdown.py", "wording.py"))
    for part in ("Advice", "Gaps", "Terminology", "Patterns", "Warnings", "Code"):
        assert f"| {part} |" in told and part in renderer
    stopped = told.partition("Why it stopped")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"`([a-z_]+)` \(", stopped)) == sorted(StopCode)


def test_the_document_shows_what_there_is() -> None:
    """The prompt as it is printed, and of every host that has subagents what keeps them from writing."""
    text = (Path(__file__).parents[3] / "docs" / "AGENTS.md").read_text(encoding="utf-8")
    assert f"$ zeroin prompt\n{prompt()}```" in text
    rows = [row for row in text.splitlines() if f"`agents/{AGENT_NAME}" in row]
    assert len(rows) == len(AGENT_HOSTS)
    for code in re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        compile(code, "AGENTS.md", "exec")
        for module, name in re.findall(r"^from (zeroin\S*) import (\w+)$", code, re.MULTILINE):
            found = find_spec(module)
            assert found is not None and found.origin is not None, module
            source = Path(found.origin)
            assert re.search(rf"^(def|class) {name}\b", source.read_text(encoding="utf-8"), re.MULTILINE)


def test_prompt_prints_the_block() -> None:
    done = subprocess.run([sys.executable, "-m", "zeroin", "prompt"], capture_output=True, check=True)
    assert done.stdout.decode("utf-8") == prompt() and done.stderr == b""
