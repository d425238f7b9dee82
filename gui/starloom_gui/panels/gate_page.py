"""A gate that waits for an answer: its message, the tasks behind it, and the buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from starloom.scheduling.commands import AnswerGate
from starloom_gui.panels.answer_bar import AnswerBar
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill, tasks
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import button, line, text

if TYPE_CHECKING:
    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.panels.open_requests import EndedRequest
    from starloom_gui.panels.waiting import Waiting
    from starloom_gui.theme.palette import Palette


class GatePage(QWidget):
    """The page of one gate, with the buttons that answer it.

    Signals:
        task_chosen(str): the user wants to see its task.

    Attributes:
        bar: where it is answered; what is noted becomes the gate's value.

    Args:
        gateway: who is asked.
        parent: the widget it lies in.
    """

    task_chosen = Signal(str)

    def __init__(self, gateway: CommandGateway, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gateway = gateway
        self._gate = AnswerGate(run_id="", task_id="", approve=False)
        self._title = text(role=Role.SECTION)
        self._about = text(role=Role.SMALL, look="muted")
        self._show: QPushButton = button("", height=24)
        self.bar = AnswerBar()
        self._arrange()
        self._show.clicked.connect(lambda: self.task_chosen.emit(self._gate.task_id))
        self.bar.answered.connect(self._answer)
        self._say()

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, GAPS[1], 0, 0)
        column.setSpacing(0)
        head = QVBoxLayout()
        head.setContentsMargins(GAPS[2], 0, GAPS[2], 0)
        head.setSpacing(GAPS[0])
        for label in (self._title, self._about):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout()  # as on the page of a question; below each other they would not fit a small window
        row.addWidget(self._about, 1)
        row.addWidget(self._show)
        head.addWidget(self._title)
        head.addLayout(row)
        column.addLayout(head)
        column.addStretch(1)
        column.addWidget(line())
        column.addWidget(self.bar)

    def show_gate(self, run: RunView, task_id: str, attempt: int, waiting: Waiting, now: float) -> None:
        """Show a gate as it is now."""
        gate = AnswerGate(run_id=run.run_id, task_id=task_id, approve=False, attempt=attempt)
        if gate != self._gate:
            self._gate = gate
            self.bar.clear()
        left = waiting.left(now)
        self._title.setText(waiting.title)
        behind = len(run.task(run.graph.place[task_id]).children)
        next_ones = fill(self.tr("%1 directly behind it"), tasks(behind)) if behind else ""
        self._about.setText(" · ".join(filter(None, (waiting.about, left, next_ones))))
        self.setAccessibleName(waiting.title)
        self.bar.allow(*(self._gateway.can(replace(gate, approve=answer)) for answer in (True, False)))

    def show_ended(self, ended: EndedRequest) -> None:
        """Show that the gate was answered elsewhere; what is typed stays."""
        self._title.setText(ended.request.title)
        self._about.setText(ended.words)
        self.bar.allow(Verdict(False, ended.words), Verdict(False, ended.words))

    @property
    def answers(self) -> tuple[QPushButton, ...]:
        """The buttons that answer, from left to right."""
        return self.bar.buttons

    def _answer(self, approve: bool, note: str) -> None:
        self._gateway.do(replace(self._gate, approve=approve, note=note))

    def _say(self) -> None:
        self._show.setText(self.tr("Show task"))
        self.bar.name(self.tr("Approve"), self.tr("Reject"))
        self.bar.explain(self.tr("The gate is done, and what waits for it goes on"), self.tr("The gate fails"))

    def apply_theme(self, palette: Palette) -> None:
        """Apply the colours of a theme."""
        self.bar.apply_theme(palette)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
