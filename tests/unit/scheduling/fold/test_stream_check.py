"""The fold that believes nothing: what no scheduler can have decided is named, and nothing of it becomes a fact.

That every stream a scheduler makes passes is shown by `tests.driver.Driver`, which folds all of them so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace
from tests.driver import RUN, Driver, as_journalled, edge, plan, task

from starloom import events as ev
from starloom.constellation.edits import AddDependency, AddTask, RemoveTask
from starloom.journal.forms import KINDS
from starloom.model.status import RunState, TaskStatus
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.fold.stream_check import ImpossibleEvent, StreamCheck, checked_fold
from starloom.scheduling.fold.stream_rules import RULES
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from collections.abc import Sequence

NAN, INFINITE = float("nan"), float("inf")


def story() -> list[ev.Event]:
    """A run of two chained tasks, one of which is retried, and a third that waits; it has not ended."""
    driver = Driver(slots=2, checked=False)
    driver.create(plan([task("a", retry=2), "b", "c"], ["a>b"]))
    driver.fail("a")
    driver.advance(30.0)
    driver.end("a")
    return [as_journalled(event) for event in driver.events if event.run_id == RUN]


def after(stream: Sequence[ev.Event]) -> StreamCheck:
    """The check of a stream that has passed so far."""
    check = StreamCheck(FoldedRun(RUN))
    check.fold(stream)
    return check


def test_every_kind_of_event_that_is_journalled_says_its_rule() -> None:
    assert set(RULES) == set(KINDS.values())


def test_a_stream_of_a_scheduler_comes_to_the_same_facts_as_without_the_check() -> None:
    stream = story()
    assert checked_fold(FoldedRun(RUN), stream).run.canonical() == fold(FoldedRun(RUN), stream).run.canonical()


@pytest.mark.parametrize("answer", [None, 7, "the id of a stepped task"])
def test_an_answer_may_be_a_revision_an_id_or_none(answer: int | str | None) -> None:
    checked_fold(FoldedRun(""), [ev.CommandAnswered(1, 0.0, "", command_id="c", answer=answer)])


def test_an_answer_is_no_revision_below_none() -> None:
    with pytest.raises(ImpossibleEvent, match="answer is -1"):
        checked_fold(FoldedRun(""), [ev.CommandAnswered(1, 0.0, "", command_id="c", answer=-1)])


FORGED: dict[str, tuple[type[Any], dict[str, Any], str]] = {
    "a slot beyond those of the device": (ev.TaskStarted, {"slot": 2}, "no slot 2"),
    "a slot of which nobody has so many": (ev.TaskStarted, {"slot": 2**31}, "no slot 2147483648"),
    "a slot below none": (ev.TaskStarted, {"slot": -1}, "slot is -1"),
    "an attempt that is not the next one": (ev.TaskStarted, {"attempt": 3}, "attempt 3 follows"),
    "a device that is not there": (ev.TaskStarted, {"device_id": "gone"}, "there is no 'gone'"),
    "a task that is not there": (ev.TaskReady, {"task_id": "gone"}, "there is no 'gone'"),
    "a task that was ready before its parent had ended": (ev.TaskReady, {"task_id": "b"}, "have not said yes"),
    "an end of a task that does not run": (ev.TaskCompleted, {"task_id": "b"}, "the task is"),
    "an end of an attempt that is over": (ev.TaskCompleted, {"attempt": 1}, "attempt 2 is the one that runs"),
    "a retry that is due never": (ev.TaskRetryScheduled, {"retry_at": NAN}, "nan"),
    "a retry that is due in the past": (ev.TaskRetryScheduled, {"retry_at": -1e9}, "seconds"),
    "a year that no calendar has": (ev.RunCreated, {"wall_time": 1e20}, "wall_time is 1e"),
    "a time that is no number": (ev.RunCreated, {"wall_time": NAN}, "wall_time is nan"),
    "a clock that shows no number": (ev.TaskCompleted, {"at": NAN}, "the time nan"),
    "a clock that shows too much": (ev.TaskCompleted, {"at": 1e20}, "the time 1e"),
    "a clock that goes back": (ev.TaskCompleted, {"at": -5.0}, "the one before of"),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_cannot_have_happened_is_named_and_no_fact_comes_of_it(name: str) -> None:
    kind, fields, why = FORGED[name]
    stream = story()
    places = [number for number, event in enumerate(stream) if type(event) is kind]
    place = places[0] if kind is ev.TaskReady else places[-1]
    before, check = fold(FoldedRun(RUN), stream[:place]).run.canonical(), StreamCheck(FoldedRun(RUN))
    with pytest.raises(ImpossibleEvent, match=why) as refused:
        check.fold([*stream[:place], replace(stream[place], **fields)])
    assert refused.value.number == stream[place].seq
    assert check.folded.run.canonical() == before


def impossible() -> dict[str, Any]:
    """Events that cannot follow the story, without their numbers."""
    return {
        "the same task added twice": ev.ConstellationModified(
            0, 0, RUN, 1, (AddTask(task("n"), 3), AddTask(task("n")))
        ),
        "a task added far beyond the others": ev.ConstellationModified(0, 0, RUN, 1, (AddTask(task("n"), 2**31),)),
        "an edge that closes a circle": ev.ConstellationModified(0, 0, RUN, 1, (AddDependency(edge("c", "c")),)),
        "a task that has ended is removed": ev.ConstellationModified(0, 0, RUN, 1, (RemoveTask("a"),)),
        "a revision is left out": ev.ConstellationModified(0, 0, RUN, 7, (AddTask(task("n"), 3),)),
        "the run is made again": ev.RunCreated(0, 0, RUN),
        "the plan is declared again": ev.TasksDeclared(0, 0, RUN, (task("z"),)),
        "the run ends with open tasks": ev.RunEnded(0, 0, RUN, RunState.COMPLETED),
        "the run goes on though it was never paused": ev.RunResumed(0, 0, RUN),
        "a task that runs is marked": ev.TaskMarked(0, 0, RUN, "b", TaskStatus.COMPLETED),
        "a task is marked as running": ev.TaskMarked(0, 0, RUN, "a", TaskStatus.RUNNING),
        "a task that has completed is cancelled": ev.TaskCancelled(0, 0, RUN, "a"),
        "a priority beyond all": ev.TasksPrioritised(0, 0, RUN, ("a",), 2**40),
        "a device with more slots than there are": ev.DeviceAdded(0, 0, RUN, "e", slots=2**31),
        "a device that is never done": ev.DeviceAdded(0, 0, RUN, "e", speed=NAN),
        "a device that is suspended for ever": ev.BreakerOpened(0, 0, RUN, "d", until=INFINITE),
        "a device that goes while tasks run on it": ev.DeviceRemoved(0, 0, RUN, "d"),
        "others hold more than there is": ev.FleetLoad(0, 0, RUN, {"d": 2**31}),
        "another fleet under the tasks that run": ev.FleetSnapshot(0, 0, RUN, {}),
        "times are moved by what is no number": ev.RunRecovered(0, 0, RUN, 0.0, NAN),
        "an agent answers that is not there": ev.AgentAnswered(0, 0, RUN, 1, "nobody"),
        "an approval is answered that nobody asked for": ev.ApprovalAnswered(0, 0, RUN, 1),
        "a gate is answered that asks nobody": ev.GateAnswered(0, 0, RUN, "c"),
        "a group with a negative limit": ev.LimitsChanged(0, 0, RUN, groups={"g": -1}),
    }


@pytest.mark.parametrize("name", impossible())
def test_what_cannot_follow_is_refused(name: str) -> None:
    stream = story()
    event = replace(impossible()[name], seq=len(stream) + 1, at=stream[-1].at)
    check = after(stream)
    before = check.folded.run.canonical()
    with pytest.raises(ImpossibleEvent):
        check.fold([event])
    assert check.folded.run.canonical() == before


def test_a_slot_that_is_taken_is_not_taken_again() -> None:
    stream = story()
    first = next(event for event in stream if isinstance(event, ev.TaskStarted))
    second = next(event for event in stream if isinstance(event, ev.TaskStarted) and event.slot != first.slot)
    forged = [replace(event, slot=first.slot) if event is second else event for event in stream]
    with pytest.raises(ImpossibleEvent, match="is taken"):
        checked_fold(FoldedRun(RUN), forged)


def test_the_end_says_what_the_run_has_come_to() -> None:
    driver = Driver(checked=False)
    driver.create(plan(["a"]))
    driver.fail("a")
    *stream, end = [as_journalled(event) for event in driver.events if event.run_id == RUN]
    with pytest.raises(ImpossibleEvent, match="has come to failed, not to completed"):
        checked_fold(FoldedRun(RUN), [*stream, replace(end, state=RunState.COMPLETED)])


def test_a_plan_with_a_circle_or_the_same_task_twice_is_none() -> None:
    head = story()[:2]
    kinds = [type(event) for event in head]
    assert kinds == [ev.FleetSnapshot, ev.RunCreated] or ev.RunCreated in kinds
    for tasks, edges in (((task("a"), task("a")), ()), ((task("a"), task("b")), (edge("a", "b"), edge("b", "a")))):
        with pytest.raises(ImpossibleEvent):
            after(head).fold([ev.TasksDeclared(3, head[-1].at, RUN, tasks, edges)])
