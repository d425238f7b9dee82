"""A question of a running task to a person: what is asked, exactly what it is about, and the answers there are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from starloom.model.question import legible
from starloom.scheduling.commands import AnswerQuestion
from starloom.scheduling.read.open_questions import questions_of
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.panels.detail_html import detail_html
from starloom_gui.panels.waiting import question_key
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill, tip
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import CONTROL, GAPS, SMALLEST_FONT
from starloom_gui.widgets.click_guard import ClickGuard
from starloom_gui.widgets.controls import button, line, text
from starloom_gui.widgets.editors import CheckBox
from starloom_gui.widgets.flow import Flow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent, QShowEvent

    from starloom.model.question import Option
    from starloom.scheduling.read.open_questions import OpenQuestion
    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.panels.open_requests import EndedRequest
    from starloom_gui.panels.waiting import Waiting
    from starloom_gui.theme.palette import Palette

MOST_NOTE = 2_000
_DETAIL: Final = 40
"""Pixels in height that the detail has at any rate."""
_NOTE: Final = 300
"""Pixels that the note has beside the buttons; else it stands above them."""
_LOW: Final = 180
_LOW_NOTE: Final = 120
"""Below this height the note needs only that many pixels, as a second line would push the buttons out of sight."""


class QuestionPage(QScrollArea):
    """The page of one question, which scrolls where it is low: no button is cut off.

    No button is the default one, and Return in the note answers nothing.

    Signals:
        task_chosen(str): the user wants to see the task that asks.
        answered(str): it is answered here, with this note.

    Attributes:
        detail: exactly what it is about.
        area: where that scrolls; what allows something waits until all of it was in sight.
        note: what is written with the answer, or the answer itself where there are no options.
        alike: whether the answer goes for all questions that are alike.
        buttons: those that answer, by option; the empty id rejects, or sends the text.

    Args:
        colours: gives the palette.
        gateway: who is asked.
        parent: the widget it lies in.
    """

    task_chosen = Signal(str)
    answered = Signal(str)

    def __init__(self, colours: Callable[[], Palette], gateway: CommandGateway, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colours, self._gateway = colours, gateway
        self._asked: OpenQuestion | None = None
        self._run_id = ""
        self._alike: tuple[int, ...] = ()
        self._was_in_sight = False
        self.buttons: dict[tuple[str, bool], QPushButton] = {}
        self._title = text(role=Role.SECTION)
        self._about = text(role=Role.SMALL, look="muted")
        self._show: QPushButton = button("", height=24)
        self.detail = text()
        self._head = QWidget()
        self.area = QScrollArea()
        self.alike = CheckBox()
        self.note = QLineEdit()
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(0)
        self._settled.timeout.connect(self._look)
        self._arrange()
        self._show.clicked.connect(self._choose_task)
        self.note.textChanged.connect(lambda _: self._allow())
        self.alike.toggled.connect(lambda _: self._allow())
        self.area.verticalScrollBar().valueChanged.connect(self._look)
        self.area.verticalScrollBar().rangeChanged.connect(self._settled.start)
        self._say()

    def _arrange(self) -> None:
        inner = QWidget()
        whole = self._whole = QVBoxLayout(inner)
        whole.setContentsMargins(0, GAPS[1], 0, 0)
        whole.setSpacing(0)
        head = QVBoxLayout(self._head)
        head.setContentsMargins(GAPS[2], 0, GAPS[2], GAPS[0])
        head.setSpacing(GAPS[0])
        row = QHBoxLayout()
        row.addWidget(self._about, 1)
        row.addWidget(self._show)
        for label in (self._title, self._about, self.detail):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        head.addWidget(self._title)
        head.addLayout(row)
        whole.addWidget(self._head)
        self.detail.setFont(font(Role.MONOSPACE, base=SMALLEST_FONT))
        self.detail.setTextFormat(Qt.TextFormat.RichText)  # made of escaped text alone
        self.detail.setContentsMargins(GAPS[2], GAPS[0], GAPS[2], GAPS[0])
        self.detail.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        content = QWidget()
        self._content = QVBoxLayout(content)
        self._content.setContentsMargins(0, 0, 0, 0)
        self._content.setSpacing(0)
        self._content.addWidget(self.detail, 1)
        self.area.setWidget(content)
        content.setAutoFillBackground(False)
        self.area.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)  # it has what is left
        self.area.setMinimumHeight(_DETAIL)
        whole.addWidget(self.area, 1)
        whole.addWidget(line())
        self.note.setFont(font(Role.BODY))
        self.note.setFixedHeight(CONTROL)
        self.note.setMaxLength(MOST_NOTE)
        self._foot = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._foot.setContentsMargins(GAPS[2], GAPS[1], GAPS[2], GAPS[1])
        self._foot.setSpacing(GAPS[1])
        self._foot.addWidget(self.note, 1)
        self._row = Flow(GAPS[1])
        self.alike.setFont(font(Role.BODY))
        self._row.add(self.alike)
        self._foot.addWidget(self._row)
        whole.addLayout(self._foot)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inner)
        inner.setAutoFillBackground(False)  # what it lies on shows through

    # ---- showing

    def show_question(self, run: RunView, number: int, waiting: Waiting, now: float) -> None:
        """Show an open question as it is now.

        Args:
            run: that it is of.
            number: its number there.
            waiting: the same as an entry of the list.
            now: seconds on the engine's clock.
        """
        open_ones = questions_of(run.facts)
        asked = next(one for one in open_ones if one.number == number)
        alike = asked.question.alike
        self._alike = tuple(one.number for one in open_ones if alike and one.question.alike == alike)
        if (run.run_id, asked) != (self._run_id, self._asked):
            self._run_id, self._asked, self._was_in_sight = run.run_id, asked, False
            self.note.clear()
            self.alike.setChecked(False)
            self.area.verticalScrollBar().setValue(0)
            self._make_buttons(asked.question.options)
            self.apply_theme(self._colours())
        self._title.setText(legible(asked.question.text))
        since = waiting.waits(now)
        self._about.setText(fill(self.tr("%1 · attempt %2 · %3"), waiting.about, asked.attempt, since))
        self.setAccessibleName(waiting.title)
        self.alike.setVisible(len(self._alike) > 1)
        self.alike.setText(self.tr("Answer all %n alike", "", len(self._alike)))
        wide = self.alike.fontMetrics().horizontalAdvance(self.alike.text())
        self.alike.setFixedSize(wide + CONTROL + GAPS[1], CONTROL)  # its own hint knows nothing of the box it paints
        self._place_foot()
        self._allow()
        self._settled.start()

    def show_ended(self, ended: EndedRequest) -> None:
        """Show that the question was answered elsewhere; what is typed stays."""
        self._title.setText(ended.request.title)
        self._about.setText(ended.words)
        if self._asked is None or ended.request.key != question_key(self._asked.number):  # its detail is not known
            self._asked = None
            self.detail.clear()
        for made in self.buttons.values():
            made.setEnabled(False)
            made.setToolTip(tip(ended.words))

    @property
    def answers(self) -> tuple[QPushButton, ...]:
        """The buttons that answer, from left to right."""
        return tuple(self.buttons.values())

    def _make_buttons(self, options: Sequence[Option]) -> None:
        """Make the buttons of a question: those that reject first, so that no hand that rejects allows."""
        for old in self.buttons.values():
            old.setParent(None)
            old.deleteLater()
        self.buttons.clear()
        wanted: list[tuple[str, bool, str]] = [(one.id, False, legible(one.label)) for one in options if not one.allows]
        if not wanted:
            wanted.append(("", False, self.tr("Reject")))
        wanted += [(one.id, True, legible(one.label)) for one in options if one.allows]
        if not options:
            wanted.append(("", True, self.tr("Send answer")))
        for id, allows, label in wanted:
            made: QPushButton = button(label.replace("&", "&&"))
            made.setMinimumWidth(84)
            made.setAutoDefault(False)
            made.clicked.connect(partial(self._answer, id, allows))
            ClickGuard(made)  # a click that was meant for the question before
            made.installEventFilter(self)
            self.buttons[id, allows] = made
            self._row.add(made)

    def _look(self) -> None:
        """Check whether all of the detail was in sight, as nobody may allow what was not."""
        bar, port = self.area.verticalScrollBar(), self.area.viewport()
        beyond = self._content.heightForWidth(port.width()) - port.height()
        is_laid_out = bar.maximum() >= beyond  # until then the bar knows of nothing that is out of sight
        if self.isVisible() and self._asked is not None and is_laid_out and bar.value() >= bar.maximum():
            self._was_in_sight = True
            self._allow()

    def _allow(self) -> None:
        """Enable the buttons, or say why they are not."""
        question = self._asked.question if self._asked is not None else None
        self.note.setPlaceholderText(
            self.tr("Note, which whoever asks reads (may stay empty)")
            if question is None or question.options
            else self.tr("The answer, or why you reject it")
        )
        for (id, allows), made in self.buttons.items():
            verdict = self._gateway.can(self._command(id, allows=allows))
            if verdict.ok and allows and not self._was_in_sight:
                verdict = Verdict(False, self.tr("Scroll to its end first: it can be allowed once all was in sight."))
            usual = self.tr("Let it do this") if allows else self.tr("Tell it no; what you wrote is what it reads")
            said = reason_of(verdict) or usual
            made.setEnabled(verdict.ok)
            made.setToolTip(tip(said))
            made.setAccessibleDescription(said)

    # ---- answering

    def _choose_task(self) -> None:
        if self._asked is not None:
            self.task_chosen.emit(self._asked.task_id)

    def _command(self, id: str, *, allows: bool) -> AnswerQuestion:
        number = self._asked.number if self._asked is not None else 0
        numbers = self._alike if self.alike.isChecked() and number in self._alike else (number,)
        note = self.note.text().strip()
        return AnswerQuestion(run_id=self._run_id, numbers=numbers, option=id, note=note, reject=not allows)

    def _answer(self, id: str, allows: bool) -> None:
        command = self._command(id, allows=allows)
        self.answered.emit(command.note)
        self._gateway.do(command)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Block the second click of a double click, and Return, by which nothing is allowed."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        return event.type() == QEvent.Type.MouseButtonDblClick

    # ---- look

    def _say(self) -> None:
        self._show.setText(self.tr("Show task"))
        self.note.setAccessibleName(self.tr("Note with the answer"))
        self.alike.setToolTip(tip(self.tr("The same answer and note for each of them")))

    def forget(self) -> None:
        """Make the buttons anew the next time, as the language has changed."""
        self._asked = None

    def apply_theme(self, palette: Palette) -> None:
        """Apply the colours of a theme."""
        self.alike.colours = palette
        question = self._asked.question if self._asked is not None else None
        self.detail.setText(detail_html(question, palette) if question is not None else "")

    def _place_foot(self) -> None:
        """Put note and buttons into one line where there is room for both, as the detail needs the height."""
        note = _NOTE if self.height() >= _LOW else _LOW_NOTE
        is_wide = self._row.sizeHint().width() + note <= self.width()
        way = QBoxLayout.Direction
        self._foot.setDirection(way.LeftToRight if is_wide else way.TopToBottom)
        self._place_head()

    def _place_head(self) -> None:
        """Have the head scroll with the detail where the page is low, so that the answers stay in sight."""
        beside = self._foot.sizeHint().height() + GAPS[1] + _DETAIL
        is_low = self._head.sizeHint().height() + beside > self.height()
        column = self._content if is_low else self._whole
        if column.indexOf(self._head) < 0:
            column.insertWidget(0, self._head)
            self._head.show()  # another parent hides it

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_foot()
        self._settled.start()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._settled.start()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
            self.forget()
