"""The base of banners over the canvas, which say what is shown instead of the usual graph, and offer the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.buttons import VerbButton
from starloom_gui.widgets.click_guard import guard_appeared
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.lying_over import lie_over
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette


class Banner(QFrame):
    """A banner with a title, a sentence and a button, hidden until it has content.

    Args:
        over: the widget over whose top it lies.
        appearance: the colours.

    Attributes:
        back: the button at its end, the default one.
    """

    def __init__(self, over: QWidget, appearance: Appearance) -> None:
        super().__init__(over)
        self.setObjectName("banner")
        self._title = text(role=Role.SECTION, wraps=False)
        self._sentence = text()
        self.back = VerbButton(appearance, outlined=True, parent=self)
        self.back.is_default = True
        row = QHBoxLayout(self)
        row.setContentsMargins(GAPS[3], 0, GAPS[2], 0)
        row.setSpacing(GAPS[2])
        row.addWidget(self._title)
        row.addWidget(self._sentence, 1)
        row.addWidget(self.back)
        over.installEventFilter(self)
        Restyling(self, appearance, self._apply_theme)
        self.hide()

    def refresh(self, *_: object) -> None:
        """Update the content; subclasses override this."""

    def say(self, title: str, sentence: str, back: str, tip: str) -> None:
        """Set the content and show the banner.

        Args:
            title: the short text at the left.
            sentence: the explanation behind it.
            back: the label of the button.
            tip: the tooltip of the button.
        """
        self._title.setText(title)
        self._sentence.setText(sentence)
        self.back.setText(back)
        self.back.setToolTip(tip)
        self.back.setAccessibleName(back)
        self.back.updateGeometry()
        self.setAccessibleName(title)
        self.setAccessibleDescription(sentence)
        self._place()
        self.show()
        self.raise_()

    # ---- where it is

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        guard_appeared(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.parentWidget():
            self._place()
        return False

    def _place(self) -> None:
        over = self.parentWidget()
        if over is not None:
            lie_over(self, over)

    def _apply_theme(self, palette: Palette) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setStyleSheet(
            f"QFrame#banner {{ background: {palette.raised}; border: none;"
            f" border-bottom: 2px solid {palette.text}; }}"
            f"QLabel {{ color: {palette.text}; background: transparent; }}"
        )

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.refresh()
        super().changeEvent(event)
