"""Facts about one device: what it offers, whether it may be used, its circuit breaker, and its taken slots."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from starloom.model.device import COOL_DOWN, TRIP_AFTER
from starloom.model.status import Breaker, DeviceStatus
from starloom.model.task import FILES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starloom.model.task import Task

_OPEN: Final = Breaker.OPEN
_USABLE: Final = frozenset({DeviceStatus.IDLE, DeviceStatus.BUSY, DeviceStatus.TRIAL})
MOST_SLOTS: Final = 1_000_000
"""Attempts that one device may run at once, as for `DeviceSpec`."""


class DeviceFacts:
    """One device: what it offers, whether it may be used, and which of its slots are taken.

    Args:
        id: the device's id.
        kind: its kind, like `local`.
        slots: how many attempts it runs at once; None: any number.
        capabilities: what tasks may require of it.
        speed: how many times as fast as a device of speed 1.
        connected: whether it can be used at once.

    Attributes:
        actions: what it can do: actions of tasks, those of handlers as `call:NAME`; None: it does not say.
        unsupported: the actions of which it said, when it got such a task, that it cannot do them.
        asks_when_interrupted: whether what was interrupted there waits for a person before it runs again.
        slots: how many attempts at once; None: as many as are asked for; at most 1 while it is on trial; without those
            that are kept for what may still run there.
        offered: the same without regard to either.
        unattended: how many tasks of earlier programs may still run there; each keeps a slot.
        declared: the slots it came with, before anybody changed them.
        used: slots taken by attempts this state knows.
        others: slots taken by other runs, in a picture folded from one run's stream; 0 in the live state.
        trip_after, cool_down: see `DeviceSpec`.
        breaker: whether it is suspended, or on trial after that.
        failures: how often in a row it has failed, the last time at `failed_at`; what is wrong stands in `trouble`.
        openings: how often it was suspended since an attempt has shown that it works.
        until: when its suspension ends, if it is suspended.
        refusal: why it cannot be used until a person does something about it; empty: it can, or nobody knows.
        retry_at: when it is reached for again, if it is not connected; None: nobody knows.
        is_reserved: whether somebody has reserved it: it starts nothing; an index of the fleet's reservations.
        silent_since, waits_until: when it fell silent, and until when what runs there is waited for; 0: it answers.
    """

    __slots__ = (
        "actions",
        "asks_when_interrupted",
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
        "is_reserved",
        "kind",
        "offered",
        "openings",
        "others",
        "refusal",
        "retry_at",
        "silent_since",
        "slots",
        "speed",
        "trip_after",
        "trouble",
        "unattended",
        "unsupported",
        "until",
        "used",
        "waits_until",
    )

    def __init__(
        self, id: str, kind: str, slots: int | None, capabilities: frozenset[str], speed: float, connected: bool
    ) -> None:
        self.id = id
        self.kind = kind
        self.slots: int | None = slots
        self.offered = self.declared = slots
        self.unattended = 0
        self.capabilities = capabilities
        self.actions: frozenset[str] | None = None
        self.unsupported: frozenset[str] = frozenset()
        self.asks_when_interrupted = False
        self.speed = speed
        self.connected = connected
        self.connecting = False
        self.failed = False
        self.refusal = ""
        self.retry_at: float | None = None
        self.enabled = True
        self.draining = False
        self.is_reserved = False
        self.trip_after = TRIP_AFTER
        self.cool_down = COOL_DOWN
        self.set_breaker(Breaker.CLOSED)
        self.forgive()
        self.silent_since = self.waits_until = 0.0
        self.used = 0
        self.others = 0
        self.free: list[int] = []
        """Slot numbers below `fresh` that are free, as a heap; an index of which slots are taken."""
        self.fresh = 0
        """The lowest slot number that was never taken."""

    @property
    def accepts(self) -> bool:
        """Whether it takes new tasks at all."""
        is_offered = self.enabled and not self.draining and not self.is_reserved
        return self.connected and is_offered and self.breaker is not _OPEN

    @property
    def is_kept_away(self) -> bool:
        """Whether nothing but a reservation keeps tasks from it."""
        return self.is_reserved and self.enabled and self.status in _USABLE

    @property
    def is_doubted(self) -> bool:
        """Whether it has failed, or was suspended, since an attempt has shown that it works."""
        return self.failures > 0 or self.breaker is not Breaker.CLOSED

    @property
    def status(self) -> DeviceStatus:
        """Its status as a word, for its card."""
        if self.failed:
            return DeviceStatus.FAILED
        if self.breaker is _OPEN:
            return DeviceStatus.SUSPENDED
        if self.refusal and not self.connecting:
            return DeviceStatus.REFUSED
        if not self.connected:
            return DeviceStatus.CONNECTING if self.connecting else DeviceStatus.DISCONNECTED
        if self.draining:
            return DeviceStatus.DRAINING
        if self.breaker is Breaker.HALF_OPEN:
            return DeviceStatus.TRIAL
        return DeviceStatus.BUSY if self.used + self.others else DeviceStatus.IDLE

    @property
    def taken(self) -> int:
        """How many slots are taken, or kept for tasks that no program looks after."""
        return self.used + self.others + self.unattended

    def can_do(self, action: str | None) -> bool:
        """Whether it supports an action; None: any."""
        if action is None:
            return True
        return action not in self.unsupported and (self.actions is None or action in self.actions)

    def has_room(self) -> bool:
        """Whether one more attempt fits; says nothing about `accepts`."""
        return self.slots is None or self.used + self.others < self.slots

    def offer(self, slots: int | None) -> None:
        """Set how many slots it offers, as soon as it is not on trial."""
        self.offered = slots
        limit = self.limit
        self.slots = None if limit is None else max(0, limit - self.unattended)

    def keep_slots(self, unattended: int) -> None:
        """Keep as many slots for tasks that may still run there though no program looks after them."""
        self.unattended = unattended
        self.offer(self.offered)

    @property
    def limit(self) -> int | None:
        """How many tasks may run there at once, those included that no program looks after; None: any number."""
        if self.breaker is not Breaker.HALF_OPEN:
            return self.offered
        return 1 if self.offered is None else min(1, self.offered)

    def set_breaker(self, breaker: Breaker) -> None:
        """Set the state of its circuit breaker."""
        self.breaker = breaker
        self.offer(self.offered)

    def fail(self, failures: int, at: float, trouble: str) -> None:
        """Set its count of consecutive failures, the last one now.

        Args:
            failures: how many in a row.
            at: seconds on the engine's clock.
            trouble: why, as a sentence.
        """
        self.failures, self.failed_at, self.trouble = failures, at, trouble

    def forgive(self) -> None:
        """Reset its count of failures."""
        self.failures, self.failed_at, self.trouble = 0, 0.0, ""
        self.openings, self.until = 0, 0.0

    def take(self, slot: int) -> None:
        """Assign this slot to an attempt.

        Raises:
            ValueError: another attempt holds it, or no device has so many.
        """
        if not 0 <= slot < MOST_SLOTS:
            raise ValueError(f"no device has a slot {slot}")
        if self.free and self.free[0] == slot:
            heappop(self.free)
        elif slot >= self.fresh:
            for number in range(self.fresh, slot):
                heappush(self.free, number)
            self.fresh = slot + 1
        else:  # taken out of turn: slots of other runs are not in this picture
            if slot not in self.free:
                raise ValueError(f"slot {slot} of {self.id!r} is taken")
            self.free.remove(slot)
            heapify(self.free)
        self.used += 1

    def is_free(self, slot: int) -> bool:
        """Whether no attempt holds this slot."""
        return slot >= self.fresh or slot in self.free

    def copy(self) -> DeviceFacts:
        """An equal, independent device."""
        twin = DeviceFacts.__new__(DeviceFacts)
        for name in DeviceFacts.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.free = list(self.free)
        return twin

    def canonical(self) -> dict[str, Any]:
        """Its facts as plain values: equal for equal devices."""
        plain = {name: getattr(self, name) for name in DeviceFacts.__slots__ if name not in {"free", "fresh"}}
        plain["capabilities"] = sorted(self.capabilities)
        plain["actions"] = None if self.actions is None else sorted(self.actions)
        plain["unsupported"] = sorted(self.unsupported)
        plain["breaker"] = str(self.breaker)
        return plain


class DeviceRequirements(NamedTuple):
    """The requirements of a task on its device.

    Attributes:
        pin: the only device that may take it; None: any.
        requires: the capabilities it must have.
        action: what it must be able to do, see `Task.needs_action`; None: nobody asks.
    """

    pin: str | None
    requires: frozenset[str]
    action: str | None

    def fits(self, device: DeviceFacts) -> bool:
        """Whether this device may take it at all; says nothing about `accepts`."""
        return (
            (self.pin is None or device.id == self.pin)
            and self.requires <= device.capabilities
            and device.can_do(self.action)
        )

    @classmethod
    def of(cls, task: Task, pin: str | None = None) -> Self:
        """The requirements of a task.

        Args:
            task: any but a gate, which needs no device.
            pin: the device that somebody has moved it to; None: as the task says.
        """
        return cls(pin or task.pin, task.requires, task.needs_action)

    def words(self, devices: Iterable[DeviceFacts]) -> str:
        """The requirements that none of these devices meets, as a phrase."""
        if any(self._replace(action=None).fits(device) for device in devices):
            where = "a device" if self.pin is None else f"device {self.pin!r}"
            return f"{where} that runs {action_words(self.action or '')}"
        if self.pin is not None:
            return f"device {self.pin!r}"
        return f"a device that offers {', '.join(sorted(self.requires))}" if self.requires else "a device"


def action_words(action: str) -> str:
    """An action in words: `command`, or `the handler 'NAME'`."""
    if action.startswith(FILES):
        return f"{action_words(action.removeprefix(FILES))} with files"
    return f"the handler {action.removeprefix('call:')!r}" if action.startswith("call:") else f"`{action}` tasks"


def device_word(device: DeviceFacts) -> str:
    """Its status as a word for sentences."""
    if device.enabled and device.status is DeviceStatus.REFUSED:
        return f"refused: {device.refusal.rstrip('.')}"
    if not device.enabled:
        return "disabled"
    return "reserved" if device.is_kept_away else str(device.status)


def load_breaker(device: DeviceFacts, entry: Mapping[str, Any]) -> None:
    """Fill in the parts of a snapshot that those of earlier versions lack."""
    if entry.get("actions") is not None:
        device.actions = frozenset(entry["actions"])
    device.unsupported = frozenset(entry.get("unsupported", ()))
    device.asks_when_interrupted = entry.get("asks_when_interrupted", False)
    device.refusal, device.retry_at = entry.get("refusal", ""), entry.get("retry_at")
    device.unattended = entry.get("unattended", 0)
    device.silent_since, device.waits_until = entry.get("silent_since", 0.0), entry.get("waits_until", 0.0)
    if "breaker" in entry:
        for name in ("trip_after", "cool_down", "failures", "failed_at", "trouble", "openings", "until", "offered"):
            setattr(device, name, entry[name])
        device.set_breaker(Breaker(entry["breaker"]))
