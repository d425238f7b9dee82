"""What a run has and a plan has not: as a difference, and as what is drawn of it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from tests.driver import Driver, edge, plan, task

from starloom.constellation.edits import (
    AddDependency,
    AddTask,
    RemoveDependency,
    RemoveTask,
    UpdateDependency,
    UpdateTask,
)
from starloom.scheduling import commands as c
from starloom.scheduling.state.codes import COMPLETED, RUNNING, WAITING
from starloom_gui.canvas.arranging import UNFOLDED, Extra, LayoutInput
from starloom_gui.canvas.render_model import GraphRenderModel
from starloom_gui.diff.diff_overlay import DiffOverlay
from starloom_gui.diff.plan_difference import difference, plan_of
from starloom_gui.viewmodel.stage import Stage

if TYPE_CHECKING:
    from starloom.model.plan import Plan


def row_of(*ids: str) -> Plan:
    return plan(ids, [f"{parent}>{child}" for parent, child in itertools.pairwise(ids)])


def started(wanted: Plan) -> Driver:
    driver = Driver(slots=1, checked=False)
    driver.create(wanted)
    return driver


def by_id(apart: DiffOverlay) -> tuple[dict[str, Stage], dict[str, Stage]]:
    """The stages of tasks and dependencies, by their ids."""
    ids, ghosts = apart.ghosts.facts.graph.ids, apart.ghosts
    links = {f"{ids[parent]}>{ids[child]}": stage for (parent, child), stage in ghosts.edge_stages.items()}
    return {ids[number]: stage for number, stage in ghosts.stages.items()}, links


def picture_of(apart: DiffOverlay) -> GraphRenderModel:
    """What is drawn, laid out as the canvas does."""
    ghosts = apart.ghosts
    shape = LayoutInput.of(ghosts.facts, UNFOLDED, Extra(ghosts.extra, ghosts.order))
    made = GraphRenderModel(ghosts.facts, shape.laid_out())
    made.set_stages(ghosts.stages, ghosts.edge_stages)
    return made


def test_each_thing_is_marked_by_who_has_it() -> None:
    before = row_of("a", "b", "c", "d")
    driver = started(before)
    driver.edit(
        RemoveTask("d"),
        AddTask(task("new")),
        AddDependency(edge("c", "new")),
        UpdateTask("b", timeout=5),
        UpdateDependency(edge("b", "c", "always")),
    )
    apart = DiffOverlay(driver.run(), before)
    tasks, links = by_id(apart)
    assert tasks == {"d": Stage.REMOVED, "new": Stage.EXTRA, "b": Stage.CHANGED}
    assert links == {"c>d": Stage.REMOVED, "c>new": Stage.EXTRA, "b>c": Stage.CHANGED}
    assert apart.ghosts.facts.graph.place["d"] == driver.run().graph.ids.index("d"), "it is where it stood"
    assert apart.ghosts.lent == frozenset()
    gone = driver.run().graph.ids.index("d")
    assert apart.follow(driver.run(), {gone})
    assert apart.ghosts.facts.status[gone] == WAITING, "it stays to be seen"
    assert len(picture_of(apart).numbers) == 5


def test_it_can_be_compared_whatever_has_started_or_ended() -> None:
    driver = started(row_of("a", "b"))
    driver.end("a")
    driver.do(c.CancelRun(run_id="r"))
    apart = DiffOverlay(driver.run(), row_of("other", "a", "new"))
    tasks, links = by_id(apart)
    assert tasks == {"b": Stage.EXTRA, "other": Stage.REMOVED, "new": Stage.REMOVED}
    assert links == {"a>b": Stage.EXTRA, "other>a": Stage.REMOVED, "a>new": Stage.REMOVED}
    facts, run = apart.ghosts.facts, driver.run()
    assert facts.status[0] == run.status[0] == COMPLETED
    assert {facts.status[facts.graph.place[id]] for id in ("other", "new")} == {WAITING}
    assert apart.ghosts.lent == {2, 3}
    assert len(run.graph) == len(run.status) == 2, "the run is not touched"


def test_what_leads_round_in_a_circle_together_is_drawn_all_the_same() -> None:
    before = plan(["a", "b", "c", "x"], ["a>b", "b>c", "a>x"])
    driver = started(before)
    driver.edit(RemoveDependency("a", "b"), RemoveDependency("b", "c"), AddDependency(edge("c", "b")))
    after = plan(["a", "b", "c", "x", "y"], ["a>b", "b>c", "c>y", "y>x", "a>x"])
    apart = DiffOverlay(driver.run(), after)
    _, links = by_id(apart)
    assert links == {
        "a>b": Stage.REMOVED,
        "b>c": Stage.REMOVED,
        "c>y": Stage.REMOVED,
        "y>x": Stage.REMOVED,
        "c>b": Stage.EXTRA,
    }
    picture = picture_of(apart)
    drawn = {f"{picture.layout.graph.ids[p]}>{picture.layout.graph.ids[c]}" for p, c in picture.edges.tolist()}
    assert drawn == {*links, "a>x"}
    assert (picture.edge_stage > 0).sum() == len(links)


def test_dependencies_that_only_the_plan_has_keep_their_kind() -> None:
    before = plan(["a", "b"], [edge("a", "b", "always")])
    driver = started(before)
    driver.edit(RemoveDependency("a", "b"))
    graph = DiffOverlay(driver.run(), before).ghosts.facts.graph
    assert str(graph.dependency(0, 1).kind) == "always"


def test_it_follows_what_becomes_of_the_tasks_until_the_graph_is_another_one() -> None:
    before = row_of("a", "b")
    driver = started(before)
    driver.edit(AddTask(task("new")))
    apart = DiffOverlay(driver.run(), row_of("a", "b", "more"))
    driver.end("a")
    assert apart.follow(driver.run(), {0, 1, 2, 3, 99}), "numbers the run does not have are passed over"
    assert list(apart.ghosts.facts.status[:2]) == [COMPLETED, RUNNING]
    driver.edit(AddTask(task("another")))
    driver.end("b")
    assert not apart.follow(driver.run(), {1, 3})
    assert apart.ghosts.facts.status[1] == COMPLETED, "what is known of is followed all the same"
    assert apart.ghosts.facts.graph.ids[3] == "more"
    assert apart.ghosts.facts.status[3] == WAITING, "what the run has under a lent number is another task"


def test_a_run_like_its_plan_has_no_ghosts() -> None:
    wanted = row_of("a", "b")
    apart = DiffOverlay(started(wanted).run(), wanted)
    assert len(apart.found) == 0
    assert by_id(apart) == ({}, {})


def test_the_plan_of_a_run_is_the_same_whatever_it_is_made_like() -> None:
    before = plan(["a", "b", "c", "d"], ["a>b", edge("b", "c", "always"), "c>d", edge("a", "d", condition="value.ok")])
    driver = started(before)
    driver.edit(
        UpdateDependency(edge("a", "b", "always")), UpdateDependency(edge("b", "c")), AddDependency(edge("b", "d"))
    )
    whole = plan_of(driver.run())
    assert plan_of(driver.run(), before) == whole
    assert plan_of(driver.run(), row_of("a", "b", "c", "d")) == whole
    assert len(difference(whole, plan_of(driver.run(), whole))) == 0
