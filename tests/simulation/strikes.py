"""What each kind of fault does to a world."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.simulation.faults import FaultKind

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from tests.simulation.links import Connection
    from tests.simulation.world import World


class Strikes:
    """Has faults strike a world.

    Args:
        world: which one.
        dice: what is struck, and for how long.
    """

    def __init__(self, world: World, dice: Random) -> None:
        self._world, self._dice = world, dice
        self._of: dict[FaultKind, Callable[[], bool | None]] = {
            FaultKind.ENGINE_KILLED: self._kill,
            FaultKind.COMMIT_KILLED: self._kill_in_commit,
            FaultKind.COMMIT_FAILED: self._fail_commit,
            FaultKind.HANDED_OVER: self._hand_over,
            FaultKind.CLIENT_KILLED: self._kill_client,
            FaultKind.LINK_BROKEN: lambda: self._with_link(lambda one: one.cut(half_open=False)),
            FaultKind.LINK_HALF_OPEN: lambda: self._with_link(lambda one: one.cut(half_open=True)),
            FaultKind.LINK_DELAYED: lambda: self._with_link(self._hold),
            FaultKind.LINK_BYTEWISE: lambda: self._with_link(self._dribble),
            FaultKind.DEVICE_LOST: self._lose_device,
            FaultKind.DEVICE_HUNG: self._hang_device,
            FaultKind.ATTEMPT_FAILED: self._fail_attempt,
            FaultKind.DEVICE_RAISED: self._raise_in_device,
            FaultKind.WALL_JUMPED: self._put_clock,
            FaultKind.SLEPT: self._sleep,
        }

    def strike(self, kind: FaultKind) -> bool:
        """Have a fault strike now; whether there was something to strike."""
        return self._of[kind]() is not False

    # ---- links

    def _with_link(self, strike: Callable[[Connection], object]) -> None:
        """Strike a link that is open, or else the next one."""
        there = [one for one in self._world.connections if one.is_open]
        if there:
            strike(self._dice.choice(there))
        else:
            self._world.for_next_link.append(strike)

    def _hold(self, connection: Connection) -> None:
        connection.held_until = self._world.moment + self._dice.choice((0.05, 1.0, 20.0))

    def _dribble(self, connection: Connection) -> None:
        connection.bytewise = 300

    # ---- programs

    def _kill(self) -> None:
        """Kill the engine, or else the next one as it opens."""
        if self._world.engine is None:
            self._world.kill_in = 0
        self._world.kill_engine()

    def _kill_in_commit(self) -> None:
        self._world.kill_in = self._dice.randrange(4)

    def _fail_commit(self) -> None:
        self._world.fail_in = self._dice.randrange(4)

    def _hand_over(self) -> bool:
        """Have the engine give way to another program, as soon as it serves."""
        engine = self._world.engine
        if engine is None:
            return False
        if engine.serves:
            engine.loop.call_soon(engine.begin_to_give_way)
        engine.is_to_give_way = True
        return True

    def _kill_client(self) -> bool:
        clients = self._world.clients
        if clients:
            self._world.kill_client(self._dice.choice(clients))
        return bool(clients)

    # ---- machines

    def _lose_device(self) -> bool:
        """Have a machine go down for a while."""
        world, there = self._world, [machine for machine in self._world.machines if not machine.is_lost]
        if there:
            machine = self._dice.choice(there)
            machine.lose()
            world.at(world.moment + self._dice.choice((0.01, 2.0, 15.0)), None, machine.restore)
        return bool(there)

    def _hang_device(self) -> None:
        """Have a machine answer nothing for a while."""
        until = self._world.moment + self._dice.choice((0.5, 5.0, 20.0))
        self._dice.choice(self._world.machines).hangs_until = until

    def _fail_attempt(self) -> None:
        machines = self._world.machines
        self._dice.choice([one for one in machines if one.running] or machines).fail_one()

    def _raise_in_device(self) -> None:
        self._dice.choice(self._world.machines).raises += 1

    # ---- clocks

    def _put_clock(self) -> None:
        """Put the clock on the wall forward or back."""
        self._world.jumped += self._dice.choice((-7200.0, -30.0, 30.0, 7200.0))

    def _sleep(self) -> None:
        """Have the computer sleep: all timers are late."""
        self._world.moment += self._dice.choice((5.0, 60.0, 600.0))
