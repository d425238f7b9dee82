"""A dialog that asks one thing: a title, a sentence, what it is about, and a button for each answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import button, text
from starloom_gui.widgets.dialog import SHADOW, DefaultButton, Dialog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QShowEvent

    from starloom_gui.theme.appearance import Appearance

WIDTH: Final = 520


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer.

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


class Question(Dialog):
    """A question over its window, which is gone once it has been answered. Escape and the cross answer nothing.

    Args:
        appearance: the colours.
        title: what it is about, in a few words.
        sentence: what is asked, with the facts.
        choices: the answers, from left to right.
        content: what the answer depends on, e.g. a list.
        parent: a widget of the window that is asked about.

    Attributes:
        sentence: what is asked.
        buttons: by the keys of the choices.

    Signals:
        answered(str): the key of the choice; empty: none. Sent exactly once.
    """

    answered = Signal(str)

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
        self._answer = ""
        self._is_over = False
        self.setFixedWidth(WIDTH + 2 * SHADOW)
        self.setAccessibleDescription(sentence)
        self.sentence = text(sentence)
        self.body.setSpacing(GAPS[2])
        self.body.addWidget(self.sentence)
        if content is not None:
            self.body.addWidget(content, 1)
        self.cancel.hide()  # each choice has its own button
        self.cancel.setAutoDefault(False)
        self.default.setDefault(False)
        self._reason.hide()
        layout = self.layout()
        assert layout is not None
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetDefaultConstraint)  # its texts wrap: see `fit`
        self.buttons: dict[str, QPushButton] = {}
        self.show_choices(choices)
        self.finished.connect(self._finish)
        self.dress(appearance.palette)

    # ---- what can be answered

    def show_choices(self, choices: Sequence[Choice]) -> None:
        """Offer these answers and no others."""
        for old in self.buttons.values():
            old.hide()
            old.deleteLater()
        while self.aside.takeAt(0) is not None:
            pass
        self.buttons = {choice.key: self._button(choice) for choice in choices}
        for choice in choices:
            if choice.is_apart:
                self.aside.addWidget(self.buttons[choice.key])
        self.aside.addStretch(1)
        for choice in choices:
            if not choice.is_apart:
                self.aside.addWidget(self.buttons[choice.key])
            if choice.is_default:
                self.buttons[choice.key].setFocus(Qt.FocusReason.OtherFocusReason)

    def _button(self, choice: Choice) -> QPushButton:
        made = DefaultButton(choice.label, self.appearance) if choice.is_default else button(choice.label)
        made.setMinimumWidth(76)
        made.clicked.connect(lambda _=False, key=choice.key: self.choose(key))
        return made

    def choose(self, key: str) -> None:
        """Give an answer; the dialog is over. A subclass may go on instead."""
        self.answer(key)

    def answer(self, key: str) -> None:
        """Give an answer and end."""
        self._answer = key
        self.accept()

    def _finish(self, _result: int) -> None:
        if not self._is_over:  # Qt finishes a closed dialog once more if it is asked to
            self._is_over = True
            self.answered.emit(self._answer)

    # ---- how it looks

    def fit(self) -> None:
        """Be as high as the texts need; to be called when one has changed."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            asks = layout.hasHeightForWidth()
            high = layout.totalHeightForWidth(self.width()) if asks else layout.totalSizeHint().height()
            self.resize(self.width(), high)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        self.fit()
        super().showEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        focused = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focused, QPushButton):
            focused.click()  # the button one is on counts, not the default one
        else:
            super().keyPressEvent(event)


async def answer_to(question: Question) -> str:
    """Ask and return the key of the answer, empty for none; whoever gives up waiting takes the question back."""
    answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def take(key: str) -> None:
        if not answer.done():
            answer.set_result(key)

    question.answered.connect(take)
    question.open()
    try:
        return await answer
    except asyncio.CancelledError:
        question.answered.disconnect(take)
        question.reject()
        raise
