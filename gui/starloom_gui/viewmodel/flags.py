"""Interventions: what somebody has done to a run, as flags on the axis of the timeline. No Qt here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from starloom import events as ev
from starloom.scheduling.commands import OPERATOR

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.events import Event

_MACHINES: Final = frozenset({"", "settings", "plan", "foresight", "simulation", "shutdown"})
"""Origins that are nobody."""
_STEERING: Final = (
    ev.RunPaused,
    ev.RunResumed,
    ev.RunCancelRequested,
    ev.RunLimitSet,
    ev.RunReopened,
    ev.TaskCancelled,
    ev.TaskSkipped,
    ev.TaskMarked,
    ev.TasksHeld,
    ev.TasksReleased,
    ev.TasksPrioritised,
    ev.TasksPinned,
    ev.ConstellationModified,
    ev.LimitsChanged,
    ev.DeviceDrained,
    ev.DeviceResumed,
    ev.DeviceDisabled,
    ev.DeviceEnabled,
    ev.DeviceSlotsSet,
    ev.BreakerClosed,
)


class Flag(NamedTuple):
    """One intervention.

    Attributes:
        at: seconds on the engine's clock.
        text: what was done by whom, a sentence.
        by_agent: it was not a person.
    """

    at: float
    text: str
    by_agent: bool = False


def flag_of(event: Event, tell: Callable[[Event], str]) -> Flag | None:
    """The flag of an event; None: nobody intervened. What belongs to one command says so in one turn: see `planted`.

    Args:
        event: what happened.
        tell: gives the sentence that stands for it in the console; asked for interventions alone.
    """
    if not isinstance(event, _STEERING) or event.origin in _MACHINES:
        return None
    return Flag(event.at, tell(event), by_agent=event.origin != OPERATOR)


def planted(flags: list[Flag], flag: Flag) -> None:
    """Add a flag behind the others; what one turn brought is one flag, with the sentence of the first of its events."""
    if not flags or flags[-1].at != flag.at or flags[-1].by_agent != flag.by_agent:
        flags.append(flag)
