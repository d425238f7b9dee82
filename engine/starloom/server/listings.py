"""Messages about what a server has: its runs, what is reserved, and who is connected."""

from __future__ import annotations

from starloom.server.messages import WireMessage


class ListRuns(WireMessage, frozen=True):
    """A request for all runs of the engine; the answer is a `RunListing`."""

    number: int


class ListedRun(WireMessage, frozen=True):
    """A run in a list.

    Attributes:
        total, done, failed, running, cancelled, skipped: how many of its tasks; servers of an earlier version tell
            nothing of the last two.
        waits: how many things of it wait for a person.
        stalled: why nothing of it can start, as half sentences; empty: something can, or runs.
        simulated: how many of those that are done were only simulated; servers of an earlier version do not tell.
    """

    run_id: str
    name: str
    state: str
    total: int
    done: int
    failed: int
    running: int
    waits: int
    stalled: tuple[str, ...] = ()
    cancelled: int = 0
    skipped: int = 0
    simulated: int = 0


class ListedReservation(WireMessage, frozen=True):
    """A reservation in a list.

    Attributes:
        run_id, device_id: of what; both empty: the fleet.
        holder: who has reserved it.
        left: seconds until it expires.
        wall_until: when that is, in seconds since 1970; None: not known.
    """

    run_id: str
    device_id: str
    holder: str
    reason: str
    left: float
    wall_until: float | None = None


class RunListing(WireMessage, frozen=True):
    """The runs of the engine, the oldest first, and what is reserved."""

    number: int
    runs: tuple[ListedRun, ...]
    reservations: tuple[ListedReservation, ...] = ()


class ReadPeople(WireMessage, frozen=True):
    """A request for those who are connected; the answer is a `PeopleListing`."""

    number: int


class Person(WireMessage, frozen=True):
    """Somebody who is connected, by one or more connections of a name from a machine.

    Attributes:
        name: in which commands are given.
        host: the name of the machine, as it was told; empty: it was not.
        since: when the first of these connections was made, in seconds since 1970.
        connections: how many there are.
        act: the last thing that was asked for and done, as a word such as `pause` or `submit`; empty: only reading.
        acted: when that was, in seconds since 1970; 0: never.
        follows: what is followed: `the engine`, `the fleet`, ids of runs.
        reads_only: whether it may not give commands, as it belongs to a task of this engine.
    """

    name: str
    host: str
    since: float
    connections: int = 1
    act: str = ""
    acted: float = 0.0
    follows: tuple[str, ...] = ()
    reads_only: bool = False


class PeopleListing(WireMessage, frozen=True):
    """Those who are connected, first those who came first; the number is 0 where nobody has asked."""

    number: int
    people: tuple[Person, ...]
