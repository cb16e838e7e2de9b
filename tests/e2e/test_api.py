"""The Python API as the README shows it, on a real repository."""

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from small_repository import TASK, build

import zeroin
from zeroin.context.rendering import render
from zeroin.errors import EmptyTaskError, InputError, OptionError
from zeroin.types import Candidate, Hit, Judgment, Keyword, Origin, Query, Span, Task


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return build(tmp_path / "repo")


def test_several_repositories_are_asked_at_once(repo: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "mail.py").write_text("def deliver(letter):\n    return letter.stamp\n")
    session = zeroin.open_session(TASK, [repo, zeroin.Member("post", other)], always_loop=True)
    assert all(cycle.judgments[0].path == "repo:shop/tokens.py" for cycle in session)
    context = session.context()
    assert context.files[0].path == "repo:shop/tokens.py"
    assert [(member.name, member.searched) for member in context.members] == [("repo", True), ("post", True)]
    assert context.members[0].share > 0.9
    assert zeroin.retrieve(TASK, repo).members == ()
    assert zeroin.keep(session).startswith("r-")


def test_a_loop_is_watched_and_steered(repo: Path) -> None:
    watched = [cycle.number for cycle in zeroin.open_session(TASK, repo, always_loop=True)]
    assert watched == list(range(1, len(watched) + 1))
    steered = zeroin.open_session(TASK, repo, always_loop=True)
    cycles = iter(steered)
    first = next(cycles)
    word = Keyword("coupon", 5.0, Origin.CALLER)
    steered.loop.query = replace(first.query, keywords=(word,), paths=(), symbols=(), title="coupon")
    second = next(cycles)
    assert second.query.keywords == (word,)
    assert second.changes == ()
    assert {"shop/coupons.py", "shop/invoices.py"} <= {c.path for c in second.candidates}
    context = steered.context()
    assert len(context.cycles) == 2
    assert {"shop/coupons.py", "shop/tokens.py"} <= {j.path for j in context.ranking}


def test_steering_keeps_the_limits(repo: Path) -> None:
    session = zeroin.open_session(TASK, repo, always_loop=True, max_cycles=2)
    count = 0
    for cycle in session:
        count += 1
        session.loop.query = replace(cycle.query, title=f"coupon {count}")
    assert count == 2
    assert session.context().stop_reason.code == "cycles"


def test_a_loop_may_be_left_at_any_time(repo: Path) -> None:
    session = zeroin.open_session(TASK, repo, always_loop=True)
    assert session.context().files == ()
    next(iter(session))
    context = session.context()
    assert context.stop_reason.code == "interrupted"
    assert context.files
    session.run()  # goes on where it was left
    whole = zeroin.open_session(TASK, repo, always_loop=True)
    with ThreadPoolExecutor(3) as pool:  # threads share the cycles
        list(pool.map(lambda _: whole.run(), range(3)))
    straight = zeroin.open_session(TASK, repo, always_loop=True)
    asked = [(cycle.number, cycle.query) for cycle in straight]
    for other in (session, whole):
        assert [(cycle.number, cycle.query) for cycle in other.loop.cycles] == asked


def test_any_list_and_a_single_text_are_lists(repo: Path) -> None:
    given: dict[str, Any] = {"keywords": "rate limit", "includes": ["shop/**"], "without": "history"}
    options = zeroin.retrieve(TASK, repo, **given) and zeroin.Options(**given)
    assert (options.keywords, options.includes) == (("rate limit",), ("shop/**",))
    assert options.without == {"history"} and zeroin.Options(focus={"b", "a"}).focus == ("a", "b")  # type: ignore[arg-type]
    session = zeroin.open_session(TASK, repo)
    session.apply(zeroin.Feedback(relevant="shop/coupons.py", terms="coupon"))  # type: ignore[arg-type]
    assert "shop/coupons.py" in [judgment.path for judgment in session.run().files]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"keywords": 3}, "keywords must be a list of texts, not 3"),
        ({"keywords": ["word " * 5_000]}, "keywords has 25,000 characters; at most 20,000 are taken"),
        ({"focus": [None]}, "focus must be a list of texts"),
        ({"excludes": None}, "excludes must be a list of texts"),
        ({"budget": "8000"}, "budget must be a whole number, not '8000'"),
        ({"top": True}, "top must be a whole number"),
        ({"jobs": -1}, "jobs -1 is outside"),
        ({"timeout_s": "3"}, "timeout_s must be a number"),
        ({"timeout_s": 0}, "timeout must be above 0"),
        ({"redact": "no"}, "redact must be True or False"),
        ({"rev": 3}, "rev must be a text"),
        ({"options": {"budget": 3}}, "options must be zeroin.Options"),
    ],
)
def test_a_value_of_a_wrong_type_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        zeroin.retrieve(TASK, **given)


def test_a_task_a_place_or_feedback_of_a_wrong_type_is_refused(repo: Path) -> None:
    wrong: Any = 3
    tasks = (wrong, [wrong], Task(wrong), Task(TASK, diff=wrong))
    for task, place in (*((task, repo) for task in tasks), (TASK, wrong), (TASK, [wrong])):
        with pytest.raises(InputError, match="3"):
            zeroin.retrieve(task, place)
    for text, place in ((wrong, repo), ("token", wrong)):
        with pytest.raises(InputError, match="3"):
            zeroin.terminology(text, place)
    session = zeroin.open_session(TASK, repo)
    for said in ({"terms": ("=x",)}, {"terms": ("",)}, {"focus": ("",)}, {"relevant": 3}, {"note": 3}):
        with pytest.raises(OptionError):
            session.apply(zeroin.Feedback(**said))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="3"):
        session.apply(wrong)


@dataclass
class Fixed:
    """A retriever of one's own: always the same document."""

    path: str
    name: str = "mine"

    def retrieve(self, query: Query, view: Any, limit: int) -> Sequence[Hit]:
        doc = view.doc_of(self.path)
        assert view.paths[doc] == self.path
        assert view.text(doc)
        return [Hit(doc, 3.0)]


class Upside:
    """An evaluator of one's own: longer paths are more relevant."""

    def evaluate(
        self, task: Task, query: Query, candidates: Sequence[Candidate], previous: Sequence[Judgment], view: Any
    ) -> Sequence[Judgment]:
        return [Judgment(c.path, min(1.0, len(c.path) / 40), score=float(len(c.path))) for c in candidates]


def test_a_pattern_that_matches_no_file_is_a_warning(repo: Path, tmp_path: Path) -> None:
    good, bad = ("shop", "*.py", "!shop/invoices.py", "./shop/tokens.py"), ("src/**", "shop/[")
    context = zeroin.retrieve(TASK, repo, includes=(*good, *bad), excludes=("coupons.py", "*.pyc"))
    assert context.warnings == (
        "include 'src/**' matches no file here",
        "include 'shop/[' matches no file here",
        "exclude '*.pyc' matches no file here",
    )
    both = zeroin.retrieve(TASK, [repo, build(tmp_path / "other")], excludes=("other:shop", "repo:lib"))
    assert both.warnings == ("exclude 'repo:lib' matches no file here",)


def test_patterns_that_leave_no_file_are_a_warning_and_no_gap(repo: Path) -> None:
    for patterns, warning in (
        ({"includes": ("nowhere/**",)}, "include 'nowhere/**' matches no file here"),
        ({"includes": ("shop",), "excludes": ("*.py",)}, "includes and excludes together leave no file to search"),
    ):
        context = zeroin.retrieve(TASK, repo, **patterns)
        assert (context.warnings, context.gaps, context.listed) == ((warning,), (), ())


def test_an_injected_retriever_is_used(repo: Path) -> None:
    only = "docs/unrelated.md"
    plain = zeroin.retrieve(TASK, repo, always_loop=True, max_cycles=1)
    found = zeroin.retrieve(TASK, repo, always_loop=True, max_cycles=1, retrievers=[Fixed(only)])
    assert all("mine" not in c.ranks for c in plain.cycles[0].candidates)
    mine = {c.path: c.ranks["mine"] for c in found.cycles[0].candidates if "mine" in c.ranks}
    assert mine == {only: 1}


def test_retrievers_from_a_generator_are_asked_in_every_cycle(repo: Path) -> None:
    own = (Fixed(path) for path in ["shop/sessions.py"])
    task = "People stay inside for too long"  # in no word of the code: one cycle is not enough
    cycles = list(zeroin.open_session(task, repo, always_loop=True, retrievers=own))
    assert len(cycles) > 1
    assert all(any("mine" in c.ranks for c in cycle.candidates) for cycle in cycles)


def test_a_run_with_an_evaluator_of_one_s_own_is_not_kept(repo: Path) -> None:
    class Empty(Upside):
        def __len__(self) -> int:
            return 0

    assert zeroin.open_session(TASK, repo, evaluator=Empty()).record is None


def test_what_an_injected_evaluator_says_is_made_plain(repo: Path) -> None:
    """Numbers of numpy become JSON; spans end where the file ends, and those beyond it are left out."""

    class Odd(Upside):
        def evaluate(self, task: Task, query: Query, candidates: Sequence[Candidate], *rest: Any) -> Any:
            spans = (Span(-3, 10**9), Span(10**8, 10**9))
            return [Judgment(c.path, np.float32(0.5), spans=spans) for c in candidates]  # type: ignore[arg-type]

    session = zeroin.open_session(TASK, repo, always_loop=True, max_cycles=1, evaluator=Odd())
    assert list(session)
    found = json.loads(render(session.context(), session.read, "json"))
    assert found["files"]
    for file in found["files"]:
        lines = len((repo / file["path"]).read_text().splitlines())
        assert [(span["start"], span["end"]) for span in file["spans"]] == [(1, lines)]


@pytest.mark.parametrize("relevance", [float("nan"), 7.0, -1.0, None, "high"])
def test_an_evaluator_whose_relevance_is_none_is_refused(repo: Path, relevance: Any) -> None:
    class Wrong(Upside):
        def evaluate(self, task: Task, query: Query, candidates: Sequence[Candidate], *rest: Any) -> Any:
            return (Judgment(c.path, relevance) for c in candidates)

    with pytest.raises(InputError, match=f"evaluator: the relevance of .* is {relevance}, not 0 to 1"):
        zeroin.retrieve(TASK, repo, always_loop=True, evaluator=Wrong())


@pytest.mark.parametrize("score", [float("nan"), float("inf"), 1e300])
def test_a_retriever_whose_score_is_no_number_is_refused(repo: Path, score: float) -> None:
    class Wrong(Fixed):
        def retrieve(self, query: Query, view: Any, limit: int) -> Sequence[Hit]:
            return [Hit(0, score)]

    with pytest.raises(InputError, match="retriever mine gives a score of"):
        zeroin.retrieve(TASK, repo, always_loop=True, retrievers=[Wrong("")])


def test_a_retriever_does_not_take_the_place_of_another(repo: Path) -> None:
    path = "docs/unrelated.md"
    for own in ([Fixed(path, "lexical")], [Fixed(path), Fixed(path)], [Fixed(path, "graph")]):
        with pytest.raises(InputError, match=f"retriever {own[0].name}: another one has that name"):
            zeroin.retrieve(TASK, repo, always_loop=True, retrievers=own)


@pytest.mark.parametrize("wrong", [5, "mine", [5], [object()], [Fixed], Upside])
def test_what_is_no_retriever_or_evaluator_is_refused(repo: Path, wrong: Any) -> None:
    with pytest.raises(OptionError, match=r"retrievers must be a list of objects with a name and retrieve"):
        zeroin.retrieve(TASK, repo, retrievers=wrong)
    with pytest.raises(OptionError, match=r"evaluator must be an object with evaluate\(\), not "):
        zeroin.retrieve(TASK, repo, evaluator=wrong)


@pytest.mark.parametrize("found", [None, 5, ["a"], [("a.py", 1.0)], [Hit("a.py", 1.0)], [Hit(0, "high")]])  # type: ignore[arg-type]
def test_a_retriever_that_returns_no_hits_is_refused(repo: Path, found: Any) -> None:
    own = SimpleNamespace(name="mine", retrieve=lambda *_: found)
    with pytest.raises(InputError, match=r"retriever mine must return zeroin\.Hit\(doc, score\), .*, not "):
        zeroin.retrieve(TASK, repo, always_loop=True, retrievers=[own])


@pytest.mark.parametrize("found", [None, 5, ["a.py"], {"a.py": 1.0}, [("a.py", 1.0)]])
def test_an_evaluator_that_returns_no_judgments_is_refused(repo: Path, found: Any) -> None:
    own = SimpleNamespace(evaluate=lambda *_: found)
    with pytest.raises(InputError, match=r"evaluator must return .*zeroin\.Judgment.*, not "):
        zeroin.retrieve(TASK, repo, always_loop=True, evaluator=own)


def test_one_open_repository_serves_threads(repo: Path) -> None:
    opened = zeroin.Repository.open(repo)
    options = zeroin.Options(always_loop=True)

    def ranking(_: int) -> list[tuple[str, float]]:
        return [(j.path, j.relevance) for j in opened.ask(TASK, options).run().ranking]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ranking, range(8)))
    assert all(one == found[0] for one in found)


@pytest.mark.parametrize(
    "options",
    [
        {"budget": 1},
        {"max_cycles": 0},
        {"timeout_s": -1.0},
        {"top": -1},
        {"purpose": "guess"},
        {"without": frozenset({"magic"})},
        {"bugdet": 4000},
    ],
)
def test_wrong_options_are_refused(repo: Path, cache: Path, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError) as told:
        zeroin.retrieve(TASK, repo, **options)
    assert "\n" not in str(told.value)
    assert not cache.exists()


def test_bad_input_is_refused(repo: Path, tmp_path: Path) -> None:
    with pytest.raises(EmptyTaskError):
        zeroin.retrieve("  ", repo)
    with pytest.raises(OptionError, match="unknown option include; did you mean includes"):
        zeroin.retrieve(TASK, repo, include="*.py")  # type: ignore[call-arg]
    with pytest.raises(OptionError, match="progress must be a function"):
        zeroin.retrieve(TASK, repo, progress=5)  # type: ignore[arg-type]
    for wrong in (5, [5], b"repo", [None], tmp_path / "nowhere"):
        with pytest.raises(InputError, match=r"a repository must be a folder|nowhere does not exist"):
            zeroin.retrieve(TASK, wrong)  # type: ignore[arg-type]


def test_importing_does_nothing(tmp_path: Path) -> None:
    code = (
        "import sys, json; before = set(sys.modules); import zeroin; "
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    environment = {**os.environ, "ZEROIN_CACHE_DIR": str(tmp_path / "c"), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-B", "-c", code], cwd=tmp_path, env=environment, capture_output=True, check=True
    )
    loaded = json.loads(done.stdout)
    assert not [name for name in loaded if name.split(".")[0] in ("numpy", "tree_sitter", "click", "sqlite3")]
    assert "zeroin.engine" not in loaded
    assert list(tmp_path.iterdir()) == []


def test_importing_compiles_no_pattern() -> None:
    code = (
        "import importlib, pkgutil, re, sys\nimport zeroin\n"
        "compile_, compiled = re._compile, []\n"
        "def counting(*given):\n"
        "    compiled.extend(n for n in [sys._getframe(2).f_globals['__name__']] if n.startswith('zeroin'))\n"
        "    return compile_(*given)\n"
        "re._compile = counting\n"
        "for module in pkgutil.walk_packages(zeroin.__path__, 'zeroin.'):\n"
        "    if not module.name.endswith(('__main__', 'langchain', 'hosted')) and 'fleet' not in module.name:\n"
        "        importlib.import_module(module.name)\n"
        "print(*compiled)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # A row that says that lines are left out is weighed once, for all layouts.
    assert done.stdout.strip() in ("", "zeroin.patterns")


def test_a_command_uses_one_thread_of_linear_algebra() -> None:
    code = (
        "import os\nfrom zeroin.__main__ import run\n"
        "try:\n    run()\nexcept SystemExit:\n    print(os.environ.get({0!r}))"
    )
    for given, wanted in (({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3"), ({"OMP_NUM_THREADS": "2"}, "None")):
        plain = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
        command = [sys.executable, "-c", code.format("OPENBLAS_NUM_THREADS"), "--version"]
        done = subprocess.run(command, env=plain | given, capture_output=True, text=True, check=True)
        assert done.stdout.splitlines()[-1] == wanted


def test_a_warm_command_does_what_it_needs(repo: Path) -> None:
    zeroin.retrieve(TASK, repo)
    code = (
        "import gc, sys\nfrom zeroin.__main__ import run\n"
        "def collections(): return sum(found['collections'] for found in gc.get_stats())\n"
        "before = collections()\n"
        f"sys.argv[1:] = [{TASK!r}, {str(repo)!r}, '--format', 'json', '--no-run']\n"
        "try:\n    run()\nexcept SystemExit:\n    pass\n"
        "print(collections() - before, *sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    collections, *loaded = done.stderr.split()
    assert json.loads(done.stdout)["files"]
    assert int(collections) <= 3
    assert sum(name.split(".")[0] == "zeroin" for name in loaded) <= 215
    unneeded = "asyncio jinja2 mcp numpy.ma rich tree_sitter"
    ours = "doctor imports.graph install mcp parsing.analyse report workers"
    assert not {*unneeded.split(), *(f"zeroin.{name}" for name in ours.split())} & set(loaded)


def test_settings_are_the_fields_of_options() -> None:
    """`Settings` repeats `Options` for type checkers: they must agree in names and types."""
    fields = {field.name: field.type for field in dataclasses.fields(zeroin.Options)}
    assert {n: t.__forward_arg__ for n, t in zeroin.Settings.__annotations__.items()} == fields


def test_every_public_name_is_there() -> None:
    assert [name for name in zeroin.__all__ if not hasattr(zeroin, name)] == []
