"""A name that a file declares itself, or only says in a comment, is not said to be missing."""

import pytest

from zeroin.gaps.references import refers_outside


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
