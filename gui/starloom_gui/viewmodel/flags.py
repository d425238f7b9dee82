"""Interventions of people and agents in a run, as flags on the axis of the timeline. No Qt here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.scheduling.commands import OPERATOR
from starloom_gui.specs.event_list import EVENTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.events import Event
    from starloom.scheduling.state.run_facts import RunFacts

_MACHINES: Final = frozenset({"", "settings", "plan", "foresight", "simulation", "shutdown"})
"""Origins that are nobody."""


class Flag(NamedTuple):
    """One intervention, as a flag on the timeline.

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
    origin = getattr(event, "origin", "") if EVENTS[type(event)].is_flagged else ""
    return Flag(event.at, tell(event), by_agent=origin != OPERATOR) if origin not in _MACHINES else None


def planted(flags: list[Flag], flag: Flag) -> None:
    """Add a flag behind the others; what one turn brought is one flag, with the sentence of the first of its events."""
    if not flags or flags[-1].at != flag.at or flags[-1].by_agent != flag.by_agent:
        flags.append(flag)


def taken_up_at(run: RunFacts) -> float:
    """Since when this program runs a run, on the engine's clock: what befell the fleet before is none of the run's."""
    return run.sessions[-1][0] if run.sessions else 0.0
