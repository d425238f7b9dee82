"""Which devices that only act as if have to leave before work begins, and beside which runs it cannot begin."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.driver import RUN, Driver, plan, task

from starloom.model.device import DeviceSpec
from starloom.scheduling import commands as c
from starloom.scheduling.read.pretence import Pretence, pretence
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.read.tasks_to_do import left_to_do
from starloom_gui.documents.acting import Clash, Meeting, meeting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.model.task import Task

ACTING = DeviceSpec(id="bench", kind="simulated", capabilities=frozenset({"gpu"}))
REAL = DeviceSpec(id="here")
WORK = task("a", command=("true",))
PLAY = task("a", simulate=1)


def driver(device: DeviceSpec, *tasks: Task) -> Driver:
    """A run that goes on, of a plan that names a device, in a fleet that has it."""
    made = Driver(devices=())
    made.add_device(device.id, kind=device.kind, slots=1, capabilities=device.capabilities)
    made.create(replace(plan(tasks), name="theirs", devices=(device,)))
    return made


def met(theirs: Driver, named: Sequence[DeviceSpec], tasks: Sequence[Task] | None) -> Meeting:
    return meeting(named, tasks, [theirs.run()], theirs.scheduler.fleet)


@pytest.mark.parametrize(
    "work",
    [
        task("a", simulate=1),
        task("a", command=("true",), device="here"),
        task("a", command=("true",), requires=frozenset({"arm"})),
    ],
    ids=["it only acts as if, too", "it is pinned elsewhere", "it needs what that device cannot do"],
)
def test_work_that_such_a_device_could_not_take_begins_beside_it(work: Task) -> None:
    theirs = driver(ACTING, PLAY)
    assert met(theirs, (), [work]) == Meeting()


def test_work_does_not_begin_beside_a_run_whose_devices_could_take_it() -> None:
    theirs = driver(ACTING, PLAY)
    assert met(theirs, (), [WORK]) == Meeting(Clash.THEIRS, RUN)


def test_work_begins_beside_a_run_whose_device_was_removed() -> None:
    theirs = driver(ACTING, task("a", gate={"message": "Go?"}), task("b", simulate=1))
    theirs.end("b")
    theirs.do(c.RemoveDevice(device_id="bench"))
    assert met(theirs, (), [WORK]) == Meeting()


def test_nor_do_devices_come_that_could_take_what_goes_on() -> None:
    theirs = driver(REAL, WORK)
    assert met(theirs, [ACTING], [PLAY]) == Meeting(Clash.OURS, RUN)


def test_what_both_plans_name_is_meant_by_both() -> None:
    theirs = driver(ACTING, WORK)
    assert met(theirs, [ACTING], [WORK]) == Meeting()


def test_work_that_is_not_known_yet_may_be_anything() -> None:
    theirs = driver(ACTING, PLAY)
    assert met(theirs, (), None).clash is Clash.THEIRS


def test_a_device_of_a_run_that_has_ended_leaves_if_it_could_take_something() -> None:
    theirs = driver(ACTING, PLAY)
    theirs.end("a")
    assert theirs.run().state.has_ended
    assert met(theirs, (), [WORK]) == Meeting(leave=("bench",))
    assert met(theirs, (), [PLAY]) == Meeting()
    assert met(theirs, [ACTING], [WORK]) == Meeting()


def test_a_device_that_the_operator_has_added_stays() -> None:
    theirs = driver(REAL, WORK)
    theirs.add_device(ACTING.id, capabilities=ACTING.capabilities)
    assert met(theirs, (), [WORK]) == Meeting()


def test_nor_does_it_belong_to_a_run_whose_plan_named_no_device_and_that_recorded_the_fleet() -> None:
    theirs = driver(ACTING, PLAY)
    runs, fleet = [theirs.run()], theirs.scheduler.fleet
    assert meeting((), [WORK], runs, fleet, own=("bench",)) == Meeting(), "it is not a device of theirs"
    theirs.end("a")
    assert meeting((), [WORK], runs, fleet, own=("bench",)) == Meeting(), "it does not leave"


def test_real_tasks_that_a_simulated_device_of_the_fleet_could_take_are_counted() -> None:
    fleet = driver(ACTING, PLAY).scheduler.fleet
    elsewhere = task("c", command=("true",), requires=frozenset({"arm"}))
    pinned = task("d", shell="make", device="here")
    made = plan([WORK, task("b", simulate=1), elsewhere, pinned])
    assert pretence(made.tasks, fleet) == Pretence(("bench",), 1)
    assert pretence(made.tasks, fleet, ["bench"]) == Pretence(), "the plan means it, or it leaves before"
    fleet.devices["bench"].draining = True
    assert pretence(made.tasks, fleet) == Pretence(), "it takes nothing new"


def test_of_a_run_only_what_has_not_ended_could_be_taken_and_only_where_it_was_moved_to() -> None:
    going = Driver()
    going.create(plan([WORK, task("b", shell="make"), task("c", shell="make")], ["a>b", "a>c"]))
    going.end("a")
    assert [one.id for one in left_to_do(RunView(going.run()))] == ["b", "c"]
    going = Driver()
    going.create(plan([WORK, task("b", shell="make")], ["a>b"]))
    going.ask(c.PinTasks, "b", device_id="d")
    assert [one.device for one in left_to_do(RunView(going.run()))] == [None, "d"]
