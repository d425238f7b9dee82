"""What outlives a session: limits of all runs, drained and disabled devices; said at the next start, with Undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace
from PySide6.QtCore import QObject

from starloom.events import LimitsChanged
from starloom.scheduling.commands import SetLimits
from starloom_gui.gateway.verbs import Target, Verb
from starloom_gui.text.words import amount, fill
from starloom_gui.viewmodel.limit_words import limit_parts
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from starloom.scheduling.device_facts import DeviceFacts
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.commands import Commands
    from starloom_gui.widgets.message_bar import MessageBar

_LIMITS: Final = tuple(
    name
    for name in LimitsChanged.__struct_fields__
    if name in SetLimits.__struct_fields__ and name not in {"origin", "groups"}
)
_NAMED: Final = 4
"""So many devices are named; more are counted."""


class CarriedOver(QObject):
    """Tells what an operator said in an earlier session and still holds, and takes it back if that is wanted.

    What was said of devices holds from when they join on; so that is when it is taken back.

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
        usual: SetLimits,
        strip: MessageBar,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._commands, self._strip = bridge, commands, strip
        self._first = usual
        self._remembered = dict(bridge.fleet.remembered)
        self._awaited: set[str] = set()
        self._notice: ErrorMessage | None = None
        self._feed = bridge.feed(parent=self)
        self._feed.changed.connect(self._take)
        self._feed.set_shown(False)

    def tell(self) -> None:
        """Say what still holds, if anything does."""
        parts = [*limit_parts(self._now(), self._usual()), *self._of_devices()]
        if parts:
            what = self.tr("Still set from an earlier session")
            self._notice = ErrorMessage(what, "; ".join(parts), self.tr("Undo"), self.undo, is_notice=True)
            self._strip.show_trouble(self._notice)

    def undo(self) -> None:
        """Have the limits of the settings again, and devices as they come, those that are to join, too."""
        now, usual = self._now(), self._usual()
        changed: dict[str, Any] = {
            name: getattr(usual, name) for name in _LIMITS if getattr(now, name) != getattr(usual, name)
        }
        groups = self._bridge.fleet.groups
        if groups:
            changed["groups"] = dict.fromkeys(groups)
        if changed:
            self._commands.set_limits(**changed)
        self._awaited = set(self._remembered)
        self._feed.set_shown(True)
        self._look()
        if self._notice is not None:
            self._strip.withdraw(self._notice)
        if self._awaited:
            words = fill(self.tr("When they join, these devices are used as usual: %1"), self._names(self._awaited))
            self._strip.show_trouble(ErrorMessage("", words, is_notice=True))

    def close(self) -> None:
        """Take back nothing more."""
        self._feed.close()

    # ---- limits

    def _now(self) -> LimitsChanged:
        return self._bridge.fleet.limits_event(0, 0.0, "", "")

    def _usual(self) -> LimitsChanged:
        return replace(self._now(), groups={}, **{name: getattr(self._first, name) for name in _LIMITS})

    # ---- devices

    def _of_devices(self) -> list[str]:
        said = self._remembered
        drained = [id for id, one in said.items() if one.draining]
        disabled = [id for id, one in said.items() if not one.enabled]
        parts = [
            fill(words, self._names(ids))
            for words, ids in ((self.tr("drained: %1"), drained), (self.tr("disabled: %1"), disabled))
            if ids
        ]
        slots = [id for id, one in said.items() if one.slots != one.declared]
        if slots:
            parts.append(fill(self.tr("with other slots: %1"), self._names(slots)))
        return parts

    def _names(self, ids: list[str] | set[str]) -> str:
        named = sorted(ids)
        rest = len(named) - _NAMED
        return ", ".join(named[:_NAMED]) + (fill(self.tr(" and %1 more"), amount(rest)) if rest > 0 else "")

    def _take(self, changes: Changes) -> None:
        if changes.devices or changes.everything:
            self._look()

    def _look(self) -> None:
        """Take back what was said of those devices that have joined."""
        devices = self._bridge.fleet.devices
        for id in [id for id in self._awaited if id in devices]:
            self._awaited.discard(id)
            self._take_back(devices[id])
        if not self._awaited:
            self._feed.set_shown(False)

    def _take_back(self, device: DeviceFacts) -> None:
        target = Target(device_id=device.id)
        if device.draining:
            self._commands.do(Verb.UNDRAIN, target)
        if not device.enabled:
            self._commands.do(Verb.ENABLE, target)
        if device.offered != device.declared and device.declared is not None:
            self._commands.do(Verb.SET_SLOTS, target, slots=device.declared)
