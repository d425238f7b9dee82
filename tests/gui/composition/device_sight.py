"""What a console shows of one device: its card, its lane in the timeline, and what the events say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.viewmodel.event_words import event_text

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console
    from starloom_gui.models.device_table import DeviceRow
    from starloom_gui.viewmodel.absences import Absence


def card(console: Console) -> DeviceRow:
    """What the first card shows, which is in sight."""
    cards = console.devices.cards
    return cards.row_at(cards.model().index(0, 0))


def absences(console: Console, device_id: str) -> list[Absence]:
    """What the timeline in front shows of the device."""
    view = console.views.front
    assert view is not None
    return list(view.lanes._absences.of.get(device_id, ()))


def told(console: Console, device_id: str) -> list[str]:
    """What the events say of the device, in the console's words."""
    log = console.bridge.log.since(0)
    return [event_text(event) for _, event in log if getattr(event, "device_id", "") == device_id]
