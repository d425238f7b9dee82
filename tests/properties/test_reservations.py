"""Laws of reservations: in every history, others are refused what somebody has reserved, and nobody else is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from tests.properties import draws
from tests.properties.test_scheduler import DEVICES
from tests.properties.test_scheduler_agents import AGENTS, OptimisticWalk
from typing_extensions import override

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.scheduling import commands as c
from starloom.scheduling.reservation_commands import ReservationCommand, Reserve

if TYPE_CHECKING:
    from collections.abc import Sequence

PEOPLE = ("operator", "ada", "bob")
FREE = (c.CreateRun, c.RecoverRun, c.OpenFleet, c.AnswerEditCycle, ReservationCommand)
STEERING = (
    *(ev.ConstellationModified, ev.RunPaused, ev.RunResumed, ev.RunLimitSet, ev.RunHeldOpen, ev.RunCancelRequested),
    *(ev.TasksHeld, ev.TasksReleased, ev.TasksPrioritised, ev.TasksPinned, ev.BreakpointsSet, ev.RunUntilSet),
    *(ev.AgentAttached, ev.AgentPaused, ev.AgentResumed, ev.FenceSet, ev.GateAnswered, ev.RunStepped),
)
ABOUT_DEVICES = (
    *(ev.DeviceDrained, ev.DeviceResumed, ev.DeviceDisabled, ev.DeviceEnabled, ev.DeviceSlotsSet, ev.DeviceRemoved),
)
Target = tuple[str, str]
FLEET: Target = ("", "")


class ReservedWalk(OptimisticWalk):
    """A history in which several people reserve and steer; its reservations are known from its events alone."""

    def __init__(self, seed: int) -> None:
        self.reserved: dict[Target, tuple[str, float, ev.ReservationMade]] = {}
        """Whose reservation it is, until when, and how it began."""
        self.seen = 0
        self.is_dying = False
        super().__init__(seed)

    # ---- the laws

    def holder(self, target: Target, now: float) -> str | None:
        """Who keeps others from it at a time; None: nobody does."""
        for one in (target, FLEET) if target[1] else (target,):
            if one in self.reserved and now < self.reserved[one][1]:
                return self.reserved[one][0]
        return None

    def look(self) -> None:
        """See all events since the last look, in order: nobody else has done anything to what was reserved then."""
        fresh, self.seen = self.driver.events[self.seen :], len(self.driver.events)
        for place, event in enumerate(fresh):
            self.hold_against(event, fresh[place:])
            self.note(event)
        facts = self.driver.scheduler.fleet.reservations
        known = {(target.run_id, target.device_id): (made.holder, made.until) for target, made in facts.items()}
        assert known == {target: made[:2] for target, made in self.reserved.items()}
        assert all(until > self.driver.scheduler.now for _, until, _ in self.reserved.values())

    def note(self, event: ev.Event) -> None:
        """Note what an event of the fleet's stream tells of reservations."""
        if event.run_id:
            return
        if isinstance(event, ev.ReservationMade):
            self.reserved[event.reserved_run, event.device_id] = event.origin, event.until, event
        elif isinstance(event, ev.ReservationEnded):
            holder, until, _ = self.reserved.pop((event.reserved_run, event.device_id))
            assert event.holder == holder
            assert event.how != "expired" or event.at >= until
            assert event.how != "released" or event.origin == holder
        elif isinstance(event, ev.FleetOpened):
            for target, (holder, _, made) in self.reserved.items():
                gone = max(0.0, event.wall_time - made.wall_time) if made.wall_time else 0.0
                self.reserved[target] = holder, event.at - gone + made.until - made.at, made

    def hold_against(self, event: Any, rest: Sequence[ev.Event]) -> None:
        """Hold an event against the reservations there are as it happens; `rest`: it, and what happens after it."""
        at, origin = event.at, getattr(event, "origin", "")
        if isinstance(event, ev.ConstellationModified) and origin in AGENTS:
            holder = self.holder((event.run_id, ""), at)
            answers = [one for one in rest if isinstance(one, ev.ApprovalAnswered) and one.at == at]
            assert holder is None or holder in {one.origin for one in answers if one.how == "accepted"}, event
        elif isinstance(event, STEERING) and origin not in {"engine", "plan", ""}:
            assert self.holder((event.run_id, ""), at) in {None, origin}, event
        elif isinstance(event, ABOUT_DEVICES) and origin not in {"fleet", ""}:
            assert self.holder(("", event.device_id), at) in {None, origin}, event
        elif isinstance(event, ev.LimitsChanged) and origin != "plan":
            assert self.holder(FLEET, at) in {None, origin}, event
        elif isinstance(event, ev.TaskStarted):
            assert ("", event.device_id) not in self.reserved or self.reserved["", event.device_id][1] <= at, event

    # ---- the steps

    @override
    def do(self, command: c.Command) -> Any:
        """Give a command in the name of somebody; it is refused as reserved if, and only if, it has to be."""
        if not isinstance(command, (*FREE, c.AddDevice)):
            said = msgspec.structs.asdict(command) | {"origin": self.dice.choice(PEOPLE)}
            if isinstance(command, c.EditConstellation):
                said["origin"] = command.batch.origin
            command = type(command)(**said)
        answer = super().do(command)
        if self.is_dying:
            return answer
        rest = self.driver.turns[-1].rest
        assert rest is not None
        given_answer = rest.replies[-1][1]
        is_refused = isinstance(given_answer, CommandRefused) and given_answer.code == "reserved"
        if not isinstance(command, ReservationCommand):
            assert is_refused == self.must_refuse(command), f"{command}: {given_answer}"
        self.look()
        return answer

    def must_refuse(self, command: Any) -> bool:
        if isinstance(command, FREE) or (isinstance(command, c.AddDevice) and not command.origin):
            return False
        target = (getattr(command, "run_id", ""), getattr(command, "device_id", "") or "")
        if target[0]:  # such as a pin
            target = (target[0], "")
        return self.holder(target, self.driver.now) not in {None, command.origin}

    @override
    def reserve(self) -> None:
        self.do(draws.some_reservation(self.dice, self.some_run(), self.dice.choice(DEVICES), (*PEOPLE, *AGENTS)))

    @override
    def answer(self) -> None:
        """As any walk, or to a question about a run that somebody has reserved since it was asked."""
        commands: list[Any] = self.open_answers()
        if commands and self.chance(0.4):
            command = self.dice.choice(commands)
            self.do(Reserve(run_id=command.run_id, origin="ada", seconds=30, reason="we look at it"))
            self.do(command)
        else:
            super().answer()

    @override
    def die(self) -> None:
        self.is_dying = True
        super().die()
        self.is_dying, self.reserved = False, {}
        for event in self.driver.events:  # of the fleet, from its first program on
            self.note(event)
        self.seen = len(self.driver.events)
        self.look()

    @override
    def step(self) -> None:
        if self.chance(0.2):
            self.reserve()
        super().step()
        self.look()


@given(seed=st.integers(0, 2**32), steps=st.integers(1, 40))
def test_others_are_refused_what_is_reserved_and_nobody_else_is(seed: int, steps: int) -> None:
    walk = ReservedWalk(seed)
    for _ in range(steps):
        walk.step()
    walk.finish()
