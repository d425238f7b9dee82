"""The kinds of faults, the places where programs stand when one strikes, and how often each did where."""

from __future__ import annotations

import asyncio
from collections import Counter
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from typing_extensions import override

import starloom

if TYPE_CHECKING:
    from random import Random
    from types import CodeType

_ENGINE = str(Path(starloom.__file__).parent)


class FaultKind(StrEnum):
    """What goes wrong."""

    ENGINE_KILLED = "engine killed"
    COMMIT_KILLED = "engine killed as it commits"
    COMMIT_FAILED = "commit failed"
    HANDED_OVER = "runs handed over"
    CLIENT_KILLED = "client killed"
    LINK_BROKEN = "link broken"
    LINK_HALF_OPEN = "link half open"
    LINK_DELAYED = "link delayed"
    LINK_BYTEWISE = "link byte by byte"
    DEVICE_LOST = "device lost"
    DEVICE_HUNG = "device hung"
    ATTEMPT_FAILED = "attempt failed"
    DEVICE_RAISED = "device raised"
    WALL_JUMPED = "wall clock jumped"
    SLEPT = "computer slept"


KINDS = tuple(FaultKind)
_NEW: Final = 5
"""How often a place is seen before it is new no more."""
_AT_NEW: Final = 0.3
"""The share of steps after which a fault strikes there."""
Place = tuple[str, str, int]
"""Module, function and line of an await."""


class Aim(NamedTuple):
    """A fault that is to strike at a place as soon as a program stands there.

    Attributes:
        kind: of the fault.
        place: the await.
    """

    kind: FaultKind
    place: Place

    @override
    def __str__(self) -> str:
        """As `read` takes it: `engine killed@server/wire.py@read_message@103`."""
        return "@".join((self.kind, *map(str, self.place)))

    @classmethod
    def read(cls, text: str) -> Aim:
        """Read what `str` has made.

        Raises:
            ValueError: it is nothing of the kind.
        """
        kind, file, function, line = text.split("@")
        return cls(FaultKind(kind), (file, function, int(line)))


class Faults:
    """Chooses when which fault strikes, and counts.

    Args:
        dice: of the faults.
        focus: the kind that strikes where a place is new, so that rare ones are met by each kind in some world.
        rate: the share of steps after which one strikes.
        aim: one that strikes besides, once; until then all is as without it. None: none does.

    Attributes:
        struck: how often each kind struck at each place.
        seen: how often a program stood at each place.
    """

    def __init__(self, dice: Random, focus: FaultKind, rate: float, aim: Aim | None = None) -> None:
        self.struck: Counter[tuple[FaultKind, Place]] = Counter()
        self.seen: Counter[Place] = Counter()
        self._dice, self._focus, self._rate, self._aim = dice, focus, rate, aim

    def after(self, handle: asyncio.Handle) -> tuple[FaultKind, Place] | None:
        """The fault that strikes after a step of a program, which stands at an await then; None: none."""
        place = place_of(handle)
        if place is None:
            return None
        seen = self.seen[place] = self.seen[place] + 1
        if self._aim is not None and place == self._aim.place and not self.struck[self._aim]:
            return self._aim
        if seen <= _NEW:
            return (self._focus, place) if self._dice.random() < _AT_NEW else None
        return (self._dice.choice(KINDS), place) if self._dice.random() < self._rate else None

    def note(self, kind: FaultKind, place: Place) -> None:
        """Count a fault that struck."""
        self.struck[kind, place] += 1


def place_of(handle: asyncio.Handle) -> Place | None:
    """Where the task stands that has just taken a step: the innermost await in code of ours; None: it was no task."""
    task = getattr(handle._callback, "__self__", None)  # type: ignore[attr-defined]  # as asyncio's own repr does
    if not isinstance(task, asyncio.Task) or task.done():
        return None
    found: tuple[CodeType, int] | None = None
    waits: Any = task.get_coro()
    while waits is not None:
        frame = getattr(waits, "cr_frame", None) or getattr(waits, "ag_frame", None)
        if frame is None:
            break
        if _is_ours(frame.f_code.co_filename):
            found = frame.f_code, frame.f_lineno
        waits = getattr(waits, "cr_await", None) or getattr(waits, "ag_await", None)
    return None if found is None else _named(*found)


@cache
def _is_ours(filename: str) -> bool:
    return filename.startswith(_ENGINE)


@cache
def _named(code: CodeType, line: int) -> Place:
    return str(Path(code.co_filename).relative_to(_ENGINE)), code.co_qualname, line
