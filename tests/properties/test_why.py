"""`why` and the stall event agree with what dispatch does, in every state a random history leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st
from tests.driver import Driver
from tests.properties.test_scheduler import DEVICES, GROUPS
from tests.properties.test_scheduler_agents import AgentWalk
from typing_extensions import override

from starloom.model.status import Breaker, RunState
from starloom.scheduling import commands as c
from starloom.scheduling import stimuli
from starloom.scheduling.read.why import why
from starloom.scheduling.state.codes import PENDING, RUNNING, STATUS_OF, WAITING

if TYPE_CHECKING:
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.turn import Turn


class Questioner(Driver):
    """A driver that asks about every task after every turn."""

    @override
    def turn(self, *stimuli: Any) -> Turn:
        turn = super().turn(*stimuli)
        for index in self.scheduler.by_number.values():
            for number in index.run.graph.place.values():
                self._ask_about(index, number)
            self._ask_whether_it_sits(index)
        return turn

    def _ask_about(self, index: RunIndex, number: int) -> None:
        run, scheduler = index.run, self.scheduler
        code = run.status[number]
        reasons = why(scheduler, index, number)
        story = f"{run.run_id}/{run.graph.ids[number]} is {STATUS_OF[code]}: {[reason.code for reason in reasons]}"
        blocking = [reason for reason in reasons if reason.blocks]
        assert all(reason.code and reason.text for reason in reasons), story
        if code == WAITING:
            assert any(reason.code == "waiting_for" for reason in blocking), story
        elif code == PENDING:
            waits = index.by_rank and scheduler.fleet.running > 0
            assert blocking or (waits and [reason.code for reason in reasons] == ["in_line"]), story
        else:
            assert reasons, story
            assert not blocking, story

    def _ask_whether_it_sits(self, index: RunIndex) -> None:
        """With nothing running anywhere, nothing due and no device on its way, a run must say that it cannot go on."""
        run, fleet = index.run, self.scheduler.fleet
        assert not (run.stalled and run.running), f"{run.run_id} runs and says it cannot go on: {run.stalled}"
        if run.state is not RunState.EXECUTING or not run.open or run.backoff or fleet.running:
            return
        if run.cycles is not None and (run.cycles.cycle is not None or run.cycles.approval_timeout is not None):
            return  # somebody answers, or the time to do so is up
        if any(run.gate_due(number) is not None for number in run.gates):
            return  # likewise
        if not any(d.connecting or (d.connected and d.breaker is Breaker.OPEN) for d in fleet.devices.values()):
            assert run.stalled, f"{run.run_id} just sits"


class Crowd(AgentWalk):
    """A walk in which fleet and limits change in the very turn in which attempts end and runs are steered."""

    driver_type = Questioner

    def some_change(self) -> Any:
        dice, run_id, device = self.dice, self.some_run(), self.dice.choice(DEVICES)
        known = device in self.driver.scheduler.fleet.devices
        named: dict[str, Any] = {"device_id": device}
        return dice.choice(
            [
                stimuli.DeviceLostNoticed(device, "gone", self.chance(0.5)),
                stimuli.DeviceConnectedNoticed(device),
                stimuli.DeviceConnectingNoticed(device, 1),
                stimuli.TimePassed(),
                c.SetSlots(**named, slots=dice.choice([0, 1, 3])) if known else c.RemoveDevice(**named),
                dice.choice([c.DrainDevice, c.ResumeDevice, c.DisableDevice, c.EnableDevice, c.RemoveDevice])(**named),
                c.TryDeviceAgain(**named),
                c.SetLimits(max_concurrency=dice.choice([None, 0, 1, 3])),
                c.SetLimits(groups={dice.choice(GROUPS): dice.choice([None, 0, 1])}),
                c.SetRunLimit(run_id=run_id, max_concurrency=dice.choice([None, 0, 1])),
                dice.choice([c.PauseRun, c.ResumeRun, c.CancelRun, c.StartRun])(run_id=run_id),
                self.some_steering(),
                self.some_steering(),
            ]
        )

    @override
    def crowd(self) -> None:
        driver = self.driver
        names = self.dice.sample(list(driver.ordered), min(len(driver.ordered), 3))
        ends: tuple[dict[str, Any], ...] = ({}, {"ok": False}, {"lost": True}, {"stopped": True}, {"faulted": True})
        arrived: list[Any] = [driver.ended(name, run, **self.dice.choice(ends)) for run, name in names]
        arrived += [self.some_change() for _ in range(self.dice.randint(2, 6))]
        self.dice.shuffle(arrived)
        driver.now += self.dice.choice([0, 0, 2])
        driver.turn(*arrived)

    @override
    def step(self) -> None:
        self.crowd() if self.chance(0.4) else super().step()


@given(seed=st.integers(0, 2**32), steps=st.integers(1, 40))
def test_every_task_that_does_not_run_has_a_reason_that_blocks_it_and_no_run_just_sits(seed, steps):
    walk = Crowd(seed)
    for _ in range(steps):
        walk.step()
    walk.finish()


def test_the_questions_are_asked_about_tasks_of_every_status():
    """A property over states that never come up would prove nothing."""
    seen: set[int] = set()
    for seed in range(3):
        walk = Crowd(seed)
        for _ in range(100):
            walk.step()
            for index in walk.driver.scheduler.by_number.values():
                seen.update(index.run.status)
    assert {WAITING, PENDING, RUNNING} < seen
