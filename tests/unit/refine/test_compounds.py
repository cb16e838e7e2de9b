"""Names written as one here and apart there are met, and the answer says how."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.repositories import repository
from zeroin.answer import Context
from zeroin.config import Options
from zeroin.corpus.source import open_source
from zeroin.engine import Repository
from zeroin.index.opening import open_index
from zeroin.refine.compounds import joined_terms
from zeroin.term_lookup import terminology
from zeroin.types import Expansion

FILLER = {
    f"src/scores/entry_{i}.py": f"def post_{i}(amount):\n    # the log of a pool is kept alive\n"
    f"    return amount + {i}\n"
    for i in range(14)
}


def with_filler(folder: Path, files: Mapping[str, str]) -> Path:
    return repository(folder, {**FILLER, **files})


def asked(folder: Path, task: str, **options: object) -> Context:
    return Repository.open(folder, jobs=1).ask(task, Options(always_loop=True, **options)).run()  # type: ignore[arg-type]


def pairs(folder: Path, text: str) -> set[tuple[str, str]]:
    return {(t.task_word, t.code_word) for t in joined_terms(open_index(open_source(folder)).view, text)}


@pytest.mark.parametrize(
    ("task", "code", "written"),
    [
        ("sockets are not kept open by keep alive", "def set_tcp_keepalive(sock):\n    return sock\n", "keepalive"),
        ("log rotation leaves a file open", "def logrotate(path):\n    return path\n", "logrotate"),
        ("rotation of logs leaves a file open", "def logrotate(path):\n    return path\n", "logrotate"),
        ("bit fields lose their sign", "def bitfield(value):\n    return value\n", "bitfield"),
        ("the connection pool is exhausted", "def connpool(size):\n    return size\n", "connpool"),
        ("the connection pool is exhausted", "def open_conn_pool(conn_pool):\n    return conn_pool\n", "conn_pool"),
        ("connpool is exhausted", "class ConnectionPool:\n    size = 3\n", "ConnectionPool"),
        ("setBitField loses the sign", "def bitfield(value):\n    return value\n", "bitfield"),
        ("keep alive on windows", "def set(tcpkeepalivetime):\n    return tcpkeepalivetime\n\n\n"
         "class tcpkeepalivetime:\n    pass\n", "tcpkeepalivetime"),
    ],
)  # fmt: skip
def test_a_joined_form_is_found_first_and_told(tmp_path: Path, task: str, code: str, written: str) -> None:
    folder = with_filler(tmp_path / "r", {"src/net/part.py": code})
    context = asked(folder, task, max_cycles=1)
    assert context.files[0].path == "src/net/part.py"
    met = next(t for t in context.terminology if t.joined)
    assert (met.code_word, met.certainty) == (written, "sure")
    assert (met.sources[0].kind, met.sources[0].where) == ("joined", "src/net/part.py")
    assert met.sources[0].line is not None and written in code.split("\n")[met.sources[0].line - 1]


def test_the_task_s_word_in_other_capitals_is_found_first_and_no_term(tmp_path: Path) -> None:
    folder = with_filler(tmp_path / "r", {"src/net/part.py": "def apply(keepAlive):\n    return keepAlive\n"})
    context = asked(folder, "the keepalive is ignored", max_cycles=1)
    assert context.files[0].path == "src/net/part.py"
    assert context.terminology == ()


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ('PLACE = "https://tv.example/videoplayer?id="\n', False),
        ('PLACE = "https://tv.example/videoplayer?id="\nNEXT = "videoplayer"\n', True),
        ("def videoplayer(x):\n    return x\n", True),
    ],
)
def test_two_words_are_shown_as_one_where_the_best_files_define_them_or_say_them_twice(
    tmp_path: Path, code: str, shown: bool
) -> None:
    folder = with_filler(tmp_path / "r", {"src/tv.py": code})
    context = asked(folder, "closing the video player stops nothing", max_cycles=1)
    (met,) = (t for t in context.terminology if t.joined)
    assert (met.code_word, met in context.shown_terms) == ("videoplayer", shown)


def test_fields_of_a_log_line_are_not_joined(tmp_path: Path) -> None:
    folder = with_filler(tmp_path / "r", {"src/net/part.py": "def show(errmsg):\n    return errmsg\n"})
    assert pairs(folder, 'level=error msg="no such host"') == set()
    assert pairs(folder, "the err msg is empty") == {("err msg", "errmsg")}


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("def copymode(path):\n    return path\n", set()),
        ("def copymod(path):\n    return path\n", {("copy module", "copymod")}),
        ("def copymods(path):\n    return path\n", {("copy module", "copymods")}),
    ],
)
def test_a_short_form_ends_the_word_that_it_is_joined_in(
    tmp_path: Path, code: str, found: set[tuple[str, str]]
) -> None:
    assert pairs(with_filler(tmp_path / "r", {"src/net/part.py": code}), "the copy module loses the owner") == found


def test_a_word_is_no_compound_of_itself(tmp_path: Path) -> None:
    folder = with_filler(tmp_path / "r", {"src/net/part.py": "class MetadataData:\n    size = 3\n"})
    assert pairs(folder, "the metadata is lost") == set()


@pytest.mark.parametrize(
    ("task", "code", "found"),
    [
        ("the colour of links is wrong", "def paint(color):\n    return color\n", {("colour", "color")}),
        ("initialising of plugins", "def initialize(plugin):\n    return plugin\n", {("initialising", "initialize")}),
        ("the color of links is wrong", "def paint(colour):\n    return colour\n", {("color", "colour")}),
        ("filled orders of four hours", "def filed(order):\n    return order\n", set()),
        ("the color of links", "color = 1  # a colour\n", set()),  # the task's spelling is there
    ],
)
def test_british_and_american_spellings_meet(tmp_path: Path, task: str, code: str, found: set[tuple[str, str]]) -> None:
    assert pairs(with_filler(tmp_path / "r", {"src/net/part.py": code}), task) == found


def test_a_word_that_is_written_apart_in_a_path_alone_is_met(tmp_path: Path) -> None:
    folder = with_filler(tmp_path / "r", {"src/rate-limit/apply.js": "export const apply = (n) => n + 1\n"})
    assert ("ratelimit", "rate limit") in pairs(folder, "ratelimit is applied twice")
    assert asked(folder, "ratelimit", max_cycles=1).files[0].path == "src/rate-limit/apply.js"


@pytest.mark.parametrize(
    ("names", "apart", "together", "found"),
    [
        (("into", "addon", "timetolive"), "add on a new line in to the file, then wait.Keep, alive",  # of the request
            "the time to live of a record", {("time live", "timetolive")}),
        (("winsize", "filelock"), "size a window by hand, then lock the file",  # verbs and their objects
            "the size of windows, a lock for files", {("size windows", "winsize"), ("lock files", "filelock")}),
        (("keepalive",), "what shall we keep? alive connections are dropped",  # two sentences
            "keep-alive connections are dropped", {("keep alive", "keepalive")}),
    ],
)  # fmt: skip
def test_only_parts_of_one_name_are_joined(
    tmp_path: Path, names: tuple[str, ...], apart: str, together: str, found: set[tuple[str, str]]
) -> None:
    code = "\n\n\n".join(f"def {name}(x):\n    return x\n" for name in names)
    folder = with_filler(tmp_path / "r", {"src/net/part.py": code})
    assert not pairs(folder, apart)
    assert pairs(folder, together) == found


def test_a_form_that_everything_says_is_left_out(tmp_path: Path) -> None:
    many = {f"src/io/part{i}.py": f"def part{i}(filename):\n    return filename\n" for i in range(40)}
    assert not pairs(with_filler(tmp_path / "r", many), "the file name is cut")


def test_the_form_counts_as_the_words_of_the_task(tmp_path: Path) -> None:
    code = "def keepalive(x):\n    return x\n"
    folder = with_filler(tmp_path / "r", {"src/net/part.py": code, "src/net/keep.py": "def keep(x):\n    return x\n"})
    task = "keep alive is never sent"
    on = asked(folder, task, max_cycles=1, without=frozenset({"phrases"}))
    off = asked(folder, task, max_cycles=1, without=frozenset({"phrases", "terminology"}))
    with_it, without = ({f.path: f.relevance for f in c.ranking}.get("src/net/part.py", 0.0) for c in (on, off))
    assert with_it > 2 * without
    assert not off.terminology


def test_the_terms_of_a_text_hold_joined_forms(tmp_path: Path) -> None:
    folder = with_filler(tmp_path / "r", {"src/net/part.py": "def keepalive(x):\n    return x\n"})
    (met,) = (t for t in terminology("keep alive", folder).terms if t.joined)
    assert isinstance(met, Expansion) and met.certainty == "sure"
    assert (met.code_word, met.sources[0].where, met.sources[0].line) == ("keepalive", "src/net/part.py", 1)


@pytest.mark.parametrize(("path", "certainty"), [("tests/test_run.py", "guess"), ("src/run.py", "sure")])
def test_a_form_that_tests_alone_write_is_a_guess(tmp_path: Path, path: str, certainty: str) -> None:
    folder = with_filler(tmp_path / "r", {path: "def test_it(cmdname='x'):\n    assert cmdname\n"})
    (term,) = joined_terms(open_index(open_source(folder)).view, "the command name is lost")
    assert (term.code_word, term.certainty) == ("cmdname", certainty)


@pytest.mark.parametrize(
    ("task", "certainty"),
    [
        ("the WebSocket is closed twice", "guess"),
        ("closing web_socket fails, and WebSockets leak", "guess"),
        ("the web socket is closed twice", "sure"),
    ],
)
def test_what_the_task_writes_as_one_word_itself_is_no_other_word(tmp_path: Path, task: str, certainty: str) -> None:
    folder = with_filler(tmp_path / "r", {"src/net/part.py": "def websocket(x):\n    return x\n"})
    (term,) = joined_terms(open_index(open_source(folder)).view, task)
    assert (term.task_word, term.code_word, term.certainty) == ("web socket", "websocket", certainty)


@pytest.mark.parametrize(
    ("task", "code", "certainty"),
    [
        ("no build configuration for file:///home/a/build.x", "def config_file(file_config): pass\n", "guess"),
        ("the configuration file/store/part.py is lost", "def config_file(x):\n    return x\n", "guess"),
        ("the size of windows is lost", "print(winsize)\n", "guess"),
        ("the size of windows is lost", "def winsize(x):\n    return x\n", "sure"),
        ("keep the alive state, or keep alive", "print(keepalive)\n", "sure"),
    ],
)
def test_words_are_joined_over_a_path_or_a_function_word_only_with_proof(
    tmp_path: Path, task: str, code: str, certainty: str
) -> None:
    folder = with_filler(tmp_path / "r", {"src/net/part.py": code})
    found = joined_terms(open_index(open_source(folder)).view, task)
    assert found and {term.certainty for term in found} == {certainty}
