"""The editor of a text of several lines: a script, a prompt, a description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QVBoxLayout
from typing_extensions import override

from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.widgets.controls import set_style_sheet, text
from starloom_gui.widgets.list_completer import OF_LIST
from starloom_gui.widgets.template_completer import TemplateCompleter
from starloom_gui.widgets.typed_editor import TypedEditor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextBlock, QTextDocument

    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.template_completer import TemplateName

FEWEST_LINES: Final = 3
MOST_LINES: Final = 12
_AROUND: Final = 18
"""Pixels above and below the lines together."""
_ENTER: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class ScriptEditor(TypedEditor):
    """Edits a text of several lines, 3 to 12 of which are visible; `text` is the text itself.

    Enter makes a new line, Ctrl+Enter and leaving it end the typing, Ctrl+E asks for more room.

    Attributes:
        area: where it is typed.
        is_lent: whether it is being edited in more room, so that the keyboard has not left it.

    Args:
        code: whether it is read by programs, and stands in a monospaced font.
        known: gives the names that may stand in `${…}`; None: none are offered.

    Signals:
        room_wanted(): it is to be edited in a dialog; the answer is `write` and `entered`.
    """

    room_wanted = Signal()

    def __init__(self, *, code: bool = True, known: Callable[[], Sequence[TemplateName]] | None = None) -> None:
        super().__init__()
        self.is_lent, self.is_code, self.known = False, code, known
        self.area = ScriptArea(known)
        self.area.setFont(font(Role.MONOSPACE if code else Role.BODY))
        self.area.setTabChangesFocus(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._note = text(role=Role.SMALL, look="muted", wraps=False)
        self._note.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._note.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.area)
        column.addWidget(self._note)
        self.setFocusProxy(self.area)
        self._fit()
        self.area.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.area.textChanged.connect(self._changed)
        self.area.confirmed.connect(self.entered)
        self.area.escaped.connect(self.escaped)
        self.area.room_wanted.connect(self.room_wanted)

    @override
    def text(self) -> str:
        return self.area.toPlainText()

    @override
    def put(self, words: str) -> None:
        if words != self.text():
            with QSignalBlocker(self.area):
                self.area.setPlainText(words)
            self._fit()

    @override
    def set_hint(self, words: str) -> None:
        self.area.setPlaceholderText(words)

    @override
    def lock(self, reason: str) -> None:
        super().lock(reason)
        self.area.setReadOnly(bool(reason))

    @override
    def remind(self, words: str) -> None:
        self._note.setText(words)
        self._note.setVisible(bool(words))

    @override
    def set_wrong(self, wrong: bool) -> None:
        self.area.is_wrong = wrong
        self.area.restyle()

    @override
    def apply_theme(self, palette: Palette) -> None:
        self.area.colours = palette
        self.area.restyle()

    @override
    def _has_lent_keyboard(self) -> bool:
        return self.is_lent or super()._has_lent_keyboard()

    def _changed(self) -> None:
        self._fit()
        self.edited.emit()

    def _fit(self, _size: object = None) -> None:
        """Set the height to that of the wrapped lines."""
        document, face = self.area.document(), self.area.fontMetrics()
        count = sum(max(1, block.layout().lineCount()) for block in _blocks(document, MOST_LINES + 1))
        lines = min(MOST_LINES, max(FEWEST_LINES, count))
        fits = count <= MOST_LINES
        bar = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.area.setVerticalScrollBarPolicy(bar)
        self.area.setFixedHeight(lines * face.lineSpacing() + _AROUND)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


def _blocks(document: QTextDocument, most: int) -> Iterator[QTextBlock]:
    """The first blocks of a document, so that thousands of lines are not visited at each key."""
    block = document.begin()
    for _ in range(most):
        if not block.isValid():
            return
        yield block
        block = block.next()


class ScriptArea(QPlainTextEdit):
    """The text area of the editor.

    Attributes:
        colours: what it is painted with; to be set before it is shown.
        is_wrong: whether it is outlined as wrong.

    Signals:
        confirmed(): Ctrl+Enter was pressed.
        escaped(): Escape was pressed.
        room_wanted(): Ctrl+E was pressed.
    """

    confirmed = Signal()
    escaped = Signal()
    room_wanted = Signal()

    def __init__(self, known: Callable[[], Sequence[TemplateName]] | None = None) -> None:
        super().__init__()
        self.colours: Palette | None = None
        self.is_wrong = False
        self.offers = TemplateCompleter(self, known) if known is not None else None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    def restyle(self) -> None:
        """Update colours and outline."""
        palette = self.colours
        if palette is not None:
            wrong = f"2px solid {palette.status[StatusForm.FAILED].shape}"
            usual = f"QPlainTextEdit:focus {{ border: 1px solid {palette.text}; }}"
            set_style_sheet(self, f"QPlainTextEdit {{ border: {wrong}; padding: 2px; }}" if self.is_wrong else usual)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self._is_own(event):  # type: ignore[arg-type]
            event.accept()
            return True
        return super().event(event)

    @staticmethod
    def _is_own(event: QKeyEvent) -> bool:
        has_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        return has_control and event.key() in _ENTER | {Qt.Key.Key_E}

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.offers is not None and self.offers.is_open and event.key() in OF_LIST:
            event.ignore()
        elif self._is_own(event):
            (self.room_wanted if event.key() == Qt.Key.Key_E else self.confirmed).emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)
            if self.offers is not None and event.text():
                self.offers.offer()
