"""Facts about the fleet: devices, their slots, and the limits. Read them freely; only `fold.fleet` changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from starloom import events as ev
from starloom.scheduling.state.device_facts import DeviceFacts, load_breaker
from starloom.scheduling.state.reservations import (
    Reservations,
    ReservationTarget,
    reservations_from_plain,
    reservations_to_plain,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


class Remembered(NamedTuple):
    """An operator's settings of a device, kept while it is not in the fleet.

    Attributes:
        declared: the slots it came with then; a device that comes with other ones was changed by whoever made it.
    """

    draining: bool
    enabled: bool
    slots: int | None
    declared: int | None


LIMITS: Final = (
    *("max_concurrency", "max_queue", "starvation_timeout", "placement"),
    *("modification_timeout", "overdue_factor"),
)
"""The fields of the limits but `groups`."""


class FleetFacts:
    """Devices and limits.

    Attributes:
        devices: by id, in the order they were added.
        max_concurrency: attempts at once in the whole fleet; None: no limit.
        groups: attempts at once of each named group.
        group_used: how many there are now.
        running: attempts at once now, of the runs this state knows.
        others: attempts of other runs, in a picture folded from one run's stream.
        modification_timeout, overdue_factor: see `LimitsChanged`.
        starvation_timeout: seconds after which a background task has aged to 60; 0: no aging.
        chosen: the limits that an operator has set; they outlive the program, what settings and plans say does not.
        remembered: what an operator has said of devices that have not joined again.
        reservations: what is reserved, also devices that are not in the fleet and runs that have ended.
        suspects: the devices that are doubted, see `DeviceFacts.is_doubted`; an index.
    """

    __slots__ = (
        "chosen",
        "devices",
        "group_used",
        "groups",
        "max_concurrency",
        "max_queue",
        "modification_timeout",
        "others",
        "overdue_factor",
        "placement",
        "remembered",
        "reservations",
        "running",
        "seq",
        "starvation_timeout",
        "suspects",
    )

    def __init__(self) -> None:
        self.seq = 0
        self.devices: dict[str, DeviceFacts] = {}
        self.group_used: dict[str, int] = {}
        self.running = 0
        self.others = 0
        self.chosen: dict[str, Any] = {}
        self.remembered: dict[str, Remembered] = {}
        self.reservations: Reservations = {}
        self.suspects: set[str] = set()
        self.reset_limits()

    def reset_limits(self) -> None:
        """Set the limits to their defaults."""
        self.max_concurrency: int | None = None
        self.groups: dict[str, int] = {}
        self.max_queue = 0
        self.starvation_timeout = 30.0
        self.placement = "load_balance"
        self.modification_timeout = 600.0
        self.overdue_factor = 3.0

    def copy(self) -> FleetFacts:
        """An equal, independent fleet."""
        twin = FleetFacts.__new__(FleetFacts)
        for name in FleetFacts.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.devices = {id: device.copy() for id, device in self.devices.items()}
        twin.groups, twin.group_used = dict(self.groups), dict(self.group_used)
        twin.chosen, twin.remembered, twin.suspects = dict(self.chosen), dict(self.remembered), set(self.suspects)
        twin.reservations = dict(self.reservations)
        return twin

    def is_reserved(self, device_id: str) -> bool:
        """Whether a device itself is reserved, by anybody."""
        return ReservationTarget(device_id=device_id) in self.reservations

    def limits_event(self, seq: int, at: float, run_id: str, origin: str, **changed: Any) -> ev.LimitsChanged:
        """The event that sets the present limits with some of them changed."""
        return ev.LimitsChanged(seq, at, run_id, origin=origin, **(self._limits() | changed))

    def _limits(self) -> dict[str, Any]:
        return {"groups": dict(self.groups), **{name: getattr(self, name) for name in LIMITS}}

    def snapshot(self, *, without: Mapping[str, int] | None = None) -> dict[str, Any]:
        """The fleet as plain values, for `FleetSnapshot`; slots in use count as taken by others."""
        own = without or {}
        return {
            "limits": self._limits(),
            "devices": [
                device.canonical() | {"others": device.used - own.get(device.id, 0), "used": 0}
                for device in self.devices.values()
            ],
            "reservations": reservations_to_plain(self.reservations),
        }

    def load_snapshot(self, plain: Mapping[str, Any]) -> None:
        """Load the fleet from the values of `snapshot`."""
        for name, value in plain["limits"].items():
            setattr(self, name, dict(value) if name == "groups" else value)
        self.reservations = reservations_from_plain(plain.get("reservations", ()))
        self.devices = {}
        for entry in plain["devices"]:
            device = DeviceFacts(
                entry["id"], entry["kind"], entry["slots"], frozenset(entry["capabilities"]), entry["speed"], True
            )
            for name in ("declared", "connected", "connecting", "failed", "enabled", "draining", "others"):
                setattr(device, name, entry[name])
            load_breaker(device, entry)
            device.is_reserved = self.is_reserved(device.id)
            self.devices[device.id] = device
        self.others = sum(device.others for device in self.devices.values())
        self.suspects = {device.id for device in self.devices.values() if device.is_doubted}
