"""Which strings a pasted message says whole."""

import pytest

from zeroin.index.literal import _TOKEN as TOKEN
from zeroin.index.literal import _is_whole


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ('log("cannot open the file %s", name)', True),
        ("log('cannot open the file %(name)s')", True),
        ('log("cannot open the file ${path}: {}")', True),
        ('log("can\'t open the file, cannot open the file")', False),
        ('log("cannot open the file today")', False),
        ('log("cannot open the file \\"%s\\" today")', False),
        ('f("a") or cannot open the file or g("b")', False),
        ("cannot open the file", False),
    ],
)
def test_a_string_is_said_whole(line: str, whole: bool) -> None:
    spans = [(match.group().lower(), match.start()) for match in TOKEN.finditer(line)]
    said = {i for i, (token, _) in enumerate(spans) if token in ("cannot", "open", "the", "file")}
    at = next(i for i, (token, _) in enumerate(spans) if token == "cannot")
    assert _is_whole(line, spans, said, at) == whole
