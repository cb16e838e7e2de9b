"""A name that a file declares itself, or only says in a comment, is not said to be missing."""

from __future__ import annotations

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
