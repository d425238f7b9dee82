"""The base of all editors of one value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget
from typing_extensions import override

from starloom_gui.text.words import tip

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.field_error import ErrorRemedy


ENTER: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class EditorFault(NamedTuple):
    """Why what stands in an editor is no value: a sentence, and what mends it."""

    words: str
    remedy: ErrorRemedy


class TypedEditor(QWidget):
    """The editor of one value, passed as text; it does not decide when it is sent, nor whether it is right.

    What is typed or chosen in is the focus proxy.

    A form listens to its signals and asks for `text`. Nothing is emitted by `put`, only by what its user does.

    Attributes:
        locked: why nothing can be edited; empty: it can.
        waits: says whether what stands there only holds once it is confirmed.

    Signals:
        edited(): its user has changed what stands there.
        entered(): its user wants that to hold: a completed or chosen word, a completed or removed row.
        confirmed(): what waited is to hold: Ctrl+Enter, or Enter where that does nothing else.
        escaped(): its user wants back what was there.
        left(): the keyboard has gone to another widget, or another window.
    """

    edited = Signal()
    entered = Signal()
    confirmed = Signal()
    escaped = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.locked = ""
        self.waits: Callable[[], bool] = lambda: False
        self._has_keyboard = False
        application = QApplication.instance()
        assert isinstance(application, QApplication), "there are widgets"
        application.focusChanged.connect(self._turned)

    # ---- for each kind of editor

    def text(self) -> str:
        """The text in the editor; each subclass says how values are written."""
        raise NotImplementedError

    def put(self, words: str) -> None:
        """Set the text; an equal one is left alone, with cursor and selection."""
        raise NotImplementedError

    def set_hint(self, words: str) -> None:
        """Set the placeholder text."""

    def set_wrong(self, wrong: bool) -> None:
        """Outline the editor as invalid, or as usual."""

    def fault(self) -> EditorFault | None:
        """Why what stands there is no value; None: only who is given its text can say."""
        return None

    def outline_part(self, is_wrong: Callable[[str], bool], words: str) -> None:
        """Outline the part that is wrong, where the value has parts, instead of the whole editor.

        Args:
            is_wrong: judges the text of a value.
            words: the sentence that is said about the value.
        """

    def apply_theme(self, palette: Palette) -> None:
        """Set the colours."""

    def remind(self, words: str) -> None:
        """Show at the edge how to apply the text; empty: nothing."""

    # ---- for all

    @override
    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        inside = self.focusProxy()
        if inside is not None:
            inside.setAccessibleName(name)

    def lock(self, reason: str) -> None:
        """Disable editing with a reason; empty: enable it."""
        self.locked = reason
        self.setAccessibleDescription(reason)
        self.setToolTip(tip(reason))

    def write(self, words: str) -> None:
        """Set the text as if the user had typed it."""
        self.put(words)
        self.edited.emit()

    def is_active(self) -> bool:
        """Whether the editor, or a list or dialog that it has opened, has the keyboard focus."""
        return self._has_keyboard

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self._is_confirming(event):
            event.accept()  # else the window would take Ctrl+Enter for itself
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_confirming(event):
            self.confirmed.emit()
        else:
            super().keyPressEvent(event)

    def _is_confirming(self, event: QEvent) -> bool:
        """Whether a key that no widget inside wanted confirms what waits."""
        return isinstance(event, QKeyEvent) and event.key() in ENTER and self.waits()

    def _turned(self, _old: QWidget | None, new: QWidget | None) -> None:
        is_inside = new is not None and (new is self or self.isAncestorOf(new))
        if is_inside or (self._has_keyboard and self._has_lent_keyboard()):
            self._has_keyboard = True
        elif self._has_keyboard:
            self._has_keyboard = False
            self.left.emit()

    def _has_lent_keyboard(self) -> bool:
        """Whether the focus is in a popup, from which it comes back."""
        return QApplication.activePopupWidget() is not None
