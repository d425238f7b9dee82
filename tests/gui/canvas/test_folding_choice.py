"""What is folded in a large graph: a picture of few nodes that fills a canvas, by groups or by levels and names."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.driver import Driver, plan, task
from tests.montage import montage
from tests.traces import TRACES, needs_traces

from starloom.formats import load_plan
from starloom.layout import Direction, LayoutStopped
from starloom.testing import chain, independent, layered
from starloom_gui.canvas.arranging import LayoutInput, LayoutOptions, foldable
from starloom_gui.canvas.folding_choice import MOST_NODES, FoldBy, Folded, FoldingInput, folded_by
from starloom_gui.canvas.render_model import GraphRenderModel

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.model.plan import Plan
    from starloom.scheduling.state.run_facts import RunFacts

PLANS = {
    "montage": montage(1_000),
    "layers": layered(100, 20),
    "independent": independent(500),
    "chain": chain(300),
    "two groups": plan([task(f"{word}{n}") for word in ("load", "save") for n in range(50)]),
    "one group": plan([task(f"load{n}") for n in range(70)]),
}


def facts_of(made: Plan) -> RunFacts:
    return Driver(checked=False).create(made)


def folded(made: Plan, way: FoldBy | None = None, options: LayoutOptions | None = None) -> Folded:
    return FoldingInput.of(facts_of(made), options or LayoutOptions()).by(way)


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("way", [None, FoldBy.LEVEL])
def test_a_large_graph_becomes_few_nodes_that_fill_a_canvas(name: str, way: FoldBy | None) -> None:
    found = folded(PLANS[name], way)
    assert len(found.layout) <= MOST_NODES
    assert found.is_filling


@needs_traces
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name.split("-")[0])
def test_recorded_workflows_become_few_nodes_that_fill_a_canvas(path: Path) -> None:
    found = folded(load_plan(path))
    assert len(found.layout) <= MOST_NODES
    assert found.is_filling


def test_groups_come_first_where_they_make_a_picture() -> None:
    found = folded(PLANS["montage"])
    assert folded_by(found.options) is FoldBy.GROUP
    assert found.options.folded == {
        *("mProject", "mDiffFit", "mConcatFit", "mBgModel", "mBackground", "mImgtbl", "mAdd", "mViewer")
    }


def test_levels_are_folded_where_groups_are_too_many_or_too_few() -> None:
    many = plan([f"{one}{two}job-{n}" for one in "abcdefgh" for two in "abcdefgh" for n in range(2)])
    assert folded_by(folded(many).options) is FoldBy.LEVEL
    assert folded_by(folded(PLANS["layers"]).options) is FoldBy.LEVEL
    assert folded_by(folded(PLANS["one group"]).options) is FoldBy.LEVEL


def test_what_was_asked_for_is_done_whatever_it_looks_like() -> None:
    found = folded(PLANS["one group"], FoldBy.GROUP)
    assert (folded_by(found.options), len(found.layout)) == (FoldBy.GROUP, 1)
    flat = folded(PLANS["one group"], FoldBy.NOTHING)
    assert (folded_by(flat.options), len(flat.layout)) == (FoldBy.NOTHING, 70)


def test_a_choice_is_laid_out_as_the_canvas_would() -> None:
    facts = facts_of(PLANS["layers"])
    found = FoldingInput.of(facts, LayoutOptions(direction=Direction.DOWN)).by(None)
    shape = LayoutInput.of(facts, found.options)
    assert shape.stands_as(found.shape)
    assert (shape.laid_out().positions == found.layout.positions).all()
    picture = GraphRenderModel(facts, found.layout, found.shape.folded)
    assert sum(len(picture.numbers_at(row)) for row in range(len(picture))) == len(facts.graph)


def test_a_choice_can_be_given_up() -> None:
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(LayoutStopped):
        FoldingInput.of(facts_of(PLANS["layers"]), LayoutOptions()).by(None, stopped.is_set)


def test_a_graph_that_is_edited_before_the_thread_reads_it_is_folded_as_it_was() -> None:
    facts = facts_of(PLANS["layers"])
    asked, before = FoldingInput.of(facts, LayoutOptions()), FoldingInput.of(facts, LayoutOptions()).by(None)
    facts.graph.begin()
    facts.graph.remove_task(facts.graph.place[PLANS["layers"].tasks[0].id])
    found = asked.by(None)
    assert len(asked.graph) == len(PLANS["layers"].tasks)
    assert found.shape.stands_as(before.shape)


def test_tasks_that_come_later_are_in_no_section_and_those_that_go_are_left_out() -> None:
    options = folded(PLANS["layers"]).options
    facts = facts_of(replace(PLANS["layers"], tasks=(*PLANS["layers"].tasks, task("late"))))
    late, gone = facts.graph.place["late"], options.sections[0].numbers[0]
    facts.graph.begin()
    facts.graph.remove_task(gone)
    numbers = [number for group in foldable(facts, options) for number in group.numbers]
    assert late not in numbers
    assert gone not in numbers
    shape = LayoutInput.of(facts, options)
    assert late in shape.graph.numbers.tolist()
    assert len(shape.folded) == len(options.sections)


def test_the_generator_makes_as_many_tasks_as_are_wanted() -> None:
    for count in (160, 161, 999, 2_000):
        made = montage(count)
        assert len(made.tasks) == count
        assert len({(one.parent, one.child) for one in made.dependencies}) == len(made.dependencies)
        facts = facts_of(made)
        assert sum(not children for children in facts.graph.children) == 4, "three viewers, and that of all"
