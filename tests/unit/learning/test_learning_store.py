"""What was learned is kept: merged, bounded, by many processes at once, whatever happens to the file."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from zeroin.errors import LearningError
from zeroin.learning import store as module
from zeroin.learning.lessons import MAX_PATHS, Lesson, Lessons, identity_of
from zeroin.learning.store import LEARNED_VERSION, LessonStore

LESSON = Lesson(
    id=identity_of("Throttle sign-in"),
    title="Throttle sign-in",
    words=(("Throttle", 3.0), ("sign", 1.5)),
    relevant=("src/limit.py",),
    irrelevant=("src/näme\udcff.py",),
    at=1_700_000_000,
)


@pytest.fixture
def store(tmp_path: Path) -> LessonStore:
    return LessonStore("git:/somewhere/shop/.git", directory=tmp_path / "learned")


def execute(store: LessonStore, statement: str, *rows: tuple[object, ...]) -> None:
    """Change the file behind its back."""
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.executemany(statement, rows or [()])


def test_nothing_is_there_and_nothing_is_made(store: LessonStore) -> None:
    assert store.lessons() == Lessons() and store.lessons().digest == ""
    assert store.forget() == 0 and not store.path.parent.exists() and store.warnings == []


def test_a_task_taught_again_is_one_lesson_and_the_last_word_counts(store: LessonStore) -> None:
    assert store.add(LESSON) == store.lessons().items == (LESSON,)
    assert store.path.stat().st_mode & 0o077 == 0
    again = replace(LESSON, relevant=("src/other.py", "src/näme\udcff.py"), irrelevant=("src/limit.py",))
    (kept,) = store.add(again)
    assert kept.relevant == ("src/other.py", "src/näme\udcff.py")
    assert kept.irrelevant == ("src/limit.py",)
    assert store.warnings == []
    many = replace(LESSON, relevant=tuple(f"src/{n}.py" for n in range(MAX_PATHS)))
    assert store.add(many)[0].relevant == many.relevant
    assert store.warnings == ["1 file named earlier dropped: 50 of a kind are kept of a task"]


def test_grades_of_a_judge_are_kept_and_lessons_without_stay_as_they_were(store: LessonStore) -> None:
    store.add(LESSON)
    assert "grades" not in LESSON.plain
    graded = replace(LESSON, grades=(("openai:small", "src/limit.py", 3), ("openai:small", "src/b.py", 0)))
    store.add(graded)
    (kept,) = store.add(replace(LESSON, grades=(("openai:small", "src/limit.py", 1),)))
    assert kept.grades == (("openai:small", "src/limit.py", 1), ("openai:small", "src/b.py", 0))
    assert store.lessons().items == (kept,) and store.warnings == []
    assert Lessons((kept,)).digest == Lessons((LESSON,)).digest


def test_only_the_newest_are_kept(store: LessonStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_LESSONS", 3)
    store.add(*(replace(LESSON, id=f"{n:010d}") for n in range(5)))
    store.add(replace(LESSON, id=f"{3:010d}"))  # learned again: the newest
    assert [x.id for x in store.lessons().items] == [f"{n:010d}" for n in (3, 4, 2)]


def test_the_digest_names_what_moves_an_answer(store: LessonStore) -> None:
    digest = Lessons((LESSON,)).digest
    assert len(digest) == 16 and Lessons((replace(LESSON, at=5),)).digest == digest
    changes = ({"relevant": ("src/b.py",)}, {"words": (("Throttle", 2.0),)}, {"irrelevant": ()})
    assert all(Lessons((replace(LESSON, **change),)).digest != digest for change in changes)  # type: ignore[arg-type]
    two = replace(LESSON, id="b" * 10)
    assert Lessons((LESSON, two)).digest != Lessons((two, LESSON)).digest
    store.add(LESSON)
    assert store.lessons().digest == digest  # as kept, as read


def test_a_folder_sees_its_own_files_alone() -> None:
    lesson = replace(LESSON, relevant=("web/a.ts", "api/b.go"), irrelevant=("api/c.go",))
    (below,) = Lessons((lesson,)).below("api/").items
    assert below.relevant == ("b.go",) and below.irrelevant == ("c.go",)
    assert len(Lessons((lesson,)).below("docs/")) == 0
    assert Lessons((lesson,)).below("").items == (lesson,)


def test_forgetting(store: LessonStore) -> None:
    other = replace(LESSON, id="b" * 10, title="SecretTitle")
    store.add(LESSON, other)
    assert store.forget("nothing") == 0 and store.forget(other.id) == 1
    assert store.lessons().items == (LESSON,)
    assert store.forget() == 1 and len(store.lessons()) == 0
    raw = store.path.read_bytes()
    assert b"SecretTitle" not in raw and b"Throttle" not in raw


def foreign() -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (x)")
    return connection.serialize()


@pytest.mark.parametrize("rubbish", [b"rubbish" * 400, b"SQLite format 3\0" + b"\xff" * 5000, foreign()])
@pytest.mark.parametrize("writing", [False, True])
def test_a_file_that_is_not_ours_is_set_aside(store: LessonStore, rubbish: bytes, writing: bool) -> None:
    store.path.parent.mkdir()
    store.path.write_bytes(rubbish)
    if not writing:
        assert store.lessons() == Lessons() and not store.path.exists()
    store.add(LESSON)
    assert store.lessons().items == (LESSON,)
    (warning,) = store.warnings
    assert "damaged" in warning and "set aside" in warning
    assert store.path.with_name(store.path.name + ".set-aside").read_bytes() == rubbish


def test_every_cut_and_many_flips_are_survived(store: LessonStore) -> None:
    store.add(*(replace(LESSON, id=f"{n:010d}") for n in range(40)))
    whole = store.path.read_bytes()
    for size in range(0, len(whole), 997):
        store.path.write_bytes(whole[:size])
        assert len(store.lessons()) == 40 or store.warnings or not size
    for at in range(0, len(whole), 101):
        store.path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        assert len(store.lessons()) <= 40
        store.add(LESSON)


def test_a_damaged_row_is_left_out(store: LessonStore) -> None:
    store.add(LESSON)
    heavy = '{"id":"a","title":"t","words":[["w",1e9]],"relevant":[]}'
    rows = ("[]", "{", '{"id": 3}', "[" * 100_000, heavy)
    execute(store, "INSERT INTO lessons VALUES (?, 9, ?)", *((f"x{n}", row) for n, row in enumerate(rows)))
    for _ in range(2):  # it is said once
        assert store.lessons().items == (LESSON,)
        assert store.warnings == ["5 damaged entries of what was learned are lost"]


@pytest.mark.parametrize(("old", "new"), [("limit", "limbs"), ("1.5", "2.5"), ('"id":"', '"id":"0')])
def test_a_changed_value_is_noticed(store: LessonStore, old: str, new: str) -> None:
    other = replace(LESSON, id=identity_of("else"))
    store.add(LESSON, other)
    execute(store, "UPDATE lessons SET data = replace(data, ?, ?) WHERE id = ?", (old, new, LESSON.id))
    assert store.lessons().items == (other,)
    assert store.warnings == ["1 damaged entries of what was learned are lost"]


def test_the_file_of_another_repository_teaches_nothing(store: LessonStore) -> None:
    elsewhere = LessonStore("git:/elsewhere/shop/.git", directory=store.path.parent)
    elsewhere.add(LESSON)
    elsewhere.path.replace(store.path)
    assert len(store.lessons()) == 0 and len(store.warnings) == 1


def test_a_file_of_a_newer_zeroin_is_left_alone(store: LessonStore) -> None:
    store.add(LESSON)
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute(f"PRAGMA user_version = {LEARNED_VERSION + 1}")
    before = store.path.read_bytes()
    assert len(store.lessons()) == 0 and "newer" in store.warnings[0]
    with pytest.raises(LearningError, match="newer"):
        store.add(LESSON)
    assert store.path.read_bytes() == before


def test_a_file_of_an_older_zeroin_is_set_aside(store: LessonStore) -> None:
    store.add(LESSON)
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute(f"PRAGMA user_version = {LEARNED_VERSION - 1}")
    assert len(store.lessons()) == 0 and "older zeroin" in store.warnings[0] and "set aside" in store.warnings[0]
    store.add(LESSON)
    assert [lesson.id for lesson in store.lessons().items] == [LESSON.id]


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = LessonStore("git:/x/.git", directory=tmp_path / "file")
    assert len(store.lessons()) == 0 and store.warnings == []
    with pytest.raises(LearningError, match="cannot be written"):
        store.add(LESSON)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_read_only_file_is_read(store: LessonStore) -> None:
    store.add(LESSON)
    store.path.chmod(0o400)
    store.path.parent.chmod(0o500)
    assert store.lessons().items == (LESSON,)
    with pytest.raises(LearningError):
        store.add(LESSON)
    store.path.parent.chmod(0o700)


def test_processes_share_it(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from zeroin.learning.lessons import Lesson
from zeroin.learning.store import LessonStore
store = LessonStore("git:/x/.git", directory=Path(sys.argv[1]))
for n in range(15):
    store.add(Lesson(f"{sys.argv[2]}{n:09d}", "t", (("w", 1.0),), (f"{n}.py",)))
    store.lessons()
assert not store.warnings, store.warnings
"""
    folder = tmp_path / "learned"
    command = [sys.executable, "-c", code, str(folder)]
    running = [subprocess.Popen([*command, name], stderr=subprocess.PIPE) for name in "abc"]
    for process in running:
        assert process.communicate()[1] == b"" and process.returncode == 0
    assert len(LessonStore("git:/x/.git", directory=folder).lessons()) == 45
