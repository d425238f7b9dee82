"""Greying panes that are not up to date: to 60 %, with how old they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStackedWidget, QWidget
from typing_extensions import override

from starloom_gui.text.words import ago, fill, translate
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import GAPS, RADIUS
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QPaintEvent

    from starloom_gui.theme.appearance import Appearance

LEFT: Final = 0.6
"""How much is left of what lies under it."""
PATIENCE: Final = 2.0
"""Seconds that views may be behind before they are greyed."""
_PILL: Final = 22


def heard_words(seconds: float) -> str:
    """The age of the last news, as text: `Last heard 14 s ago`."""
    return fill(translate("Stale", "Last heard %1 ago"), ago(max(1.0, seconds)))


class StaleOverlay(QWidget):
    """A translucent overlay that greys a pane; the pane can be used as before.

    Args:
        ground: the pane.
        appearance: the colours.
    """

    def __init__(self, ground: QWidget, appearance: Appearance) -> None:
        super().__init__(ground)
        self._ground = ground
        self._appearance, self._text = appearance, ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        ground.installEventFilter(self)
        if isinstance(ground, QStackedWidget):
            ground.currentChanged.connect(self._come_up)

    @property
    def is_shown(self) -> bool:
        """Whether the pane is greyed."""
        return bool(self._text)

    def show_age(self, text: str) -> None:
        """Grey the pane and say how old it is; empty: it is up to date again."""
        if text == self._text:
            return
        self._text = text
        self.setAccessibleName(text)
        self.setVisible(bool(text))
        self._come_up()
        self.update()

    def _come_up(self) -> None:
        if self._text:
            self.setGeometry(self._ground.rect())
            self.raise_()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._come_up()
        return False

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self._appearance.palette
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour(palette.panel, 1.0 - LEFT))
        if self.height() < 3 * _PILL:  # a line has no room for it; the panes say it
            painter.end()
            return
        metrics = QFontMetricsF(font(Role.SMALL))
        text = elided(self._text, metrics, self.width() - 4.0 * GAPS[1])
        wide = round(metrics.horizontalAdvance(text)) + 2 * GAPS[1]
        box = QRectF((self.width() - wide) // 2, self.height() - _PILL - GAPS[1], wide, _PILL)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour(palette.outline), 1))
        painter.setBrush(colour(palette.panel))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.setFont(font(Role.SMALL))
        painter.setPen(colour(palette.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()


class Staleness(QObject):
    """Greys panes while they lag behind the engine. No timer runs while nothing happens.

    Args:
        grounds: the panes.
        appearance: the colours.
        behind: gives for how many seconds they have been behind; 0: they are not.

    Signals:
        turned(): they are greyed, or not any more.
    """

    turned = Signal()

    def __init__(
        self,
        grounds: Iterable[QWidget],
        appearance: Appearance,
        behind: Callable[[], float],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._behind = behind
        self._veils = [StaleOverlay(ground, appearance) for ground in grounds]
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.look)

    @property
    def is_stale(self) -> bool:
        """Whether the panes are greyed."""
        return any(veil.is_shown for veil in self._veils)

    def expect(self, *_: object) -> None:
        """Check soon whether the panes have caught up with a change."""
        if not self._timer.isActive():
            self._timer.start(round(PATIENCE * 1000))

    def look(self) -> None:
        """Check now; while the panes are behind, again in a second."""
        seconds = self._behind()
        was_stale, is_stale = self.is_stale, seconds >= PATIENCE
        for veil in self._veils:
            veil.show_age(heard_words(seconds) if is_stale else "")
        if is_stale != was_stale:
            self.turned.emit()
        if seconds > 0:
            self._timer.start(1000)

    def close(self) -> None:
        """Check no more."""
        self._timer.stop()
