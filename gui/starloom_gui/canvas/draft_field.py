"""A form for the name and the work of a new task, at its place on the canvas. Nothing is added before Enter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.canvas.rename_field import MOST_CHARACTERS
from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import CONTROL, GAPS, NODE_RADIUS
from starloom_gui.widgets.controls import mark, sheet, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QFocusEvent

    from starloom_gui.theme.palette import Palette

WIDTH: Final = 264
_STAYS: Final = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
"""Its own menu, or another window from which something is copied: the user comes back."""


class DraftField(QFrame):
    """The input field for a new task: a line for its name and, after Tab, one for its work. It ends once.

    Only Enter, in either, asks for the task; Escape gives it up. A click elsewhere gives up what nobody has typed into,
    and leaves open what holds something typed: half a command never runs.

    Args:
        name: what it is called if nobody says so.
        label: what its work is called, e.g. `Command`.
        work: what it does if nobody says so; None: that is not asked, as it has several lines.
        palette: the colours.
        parent: the canvas, over whose overview and zoom it lies.
        why_not: says why there can be no task with this name and this work; empty: there can.
        remark: what is to be known of a work before the task is there; empty: nothing.

    Signals:
        ended(str, str): the name and the work that are wanted.
        given_up(): no task is wanted.
    """

    ended = Signal(str, str)
    given_up = Signal()

    def __init__(
        self,
        name: str,
        label: str,
        work: str | None,
        palette: Palette,
        parent: QWidget,
        why_not: Callable[[str, str], str],
        remark: Callable[[str], str],
    ) -> None:
        super().__init__(parent)
        self._below, self._why_not, self._is_over = parent, why_not, False
        self._begun, self._at = (name, work or ""), QPoint()
        self.setAccessibleName(self.tr("New task"))
        self.name, self.work = QLineEdit(name), QLineEdit(work or "")
        self.work.setHidden(work is None)
        self.name.setFont(font())
        self.name.setMaxLength(MOST_CHARACTERS)
        self.name.setAccessibleName(self.tr("Name of the task"))
        self.name.setPlaceholderText(self.tr("Name"))
        self.work.setFont(font(Role.MONOSPACE))
        self.work.setMaxLength(1_000_000)
        self.work.setAccessibleName(label)
        self.work.setPlaceholderText(label)
        self._problem = text(role=Role.SMALL, look="wrong")
        keys = fill(self.tr("Tab: %1 · Enter: add · Esc: no task"), label)
        self._keys = keys if work is not None else self.tr("Enter: add · Esc: no task")
        self._hint = text(self._keys, Role.SMALL, "muted")
        self.work.textChanged.connect(lambda typed: self._remark(remark(typed)))
        self._arrange()
        self.set_palette(palette)
        for one in (self.name, self.work):
            one.setFixedHeight(CONTROL)
            one.installEventFilter(self)
            one.textEdited.connect(lambda: self._say(""))

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(GAPS[1], GAPS[1], GAPS[1], 6)
        column.setSpacing(GAPS[0])
        for each in (self.name, self.work, self._problem, self._hint):
            column.addWidget(each)
        self._problem.hide()
        self.setFixedWidth(WIDTH)

    def set_palette(self, palette: Palette) -> None:
        """Change the palette."""
        self.setStyleSheet(
            sheet(palette) + f"DraftField {{ background: {palette.panel}; border: 2px solid {palette.text};"
            f" border-radius: {NODE_RADIUS}px; }}"
        )

    def begin(self, at: QPoint) -> None:
        """Show the field around a viewport position, with the focus in the name."""
        self.stand_at(at)
        self.show()
        self.raise_()
        self.name.selectAll()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def stand_at(self, at: QPoint) -> None:
        """Move the name to a viewport position; the whole field stays visible."""
        self._at = at
        self.adjustSize()
        room: QRect = self._below.rect()
        left = at.x() - self.width() // 2
        top = at.y() - CONTROL
        self.move(
            max(GAPS[0], min(left, room.width() - self.width() - GAPS[0])),
            max(GAPS[0], min(top, room.height() - self.height() - GAPS[0])),
        )

    @property
    def problem(self) -> str:
        """The error message; empty: none."""
        return self._problem.text()

    def _say(self, problem: str) -> None:
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        mark(self.work, "wrong" if problem else "")
        self.setAccessibleDescription(problem)
        self.stand_at(self._at)

    @property
    def remark(self) -> str:
        """The text below its lines: a remark on the work, or the keys."""
        return self._hint.text()

    def _remark(self, remark: str) -> None:
        if self.remark != (remark or self._keys):
            self._hint.setText(remark or self._keys)
            self.stand_at(self._at)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._takes(event, watched)
        if event.type() == QEvent.Type.FocusOut:
            self._left(event)
        return False

    def _takes(self, event: QKeyEvent, line: QObject) -> bool:
        """Handle a key event of a line; returns whether it was handled here."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.finish()
        elif event.key() == Qt.Key.Key_Escape:
            self.give_up()
        elif event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            other = self.work if line is self.name and not self.work.isHidden() else self.name
            other.selectAll()
            other.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            return False
        return True

    def _left(self, event: QEvent) -> None:
        focus: QFocusEvent = event  # type: ignore[assignment]  # the kind of the event says so
        now = self.window().focusWidget()
        if focus.reason() in _STAYS or now in (self.name, self.work) or self._is_over:
            return
        if self.is_touched:
            self._hint.setText(fill(self.tr("Not added yet · %1"), self._keys))
            self.stand_at(self._at)
        else:
            self.give_up()

    @property
    def is_touched(self) -> bool:
        """Whether anything was typed."""
        return (self.name.text(), self.work.text()) != self._begun

    def call_back(self) -> None:
        """Take the focus back and say so, as it has to end before another one begins."""
        self._say(self.tr("This task is not added yet. Enter adds it, Esc drops it; then the next one can begin."))
        self.raise_()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def give_up(self) -> None:
        """Cancel the field; no task is added."""
        if not self._is_over:
            self._end()
            self.given_up.emit()

    def finish(self) -> None:
        """Submit the task; if it is refused, the field stays open and shows the reason."""
        if self._is_over:
            return
        name, work = self.name.text(), self.work.text()
        problem = self._why_not(name, work)
        self._say(problem)
        if not problem:
            self._end()
            self.ended.emit(name, work)

    def _end(self) -> None:
        if self._is_over:
            return
        self._is_over = True
        now: QWidget | None = self.window().focusWidget()
        if now is not None and self.isAncestorOf(now):
            self._below.setFocus()
        self.hide()
        self.deleteLater()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.accept()  # the canvas must not take what was written for its own keys
