"""The dialogs that reserve a run, a device or the fleet, and that break a reservation of somebody else."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from starloom.model.quantities import format_duration, parse_duration
from starloom.scheduling.reservation_commands import BreakReservation, Reserve
from starloom_gui.dialogs.plan_properties.typed_fields import duration
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.specs.reservation_actions import USUAL_TIME
from starloom_gui.text.engine_words import said
from starloom_gui.text.reservation_words import end_words, target_words
from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.dialog import Dialog, as_wide_as_there_is_room
from starloom_gui.widgets.editor import FieldSpec
from starloom_gui.widgets.form import LABELS, Form

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom.scheduling.state.reservations import Reservation, ReservationTarget
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.theme.appearance import Appearance

_REASON: Final = "reason"
_TIME: Final = "time"
_ANY_REASON: Final = "?"
"""Stands for the reason while only the time is looked at."""


class ReserveDialog(Dialog):
    """Asks why and for how long something is reserved; to be shown with `open()`.

    Args:
        appearance: the colours.
        target: what is reserved.
        title: what a run is called.
        made: the user's own reservation of it, which is changed; None: there is none.
        gateway: it is asked for by this.
        parent: the window it stands over.

    Attributes:
        form: the fields `reason` and `time`.
        ends: tells when it would end.
    """

    def __init__(
        self,
        appearance: Appearance,
        target: ReservationTarget,
        title: str,
        made: Reservation | None,
        gateway: CommandGateway,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, "", "", parent=parent)
        self._gateway, self._target = gateway, target
        heading = fill(self.tr("Reserve %1"), target_words(target, title))
        if made is not None:
            heading = fill(self.tr("Change the reservation of %1"), target_words(target, title))
        self.retitle(heading, self.tr("Reserve") if made is None else self.tr("Change"))
        told = text(self._effect(target), look="muted")
        as_wide_as_there_is_room(told)
        self.body.addWidget(told)
        self.form = Form(self._fields(), lambda: self.appearance.palette)
        self.ends = text(role=Role.SMALL, look="muted")
        self.form.fill({_REASON: "" if made is None else made.reason, _TIME: format_duration(USUAL_TIME)})
        self.form.edited.connect(self._look)
        self.body.addWidget(self.form)
        self.ends.setContentsMargins(LABELS + GAPS[1], 0, 0, 0)  # below the field
        self.body.addWidget(self.ends)
        self.apply_theme(appearance.palette)
        self.form.editor(_REASON).setFocus()
        self._look()

    def _fields(self) -> tuple[FieldSpec, ...]:
        reason = FieldSpec(
            name=_REASON,
            label=self.tr("Reason"),
            help=self.tr("Whoever is refused something reads it."),
            required=True,
            is_long=True,
        )
        return reason, duration(_TIME, self.tr("For"), "2h, 1h30m", required=True)

    def _effect(self, target: ReservationTarget) -> str:
        if target.device_id:
            return self.tr(
                "While it is reserved, others cannot change the device, and it starts no tasks for anybody."
                " What runs there goes on."
            )
        if target.run_id:
            return self.tr(
                "While it is reserved, neither others nor agents can change the run. Its tasks go on and start."
            )
        return self.tr(
            "While it is reserved, others can change neither its limits nor devices without a reservation of their own."
            " Tasks go on and start."
        )

    def _seconds(self) -> float | None:
        """The time that is typed, in seconds; None: it cannot be used, and a sentence under it says why."""
        typed: Any = None
        try:
            typed = self.form.editor(_TIME).value()
            seconds = parse_duration(typed) if typed is not None else None
        except ValueError as error:
            self.form.explain(_TIME, _sentence(said(str(error))))
            return None
        if seconds is not None and (why := reason_of(self._gateway.can(self._command(_ANY_REASON, seconds)))):
            self.form.explain(_TIME, why)
            return None
        return seconds

    def _command(self, reason: str, seconds: float) -> Reserve:
        return Reserve(**self._target._asdict(), reason=reason, seconds=seconds)

    def _look(self) -> None:
        seconds = self._seconds()
        self.ends.setText("" if seconds is None else fill(self.tr("Ends at %1"), end_words(time.time() + seconds)))
        self.ends.setVisible(seconds is not None)
        wrong = self.tr("This time cannot be used") if self.form.reason(_TIME) else ""
        self.allow(self.form.missing() or wrong)

    @override
    def do(self) -> None:
        seconds, values = self._seconds(), self.form.values()
        if seconds is not None and values is not None:
            self._gateway.do(self._command(values[_REASON], seconds))
            self.accept()


class BreakReservationDialog(Dialog):
    """Asks why a reservation of somebody else is broken; to be shown with `open()`.

    Args:
        appearance: the colours.
        target: what is reserved.
        title: what a run is called.
        told: by whom, until when and why it is reserved, as a sentence.
        holder: in whose name.
        gateway: it is asked for by this.
        parent: the window it stands over.

    Attributes:
        form: the field `reason`.
    """

    def __init__(
        self,
        appearance: Appearance,
        target: ReservationTarget,
        title: str,
        told: str,
        holder: str,
        gateway: CommandGateway,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, "", "", parent=parent)
        self._gateway, self._target = gateway, target
        heading = self.tr("Break the reservation of %1?")
        self.retitle(fill(heading, target_words(target, title)), self.tr("Break reservation"))
        unasked = fill(self.tr("%1 is not asked. Events and reports tell it."), holder)
        for words, look in ((told, ""), (unasked, "muted")):
            label = text(words, look=look)
            as_wide_as_there_is_room(label)
            self.body.addWidget(label)
        why = FieldSpec(name=_REASON, label=self.tr("Reason"), required=True, is_long=True)
        self.form = Form((why,), lambda: self.appearance.palette)
        self.form.edited.connect(self._look)
        self.body.addWidget(self.form)
        self.apply_theme(appearance.palette)
        self.form.editor(_REASON).setFocus()
        self._look()

    def _look(self) -> None:
        self.allow(self.form.missing())

    @override
    def do(self) -> None:
        values = self.form.values()
        if values is not None:
            self._gateway.do(BreakReservation(**self._target._asdict(), reason=values[_REASON]))
            self.accept()


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:].rstrip(".") + "."
