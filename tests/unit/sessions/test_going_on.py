"""Runs gone on with from Python: what holds when time is out, what is refused, what names stay."""

import sys
from pathlib import Path

import pytest

import zeroin
from tests.repositories import write
from zeroin.errors import InputError, OptionError, SessionError
from zeroin.types import Feedback

TASK = "Requests of one client are not throttled"
FILES = {
    "src/limit.py": "def throttle(client):\n    '''Slow down requests of one client.'''\n    return client.full\n",
    "src/client.py": "class Client:\n    '''Requests of one client.'''\n    full = False\n",
    "src/form.py": "def show(form):\n    return form.title\n",
    "src/price.py": "def discount(total):\n    return total * 0.9\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ZEROIN_DATA_DIR", str(tmp_path / "data"))
    return write(tmp_path / "repo", FILES)


def kept(session: zeroin.Session) -> zeroin.Context:
    """The answer of a session that is run and kept."""
    session.run()
    assert zeroin.keep(session)
    return session.context()


def paths(context: zeroin.Context) -> list[str]:
    return [judgment.path for judgment in (*context.files, *context.supporting)]


def test_out_of_time_the_callers_word_on_files_holds(folder: Path) -> None:
    first = kept(zeroin.open_session(TASK, folder, always_loop=True))
    feedback = Feedback(relevant=("src/price.py",), irrelevant=("src/limit.py",))
    refined = kept(zeroin.resume(first.run, feedback=feedback, timeout_s=1e-6))
    assert refined.stop_reason.code == "deadline"
    assert refined.files[0].path == "src/price.py" and refined.files[0].relevance == 1.0
    assert "src/limit.py" not in paths(refined)
    assert any("was not asked for" in warning for warning in refined.warnings)
    again = kept(zeroin.resume(refined.run))  # with time, all of it
    assert again.run == refined.run and not again.stale
    assert any(change.action == "irrelevant" for change in again.cycles[-1].changes)


def test_out_of_time_one_cycle_more_says_nothing_of_verdicts(folder: Path) -> None:
    first = kept(zeroin.open_session(TASK, folder, always_loop=True))
    more = kept(zeroin.resume(first.run, more=True, timeout_s=1e-6))
    assert "a cycle more was asked for and is not run yet" in more.warnings
    assert not any("judgments" in warning for warning in more.warnings)


def test_an_excluded_file_that_the_caller_found_relevant_is_read(folder: Path) -> None:
    first = kept(zeroin.open_session(TASK, folder, always_loop=True, excludes=("src/l*",)))
    assert "src/limit.py" not in paths(first)
    refined = kept(zeroin.resume(first.run, feedback=Feedback(relevant=("src/limit.py",))))
    best = refined.files[0]
    assert (best.path, best.relevance, best.role) == ("src/limit.py", 1.0, "implementation")
    assert "throttle" in best.spans[0].symbol


def test_what_is_gone_on_with_is_shown_as_it_was(folder: Path) -> None:
    first = kept(zeroin.open_session(TASK, folder, pack="skeleton"))
    assert first.run == kept(zeroin.open_session(TASK, folder)).run
    first = kept(zeroin.open_session(TASK, folder, pack="skeleton"))
    refined = kept(zeroin.resume(first.run, more=True))
    assert refined.pack == "skeleton"
    assert kept(zeroin.resume(refined.run, pack="full")).pack == "full"


def test_shown_again_it_goes_on_from_what_it_went_on_from(folder: Path) -> None:
    first = kept(zeroin.open_session(TASK, folder, always_loop=True))
    (folder / "src/new.py").write_text("def throttle_new(client):\n    return client\n")
    stale = kept(zeroin.resume(first.run))
    assert stale.stale and stale.parent == first.run != stale.run
    again = kept(zeroin.resume(stale.run))
    assert (again.run, again.parent, again.stale) == (stale.run, first.run, False)


def test_what_is_part_of_the_question_cannot_be_changed(folder: Path) -> None:
    first = kept(zeroin.open_session(TASK, folder))
    with pytest.raises(OptionError, match="includes"):
        zeroin.resume(first.run, includes=("src/**",))
    assert zeroin.resume(first.run, budget=500).run().budget == 500
    with pytest.raises(InputError, match="both"):
        zeroin.resume(first.run, feedback=Feedback(relevant=("src/form.py",), irrelevant=("src/form.py",)))
    with pytest.raises(SessionError, match="outside"):
        zeroin.resume(first.run, roots=(folder / "src",))


@pytest.mark.skipif(sys.platform == "win32", reason="links")
@pytest.mark.parametrize("path", ["/\0/a.py", "/\ud800/a.py", "{}/circle/a.py"])
def test_a_path_that_no_file_can_have_is_no_file(folder: Path, tmp_path: Path, path: str) -> None:
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(InputError, match="is no file"):
        zeroin.open_session(TASK, folder).apply(Feedback(relevant=(path.format(tmp_path),)))


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_a_path_through_a_link_to_the_repository_is_known(folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder)
    first = kept(zeroin.open_session(TASK, folder))
    feedback = Feedback(relevant=(str(link / "src/price.py"),))
    assert zeroin.resume(first.run, feedback=feedback).run().files[0].path == "src/price.py"


def test_a_verdict_names_a_file_as_the_answer_does(folder: Path) -> None:
    """However it was written: the last word on a file counts, and equal turns have one name."""
    first = kept(zeroin.open_session(TASK, folder))
    written = ("src/price.py", "./src/../src/price.py", str(folder / "src/price.py"))
    told = [kept(zeroin.resume(first.run, feedback=Feedback(relevant=(path,)))) for path in written]
    assert len({context.run for context in told}) == 1
    with pytest.raises(InputError, match="both"):
        zeroin.resume(first.run, feedback=Feedback(relevant=written[:1], irrelevant=written[1:2]))
