"""Reservations: who is refused what, in which words, until when, and what goes on all the same."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.driver import Driver, plan, task
from tests.unit.scheduling.decide.optimistic import CHAIN, NEXT, SLOW, answer, cycles, driving, timeout_of

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.errors import CommandRefused
from starloom.foresight.projection import project
from starloom.scheduling import commands as c
from starloom.scheduling.decide.questions import refusal
from starloom.scheduling.decide.reservations import check_cancel_all
from starloom.scheduling.fork import Fork
from starloom.scheduling.reservation_commands import BreakReservation, ReleaseReservation, Reserve

LAB: dict[str, Any] = {"device_id": "lab-2"}
RUN: dict[str, Any] = {"run_id": "r"}
FLEET: dict[str, Any] = {}


def lab() -> Driver:
    """A run on two devices of one slot each, on which two of its three tasks run."""
    driver = Driver(devices=("lab-1", "lab-2"), slots=1)
    driver.create(plan(["a", "b", "c"]))
    return driver


def reserve(driver: Driver, target: dict[str, Any], origin: str = "ada", seconds: float = 60.0, **more: Any) -> None:
    driver.do(Reserve(**target, origin=origin, seconds=seconds, **({"reason": "centrifuge under repair."} | more)))


def said(driver: Driver, command: c.Command) -> str:
    """The sentence with which a command is refused, as it was foreseen."""
    driver.turn()
    foreseen = refusal(driver.scheduler, command)
    with pytest.raises(CommandRefused) as refused:
        driver.do(command)
    assert foreseen is not None
    assert str(refused.value) == str(foreseen)
    return str(refused.value)


# ---- who is refused what


@pytest.mark.parametrize(
    "command",
    [
        c.DrainDevice(device_id="lab-2", origin="bob"),
        c.SetSlots(device_id="lab-2", slots=3, origin="operator"),
        c.TryDeviceAgain(device_id="lab-2", origin="bob"),
        c.DisableDevice(device_id="lab-2", origin="bob"),
        c.RemoveDevice(device_id="lab-2", origin="bob"),
        ReleaseReservation(device_id="lab-2", origin="bob"),
        Reserve(device_id="lab-2", origin="bob", seconds=1, reason="mine"),
    ],
    ids=lambda command: type(command).__name__,
)
def test_commands_of_others_about_a_reserved_device_are_refused(command: c.Command) -> None:
    driver = lab()
    reserve(driver, LAB)
    driver.advance(15)
    assert said(driver, command) == (
        "Device 'lab-2' is reserved by ada for another 45s: centrifuge under repair. "
        "Ask ada, wait until then, or break the reservation."
    )
    driver.do(c.DrainDevice(device_id="lab-1", origin="bob"))
    driver.do(c.DrainDevice(device_id="lab-2", origin="ada"))


@pytest.mark.parametrize(
    "command",
    [
        c.PauseRun(run_id="r"),
        c.CancelRun(run_id="r", origin="bob"),
        c.SetRunLimit(run_id="r", max_concurrency=1, origin="bob"),
        c.CancelTasks(run_id="r", task_ids=("a",), origin="bob"),
        c.PinTasks(run_id="r", task_ids=("c",), device_id="lab-2", origin="bob"),
        c.AttachAgent(run_id="r", agent="x", origin="bob"),
        c.EditConstellation(run_id="r", batch=ed.EditBatch(edits=(ed.RemoveTask("c"),), origin="bob"), origin="ada"),
    ],
    ids=lambda command: type(command).__name__,
)
def test_commands_of_others_about_a_reserved_run_are_refused(command: c.Command) -> None:
    driver = lab()
    reserve(driver, RUN, reason="we look at c")
    assert said(driver, command).startswith("The run 'r' is reserved by ada for another 1m: we look at c. Ask ada")
    driver.create(plan(["a"]), "other")
    driver.do(c.PauseRun(run_id="other", origin="bob"))
    driver.do(c.PauseRun(run_id="r", origin="ada"))


def test_the_fleet_is_its_limits_and_the_devices_that_have_no_reservation_of_their_own() -> None:
    driver = lab()
    reserve(driver, LAB, "bob", 50)
    reserve(driver, FLEET)
    assert "The fleet is reserved by ada" in said(driver, c.SetLimits(max_concurrency=1, origin="bob"))
    assert "The fleet is reserved by ada" in said(driver, c.DrainDevice(device_id="lab-1", origin="bob"))
    assert "The fleet is reserved" in said(driver, Reserve(device_id="lab-1", origin="bob", seconds=1, reason="why"))
    assert "'lab-2' is reserved by bob" in said(driver, c.DrainDevice(device_id="lab-2", origin="ada"))
    with pytest.raises(CommandRefused, match="The fleet is reserved by ada"):
        driver.do(c.AddDevice(device_id="mine", kind="local", origin="bob"))
    driver.do(c.DrainDevice(device_id="lab-2", origin="bob"))
    driver.do(c.PauseRun(run_id="r", origin="bob"))
    driver.advance(50)
    assert "The fleet is reserved by ada" in said(driver, c.ResumeDevice(device_id="lab-2", origin="bob"))


def test_what_the_engine_and_plans_bring_is_not_refused() -> None:
    driver = lab()
    for target in (FLEET, LAB, RUN):
        reserve(driver, target)
    driver.do(c.AddDevice(device_id="of a plan", kind="local", origin=""))
    driver.do(c.RemoveDevice(device_id="of a plan", origin="engine"))
    driver.do(c.SetLimits(max_queue=3, origin="settings"))
    driver.create(plan(["a"]), "other", origin="bob")
    with pytest.raises(CommandRefused, match="reserved by ada"):
        check_cancel_all(driver.scheduler, "bob")
    check_cancel_all(driver.scheduler, "ada")
    driver.do(c.CloseAdmission(cancel_queued=True, cancel_running=True, origin="shutdown"))
    assert driver.run().cancel_requested


# ---- what goes on


def test_tasks_go_on_but_none_starts_on_a_reserved_device() -> None:
    driver = lab()
    for target in (FLEET, LAB, RUN):
        reserve(driver, target)
    on_lab_2 = next(start.task_id for start in driver.ordered.values() if start.device_id == "lab-2")
    driver.end(on_lab_2)
    assert driver.status("c") == "pending"
    driver.ask(c.PinTasks, "c", device_id="lab-2", origin="ada")
    (reason,) = driver.why("c")
    assert reason.text == "No device takes it now: lab-2 is reserved by ada for another 1m: centrifuge under repair."
    assert reason.remedy == "Wait until the reservation ends; its holder can end it, others can break it."
    driver.end("a" if on_lab_2 == "b" else "b")
    assert not driver.of(ev.RunStalled), "it goes on by itself"
    driver.advance(60)
    assert driver.status("c") == "running"


def test_foresight_starts_nothing_there_before_the_reservation_ends() -> None:
    driver = Driver(devices=("lab-2",), slots=1)
    reserve(driver, LAB)
    driver.create(plan([task("a", estimate=10)]))
    projected = project(Fork.of(driver.scheduler), "r")
    assert projected.end == 70.0


def test_edits_of_agents_are_refused_whoever_has_reserved_the_run_and_the_run_goes_on() -> None:
    driver = driving(CHAIN, fence=None, x={})
    reserve(driver, RUN, "x")
    assert driver.status("b") == "pending"
    answer(driver, "x", SLOW)
    (rejected,) = driver.of(ev.EditRejected)
    assert (rejected.origin, [problem.code for problem in rejected.problems]) == ("x", ["reserved"])
    assert rejected.problems[0].message.startswith("The run 'r' is reserved by x for another 1m")
    assert driver.of(ev.ProposalSettled)[-1].is_accepted is False
    assert (driver.status("b"), timeout_of(driver, "b")) == ("running", None)
    driver.advance(60)
    driver.end("b")
    answer(driver, "x", ed.UpdateTask("c", timeout=60))
    assert timeout_of(driver, "c") == 60


def test_what_an_agent_wants_approved_is_the_holders_to_answer() -> None:
    driver = driving(CHAIN, fence=None, x={"asks": ("update_task",)})
    reserve(driver, RUN)
    answer(driver, "x", SLOW)
    assert "reserved by ada" in said(driver, c.AnswerApproval(run_id="r", approval=1, accept=True, origin="bob"))
    driver.do(c.AnswerApproval(run_id="r", approval=1, accept=True, origin="ada"))
    assert timeout_of(driver, "b") == 60


def test_what_an_agent_has_deferred_is_refused_when_its_time_comes() -> None:
    driver = driving(plan(["a", task("b", retry=2), "c"], ["a>b", "b>c"]), x=NEXT)
    answer(driver, "x", SLOW)
    reserve(driver, RUN)
    driver.fail("b")
    assert (driver.status("b"), timeout_of(driver, "b")) == ("running", None)
    assert cycles(driver).deferrals == {}
    assert driver.of(ev.EditRejected)[-1].problems[0].code == "reserved"


# ---- how it is made and how it ends


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"seconds": 0}, "bad_timeout"),
        ({"seconds": float("nan")}, "bad_timeout"),
        ({"seconds": 1e9}, "bad_timeout"),
        ({"seconds": True}, "bad_timeout"),
        ({"reason": "  "}, "no_reason"),
        ({"reason": 3}, "bad_argument"),
        ({"wall_time": float("inf")}, "bad_argument"),
        ({"device_id": "nobody"}, "unknown_device"),
        ({"run_id": "nobody"}, "unknown_run"),
    ],
)
def test_one_that_makes_no_sense_is_refused(fields: dict[str, Any], code: str) -> None:
    driver = lab()
    given: dict[str, Any] = {"seconds": 1.0, "reason": "why"}
    with pytest.raises(CommandRefused) as refused:
        driver.do(Reserve(**(given | fields)))
    assert refused.value.code == code
    assert not driver.of(ev.ReservationMade)


@pytest.mark.parametrize("target", [LAB, RUN, FLEET])
def test_it_ends_at_its_time_and_not_before(target: dict[str, Any]) -> None:
    driver = lab()
    reserve(driver, target, seconds=10)
    assert driver.turns[-1].rest is not None
    assert driver.turns[-1].rest.wake is not None
    assert driver.turns[-1].rest.wake.at == 10.0
    driver.advance(9.999)
    assert not driver.of(ev.ReservationEnded)
    driver.now = 10.0
    others = c.SetSlots(**target, slots=1, origin="bob") if target is LAB else c.PauseRun(run_id="r", origin="bob")
    driver.do(others)  # in the very turn in which it ends
    ended = driver.of(ev.ReservationEnded)[0]
    assert (ended.at, ended.how, ended.holder, ended.origin) == (10.0, "expired", "ada", "")
    assert "not reserved" in said(driver, ReleaseReservation(**target, origin="ada"))


def test_the_holder_extends_it_and_gives_it_back() -> None:
    driver = lab()
    reserve(driver, LAB, seconds=10)
    driver.advance(5)
    reserve(driver, LAB, seconds=10, reason="longer")
    driver.advance(5)
    assert "for another 5s: longer" in said(driver, c.DrainDevice(device_id="lab-2", origin="bob"))
    driver.do(ReleaseReservation(**LAB, origin="ada"))
    driver.do(c.DrainDevice(device_id="lab-2", origin="bob"))
    assert next((one.how, one.origin) for one in driver.of(ev.ReservationEnded)) == ("released", "ada")


def test_somebody_else_takes_what_has_just_expired() -> None:
    driver = lab()
    reserve(driver, LAB, seconds=10)
    driver.now = 10.0
    reserve(driver, LAB, "bob")
    events: list[Any] = driver.turns[-1].events
    told = [(type(event).__name__, event.origin) for event in events if not event.run_id]
    assert told == [("ReservationEnded", ""), ("ReservationMade", "bob")]


def test_it_is_broken_for_a_reason_which_its_holder_can_read() -> None:
    driver = lab()
    reserve(driver, RUN, reason=" we look\nat it ")
    assert ": we look at it. Ask ada" in said(driver, c.PauseRun(run_id="r", origin="bob"))
    assert said(driver, BreakReservation(**RUN, origin="bob", reason=" ")).startswith("No reason was given.")
    driver.do(BreakReservation(**RUN, origin="bob", reason="it floods\tthe lab"))
    ended = driver.of(ev.ReservationEnded)[0]
    assert (ended.how, ended.holder, ended.origin, ended.reason) == ("broken", "ada", "bob", "it floods the lab")
    assert [event.run_id for event in driver.of(ev.ReservationEnded)] == ["", "r"]
    driver.do(c.PauseRun(run_id="r", origin="bob"))


def test_that_of_a_run_outlives_its_end() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a"]))
    driver.fail("a")
    assert driver.run().state.has_ended
    reserve(driver, RUN)
    assert "reserved by ada" in said(driver, c.RetryTasks(run_id="r", task_ids=("a",), origin="bob"))
    driver.advance(60)
    driver.do(c.RetryTasks(run_id="r", task_ids=("a",), origin="bob"))


# ---- other programs


@pytest.mark.parametrize(
    ("wall_time", "left"),
    [(1_000_000.0, 60.0), (1_000_045.0, 15.0), (999_000.0, 60.0), (1_000_060.0, None), (0.0, 60.0)],
)
def test_it_ends_at_the_same_time_of_day_in_the_next_program(wall_time: float, left: float | None) -> None:
    dead = lab()
    dead.advance(500)
    reserve(dead, LAB, wall_time=1_000_000.0)
    heir = Driver(devices=())
    heir.take_fleet(dead)
    heir.now = 600.0
    heir.do(c.OpenFleet(wall_time=wall_time))
    assert (heir.of(ev.ReservationEnded) != []) == (left is None)
    if left is None:
        return
    heir.add_device("lab-2", slots=1)
    assert "reserved by ada" in said(heir, c.DrainDevice(device_id="lab-2", origin="bob"))
    heir.create(plan(["a"]))
    heir.advance(left - 0.5)
    assert heir.status("a") == "pending"
    heir.advance(0.5)
    assert heir.status("a") == "running"


def test_a_device_that_was_removed_is_still_reserved_when_it_joins_again() -> None:
    driver = Driver(devices=("lab-2",), slots=1)
    reserve(driver, LAB)
    driver.do(c.RemoveDevice(device_id="lab-2", origin="engine"))
    driver.add_device("lab-2", slots=1)
    driver.create(plan(["a"]))
    assert driver.status("a") == "pending"
    driver.do(ReleaseReservation(**LAB, origin="ada"))
    assert driver.status("a") == "running"


def test_an_answer_that_is_kept_says_the_same_again() -> None:
    driver = lab()
    reserve(driver, LAB)
    command = c.DrainDevice(device_id="lab-2", origin="bob", id="once")
    first = said(driver, msgspec.structs.replace(command))
    driver.advance(60)
    with pytest.raises(CommandRefused) as again:
        driver.do(command)
    assert str(again.value) == first
