from dataclasses import replace

import pytest

from zeroin.context.selection.answer_filters import MAX_TERMS, shown_gaps, shown_terms, with_outcomes
from zeroin.types import Evidence, Expansion, Gap, Search

LANGUAGE = {"rs": "rust", "py": "python", "ts": "typescript", "js": "javascript", "c": "c", "md": "markdown"}

HOMES = ("b.js", "b.c", "b.rs", "b.proto", "src/unit.rs", "t.py", *(f"b{n}.py" for n in range(9)))
NEAR = {
    "b.py": 0.3,
    "c.py": 0.09,
    **dict.fromkeys(("a.py", "src/a.rs", "a.rs", "a.ts", "a.md"), 0.4),
    **dict.fromkeys(HOMES, 0.1),
}


A = Evidence("a.py")


def language(path: str) -> str:
    return LANGUAGE.get(path.rpartition(".")[2], "")


def gap(name: str, user: str, *homes: str, critical: bool = False, line: int = 7) -> Gap:
    need = f"{name} ({user}:{line}) is defined in {' and '.join(homes)}"
    evidence = (Evidence(user, line, name), *(Evidence(home, symbol=name) for home in homes))
    return Gap("reference", need, critical, evidence, name)


def test_bits_of_words_and_folders_are_no_terminology() -> None:
    faint = [Expansion(word, "server", 0.9) for word in ("s", "doesn", "3", "g", "0 1")]
    faint += [Expansion("site", "src", 0.9), Expansion("leaks", "lib", 0.9), Expansion("notice", "not", 0.9)]
    kept = [Expansion("throttle", "bucket", 0.4), Expansion("rate limit", "throttle", 0.8)]
    assert shown_terms([*faint, *kept]) == (kept[1], kept[0])


def test_many_words_are_cut_to_the_strongest() -> None:
    terms = [Expansion(f"word{n}", f"code{n}", n / 100) for n in range(30)]
    result = shown_terms(terms)
    assert len(result) == MAX_TERMS and result[0].weight == 0.29


def test_a_word_in_other_capitals_is_no_other_word() -> None:
    terms = [Expansion("sqlalchemy", "SQLAlchemy", 1.0), Expansion("keep alive", "keepAlive", 0.9)]
    assert [t.code_word for t in shown_terms(terms)] == ["keepAlive"]


def test_gaps_that_the_same_file_closes_are_one() -> None:
    gaps = [gap(name, "a.py", "b.py", critical=name == "three") for name in ("one", "two", "three", "four")]
    gaps.insert(2, gap("else", "a.py", "c.py"))
    result = shown_gaps(gaps, {"a.py"}, language, NEAR)
    assert [g.need for g in result] == [
        "one, two, three and 1 more (a.py:7) are defined in b.py",
        "else (a.py:7) is defined in c.py",
    ]
    assert result[0].critical and result[0].follow_up == "one two three"


def test_joined_gaps_say_of_each_name_the_line_that_says_it() -> None:
    gaps = [gap("one", "a.py", "b.py"), gap("two", "a.py", "b.py", line=9), gap("three", "t.py", "b.py", line=2)]
    (result,) = shown_gaps([*gaps, gap("four", "a.py", "b.py")], {"a.py", "t.py"}, language, NEAR | {"t.py": 0.3})
    assert result.need == "one, two (a.py:7, 9), three (t.py:2) and 1 more are defined in b.py"
    users = [(e.path, e.line) for e in result.evidence if e.line]
    assert users == [("a.py", 7), ("a.py", 9), ("t.py", 2), ("a.py", 7)]


def test_what_implements_a_joined_name_is_not_said_to_define_it() -> None:
    one, two = (replace(gap(name, "a.py", "b.py", "c.py"), form="implemented") for name in ("One", "Two"))
    (result,) = shown_gaps([one, two], {"a.py"}, language, NEAR)
    assert result.need == "One, Two (a.py:7) are defined or implemented in b.py and c.py"


def test_a_listed_definition_is_no_gap() -> None:
    assert shown_gaps([gap("one", "a.py", "b.py")], {"b.py"}, language, NEAR) == ()
    assert len(shown_gaps([gap("one", "a.py", "b.py", "c.py")], {"a.py", "b.py"}, language, NEAR)) == 1


def test_an_unrelated_language_defines_nothing() -> None:
    assert shown_gaps([gap("unit", "src/a.rs", "scripts/plot.py")], (), language, NEAR) == ()
    heading = gap("unit", "src/a.rs", "docs/units.md", "src/unit.rs")
    (result,) = shown_gaps([heading], {"src/a.rs"}, language, NEAR)
    assert result.need == "unit (src/a.rs:7) is defined in src/unit.rs"
    assert [e.path for e in result.evidence] == ["src/a.rs", "src/unit.rs"]
    for user, home in (("a.ts", "b.js"), ("a.py", "b.c"), ("a.md", "b.rs"), ("a.rs", "b.proto")):
        assert len(shown_gaps([gap("unit", user, home)], {user}, language, NEAR)) == 1, (user, home)


def test_other_gaps_stay_as_they_are_the_likeliest_first() -> None:
    word = Gap("terminology", "no file says “x”", True, (Evidence(text="x"),), "x", form="unsaid")
    test, near = (
        Gap(kind, need, False, (Evidence(path), A), path, Search(paths=(path,)))
        for kind, need, path in (
            ("counterpart", "t.py tests a.py", "t.py"),
            ("dependency", "a.py imports b.py", "b.py"),
        )
    )
    assert shown_gaps([test, near, word], {"a.py"}, language, NEAR) == (word, near, test)
    assert shown_gaps([word, test], {"a.py", "t.py"}, language, NEAR) == (word,)


def test_a_word_is_missing_only_where_that_is_proved() -> None:
    word = Gap("terminology", "no relevant file says “life”", False, (Evidence(text="life"),), "life", form="elsewhere")
    assert shown_gaps([word], (), language, NEAR) == ()
    searched = replace(word, outcome="absent")
    assert shown_gaps([searched], (), language, NEAR) == (searched,)
    assert shown_gaps([searched], {"g.py"}, language, {"g.py": 0.5}) == ()  # found without that word


def test_what_is_hardly_relevant_is_not_missed() -> None:
    near = Gap("dependency", "a.py imports b.py", False, (A, Evidence("b.py")), "b.py", Search(paths=("b.py",)))
    unseen = replace(near, chosen=False)
    far = Gap("dependency", "a.py imports f.py", False, (A, Evidence("f.py")), "f.py", Search(paths=("f.py",)))
    beside = Gap("counterpart", "f.py tests a.py", False, (Evidence("f.py"), A), "f.py", Search(paths=("f.py",)))
    defined = gap("one", "a.py", "f.py")
    assert shown_gaps([far, near, beside, defined], {"a.py"}, language, {**NEAR, "f.py": 0.07}) == (near,)
    assert shown_gaps([unseen], {"a.py"}, language, NEAR) == (unseen,)
    assert shown_gaps([near], {"a.py"}, language, {"b.py": 0.19}, "review") == ()


def test_what_only_an_unlisted_file_needs_is_not_missed() -> None:
    header = Gap(
        "counterpart",
        "b.py is the other half of a.py",
        False,
        (Evidence("b.py"), Evidence("a.py")),
        "b.py",
        Search(paths=("b.py",)),
    )
    assert shown_gaps([header], {"a.py"}, language, NEAR) == (header,)
    assert shown_gaps([header], {"a.py"}, language, {**NEAR, "a.py": 0.19}) == ()  # a guess needs nothing
    assert shown_gaps([header, gap("one", "a.py", "b.py")], {"c.py"}, language, NEAR) == ()
    # What is behind an interface counts by the files that are not listed.
    assert shown_gaps([gap("one", "a.py", "f.py", "b.py")], {"a.py", "b.py"}, language, NEAR) == ()


def test_at_most_three_gaps() -> None:
    many = [gap(f"name{n}", "a.py", f"b{n}.py") for n in range(9)]
    assert len(shown_gaps(many, {"a.py"}, language, NEAR)) == 3


def test_what_is_surer_comes_first_and_guesses_last() -> None:
    terms = (
        Expansion("a word", "ledger", 0.9),
        Expansion("a word", "bucket", 0.4, certainty="likely"),
        Expansion("a word", "throttle", 0.3, certainty="sure"),
    )
    assert [t.code_word for t in shown_terms(terms)] == ["throttle", "bucket", "ledger"]


ASKED = Gap("dependency", "src/a.py imports src/b.py", False, search=Search(paths=("src/b.py",)))
CLOSED = replace(ASKED, search=Search(paths=("src/c.py",)), outcome="closed")


def test_a_gap_of_the_last_cycle_knows_its_outcome() -> None:
    new = replace(ASKED, search=Search(paths=("src/d.py",)))
    shown = with_outcomes((ASKED, new), (replace(ASKED, need="in other words", outcome="absent"), CLOSED))
    assert [(gap.need, gap.outcome) for gap in shown] == [(ASKED.need, "absent"), (new.need, "")]


@pytest.mark.parametrize(
    ("outcomes", "shown"), [(("open", "absent"), "open"), (("absent", "absent"), "absent"), (("absent", ""), "")]
)
def test_gaps_joined_have_the_best_of_their_outcomes(outcomes: tuple[str, ...], shown: str) -> None:
    homes = {"symbols": ("one",), "paths": ("b.py",)}
    gaps = [
        replace(gap(name, "a.py", "b.py"), search=Search(**homes), outcome=outcome)  # type: ignore[arg-type]
        for name, outcome in zip(("one", "two"), outcomes, strict=True)
    ]
    (joined,) = shown_gaps(gaps, {"a.py"}, language, NEAR)
    assert joined.outcome == shown
