"""Law of followers: at the same event they answer every question as the engine's own scheduler does.

Random histories of several runs on one fleet, with edits, agents, lost devices and programs that die. The questions:
why a task waits, the queue, refusals, what is foreseen, and what would be if.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import few_examples
from tests.properties import draws
from tests.properties.followed import FollowedDriver
from tests.properties.test_scheduler import ORIGINS
from tests.properties.test_scheduler_agents import AgentWalk
from typing_extensions import override

from starloom.constellation.edits import EditBatch
from starloom.journal.base import JournalError
from starloom.journal.fleet_replica import FLEET
from starloom.scheduling import commands as c

if TYPE_CHECKING:
    from tests.driver import Driver

    from starloom.server.engine_replica import EngineReplica


class FollowedWalk(AgentWalk):
    """A walk that is followed from its beginning, and from some later moment on."""

    driver_type = FollowedDriver
    driver: FollowedDriver

    def __init__(self, seed: int) -> None:
        super().__init__(seed, checked=False)
        self.asking = Random(seed)  # questions are drawn apart: they change nothing
        self.driver.join(with_past=True)

    def some_fleet_command(self) -> c.Command:
        """One about limits, a run as a whole, or a device that is there."""
        dice, run_id = self.asking, self.some_run()
        made: list[c.Command] = [
            c.SetLimits(max_concurrency=dice.choice([None, 2, -1])),
            c.SetRunLimit(run_id=run_id, max_concurrency=dice.choice([None, 1])),
            dice.choice([c.StartRun, c.PauseRun, c.ResumeRun, c.CancelRun])(run_id=run_id),
        ]
        made.append(draws.some_reservation(dice, run_id, "d0", ORIGINS))
        for device_id in self.driver.scheduler.fleet.devices:
            kinds = (c.DrainDevice, c.ResumeDevice, c.EnableDevice, c.DisableDevice, c.TryDeviceAgain, c.RemoveDevice)
            made.append(dice.choice(kinds)(device_id=device_id))
            made.append(c.SetSlots(device_id=device_id, slots=dice.choice([0, 1, 4, -1])))
        return dice.choice(made)

    @override
    def step(self) -> None:
        super().step()
        driver, asking = self.driver, self.asking
        if asking.random() < 0.1 and len(driver.followers) < 3:
            driver.join(with_past=False)
        for follower in driver.followers:
            driver.compare_without_hints(follower)
            driver.compare(follower)
        self.dice, drawn = asking, self.dice
        try:
            command, fleet_command = self.some_steering(), self.some_fleet_command()
            edits = tuple(self.some_edit(self.some_run()) for _ in range(asking.randint(1, 2)))
            run_id = self.some_run()
        finally:
            self.dice = drawn
        for follower in driver.followers:
            driver.ask_about(follower, command)
            driver.ask_about(follower, fleet_command)
            driver.ask_about(follower, c.EditConstellation(run_id=run_id, batch=EditBatch(edits=edits)))
            driver.look_back(follower, run_id, asking)
        if asking.random() < 0.15:
            driver.foresee(asking.choice(driver.followers), run_id, edits, command)


@few_examples(20)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 40))
def test_followers_answer_as_the_engine_does_at_the_same_event(seed: int, steps: int) -> None:
    walk = FollowedWalk(seed)
    for _ in range(steps):
        walk.step()


# ---- defects


class Tampering(FollowedDriver):
    """A driver that sends its follower something wrong, once, and what of it.

    Attributes:
        defect: what is wrong.
        after: how many turns are sent as they are.
        is_done: whether it was done.
    """

    defect = ""
    after = 0
    is_done = False
    late: list[bytes]

    @override
    def take_fleet(self, other: Driver) -> None:
        super().take_fleet(other)
        assert isinstance(other, Tampering)
        self.defect, self.after, self.is_done = other.defect, other.after, other.is_done

    @override
    def send(self, follower: EngineReplica, sent: dict[str, list[bytes]]) -> None:
        self.after -= 1
        if self.after >= 0 or self.is_done or not sent or not follower.received:
            super().send(follower, sent)
            return
        stream = min(sent)
        known = {one: rows for one, rows in sent.items() if one in follower.received}
        runs = [one for one in follower.received if one and one not in sent]
        if self.defect == "dropped" and known:
            self.is_done = True
            super().send(follower, {one: rows for one, rows in sent.items() if one != stream})
        elif self.defect == "repeated" and known:
            self.is_done = True
            super().send(follower, sent)
            one = min(known)
            follower.head(one, follower.received[one])
            follower.rows(sent[one])
            follower.whole()
        elif self.defect == "wrong run" and stream and runs:
            self.is_done = True
            follower.head(runs[0], follower.received[runs[0]])
            follower.rows(sent[stream])
            follower.whole()
        elif self.defect == "fleet late" and FLEET in sent and len(sent) > 1:
            self.is_done = True
            super().send(follower, {one: rows for one, rows in sent.items() if one != FLEET})
        else:
            super().send(follower, sent)


class TamperingWalk(FollowedWalk):
    driver_type = Tampering
    driver: Tampering


@pytest.mark.parametrize("defect", ["dropped", "repeated", "wrong run", "fleet late"])
def test_a_planted_defect_is_found(defect: str) -> None:
    """By what the follower finds out itself, or by the first question."""
    planted = 0
    for seed in range(200):
        walk = TamperingWalk(seed)
        walk.driver.defect, walk.driver.after = defect, walk.asking.randrange(12)
        try:
            for _ in range(15):
                walk.step()
        except (AssertionError, JournalError, LookupError, ValueError):
            assert walk.driver.is_done, "the law is broken without a defect"
            planted += 1
        else:
            assert not walk.driver.is_done, f"seed {seed}: nobody has found out"
        if planted >= 10:
            return
    raise AssertionError(f"only {planted} histories in which it could be planted")
