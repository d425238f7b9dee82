"""The kinds of a dependency as a row of buttons: arrow keys move the highlight, Enter or a click sets a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QApplication, QButtonGroup, QHBoxLayout, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from starloom.model.status import DependencyKind
from starloom_gui.canvas.render_model import KINDS
from starloom_gui.text.words import translate
from starloom_gui.theme.fonts import font
from starloom_gui.theme.metrics import CONTROL

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent

_STEPS: Final = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}
_GIVE: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


def kind_title(kind: DependencyKind) -> str:
    """The name of a kind."""
    return {
        DependencyKind.SUCCESS: translate("EdgeCard", "Success"),
        DependencyKind.ALWAYS: translate("EdgeCard", "Always"),
        DependencyKind.FAILURE: translate("EdgeCard", "Failure"),
        DependencyKind.CONDITION: translate("EdgeCard", "Condition"),
    }[kind]


class _Kind(QToolButton):
    """A button that leaves arrow keys and Enter to the row: Qt would click the next one of the group for an arrow."""

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _STEPS or event.key() in _GIVE:
            event.ignore()
        else:
            super().keyPressEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        row = self.parentWidget()
        if isinstance(row, EdgeKinds) and not row.isAncestorOf(QApplication.focusWidget() or self.window()):
            row.take_back()


class EdgeKinds(QWidget):
    """A row with one button for each kind; the one that is set or highlighted is checked.

    Attributes:
        buttons: by kind.

    Signals:
        given(): this kind is wanted.
        considered(): another one is lit, or the one that is again.
    """

    given = Signal()
    considered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is, self._is_given = DependencyKind.SUCCESS, False
        self._group = QButtonGroup(self)
        self.buttons = {kind: self._button(kind) for kind in KINDS}
        self.buttons[self._is].setChecked(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for button in self.buttons.values():
            row.addWidget(button, 1)

    def _button(self, kind: DependencyKind) -> QToolButton:
        made = _Kind(self)
        made.setText(kind_title(kind))
        made.setFont(font())
        made.setCheckable(True)
        made.setFixedHeight(CONTROL)
        made.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        made.clicked.connect(self._give)
        self._group.addButton(made)
        return made

    @property
    def kind(self) -> DependencyKind:
        """The highlighted kind."""
        return next(kind for kind, button in self.buttons.items() if button.isChecked())

    @property
    def considers(self) -> bool:
        """Whether the highlighted kind differs from that of the dependency, and the row has the focus."""
        return self.kind is not self._is and any(button.hasFocus() for button in self.buttons.values())

    @property
    def what_is(self) -> DependencyKind:
        """The kind of the dependency."""
        return self._is

    def show_kind(self, kind: DependencyKind, *, can_change: bool, is_being_written: bool) -> None:
        """Show the kind of the dependency; a highlighted kind stays so, also while its condition is typed."""
        stays = is_being_written or (can_change and self.considers)
        self._is, self._is_given = kind, self._is_given and is_being_written
        for each, button in self.buttons.items():
            button.setEnabled(can_change)
            if not stays:
                button.setChecked(each is kind)

    def take_back(self) -> None:
        """Highlight the kind of the dependency, unless another one was already set."""
        if self.kind is not self._is and not self._is_given:
            self.buttons[self._is].setChecked(True)
            if self.buttons[self._is].isEnabled() and any(button.hasFocus() for button in self.buttons.values()):
                self.buttons[self._is].setFocus(Qt.FocusReason.OtherFocusReason)
            self.considered.emit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        focused = next((kind for kind, button in self.buttons.items() if button.hasFocus()), None)
        if focused is None:
            event.ignore()
        elif event.key() in _GIVE:
            self._give()
        elif event.key() in _STEPS:
            self._step(focused, _STEPS[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Escape and self.considers:
            self.take_back()
        else:
            event.ignore()

    def _give(self) -> None:
        self._is_given = True
        self.given.emit()

    def _step(self, focused: DependencyKind, by: int) -> None:
        place = KINDS.index(focused) + by
        wanted = self.buttons[KINDS[min(max(place, 0), len(KINDS) - 1)]]
        self._is_given = False
        wanted.setChecked(True)
        wanted.setFocus(Qt.FocusReason.TabFocusReason)
        self.considered.emit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            for kind, button in self.buttons.items():
                button.setText(kind_title(kind))
        super().changeEvent(event)
