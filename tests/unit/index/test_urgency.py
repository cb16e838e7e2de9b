"""Which files are analysed first when the time will not do for all."""

import time
from pathlib import Path

from tests.repositories import repository
from zeroin.corpus.source import open_source
from zeroin.index.urgency import by_content, by_path
from zeroin.terms import analyse

FILES = {
    "src/limits/burst.py": "def allow(key): ...\n",
    "src/http/middleware.py": "def throttled(request): return retry_after(request)\n",
    "src/http/server.py": "def serve(request): return request\n" * 20,
    "src/models.py": "class User: ...\n",
    "tests/test_middleware.py": "def test_throttled(): retry_after(throttled)\n",
    "docs/guide.md": "throttled requests, retry after\n",
}


def paths(entries: object) -> list[str]:
    return [entry.path for entry in entries]  # type: ignore[attr-defined]


def wanted(text: str) -> dict[str, float]:
    return dict.fromkeys(analyse(text), 1.0)


def test_contents_decide_and_code_comes_before_tests_and_documents(tmp_path: Path) -> None:
    source = open_source(repository(tmp_path / "r", FILES))
    entries, _ = source.list()
    got = paths(by_content(source, entries, wanted("throttled, retry"), time.monotonic() + 60))
    assert got[0] == "src/http/middleware.py"  # both rare words, and code
    assert set(got[1:3]) == {"tests/test_middleware.py", "docs/guide.md"}
    assert sorted(got) == sorted(FILES)


def test_a_word_in_every_file_says_less_than_a_rare_one(tmp_path: Path) -> None:
    files = {f"f{i}.py": "common\n" * 3 for i in range(8)} | {"g.py": "rare\n" + "filler\n" * 2}
    source = open_source(repository(tmp_path / "r", files))
    entries, _ = source.list()
    assert paths(by_content(source, entries, wanted("common rare"), time.monotonic() + 60))[0] == "g.py"


def test_by_path_code_with_the_words_in_its_path_is_first(tmp_path: Path) -> None:
    source = open_source(repository(tmp_path / "r", FILES))
    entries, _ = source.list()
    got = paths(by_path(entries, wanted("middleware http")))
    assert got[:2] == ["src/http/middleware.py", "src/http/server.py"]
    assert set(got[-2:]) == {"tests/test_middleware.py", "docs/guide.md"}
