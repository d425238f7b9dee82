"""Who is connected to a server: what is known of each connection, and of those of one person together."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from starloom.scheduling.state.reservations import ENGINE_ORIGINS
from starloom.server.listings import Person

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_NAME: Final = 100
"""Characters that the name of a client may have."""


def name_problem(name: str) -> str:
    """Why nobody can be called so, as a half sentence; empty: somebody can."""
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        return f"{name[:LONGEST_NAME]!r} is none that can be shown; it has 1 to {LONGEST_NAME} printable characters"
    return f"{name!r} is what the engine calls itself" if name in ENGINE_ORIGINS else ""


@dataclass(slots=True)
class Presence:
    """What is known of one connection.

    Attributes:
        name, host: as its client told.
        since: when it was made, in seconds since 1970.
        reads_only: whether it may not give commands.
        act, acted: the last thing it had done, and when, in seconds since 1970; see `Person`.
        follows: what it follows; empty: nothing.
    """

    name: str
    host: str
    reads_only: bool
    since: float = field(default_factory=time.time)
    act: str = ""
    acted: float = 0.0
    follows: str = ""

    def note(self, act: str) -> None:
        """Note that something was done for it."""
        self.act, self.acted = act, time.time()


def people_of(presences: Iterable[Presence]) -> tuple[Person, ...]:
    """The people behind connections: one for each name on each machine, first those who came first."""
    together: dict[tuple[str, str], list[Presence]] = {}
    for presence in sorted(presences, key=lambda one: one.since):
        together.setdefault((presence.name, presence.host), []).append(presence)
    return tuple(_person(connections) for connections in together.values())


def _person(connections: list[Presence]) -> Person:
    last = max(connections, key=lambda one: one.acted)
    return Person(
        last.name,
        last.host,
        connections[0].since,
        len(connections),
        last.act,
        last.acted,
        tuple(dict.fromkeys(one.follows for one in connections if one.follows)),
        all(one.reads_only for one in connections),
    )
