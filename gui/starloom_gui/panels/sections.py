"""The sections of the inspector from top to bottom; each is rebuilt only when its value has changed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QTextOption
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from starloom_gui.gateway.command_gateway import label_with_part, reason_of
from starloom_gui.panels.task_marks import paint_tile
from starloom_gui.text.words import fill, tip
from starloom_gui.theme import glyphs
from starloom_gui.theme.drawings import Drawing
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import GLYPH, ROW
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.status_forms import form_word
from starloom_gui.widgets.controls import MARGIN, Elided, button, empty, line, mark, text
from starloom_gui.widgets.flow import Flow
from starloom_gui.widgets.offers import Offered

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QLayout

    from starloom_gui.panels.task_facts import Parent, Times, TriedAttempt
    from starloom_gui.panels.why_question import WhyRow
    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.offers import Remedy

BLOCKED = Drawing("O 8 8 6 M 5 8 L 11 8", stroke=1.5)
_MOST_LINES = 10
_LONG_NAME = 120
"""The least visible width of a parent's name, in pixels."""
_WIDE = 280
"""From this width on there is room for the time beside name and value."""


class StatusMark(QWidget):
    """The form of a status with its glyph, in a square.

    Attributes:
        form: the form that is painted; `StatusForm.REMOVED`: nothing.
    """

    def __init__(self, size: int, colours: Callable[[], Palette]) -> None:
        super().__init__()
        self.form: StatusForm = StatusForm.WAITING
        self._colours = colours
        self.setFixedSize(size, size)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_tile(painter, QPointF(), self.form, self._colours(), self.width())
        painter.end()


class DrawnMark(QWidget):
    """A drawing of 16 pixels in one colour."""

    def __init__(self, drawing: Drawing, ink: str) -> None:
        super().__init__()
        self._drawing, self._ink = drawing, ink
        self.setFixedSize(GLYPH, GLYPH)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._drawing.paint(painter, QRectF(self.rect()), colour(self._ink))
        painter.end()


class Section(QWidget):
    """One section of the inspector: a hairline, a heading, and rows that are rebuilt when their content has changed.

    Signals:
        chosen: with the `Remedy` whose button was pressed.
    """

    chosen = Signal(object)
    hides_when_empty: ClassVar[bool] = False
    """Whether what it is given to show decides whether it is visible."""

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__()
        self.colours = colours
        self._shown: Any = None
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        self.hairline = line()
        outer.addWidget(self.hairline)
        inner = self.inner = QVBoxLayout()
        inner.setContentsMargins(MARGIN, 10, MARGIN, 14)
        inner.setSpacing(0)
        outer.addLayout(inner)
        outer.addStretch(1)  # a room that is kept for a while is empty below, not between the lines
        top = self.top = QHBoxLayout()
        self.heading = text(role=Role.SECTION, wraps=False)
        self.aside = Elided("", Role.SMALL, "muted", ends=True)
        self.aside.setAlignment(Qt.AlignmentFlag.AlignRight)
        top.addWidget(self.heading)
        top.addWidget(self.aside, 1)
        inner.addLayout(top)
        inner.addSpacing(6)
        self.rows = QVBoxLayout()
        self.rows.setSpacing(0)
        inner.addLayout(self.rows)

    def title(self, words: str, aside: str = "") -> None:
        """Set the heading, and a remark at its right, or below it where both have no room beside each other."""
        self.heading.setText(words)
        self.aside.setText(aside)
        self.setAccessibleName(words)
        self._fit_title()

    def _fit_title(self) -> None:
        wanted = (self.heading.sizeHint().width(), self.top.spacing(), self.aside.sizeHint().width())
        is_narrow = bool(self.aside.text()) and sum(wanted) > self.width() - 2 * MARGIN
        way = QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight
        if way != self.top.direction():
            self.top.setDirection(way)
            side = Qt.AlignmentFlag.AlignLeft if is_narrow else Qt.AlignmentFlag.AlignRight
            self.aside.setAlignment(side)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_title()

    def has_new(self, *value: Any) -> bool:
        """Return whether the value differs from the one that is shown; if so, remove the rows."""
        value = (self.colours().name, self.locale().name(), *value)
        if value == self._shown:
            return False
        self._shown = value
        empty(self.rows)
        return True

    def forget(self) -> None:
        """Rebuild the section the next time, as its texts may have changed."""
        self._shown = None

    def status_mark(self, form: StatusForm) -> StatusMark:
        """Return the mark of a status for a row."""
        made = StatusMark(14, self.colours)
        made.form = form
        made.setAccessibleName(form_word(form) if form != StatusForm.REMOVED else "")
        return made

    def buttons(self, remedies: Sequence[Remedy], *, height: int = 24) -> Flow:
        """Make a row of buttons; a button whose command is not possible is disabled and shows why."""
        made = Flow(6)
        for one in remedies:
            label = one.offer.label if isinstance(one, Offered) else one.label
            made.add(self.action(label, one, height))
        return made

    def action(self, label: str, remedy: Remedy, height: int) -> QPushButton:
        """Return the button of a remedy, `height` pixels high."""
        pressed = button(label, height=height)
        if isinstance(remedy, Offered):
            reason = reason_of(remedy.verdict)
            pressed.setEnabled(not reason)
            pressed.setToolTip(tip(reason or remedy.verdict.caution or label_with_part(label, remedy.verdict)))
            pressed.setAccessibleDescription(reason or remedy.verdict.caution)
        pressed.clicked.connect(partial(self._choose, remedy))
        return pressed

    def _choose(self, remedy: Remedy, _checked: bool = False) -> None:
        self.chosen.emit(remedy)


class WhySection(Section):
    """The reasons why a task is not running, or what it waits for though it is."""

    hides_when_empty = True

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__(colours)
        self._words: list[QLabel] = []

    def show_rows(
        self,
        rows: Sequence[WhyRow],
        times: Times | None,
        *,
        is_running: bool = False,
        has_ended: bool = False,
        has_run: bool = False,
    ) -> None:
        """Show the reasons and the projected times; the section is hidden where there are none."""
        self.setVisible(bool(rows) or times is not None)
        after = self.tr("Why did it not run to its end?") if has_run else self.tr("Why has it not run?")
        before = self.tr("What does it wait for?") if is_running else self.tr("Why is it not running?")
        self.title((after if has_ended else before) if rows else self.tr("What is foreseen"))
        if self.has_new([(row.blocks, bool(row.detail), row.remedies) for row in rows], times is not None):
            self._build(rows, times is not None)
        words = [one for row in rows for one in ((row.text, row.detail) if row.detail else (row.text,))]
        if times is not None:
            words += [one or self.tr("unknown") for one in (times.starts, times.ends, times.slack)]
        for label, one in zip(self._words, words, strict=True):
            label.setText(one)

    def _build(self, rows: Sequence[WhyRow], has_times: bool) -> None:
        self._words = []
        for row in rows:
            self.rows.addLayout(self._row(row))
        if has_times:
            self.rows.addSpacing(8 if rows else 2)
            self.rows.addWidget(self._times())

    def _row(self, row: WhyRow) -> QLayout:
        palette = self.colours()
        made = QHBoxLayout()
        made.setContentsMargins(0, 4, 0, 4)
        made.setSpacing(6)
        tick = glyphs.STATUS[StatusForm.COMPLETED], palette.status[StatusForm.COMPLETED].text
        mark_of_row = DrawnMark(*((BLOCKED, palette.text) if row.blocks else tick))
        mark_of_row.setAccessibleName(self.tr("Blocks") if row.blocks else self.tr("Fine"))
        made.addWidget(mark_of_row, 0, Qt.AlignmentFlag.AlignTop)
        lines = QVBoxLayout()
        lines.setSpacing(2)
        lines.addWidget(self._word(text()))
        if row.detail:
            lines.addWidget(self._word(text(role=Role.SMALL, look="muted")))
        if row.remedies:
            lines.addSpacing(2)
            lines.addWidget(self.buttons(row.remedies))
        made.addLayout(lines, 1)
        return made

    def _word(self, label: QLabel) -> QLabel:
        """Register a label whose text may change in place, so that countdowns do not replace a button."""
        self._words.append(label)
        return label

    def _times(self) -> QFrame:
        made = QFrame()
        mark(made, "raised")
        grid = QGridLayout(made)
        grid.setContentsMargins(10, 6, 10, 6)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for at, head in enumerate((self.tr("Starts"), self.tr("Ends"), self.tr("Slack"))):
            grid.addWidget(text(head, look="muted", wraps=False), at, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self._word(text()), at, 1)
        return made


class ParentsSection(Section):
    """The parents of a task with their results; in a narrow pane their end times are hidden."""

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__(colours)
        self._whens: list[QLabel] = []

    def show_rows(self, parents: Sequence[Parent], more: int) -> None:
        """Show these parents, and the number of those left out."""
        self.title(self.tr("From its parents"))
        if not self.has_new(tuple(parents), more):
            return
        self._whens = []
        if not parents:
            self.rows.addWidget(text(self.tr("It has no parents: it starts with the run."), Role.SMALL, "muted"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)  # with one its least width counts
        grid.setColumnStretch(2, 1)
        for at, parent in enumerate(parents):
            self._row(grid, at, parent)
        self.rows.addLayout(grid)
        if more:
            self.rows.addWidget(text(self.tr("%n more parent(s)", "", more), Role.SMALL, "muted"))

    def _row(self, grid: QGridLayout, at: int, parent: Parent) -> None:
        status = self.status_mark(parent.form)
        grid.setRowMinimumHeight(at, ROW)
        grid.addWidget(status, at, 0)
        name = Elided(parent.name)
        name.setMinimumWidth(min(_LONG_NAME, name.sizeHint().width()))
        grid.addWidget(name, at, 1)
        grid.addWidget(Elided(parent.value, Role.MONOSPACE if parent.when else Role.SMALL), at, 2)
        when = text(parent.when, Role.SMALL, "muted", wraps=False)
        if self.width() < _WIDE:
            when.hide()
        grid.addWidget(when, at, 3, Qt.AlignmentFlag.AlignRight)
        self._whens.append(when)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for when in self._whens:
            when.setVisible(self.width() >= _WIDE)


class AttemptsSection(Section):
    """The attempts of a task, with results and errors that can be copied."""

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__(colours)
        self._lines: list[Elided] = []

    def show_rows(self, attempts: Sequence[TriedAttempt], more: int) -> None:
        """Show these attempts, and the number of those left out."""
        self.title(self.tr("Attempts"))
        if self.has_new([(one.number, one.form, one.text) for one in attempts], more):
            self._build(attempts, more)
        for label, one in zip(self._lines, attempts, strict=True):
            label.setText(one.line)

    def _build(self, attempts: Sequence[TriedAttempt], more: int) -> None:
        self._lines = []
        if not attempts:
            note = self.tr("None yet. Each attempt will be listed here.")
            self.rows.addWidget(text(note, Role.SMALL, "muted"))
        for attempt in attempts:
            self._row(attempt)
        if more:
            self.rows.addWidget(text(self.tr("%n earlier attempt(s)", "", more), Role.SMALL, "muted"))

    def _row(self, attempt: TriedAttempt) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(0, 2, 0, 2)
        top.setSpacing(8)
        status = self.status_mark(attempt.form)
        top.addWidget(status)
        self._lines.append(Elided())
        top.addWidget(self._lines[-1], 1)
        self.rows.addLayout(top)
        if not attempt.text:
            return
        copy = button("", height=20)
        copy.setFixedWidth(24)
        mark(copy, "flat")
        copy.setIcon(icon(Icon.COPY, self.colours()))
        copy.setIconSize(QSize(16, 16))
        copy.setToolTip(self.tr("Copy as text"))
        copy.setAccessibleName(fill(self.tr("Copy what attempt %1 left behind"), attempt.number))
        copy.clicked.connect(partial(_copy, attempt.text))
        top.addWidget(copy)
        name = fill(self.tr("What attempt %1 left behind"), attempt.number)
        self.rows.addWidget(Left(attempt.text, name))
        self.rows.addSpacing(4)


def _copy(words: str, _checked: bool = False) -> None:
    QGuiApplication.clipboard().setText(words)


class Left(QPlainTextEdit):
    """The output or error of an attempt as selectable text, at most some lines high."""

    def __init__(self, words: str, name: str) -> None:
        super().__init__(words)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setAccessibleName(name)
        self.setFont(font(Role.MONOSPACE))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._fit()

    def _fit(self) -> None:
        face = self.fontMetrics()
        wide = max(1, (self.width() - 24) // max(1, face.horizontalAdvance("x")))
        count = sum(max(1, -(-len(one) // wide)) for one in self.toPlainText().split("\n"))
        self.setFixedHeight(min(count, _MOST_LINES) * face.lineSpacing() + 18)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
