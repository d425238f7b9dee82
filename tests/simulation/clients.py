"""Clients: programs that give commands, and follow the engine or a run, each over connections of its own."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from tests.simulation import drawing
from tests.simulation.laws import Given, Law, LawBroken, check_questions
from tests.simulation.loops import Timing, new_loop

from starloom.errors import CommandRefused, StarloomError
from starloom.server.client import EngineClient
from starloom.server.socket_path import ServerError

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from random import Random

    from tests.simulation.engines import EngineProgram
    from tests.simulation.laws import Truth

    from starloom.server.engine_replica import EngineReplica
    from starloom.server.links import ServerLink

PATIENCE = 10.0
COMMANDERS = 2
"""Connections of a client over which it gives commands."""


class ClientRole(Enum):
    """What a client does besides giving commands."""

    ENGINE = "follows the engine"
    RUNS = "follows one run after the other"
    NOTHING = "nothing"


class Surroundings(Timing, Protocol):
    """The protocol of what a client finds around it."""

    truth: Truth
    dice: Random
    given: list[Given]
    engine: EngineProgram | None
    is_peaceful: bool

    def new_id(self) -> str: ...
    def next_id(self) -> str: ...
    def note(self, *what: object) -> None: ...
    def broke(self, error: LawBroken) -> None: ...


class ClientProgram:
    """One program of a client.

    Args:
        world: in which it lives.
        name: in whose name it gives commands.
        link: to the engine.
        role: what it does besides giving commands.

    Attributes:
        loop: its event loop.
    """

    def __init__(self, world: Surroundings, name: str, link: ServerLink, role: ClientRole) -> None:
        self.role = role
        self.loop = new_loop(world, name)
        self._world, self._name, self._link = world, name, link
        self._tasks: set[asyncio.Task[None]] = set()
        self._replica: EngineReplica | None = None
        self._commanding = 0

    def start(self) -> None:
        """Begin its life."""
        self.loop.call_soon(self._begin)

    def _begin(self) -> None:
        self._commanding = COMMANDERS
        for _ in range(COMMANDERS):
            self._keep(self._command())
        if self.role is ClientRole.ENGINE:
            self._keep(self._follow_engine())
        elif self.role is ClientRole.RUNS:
            self._keep(self._follow_runs())

    def _keep(self, life: Coroutine[Any, Any, None]) -> None:
        task = self.loop.create_task(life)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.loop.call_exception_handler({"message": "a client failed", "exception": error})

    # ---- commands

    async def _command(self) -> None:
        world = self._world
        while True:
            try:
                async with EngineClient(self._link, self._name, PATIENCE) as client:
                    while not world.is_peaceful:
                        await asyncio.sleep(world.dice.choice((0.0, 0.001, 0.01, 0.1)))
                        await self._give_one(client)
                        if world.dice.random() < 0.02:
                            await client.runs()
            except ServerError:
                await asyncio.sleep(0.5)
            if world.is_peaceful:
                self._commanding -= 1
                return

    async def _give_one(self, client: EngineClient) -> None:
        world = self._world
        drawn = drawing.draw(world.dice, world.truth, world.new_id)
        if drawn.plan is not None:
            given = Given("", drawn.run_id)
            asking: Coroutine[Any, Any, Any] = client.submit(drawn.plan, drawn.run_id)
        else:
            given = Given(world.next_id(), drawn.run_id, drawn.adds)
            asking = client.command(drawn.run_id, drawn.command)
        world.given.append(given)
        given.is_stop = drawn.is_stop
        try:
            given.answer = await asking
        except CommandRefused as refusal:
            given.answer = refusal
        except ServerError:
            raise  # nobody knows whether it was carried out
        except StarloomError as error:  # the journal could not be written
            given.answer = CommandRefused("failed", str(error))
        given.is_answered = True
        world.note(given.id, given.run_id, repr(given.answer))
        if given.id:
            world.truth.check_answer(given)

    # ---- following

    async def _follow_engine(self) -> None:
        world = self._world
        while True:
            try:
                async with EngineClient(self._link, self._name, PATIENCE) as client:
                    following = client.follow_engine()
                    async with aclosing(following.turns()) as turns:
                        async for events in turns:
                            self._replica = following.replica
                            world.truth.check_events(events)
                            if world.dice.random() < 0.03:
                                world.truth.check_replica(following.replica, world.dice)
                            if world.dice.random() < 0.02:
                                await following.ask_hints(world.dice.choice(["", *world.truth.live]))
            except (ServerError, CommandRefused):
                self._replica = None
                await asyncio.sleep(0.5)

    async def _follow_runs(self) -> None:
        world = self._world
        while True:
            live = world.truth.live
            if not live:
                await asyncio.sleep(0.5)
                continue
            try:
                async with EngineClient(self._link, self._name, PATIENCE) as client:
                    await self._follow_run(client, world.dice.choice(live))
            except (ServerError, CommandRefused):
                await asyncio.sleep(0.5)

    async def _follow_run(self, client: EngineClient, run_id: str) -> None:
        world = self._world
        async with aclosing(client.follow(run_id)) as following:
            async for replica, events in following:
                world.truth.check_events(events)
                run = replica.view.run
                if run.state.has_ended or world.dice.random() < 0.05:
                    world.truth.check_run(run, run_id, world.dice)
                if run.state.has_ended or world.dice.random() < 0.02:
                    return

    def check_at_the_end(self) -> None:
        """Check that nothing is unanswered, and that what it has is equal to what the engine has at its event."""
        replica, engine, truth = self._replica, self._world.engine, self._world.truth
        if self._commanding:
            raise LawBroken(Law.DEFECTS, f"{self._name} waits for an answer for ever")
        if replica is None or engine is None or engine.orchestrator.pump.is_committing:
            return
        for run_id, run in replica.runs.items():
            truth.check_run(run, run_id, self._world.dice)
        if replica.scheduler.fleet.seq == len(truth.streams[""]):
            check_questions(replica, engine.orchestrator.pump.scheduler)
