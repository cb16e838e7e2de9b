"""Are the reported conventions those that people follow? Where tests are, and what a new file looks like.

    python -m benchmarks.conventions --data DIR --repos DIR --mined TASKS.jsonl [--models DIR] [--limit N]

Tests: of the tuning issues whose fix changed tests, how often does the reported test-location glob hold one of them.
Siblings: of mined changes that add a program file which is no test, how often does the sibling to imitate lie in the
folder of an added file, or share its name form (the ending of its name, and its extension). Both halves (by a hash of
the repository) are reported: `tuned` was looked at while the rules were written, `untouched` only measured.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import fmean, median
from typing import Any

from benchmarks.data import load
from benchmarks.facts import glob_matches
from benchmarks.models import use_model
from benchmarks.provenance import provenance
from benchmarks.repositories import find_repositories, has_commit
from training.mined import Mined, read_mined
from zeroin.answer import Context, Pattern
from zeroin.config import Options
from zeroin.context.conventions.names import Name, name_of
from zeroin.corpus.languages import language_of
from zeroin.corpus.roles import role_of
from zeroin.engine import Repository
from zeroin.types import Role

RESULTS = Path(__file__).parent / "results" / "conventions.json"
PER_REPOSITORY = 6  # mined changes of one repository: large ones would be all there is


@dataclass(frozen=True, slots=True)
class Case:
    """A task and the paths that its convention should have told: changed tests, or files that were added."""

    id: str
    repo: str
    git_dir: Path
    rev: str
    task: str
    language: str
    wanted: tuple[str, ...]

    @property
    def half(self) -> str:
        return half_of(self.repo)


def half_of(repo: str) -> str:
    """The half that a repository belongs to, always the same."""
    return "tuned" if sha256(f"conventions:{repo.lower()}".encode()).digest()[0] % 2 else "untouched"


def test_cases(data: Path, repos: Path, *, all_issues: bool, limit: int | None) -> list[Case]:
    """Tuning issues whose fix changed tests, at most `limit` by a hash of the id."""
    loaded = load(data, repos, kinds=("issue",), all_issues=all_issues)
    cases = [Case(t.id, t.repo, t.git_dir, t.rev, t.task, t.language, t.tests) for t in loaded.tasks if t.tests]
    return _some(cases, limit)


def sibling_cases(mined: Path, repos: Path, *, limit: int | None) -> list[Case]:
    """Mined changes that add program files, a few of each repository, at most `limit` by a hash of the id."""
    found = find_repositories(repos)
    of_repository: dict[str, list[tuple[Mined, tuple[str, ...]]]] = defaultdict(list)
    for row in sorted(read_mined(mined), key=lambda r: _key(r.id)):
        added = tuple(path for path in row.added if is_program(path))
        rows = of_repository[row.repo.lower()]
        if added and row.repo.lower() in found and len(rows) < PER_REPOSITORY:
            rows.append((row, added))
    cases = [
        Case(row.id, row.repo, found[repo], row.commit, row.task, row.language, added)
        for repo, rows in of_repository.items()
        for row, added in rows
    ]
    return [case for case in _some(cases, limit) if has_commit(case.git_dir, case.rev)]


def is_program(path: str) -> bool:
    """Whether a new file is one that a sibling could be a model for: implementation in a programming language."""
    plain = ("text", "markdown", "rst", "json", "yaml", "toml", "html", "css", "xml", "csv")
    stem = path.rpartition("/")[2].partition(".")[0]
    return role_of(path) is Role.IMPLEMENTATION and language_of(path) not in plain and stem != "__init__"


def _some(cases: list[Case], limit: int | None) -> list[Case]:
    chosen = sorted(cases, key=lambda c: _key(c.id))[:limit]
    return sorted(chosen, key=lambda c: (c.repo, c.id))


def _key(name: str) -> bytes:
    return sha256(name.encode()).digest()


# --- what is right ------------------------------------------------------------------------------


def judge_tests(case: Case, context: Context, paths: Sequence[str]) -> dict[str, Any]:
    """Whether the glob holds a changed test, and how narrow it is."""
    pattern = _of(context, "tests")
    tests = [path for path in paths if role_of(path) is Role.TEST]
    held = [path for path in tests if pattern is not None and glob_matches(pattern.glob, path)]
    folders = Counter(path.rpartition("/")[0] for path in tests)
    usual = folders.most_common(1)[0][0] if folders else ""
    return {
        "told": pattern is not None,
        "right": pattern is not None and any(glob_matches(pattern.glob, path) for path in case.wanted),
        "evidence_right": pattern is not None and any(path in case.wanted for path in pattern.evidence),
        "held": len(held) / len(tests) if tests else 0.0,
        "baseline": any(path.rpartition("/")[0] == usual for path in case.wanted),
        "glob": pattern.glob if pattern is not None else "",
    }


def judge_sibling(case: Case, context: Context, paths: Sequence[str]) -> dict[str, Any]:
    """Whether the sibling lies beside an added file or is named in the same form."""
    pattern = _of(context, "sibling")
    sibling = pattern.evidence[0] if pattern is not None else ""
    best = next((j.path for j in context.ranking if is_program(j.path)), "")
    return {
        "told": pattern is not None,
        "right": any(beside(sibling, path) or alike(sibling, path) for path in case.wanted),
        "folder": any(beside(sibling, path) for path in case.wanted),
        "form": any(alike(sibling, path) for path in case.wanted),
        "baseline": any(beside(best, path) or alike(best, path) for path in case.wanted),
        "sibling": sibling,
    }


def beside(path: str, other: str) -> bool:
    """Whether two files lie in one folder."""
    return bool(path) and path.rpartition("/")[0] == other.rpartition("/")[0]


def alike(path: str, other: str) -> bool:
    """Whether two names have one form: an ending (or infix) of their own, or an opening, and the extension."""
    if not path:
        return False
    one, two = name_of(path), name_of(other)
    if one.extension != two.extension:
        return False
    same = (one.ending and one.ending == two.ending) or (_opening(one) and _opening(one) == _opening(two))
    return bool(same)


def _opening(name: Name) -> str:
    """The first word of a name of several, as in `test_foo` or `use-toast`."""
    return name.words[0] if len(name.words) > 1 else ""


def _of(context: Context, kind: str) -> Pattern | None:
    return next((pattern for pattern in context.patterns if pattern.kind == kind), None)


# --- measuring ----------------------------------------------------------------------------------

Judge = Callable[[Case, Context, Sequence[str]], dict[str, Any]]


def measure(cases: Iterable[Case], judge: Judge, models: Path | None) -> list[dict[str, Any]]:
    """One row a case."""
    rows = []
    listed = list(cases)
    for number, case in enumerate(listed, 1):
        use_model(models, case.repo)
        repository = Repository.open(case.git_dir, rev=case.rev, jobs=1)
        context = repository.ask(case.task, Options(always_loop=True)).run()
        row = judge(case, context, repository.opened.view.paths)
        rows.append({"id": case.id, "half": case.half, "repo": case.repo, "language": case.language} | row)
        print(f"{number}/{len(listed)} {case.id[:60]}: {'right' if row['right'] else 'wrong'}", file=sys.stderr)
    return rows


def summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Shares over all rows, by half, by language, and as the mean over repositories."""
    by_repository: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        by_repository[row["repo"]].append(row["right"])
    return {
        **_shares(rows),
        "mean_over_repositories": round(fmean(map(fmean, by_repository.values())), 4) if rows else 0.0,
        "repositories": len(by_repository),
        "by_half": {half: _shares([r for r in rows if r["half"] == half]) for half in ("tuned", "untouched")},
        "by_language": {
            language: _shares([r for r in rows if r["language"] == language])
            for language in sorted({r["language"] for r in rows})
        },
    }


def _shares(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    if not rows:
        return {"rows": 0}
    out: dict[str, Any] = {"rows": len(rows)}
    for name in ("told", "right", "evidence_right", "folder", "form", "baseline"):
        if name in rows[0]:
            out[name] = round(fmean(bool(row[name]) for row in rows), 4)
    if "held" in rows[0]:
        out["median_share_of_all_tests"] = round(median(row["held"] for row in rows if row["told"]), 4)
    return out


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="benchmarks.conventions", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--data", type=Path, required=True, help="folder with the tuning issues")
    made.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    made.add_argument("--mined", type=Path, required=True, help="mined changes, as training.mine writes them")
    made.add_argument("--limit", type=int, help="at most this many rows of each kind")
    made.add_argument("--all-issues", action="store_true", help="every reachable issue that names tests")
    made.add_argument("--models", type=Path, help="folder of leave-repository-out models")
    made.add_argument("--out", type=Path, default=RESULTS)
    made.add_argument("--dry", action="store_true", help="write no result file")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and write the result file."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = parser().parse_args(given)
    tests = test_cases(options.data, options.repos, all_issues=options.all_issues, limit=options.limit)
    siblings = sibling_cases(options.mined, options.repos, limit=options.limit)
    rows = {
        "tests": measure(tests, judge_tests, options.models),
        "siblings": measure(siblings, judge_sibling, options.models),
    }
    result = {name: summary(found) for name, found in rows.items()}
    print(json.dumps(result, indent=1))
    if not options.dry:
        body = {"what": "conventions", "provenance": provenance("benchmarks.conventions", given), **result}
        text = json.dumps(body, indent=1, ensure_ascii=False)[:-2]
        listed = ",\n".join(
            f'  "{name}": [\n' + ",\n".join(f"   {json.dumps(row)}" for row in found) + "\n  ]"
            for name, found in rows.items()
        )
        options.out.write_text(f'{text},\n "rows": {{\n{listed}\n }}\n}}\n', encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
