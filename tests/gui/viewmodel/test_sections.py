"""Sections: tasks of one level whose names begin alike, each with a name of its own."""

from __future__ import annotations

from tests.driver import Driver, plan

from starloom.layout import LayoutGraph
from starloom.model.plan import Plan
from starloom.testing import independent, layered
from starloom_gui.viewmodel.sections import Cut, Sections

BUILD = plan(
    ["src", "lib_core_a", "lib_core_b", "lib_net_a", "lib_net_b", "check_core_a", "check_core_b", "all"],
    [
        *(f"src>lib_{one}" for one in ("core_a", "core_b", "net_a", "net_b")),
        *("lib_core_a>check_core_a", "lib_core_b>check_core_b", "check_core_a>all", "check_core_b>all"),
    ],
)


def sections(made: Plan) -> Sections:
    graph = Driver(checked=False).create(made).graph
    return Sections(LayoutGraph.of(graph), [task.title for _, task in graph.present()])


def named(found: Sections, cut: Cut) -> dict[str, int]:
    return {group.name: len(group.numbers) for group in found.groups(cut)}


def test_tasks_of_a_level_are_apart_by_the_words_of_their_names() -> None:
    found = sections(BUILD)
    assert found.depth == 4
    assert named(found, Cut(4, 1)) == {"lib": 4, "check_core": 2}
    assert named(found, Cut(4, 2)) == {"lib_core": 2, "lib_net": 2, "check_core": 2}
    assert len(set(found.labels(Cut(4, 2)).tolist())) == 5


def test_a_level_that_has_no_word_in_common_is_called_by_its_number() -> None:
    found = sections(plan(["a1", "b2", "c3", "d4"], ["a1>c3", "b2>d4"]))
    assert named(found, Cut(2)) == {"Level 1": 2, "Level 2": 2}
    assert named(found, Cut(1)) == {"Levels 1–2": 4}


def test_sections_of_one_beginning_are_told_apart_by_their_levels() -> None:
    found = sections(plan(["run_a", "run_b", "run_c", "run_d", "x"], ["run_a>run_c", "run_b>run_d"]))
    assert named(found, Cut(2, 1)) == {"run · level 1": 2, "run · level 2": 2}


def test_words_that_all_tasks_share_are_left_out() -> None:
    found = sections(plan(["nf.rna.align_1", "nf.rna.align_2", "nf.rna.count_1", "nf.rna.count_2"]))
    assert named(found, Cut(1, 1)) == {"align": 2, "count": 2}


def test_pieces_are_called_by_their_first_and_last_tasks_and_are_of_one_size() -> None:
    found = sections(independent(10))
    assert named(found, Cut(1, pieces=3)) == {"t0 … t3": 4, "t4 … t6": 3, "t7 … t9": 3}


def test_bands_are_neighbouring_levels_and_every_name_is_another() -> None:
    found = sections(layered(20, 5))
    groups = found.groups(Cut(8))
    assert len(groups) == 8
    assert len({group.name for group in groups}) == 8
    assert sorted(number for group in groups for number in group.numbers) == list(range(100))
    bands = found.labels(Cut(8)).tolist()
    assert bands == sorted(bands)


def test_tasks_of_one_name_still_make_sections_of_different_names() -> None:
    same = list(BUILD.tasks)
    found = Sections(LayoutGraph.of_pairs([task.id for task in same], []), ["job"] * len(same))
    assert sorted(named(found, Cut(1, pieces=4))) == [
        "job … job (1)",
        "job … job (2)",
        "job … job (3)",
        "job … job (4)",
    ]


def test_no_tasks_make_no_sections() -> None:
    assert sections(Plan(name="empty")).groups(Cut(3, 1)) == ()
