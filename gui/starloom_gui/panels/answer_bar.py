"""The last row of an item that waits for the user: a note, and the two buttons that answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget
from typing_extensions import override

from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.text.words import tip
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import CONTROL, GAPS
from starloom_gui.widgets.controls import button

if TYPE_CHECKING:
    from starloom_gui.specs.action_spec import Verdict
    from starloom_gui.theme.palette import Palette

MOST_NOTE = 500


class AnswerBar(QWidget):
    """The buttons that accept and reject, with a field for a note.

    Signals:
        answered(bool, str): which it is, and the note.

    Attributes:
        note: where it is typed; Return answers nothing, so that nobody says yes by it unawares.
        accept, reject: the buttons.
    """

    answered = Signal(bool, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tips = self._names = "", ""
        self.note = QLineEdit()
        self.note.setFont(font(Role.BODY))
        self.note.setFixedHeight(CONTROL)
        self.note.setMaxLength(MOST_NOTE)
        self.reject: QPushButton = button("")
        self.accept: QPushButton = button("")
        row = QHBoxLayout(self)
        row.setContentsMargins(GAPS[2], GAPS[1], GAPS[2], GAPS[1])
        row.setSpacing(GAPS[1])
        row.addWidget(self.note, 1)
        row.addWidget(self.reject)
        row.addWidget(self.accept)
        for each in (self.reject, self.accept):
            each.setMinimumWidth(84)
            each.installEventFilter(self)
        self.accept.clicked.connect(lambda: self._answer(True))
        self.reject.clicked.connect(lambda: self._answer(False))
        self._say()

    def allow(self, accept: Verdict, reject: Verdict) -> None:
        """Enable the buttons, or say why they are not."""
        for made, verdict, usual in ((self.accept, accept, self._tips[0]), (self.reject, reject, self._tips[1])):
            made.setEnabled(verdict.ok)
            said = reason_of(verdict) or usual
            made.setToolTip(tip(said))
            made.setAccessibleDescription(said)

    def name(self, accept: str, reject: str) -> None:
        """Name the two buttons, which keep their letters as long as the names are the same."""
        if (accept, reject) != self._names:
            self._names = accept, reject
            self.accept.setText(accept)
            self.reject.setText(reject)

    @property
    def buttons(self) -> tuple[QPushButton, QPushButton]:
        """The two buttons, from left to right."""
        return self.reject, self.accept

    def explain(self, accept: str, reject: str) -> None:
        """Set the tooltips of the two buttons."""
        self._tips = accept, reject

    def clear(self) -> None:
        """Clear the note, as another question is shown."""
        self.note.clear()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Block the second click of a double click, which would answer the next question."""
        return event.type() == QEvent.Type.MouseButtonDblClick

    def _answer(self, accept: bool) -> None:
        self.answered.emit(accept, self.note.text().strip())

    def _say(self) -> None:
        self.note.setPlaceholderText(self.tr("Why (may stay empty)"))
        self.note.setAccessibleName(self.tr("Why you accept or reject"))

    def apply_theme(self, palette: Palette) -> None:
        """Apply the colours of a theme."""
        self.accept.setIcon(icon(Icon.ACCEPT, palette))
        self.reject.setIcon(icon(Icon.REJECT, palette))

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
        super().changeEvent(event)
