"""Numbers that hold at once: how many tasks may run, of all runs and of this one, and how many slots a device has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QGridLayout
from typing_extensions import override

from starloom_gui.dialogs.dialog import Dialog
from starloom_gui.dialogs.form import LABELS, Trouble
from starloom_gui.panels.asking import reason_of
from starloom_gui.panels.dress import button, mark, text
from starloom_gui.panels.limits_facts import all_runs, device_slots, this_run
from starloom_gui.panels.number_field import NumberField
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import CONTROL, GAPS
from starloom_gui.words import fill, share, translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QPushButton, QWidget

    from starloom.scheduling.device_facts import DeviceFacts
    from starloom.scheduling.fleet_facts import FleetFacts
    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.panels.asking import Asks
    from starloom_gui.panels.limits_facts import LimitLine
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_FIELD: Final = 120


class NumbersDialog(Dialog):
    """Asks for one or more limits and sends those that were changed; to be shown with `open()`.

    Args:
        appearance: the colours.
        title: what it is for.
        does: what stands on its default button.
        says: what the numbers mean, in a sentence.
        lines: the limits as they are.
        asks: what new ones are asked for by.
        parent: the window it stands over.
    """

    def __init__(
        self,
        appearance: Appearance,
        title: str,
        does: str,
        says: str,
        lines: Sequence[LimitLine],
        asks: Asks,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, title, does, width=420, parent=parent)
        self._asks = asks
        self._rows = [_Row(line, appearance) for line in lines]
        self.body.addWidget(text(says, look="muted"))
        grid = QGridLayout()
        grid.setColumnMinimumWidth(0, LABELS)
        grid.setColumnStretch(3, 1)
        grid.setHorizontalSpacing(GAPS[1])
        grid.setVerticalSpacing(GAPS[0])
        for at, row in enumerate(self._rows):
            row.lay(grid, 2 * at)
            row.field.edited.connect(self._look)
        self.body.addLayout(grid)
        self._rows[0].field.setFocus()
        self.dress(appearance.palette)
        self._look()

    def field(self, at: int = 0) -> NumberField:
        """A field, from top to bottom."""
        return self._rows[at].field

    def trouble(self, at: int = 0) -> str:
        """What stands under a field as wrong."""
        return self._rows[at].trouble.words.text()

    def _look(self) -> None:
        for row in self._rows:
            row.look(self._asks)
        if any(row.is_wrong for row in self._rows):
            self.allow(self.tr("One of the numbers cannot be used"))
        elif not any(row.is_changed for row in self._rows):
            self.allow(self.tr("Nothing is changed yet"))
        else:
            self.allow("")

    @override
    def do(self) -> None:
        for row in self._rows:
            if row.is_changed:
                row.send(self._asks)
        self.accept()

    @override
    def dress(self, palette: Palette) -> None:
        super().dress(palette)
        for row in self._rows:
            row.field.dress(palette)


class _Row:
    """One limit in the dialog."""

    def __init__(self, line: LimitLine, appearance: Appearance) -> None:
        self.line = line
        self.is_wrong = False
        self.field = NumberField(optional=line.optional, rest=None)
        self.field.setFixedHeight(CONTROL)
        self.field.setFixedWidth(_FIELD)
        self.field.show_value(line.most, line.used)
        self.field.name(line.label)
        self.lift: QPushButton = button(translate("Limits", "No limit"))
        mark(self.lift, "flat")
        self.lift.clicked.connect(lambda: self.field.set_to(None))
        self.trouble = Trouble(lambda: appearance.palette)

    def lay(self, grid: QGridLayout, at: int) -> None:
        """Put it into two rows of a grid."""
        label = text(self.line.label, wraps=False)
        label.setBuddy(self.field)
        grid.addWidget(label, at, 0)
        grid.addWidget(self.field, at, 1)
        if self.line.optional:
            grid.addWidget(self.lift, at, 2)
        now = fill(translate("Limits", "now %1"), share(self.line.used, self.line.most))
        grid.addWidget(text(now, Role.SMALL, "muted", wraps=False), at, 3)
        grid.addWidget(self.trouble, at + 1, 1, 1, 3)

    @property
    def is_changed(self) -> bool:
        """Whether another number stands there."""
        return not self.is_wrong and self.field.value() != self.line.most

    def look(self, asks: Asks) -> None:
        """Say what is wrong with the number, if anything is."""
        try:
            value = self.field.value()
            reason = "" if value == self.line.most else self._refusal(asks, value)
        except ValueError as error:
            reason = str(error)
        self.is_wrong = bool(reason)
        self.field.set_wrong(self.is_wrong)
        self.trouble.show_trouble(reason)

    def _refusal(self, asks: Asks, value: int | None) -> str:
        return reason_of(asks.can(self.line.verb, self.line.target, **self.line.given(value)))

    def send(self, asks: Asks) -> None:
        """Ask for the number."""
        asks.do(self.line.verb, self.line.target, **self.line.given(self.field.value()))


def limit_dialog(
    appearance: Appearance, fleet: FleetFacts, run: RunFacts | None, asks: Asks, parent: QWidget | None = None
) -> NumbersDialog:
    """The dialog for how many tasks may run at once, of all runs and of this one."""
    lines = [all_runs(fleet), *([this_run(run)] if run is not None else [])]
    title = translate("Limits", "Limit running tasks")
    says = translate("Limits", "How many tasks may run at once. Lowering a limit stops nothing that runs.")
    return NumbersDialog(appearance, title, translate("Limits", "Set limits"), says, lines, asks, parent)


def slots_dialog(
    appearance: Appearance, device: DeviceFacts, asks: Asks, parent: QWidget | None = None
) -> NumbersDialog:
    """The dialog for the slots of a device."""
    title = translate("Limits", "Set slots")
    says = translate("Limits", "How many tasks it runs at once. Taking slots away stops nothing that runs there.")
    return NumbersDialog(appearance, title, title, says, [device_slots(device)], asks, parent)
