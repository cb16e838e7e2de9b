"""What to change comes first; tests, documents and built files have sections of their own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.context.selection import sections
from zeroin.context.selection.listed import Listed, listed_files
from zeroin.context.selection.sections import Wanted, is_secondary, ordered, wanted_in
from zeroin.tree import Diff, DiffFile
from zeroin.types import PURPOSES, Evidence, Judgment, Purpose, Query, Reason, Role, Task, TaskKind

NOTHING = Wanted()
CODE, TEST, DOC = Role.IMPLEMENTATION, Role.TEST, Role.DOC


def in_order(*files: tuple[str, float, Role]) -> list[Judgment]:
    return [Judgment(path, relevance, role=role) for path, relevance, role in files]


def paths(judgments: object) -> list[str]:
    return [j.path for j in judgments]  # type: ignore[attr-defined]


@pytest.mark.parametrize("role", Role)
def test_which_roles_are_secondary(role: Role) -> None:
    judged = Judgment("a", 0.9, role=role)
    assert is_secondary(judged, NOTHING) == (role not in (CODE, Role.EXAMPLE, Role.CONFIG))
    assert not is_secondary(judged, Wanted(frozenset({role})))
    assert not is_secondary(judged, Wanted(paths=frozenset({"a"})))


def test_what_a_task_is_about_is_wanted() -> None:
    about_tests = Query(wanted_roles=frozenset({TEST}))
    assert wanted_in(Task("t", "fix"), about_tests) == Wanted(frozenset({TEST}))
    assert wanted_in(Task("t", "explore"), about_tests) == Wanted(frozenset({TEST, DOC}))
    assert wanted_in(Task("t", "architecture"), Query()).roles == {DOC}
    assert wanted_in(Task("t", "feature"), Query(kind=TaskKind.DOCUMENTATION)).roles == {DOC}
    change = Diff((DiffFile("test_a", None, (), "", ""),))
    assert wanted_in(Task("t", "review", change), Query(relevant=("b",))) == Wanted(paths=frozenset({"test_a", "b"}))


def test_only_what_is_to_be_changed_is_ranked_before_tests() -> None:
    judged = in_order(("t", 0.9, TEST), ("a", 0.6, CODE))
    for purpose in PURPOSES:
        first = "a" if purpose in ("fix", "feature") else "t"
        assert sections.ranked(judged, Task("t", purpose), Query())[0].path == first


# --- the order -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        # after every main file ≥ 0.2, among themselves and the rest as they were
        ([("t", 0.9, TEST), ("a", 0.6, CODE), ("d", 0.5, DOC), ("b", 0.2, CODE), ("c", 0.19, CODE)], "abtdc"),
        # no main file is that good: the best that reaches 0.05 stands first, the others stay where they are
        ([("t", 0.9, TEST), ("d", 0.4, DOC), ("a", 0.1, CODE), ("b", 0.06, CODE)], "atdb"),
        ([("d", 0.5, DOC), ("a", 0.1, CODE)], "da"),  # a task about the document
        ([("t", 0.9, TEST), ("a", 0.04, CODE)], "ta"),
        ([("t", 0.9, TEST)], "t"),
        ([], ""),
    ],
)
def test_the_order_of_a_ranking(given: list[tuple[str, float, Role]], expected: str) -> None:
    assert "".join(paths(ordered(in_order(*given), NOTHING))) == expected


def test_what_is_wanted_stays_in_its_place() -> None:
    given = in_order(("t", 0.9, TEST), ("d", 0.7, DOC), ("a", 0.6, CODE))
    assert paths(ordered(given, Wanted(frozenset({TEST})))) == ["t", "a", "d"]
    assert paths(ordered(given, Wanted(paths=frozenset({"d"})))) == ["d", "a", "t"]


RANKINGS = st.lists(st.tuples(st.floats(0, 1), st.sampled_from(Role)), max_size=12).map(
    lambda rows: [
        Judgment(str(n), relevance, role=role)
        for n, (relevance, role) in enumerate(sorted(rows, key=lambda row: -row[0]))
    ]
)


@given(RANKINGS, st.frozensets(st.sampled_from(Role)))
def test_an_order_loses_nothing_and_keeps_each_kind_in_order(ranking: list[Judgment], roles: frozenset[Role]) -> None:
    wanted = Wanted(roles)
    result = ordered(ranking, wanted)
    assert sorted(paths(result)) == sorted(paths(ranking))
    for kind in (True, False):
        assert [j for j in result if is_secondary(j, wanted) is kind] == [
            j for j in ranking if is_secondary(j, wanted) is kind
        ]
    first = next((n for n, j in enumerate(result) if is_secondary(j, wanted)), len(result))
    assert not any(j.relevance >= 0.2 and not is_secondary(j, wanted) for j in result[first:])
    about_one = any(j.relevance >= 0.5 and j.role is Role.DOC for j in ranking)  # a document
    assert first or about_one or not any(j.relevance >= 0.05 and not is_secondary(j, wanted) for j in result)
    assert ordered(result, wanted) == result


# --- the sections ----------------------------------------------------------------------------------


def listed(ranking: list[Judgment], purpose: Purpose = "fix", wanted: Wanted = NOTHING) -> Listed:
    diff = Diff(tuple(DiffFile(path, None, (), "", "") for path in wanted.paths)) if wanted.paths else None
    return listed_files(ranking, Task("task", purpose, diff), wanted)


def test_tests_and_documents_are_apart() -> None:
    found = listed(
        in_order(
            ("t1", 0.9, TEST),
            ("a", 0.8, CODE),
            ("readme", 0.7, DOC),
            ("built", 0.6, Role.GENERATED),
            ("b", 0.55, CODE),
            ("settings", 0.5, Role.CONFIG),
            ("copied", 0.4, Role.VENDORED),
            ("t2", 0.3, TEST),
            ("rows", 0.25, Role.DATA),
            ("t3", 0.19, TEST),
        )
    )
    assert paths(found.files) == ["a", "b", "settings"]
    assert paths(found.tests) == ["t1", "t2"]
    assert paths(found.documents) == ["readme", "built", "copied", "rows"]
    assert found.paths == {"a", "b", "settings", "t1", "t2", "readme", "built", "copied", "rows"}


def test_what_the_task_is_about_is_among_the_files() -> None:
    found = listed(in_order(("t", 0.9, TEST), ("a", 0.8, CODE)), wanted=Wanted(frozenset({TEST})))
    assert (paths(found.files), found.tests) == (["t", "a"], ())


def test_only_what_reaches_the_low_band_is_an_answer() -> None:
    only = listed(in_order(("readme", 0.6, DOC), ("t", 0.3, TEST), ("d", 0.1, DOC)))
    assert (paths(only.files), only.tests, only.documents) == (["readme", "t"], (), ())
    beside = listed(in_order(("readme", 0.4, DOC), ("t", 0.3, TEST), ("a", 0.06, CODE)))
    assert paths(beside.files) == ["readme", "t"]
    covering = listed(in_order(("a", 0.8, CODE), ("t", 0.19, TEST)))
    assert (paths(covering.files), covering.tests) == (["a"], ())


def test_an_answer_that_is_not_sure_goes_on_to_the_third_file() -> None:
    ranking = in_order(("a", 0.3, CODE), ("t", 0.16, TEST), ("b", 0.15, CODE), ("c", 0.13, CODE), ("d", 0.125, CODE))
    unsure = listed(ranking)
    assert (paths(unsure.files), paths(unsure.tests)) == (["a", "b", "c"], ["t"])
    assert listed(ranking, "review").paths == {"a"}
    assert listed(in_order(("a", 0.3, CODE), ("b", 0.11, CODE))).paths == {"a"}
    assert listed(in_order(("a", 0.7, CODE), ("b", 0.19, CODE))).paths == {"a"}


def test_where_nothing_is_that_good_the_best_three_are_guesses() -> None:
    weak = in_order(("readme", 0.1, DOC), ("a", 0.06, CODE), ("b", 0.05, CODE), ("c", 0.04, CODE))
    assert listed(weak) == Listed((weak[1], weak[0], weak[2]))
    assert listed([]) == Listed(())
    turns = [weak[1], weak[3], weak[0], weak[2]]  # as exploring lets components take turns
    assert listed(turns, "explore") == listed(weak, "explore")


@given(
    RANKINGS,
    st.sampled_from([p for p in PURPOSES if p != "architecture"]),  # a map has room for twelve
    st.frozensets(st.sampled_from(Role)),
)
def test_nothing_better_than_a_listed_file_is_left_out(
    ranking: list[Judgment], purpose: Purpose, roles: frozenset[Role]
) -> None:
    found = listed(ranking, purpose, Wanted(roles))
    result = (*found.files, *found.supporting, *found.tests, *found.documents)
    assert len(found.paths) == len(result)
    best = max((j.relevance for j in ranking), default=0.0)
    if best >= 0.2:
        least = min(j.relevance for j in result)
        assert found.paths == {j.path for j in ranking if j.relevance >= min(least, 0.2)}
        assert least >= (0.2 if purpose == "review" or best >= 0.7 else 0.12)
    else:
        assert found.paths == set(paths(ordered(ranking, Wanted(roles))[:3]))


def test_the_best_come_first_and_the_rest_supports() -> None:
    ranking = in_order(*((f"f{n}", 0.85 - n / 10, CODE) for n in range(8)))
    found = listed(ranking)
    assert paths(found.files) == ["f0", "f1", "f2"]
    assert paths(found.supporting) == ["f3", "f4", "f5", "f6"]
    sure = in_order(*((f"f{n}", 0.9, CODE) for n in range(5)), ("g", 0.6, CODE))
    assert (len(listed(sure).files), paths(listed(sure).supporting)) == (5, ["g"])


def test_a_change_is_not_listed_and_the_tests_beside_it_are_apart() -> None:
    ranking = in_order(("test_a", 1.0, TEST), ("a", 1.0, CODE), ("test_b", 0.6, TEST), ("c", 0.02, CODE))
    touched = Wanted(paths=frozenset({"test_a", "a"}))
    found = listed(ranking, "review", touched)
    assert paths(found.files) == ["test_b"]
    better = listed([*ranking[:3], Judgment("c", 0.3, role=CODE)], "review", touched)
    assert (paths(better.files), paths(better.tests)) == (["c"], ["test_b"])
    alone = listed([ranking[0], ranking[1], ranking[3]], "review", touched)
    assert paths(alone.files) == ["c"]


def test_sections_are_by_relevance_however_the_ranking_is_spread() -> None:
    code = ("a/1", 0.9, CODE), ("b/1", 0.3, CODE), ("a/2", 0.5, CODE), ("c/1", 0.2, CODE), ("a/3", 0.25, CODE)
    spread = in_order(*code, ("t1", 0.3, TEST), ("d1", 0.2, DOC), ("t2", 0.5, TEST), ("d2", 0.9, DOC))
    assert paths(listed(spread).files) == ["a/1", "a/2", "b/1"]
    assert paths(listed(spread).supporting) == ["a/3", "c/1"]
    assert paths(listed(spread).tests) == ["t2", "t1"]
    assert paths(listed(spread).documents) == ["d2", "d1"]


# --- copies ----------------------------------------------------------------------------------------


def held(path: str, relevance: float, text: str) -> Judgment:
    reasons = (Reason("passage", "p"), Reason("literal", f"contains “{text}”", (Evidence(path, 7, text=text),)))
    return Judgment(path, relevance, reasons=reasons)


def test_of_copies_in_a_folder_that_hold_the_same_message_the_best_three_are_listed() -> None:
    message = "option pager is forbidden in project files"
    copies = [held(f"garage/ack-{n}", 0.9 - n / 20, message) for n in range(9)]
    main = [held("lib/config.pm", 0.95, message), held("garage/other", 0.3, "another message of more than six words")]
    listed = listed_files([*main[:1], *copies, *main[1:]], Task("t", "fix"), NOTHING).all
    assert paths(listed) == ["lib/config.pm", "garage/ack-0", "garage/ack-1", "garage/ack-2", "garage/other"]
    assert [r.text for r in listed[3].reasons] == ["p", f"contains “{message}”, as do 6 more files of garage/"]
    assert listed[1].reasons == copies[0].reasons
    one_more = listed_files(copies[:4], Task("t", "fix"), NOTHING).all
    assert one_more[-1].reasons[-1].text.endswith(", as does garage/ack-3")
    asked = listed_files(copies, Task("t", "fix"), Wanted(paths=frozenset({"garage/ack-8"}))).paths
    assert asked == {"garage/ack-0", "garage/ack-1", "garage/ack-2", "garage/ack-8"}


def test_files_that_use_the_same_flag_are_all_listed() -> None:
    users = [held(f"lib/{n}.pm", 0.9, "--pager") for n in range(9)]
    assert len(listed_files(users, Task("t", "fix"), NOTHING).all) == 9
