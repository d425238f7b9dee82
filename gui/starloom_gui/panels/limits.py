"""The list of limits: each with its usage and a field that changes it while everything runs."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget
from typing_extensions import override

from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.text.words import fill, share
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.limit_lines import limit_lines, part_title
from starloom_gui.widgets.controls import Elided, text
from starloom_gui.widgets.number_field import NumberField, unlimited_word
from starloom_gui.widgets.value_editor import ValueHint

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QLabel

    from starloom.scheduling.commands import Command
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.gateway.commands import Refusal
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.limit_lines import LimitLine, LimitPart
    from starloom_gui.viewmodel.roles import ShownRun

    Key = tuple[LimitPart, str]

_ROW: Final = 36
_HEAD: Final = 20
_SPARE: Final = 24
"""Rows out of sight that are kept, so that scrolling a little makes none anew."""
_FIELD: Final = 128
_FIGURES: Final = 48
_METER: Final = 4


class Meter(QWidget):
    """A bar that shows the usage of a limit; without a limit nothing is painted."""

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__()
        self._colours = colours
        self._used, self._most = 0, 0
        self.setFixedHeight(_METER)

    def show_use(self, used: int, most: int | None) -> None:
        """Show so many of at most so many; None: there is no limit."""
        value = (used, -1 if most is None else most)
        if value != (self._used, self._most):
            self._used, self._most = value
            self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(40, _METER)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette, most = self._colours(), self._most
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        box = QRectF(self.rect())
        painter.setBrush(colour(palette.border if most >= 0 else palette.raised))
        painter.drawRoundedRect(box, 2, 2)
        if most >= 0 and self._used:
            box.setWidth(max(float(_METER), box.width() * min(1.0, self._used / max(1, most))))
            painter.setBrush(
                colour(palette.status[StatusForm.RUNNING if self._used <= most else StatusForm.PENDING].shape)
            )
            painter.drawRoundedRect(box, 2, 2)
        painter.end()


class LimitRow(QWidget):
    """The row of one limit. A change is sent at once; a refusal stands below it and the old value is back.

    Attributes:
        field: where the number stands.

    Signals:
        grown: a reason stands under it now, or none does any more.
    """

    grown = Signal()

    def __init__(
        self, line: LimitLine, gateway: CommandGateway, colours: Callable[[], Palette], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._gateway, self._line = gateway, line
        self._ticket = 0
        self._refused: Command | None = None
        """What could not be done as it was asked for, as long as the reason stands below."""
        self.label = Elided(line.label)
        self.figures = text(role=Role.SMALL, look="muted", wraps=False)
        self.meter = Meter(colours)
        self.field = NumberField(optional=line.optional)
        self._error = text(role=Role.SMALL, look="wrong")
        self._error.hide()
        self.beside = ValueHint()
        self.beside.taken.connect(self._take)
        self._arrange()
        self.field.wanted.connect(self._ask)
        self.field.mistyped.connect(self._explain)
        self.field.edited.connect(self._clear)

    def _arrange(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 4, 0, 4)
        grid.setHorizontalSpacing(GAPS[1])
        grid.setVerticalSpacing(0)
        if self._line.used is None:
            grid.addWidget(self.label, 0, 0, 2, 2)
            for one in (self.meter, self.figures):  # else they would stay when the row goes
                one.setParent(self)
                one.hide()
        else:
            grid.addWidget(self.label, 0, 0, 1, 2)
            grid.addWidget(self.meter, 1, 0)
            grid.addWidget(self.figures, 1, 1)
        grid.addWidget(self.field, 0, 2, 2, 1)
        grid.addWidget(self._error, 2, 0, 1, 3)
        grid.addWidget(self.beside, 3, 0, 1, 3)
        grid.setColumnStretch(0, 1)
        self.field.setFixedWidth(_FIELD)
        self.figures.setFixedWidth(_FIGURES)

    @property
    def reason(self) -> str:
        """The reason why the last value was refused; empty: it was accepted, or there was none."""
        return self._error.text()

    @property
    def is_in_use(self) -> bool:
        """Whether the user edits it, or has to read its error."""
        return bool(self.reason) or self.field.is_edited or self.field.line.hasFocus()

    def height_at(self, width: int) -> int:
        """Its height at a width, in pixels."""
        return max(_ROW, self.heightForWidth(width)) if self.reason or not self.beside.isHidden() else _ROW

    def show_line(self, line: LimitLine) -> None:
        """Show the present value of the limit."""
        self._line = line
        self.label.setText(line.label)
        used = line.used or 0
        self.figures.setText("" if line.used is None else share(used, line.most))
        self.meter.show_use(used, line.most)
        self.field.show_value(line.most, used)
        if self._refused is not None and not reason_of(self._gateway.can(self._refused)):
            self._clear()  # as once the past is shown no more
        self._tell()
        self._say()

    def _tell(self) -> None:
        """Show below the field the limit that others have set while it was in use."""
        other, was = self.field.other, self.beside.isHidden()
        words = fill(self.tr("Set to %1 meanwhile"), other or unlimited_word()) if other is not None else ""
        self.beside.say(words)
        if was is not self.beside.isHidden():
            self.grown.emit()

    def _take(self) -> None:
        self.field.take_back()
        self._tell()

    def _say(self) -> None:
        spoken = fill(self.tr("Limit of %1"), self._line.label)
        self.field.name(spoken)
        figures = self.figures.text()
        self.setAccessibleName(fill(self.tr("%1, used %2"), spoken, figures) if figures else spoken)

    def apply_theme(self, palette: Palette) -> None:
        """Apply the colours of a theme."""
        self.field.apply_theme(palette)
        self.meter.update()

    def refuse(self, refusal: Refusal) -> bool:
        """Show a refusal; returns whether the value was sent from here."""
        if not self._ticket or refusal.ticket != self._ticket:
            return False
        self._explain(f"{refusal.reason} {refusal.hint}".strip())
        return True

    def _ask(self, value: int | None) -> None:
        command = self._line.command(value)
        reason = reason_of(self._gateway.can(command))
        if reason:
            self._explain(reason)
            self._refused = command
            return
        self._ticket = self._gateway.do(command)

    def _explain(self, reason: str) -> None:
        self.field.show_value(self._line.most, self._line.used or 0)
        self.field.take_back()
        self.field.set_wrong(True)
        self._error.setText(fill(self.tr("%1 Nothing was changed."), reason))
        self._error.show()
        self.grown.emit()
        self.field.line.setAccessibleDescription(self._error.text())

    def _clear(self) -> None:
        self._refused = None
        if self._error.isHidden():
            return
        self.field.set_wrong(False)
        self._error.hide()
        self._error.clear()
        self.grown.emit()
        self.field.line.setAccessibleDescription("")


class LimitsList(QScrollArea):
    """The list of all limits, by part. Only rows that are nearly visible have widgets, as there may be hundreds.

    Args:
        appearance: the colours.
        fleet: gives the facts of the fleet.
        run: gives the run that is shown; None: there is none.
        gateway: what new limits are asked for by.
        is_plan: whether a plan that is not started is shown.
        parent: the widget it lies in.
    """

    def __init__(
        self,
        appearance: Appearance,
        fleet: Callable[[], FleetFacts],
        run: ShownRun,
        gateway: CommandGateway,
        *,
        is_plan: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._appearance, self._fleet, self._run, self._gateway = appearance, fleet, run, gateway
        self._is_plan = is_plan
        self._lines: dict[Key, LimitLine] = {}
        self._rows: dict[Key, LimitRow] = {}
        self._heads: dict[LimitPart, QLabel] = {}
        self._order: tuple[Key, ...] = ()
        self._pane = QWidget()
        self._pane.setObjectName("pane")
        self.setWidget(self._pane)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setSingleStep(_ROW)
        self.verticalScrollBar().valueChanged.connect(self._place)
        self.setAccessibleName(self.tr("Limits"))

    def row(self, part: LimitPart, name: str = "") -> LimitRow:
        """The row of a limit, visible or not.

        Raises:
            KeyError: there is no such limit.
        """
        known = self._rows.get((part, name))
        return known if known is not None else self._new(self._lines[part, name])

    def refresh(self) -> None:
        """Update all limits; a field in use is left alone."""
        lines = {line.key: line for line in limit_lines(self._fleet(), self._run(), is_plan=self._is_plan)}
        self._lines = lines
        for key in [key for key in self._rows if key not in lines]:
            self._remove(key)
        for key, row in self._rows.items():
            row.show_line(lines[key])
        if tuple(lines) != self._order:
            self._order = tuple(lines)
            self._place()

    def refuse(self, refusal: Refusal) -> None:
        """Show a refusal under the field it is about, if it was asked for here."""
        any(row.refuse(refusal) for row in self._rows.values())

    def apply_theme(self, palette: Palette) -> None:
        """Apply the colours of a theme."""
        for row in self._rows.values():
            row.apply_theme(palette)

    def forget(self) -> None:
        """Rebuild the list the next time, as the language may have changed."""
        self._order = ()

    # ---- placing

    def _place(self) -> None:
        """Place the visible rows, and give widgets to those near them."""
        sight = self.viewport().height()
        first, last = self.verticalScrollBar().value() - sight, self.verticalScrollBar().value() + 2 * sight
        width = self.viewport().width() - 2 * GAPS[2]
        top, part = GAPS[1], None
        seen: list[LimitRow] = []
        for key, line in self._lines.items():
            if line.part is not part:
                top = self._place_head(line.part, top + (GAPS[1] if part is not None else 0), width)
                part = line.part
            row = self._rows.get(key)
            high = row.height_at(width) if row is not None else _ROW
            if first <= top + high and top <= last:
                row = row or self._new(line)
                seen.append(row)
            if row is not None:
                row.setGeometry(GAPS[2], top, width, high)
                row.show()
            top += high
        self._pane.setMinimumHeight(top + GAPS[1])
        self._tidy(seen)

    def _place_head(self, part: LimitPart, top: int, width: int) -> int:
        head = self._heads.get(part)
        if head is None:
            head = self._heads[part] = text("", Role.SECTION, wraps=False)
            head.setParent(self._pane)
        head.setText(part_title(part))
        head.setGeometry(GAPS[2], top, width, _HEAD)
        head.show()
        return top + _HEAD

    def _tidy(self, seen: list[LimitRow]) -> None:
        """Remove rows that are hidden and unused, set the tab order, and remove unused headings."""
        if len(self._rows) > len(seen) + _SPARE:
            near = set(map(id, seen))
            for key in [key for key, row in self._rows.items() if id(row) not in near and not row.is_in_use]:
                self._remove(key)
        for one, following in pairwise(seen):
            QWidget.setTabOrder(one.field.line, following.field.line)
        parts = {line.part for line in self._lines.values()}
        for part, head in self._heads.items():
            head.setVisible(part in parts)

    def _new(self, line: LimitLine) -> LimitRow:
        row = self._rows[line.key] = LimitRow(line, self._gateway, lambda: self._appearance.palette, self._pane)
        row.apply_theme(self._appearance.palette)
        row.show_line(line)
        row.grown.connect(self._place)
        return row

    def _remove(self, key: Key) -> None:
        row = self._rows.pop(key)
        row.hide()
        row.deleteLater()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
