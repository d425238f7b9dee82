"""Gives the buttons that answer a question a letter each: with Alt it answers while the keyboard is in their pane."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow, QMenuBar

from starloom_gui.viewmodel.keys import KEYS, Scope
from starloom_gui.widgets.click_guard import MILLISECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtWidgets import QAbstractButton, QWidget

_THIN: Final = frozenset("ijl")


class AnswerKeys(QObject):
    """The letters of the buttons that answer what a pane shows.

    A letter of a button counts in its whole window with Qt. An answer that allows something is not to be given from
    elsewhere, nor for what was shown a moment ago, so these count in the pane, and not at once.

    Args:
        pane: in which the letters answer; the parent, too.
    """

    def __init__(self, pane: QWidget) -> None:
        super().__init__(pane)
        self._pane = pane
        self._about: object = None
        self._given: tuple[tuple[str, QAbstractButton], ...] = ()
        self._shortcuts: list[QShortcut] = []
        self._since = QElapsedTimer()
        self._since.start()

    def give(self, about: object, buttons: Sequence[QAbstractButton]) -> None:
        """Give these buttons letters, and take them from all others.

        Args:
            about: what they answer; letters that stand for an answer to something else answer nothing for a moment.
            buttons: in the order in which they choose; what is underlined in their text is chosen anew.
        """
        taken = _taken(self._pane)
        given: list[tuple[str, QAbstractButton]] = []
        for button in buttons:
            words = _without_letter(button.text())
            at = next((at for at, one in _letters(words) if one.upper() not in taken), None)
            letter = "" if at is None else words[at].upper()
            taken.add(letter)
            lettered = words if at is None else f"{words[:at]}&{words[at:]}"
            if lettered != button.text():
                button.setText(lettered)
            button.setShortcut(QKeySequence())  # Qt's own, which counts in the whole window
            given.append((letter, button))
        if (about, *given) != (self._about, *self._given):
            self._about, self._given = about, tuple(given)
            self._since.restart()
            self._make_shortcuts()

    def _make_shortcuts(self) -> None:
        for old in self._shortcuts:
            old.setEnabled(False)
            old.deleteLater()
        self._shortcuts.clear()
        for letter, button in self._given:
            if letter:
                made = QShortcut(QKeySequence(f"Alt+{letter}"), self._pane)
                made.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
                made.setAutoRepeat(False)
                made.activated.connect(partial(self._press, button))
                self._shortcuts.append(made)

    def _press(self, button: QAbstractButton) -> None:
        if self._since.hasExpired(MILLISECONDS) and button.isVisible():
            button.click()


def _without_letter(words: str) -> str:
    """The text of a button without the mark before its letter; an ampersand stays written twice."""
    return words.replace("&&", "\0").replace("&", "").replace("\0", "&&")


def _letters(words: str) -> Iterable[tuple[int, str]]:
    """The letters with their places; last those under which a line is hardly seen."""
    letters = ((at, one) for at, one in enumerate(words) if one.isascii() and one.isalpha())
    return sorted(letters, key=lambda found: found[1] in _THIN)


def _taken(pane: QWidget) -> set[str]:
    """The letters that do something else with Alt: they open a menu above the pane, or are keys of the window."""
    taken = {text[-1] for keys in KEYS[Scope.WINDOW].values() for text in keys if text[:-1] == "Alt+"}
    around = pane.parentWidget()
    while around is not None:
        if isinstance(around, QMainWindow) and isinstance(bar := around.menuWidget(), QMenuBar):
            marked = (QKeySequence.mnemonic(action.text()).toString() for action in bar.actions())
            taken |= {text[-1] for text in marked if text}
        around = around.parentWidget()
    return taken
