"""Folded groups as a shape and a picture: one node each, with bundled edges."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import Driver, edge, task
from tests.gui.canvas.runs import arranged, firmware, group_name, number_of, path_of, pose

from starloom.layout import Direction
from starloom.model.plan import Plan
from starloom.scheduling.state import codes
from starloom_gui.canvas.arranging import FOLDED_NODE, UNFOLDED, Extra, LayoutInput, LayoutOptions, foldable
from starloom_gui.canvas.bundles import summary
from starloom_gui.canvas.render_model import ALWAYS, SUCCESS, GraphRenderModel
from starloom_gui.canvas.words import group_lines
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.stage import Stage

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts

ALL = frozenset({"Build", "Tests", "Lab", "Triage"})


def members(facts: RunFacts, name: str) -> set[int]:
    return {number_of(facts, id) for id in facts.graph.place if group_name(id) == name}


# ---- shapes


def test_nothing_folded_is_the_plain_graph() -> None:
    facts = firmware()
    shape = LayoutInput.of(facts)
    assert len(shape.graph) == len(facts.graph)
    assert not shape.folded
    assert LayoutInput.of(facts, LayoutOptions(folded=frozenset({"no such group"}))).folded == ()


def test_a_folded_group_takes_the_place_of_its_first_task_and_hides_the_others() -> None:
    facts = firmware()
    shape = LayoutInput.of(facts, LayoutOptions(folded=frozenset({"Lab"})))
    lab = members(facts, "Lab")
    assert set(shape.graph.numbers.tolist()) == set(range(len(facts.graph))) - lab | {min(lab)}
    sizes = shape.laid_out().sizes.tolist()
    assert sizes.count(list(FOLDED_NODE)) == 1


def test_edges_of_a_group_are_bundled_and_those_inside_are_gone() -> None:
    facts = firmware()
    shape = LayoutInput.of(facts, LayoutOptions(folded=ALL))
    pairs = [tuple(pair) for pair in shape.graph.edges.tolist()]
    assert len(pairs) == len(set(pairs))
    assert all(parent != child for parent, child in pairs)
    of = {number: (min(members(facts, name)) if (name := group_name(id)) else number) for id, number in place(facts)}
    wanted = {(of[p], of[c]) for c in of for p in facts.graph.parents[c] if of[p] != of[c]}
    assert {(int(shape.graph.numbers[p]), int(shape.graph.numbers[c])) for p, c in pairs} == wanted


def place(facts: RunFacts) -> list[tuple[str, int]]:
    return list(facts.graph.place.items())


def ring() -> RunFacts:
    """Two groups that need each other once they are folded, and a third node between two tasks of one of them."""
    fields: dict[str, Any] = {"a1": "A", "a2": "A", "b1": "B", "b2": "B"}
    tasks = [task(id, metadata={"group": name}) for id, name in fields.items()]
    edges = [edge("a1", "b1"), edge("b1", "a2"), edge("a2", "b2"), edge("a1", "m"), edge("m", "a2"), edge("b2", "end")]
    plan = Plan(name="ring", tasks=(*tasks, task("m"), task("end")), dependencies=tuple(edges))
    return Driver(checked=False).create(plan)


@pytest.mark.parametrize("direction", list(Direction))
def test_groups_that_need_each_other_can_be_folded(direction: Direction) -> None:
    facts = ring()
    shape = LayoutInput.of(facts, LayoutOptions(direction, frozenset({"A", "B"})))
    made = shape.laid_out()
    assert made.graph is shape.graph
    ids = [facts.graph.ids[number] for number in made.graph.numbers.tolist()]
    pairs = {(ids[p], ids[c]): e for e, (p, c) in enumerate(made.graph.edges.tolist())}
    assert set(pairs) == {("a1", "b1"), ("b1", "a1"), ("a1", "m"), ("m", "a1"), ("b1", "end")}
    there, back = (made.routes.of(pairs[pair]) for pair in (("a1", "b1"), ("b1", "a1")))
    assert (there == back[::-1]).all()
    along = 0 if direction is Direction.RIGHT else 1
    assert there[0, along] < there[-1, along]
    assert made.routes.starts[-1] == len(made.routes.points)


def test_folding_moves_nothing_that_need_not_move_and_unfolding_brings_every_task_back() -> None:
    facts = firmware()
    flat = arranged(facts, UNFOLDED).layout
    folded = arranged(facts, LayoutOptions(folded=frozenset({"Triage"})), flat).layout
    lab = min(members(facts, "Triage"))
    assert folded.position(lab) == pytest.approx(flat.position(lab), abs=60)
    others = [n for n in folded.graph.numbers.tolist() if n != lab]
    moved = [n for n in others if folded.position(n) != flat.position(n)]
    assert len(moved) <= 3
    back = arranged(facts, UNFOLDED, folded).layout
    assert set(back.graph.numbers.tolist()) == set(flat.graph.numbers.tolist())
    assert back.sizes.max(axis=0).tolist() == [192.0, 64.0]
    assert [n for n in others if back.position(n) != folded.position(n)] == []


# ---- pictures


def test_a_group_shows_what_is_loudest_in_it() -> None:
    counts = [0] * (StatusForm.WARNED + 1)
    assert summary(counts) == codes.REMOVED
    steps = (codes.SKIPPED, codes.CANCELLED, codes.COMPLETED, codes.WAITING, codes.PENDING, codes.RUNNING, codes.FAILED)
    for code in steps:
        counts[code] = 1
        assert summary(counts) == code


def test_a_followed_picture_is_equal_to_one_made_anew() -> None:
    facts, draw = firmware(), random.Random(5)
    shape = LayoutInput.of(facts, LayoutOptions(folded=frozenset({"Build", "Lab"})))
    picture = GraphRenderModel(facts, shape.laid_out(), shape.folded, shape.bundled)
    ids = list(facts.graph.place)
    for _ in range(80):
        some = draw.sample(ids, 4)
        for id in some:
            pose(facts, id, draw.randrange(codes.REMOVED), device_of="local", priority=draw.randrange(101))
        picture.update(number_of(facts, id) for id in some)
        twin = GraphRenderModel(facts, picture.layout, shape.folded)
        assert all((a == b).all() for a, b in zip(picture.arrays(), twin.arrays(), strict=True))


def test_dependencies_that_are_only_drawn_are_not_counted() -> None:
    facts = firmware()
    options = LayoutOptions(folded=frozenset({"Build", "Lab"}))
    pairs = ((number_of(facts, "compile_hal"), number_of(facts, "soak_lab-b")),)
    drawn = LayoutInput.of(facts, options, Extra(pairs, facts.graph.positions()))
    picture = GraphRenderModel(facts, drawn.laid_out(), drawn.folded, drawn.bundled)
    twin = GraphRenderModel(facts, picture.layout, drawn.folded)
    for id in ("compile_hal", "compile_net", "link_r5", "link_m4"):
        pose(facts, id, codes.COMPLETED)
        picture.update([number_of(facts, id)])
        twin.update([number_of(facts, id)])
    assert all((a == b).all() for a, b in zip(picture.arrays(), twin.arrays(), strict=True))


def test_an_edge_is_satisfied_when_all_it_stands_for_are() -> None:
    facts = firmware()
    for id in ("soak_lab-a", "soak_lab-b", "soak_lab-c"):
        pose(facts, id, codes.WAITING)
    shape = LayoutInput.of(facts, LayoutOptions(folded=frozenset({"Lab"})))
    picture = GraphRenderModel(facts, shape.laid_out(), shape.folded)
    rows = picture.row(number_of(facts, "soak_lab-a")), picture.row(number_of(facts, "collect_logs"))
    bundle = [tuple(pair) for pair in picture.edges.tolist()].index(rows)
    assert picture.kind[bundle] == ALWAYS
    seen = []
    for id in ("soak_lab-a", "soak_lab-b", "soak_lab-c"):
        pose(facts, id, codes.COMPLETED, device_of="local")
        version = picture.answer_version
        picture.update([number_of(facts, id)])
        seen.append((bool(picture.satisfied[bundle]), picture.answer_version > version))
    assert seen == [(False, False), (False, False), (True, True)]
    pose(facts, "soak_lab-b", codes.WAITING)
    picture.update([number_of(facts, "soak_lab-b")])
    assert not picture.satisfied[bundle]


def test_edges_of_several_kinds_are_drawn_as_success() -> None:
    facts = firmware()
    shape = LayoutInput.of(facts, LayoutOptions(folded=frozenset({"Tests", "Triage", "Build"})))
    picture = GraphRenderModel(facts, shape.laid_out(), shape.folded)
    kinds = {}
    for (parent, child), kind in zip(picture.edges.tolist(), picture.kind.tolist(), strict=True):
        kinds[facts.graph.ids[int(picture.numbers[parent])], facts.graph.ids[int(picture.numbers[child])]] = kind
    assert kinds["configure_r5", "lint"] == SUCCESS


def test_a_group_whose_tasks_are_all_removed_is_not_painted_any_more() -> None:
    facts = firmware()
    shape = LayoutInput.of(facts, LayoutOptions(folded=frozenset({"Triage"})))
    picture = GraphRenderModel(facts, shape.laid_out(), shape.folded)
    numbers = sorted(members(facts, "Triage"))
    row = picture.row(numbers[0])
    assert row is not None
    for number in numbers:
        facts.status[number] = codes.REMOVED
    picture.update(numbers)
    assert not picture.present[row]
    assert not picture.linked[(picture.edges == row).any(axis=1)].any()


def test_a_staged_change_inside_a_group_marks_the_group_as_changed() -> None:
    facts = firmware()
    picture = arranged(facts, LayoutOptions(folded=frozenset({"Lab"})))
    number = number_of(facts, "soak_lab-b")
    picture.set_stages({number: Stage.REMOVED})
    row = picture.row(number)
    assert row is not None
    assert picture.stage[row] == Stage.CHANGED


def test_the_critical_path_passes_a_group_once() -> None:
    facts = firmware()
    picture = arranged(facts, LayoutOptions(folded=ALL))
    picture.set_critical_path(path_of(facts))
    names = [facts.graph.ids[int(picture.numbers[row])] for row in picture.path.tolist()]
    assert names == ["sources", "configure_r5", "flash_lab-a", "collect_logs", "report"]
    assert int(picture.critical.sum()) == 4


def test_words_of_a_group_say_what_failed_first() -> None:
    counts = [0] * codes.REMOVED
    counts[codes.COMPLETED], counts[codes.WAITING] = 1200, 34
    assert group_lines(counts) == ("", ["1,200 of 1,234 done", "1,200 of 1,234", "1,200 done"])
    counts[codes.FAILED], counts[codes.RUNNING] = 2, 1
    wrong, rests = group_lines(counts)
    assert wrong == "2 failed"
    of_all = " · 1,200 of 1,237"
    assert rests == [f" · 1 running{of_all} done", f"{of_all} done", of_all, " · 1,200 done"]


def test_groups_that_can_be_folded_have_a_name_and_more_than_one_task() -> None:
    facts = ring()
    assert [group.name for group in foldable(facts)] == ["A", "B"]
