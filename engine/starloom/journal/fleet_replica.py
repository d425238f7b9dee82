"""The fleet of an engine folded from what another program sends: its facts at one row, and the rows after that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom.journal.base import JournalError
from starloom.journal.facts import UNREADABLE
from starloom.journal.sent_rows import RowsOfTurns
from starloom.scheduling.fold.fleet import apply_fleet
from starloom.scheduling.state.fleet_facts import FleetFacts, Remembered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starloom.events import Event

FLEET: Final = ""
"""The id of the fleet's stream."""


def fleet_to_plain(fleet: FleetFacts) -> dict[str, Any]:
    """What the fleet's stream has told, as plain values; what attempts hold of it is left out."""
    return fleet.snapshot(without={device.id: device.used for device in fleet.devices.values()}) | {
        "seq": fleet.seq,
        "chosen": dict(fleet.chosen),
        "remembered": {device_id: tuple(said) for device_id, said in fleet.remembered.items()},
    }


def fleet_from_plain(plain: Mapping[str, Any]) -> FleetFacts:
    """The fleet from the values of `fleet_to_plain`; one of `UNREADABLE` is raised if they are none."""
    fleet = FleetFacts()
    fleet.load_snapshot(plain)
    fleet.seq, fleet.chosen = plain["seq"], dict(plain["chosen"])
    fleet.remembered = {device_id: Remembered(*said) for device_id, said in plain["remembered"].items()}
    return fleet


class FleetReplica:
    """The fleet as its stream tells of it: devices and limits, and nothing of what attempts hold.

    Attributes:
        fleet: its facts after the last whole turn.
        at: when that was, in seconds on the clock of the engine of that time.
    """

    def __init__(self) -> None:
        self.fleet = FleetFacts()
        self.at = 0.0
        self._rows = RowsOfTurns(FLEET)

    @property
    def row(self) -> int:
        """The last row taken."""
        return self._rows.row

    def begin(self, row: int, plain: Mapping[str, Any], at: float) -> None:
        """Start from the facts at a row, see `fleet_to_plain`, and their time on the engine's clock.

        Raises:
            JournalError: they are no facts of a fleet.
        """
        try:
            self.fleet = fleet_from_plain(plain)
        except UNREADABLE as error:
            raise JournalError(f"A checkpoint of the fleet cannot be read: {error}.") from None
        self.at = at
        self._rows.begin(row)

    def take(self, rows: Sequence[bytes]) -> list[Event]:
        """Fold the next rows; returns the events of the turns that they complete.

        Raises:
            JournalError: they cannot be read, or do not go on where the rows before ended.
        """
        events: list[Event] = []
        for turn in self._rows.take(rows, self.fleet.seq):
            for event in turn.events:
                self.fleet.seq = event.seq
                apply_fleet(self.fleet, event)
            events += turn.events
        if events:
            self.at = events[-1].at
        return events
