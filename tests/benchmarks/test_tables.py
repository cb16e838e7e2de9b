"""The tables and pictures of README.md and docs/ are those of the result files."""

from benchmarks import tables


def test_pages_show_what_was_measured() -> None:
    """Where they do not: python -m benchmarks.tables"""
    stale = [name for name, text in tables.wanted().items() if not (tables.ROOT / name).exists() or _read(name) != text]
    assert stale == []


def test_every_table_is_shown_once() -> None:
    shown = [name for page in tables.PAGES for _, name in tables.marks(_read(page))]
    assert sorted(shown) == sorted(tables.TABLES)


def _read(name: str) -> str:
    return (tables.ROOT / name).read_text(encoding="utf-8")
