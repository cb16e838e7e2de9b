"""A name that a file declares itself, or only says in a comment, is not said to be missing."""

from __future__ import annotations

from pathlib import Path

import pytest

import zeroin
from tests.cli.conftest import git
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
        ("convert_type", "    value_proc = convert_type(type, default)"),
    ],
)
def test_what_other_files_have(name: str, row: str) -> None:
    assert refers_outside(name, 2, f"import things\n{row}\n")


def test_an_answer_misses_no_name_of_its_own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    files = {
        "src/worker.ts": "import { openQueue } from './queue';\n\n/** Runs the jobs; schedule is kept. */\n"
        "export function runJobs(schedule: Plan, retries: number) {\n"
        "  const pending = openQueue(schedule);\n  return pending.take(retries);\n}\n",
        "src/plan.ts": "export function schedule(at: number) {\n  return at;\n}\n"
        "export function retries() {\n  return 3;\n}\n",
        "src/store.ts": "export function pending() {\n  return [];\n}\n",
        "src/queue.ts": "export function openQueue(plan: unknown) {\n  return { take: (n: number) => n };\n}\n",
        **{f"src/other{n}.ts": f"export const other{n} = {n};\n" for n in range(20)},
    }
    for name, text in files.items():
        (tmp_path / "repo" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "repo" / name).write_text(text)
    git(tmp_path, "init", "-q", "-b", "main", "repo")
    git(tmp_path / "repo", "add", "-A")
    git(tmp_path / "repo", "commit", "-q", "-m", "Jobs")
    context = zeroin.retrieve(
        "runJobs in src/worker.ts takes too many jobs", tmp_path / "repo", always_loop=True
    )
    worker = next(j for j in context.listed if j.path == "src/worker.ts")
    missing = " ".join([*worker.missing_context, *(gap.need for gap in context.gaps)])
    for name in ("schedule (", "retries (", "pending ("):
        assert name not in missing
    listed = {j.path for j in context.listed}
    assert "src/queue.ts" in listed or "openQueue" in missing
