"""What a layout promises to those who draw it, shown on graphs small enough to follow."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest

from starloom.constellation.graph import Graph
from starloom.layout import Direction, Layout, LayoutGraph, LayoutStopped, Spacing, layout
from starloom.model.dependency import Dependency
from starloom.model.task import Task
from starloom.testing import chain, diamond, independent, layered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.model.plan import Plan


def shape(plan: Plan) -> LayoutGraph:
    graph = Graph()
    graph.adopt(plan.tasks, plan.index)
    return LayoutGraph.of(graph)


def drawn(edges: str, *, more: Sequence[str] = (), **options: object) -> Layout:
    """The layout of edges like `ab bc`, every letter a node, in the order of the alphabet."""
    pairs = [(pair[0], pair[1]) for pair in edges.split()]
    ids = sorted({*itertools.chain.from_iterable(pairs), *more})
    return layout(LayoutGraph.of_pairs(ids, pairs), **options)  # type: ignore[arg-type]  # options of any kind


def at(found: Layout, name: str) -> tuple[float, float]:
    return found.position(found.graph.ids.index(name))


# ---- what it looks like


def test_nothing_is_an_empty_layout() -> None:
    found = layout(LayoutGraph.of_pairs([], []))
    assert len(found) == 0
    assert found.bounds() == (0.0, 0.0, 0.0, 0.0)
    again = layout(LayoutGraph.of_pairs(["a"], []), previous=found)
    assert again.positions.tolist() == [[96.0, 32.0]]
    assert len(layout(LayoutGraph.of_pairs([], []), previous=again)) == 0


def test_a_chain_is_a_straight_line_with_the_usual_gaps() -> None:
    found = drawn("ab bc cd")
    assert [at(found, name) for name in "abcd"] == [(96, 32), (328, 32), (560, 32), (792, 32)]
    assert [len(found.routes.of(edge)) for edge in range(3)] == [4, 4, 4]


def test_pointing_down_x_and_y_change_places() -> None:
    found = drawn("ab bc", direction=Direction.DOWN)
    assert [at(found, name) for name in "abc"] == [(96, 32), (96, 136), (96, 240)]


def test_a_diamond_is_symmetrical() -> None:
    found = layout(shape(diamond()))
    (_, a), (_, b), (_, c), (_, d) = found.positions.tolist()
    assert a == d == (b + c) / 2
    assert abs(b - c) == 80


def test_a_hundred_chains_stay_straight() -> None:
    edges = [(f"{row}-{step}", f"{row}-{step + 1}") for row in range(20) for step in range(5)]
    edges += [("s", f"{row}-0") for row in range(20)] + [(f"{row}-5", "t") for row in range(20)]
    ids = list(dict.fromkeys(itertools.chain.from_iterable(edges)))
    found = layout(LayoutGraph.of_pairs(ids, edges))
    for row in range(20):
        assert len({at(found, f"{row}-{step}")[1] for step in range(6)}) == 1


def test_a_long_edge_passes_between_the_boxes_and_is_straight_on_its_way() -> None:
    found = drawn("ab bc cd de ae")
    assert len({at(found, name)[1] for name in "abcde"}) == 1
    points = found.routes.of(4)
    assert len(points) == 10  # away from a, along, to e
    level = points[3, 1]
    assert points[3:7, 1].tolist() == [level] * 4
    for name in "bcd":
        assert abs(at(found, name)[1] - level) >= 32 + 8


def test_long_edges_of_one_task_run_together() -> None:
    found = drawn("ab bc cd ef fg gd ac ad ag")
    passages = {(int(owner), int(rank)) for owner, rank in zip(found.bends.owner, found.bends.rank, strict=True)}
    assert len(passages) == len(found.bends.owner)
    assert {owner for owner, _ in passages} == {0}


def test_a_source_stands_beside_what_needs_it() -> None:
    found = drawn("ab bc cd xd")
    assert found.ranks.tolist() == [0, 1, 2, 3, 2]


def test_boxes_of_any_size_have_their_distance() -> None:
    sizes = {0: (300.0, 40.0), 1: (100.0, 200.0), 2: (208.0, 72.0)}
    found = drawn("ab ac bd", sizes=sizes)
    top, bottom = sorted((1, 2), key=lambda row: found.positions[row, 1])
    reach = (found.sizes[top, 1] + found.sizes[bottom, 1]) / 2
    assert found.positions[bottom, 1] - found.positions[top, 1] >= reach + 16
    assert found.positions[2, 0] - found.positions[0, 0] >= 300 / 2 + 40 + 208 / 2


def test_distances_can_be_chosen() -> None:
    spacing = Spacing(rank_gap=10, row_gap=4, size=(20, 20))
    found = drawn("ab ac", spacing=spacing)
    assert found.positions[1, 0] - found.positions[0, 0] == 30
    assert abs(found.positions[2, 1] - found.positions[1, 1]) == 24


# ---- components and shapes


def test_separate_tasks_make_a_block_of_good_proportions() -> None:
    found = layout(shape(independent(1_000)))
    left, top, right, bottom = found.bounds()
    assert 1.2 < (right - left) / (bottom - top) < 2.0


def test_a_lone_task_stands_below_and_not_behind() -> None:
    found = drawn("ab bc cd be", more="z")
    assert at(found, "z")[0] == at(found, "a")[0]
    assert at(found, "z")[1] > max(at(found, name)[1] for name in "abcde")


def test_a_thousand_tasks_between_two_are_folded_to_a_block() -> None:
    middle = [f"t{number}" for number in range(1_000)]
    edges = [("first", one) for one in middle] + [(one, "last") for one in middle]
    found = layout(LayoutGraph.of_pairs(["first", *middle, "last"], edges))
    left, top, right, bottom = found.bounds()
    assert 0.8 < (right - left) / (bottom - top) < 3.0
    assert len(found.bends.owner) < 100


def test_ten_thousand_parents_cost_no_more_passages_than_ranks() -> None:
    parents = [f"t{number}" for number in range(10_000)]
    edges = [(one, "last") for one in parents] + [("t0", "next"), ("next", "far"), ("far", "last")]
    found = layout(LayoutGraph.of_pairs([*parents, "next", "far", "last"], edges))
    assert len(found.bends.owner) <= len(found.lines)


def test_a_deep_chain_needs_no_recursion() -> None:
    found = layout(shape(chain(20_000)))
    assert found.ranks.tolist() == list(range(20_000))
    assert np.unique(found.positions[:, 1]).size == 1


def test_layers_stay_layers() -> None:
    found = layout(shape(layered(10, 30)))
    assert len(found.lines) <= 12


# ---- going on


def test_a_task_put_between_two_pushes_only_what_follows_without_slack() -> None:
    before = drawn("ab bc xy yz", more="n")
    after = layout(
        LayoutGraph.of_pairs(
            before.graph.ids, [("a", "b"), ("b", "c"), ("x", "y"), ("y", "z"), ("a", "n"), ("n", "b")]
        ),
        previous=before,
    )
    assert [at(after, name) for name in "axyz"] == [at(before, name) for name in "axyz"]
    assert [after.ranks[after.row(number)] for number in range(3)] == [0, 2, 3]


def test_a_task_put_between_two_that_leave_no_room_stands_halfway_beside_them() -> None:
    before = drawn("ab bc")
    pinned = {1: at(before, "b")}
    found = drawn("ad db bc", previous=before, pinned=pinned)
    assert [at(found, one) for one in "abc"] == [at(before, one) for one in "abc"]
    x, y = at(found, "d")
    assert at(before, "a")[0] < x < at(before, "b")[0], "behind its child, the line would run back below the boxes"
    assert abs(y - at(before, "a")[1]) >= 64
    assert at(drawn("ad db bc", previous=found, pinned=pinned), "d") == (x, y)


def test_a_new_task_before_everything_gets_a_rank_in_front() -> None:
    before = drawn("bc cd")
    graph = before.graph
    with_one = LayoutGraph(np.append(graph.numbers, 7), (*graph.ids, "n"), np.vstack([graph.edges, [[3, 0]]]))
    after = layout(with_one, previous=before)
    assert after.ranks.tolist() == [1, 2, 3, 0]
    assert after.positions[:3].tolist() == before.positions.tolist()
    assert after.position(7)[0] == before.position(0)[0] - 232


def test_numbers_join_layouts_though_rows_change() -> None:
    tasks = tuple(Task(id=name, call="noop") for name in "abc")
    graph = Graph()
    graph.extend(tasks)
    graph.connect([Dependency(parent="a", child="b"), Dependency(parent="b", child="c")])
    before = layout(LayoutGraph.of(graph))
    graph.remove_task(graph.place["a"])
    after = layout(LayoutGraph.of(graph), previous=before)
    assert after.graph.numbers.tolist() == [1, 2]
    assert [after.position(number) for number in (1, 2)] == [before.position(number) for number in (1, 2)]
    assert 0 not in after
    with pytest.raises(KeyError):
        after.position(0)


def test_a_new_part_stands_below_what_was_there() -> None:
    before = drawn("ab bc")
    after = drawn("ab bc xy yz", previous=before)
    assert after.positions[:3].tolist() == before.positions.tolist()
    assert all(at(after, name)[1] > 64 for name in "xyz")
    assert after.ranks.tolist() == [0, 1, 2, 0, 1, 2]


def test_many_new_children_of_one_task_do_not_pile_up_in_one_rank() -> None:
    found = drawn("ab")
    for count in range(2, 60):
        ids = ["a", *(f"t{number}" for number in range(1, count + 1))]
        found = layout(LayoutGraph.of_pairs(ids, [("a", one) for one in ids[1:]]), previous=found)
    left, top, right, bottom = found.bounds()
    assert (right - left) / (bottom - top) > 0.5
    assert (found.ranks[1:] > found.ranks[0]).all()


def test_a_crowded_rank_makes_room_where_the_new_task_belongs() -> None:
    ids = [f"{side}{number}" for side in "pc" for number in range(24)]
    edges = [(f"p{number}", f"c{number}") for number in range(24)]
    edges += [("r", f"p{number}") for number in range(24)] + [(f"c{number}", "s") for number in range(24)]
    before = layout(LayoutGraph.of_pairs(["r", "s", *ids], edges))
    more = [*edges, ("p9", "n"), ("n", "s")]
    after = layout(LayoutGraph.of_pairs(["r", "s", *ids, "n"], more), previous=before)
    assert abs(at(after, "n")[1] - at(after, "p9")[1]) <= 80
    assert at(after, "n")[0] == at(after, "c9")[0]
    others = [row for row, id in enumerate(after.graph.ids) if id[0] in "prs"]
    assert after.positions[others].tolist() == before.positions[others].tolist()
    moved = (after.positions[:-1] != before.positions).any(axis=1)
    assert 0 < moved.sum() <= 12  # the shorter way out of the rank


def test_turning_the_direction_lays_out_anew() -> None:
    before = drawn("ab bc")
    after = drawn("ab bc", direction=Direction.DOWN, previous=before)
    assert after.positions.tolist() == drawn("ab bc", direction=Direction.DOWN).positions.tolist()


def test_when_nothing_is_left_of_what_was_there_everything_is_laid_out_anew() -> None:
    before = drawn("ab bc")
    other = LayoutGraph(np.asarray([7, 8]), ("x", "y"), np.asarray([[0, 1]]))
    after = layout(other, previous=before)
    assert after.positions.tolist() == layout(other).positions.tolist()


def test_a_box_that_grew_pushes_its_neighbour_and_nothing_else() -> None:
    before = drawn("ab ac ad be ce de")
    grown = drawn("ab ac ad be ce de", previous=before, sizes={1: (192.0, 100.0)})
    assert at(grown, "b") == at(before, "b")
    assert [at(grown, name) for name in "ade"] == [at(before, name) for name in "ade"]
    assert at(grown, "c") != at(before, "c")


# ---- pinned


def test_what_the_user_moved_stays_and_its_edges_follow() -> None:
    before = drawn("ab bc cd ad")
    pinned = {1: (900.5, 333.25)}
    after = drawn("ab bc cd ad", previous=before, pinned=pinned)
    assert at(after, "b") == (900.5, 333.25)
    assert after.pinned.tolist() == [False, True, False, False]
    assert [at(after, name) for name in "acd"] == [at(before, name) for name in "acd"]
    assert after.routes.of(0)[-1].tolist() == [900.5 - 96, 333.25]


def test_what_a_pinned_box_covers_gives_way() -> None:
    before = drawn("ab bc")
    after = drawn("ab bc", previous=before, pinned={0: at(before, "b")})
    assert at(after, "a") == at(before, "b")
    assert at(after, "b")[0] == at(before, "b")[0]
    assert abs(at(after, "b")[1] - at(before, "b")[1]) == 80


def test_a_child_of_a_pinned_task_comes_after_where_that_stands() -> None:
    before = drawn("ab", pinned={1: (1000.0, 0.0)})
    after = drawn("ab bc", previous=before, pinned={1: (1000.0, 0.0)})
    assert at(after, "c")[0] > 1000.0


@pytest.mark.parametrize("along", [20.0, 116.0, 130.0, 250.0, 381.0, 700.0, 5000.0])
def test_a_new_child_is_clear_of_a_parent_that_was_put_beside_the_middle_of_a_rank(along: float) -> None:
    pinned = {0: (-100.0, 300.0), 1: (along, 200.0)}
    before = drawn("ab", pinned=pinned)
    child = drawn("ab bc", previous=before, pinned=pinned)
    assert 10 <= at(child, "c")[0] - along - 192.0 < 300, "behind it, and not far"
    more = drawn("ab bc cd", previous=child, pinned=pinned)
    assert at(more, "d")[0] >= at(more, "c")[0] + 192.0


def test_a_new_parent_is_clear_of_a_child_that_was_put_beside_the_middle_of_a_rank() -> None:
    pinned = {0: (96.0, 0.0), 1: (500.0, 200.0)}
    before = drawn("ab", pinned=pinned)
    after = drawn("ab cb", previous=before, pinned=pinned)
    assert at(after, "c")[0] <= 500.0 - 192.0 - 10


def test_between_a_task_and_one_put_in_front_of_it_a_new_one_comes_after_its_parent() -> None:
    before = drawn("cd", more="ab")
    after = drawn("cd ae eb", previous=before, pinned={1: (-126.0, 0.0)})
    assert at(after, "e")[0] > at(after, "a")[0]


def test_unpinned_again_it_stays_where_it_was_put() -> None:
    before = drawn("ab bc", pinned={1: (500.0, 300.0)})
    assert at(drawn("ab bc", previous=before), "b") == (500.0, 300.0)


def test_numbers_that_are_not_there_are_ignored() -> None:
    assert (
        drawn("ab", pinned={99: (0.0, 0.0)}, sizes={77: (1.0, 1.0)}).positions.tolist()
        == drawn("ab").positions.tolist()
    )


# ---- trouble


def test_it_stops_soon_after_it_is_told_to() -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 5

    with pytest.raises(LayoutStopped, match="stopped before it was done"):
        layout(shape(layered(20, 20)), should_stop=stop)
    assert asked < 20


def test_a_warm_layout_stops_too() -> None:
    before = drawn("ab bc")
    with pytest.raises(LayoutStopped):
        drawn("ab bc cd", previous=before, should_stop=lambda: True)


def test_a_cycle_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="around 'a' form a cycle"):
        drawn("ab bc ca")


def test_wrong_graphs_are_refused() -> None:
    with pytest.raises(ValueError, match="stands twice"):
        LayoutGraph.of_pairs(["a", "a"], [])
    with pytest.raises(ValueError, match="names the node 'b'"):
        LayoutGraph.of_pairs(["a"], [("a", "b")])


def test_a_layout_cannot_be_changed() -> None:
    found = drawn("ab")
    with pytest.raises(ValueError, match="read-only"):
        found.positions[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        found.routes.points[0] = 0
