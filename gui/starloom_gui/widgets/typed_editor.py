"""The base of all editors of one value."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QWidget
from typing_extensions import override

from starloom_gui.text.words import tip

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.field_error import ErrorRemedy


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

    Signals:
        edited(): its user has changed what stands there.
        entered(): its user wants that to hold: Enter, a chosen word, a removed row.
        escaped(): its user wants back what was there.
        left(): the keyboard has gone to another widget, or another window.
    """

    edited = Signal()
    entered = Signal()
    escaped = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.locked = ""
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
