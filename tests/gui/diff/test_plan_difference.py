"""What differs between plans: found completely, said in words, and carried over without overwriting anything."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.driver import Driver, edge, plan, task

from starloom.constellation.edits import AddDependency, AddTask, RemoveTask, UpdateTask
from starloom.errors import PlanError
from starloom.model.plan import Limits
from starloom.scheduling import commands
from starloom_gui.diff.plan_difference import FieldChange, carried, difference, plan_of
from starloom_gui.diff.plan_difference_words import Sign, as_text, rows_of

if TYPE_CHECKING:
    from starloom.model.plan import Plan

NAMES = "abcde"
tasks = st.builds(
    lambda id, priority, timeout: task(id, priority=priority, timeout=timeout),
    st.sampled_from(NAMES),
    st.sampled_from([0, 50, 100]),
    st.sampled_from([None, 60.0]),
)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    chosen = {one.id: one for one in draw(st.lists(tasks, max_size=5))}
    pairs = [(p, c) for p in chosen for c in chosen if p < c and draw(st.booleans())]
    return plan(chosen.values(), [edge(p, c, draw(st.sampled_from(["success", "always"]))) for p, c in pairs])


@given(plans(), plans())
def test_a_difference_carried_to_where_it_began_gives_where_it_ended(before: Plan, after: Plan):
    changes = difference(before, after)
    made = carried(changes, before)
    assert not difference(made, after)
    assert {one.id: one for one in made.tasks} == {one.id: one for one in after.tasks}
    assert carried(changes, made) == made, "what is there already is no conflict"
    assert len(rows_of(changes)) == len(changes) - max(0, len(changes.fields) - 1)


@given(plans())
def test_a_plan_does_not_differ_from_itself_in_another_order(one: Plan):
    turned = replace(one, tasks=tuple(reversed(one.tasks)), dependencies=tuple(reversed(one.dependencies)))
    assert not difference(one, turned)


def edited() -> tuple[Plan, Driver]:
    before = plan([task("a"), task("b", timeout=60.0), task("c")], ["a>b", "a>c"])
    driver = Driver(devices=())
    driver.create(before)
    driver.edit(
        UpdateTask("b", timeout=300.0, retry=2),
        RemoveTask("c"),
        AddTask(task("d", command=("make", "all"), device="lab")),
        AddDependency(edge("b", "d", "always")),
    )
    return before, driver


def test_the_edits_of_a_run_are_the_difference_between_its_graph_and_what_it_was_started_from():
    before, driver = edited()
    changes = difference(before, plan_of(driver.run()))
    assert [one.id for one in changes.added] == ["d"]
    assert [one.id for one in changes.removed] == ["c"]
    assert [[field.name for field in one.fields] for one in changes.changed] == [["timeout", "retry"]]
    assert [(one.parent, one.child) for one in changes.connected] == [("b", "d")]
    assert [(one.parent, one.child) for one in changes.disconnected] == [("a", "c")]


def test_it_is_said_in_words_field_by_field():
    before, driver = edited()
    rows = rows_of(difference(before, plan_of(driver.run())))
    assert [(row.sign, row.title) for row in rows] == [
        (Sign.REMOVED, "c"),
        (Sign.ADDED, "d"),
        (Sign.CHANGED, "b"),
        (Sign.REMOVED, "a → c"),
        (Sign.ADDED, "b → d"),
    ]
    text = as_text(rows)
    assert "Task · make all · on lab" in text
    assert "Timeout: 1m → 5m" in text
    assert "Attempts: 1 attempt(s) → 3 attempt(s)" in text
    assert "Dependency · always" in text


def test_what_is_said_names_tasks_and_says_yes_and_no():
    before = plan([task("a", name="build"), task("b"), task("c", name="pack")], ["a>b"])
    after = plan([task("a", name="build"), task("b", breakpoint=True), task("c", name="pack")], ["a>b>always", "b>c"])
    text = as_text(rows_of(difference(before, after)))
    assert "Breakpoint: no → yes" in text
    assert "+ b → pack" in text
    assert "Δ build → b" in text
    assert f"{Sign.REMOVED.value} build → b" in as_text(rows_of(difference(before, plan(after.tasks))))


def test_a_priority_that_was_set_in_the_run_is_one_of_its_plan_and_a_hold_is_not():
    driver = Driver(devices=())
    before = plan(["a", "b"])
    driver.create(before)
    driver.ask(commands.SetPriority, "a", priority=80)
    driver.ask(commands.HoldTasks, "b")
    (changed,) = difference(before, plan_of(driver.run())).changed
    assert (changed.before.id, changed.fields) == ("a", (FieldChange("priority", 50, 80),))
    written = replace(before, tasks=(replace(before.tasks[0], priority=70), before.tasks[1]))
    (changed,) = difference(written, plan_of(driver.run(), written)).changed
    assert changed.fields == (FieldChange("priority", 70, 80),), "as the inspector of the run says it"
    assert carried(difference(before, plan_of(driver.run())), before).tasks[0].priority == 80


def test_a_limit_that_was_set_in_the_run_is_one_of_its_plan():
    driver = Driver(devices=())
    before = replace(plan(["a", "b"]), limits=Limits(max_concurrency=40, groups={"lane": 20}))
    driver.create(before)
    assert plan_of(driver.run()).limits == before.limits
    driver.do(commands.SetRunLimit(run_id="r", max_concurrency=12))
    found = difference(before, plan_of(driver.run(), before))
    assert [change.name for change in found.fields] == ["limits"]
    assert carried(found, before).limits == Limits(max_concurrency=12, groups={"lane": 20})
    driver.do(commands.SetRunLimit(run_id="r", max_concurrency=None))
    assert plan_of(driver.run()).limits == Limits(groups={"lane": 20})


def test_what_the_plan_has_besides_stays_as_it_is():
    before, driver = edited()
    later = replace(before, tasks=(*before.tasks, task("mine")), description="mine")
    made = carried(difference(before, plan_of(driver.run())), later)
    assert [one.id for one in made.tasks] == ["a", "b", "mine", "d"]
    assert made.description == "mine"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (lambda one: replace(one, timeout=90.0) if one.id == "b" else one, "b: its field 'timeout'"),
        (lambda one: replace(one, priority=80) if one.id == "c" else one, "c: it was removed in the run"),
        (lambda one: None if one.id == "b" else one, "b: it was changed in the run"),
    ],
)
def test_what_was_changed_on_both_sides_is_refused_and_named(changed, said: str):
    before, driver = edited()
    kept = [new for new in map(changed, before.tasks) if new is not None]
    ids = {one.id for one in kept}
    links = tuple(one for one in before.dependencies if {one.parent, one.child} <= ids)
    with pytest.raises(PlanError) as refused:
        carried(difference(before, plan_of(driver.run())), replace(before, tasks=tuple(kept), dependencies=links))
    assert said in str(refused.value)


def test_two_edits_that_close_a_cycle_together_are_refused():
    before = plan(["a", "b"])
    changes = difference(before, plan(["a", "b"], ["a>b"]))
    with pytest.raises(PlanError, match="cycle"):
        carried(changes, plan(["a", "b"], ["b>a"]))
