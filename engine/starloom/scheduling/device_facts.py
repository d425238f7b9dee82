"""What is true of one device: what it offers, whether it may be used, its circuit breaker, which slots are taken."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any, Final

from starloom.model.device import COOL_DOWN, TRIP_AFTER
from starloom.model.status import Breaker, DeviceStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

_OPEN: Final = Breaker.OPEN


class DeviceFacts:
    """One device: what it offers, whether it may be used, and which of its slots are taken.

    Attributes:
        slots: how many attempts at once; None: as many as are asked for; at most 1 while it is on trial.
        offered: the same without regard to that.
        declared: the slots it came with, before anybody changed them.
        used: slots taken by attempts this state knows.
        others: slots taken by other runs, in a picture folded from one run's stream; 0 in the live state.
        trip_after, cool_down: see `DeviceSpec`.
        breaker: whether it is suspended, or on trial after that.
        failures: how often in a row it has failed, the last time at `failed_at`; what is wrong stands in `trouble`.
        openings: how often it was suspended since an attempt has shown that it works.
        until: when its suspension ends, if it is suspended.
    """

    __slots__ = (
        "breaker",
        "capabilities",
        "connected",
        "connecting",
        "cool_down",
        "declared",
        "draining",
        "enabled",
        "failed",
        "failed_at",
        "failures",
        "free",
        "fresh",
        "id",
        "kind",
        "offered",
        "openings",
        "others",
        "slots",
        "speed",
        "trip_after",
        "trouble",
        "until",
        "used",
    )

    def __init__(
        self, id: str, kind: str, slots: int | None, capabilities: frozenset[str], speed: float, connected: bool
    ) -> None:
        self.id = id
        self.kind = kind
        self.slots: int | None = slots
        self.offered = self.declared = slots
        self.capabilities = capabilities
        self.speed = speed
        self.connected = connected
        self.connecting = False
        self.failed = False
        self.enabled = True
        self.draining = False
        self.trip_after = TRIP_AFTER
        self.cool_down = COOL_DOWN
        self.set_breaker(Breaker.CLOSED)
        self.forgive()
        self.used = 0
        self.others = 0
        self.free: list[int] = []
        """Slot numbers below `fresh` that are free, as a heap; an index of which slots are taken."""
        self.fresh = 0
        """The lowest slot number that was never taken."""

    @property
    def accepts(self) -> bool:
        """Whether new tasks may be given to it at all."""
        return self.connected and self.enabled and not self.draining and self.breaker is not _OPEN

    @property
    def status(self) -> DeviceStatus:
        """The word for its card."""
        if self.failed:
            return DeviceStatus.FAILED
        if self.breaker is _OPEN:
            return DeviceStatus.SUSPENDED
        if not self.connected:
            return DeviceStatus.CONNECTING if self.connecting else DeviceStatus.DISCONNECTED
        if self.draining:
            return DeviceStatus.DRAINING
        if self.breaker is Breaker.HALF_OPEN:
            return DeviceStatus.TRIAL
        return DeviceStatus.BUSY if self.used + self.others else DeviceStatus.IDLE

    def has_room(self) -> bool:
        """Whether one more attempt fits; says nothing about `accepts`."""
        return self.slots is None or self.used + self.others < self.slots

    def offer(self, slots: int | None) -> None:
        """It offers so many slots, as soon as it is not on trial."""
        self.offered = slots
        on_trial = self.breaker is Breaker.HALF_OPEN
        self.slots = slots if not on_trial else 1 if slots is None else min(1, slots)

    def set_breaker(self, breaker: Breaker) -> None:
        """Its circuit breaker stands so now."""
        self.breaker = breaker
        self.offer(self.offered)

    def fail(self, failures: int, at: float, trouble: str) -> None:
        """It has failed so many times in a row, the last time now."""
        self.failures, self.failed_at, self.trouble = failures, at, trouble

    def forgive(self) -> None:
        """It is as if it had never failed."""
        self.failures, self.failed_at, self.trouble = 0, 0.0, ""
        self.openings, self.until = 0, 0.0

    def take(self, slot: int) -> None:
        """An attempt holds this slot now."""
        self.used += 1
        if self.free and self.free[0] == slot:
            heappop(self.free)
        elif slot >= self.fresh:
            for number in range(self.fresh, slot):
                heappush(self.free, number)
            self.fresh = slot + 1
        elif slot in self.free:  # taken out of turn: slots of other runs are not in this picture
            self.free.remove(slot)
            heapify(self.free)

    def copy(self) -> DeviceFacts:
        """An equal device of its own."""
        twin = DeviceFacts.__new__(DeviceFacts)
        for name in DeviceFacts.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.free = list(self.free)
        return twin

    def canonical(self) -> dict[str, Any]:
        """Plain values: equal for equal devices."""
        plain = {name: getattr(self, name) for name in DeviceFacts.__slots__ if name not in {"free", "fresh"}}
        plain["capabilities"] = sorted(self.capabilities)
        plain["breaker"] = str(self.breaker)
        return plain


def device_word(device: DeviceFacts) -> str:
    """Where it stands, for sentences."""
    return "disabled" if not device.enabled else str(device.status)


def load_breaker(device: DeviceFacts, entry: Mapping[str, Any]) -> None:
    """The part of a snapshot that those of earlier programs lack."""
    if "breaker" in entry:
        for name in ("trip_after", "cool_down", "failures", "failed_at", "trouble", "openings", "until", "offered"):
            setattr(device, name, entry[name])
        device.set_breaker(Breaker(entry["breaker"]))
