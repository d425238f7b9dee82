"""The slots in a report are those that took tasks or were busy; devices that are gone are told as they were."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import RUN, task
from tests.unit.reporting.story import Story

from starloom.model.plan import Plan
from starloom.reporting.charts import at_once
from starloom.reporting.folding import build
from starloom.reporting.report_presenter import ReportPresenter
from starloom.scheduling import commands as c
from starloom.scheduling import stimuli

if TYPE_CHECKING:
    from starloom.reporting.report import Report


def pair() -> Story:
    """A device of one slot, and tasks of which one runs from the beginning."""
    return Story({"bench": 1}, Plan(tasks=tuple(task(name) for name in ("a", "b", "c"))))


def told(story: Story) -> Report:
    return build(RUN, story.events)


def test_a_device_counts_from_when_it_takes_tasks() -> None:
    story = pair()
    story.after(10.0, "a")
    story.driver.add_device("late", slots=3)
    story.after(10.0, "b")
    story.after(0.0, "c")
    report = told(story)
    assert report.usable == pytest.approx((1 * 10 + 4 * 10) / 20)
    assert report.utilisation == pytest.approx(30 / 50)
    assert "of 2.5, on average" in " ".join(str(one) for one in ReportPresenter(report).numbers)
    assert "up to 4 slots" in at_once(report).body


def test_one_that_is_never_reached_has_no_slots_to_use() -> None:
    story = pair()
    story.driver.add_device("nowhere", slots=8, connected=False)
    for name in "abc":
        story.after(5.0, name)
    report = told(story)
    assert report.usable == pytest.approx(1.0)
    assert report.utilisation == pytest.approx(1.0)
    nowhere = report.devices[1]
    assert (nowhere.id, nowhere.slots, nowhere.utilisation) == ("nowhere", 8, 0.0)
    assert "1 slot" in at_once(report).body


def test_what_runs_on_as_its_device_is_drained_still_uses_its_slot() -> None:
    story = pair()
    story.driver.add_device("other", slots=1)
    story.driver.do(c.DrainDevice(device_id="other"))
    story.after(10.0, "b")
    story.after(10.0, "a")
    story.after(10.0, "c")
    report = told(story)
    assert report.usable == pytest.approx((2 * 10 + 1 * 20) / 30)
    assert report.devices[1].utilisation == pytest.approx(1.0)


def test_one_that_was_removed_is_told_as_it_was() -> None:
    story = pair()
    story.driver.add_device("sim", kind="simulated", slots=2)
    story.after(5.0, "b", "c")
    story.driver.do(c.RemoveDevice(device_id="sim"))
    story.after(5.0, "a")
    report = told(story)
    sim = next(device for device in report.devices if device.id == "sim")
    assert (sim.kind, sim.slots, sim.notes) == ("simulated", 2, ("removed",))
    assert report.usable == pytest.approx((3 * 5 + 1 * 5) / 10)


def test_one_that_has_as_many_slots_as_are_asked_for_counts_as_many_as_were_used() -> None:
    story = Story({}, Plan(tasks=tuple(task(name) for name in "ab")))
    story.driver.add_device("any", slots=None)
    story.after(10.0, "a")
    story.after(10.0, "b")
    report = told(story)
    assert report.devices[0].slots is None
    assert report.usable == pytest.approx(2.0)
    assert report.utilisation == pytest.approx(30 / 40)


def test_what_is_out_of_reach_for_a_while_does_not_count_then() -> None:
    story = pair()
    story.after(10.0, "a", "b", "c")
    assert told(story).usable == pytest.approx(1.0)
    story = Story({"bench": 1, "far": 1}, Plan(tasks=(task("a", device="bench"),)))
    story.after(4.0)
    story.driver.turn(stimuli.DeviceLostNoticed("far", "gone", False))
    story.after(6.0, "a")
    assert told(story).usable == pytest.approx((2 * 4 + 1 * 6) / 10)


def test_a_device_that_is_not_reached_again_is_lost_once() -> None:
    story = Story({"local": 1, "far": 1}, Plan(tasks=(task("a", device="local"),)))
    lost = stimuli.DeviceLostNoticed("far", "gone", False)
    for seconds in (1.0, 2.0, 4.0):
        story.after(seconds)
        story.driver.turn(lost)
        story.driver.turn(stimuli.DeviceConnectingNoticed("far", 2))
    story.driver.turn(stimuli.DeviceConnectedNoticed("far", None))
    story.driver.turn(lost)
    assert [one.at for one in told(story).interventions if one.what == "lost far"] == [1.0, 7.0]


def notes(story: Story) -> tuple[str, ...]:
    (bench,) = (device for device in told(story).devices if device.id == "bench")
    return bench.notes


def test_a_device_that_takes_tasks_again_after_the_run_has_ended_for_a_while_is_not_told_as_drained() -> None:
    story = pair()
    story.after(1.0, "a")
    story.driver.do(c.DrainDevice(device_id="bench"))
    assert notes(story) == ("drained",)
    story.after(1.0, "b")
    story.driver.ask(c.SkipTasks, "c")
    assert story.driver.run().state.has_ended
    assert notes(story) == ("drained",)
    story.driver.do(c.ResumeDevice(device_id="bench"))
    story.driver.do(c.RerunFrom(run_id=RUN, task_id="b"))
    story.after(5.0, "b")
    assert notes(story) == ("drained for a while",)


def test_the_last_of_what_was_done_to_a_device_is_told_last() -> None:
    story = pair()
    for command in (c.DrainDevice, c.ResumeDevice, c.DrainDevice):
        story.driver.do(command(device_id="bench"))
    assert notes(story) == ("resumed", "drained")
