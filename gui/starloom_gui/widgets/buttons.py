"""The buttons of the toolbar and the welcome page, which paint themselves so that all have the same measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QToolButton
from typing_extensions import override

from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, drawing
from starloom_gui.theme.metrics import CONTROL, RADIUS
from starloom_gui.theme.palette import blended, colour
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QEnterEvent, QKeyEvent, QPaintEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_PAD: Final = 8
_GAP: Final = 6
_ICON: Final = 16


class VerbButton(QToolButton):
    """A button for an action, flat or outlined; it is raised while pressed or hovered.

    Attributes:
        badge: a figure at the right; empty: none.
        is_default: of an outlined one, whether it is the default one, whose fill is the colour of text.
        width_px: how wide it is at least.

    Args:
        appearance: the colours.
        action: what it does, with its text, tip and state.
        shape: its icon.
        words: whether its text is shown, not only its icon.
        outlined: whether it has an outline.
        parent: of the widget.
    """

    def __init__(
        self,
        appearance: Appearance,
        action: QAction | None = None,
        shape: Icon | None = None,
        *,
        words: bool = True,
        outlined: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._appearance, self._shape, self._words = appearance, shape, words
        self._is_outlined, self.is_default, self.width_px = outlined, False, 0
        self.badge, self._is_loud = "", True
        self.setFont(font(Role.BODY))
        self.setFixedHeight(CONTROL)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        if action is not None:
            self.show_action(action, shape)

    def show_action(self, action: QAction, shape: Icon | None) -> None:
        """Set the action of the button.

        Args:
            action: what a click does.
            shape: the icon; None: none.
        """
        self._shape = shape
        for other in self.actions():
            self.removeAction(other)
        self.setDefaultAction(action)
        self.setAccessibleName(action.text())
        self.updateGeometry()

    def words(self) -> str:
        """The text of the button, with the ellipsis that Qt removes from the text of an action."""
        actions = self.actions()
        return actions[0].text() if actions else self.text()

    def show_words(self, *, shown: bool) -> None:
        """Show or hide the text beside the icon."""
        if shown != self._words:
            self._words = shown
            self.updateGeometry()
            self.update()

    def show_badge(self, badge: str, *, is_loud: bool = True) -> None:
        """Set the badge at the right.

        Args:
            badge: its text; empty: none.
            is_loud: whether it is filled with the colour of failures; else it is outlined.
        """
        if (badge, is_loud) != (self.badge, self._is_loud):
            self.badge, self._is_loud = badge, is_loud
            self.updateGeometry()
            self.update()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()  # as Space does
        else:
            super().keyPressEvent(event)

    @override
    def sizeHint(self) -> QSize:
        width = 2.0 * _PAD + (_ICON if self._shape is not None else 0)
        metrics = QFontMetricsF(self.font())
        if self._words:
            width += metrics.horizontalAdvance(self.words()) + (_GAP if self._shape is not None else 0)
        if self.badge:
            width += _GAP + self._badge_width(metrics)
        return QSize(max(self.width_px, round(width + 0.5)), CONTROL)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _badge_width(self, metrics: QFontMetricsF) -> float:
        return max(16.0, metrics.horizontalAdvance(self.badge) + 8)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self._appearance.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        self.paint_ground(painter, box)
        ink = self.ink()
        left = float(_PAD)
        if self._shape is not None:
            drawing(self._shape).paint(painter, QRectF(left, (self.height() - _ICON) / 2, _ICON, _ICON), colour(ink))
            left += _ICON + _GAP
        painter.setPen(colour(ink))
        painter.setFont(self.font())
        if self._words:
            painter.drawText(QRectF(left, 0, self.width(), self.height()), Qt.AlignmentFlag.AlignVCenter, self.words())
            left += QFontMetricsF(self.font()).horizontalAdvance(self.words()) + _GAP
        if self.badge:
            self._paint_badge(painter, left)
        if self.hasFocus():
            pen = QPen(colour(palette.text), 1.0, Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), RADIUS, RADIUS)
        painter.end()

    def paint_ground(self, painter: QPainter, box: QRectF) -> None:
        """Paint the background.

        Args:
            painter: the painter of the widget.
            box: the rectangle of the button, in logical pixels.
        """
        palette = self._appearance.palette
        if self._is_outlined:
            self._paint_outline(painter, box, palette)
        elif self.isEnabled() and (self.underMouse() or self.isChecked() or self.isDown()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(palette.selected if self.isDown() else palette.raised))
            painter.drawRoundedRect(box, RADIUS, RADIUS)

    def _paint_outline(self, painter: QPainter, box: QRectF, palette: Palette) -> None:
        is_near = self.isEnabled() and (self.underMouse() or self.isDown())
        if self.is_default:
            ground = blended(palette.text, palette.window, 0.85 if is_near else 1.0)
            painter.setPen(Qt.PenStyle.NoPen)
        else:
            ground = palette.raised if is_near else palette.panel
            painter.setPen(QPen(colour(palette.outline), 1.0))
        painter.setBrush(colour(ground))
        painter.drawRoundedRect(box, RADIUS, RADIUS)

    def ink(self) -> str:
        """The colour of icon and text."""
        palette = self._appearance.palette
        if self._is_outlined and self.is_default and self.isEnabled():
            return palette.window
        return palette.text if self.isEnabled() else blended(palette.text, palette.window, 0.4)

    def _paint_badge(self, painter: QPainter, left: float) -> None:
        palette, metrics = self._appearance.palette, QFontMetricsF(self.font())
        box = QRectF(left, (self.height() - 16) / 2, self._badge_width(metrics), 16)
        if self._is_loud:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(palette.status[StatusForm.FAILED].shape))
            painter.drawRoundedRect(box, 3, 3)
        else:
            painter.setPen(QPen(colour(palette.outline), 1.0))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        painter.setPen(colour(palette.on_fill if self._is_loud else palette.text))
        painter.setFont(font(Role.SMALL))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.badge)

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()
