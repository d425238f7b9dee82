"""What the scheduler says it would refuse is what it refuses, in random states; and asking changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from tests.driver import Driver, plan, task
from tests.properties import draws
from tests.properties.test_scheduler import DEVICES, GROUPS, ORIGINS
from tests.properties.test_scheduler_agents import AgentWalk
from typing_extensions import override

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.errors import CommandRefused, EditRefused
from starloom.scheduling import commands as c
from starloom.scheduling.decide.questions import idle, refusal
from starloom.scheduling.read.line import in_line
from starloom.scheduling.state import stops
from starloom.scheduling.state.codes import PENDING

if TYPE_CHECKING:
    from starloom.scheduling.scheduler import Scheduler

NOT_ASKED_ABOUT = (c.CreateRun, c.AddDevice, c.OpenFleet, c.RecoverRun, c.AnswerEditCycle)


def state(scheduler: Scheduler) -> Any:
    runs = {run_id: (index.run.canonical(), list(index.keys)) for run_id, index in scheduler.runs.items()}
    return msgspec.json.encode([runs, scheduler.fleet.snapshot(), scheduler.rejected], enc_hook=str)


class AskingWalk(AgentWalk):
    """A walk that asks about each command before it gives it."""

    asked = 0

    @override
    def do(self, command: c.Command) -> Any:
        if isinstance(command, NOT_ASKED_ABOUT) or (isinstance(command, c.EditConstellation) and command.is_submission):
            return super().do(command)
        self.asked += 1
        scheduler = self.driver.scheduler
        self.driver.turn()
        before = state(scheduler)
        said = refusal(scheduler, command)
        nothing = idle(scheduler, command) if said is None else ""
        assert state(scheduler) == before, "asking has changed something"
        answer = super().do(command)
        rest = self.driver.turns[-1].rest
        assert rest is not None
        given_answer = rest.replies[-1][1]
        if said is None:
            assert not isinstance(given_answer, CommandRefused), f"{command} would be fine, and was refused"
        else:
            assert isinstance(given_answer, CommandRefused), f"{command} would be refused, and was not"
            assert (said.code, said.reason, said.hint) == (given_answer.code, given_answer.reason, given_answer.hint)
            if isinstance(said, EditRefused):
                assert isinstance(given_answer, EditRefused)
                assert said.problems == given_answer.problems
        if nothing:
            own = [event for event in self.driver.turns[-1].events if not isinstance(event, ev.TaskStarted)]
            assert not own, f"{command} would change nothing ({nothing}), and yet {own}"
        return answer

    @override
    def step(self) -> None:
        super().step()
        self.look_at_the_line()

    def look_at_the_line(self) -> None:
        """Everyone who can start stands in line once, and whoever starts alone was its head."""
        scheduler = self.driver.scheduler
        line, total = in_line(scheduler, self.driver.now, 1_000)
        assert len(line) == total == len({(one.run_id, one.number) for one in line})
        ready = {
            (run_id, number)
            for run_id, index in scheduler.live.items()
            for number in index.run.with_status(PENDING)
            if number not in {*index.run.held, *index.run.backoff, *index.behind} and not stops.is_kept(index, number)
        }
        assert {(one.run_id, one.number) for one in line} == ready

    def commands(self) -> list[c.Command]:
        """Some of each kind that can be asked about."""
        run_id, device = self.some_run(), self.dice.choice([*DEVICES, "nobody"])
        batch = ed.EditBatch(edits=tuple(self.some_edit(run_id) for _ in range(self.dice.randint(0, 3))))
        return [
            self.some_steering(),
            c.EditConstellation(run_id=run_id, batch=batch),
            c.SetRunLimit(run_id=run_id, max_concurrency=self.dice.choice([None, -1, 1])),
            c.SetLimits(groups={self.dice.choice(GROUPS): self.dice.choice([None, -1, 2])}),
            c.SetSlots(device_id=device, slots=self.dice.choice([-1, 0, 2])),
            c.DrainDevice(device_id=device),
            c.EnableDevice(device_id=device),
            c.TryDeviceAgain(device_id=device),
            c.RemoveDevice(device_id=device),
            c.PauseRun(run_id="no such run"),
            draws.some_reservation(self.dice, run_id, device, ORIGINS),
        ]


@given(seed=st.integers(0, 2**32), steps=st.integers(1, 30))
def test_what_would_be_refused_is_refused_with_the_same_words_and_nothing_else_is(seed, steps):
    walk = AskingWalk(seed)
    for _ in range(steps):
        walk.step()
        walk.do(walk.dice.choice(walk.commands()))
    walk.steer_run()
    assert walk.asked


def test_the_line_stands_in_the_order_in_which_tasks_start():
    driver = Driver(slots=1)
    driver.create(plan([task("low", priority=0), task("a"), task("b"), task("high", priority=100)]))
    line, total = in_line(driver.scheduler, driver.now, 2)
    names = [driver.run().graph.ids[one.number] for one in line]
    assert total == 3
    order = []
    for _ in range(3):
        (running,) = driver.ordered
        driver.end(running[1])
        order.append(driver.started()[-1])
    assert names == order[:2]
