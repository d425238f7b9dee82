"""A kind of event as data: its name, its sentence, and the views that are notified."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from starloom_gui.text.words import fill, plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.events import Event
    from starloom_gui.specs.notes import Notes
    from starloom_gui.theme.status_form import StatusForm


class EventSort(StrEnum):
    """The sorts of events that the event log can be filtered by."""

    ENDS = "ends"
    TASKS = "tasks"
    STEERING = "steering"
    EDITS = "edits"
    RUN = "run"
    FLEET = "fleet"


@dataclass(frozen=True, slots=True)
class EventSpec:
    """The specification of one kind of event.

    Attributes:
        kind: its class.
        sort: under which the filter has it; those of `EventSort.FLEET` are the fleet's own, and are passed over where a
            run's stream repeats them.
        name: gives what the filter calls it; None: nobody wants to read it as a row, so it is not logged.
        text: gives what happened, as one sentence with or without its full stop.
        note: notes who is to be painted anew.
        form: the form whose glyph stands before it; None: it has none.
        is_flagged: whether it is an intervention, if a person or an agent did it: the timeline has a flag there.
        has_reason_apart: whether whoever did it may have said why, and the sentence does not tell that.
        is_nobodys: whether nothing says if a plan, a person or the engine did it.
    """

    kind: type[Event]
    sort: EventSort
    name: Callable[[], str] | None
    text: Callable[[Any], str]
    note: Callable[[Notes, Any], None]
    form: StatusForm | None = None
    is_flagged: bool = False
    has_reason_apart: bool = False
    is_nobodys: bool = False


def about(text: Callable[[], str], *names: str) -> Callable[[Any], str]:
    """A function that makes a sentence with the values of an event's fields."""
    return lambda event: fill(text(), *(plain(getattr(event, name)) for name in names))
