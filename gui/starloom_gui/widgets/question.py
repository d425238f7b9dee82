"""Dialogs that ask one question: a title, a sentence, its subject, and a button for each answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from shiboken6 import isValid
from typing_extensions import override

from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import button, text
from starloom_gui.widgets.dialog import SHADOW, DefaultButton, Dialog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom_gui.theme.appearance import Appearance

WIDTH: Final = 520
_NARROWEST: Final = 76


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a question.

    Attributes:
        key: its name in the program.
        label: what is read on its button.
        is_default: whether Enter gives it; at most one of all.
        is_apart: whether its button stands at the left, apart from the others.
    """

    key: str
    label: str
    is_default: bool = False
    is_apart: bool = False


class Choices(QObject):
    """The question of a dialog with a button for each answer. Escape and the close button give no answer.

    Args:
        dialog: the dialog; it has no other buttons then, and is gone once it has been answered.
        sentence: what is asked, with the facts.
        choices: the answers, from left to right.
        content: what the answer depends on, e.g. a list.
        chosen: is told the key of the button that was pressed; None: that is the answer.

    Attributes:
        sentence: what is asked.
        buttons: by the keys of the choices.

    Signals:
        answered(str): the key of the choice; empty: none. Sent exactly once.
    """

    answered = Signal(str)

    def __init__(
        self,
        dialog: Dialog,
        sentence: str,
        choices: Sequence[Choice],
        content: QWidget | None = None,
        chosen: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(dialog)
        self._dialog, self._chosen = dialog, chosen
        self._answer = ""
        self._is_over = False
        dialog.setFixedWidth(WIDTH + 2 * SHADOW)
        self.sentence = text()
        dialog.body.setSpacing(GAPS[2])
        dialog.body.addWidget(self.sentence)
        if content is not None:
            dialog.body.addWidget(content, 1)
        dialog.clear_last_row()  # each choice has its own button
        layout = dialog.layout()
        assert layout is not None
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetDefaultConstraint)  # its texts wrap: see `fit`
        self.buttons: dict[str, QPushButton] = {}
        self.say(sentence)
        self.show_choices(choices)
        dialog.finished.connect(self._finish)
        dialog.installEventFilter(self)
        dialog.apply_theme(dialog.appearance.palette)

    # ---- what can be answered

    def say(self, sentence: str) -> None:
        """Set the sentence of the question."""
        self.sentence.setText(sentence)
        self._dialog.setAccessibleDescription(sentence)

    def show_choices(self, choices: Sequence[Choice]) -> None:
        """Set the answers."""
        aside = self._dialog.aside
        for old in self.buttons.values():
            old.hide()
            old.deleteLater()
        while aside.takeAt(0) is not None:
            pass
        self.buttons = {choice.key: self._button(choice) for choice in choices}
        for choice in choices:
            if choice.is_apart:
                aside.addWidget(self.buttons[choice.key])
        aside.addStretch(1)
        for choice in choices:
            if not choice.is_apart:
                aside.addWidget(self.buttons[choice.key])
            if choice.is_default:
                self.buttons[choice.key].setFocus(Qt.FocusReason.OtherFocusReason)
        if self._dialog.isVisible():
            for made in self.buttons.values():
                made.show()  # a layout shows what is new in it a turn later, and leaves it no room until then
            self.fit()

    def _button(self, choice: Choice) -> QPushButton:
        made = DefaultButton(choice.label, self._dialog.appearance) if choice.is_default else button(choice.label)
        made.clicked.connect(lambda _=False, key=choice.key: self.choose(key))
        return made

    def choose(self, key: str) -> None:
        """Press the button of a choice."""
        (self._chosen or self.answer)(key)

    def answer(self, key: str) -> None:
        """Give an answer and close the dialog."""
        self._answer = key
        self._dialog.accept()

    def _finish(self, _result: int) -> None:
        if not self._is_over:  # Qt finishes a closed dialog once more if it is asked to
            self._is_over = True
            self.answered.emit(self._answer)

    # ---- the dialog

    def fit(self) -> None:
        """Resize the dialog to its texts; to be called when one has changed."""
        layout = self._dialog.layout()
        if layout is not None:
            self._dialog.keep_place()
            for made in self.buttons.values():
                made.setMinimumWidth(max(_NARROWEST, made.sizeHint().width()))  # no label is cut
            layout.activate()
            self._dialog.setFixedWidth(max(WIDTH + 2 * SHADOW, layout.minimumSize().width()))
            layout.activate()
            width = self._dialog.width()
            asks = layout.hasHeightForWidth()
            self._dialog.resize(width, layout.totalHeightForWidth(width) if asks else layout.totalSizeHint().height())

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self.fit()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            focused = self._dialog.focusWidget()
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focused, QPushButton):
                focused.click()  # the button one is on counts, not the default one
                return True
        return False


class ChoiceDialog(Dialog):
    """A question in a dialog over its window, deleted once it has been answered.

    Args:
        appearance: the colours.
        title: what it is about, in a few words.
        sentence: what is asked, with the facts.
        choices: the answers, from left to right.
        content: what the answer depends on, e.g. a list.
        parent: a widget of the window that is asked about.

    Attributes:
        choices: the answers.
    """

    def __init__(
        self,
        appearance: Appearance,
        title: str,
        sentence: str,
        choices: Sequence[Choice],
        content: QWidget | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, title, "", width=WIDTH, parent=parent)
        self.choices = Choices(self, sentence, choices, content)


class Asking(Protocol):
    """The protocol of a dialog that asks a question."""

    choices: Choices

    def open(self) -> None:
        """Show the dialog without waiting."""

    def reject(self) -> None:
        """Close the dialog without an answer."""


async def answer_to(question: Asking) -> str:
    """Ask, and return the key of the answer, empty for none; cancelling the task closes the dialog."""
    answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def take(key: str) -> None:
        if not answer.done():
            answer.set_result(key)

    question.choices.answered.connect(take)
    question.open()
    try:
        return await answer
    except asyncio.CancelledError:
        if isValid(question.choices):  # else it is gone with its window
            question.choices.answered.disconnect(take)
            question.reject()
        raise
