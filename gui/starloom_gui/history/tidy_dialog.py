"""The dialog that keeps the last runs only, by number or size, and shows which would be removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QRadioButton, QVBoxLayout, QWidget
from typing_extensions import override

from starloom.journal.tidying import beyond
from starloom_gui.history.run_list import RunPlurals
from starloom_gui.models.run_table import RunColumn, RunTable
from starloom_gui.text.words import fill, size
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import CONTROL, GAPS
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.number_field import NumberField
from starloom_gui.widgets.rows import ListRow, RowList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.journal.records import RunRecord
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_MEGABYTE: Final = 1_000_000
_FIELD: Final = 110
_USUAL: Final = 50


class TidyDialog(Dialog):
    """Asks which runs are kept; to be shown with `open()`.

    Args:
        appearance: the colours.
        found: all runs, with their sizes.
        parent: the window it stands over.

    Attributes:
        last: how many runs are kept.
        most: how many megabytes are kept.

    Signals:
        agreed(list): these runs may go.
    """

    agreed = Signal(list)

    def __init__(self, appearance: Appearance, found: Sequence[RunRecord], parent: QWidget | None = None) -> None:
        super().__init__(appearance, "", "", width=520, parent=parent)
        self._found = list(found)
        self._going: list[RunRecord] = []
        self.by_last, self.by_size = QRadioButton(self.tr("Keep the last")), QRadioButton(self.tr("Keep at most"))
        whole = sum(one.size or 0 for one in found)
        self.last, self.most = NumberField(optional=False, rest=None), NumberField(optional=False, rest=None)
        self.last.show_value(_USUAL)
        self.most.show_value(max(1, round(whole / _MEGABYTE / 2)))
        self._about = text()
        self._ground = QWidget()
        self._column = QVBoxLayout(self._ground)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._arrange_fields()
        for field in (self.last, self.most):
            field.edited.connect(self._look)
        self.by_last.toggled.connect(self._look)
        self.by_last.setChecked(True)
        self._look()
        self.last.setFocus()
        self.apply_theme(appearance.palette)

    def _arrange_fields(self) -> None:
        group = QButtonGroup(self)
        grid = QGridLayout()
        grid.setHorizontalSpacing(GAPS[1])
        grid.setVerticalSpacing(GAPS[1])
        grid.setColumnStretch(3, 1)
        rows = ((self.by_last, self.last, self.tr("runs")), (self.by_size, self.most, self.tr("MB of all runs")))
        for at, (choice, field, unit) in enumerate(rows):
            choice.setFont(font(Role.BODY))
            group.addButton(choice)
            field.setFixedSize(_FIELD, CONTROL)
            field.name(f"{choice.text()} ({unit})")
            grid.addWidget(choice, at, 0)
            grid.addWidget(field, at, 1)
            grid.addWidget(text(unit, wraps=False), at, 2)
        says = self.tr("Runs that go on, were interrupted or cannot be read are kept in any case.")
        self.body.addWidget(text(says, look="muted"))
        self.body.addLayout(grid)
        self.body.addSpacing(GAPS[0])
        self.body.addWidget(self._about)
        self.body.addWidget(self._ground)

    def _look(self, *_: object) -> None:
        """Update the summary of what would be removed."""
        is_last = self.by_last.isChecked()
        self.last.setEnabled(is_last)
        self.most.setEnabled(not is_last)
        try:
            number = (self.last if is_last else self.most).whole() or 0
        except ValueError:
            self._going, reason = [], self.tr("The number cannot be used")
        else:
            last, most = (number, None) if is_last else (None, number * _MEGABYTE)
            self._going = beyond(self._found, last, most)
            reason = "" if self._going else self.tr("No run would go")
        freed = size(sum(one.size or 0 for one in self._going))
        runs = RunPlurals().runs(len(self._going))
        self._about.setText(fill(self.tr("%1 would go into the trash, %2:"), runs, freed) if self._going else "")
        self.retitle(self.tr("Tidy up"), fill(self.tr("Put %1 into the trash"), runs))
        self._show_going()
        self.allow(reason)

    def _show_going(self) -> None:
        while (old := self._column.takeAt(0)) is not None:
            widget = old.widget()
            if widget is not None:
                widget.deleteLater()
        if self._going:
            lines = [_line(one) for one in self._going]
            self._column.addWidget(RowList(self.appearance, lines, self._about.text()))

    @override
    def do(self) -> None:
        self.agreed.emit(list(self._going))
        self.accept()

    @override
    def apply_theme(self, palette: Palette) -> None:
        super().apply_theme(palette)
        for field in (self.last, self.most):
            field.apply_theme(palette)
        self.setStyleSheet(
            self.styleSheet()
            + f"QRadioButton {{ color: {palette.text}; background: transparent; spacing: 8px; }}"
            + "QRadioButton::indicator { width: 14px; height: 14px; border-radius: 8px;"
            + f" border: 1px solid {palette.outline}; background: {palette.panel}; }}"
            + "QRadioButton::indicator:checked { width: 6px; height: 6px; border-radius: 8px;"
            + f" border: 5px solid {palette.text}; background: {palette.panel}; }}"
            + f"QRadioButton:focus {{ border: 1px dashed {palette.text}; border-radius: 4px; }}"
        )


def _line(one: RunRecord) -> ListRow:
    table = RunTable()
    facts = [table.text(one, column) for column in (RunColumn.STATE, RunColumn.MADE, RunColumn.SIZE)]
    return ListRow("", one.name or one.run_id, (" · ".join(fact for fact in facts if fact),))
