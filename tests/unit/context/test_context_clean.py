from hypothesis import given
from hypothesis import strategies as st

from zeroin.context.clean import clean, line, path_text


def test_sequences_go_and_words_stay() -> None:
    assert clean("\x1b[31mred\x1b[0m") == "red"
    assert clean("\x1b]0;owned\x07title") == "title"
    assert clean("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\") == "link"
    assert clean("\x9b2Jgone") == "gone"
    assert clean("user\u202enimda") == "usernimda"
    assert clean("a\r\nb\tc\x00") == "a\nb\tc"
    assert clean("x\u2066y\u2069\u200fz\U000e0041") == "xyz"


def test_what_shows_nothing_goes_and_what_joins_letters_stays() -> None:
    hidden = "\xad\u034f\u115f\u180e\u200b\u2061\u206f\u3164\ufeff\uffa0\ufff9\U0001d173\U000e0101\U000e01ef"
    assert clean(f"a{hidden}b") == "ab"
    assert path_text("a\u200b\U000e0101.py") == "a\\u200b\\U000e0101.py"
    shown = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \U0001f468\u200d\U0001f4bb \u2764\ufe0f"
    assert clean(shown) == shown


def test_an_unclosed_sequence_eats_no_more_than_its_line() -> None:
    assert clean("\x1b]0;" + "x\nsecond") == "\nsecond"


@given(st.text(alphabet=st.characters(), max_size=200))
def test_nothing_dangerous_survives(text: str) -> None:
    out = clean(text)
    assert not any((ord(c) < 32 and c not in "\n\t") or 0x7F <= ord(c) <= 0x9F for c in out)
    assert not any(c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" for c in out)
    assert clean(out) == out
    out.encode("utf-8")
    assert "\n" not in line(text)


def test_paths_stay_apart() -> None:
    assert path_text("a\nb.py") == "a\\nb.py"
    assert path_text("a\x1b[31m.py") == "a\\x1b[31m.py"
    assert path_text("caf\udce9.py") == "caf\\xe9.py"
    assert path_text("a b/ü.py") == "a b/ü.py"
    assert path_text("x\u202e.py") == "x\\u202e.py"
