"""A dialog for a text of several lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from typing_extensions import override

from starloom_gui.theme.fonts import Role, font
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.script_editor import ScriptArea
from starloom_gui.widgets.typed_guard import TypedGuard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QTextCursor
    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.template_completer import TemplateName

WIDTH: Final = 720
HEIGHT: Final = 480
_AROUND: Final = 125
"""Pixels that title and last row take."""


class ScriptDialog(Dialog):
    """Edits a text in a large window: Ctrl+Enter accepts it; Escape discards it, and asks first if it was changed.

    Attributes:
        area: where it is typed.
        title: what the text is.

    Signals:
        kept(str): the text is to hold.

    Args:
        appearance: the colours.
        title: what the text is.
        words: the text.
        code: whether it is read by programs, and stands in a monospaced font.
        known: gives the names that may stand in `${…}`; None: none are offered.
        is_locked: whether it can only be read.
        parent: the window it stands over.
    """

    kept = Signal(str)

    def __init__(
        self,
        appearance: Appearance,
        title: str,
        words: str,
        *,
        code: bool = True,
        known: Callable[[], Sequence[TemplateName]] | None = None,
        is_locked: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, title, "", width=WIDTH, parent=parent)
        self._words, self._is_locked, self.title = words, is_locked, title
        self.area = ScriptArea(known)
        self.area.setFont(font(Role.MONOSPACE if code else Role.BODY))
        self.area.setAccessibleName(title)
        self.area.setPlainText(words)
        self.area.setReadOnly(is_locked)
        self.area.confirmed.connect(self.do)
        self.typed = TypedGuard(self, lambda: self.is_changed)
        self.area.textChanged.connect(self.typed.go_on)
        self.body.addWidget(self.area, 1)
        self.area.setFixedHeight(HEIGHT - _AROUND)
        self.retitle(title, "" if is_locked else self.tr("Keep"))
        self.note("" if is_locked else self.tr("Ctrl+Enter keeps it"))
        self.apply_theme(appearance.palette)
        self.area.setFocus()

    @property
    def is_changed(self) -> bool:
        """Whether something was typed that is not kept."""
        return self.area.toPlainText() != self._words

    def stand_like(self, cursor: QTextCursor) -> None:
        """Move the cursor to where it is in the small editor."""
        own = self.area.textCursor()
        own.setPosition(min(cursor.position(), len(self._words)))
        self.area.setTextCursor(own)
        self.area.ensureCursorVisible()

    @override
    def do(self) -> None:
        if not self._is_locked:
            self.kept.emit(self.area.toPlainText())
        self.accept()

    @override
    def apply_theme(self, palette: Palette) -> None:
        super().apply_theme(palette)
        self.area.colours = palette
        self.area.restyle()
