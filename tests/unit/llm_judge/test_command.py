"""A program in the model's place, and names of models: these need no extra."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from tests.unit.llm_judge.judge_request import ASKED, BAD, GOOD, LONG_S, ask
from zeroin.errors import JudgeError, OptionError
from zeroin.llm_judge import command
from zeroin.llm_judge.contract import SCHEMAS, parse
from zeroin.llm_judge.providers import model_of


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A folder for programs, with a blank in its name, beside which they leave notes."""
    folder = tmp_path / "my programs"
    folder.mkdir()
    return folder


def written(folder: Path, code: str, name: str = "judge.py") -> str:
    """The name of a model that is this Python program."""
    path = folder / name
    path.write_text(f"import json, os, subprocess, sys, time\nfolder = {str(folder)!r}\n{textwrap.dedent(code)}")
    return f"command:'{sys.executable}' -S '{path}'"


def refused(name: str, timeout_s: float = LONG_S) -> str:
    with pytest.raises(JudgeError) as caught:
        ask(model_of(name), timeout_s)
    said = str(caught.value)
    assert "\n" not in said and len(said) < 300
    return said


def test_the_request_is_one_json_object_on_its_input(program: Path) -> None:
    name = written(
        program,
        f"""
        asked = json.load(sys.stdin)
        assert sys.argv[1:] == ["two words", "$HOME;x"], sys.argv
        with open(os.path.join(folder, "asked"), "w") as note:
            json.dump([asked, os.getcwd(), os.listdir()], note)
        print({GOOD!r})
        """,
    )
    model = model_of(name + " 'two words' '$HOME;x'")
    reply = ask(model)
    assert [grade.grade for grade in parse(reply.text, ASKED).grades] == [3, 0]
    assert reply.cost is None and reply.input_tokens > 0 and reply.output_tokens > 0
    assert model.name.startswith("command:") and not model.cache_name
    asked, folder, found = json.loads((program / "asked").read_text())
    assert asked == {"system": ASKED.system, "user": ASKED.user, "schema": SCHEMAS["evaluate"]}
    assert found == [] and not Path(folder).exists(), "an empty folder of its own, gone afterwards"


def test_what_is_invalid_is_asked_again_with_what_was_wrong(program: Path) -> None:
    name = written(
        program,
        f"""
        asked = json.load(sys.stdin)["user"]
        print({GOOD!r} if "refused" in asked and "grade" in asked else "```json\\n" + {BAD!r} + "\\n```")
        """,
    )
    assert parse(ask(model_of(name)).text, ASKED).words == ("retry",)
    assert "cannot be used" in refused(written(program, "print('no')"))


def test_a_program_that_fails_is_told_by_its_last_line(program: Path) -> None:
    name = written(program, "print('first', file=sys.stderr); sys.exit('\\x1b[31mno quota\\x1b[0m left\\n\\n')")
    assert refused(name).endswith(": no quota left")
    assert "ended with code 3" in refused(written(program, "sys.exit(3)"))


def test_a_program_that_reads_nothing_or_talks_much_is_no_hang(program: Path) -> None:
    big = written(program, f"sys.stderr.write('x' * 3_000_000); os.close(0); print({GOOD!r})")
    assert parse(ask(model_of(big)).text, ASKED)
    assert "more than 1 MB" in refused(written(program, "while True: print('x' * 9999)"))


@pytest.mark.skipif(os.name == "nt", reason="asks a POSIX kernel whether a process lives")
@pytest.mark.parametrize("end", ["time.sleep(1000)", "child.wait()", "os._exit(0)", "os.close(1); time.sleep(1000)"])
def test_a_program_that_is_late_is_ended_with_its_children(program: Path, end: str) -> None:
    name = written(
        program,
        f"""
        child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(1000)"])
        with open(os.path.join(folder, "child"), "w") as note:
            note.write(str(child.pid))
        {end}
        """,
    )
    assert "did not answer within 2 s" in refused(name, 2.0)
    pid = int((program / "child").read_text())
    began = time.monotonic()
    while lives(pid):
        assert time.monotonic() - began < LONG_S
        time.sleep(0.05)


def lives(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    if stat.parent.parent.joinpath("self").exists():
        return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_an_interrupt_ends_the_program(program: Path) -> None:
    name = written(
        program,
        """
        with open(os.path.join(folder, "child"), "w") as note:
            note.write(str(os.getpid()))
        time.sleep(1000)
        """,
    )
    code = "from tests.unit.llm_judge.judge_request import ask\nfrom zeroin.llm_judge.providers import model_of\n"
    code += f"ask(model_of({name!r}), 1000)"
    caller = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    note, began = program / "child", time.monotonic()
    while not (note.exists() and note.read_text()):
        assert time.monotonic() - began < LONG_S
        time.sleep(0.02)
    caller.send_signal(signal.SIGINT)
    _, said = caller.communicate(timeout=LONG_S)
    assert said.strip().endswith("KeyboardInterrupt")
    while lives(int(note.read_text())):
        assert time.monotonic() - began < LONG_S
        time.sleep(0.05)


def test_a_program_is_found_in_path_and_never_in_the_current_folder(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = program / ("judge.bat" if os.name == "nt" else "judge")
    tool.write_text("@echo no\n" if os.name == "nt" else "#!/bin/sh\necho no\n")
    tool.chmod(0o755)
    monkeypatch.chdir(program)
    for path in ("", ".", os.pathsep.join(["", ".", "my programs"])):
        monkeypatch.setenv("PATH", path)
        with pytest.raises(OptionError, match="no program judge is to be found"):
            model_of("command:judge --fast")
    with pytest.raises(OptionError, match="by an absolute path"):
        model_of("command:./judge")
    monkeypatch.setenv("PATH", str(program))
    assert "cannot be used" in refused("command:judge --fast")
    monkeypatch.setenv("HOME", str(program))
    assert command.command_of("~/judge x") == (str(program / "judge"), "x")


def test_a_file_that_is_no_program_is_one_line(program: Path) -> None:
    path = program / "judge"
    path.write_bytes(b"\x7fELF nothing")
    path.chmod(0o755)
    if os.name != "nt":
        assert "cannot be started" in refused(f"command:'{path}'")


@pytest.mark.parametrize(
    "name", ["", "gpt-5", "openai:", "openai: ", "nobody:gpt-5", "command:", "command: ", "command:'a", "mcp:\x1b[2J\n"]
)
def test_a_name_of_no_model_is_one_line(name: str) -> None:
    with pytest.raises(OptionError) as caught:
        model_of(name)
    assert "\n" not in str(caught.value) and "\x1b" not in str(caught.value)


@pytest.mark.parametrize("name", ["openai:gpt-5", "anthropic:claude-sonnet-4-5", "google:gemini-3-pro", "ollama:qwen3"])
@pytest.mark.parametrize("missing", ["pydantic_ai", "sdk"])
def test_the_extra_is_named_where_it_is_missing(name: str, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sdk = {"anthropic": "anthropic", "google": "google.genai"}.get(name.partition(":")[0], "openai")
    module = sdk if missing == "sdk" else missing
    monkeypatch.setitem(sys.modules, module, None)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"needs an extra: pip install 'zeroin\[judge\]'"):
        model_of(name)


@pytest.mark.parametrize(
    "address", ["localhost:11434", "file:///etc", "http://", "http://[::1", "http://a:99999/v1", "http://a:b/v1"]
)
def test_an_address_of_nothing_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroin.llm_judge.providers._is_installed", lambda package: True)
    monkeypatch.setenv("OLLAMA_BASE_URL", address)
    with pytest.raises(OptionError, match="OLLAMA_BASE_URL is no address"):
        model_of("ollama:qwen3")


def test_nothing_of_the_extra_is_imported_before_a_model_is_asked() -> None:
    code = "import sys, zeroin.llm_judge.providers as p; p.model_of(sys.argv[1]); print('pydantic_ai' in sys.modules)"
    env = {**os.environ, "OPENAI_API_KEY": "k"}
    for name in (f"command:'{sys.executable}'", "openai:gpt-5"):
        done = subprocess.run([sys.executable, "-c", code, name], capture_output=True, text=True, env=env)
        assert "True" not in done.stdout
