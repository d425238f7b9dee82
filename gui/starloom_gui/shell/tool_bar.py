"""The toolbar: actions of the run, edit mode, display of the canvas, concurrency limit and search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QWidget
from typing_extensions import override

from starloom.model.status import RunState, TaskStatus
from starloom_gui.specs.action_list import icon_of
from starloom_gui.text.words import amount, fill, share, status_word, translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, drawing
from starloom_gui.theme.metrics import CONTROL, RADIUS, TOOL_BAR
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.widgets.buttons import VerbButton
from starloom_gui.widgets.click_guard import ClickGuard, DoubleClickGuard, is_pointed_at

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.actions import Actions

_BARS: Final = 8
_BAR: Final = QSize(4, 10)
_METER: Final = _BARS * (_BAR.width() + 1)


def main_verb(state: RunState | None) -> str:
    """The action of the first button of the toolbar: start, pause or resume."""
    if state is RunState.PAUSED:
        return "resume"
    return "pause" if state is RunState.EXECUTING else "start"


class LimitButton(VerbButton):
    """The button of the concurrency limit, with the number of running tasks and a meter; a click opens the popover."""

    def __init__(self, appearance: Appearance, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(appearance, actions["limit"], outlined=True, parent=parent)
        self._running = 0
        self._most: int | None = None
        self._whose = ""
        self.show_load(0, None)

    def show_load(self, running: int, most: int | None, *, is_own: bool = False) -> None:
        """Show so many running tasks of at most so many; None: there is no limit.

        Args:
            running: how many run.
            most: how many may.
            is_own: both are of the run that is shown, not of all runs.
        """
        self._running, self._most = running, most
        self._whose = translate("LimitButton", "This run") if is_own else translate("LimitButton", "All runs")
        self.setAccessibleName(f"{running_word()}, {self._whose} {load_words(running, most)}")
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(round(self._words_width()) + 12 + _METER + 12, CONTROL)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(round(self._words_width()) + 12, CONTROL)  # without the meter

    def _words_width(self) -> float:
        """The width of the text: that of two figures each, or of the actual text if it is wider."""
        metrics = QFontMetricsF(self.font())
        figures = (share(88, 88), load_words(self._running, self._most))
        return 12 + metrics.horizontalAdvance(self._whose) + 8 + max(map(metrics.horizontalAdvance, figures))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self._appearance.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_ground(painter, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        metrics, word = QFontMetricsF(self.font()), self._whose
        painter.setFont(self.font())
        painter.setPen(colour(palette.muted))
        painter.drawText(QRectF(12, 0, self.width(), CONTROL), Qt.AlignmentFlag.AlignVCenter, word)
        painter.setPen(colour(palette.text))
        left = 12 + metrics.horizontalAdvance(word) + 8
        figures = load_words(self._running, self._most)
        painter.drawText(QRectF(left, 0, self.width(), CONTROL), Qt.AlignmentFlag.AlignVCenter, figures)
        if self.width() >= self._words_width() + 12 + _METER + 12 - 1:
            self._paint_meter(painter, palette)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour(palette.text), 1.0, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(2.5, 2.5, -2.5, -2.5), RADIUS, RADIUS)
        painter.end()

    def _paint_meter(self, painter: QPainter, palette: Palette) -> None:
        most = self._most or max(_BARS, self._running)
        full = min(_BARS, -(-self._running * _BARS // max(1, most)))
        painter.setPen(Qt.PenStyle.NoPen)
        left = self.width() - 12 - _METER
        for each in range(_BARS):
            painter.setBrush(colour(palette.status[StatusForm.RUNNING].shape if each < full else palette.border))
            box = QRectF(left + each * (_BAR.width() + 1), (CONTROL - _BAR.height()) / 2, _BAR.width(), _BAR.height())
            painter.drawRoundedRect(box, 1, 1)


def load_words(running: int, most: int | None) -> str:
    """The number of running tasks and the limit; more may run while a device drains or after a limit was lowered."""
    if most is None or running <= most:
        return share(running, most)
    return fill(translate("LimitButton", "%1, limit now %2"), running, most)


def running_word() -> str:
    """The name of running tasks."""
    return status_word(TaskStatus.RUNNING)


class _Half(VerbButton):
    """One of the two buttons for live and staged edits; the checked one is filled."""

    @override
    def paint_ground(self, painter: QPainter, box: QRectF) -> None:
        palette = self._appearance.palette
        painter.setPen(Qt.PenStyle.NoPen)
        if self.isChecked():
            painter.setBrush(colour(palette.text))
            painter.drawRoundedRect(box, RADIUS - 1, RADIUS - 1)
        else:
            super().paint_ground(painter, box)

    @override
    def ink(self) -> str:
        return self._appearance.palette.window if self.isChecked() else super().ink()

    @override
    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width() + 12, CONTROL - 2)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_ground(painter, QRectF(self.rect()))
        painter.setPen(colour(self.ink()))
        painter.setFont(self.font())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour(self.ink()), 1.0, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(2.5, 2.5, -2.5, -2.5), 2, 2)
        painter.end()


class SearchField(QLineEdit):
    """The search field for tasks; Enter goes to the next match on the graph, Shift+Enter to the one before.

    Escape empties it. What is not there is said in the field, and the keyboard stays. Each document has its own text.

    Signals:
        stepped(int): 1: the next one is wanted, -1: the one before.
    """

    stepped = Signal(int)

    def __init__(self, appearance: Appearance, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance, self._hint = appearance, hint
        self._document, self._texts = "", dict[str, str]()
        self.setFont(font(Role.BODY))
        self.setFixedHeight(CONTROL)
        self.setMinimumWidth(124)
        self.setPlaceholderText(self.tr("Find a task"))
        self.setAccessibleName(self.tr("Find a task"))
        self.setToolTip(
            self.tr(
                "Find a task by its name. Enter: to the next one on the graph, Shift+Enter: to the one before, F3: on"
            )
        )
        self.is_missing = False
        self.textEdited.connect(lambda: self._note(missing=False))
        self.textChanged.connect(self._leave_room)
        self._leave_room()
        appearance.changed.connect(self._apply_theme)
        self._apply_theme(appearance.palette)

    def turn_to(self, document: str) -> None:
        """Show what was last sought in a document, by its key: another one's text would be sought where it is not."""
        if document == self._document:
            return
        self._texts[self._document], self._document = self.text(), document
        self.setText(self._texts.pop(document, ""))
        self._note(missing=False)

    def note_missing(self) -> None:
        """Show that there is no such task, until the text changes."""
        self._note(missing=True)

    def _note(self, *, missing: bool) -> None:
        self.is_missing = missing
        self.setAccessibleDescription(self._said() if missing else "")
        self._leave_room()
        self.update()

    def _said(self) -> str:
        """What stands at the right of the text."""
        return self.tr("not found") if self.is_missing else "" if self.text() else self._hint

    def _leave_room(self) -> None:
        wide = QFontMetrics(font(Role.SMALL)).horizontalAdvance(self._said())
        self.setTextMargins(24, 0, wide + 8 if wide else 0, 0)

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(
            f"QLineEdit {{ background: {palette.panel}; border: 1px solid {palette.outline}; color: {palette.text};"
            f" border-radius: {RADIUS}px; selection-background-color: {palette.text};"
            f" selection-color: {palette.panel}; }}"
            f"QLineEdit:focus {{ border: 2px dashed {palette.text}; }}"
        )

    @override
    def sizeHint(self) -> QSize:
        return QSize(200, CONTROL)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        palette = self._appearance.palette
        painter = QPainter(self)
        drawing(Icon.SEARCH).paint(painter, QRectF(8, (CONTROL - 16) / 2, 16, 16), colour(palette.muted))
        painter.setPen(colour(palette.status[StatusForm.FAILED].text if self.is_missing else palette.muted))
        painter.setFont(font(Role.SMALL))
        box = QRectF(0, 0, self.width() - 8, self.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._said())
        painter.end()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class ToolBar(QWidget):
    """The toolbar of the window.

    Args:
        actions: all verbs.
        appearance: the colours.
        parent: of the widget.

    Attributes:
        main: start, pause or resume, whichever makes sense.
        retry: with the number of failed tasks.
        filter: whether some tasks only are shown.
        limit: how many run and may run.
        search: where a task's name is typed.
    """

    def __init__(self, actions: Actions, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions, self._appearance = actions, appearance
        self._verb = "start"
        self._needs = "start", "", 0
        self.setFixedHeight(TOOL_BAR)
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 0, 12, 0)
        row.setSpacing(2)
        self.main = self._button("start")
        self._cancel, self.retry = self._button("cancel_run"), self._button("retry_failed")
        for button in (self.main, self._cancel, self.retry):
            DoubleClickGuard(button)
        self.filter = self._button("filter")
        self._lines: list[QFrame] = []
        self._modes = self._new_modes()
        self.limit = LimitButton(appearance, actions)
        shortcut = actions["find"].shortcut().toString(actions["find"].shortcut().SequenceFormat.NativeText)
        self.search = SearchField(appearance, shortcut.replace("+", " "))
        actions["find"].triggered.connect(self._find)
        for widget in (self.main, self._cancel, self.retry, self._line(), self._modes, self._line()):
            row.addWidget(widget)
        for key in ("undo", "redo"):
            row.addWidget(self._button(key, words=False))
        row.addWidget(self._line())
        self._critical = self._button("critical_path")
        row.addWidget(self._critical)
        row.addWidget(self.filter)
        row.addStretch(1)
        row.addWidget(self.limit)
        row.addSpacing(4)
        row.addWidget(self.search)
        appearance.changed.connect(self._apply_theme)
        self._apply_theme(appearance.palette)

    def show_run(
        self,
        state: RunState | None,
        failures: tuple[int, int],
        running: int,
        most: int | None,
        *,
        is_own: bool = False,
    ) -> None:
        """Show the run's state, failures and load.

        Args:
            state: of the run; None: there is none.
            failures: how many of its tasks failed, and how many besides with no more than a warning.
            running: how many tasks run.
            most: how many may; None: as many as there are slots.
            is_own: both are of this run, not of all runs.
        """
        verb = main_verb(state)
        if verb != self._verb:
            self._verb = verb
            self.main.show_action(self._actions[verb], icon_of(verb))
            if is_pointed_at(self.main):
                ClickGuard(self.main)
        self.retry.show_badge(amount(sum(failures)) if any(failures) else "", is_loud=bool(failures[0]))
        self.limit.show_load(running, most, is_own=is_own)
        needs = self._verb, self.retry.badge, self.limit.minimumSizeHint().width()
        if needs != self._needs:
            self._needs = needs
            self._fit()

    def _fit(self) -> None:
        """Leave words out where there is no room for all: an icon with its tip stays."""
        shrinking = (self._critical, self.filter, self._cancel, self.retry)
        for button in shrinking:
            button.show_words(shown=True)
        layout = self.layout()
        assert layout is not None
        for button in shrinking:
            layout.invalidate()
            if layout.minimumSize().width() <= self.width():
                return
            button.show_words(shown=False)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, TOOL_BAR)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _find(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _button(self, key: str, *, words: bool = True) -> VerbButton:
        return VerbButton(self._appearance, self._actions[key], icon_of(key), words=words, parent=self)

    def _new_modes(self) -> QFrame:
        frame = QFrame(self)
        frame.setFixedHeight(CONTROL)
        frame.setObjectName("modes")
        row = QHBoxLayout(frame)
        row.setContentsMargins(1, 1, 1, 1)
        row.setSpacing(0)
        for key in ("live", "staged"):
            half = _Half(self._appearance, self._actions[key], parent=frame)
            half.setFixedHeight(CONTROL - 2)
            row.addWidget(half)
        return frame

    def _line(self) -> QFrame:
        line = QFrame(self)
        line.setFixedSize(17, 20)
        self._lines.append(line)
        return line

    def _apply_theme(self, palette: Palette) -> None:
        self._modes.setStyleSheet(
            f"QFrame#modes {{ background: {palette.panel}; border: 1px solid {palette.outline};"
            f" border-radius: {RADIUS}px; }}"
        )
        for line in self._lines:
            line.setStyleSheet(f"background: {palette.border}; margin: 0 8px;")
        self.update()
