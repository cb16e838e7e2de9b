"""What is said to be missing: what a file uses, who implements what, and no name that the file declares itself."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.repositories import repository
from tests.unit.gaps.test_gaps import gaps_of, selection_of
from zeroin.engine import Repository
from zeroin.evaluate.languages import code_of
from zeroin.gaps.references import implementers, import_line, is_answered, missing_context, refers_outside
from zeroin.index.view import View
from zeroin.types import Judgment, Role, Span


def view_of(folder: Path, files: Mapping[str, str]) -> View:
    return Repository.open(repository(folder, files)).opened.view


def missing(view: View, path: str) -> tuple[str, ...]:
    lines = view.text(view.numbers[path]).count("\n")
    judgment = Judgment(path, 0.8, spans=(Span(1, lines),), role=Role.IMPLEMENTATION)
    return missing_context(judgment, (view.numbers[path],), view)


def test_no_document_and_no_file_of_another_language_defines_what_is_used(tmp_path: Path) -> None:
    files = {
        "README.md": "# Usage\n\nStart it.\n\n# Gadget\n\nWhat it is.\n",
        "src/gadget.py": "class Gadget:\n    size = 1\n",
        "src/panel.py": "def panel(flag):\n    return Gadget(flag.Usage, Clock.now())\n",
        "web/clock.go": "package web\n\ntype Clock struct{}\n",
    }
    view = view_of(tmp_path / "repo", files)
    assert missing(view, "src/panel.py") == ("Gadget (line 2): src/gadget.py",)


def test_a_word_of_a_docstring_is_no_reference(tmp_path: Path) -> None:
    files = {
        "series.py": "def series(x):\n    return x\n\n\ndef seasons(x):\n    return x\n",
        "trend.py": 'def trend(x):\n    """The trend,\n    as in time series models.\n    """\n    return seasons(x)\n',
    }
    view = view_of(tmp_path / "repo", files)
    assert missing(view, "trend.py") == ("seasons (line 5): series.py",)


def test_the_line_of_an_import_is_the_one_that_imports(tmp_path: Path) -> None:
    files = {
        "app/__init__.py": "",
        "app/infer.py": "LIMIT = 3\n",
        "app/main.py": '"""Examples.\n\nimport infer, attend, infer.\n"""\n# infer\n\nimport app.infer\n\nx = 1\n',
        "app/all.py": '"""Use infer."""\nfrom app import (\n    infer,\n)\n\nx = infer.LIMIT\n',
        "doc/page.go": "package doc\n\nfunc show(command string) {\n\tprint(command)\n}\n",
        "Cursor.scala": "// ObjectCursor\ndef f(c: ObjectCursor) = c\n",
        "lib/parse.h": "int parse_it(int x);\n",
        "lib/parse.c": '/* What parse.h\n   says: parse */\n#  include "parse.h"\nint parse_it(int x) { return x; }\n',
    }
    view = view_of(tmp_path / "repo", files)
    assert missing(view, "app/main.py") == ("import (line 7): app/infer.py",)
    assert import_line(view, view.numbers["lib/parse.c"], "lib/parse.h") == 3
    assert import_line(view, view.numbers["doc/page.go"], "command.go") is None
    assert import_line(view, view.numbers["app/all.py"], "app/infer.py") == 3
    assert import_line(view, view.numbers["Cursor.scala"], "ObjectCursor.scala") == 2
    assert import_line(view, view.numbers["app/main.py"], "app/other.py") is None
    assert import_line(view, view.numbers["app/main.py"], "app/other.py", by_folder=True) == 7


def test_a_name_in_a_comment_of_several_lines_is_no_reference() -> None:
    text = "/* First\n   uv_close must run. */\nint f(void);\n#endif /* uv_close */\nint x = uv_close();\n"
    assert [n for n in range(1, 6) if refers_outside("uv_close", n, text, "c")] == [5]
    assert refers_outside("get_renderer", 2, 'x = """\nget_renderer\n"""\n', "python")


def test_a_part_of_a_word_is_not_the_word() -> None:
    assert not refers_outside("worker", 1, "<-p.workerDone   // Wait for the worker")
    assert refers_outside("worker", 1, "<-p.worker   // Wait for it")


@pytest.mark.parametrize(
    ("language", "text", "code"),
    [
        ("python", 'a = "x"\nb = """one\ntwo"""\nc', 'a = "x"\nb =       \n      \nc'),
        ("python", '# it\'s """\na\n# """\n', '# it\'s """\na\n# """\n'),
        ("go", "q := `select\nfrom x`\nrun(q)", "q :=        \n       \nrun(q)"),
        ("typescript", "html(`<p>\n${name}</p>`)", "html(    \n${name}     )"),
        ("rust", "fn f<'a>(x: &'a str) {}\n/* one\ntwo */ g()", "fn f<'a>(x: &'a str) {}\n      \n       g()"),
        ("yaml", 'a: """\nb\n"""', 'a: """\nb\n"""'),
    ],
)
def test_strings_and_comments_of_several_lines_are_no_code(language: str, text: str, code: str) -> None:
    assert code_of(text, language) == code


@pytest.mark.parametrize("language", ["python", "typescript"])
@pytest.mark.parametrize("part", ['"""', '\\"', "\\'", "'", "`", "/*", "/**", '"""\\', "/*/ ", "x'", "\\"])
def test_a_text_is_read_in_linear_time(language: str, part: str) -> None:
    text = part * 100_000
    assert len(code_of(text, language)) == len(text)


GO = {
    "plan/plan.go": "package plan\n\ntype PlanConfig struct{}\n",
    "run/run.go": "package run\n\ntype PlanConfig struct{}\n",
}
JAVA = {
    "plan/PlanConfig.java": "package plan;\n\npublic class PlanConfig {}\n",
    "run/PlanConfig.java": "package run;\n\npublic class PlanConfig {}\n",
}


@pytest.mark.parametrize(
    ("files", "path", "text", "said"),
    [
        (GO, "run/start.go", "package run\n\nfunc start(c *PlanConfig) {}\n", ["run/run.go"]),
        (GO, "run/start.go", "package run\n\nfunc start(c *plan.PlanConfig) {}\n", ["plan/plan.go"]),
        (GO, "run/start.go", "package run\n\nfunc start(c ...PlanConfig) {}\n", ["run/run.go"]),
        (GO, "web/start.go", "package web\n\nfunc start() { get().PlanConfig() }\n", ["plan/plan.go", "run/run.go"]),
        (GO, "web/start.go", "package web\n\nfunc start(c *PlanConfig) {}\n", []),
        (GO, "web/start.go", "package web\n\nfunc start(c *fmt.PlanConfig) {}\n\nimport \"fmt\"\n", []),
        (JAVA, "run/Start.java", "package run;\n\nclass Start { PlanConfig c; }\n", ["run/PlanConfig.java"]),
        (JAVA, "run/Start.java", "package run;\n\nimport plan.PlanConfig; class Start { PlanConfig c; }\n",
            ["plan/PlanConfig.java"]),
    ],
)  # fmt: skip
def test_a_bare_name_is_one_of_the_own_package(
    tmp_path: Path, files: Mapping[str, str], path: str, text: str, said: list[str]
) -> None:
    selection = selection_of(tmp_path / "repo", {**files, path: text}, "the plan config is lost", {path: 0.8})
    found = (gap for gap in gaps_of(selection) if gap.search.symbols == ("PlanConfig",))
    needs = [gap.need for gap in found if not is_answered(gap, (), selection.view)]
    assert needs == [f"PlanConfig ({path}:3) is defined in {' and '.join(said)}"] * bool(said)
    listed = missing(selection.view, path)
    assert any(said[0] in entry and "PlanConfig (line 3)" in entry for entry in listed) if said else not listed


def test_a_header_does_not_define_what_it_declares(tmp_path: Path) -> None:
    files = {
        "kernel/defs.h": "int holding_lock(int);\n",
        "kernel/spinlock.c": "int holding_lock(int a)\n{\n  return a;\n}\n",
        "kernel/proc.c": "int sched(void)\n{\n  return holding_lock(1);\n}\n",
    }
    selection = selection_of(tmp_path / "repo", files, "sched holds the lock", {"kernel/proc.c": 0.8})
    needs = [gap.need for gap in gaps_of(selection) if gap.search.symbols]
    assert needs == ["holding_lock (kernel/proc.c:3) is defined in kernel/spinlock.c"]


def test_a_module_before_a_name_tells_which_file_is_meant(tmp_path: Path) -> None:
    files = {
        "src/Api.elm": "module Api exposing (..)\n\n\npostIt : Int\npostIt =\n    1\n",
        "src/Comment.elm": "module Comment exposing (..)\n\n\npostIt : Int\npostIt =\n    1\n",
        "src/Article.elm": "module Article exposing (..)\n\nimport Api\n\n\nfave : Int\nfave =\n    Api.postIt\n",
    }
    selection = selection_of(tmp_path / "repo", files, "fave the article", {"src/Article.elm": 0.8})
    needs = [gap.need for gap in gaps_of(selection) if gap.search.symbols == ("postIt",)]
    assert needs == ["postIt (src/Article.elm:8) is defined in src/Api.elm"]


CLOCK = {"plan/StopClock.java": "package plan;\n\npublic class StopClock {\n  public long getTime() { return 0; }\n}\n"}
DOC = {
    "doc.lua": "local Doc = {}\nfunction Doc:has_mark()\n  return true\nend\nreturn Doc\n",
    "find.lua": "local function has_mark()\n  return core.doc:has_mark()\nend\nadd(has_mark)\n",
}
MARKS = {**DOC, "find.lua": "local function has_mark()\n  return 1\nend\nreturn { has_mark = has_mark }\n"}


@pytest.mark.parametrize(
    ("files", "path", "text", "said"),
    [
        (CLOCK, "plan/Dates.java", "import java.util.Calendar; class Dates {\n  void run(final Calendar val) {\n"
            "    val.getTime(); }\n}\n", []),
        (CLOCK, "plan/Dates.java", "import plan.StopClock; class Dates {\n  void run(final StopClock val) {\n"
            "    val.getTime(); }\n}\n", ["plan/StopClock.java"]),
        (CLOCK, "plan/Dates.java", "import java.util.List; class Dates {\n  void run(List<StopClock> all) {\n"
            "    all.get(0).getTime(); }\n}\n", ["plan/StopClock.java"]),
        (DOC, "view.lua", "local View = {}\nfunction View:draw()\n  if self.doc:has_mark() then end\nend\n",
            ["doc.lua"]),
        (MARKS, "view.lua", "local View = {}\nfunction View:draw()\n  if self.doc:has_mark() then end\nend\n",
            ["doc.lua", "find.lua"]),
    ],
)  # fmt: skip
def test_a_member_is_none_of_a_local_function_or_of_a_type_from_outside(
    tmp_path: Path, files: Mapping[str, str], path: str, text: str, said: list[str]
) -> None:
    selection = selection_of(tmp_path / "repo", {**files, path: text}, "the plan is lost", {path: 0.8})
    found = [gap for gap in gaps_of(selection) if not is_answered(gap, (), selection.view)]
    needs = [gap.need for gap in found if gap.search.symbols[:1] in (("getTime",), ("has_mark",))]
    assert [need.partition(" is defined in ")[2] for need in needs] == [" and ".join(said)] * bool(said)


@pytest.mark.parametrize(
    ("path", "interface", "other", "code", "implements"),
    [
        ("c.ts", "export interface Codec {\n  name: string\n}\n", "j.ts", "class Json implements Codec {\n}\n", True),
        ("c.ts", "export interface Codec {\n  name: string\n}\n", "j.ts", "class Json<T> extends Codec {\n}\n", True),
        ("c.ts", "export interface Codec {\n  name: string\n}\n", "j.ts", "type Maker = (c: Codec) => void\n", False),
        ("c.ts", "export interface Codec {\n  name: string\n}\n", "j.ts", "type Any = Codec | null\n", False),
        ("c.ts", "export interface Codec {\n  name: string\n}\n", "j.ts", "class Pool<C extends Codec> {\n}\n", False),
        (
            "c.ts",
            "export interface Codec {\n  name: string\n}\n",
            "j.ts",
            "class P extends Map<string, Codec> {\n}\n",
            False,
        ),
        ("c.rs", "pub trait Codec {\n    fn go(&self);\n}\n", "j.rs", "struct Json;\nimpl Codec for Json {\n}\n", True),
        ("c.rs", "pub trait Codec {\n    fn go(&self);\n}\n", "j.rs", "type Out = <Json as Codec>::Out;\n", False),
        ("c.rs", "pub trait Codec {\n    fn go(&self);\n}\n", "j.rs", "struct Pool<C: Codec> {\n    c: C,\n}\n", False),
        ("c.rs", "pub trait Codec {\n    fn go(&self);\n}\n", "j.rs", "impl<T> Codec for Vec<T> {\n}\n", True),
        ("c.rs", "pub trait Codec {\n    fn go(&self);\n}\n", "j.rs", "impl<T: Codec> Go for Vec<T> {\n}\n", False),
        (
            "C.hs",
            "class Codec a where\n  go :: a -> a\n",
            "J.hs",
            "instance Eq a => Codec [a] where\n  go = id\n",
            True,
        ),
        ("c.ex", "defprotocol Codec do\n  def go(x)\nend\n", "j.ex", "defimpl Codec, for: Json do\nend\n", True),
        ("c.py", "class Codec:\n    pass\n", "j.py", "class Json(Codec):\n    pass\n", True),
        ("c.py", "class Codec:\n    pass\n", "j.py", "class Pool(Generic[Codec]):\n    pass\n", False),
    ],
)
def test_a_bound_an_argument_or_an_alias_implements_nothing(
    tmp_path: Path, path: str, interface: str, other: str, code: str, implements: bool
) -> None:
    view = Repository.open(repository(tmp_path / "r", {path: interface, other: code}), jobs=1).opened.view
    assert implementers(view, "Codec") == ([view.doc_of(other)] if implements else [])


@pytest.mark.parametrize(
    ("name", "row", "text"),
    [
        ("threads", "let threads = config.threads;", "let threads = config.threads;"),
        ("threads", "spawn(threads)", "fn run(threads: usize) {\nspawn(threads)\n}"),
        ("threads", "run(total, threads);", "int run(int total, size_t threads)\n{\nrun(total, threads);"),
        ("handler", "return handler(request)", "handler = make()\nreturn handler(request)"),
        ("item", "for item in items:", "for item in items:"),
        ("remove", "# We can remove it once it is fixed", "# We can remove it once it is fixed"),
        ("validate", "x = 1  // see validate", "x = 1  // see validate"),
        ("show", "    :param show: what to show", "    :param show: what to show"),
        ("commit", "raise Error(f'pre-commit failed: {e}')", "raise Error(f'pre-commit failed: {e}')"),
        ("render", 'log("could not render it", page)', 'log("could not render it", page)'),
        ("payload", "send(payload)", "const { adapter, payload } = conn;\nsend(payload)"),
        ("payload", "send(payload)", "({ payload }) => {\nsend(payload)"),
        ("payload", "send(payload)", "{:ok, payload, state} = read(conn)\nsend(payload)"),
        ("payload", "send(payload)", "payload, err := read(conn)\nsend(payload)"),
        ("already_sent", "send(@already_sent)", "  @already_sent {:plug_conn, :sent}\nsend(@already_sent)"),
    ],
)
def test_what_is_declared_here_or_only_said(name: str, row: str, text: str) -> None:
    assert not refers_outside(name, text.split("\n").index(row) + 1, text)


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("decodeJwt", "const claims = decodeJwt(token);"),
        ("print_error", '    print_error(format!("{e}"));'),
        ("FormatTemplate", "    fn parse(args: &FormatTemplate) -> Self {"),
        ("validate", "  return validate(user) and other"),
        ("isMarkedEvicted", "if (entry.isMarkedEvicted() && !x) {"),
        ("WINDOW_MAX", "#define LIMIT (WINDOW_MAX - 1)"),
        ("render", "    message = f'at {render(page)}'"),
        ("getRenderer", '    call(this, "getRenderer")'),
        ("Foo", "fn run<'a>(x: &'a Foo, y: &'a Bar) {"),
        ("build", "build(x) " + '\\"' * 100_000),  # read in linear time
        ("convert_type", "    value_proc = convert_type(type, default)"),
    ],
)
def test_what_other_files_have(name: str, row: str) -> None:
    assert refers_outside(name, 2, f"import things\n{row}\n")


@pytest.mark.parametrize("row", ["x = await reader.read();", "f->read(x)", "f:read(x)", "Io::read(x)"])
def test_a_plain_member_is_none_of_a_file_that_is_not_imported(row: str) -> None:
    assert not refers_outside("read", 1, row, imported=False)
    assert refers_outside("read", 1, row, imported=True)
    assert refers_outside("read", 1, "x = read(y.read)", imported=False)
    assert refers_outside("read_all", 1, "x.read_all()", imported=False)


@pytest.mark.parametrize(
    ("language", "row", "refers"),
    [
        ("elixir", "    handle(state, {:connect, :init})", False),
        ("elixir", "    {:ok, socket} = :gen_tcp.connect(host, port)", False),
        ("elixir", "    connect(state, {:read, :init})", True),
        ("elixir", "    %{run: &connect/1}", True),
        ("elixir", "  @spec run(x) :: connect", True),
        ("ruby", "  transition(:connect, to: [:open])", False),
        ("ruby", "  transition(x ? y : connect)", True),
        ("clojure", "  (run {:type ::connect :key :io/connect})", False),
        ("clojure", "  (run {:type (connect x)})", True),
        ("lisp", "  (open-it stream :connect t)", False),
        ("python", "    part = rows[1:connect]", True),
        ("typescript", "  const run: Runner<core.$connect> = make()", False),
        ("typescript", "  connect$.subscribe(run)", False),
        ("typescript", "  run(x => `${connect(x)}`, $x)", True),
        ("php", "  run($connect)", True),
    ],
)
def test_an_atom_or_a_name_with_a_dollar_is_no_reference(language: str, row: str, refers: bool) -> None:
    assert refers_outside("connect", 2, f"x\n{row}\n", language) == refers
