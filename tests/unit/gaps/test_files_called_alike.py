"""Files that are called alike are found without taking every path of a tree apart."""

from zeroin.index.locate import FilesByStem, stem_key

PATHS = (
    "a/user_store.py",
    "tests/test_user_store.py",
    "web/UserStore.tsx",
    "web/UserStore.test.tsx",
    "store/user.py",
    "user_store/index.js",
    "it/ΟΔΟΣ.py",
    "it/test_ΟΔΟΣ.py",
    ".env",
    "x/new\nline.c",
)


def test_docs_of_a_stem_are_those_whose_whole_path_gives_it() -> None:
    files = FilesByStem(PATHS)
    for path in PATHS:
        key = stem_key(path)
        assert files.docs(key) == [doc for doc, other in enumerate(PATHS) if stem_key(other) == key]
    assert files.docs(stem_key("user_store.py")) == [0, 1, 2, 3]
    assert files.docs("nothing") == FilesByStem(()).docs("user") == []
