"""Notices at the start of a run: what the shared fleet has that its plan does not say, as long as that is so."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

from starloom.scheduling.state.device_facts import DeviceRequirements
from starloom_gui.gateway.changes import FLEET
from starloom_gui.text.words import amount, fill
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from starloom.model.plan import Plan
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.widgets.message_bar import MessageBar


class _Told(NamedTuple):
    """What was told of a plan.

    Attributes:
        plan: as its file says it.
        meant: ids of the devices it is meant for.
        wanted: what its tasks that any device may take require of one, each once.
        message: as it is shown; None: there is nothing to tell.
    """

    plan: Plan
    meant: Collection[str]
    wanted: frozenset[DeviceRequirements]
    message: ErrorMessage | None = None


class FleetNotices(QObject):
    """Shows notices about limits and devices that hold for all runs, and withdraws what is no longer so.

    Args:
        bridge: tells of the fleet.
        own: gives the ids of the user's own devices.
        limit: limits groups, by their names.
        bar: shows the notices.
        parent: of the object.
    """

    def __init__(
        self,
        bridge: Bridge,
        own: Callable[[], Collection[str]],
        limit: Callable[[Mapping[str, int]], None],
        bar: MessageBar,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._own, self._limit, self._bar = bridge, own, limit, bar
        self._told: _Told | None = None
        bridge.feed(FLEET, parent=self).changed.connect(self._check)

    def tell(self, plan: Plan, *, names_none: bool) -> None:
        """Show what holds for the run of a plan, which is in front now, though the plan does not say it.

        Args:
            plan: what it runs.
            names_none: whether the plan's file names no device: then the user's own are meant.
        """
        meant = self._own() if names_none else {spec.id for spec in plan.devices}
        free = (task for task in plan.tasks if task.device is None and task.gate is None)
        self._show(_Told(plan, meant, frozenset(map(DeviceRequirements.of, free))))

    def _show(self, told: _Told) -> None:
        message = self._message(told)
        self._told = None if message is None else told._replace(message=message)
        if message is not None:
            self._bar.show_trouble(message)

    def _check(self, changes: Changes) -> None:
        """Correct the notice that is shown, or withdraw it."""
        told = self._told
        if told is None or told.message is None or not (changes.everything or changes.devices or changes.limits):
            return
        if not self._bar.holds(told.message):  # it was put away
            self._told = None
            return
        now = self._message(told)
        if now is None or now.text != told.message.text:
            self._bar.withdraw(told.message)
            self._show(told)

    def _message(self, told: _Told) -> ErrorMessage | None:
        """All notices as one, as a notice takes the place of that before it; the button is that of the first."""
        found = [one for one in (self._of_limits(told.plan), self._of_others(told)) if one is not None]
        if not found:
            return None
        reasons = [found[0].reason, *(one.text for one in found[1:])]
        return replace(found[0], reason=" ".join(reasons))

    def _of_limits(self, plan: Plan) -> ErrorMessage | None:
        """Which groups have another limit than a plan says: one that was set by hand holds for all runs."""
        held = self._bridge.fleet.groups
        others = {name: most for name, most in plan.limits.groups.items() if held.get(name, most) != most}
        if not others:
            return None
        told = self.tr("%1: %2, not %3 as the plan says")
        parts = [fill(told, name, amount(held[name]), amount(most)) for name, most in others.items()]
        why = self.tr("The limit holds for all runs.")
        what = fill(self.tr("Limit group %1"), "; ".join(parts))
        act = partial(self._limit, others)
        return ErrorMessage(what, why, self.tr("Use the plan's"), act, is_notice=True, of_tab=True)

    def _of_others(self, told: _Told) -> ErrorMessage | None:
        """Which devices that other plans brought may run tasks of a plan, as all runs share one fleet."""
        devices = [one for one in self._bridge.fleet.devices.values() if one.accepts]
        fitting = [one.id for one in devices if any(wanted.fits(one) for wanted in told.wanted)]
        others = [id for id in fitting if id not in told.meant]
        if not others:
            return None
        has_own = len(others) < len(fitting)
        words = self.tr("Tasks of “%1” may also run on %2") if has_own else self.tr("Tasks of “%1” run on %2")
        what = fill(words, told.plan.name, ", ".join(others))
        why = self.tr("All runs share one fleet. Pin tasks to a device, or drain one, if they must not.")
        return ErrorMessage(what, why, is_notice=True, of_tab=True)
