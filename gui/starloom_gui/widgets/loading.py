"""The strip that shows the progress of opening something slow: its name, share, time, and Cancel."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.text.words import clock, fill
from starloom_gui.theme.metrics import GAPS, LOADING_MS, STRIP
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.controls import Elided, button, sheet
from starloom_gui.widgets.lying_over import PROGRESS, lie_over
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_BAR: Final = 3
_SECOND_MS: Final = 1000


class LoadingStrip(QFrame):
    """The progress bar over the top of another widget, shown only if loading takes long.

    Args:
        over: the widget it lies over; its parent, too.
        appearance: the colours.
        now: gives seconds that never go back.

    Signals:
        cancel_asked(): the user does not want to wait.
    """

    cancel_asked = Signal()

    def __init__(self, over: QWidget, appearance: Appearance, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(over)
        self._appearance, self._now = appearance, now
        self._what, self._share, self._since = "", 0.0, 0.0
        self.setObjectName(PROGRESS)
        self.setFixedHeight(STRIP)
        self._text = Elided()
        self._cancel = button(self.tr("Cancel"))
        self._cancel.clicked.connect(self.cancel_asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAPS[2], 0, GAPS[2], _BAR)
        row.addWidget(self._text, 1)
        row.addWidget(self._cancel)
        self._wait, self._tick = QTimer(self), QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(LOADING_MS)
        self._wait.timeout.connect(self._appear)
        self._tick.setInterval(_SECOND_MS)
        self._tick.setTimerType(Qt.TimerType.CoarseTimer)
        self._tick.timeout.connect(self._say)
        over.installEventFilter(self)
        Restyling(self, appearance, self._apply_theme)
        self.hide()

    @property
    def said(self) -> str:
        """The displayed text."""
        return self._text.text()

    def begin(self, what: str, share: float = 0.0) -> None:
        """Show another item as being loaded.

        Args:
            what: it is, with its size or number.
            share: of all there is to be done, 0 to 1, that is done before it.
        """
        if not self._wait.isActive() and not self.isVisible():
            self._since = self._now()
            self._wait.start()
        self._what, self._share = what, share
        self._say()
        self.update()

    def end(self) -> None:
        """Hide the strip, as loading has ended."""
        self._wait.stop()
        self._tick.stop()
        self.hide()

    def _appear(self) -> None:
        self._place()
        self._say()
        self._tick.start()
        self.show()
        self.raise_()

    def _say(self) -> None:
        seconds = self._now() - self._since
        said = fill(self.tr("%1 · %2"), self._what, clock(seconds)) if seconds >= 1 else self._what
        self._text.setText(said)
        self.setAccessibleName(self._what)

    def _place(self) -> None:
        over = self.parentWidget()
        if over is not None:
            lie_over(self, over)

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(sheet(palette))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self._appearance.palette
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour(palette.panel))
        track = QRectF(0, self.height() - _BAR, self.width(), _BAR)
        painter.fillRect(track, colour(palette.border))
        painter.fillRect(QRectF(0, track.top(), self.width() * self._share, _BAR), colour(palette.text))
        painter.end()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.parentWidget() and self.isVisible():
            self._place()
        return False
