"""A world of one engine, its clients and machines in one thread: all that is left to chance is drawn from one seed."""

from __future__ import annotations

import asyncio
import gc
import random
import sys
import traceback
import warnings
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from heapq import heappop, heappush
from random import Random
from typing import TYPE_CHECKING, Any, Final

from tests.simulation.clients import ClientProgram, ClientRole
from tests.simulation.engines import EngineProgram
from tests.simulation.faults import KINDS, Faults
from tests.simulation.laws import Given, Law, LawBroken, Truth
from tests.simulation.links import Connection, SimulatedLink
from tests.simulation.machines import Ledger, Machine
from tests.simulation.outcomes import Outcome
from tests.simulation.process import simulated_process
from tests.simulation.strikes import Strikes

from starloom.events import TaskInterrupted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tests.simulation.faults import Aim
    from tests.simulation.loops import ProgramLoop

    from starloom.events import Event

MOST_STEPS: Final = 400
"""Steps of all programs for each command, beyond which nothing goes on any more."""
_BOOT: Final = 1_000.0
_EPOCH: Final = 1_700_000_000.0
_FREE: Final = 120.0
"""Seconds for which everything goes on in peace at the end."""


class EngineKilled(BaseException):
    """Raised in the middle of a turn of an engine that is killed."""


class World:
    """One history, drawn from a seed.

    Args:
        seed: of it.
        folder: an empty one, for the journals; best on a disk that is none.
        commands: how many are given before it comes to its end.
        aim: a fault that strikes besides those that are drawn; None: none does.

    Attributes:
        moment: seconds since it began.
        truth: what is committed.
        dice: of the clients.
        given: the commands that were given.
        is_peaceful: whether nothing goes wrong any more.
        engine: the program of the engine; None: it is dead.
        clients, machines, connections: those there are.
        kill_in, fail_in: the engine is killed, or the disk full, after so many more commits to files; -1: it is not.
        for_next_link: what strikes the next connection.
        jumped: by how many seconds the clock on the wall was put forward.
    """

    def __init__(self, seed: int, folder: Path, commands: int, aim: Aim | None = None) -> None:
        self.moment = 0.0
        self.truth = Truth(folder)
        self.given: list[Given] = []
        self.is_peaceful = False
        self._seed, self._most = seed, commands
        self._order, self._network = Random(f"{seed} order"), Random(f"{seed} network")
        self.dice = Random(f"{seed} commands")
        self.faults = Faults(Random(f"{seed} faults"), KINDS[seed % len(KINDS)], 1 / 600, aim)
        self._later = Random(f"{seed} later")
        self.jumped = 0.0
        self._timers: list[tuple[float, float, int, ProgramLoop | None, Any]] = []
        self._made = 0
        self._ids = 0
        self._trace = blake2b(digest_size=16)
        self._broken: LawBroken | None = None
        self._graveyard: list[Any] = []
        self.connections: list[Connection] = []
        self.for_next_link: list[Callable[[Connection], object]] = []
        self.kill_in, self.fail_in = -1, -1
        self._is_dying = False
        self.ledger = Ledger(lambda law, story: self.broke(LawBroken(Law(law), story)))
        self.machines = [
            Machine(self, self.ledger, Random(f"{seed} d{n}"), f"d{n}", slots, outlives=n > 0)
            for n, slots in enumerate((2, 1, 3))
        ]
        self.engine: EngineProgram | None = None
        self.clients: list[ClientProgram] = []
        self._steps = 0
        self._strikes = Strikes(self, Random(f"{seed} strikes"))

    # ---- time

    @property
    def monotonic(self) -> float:
        """Seconds on the computer's monotonic clock."""
        return _BOOT + self.moment

    @property
    def wall(self) -> float:
        """Seconds since 1970 on the clock on the wall, which is put forward and back."""
        return _EPOCH + self.moment + self.jumped

    def at(self, when: float, loop: ProgramLoop | None, call: Any) -> None:
        """Have something called at a moment; see `Timing`."""
        self._made += 1
        heappush(self._timers, (when, self._order.random(), self._made, loop, call))

    def some_delay(self) -> float:
        """Seconds that a thread takes for something; see `Timing`."""
        return self._order.choice((0.0, 0.0005, 0.002, 0.02))

    def new_id(self) -> str:
        """An id that nothing else has."""
        self._ids += 1
        return f"{self._ids:032x}"

    def next_id(self) -> str:
        """The id that is given next."""
        return f"{self._ids + 1:032x}"

    # ---- what is found out

    def note(self, *what: object) -> None:
        """Add something to the trace, in which the name of the folder does not matter."""
        self._trace.update(repr(what).replace(str(self.truth.folder), "").encode())

    def broke(self, error: LawBroken) -> None:
        """A law is broken, which ends the world."""
        if self._broken is None:
            self._broken = error
            self.note("broken", str(error))

    def unhandled(self, loop: ProgramLoop, context: dict[str, Any]) -> None:
        """An exception that nobody handled; see `Timing`."""
        error = context.get("exception")
        if loop.is_dead or isinstance(error, EngineKilled):
            return
        if isinstance(error, LawBroken):
            self.broke(error)
            return
        self.broke(LawBroken(Law.DEFECTS, f"{loop.name}: {context.get('message')}: {error!r}"))
        if self._broken is not None and isinstance(error, BaseException):
            self._broken.__cause__ = error

    def committed(self, engine: EngineProgram, events: Sequence[Event]) -> None:
        """A turn of the engine is committed."""
        try:
            for row in self.truth.committed(events):
                self._trace.update(row)
            engine.check(events)
            self._check_interrupted(events)
        except LawBroken as error:
            self.broke(error)

    def _check_interrupted(self, events: Sequence[Event]) -> None:
        """Check that no attempt counts as interrupted whose result its machine has."""
        for event in events:
            if isinstance(event, TaskInterrupted):
                key = event.run_id, event.task_id, event.attempt
                if any(machine.has_result_of(key) for machine in self.machines):
                    raise LawBroken(Law.KEPT, f"{key} completed, and counts as interrupted")

    def before_commit(self, stream: str) -> None:
        """Strike as a file of the journals is about to be committed to, if that was chosen.

        Raises:
            EngineKilled: the engine dies here.
            OSError: the disk is full.
        """
        if self._is_dying:
            raise EngineKilled
        if self.kill_in == 0:
            self._is_dying = True
            raise EngineKilled
        self.kill_in -= self.kill_in > 0
        if self.fail_in == 0:
            self.fail_in = -1
            raise OSError("the disk is full")
        self.fail_in -= self.fail_in > 0

    # ---- running

    def run(self) -> Outcome:
        """Live through it."""
        before = random.getstate()
        random.seed(self._seed)
        try:
            with simulated_process(self):
                self._begin()
                self._go_on(lambda: len(self.given) >= self._most)
                self._come_to_the_end()
        except LawBroken as error:
            self.broke(error)
        finally:
            asyncio._set_running_loop(None)
            random.setstate(before)
            outcome = self._outcome()
            self._bury()
        return outcome

    def _begin(self) -> None:
        self._start_engine()
        for role in ClientRole:
            self._start_client(role)

    def _go_on(self, is_over: Callable[[], bool]) -> None:
        faults, strikes, order = self.faults, self._strikes, self._order
        most = self._steps + MOST_STEPS * (self._most + 1_000)
        while self._broken is None and not is_over():
            ready = [loop for loop in self._loops() if loop.ready]
            self._ring(self.moment if ready else None)
            if not ready:
                continue
            loop = ready[0] if len(ready) == 1 else ready[int(order.random() * len(ready))]
            asyncio._set_running_loop(loop)
            handle = loop.run_one()
            self.moment += order.random() * 1e-4
            self._steps += 1
            if self._steps > most:
                raise LawBroken(Law.DEFECTS, "programs go on for ever and get nowhere")
            if self._is_dying:
                self.kill_engine()
            elif not self.is_peaceful and (chosen := faults.after(handle)) is not None and strikes.strike(chosen[0]):
                faults.note(*chosen)
                self.note(*chosen)

    def _loops(self) -> list[ProgramLoop]:
        loops = [client.loop for client in self.clients]
        return loops if self.engine is None else [*loops, self.engine.loop]

    def _ring(self, until: float | None) -> None:
        """Have due timers ring; None: nothing else is to be done until the next one is due."""
        timers = self._timers
        if until is None:
            if not timers:
                raise LawBroken(Law.DEFECTS, "nothing is left to do, no timer is set, and somebody still waits")
            until = self.moment = max(self.moment, timers[0][0])
        asyncio._set_running_loop(None)
        while timers and timers[0][0] <= until:
            _, _, _, loop, call = heappop(timers)
            if loop is None:
                call()
            elif not loop.is_dead and not call._cancelled:
                loop.ready.append(call)

    def _come_to_the_end(self) -> None:
        """Let everything go on in peace, then compare everything."""
        self.is_peaceful = True
        self.kill_in = self.fail_in = -1
        for machine in self.machines:
            machine.hangs_until = 0.0
            machine.raises = machine.fails = 0
            machine.restore()
        until = self.moment + _FREE
        self._go_on(lambda: self.moment > until)
        if self.engine is None or not self.engine.serves:
            raise LawBroken(Law.DEFECTS, "the engine does not come up")
        for client in self.clients:
            client.check_at_the_end()
        self.kill_engine()
        self.truth.check_files()
        for given in self.given:
            self.truth.check_effect(given)

    def _outcome(self) -> Outcome:
        accepted = sum(one.is_answered and not isinstance(one.answer, Exception) for one in self.given)
        return Outcome(
            seed=self._seed,
            commands=len(self.given),
            accepted=accepted,
            steps=self._steps,
            struck=self.faults.struck,
            places=self.faults.seen,
            checked=self.truth.checked,
            trace=self._trace.hexdigest(),
            broken=None if self._broken is None else self._broken.law,
            story="" if self._broken is None else "".join(traceback.format_exception(self._broken)),
        )

    # ---- programs

    def _start_engine(self) -> None:
        if self.engine is None:
            self.engine = EngineProgram(
                self, self.truth, self.machines, Random(f"{self.new_id()} {self._seed}"), self._end_engine
            )
            self.engine.start()

    def _end_engine(self) -> None:
        """The engine ends by itself, as abruptly as if it were killed."""
        self._is_dying = True

    def kill_engine(self) -> None:
        """Kill the engine's program, if there is one, and start another one some time later."""
        engine, self.engine = self.engine, None
        self._is_dying, self.kill_in = False, -1
        if engine is None:
            return
        self._bury_later(engine.loop, engine)
        if engine.library is not None:
            with suppress(EngineKilled):
                engine.library.close()
        for machine in self.machines:
            machine.engine_died()
        self.truth.read()
        if not self._broken:
            self.at(self.moment + self._later.choice((0.05, 0.5, 3.0, 14.0)), None, self._start_engine)

    def _start_client(self, role: ClientRole) -> None:
        name = f"client{self.new_id()[-6:]}"
        link = SimulatedLink(lambda: self._connect(client.loop), lambda: self.engine is not None)
        client = ClientProgram(self, name, link, role)
        self.clients.append(client)
        client.start()

    def kill_client(self, client: ClientProgram) -> None:
        """Kill a client, and start another one in its place some time later."""
        self.clients.remove(client)
        self._bury_later(client.loop, client)
        self.at(self.moment + self._later.random(), None, partial(self._start_client, client.role))

    def _bury_later(self, loop: ProgramLoop, program: object) -> None:
        """What is abandoned is kept until the end: nothing of it is to be cleaned up as if it had lived on."""
        loop.is_dead = True
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task._log_destroy_pending = False  # type: ignore[attr-defined]  # it is abandoned on purpose
        self._graveyard.append((loop, program, tasks, list(loop.ready)))
        loop.ready.clear()
        for connection in self.connections:
            connection.program_died(loop)
        self.connections = [one for one in self.connections if one.is_open]

    def _bury(self) -> None:
        while self.clients:
            self._bury_later(self.clients[-1].loop, self.clients.pop())
        if self.engine is not None:
            self._bury_later(self.engine.loop, self.engine)
            if self.engine.library is not None:
                self.engine.library.close()
        if self._broken is not None:  # which would keep what is abandoned
            self._broken.__traceback__ = self._broken.__cause__ = self._broken.__context__ = None
        hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.engine = None
                for grave in (self._graveyard, self._timers, self.connections, self.given, self.machines):
                    grave.clear()
                self.ledger.begun.clear()
                for _ in range(2):  # what is closed may have kept something else
                    gc.collect()
        finally:
            sys.unraisablehook = hook

    def _connect(self, client: ProgramLoop) -> Connection | None:
        engine = self.engine
        if engine is None or not engine.serves:
            return None
        connection = Connection(self, self._network, client, engine.loop)
        self.connections = [one for one in self.connections if one.is_open]
        self.connections.append(connection)
        engine.loop.call_soon(engine.accept, connection.ends[1])
        if self.for_next_link:
            strike = self.for_next_link.pop()
            self.at(self.moment + self._later.random() * 0.01, None, lambda: strike(connection))
        return connection
