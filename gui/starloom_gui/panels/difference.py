"""The list of differences between a run and a plan, field by field."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.diff.plan_difference_words import counted, each_row, same_words
from starloom_gui.editing.words import EditPlurals
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import MARGIN, button, sheet, text
from starloom_gui.widgets.rows import ListRow, RowList
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent, QShowEvent

    from starloom_gui.diff.plan_diff import PlanDiff
    from starloom_gui.diff.plan_difference import Difference
    from starloom_gui.diff.plan_difference_words import PlanDifferenceRow
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.selection import Selection


MOST_ROWS: Final = 1_000
"""So many are listed, in some 100 ms; the canvas shows all."""


class DifferencePane(QWidget):
    """The Differences pane, which lists the differences between a run and its plan; it reads only while visible.

    Args:
        against: the comparison.
        is_staged: says whether edits are staged, which are then what is drawn.
        appearance: the colours.
        selection: of the run; a row selects what it is about.
        parent: the widget it lies in.

    Attributes:
        rows: the list.
        apply: carries the run's edits over to the plan.
        done: ends the comparison.

    Signals:
        apply_asked(): the run's edits are to be carried over to the plan.
        look_asked(int): this task is to be brought into sight.
    """

    apply_asked = Signal()
    look_asked = Signal(int)

    def __init__(
        self,
        against: PlanDiff,
        is_staged: Callable[[], bool],
        appearance: Appearance,
        selection: Selection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._against, self._is_staged = against, is_staged
        self._appearance, self._selection = appearance, selection
        self._found: list[PlanDifferenceRow] = []
        self._read: object = None
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._head, self._counts = text(role=Role.SECTION), text(role=Role.SMALL, look="muted")
        self._note, self._empty = text(role=Role.SMALL, look="muted"), text(look="muted")
        self.rows = RowList(appearance, (), "")
        self.apply, self.done = button(""), button("")
        self._arrange()
        self._connect()
        self._say()
        Restyling(self, appearance, self._apply_theme)

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 10, MARGIN, MARGIN)
        column.setSpacing(GAPS[1])
        for part in (self._head, self._counts, self._note):
            column.addWidget(part)
        column.addWidget(self.rows, 1)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addWidget(self._empty, 1)
        row = QHBoxLayout()
        row.setSpacing(GAPS[1])
        row.addWidget(self.apply)
        row.addStretch(1)
        row.addWidget(self.done)
        column.addLayout(row)
        self.setFocusProxy(self.rows)

    def _connect(self) -> None:
        self._against.changed.connect(self.refresh)
        self.rows.selectionModel().selectionChanged.connect(lambda *_: self._choose())
        self.rows.clicked.connect(lambda _: self._choose())
        self.apply.clicked.connect(self.apply_asked)
        self.done.clicked.connect(lambda: self._against.stop())

    # ---- showing

    def refresh(self) -> None:
        """Update the whole pane; unchanged rows keep their widgets."""
        beside, apart = self._against.beside, self._against.apart
        if not self.isVisible() or beside is None:
            return
        self._head.setText(fill(self.tr("Compared with “%1”"), beside.title))
        verdict = beside.can_apply()
        self.apply.setEnabled(verdict.ok)
        self.apply.setToolTip(reason_of(verdict) or self.tr("Carry the run's edits back to its plan"))
        self.apply.setAccessibleDescription(reason_of(verdict))
        if apart is not self._read:
            self._read = apart
            self._read_rows(apart.found if apart is not None else None)
        self._counts.setText(counted(apart.found) if apart is not None else "")
        self._counts.setVisible(bool(self._found))
        self.rows.setVisible(bool(self._found))
        self._empty.setVisible(not self._found)
        left_out = self.tr("Devices that tasks were pinned to while it ran are not compared.")
        is_hidden = self._is_staged()
        self._note.setText(self.tr("The canvas shows what is staged, not the comparison.") if is_hidden else left_out)
        self._note.setVisible(is_hidden or bool(self._found))
        same = fill(self.tr("%1 %2"), same_words(), left_out)
        self._empty.setText(same if apart is not None else self.tr("Comparing…"))

    def _read_rows(self, found: Difference | None) -> None:
        self._found = list(islice(each_row(found), MOST_ROWS)) if found is not None else []
        lines = [ListRow(row.sign.value, row.title, row.lines) for row in self._found]
        count = len(found) - max(0, len(found.fields) - 1) if found is not None else 0  # those of the plan are one row
        if count > len(lines):
            lines.append(ListRow("", EditPlurals().more(count - len(lines))))
        if tuple(lines) != self.rows.lines:
            self.rows.show_lines(lines)

    # ---- selecting

    def _choose(self) -> None:
        """Select the tasks of the selected rows."""
        ghosts = self._against.ghosts
        if ghosts is None:
            return
        chosen = sorted(index.row() for index in self.rows.selectedIndexes())
        place = ghosts.facts.graph.place
        about = [self._found[row] for row in chosen if row < len(self._found)]
        numbers = [place[id] for row in about for id in row.ids if id in place]
        if numbers:
            self._selection.select_all(numbers, numbers[0])
            self.look_asked.emit(numbers[0])

    # ---- look

    def _say(self) -> None:
        self.setAccessibleName(self.tr("What differs from the plan"))
        self.rows.setAccessibleName(self.tr("What differs from the plan"))
        self.apply.setText(self.tr("Apply to plan…"))
        self.done.setText(self.tr("Done"))
        self.done.setToolTip(self.tr("Compare no more (Escape)"))

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(sheet(palette))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape or not self._against.stop():
            super().keyPressEvent(event)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
            self._read = None
            self.refresh()
        super().changeEvent(event)
