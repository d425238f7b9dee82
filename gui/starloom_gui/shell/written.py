"""The notice of a written file, with a button that opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QObject, QSize, QTimer
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QToolButton, QWidget
from typing_extensions import override

from starloom_gui.panels.output import open_with_system
from starloom_gui.text.words import fill
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import CONTROL, GAPS
from starloom_gui.widgets.controls import button, sheet, text
from starloom_gui.widgets.lying_over import PROGRESS, lie_over

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette


STAYS_MS: Final = 12_000


class WrittenStrip(QFrame):
    """The bar that names an exported file, over the top of another widget; it hides after some seconds.

    It goes with the tab that was in front when it came.

    Args:
        over: the widget it lies over; its parent, too.
        appearance: the colours.
        opens: has the system show a file or a folder; whether it could.

    Attributes:
        open, folder, away: its buttons.
    """

    def __init__(self, over: QWidget, appearance: Appearance, opens: Callable[[Path], bool] = open_with_system) -> None:
        super().__init__(over)
        self._opens = opens
        self._path: Path | None = None
        self.setObjectName(PROGRESS)
        self._text = text()
        self.open, self.folder, self.away = button(""), button(""), QToolButton()
        self.away.setFixedSize(CONTROL, CONTROL)
        self.away.setIconSize(QSize(16, 16))
        self.away.setAutoRaise(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAPS[2], 0, GAPS[1], 0)
        row.setSpacing(GAPS[1])
        row.addWidget(self._text, 1)
        for control in (self.open, self.folder, self.away):
            row.addWidget(control)
        self.open.clicked.connect(self._open)
        self.folder.clicked.connect(self._open_folder)
        self.away.clicked.connect(self.hide)
        self._front = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(STAYS_MS)
        self._timer.timeout.connect(self._go)
        over.installEventFilter(self)
        appearance.changed.connect(self._apply_theme)
        self._say()
        self._apply_theme(appearance.palette)
        self.hide()

    @property
    def said(self) -> str:
        """The displayed text."""
        return self._text.text()

    def tell(self, path: Path) -> None:
        """Show that a file was written."""
        self._path = path
        self._say()
        self._place()
        self.show()
        self.raise_()
        self._timer.start()

    def turn(self, key: str) -> None:
        """Hide the notice, if another tab is in front."""
        if key != self._front:
            self._front = key
            self.hide()

    def _go(self) -> None:
        """Go, unless somebody is about to use it."""
        now: Any = QApplication.focusWidget()  # None where nothing has the keyboard, which the stubs don't know
        if self.underMouse() or (now is not None and self.isAncestorOf(now)):
            self._timer.start()
        else:
            self.hide()

    def _open(self) -> None:
        if self._path is not None:
            self._show(self._path)

    def _open_folder(self) -> None:
        if self._path is not None:
            self._show(self._path.parent)

    def _show(self, path: Path) -> None:
        if not self._opens(path):
            self._text.setText(fill(self.tr("There is no program that opens %1"), path))

    def _say(self) -> None:
        said = fill(self.tr("%1 was written"), self._path) if self._path is not None else ""
        self._text.setText(said)
        self.setAccessibleName(said)
        self.open.setText(self.tr("Open"))
        self.open.setToolTip(self.tr("Show it in whatever program the system has for it"))
        self.folder.setText(self.tr("Show folder"))
        self.folder.setToolTip(self.tr("Show the folder it lies in"))
        self.away.setToolTip(self.tr("Put this away"))
        self.away.setAccessibleName(self.tr("Put this away"))

    def _place(self) -> None:
        over = self.parentWidget()
        if over is not None:
            lie_over(self, over)

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(
            f"{sheet(palette)} QWidget#pane {{ border: none; border-bottom: 2px solid {palette.text}; }}"
            "QToolButton { border: none; }"
            f"QToolButton:focus {{ border: 1px dashed {palette.text}; }}"
        )
        self.away.setIcon(icon(Icon.CLOSE, palette))

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.parentWidget() and self.isVisible():
            self._place()
        return False

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
        super().changeEvent(event)
