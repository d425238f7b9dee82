"""The list of all kinds of events: their texts, their sorts, and the views that are notified."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom_gui.specs.edit_events import EDIT_EVENTS
from starloom_gui.specs.fleet_events import FLEET_EVENTS
from starloom_gui.specs.run_events import RUN_EVENTS
from starloom_gui.specs.steering_events import STEERING_EVENTS
from starloom_gui.specs.task_events import TASK_EVENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.events import Event
    from starloom_gui.specs.event_spec import EventSpec

EVENTS: Final[Mapping[type[Event], EventSpec]] = {
    spec.kind: spec for spec in (*TASK_EVENTS, *STEERING_EVENTS, *EDIT_EVENTS, *RUN_EVENTS, *FLEET_EVENTS)
}
"""In the order in which the filter lists them. A new kind of event is one entry in the list of its subject."""
