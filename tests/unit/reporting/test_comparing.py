"""Two runs beside each other: what is other in the graph, in how tasks ended, in time, and where they first parted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import RUN, edge, plan, task
from tests.unit.reporting.story import Story, steered

from starloom import events as ev
from starloom.constellation.edits import AddDependency, AddTask, RemoveTask, UpdateTask
from starloom.model.plan import Plan
from starloom.reporting.comparing import Comparison, FieldDifference, OutcomeChange, Parted, Took, compare, divergence
from starloom.reporting.folding import build
from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from starloom.constellation.graph import Graph


def story() -> Story:
    return Story({"d": 2}, plan(["a", "b", "c"], ["a>b", "b>c"]))


def compared(one: Story, other: Story) -> Comparison:
    reports = build(RUN, one.events), build(RUN, other.events)
    return compare(*reports, divergence(one.events, other.events), (graph_of(one), graph_of(other)))


def graph_of(story: Story) -> Graph:
    return story.driver.run().graph


def test_a_run_is_the_same_as_itself() -> None:
    report, graph = build(RUN, steered()), fold(FoldedRun(RUN), steered()).run.graph
    found = compare(report, report, divergence(steered(), steered()), (graph, graph))
    assert found.is_same
    assert found.is_same_graph
    assert found.parted is None
    assert all(one.more == 0 for one in found.took)


def test_what_takes_longer_is_told_and_does_not_make_them_differ() -> None:
    one, other = story(), story()
    for name in "abc":
        one.after(2, name)
        other.after(5 if name == "b" else 2, name)
    found = compared(one, other)
    assert found.is_same
    assert found.parted is None
    assert found.took[0] == Took("b", 2, 5)
    assert found.seconds == (6, 9)


def test_the_graphs_are_told_apart() -> None:
    one, other = story(), story()
    other.driver.edit(RemoveTask("c"), AddTask(task("e")), AddDependency(edge("b", "e", "always")))
    other.driver.edit(UpdateTask("b", priority=90))
    found = compared(one, other)
    assert (found.added, found.removed) == (("e",), ("c",))
    assert found.changed == (FieldDifference("b", "priority", 50, 90),)
    assert (found.connected, found.disconnected) == ((("b", "e", "always"),), (("b", "c", "success"),))
    assert not found.is_same_graph


@pytest.mark.parametrize(
    ("field", "before", "after", "said"),
    [
        ("shell", "echo one", "echo two", ("echo one", "echo two")),
        ("timeout", 5, 60, ("5s", "1m")),
        ("retry", 0, 2, (0, 2)),
        ("env", {"A": "1"}, {"A": "2"}, ({"A": "1"}, {"A": "2"})),
        ("description", "", "nightly", ("", "nightly")),
        ("groups", (), ("db",), ([], ["db"])),
        ("device", None, "d", (None, "d")),
        ("breakpoint", False, True, (False, True)),
    ],
)
def test_every_field_of_a_task_is_compared(field: str, before: object, after: object, said: tuple[object, ...]) -> None:
    def made(value: object) -> Story:
        given = {"shell": "true", field: value}
        return Story({"d": 2}, plan([task("a", **given)]))

    found = compared(made(before), made(after))
    assert found.changed == (FieldDifference("a", field, *said),)
    assert not found.is_same


def test_a_condition_is_a_part_of_its_dependency() -> None:
    def made(least: int) -> Story:
        need = edge("a", "b", "condition", condition=f"value > {least}")
        return Story({"d": 2}, Plan(name="p", tasks=(task("a"), task("b")), dependencies=(need,)))

    found = compared(made(1), made(2))
    assert (found.connected, found.disconnected) == ((("a", "b", "if value > 2"),), (("a", "b", "if value > 1"),))


def test_the_first_step_that_differs_is_found_with_when_it_was() -> None:
    one, other = story(), story()
    one.after(2, "a")
    other.after(3, "a")
    one.after(4, "b")
    other.driver.advance(4)
    other.fail("b")
    found = compared(one, other)
    assert found.ended == (OutcomeChange("b", "completed", "failed"), OutcomeChange("c", "running", "skipped"))
    assert found.parted is not None
    assert (found.parted.before, found.parted.before_s) == ("task completed “b”", 6)
    assert (found.parted.after, found.parted.after_s) == ("task failed “b” with exit 2", 7)


def test_a_run_that_stops_earlier_parts_where_it_stops() -> None:
    one, other = story(), story()
    one.after(2, "a")
    one.after(2, "b")
    other.after(2, "a")
    found = divergence(one.events, other.events)
    assert isinstance(found, Parted)
    assert (found.before[:14], found.after) == ("task completed", "")


def test_the_order_of_what_happens_at_the_same_time_does_not_count() -> None:
    one, other = (Story({"d": 2}, plan(["a", "b"])) for _ in "12")
    one.after(2, "a", "b")
    other.after(2, "b", "a")
    assert divergence(one.events, other.events) is None


def test_an_intervention_is_where_they_part() -> None:
    one, other = story(), story()
    one.after(2, "a")
    other.after(2, "a")
    other.driver.edit(AddTask(task("x")), origin="ada")
    found = compared(one, other)
    assert found.parted is not None
    assert found.parted.after == "constellation modified: added x"


def test_what_one_run_does_at_once_and_the_other_bit_by_bit_is_compared_in_time() -> None:
    many = 10_000
    at_once = [ev.TaskSkipped(number, 0.0, RUN, f"t{number}") for number in range(many)]
    apart = [ev.TaskSkipped(number, float(number), RUN, f"t{number}") for number in range(many)]
    assert divergence(at_once, apart) is None
    assert divergence(apart, at_once) is None


def test_what_is_done_twice_has_to_be_done_twice_by_the_other_too() -> None:
    twice = [ev.TaskSkipped(number, 0.0, RUN, name) for number, name in enumerate("aab")]
    once = [ev.TaskSkipped(number, float(number), RUN, name) for number, name in enumerate("ab")]
    found = divergence(twice, once)
    assert found == Parted(2, "task skipped “a”", 0.0, "", 0.0)
    assert divergence(once, twice) == Parted(2, "", 0.0, "task skipped “a”", 0.0)


def test_how_long_a_run_took_and_when_they_parted_leaves_out_what_it_lay_idle() -> None:
    one, other = story(), story()
    for told, idle in ((one, 1000.0), (other, 0.0)):
        told.after(5)
        told.fail("a")
        told.after(idle)
        told.ask(c.RetryTasks, "a")
        told.after(2, "a")
        told.after(3)
    one.driver.end("b")
    other.fail("b")
    found = compared(one, other)
    assert found.seconds == (10.0, 10.0)
    assert found.parted is not None
    assert (found.parted.before_s, found.parted.after_s) == (10.0, 10.0)
