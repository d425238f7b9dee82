"""Settings that outlive a session: limits, drained and disabled devices; shown at the next start, with Undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace
from PySide6.QtCore import QObject

from starloom.events import LimitsChanged
from starloom.scheduling import commands as c
from starloom_gui.text.limit_words import limit_parts
from starloom_gui.text.words import amount, fill
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.commands import Commands
    from starloom_gui.widgets.message_bar import MessageBar

_LIMITS: Final = tuple(
    name
    for name in LimitsChanged.__struct_fields__
    if name in c.SetLimits.__struct_fields__ and name not in {"origin", "groups"}
)
_NAMED: Final = 4
"""So many devices are named; more are counted."""


class CarriedOver(QObject):
    """Shows the limits and device settings of an earlier session that still hold, and resets them on demand.

    What was said of a device holds from when it joins on; so that is when it is told.

    Args:
        bridge: knows the fleet; no device has joined yet.
        commands: are asked.
        usual: the limits that hold where no operator has said anything.
        strip: shows the notice.
        parent: of the object.
    """

    def __init__(
        self,
        bridge: Bridge,
        commands: Commands,
        usual: c.SetLimits,
        strip: MessageBar,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._commands, self._strip = bridge, commands, strip
        self._first = usual
        self._awaited = set(bridge.fleet.remembered)
        self._told: list[str] = []
        self._carried = self._now()
        """The limits when the session began."""
        self._notice: ErrorMessage | None = None
        self._feed = bridge.feed(parent=self)
        self._feed.changed.connect(self._take)
        self._feed.set_shown(False)

    def tell(self) -> None:
        """Show which limits still hold, if any do, and devices once they join."""
        self._show(self._of_limits())
        self._follow()

    def _follow(self) -> None:
        """Hear of changes while devices are to join, or something is said that may not be so any more."""
        self._feed.set_shown(bool(self._awaited) or self._notice is not None)

    def _show(self, parts: list[str]) -> None:
        if parts:
            what = self.tr("Still set from an earlier session")
            self._notice = ErrorMessage(
                *(what, "; ".join(parts), self.tr("Undo"), self.undo), is_notice=True, can_wait=True
            )
            self._strip.show_trouble(self._notice)

    def undo(self) -> None:
        """Reset the limits that were shown to the settings or plans, and the devices that were to their defaults."""
        held, usual = self._held(), self._usual()
        changed: dict[str, Any] = {
            name: getattr(usual, name) for name in _LIMITS if getattr(held, name) != getattr(usual, name)
        }
        if held.groups:
            changed["groups"] = {name: self._planned(name) for name in held.groups}
        if changed:
            self._commands.do(c.SetLimits(**changed))
        for device in self._devices():
            self._take_back(device)
        if self._notice is not None:
            self._strip.withdraw(self._notice)
        self._told, self._notice = [], None
        self._follow()

    def close(self) -> None:
        """Stop showing notices."""
        self._feed.close()

    # ---- limits

    def _now(self) -> LimitsChanged:
        return self._bridge.fleet.limits_event(0, 0.0, "", "")

    def _held(self) -> LimitsChanged:
        """The limits of the earlier session, as far as nobody has changed them in this one."""
        now, carried, usual = self._now(), self._carried, self._usual()
        same = {name: getattr(carried, name) for name in _LIMITS if getattr(now, name) == getattr(carried, name)}
        groups = {name: most for name, most in carried.groups.items() if now.groups.get(name) == most}
        return replace(usual, groups=groups, **same)

    def _of_limits(self) -> list[str]:
        return limit_parts(self._held(), self._usual())

    def _planned(self, group: str) -> int | None:
        """The limit of a group by the plan of the oldest run that goes on and has one; None: none has."""
        runs = (run for run in self._bridge.all_runs() if not run.state.has_ended)
        return next((run.limits.groups[group] for run in runs if group in run.limits.groups), None)

    def _usual(self) -> LimitsChanged:
        return replace(self._now(), groups={}, **{name: getattr(self._first, name) for name in _LIMITS})

    # ---- devices

    def _of_devices(self) -> list[str]:
        drained = [one.id for one in self._devices() if one.draining]
        disabled = [one.id for one in self._devices() if not one.enabled]
        parts = [
            fill(words, self._names(ids))
            for words, ids in ((self.tr("drained: %1"), drained), (self.tr("disabled: %1"), disabled))
            if ids
        ]
        slots = [one.id for one in self._devices() if one.offered != one.declared]
        if slots:
            parts.append(fill(self.tr("with other slots: %1"), self._names(slots)))
        return parts

    def _devices(self) -> list[DeviceFacts]:
        """The devices that were reported and still exist."""
        devices = self._bridge.fleet.devices
        return [devices[id] for id in self._told if id in devices]

    def _names(self, ids: list[str]) -> str:
        named = sorted(ids)
        rest = len(named) - _NAMED
        return ", ".join(named[:_NAMED]) + (fill(self.tr(" and %1 more"), amount(rest)) if rest > 0 else "")

    def _take(self, changes: Changes) -> None:
        if changes.devices or changes.everything:
            self._look()
        if changes.devices or changes.limits or changes.everything:
            self._say_again()

    def _say_again(self) -> None:
        """Have the notice that is shown say what holds by now, or take it away."""
        said = self._notice
        if said is None or not self._strip.holds(said):
            return
        parts = [*self._of_limits(), *self._of_devices()]
        if "; ".join(parts) != said.reason:
            self._strip.withdraw(said)
            self._notice = None
            self._show(parts)
            self._follow()

    def _look(self) -> None:
        """Report devices that have joined, beside those that are still shown."""
        joined = self._awaited & self._bridge.fleet.devices.keys()
        if not joined:
            return
        self._awaited -= joined
        is_read = self._notice is not None and not self._strip.holds(self._notice)
        self._told = sorted(joined if is_read else joined.union(self._told))
        limits = [] if is_read else self._of_limits()
        self._show([*limits, *self._of_devices()])
        self._follow()

    def _take_back(self, device: DeviceFacts) -> None:
        if device.draining:
            self._commands.do(c.ResumeDevice(device_id=device.id))
        if not device.enabled:
            self._commands.do(c.EnableDevice(device_id=device.id))
        if device.offered != device.declared and device.declared is not None:
            self._commands.do(c.SetSlots(device_id=device.id, slots=device.declared))
