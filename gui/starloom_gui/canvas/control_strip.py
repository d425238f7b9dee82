"""The strip below the canvas with zoom control and legend, and the placement of the minimap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QToolTip, QWidget
from typing_extensions import override

from starloom_gui.canvas.atlas import BADGE, BADGE_RIM, paint_badge
from starloom_gui.canvas.badges import Badge
from starloom_gui.canvas.edges import CRITICAL_WIDTH, WIDTH, paint_symbol
from starloom_gui.canvas.render_model import ALWAYS, CONDITION, FAILURE, SUCCESS
from starloom_gui.text.words import figure, fill, tip
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import CANVAS_FOOT, CONTROL, RADIUS
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from starloom_gui.canvas.colouring import Scale
    from starloom_gui.canvas.fold_box import FoldBox
    from starloom_gui.canvas.minimap import MiniMap
    from starloom_gui.theme.palette import Palette

ICON: Final = 16
SAMPLE: Final = 30
GAP: Final = 6
SWATCH: Final = 14
BETWEEN_SWATCHES: Final = 12
BETWEEN: Final = 24
BETWEEN_BOXES: Final = 16
CRITICAL: Final = -1
"""Beside the kinds of edges: the critical path."""
EDGE: Final = 12
SHARE: Final = 10
"""The overview covers no more than one part in so many of the canvas."""
MOST: Final = 0.5
"""With more than this share of the graph in sight the overview covers no node."""
_SIGN: Final = 0.6
"""How large the line is that stands for the legend."""


class ControlStrip(QWidget):
    """The strip below the canvas that holds zoom control and legend."""

    def __init__(self, palette: Palette, parent: QWidget) -> None:
        super().__init__(parent)
        self._palette = palette

    def set_palette(self, palette: Palette) -> None:
        """Change the palette."""
        self._palette = palette
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour(self._palette.canvas))
        painter.fillRect(0, 0, self.width(), 1, colour(self._palette.border))
        painter.end()


class ZoomBox(QFrame):
    """The zoom control: zoom out, the zoom as a percentage, zoom in, fit.

    Signals:
        zoomed_in(), zoomed_out(), fitted(): what was pressed.
    """

    zoomed_in = Signal()
    zoomed_out = Signal()
    fitted = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Zoom"))
        self.setFixedHeight(CONTROL)
        self._share = QLabel()
        self._share.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._share.setFont(font())
        self._share.setFixedWidth(QFontMetrics(font()).horizontalAdvance("100 %") + 8)
        self._line = QFrame()
        self._line.setFixedWidth(1)
        self._buttons = {
            Icon.ZOOM_OUT: self._button(self.tr("Zoom out"), "Ctrl+-"),
            Icon.ZOOM_IN: self._button(self.tr("Zoom in"), "Ctrl++"),
            Icon.FIT: self._button(self.tr("Fit the whole graph"), "0"),
        }
        for verb, signal in (
            (Icon.ZOOM_OUT, self.zoomed_out),
            (Icon.ZOOM_IN, self.zoomed_in),
            (Icon.FIT, self.fitted),
        ):
            self._buttons[verb].clicked.connect(signal)
        self._arrange()
        self.set_palette(palette)
        self.set_scale(1.0)

    def _button(self, text: str, key: str) -> QToolButton:
        made = QToolButton()
        made.setAutoRaise(True)
        made.setFixedSize(CONTROL, CONTROL - 2)
        made.setIconSize(QSize(ICON, ICON))
        made.setToolTip(fill(self.tr("%1 (%2)"), text, key))
        made.setAccessibleName(text)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the canvas is one tab stop and has keys for all of this
        made.setAutoRepeat(False)
        return made

    def _arrange(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(1, 1, 1, 1)
        row.setSpacing(0)
        for each in (
            *(self._buttons[Icon.ZOOM_OUT], self._share, self._buttons[Icon.ZOOM_IN]),
            *(self._line, self._buttons[Icon.FIT]),
        ):
            row.addWidget(each)

    def set_palette(self, palette: Palette) -> None:
        """Change the palette."""
        for verb, button in self._buttons.items():
            button.setIcon(icon(verb, palette))
        self._palette = palette
        self.setStyleSheet(
            f"QLabel {{ color: {palette.text}; }}"
            f"QToolButton {{ border: none; border-radius: {RADIUS - 1}px; background: transparent; }}"
            f"QToolButton:hover {{ background: {palette.raised}; }}"
            f"QToolButton:pressed {{ background: {palette.selected}; }}"
        )
        self._line.setStyleSheet(f"background: {palette.border};")

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour(self._palette.border), 1))
        painter.setBrush(colour(self._palette.panel))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()

    def set_scale(self, scale: float) -> None:
        """Set the displayed scale; 1 is 100 %."""
        percent = scale * 100
        digits = 0 if percent >= 1.5 else 1 if percent >= 0.1 else 3
        shown = figure(f"{percent:.{digits}f}")
        self._share.setText(fill(self.tr("%1 %"), shown))

    @property
    def text(self) -> str:
        """The displayed text."""
        return self._share.text()


class Legend(QWidget):
    """The legend of the canvas: the kinds of edges and the badges, at low zoom counts, or the colours of a colouring.

    Where there is no room for the badges these stand in its tip alone; without any it folds to one button, which tells
    the same when it is pressed.
    """

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFixedHeight(CONTROL)
        self.setFont(font(Role.SMALL))
        self._palette = palette
        self._note = ""
        self._kinds: tuple[int, ...] = ()
        self._badges: tuple[Badge, ...] = ()
        self._scale: Scale | None = None
        self.is_folded = self._is_short = False

    def set_palette(self, palette: Palette) -> None:
        """Change the palette."""
        self._palette = palette
        self.update()

    def set_kinds(self, kinds: tuple[int, ...], badges: tuple[Badge, ...] = ()) -> None:
        """Show these kinds of edges, of which `CRITICAL` is one too, and these badges of nodes."""
        self._say(kinds, "", badges=badges)

    def set_note(self, note: str) -> None:
        """Show a text instead."""
        self._say((), note)

    def set_scale(self, scale: Scale) -> None:
        """Show the scale of a colouring instead."""
        self._say((), "", scale)

    def fit(self, room: int) -> None:
        """Fit into a width: collapse to a button, or show as many colours as have room.

        Args:
            room: how wide it may be.
        """
        wanted, badges = self._width(), self._width_of_badges()
        short = bool(badges) and wanted + badges > room
        width = min(wanted, room) if self._scale is not None else wanted + (0 if short else badges)
        folded = wanted > 0 and width > room
        if (folded, short) != (self.is_folded, self._is_short):
            self.is_folded, self._is_short = folded, short
            self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not (folded or short))
            self.update()
        self.setToolTip(self._said() if folded or short else "")
        self.setFixedWidth(CONTROL if folded else max(1, width))
        self.setVisible(self.width() <= room)

    def _say(
        self, kinds: tuple[int, ...], note: str, scale: Scale | None = None, badges: tuple[Badge, ...] = ()
    ) -> None:
        if (kinds, note, scale, badges) != (self._kinds, self._note, self._scale, self._badges):
            self._kinds, self._note, self._scale, self._badges = kinds, note, scale, badges
            self.setAccessibleName(self._said())
            self.update()

    def _said(self) -> str:
        if self._scale is not None:
            words = ", ".join(word for _, word in self._scale.entries)
            return fill(self.tr("%1: %2"), self._scale.title, words) if words else self._scale.title
        entries = [*map(self._word, self._kinds), *map(self._badge_word, self._badges)]
        return self._note or ", ".join(entries)

    def _badge_word(self, badge: Badge) -> str:
        return {
            Badge.HELD: self.tr("held"),
            Badge.RETRY: self.tr("retries"),
            Badge.FENCE: self.tr("waits for an answer"),
            Badge.GATE: self.tr("waits for you"),
            Badge.BREAKPOINT: self.tr("breakpoint"),
            Badge.OVERDUE: self.tr("overdue"),
            Badge.BYPASS: self.tr("bypassed"),
            Badge.QUIET: self.tr("no output"),
            Badge.SIMULATED: self.tr("only simulated"),
            Badge.PINNED: self.tr("pinned"),
            Badge.UNSET: self.tr("typed, not set"),
        }[badge]

    def _word(self, kind: int) -> str:
        return {
            SUCCESS: self.tr("success"),
            ALWAYS: self.tr("always"),
            FAILURE: self.tr("failure"),
            CONDITION: self.tr("condition"),
            CRITICAL: self.tr("critical path"),
        }[kind]

    def _width(self) -> int:
        metrics = self.fontMetrics()
        if self._scale is not None:
            words = [
                metrics.horizontalAdvance(word) + SWATCH + GAP + BETWEEN_SWATCHES for _, word in self._scale.entries
            ]
            return metrics.horizontalAdvance(self._scale.title) + BETWEEN_SWATCHES + sum(words)
        if self._note:
            return metrics.horizontalAdvance(self._note)
        return sum(SAMPLE + GAP + metrics.horizontalAdvance(self._word(kind)) + BETWEEN for kind in self._kinds)

    def _width_of_badges(self) -> int:
        words = map(self.fontMetrics().horizontalAdvance, map(self._badge_word, self._badges))
        return sum(BADGE + GAP + wide + BETWEEN for wide in words)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        middle, x = self.height() / 2, 0.0
        if self.is_folded:
            self._paint_button(painter)
            painter.end()
            return
        if self._note:
            painter.setPen(colour(self._palette.muted))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._note)
        if self._scale is not None:
            self._paint_scale(painter, self._scale)
        for kind in self._kinds:
            self._paint_sample(painter, kind, x, middle)
            x = self._paint_word(painter, self._word(kind), x + SAMPLE + GAP)
        for badge in () if self._is_short else self._badges:
            box = QRectF(x, middle - BADGE / 2, BADGE, BADGE).adjusted(-BADGE_RIM, -BADGE_RIM, BADGE_RIM, BADGE_RIM)
            paint_badge(painter, box, badge, 1.0, self._palette)
            x = self._paint_word(painter, self._badge_word(badge), x + BADGE + GAP)
        painter.end()

    def _paint_word(self, painter: QPainter, word: str, x: float) -> float:
        """Paint a word from x on; returns where the next entry begins."""
        painter.setPen(colour(self._palette.muted))
        wide = self.fontMetrics().horizontalAdvance(word)
        painter.drawText(QRectF(x, 0, wide + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, word)
        return x + wide + BETWEEN

    def _paint_button(self, painter: QPainter) -> None:
        """Paint the button of the collapsed legend: one line for all of them."""
        painter.setPen(QPen(colour(self._palette.border), 1.0))
        painter.setBrush(colour(self._palette.panel))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        kind = self._kinds[0] if self._kinds else SUCCESS
        painter.scale(_SIGN, _SIGN)
        left = (self.width() / _SIGN - SAMPLE) / 2
        self._paint_sample(painter, kind, left, self.height() / _SIGN / 2)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Show the whole legend as a tooltip."""
        QToolTip.showText(event.globalPosition().toPoint(), tip(self._said()), self)

    def _paint_scale(self, painter: QPainter, scale: Scale) -> None:
        """Paint title, tones and labels, as many of them as have room."""
        metrics, middle, x = self.fontMetrics(), self.height() / 2, 0.0
        inks = (self._palette.text, *[self._palette.muted] * len(scale.entries))
        for ink, (tone, word) in zip(inks, (("", scale.title), *scale.entries), strict=True):
            wide = metrics.horizontalAdvance(word)
            left = x + (SWATCH + GAP if tone else 0)
            if left + wide > self.width():
                break
            if tone:
                painter.fillRect(QRectF(x, middle - 4, SWATCH, 8), colour(tone))
            painter.setPen(colour(ink))
            painter.drawText(QRectF(left, 0, wide + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, word)
            x = left + wide + BETWEEN_SWATCHES

    def _paint_sample(self, painter: QPainter, kind: int, x: float, y: float) -> None:
        critical = kind == CRITICAL
        ink = self._palette.text if critical else self._palette.muted
        pen = QPen(colour(ink), CRITICAL_WIDTH if critical else WIDTH)
        if kind == ALWAYS:
            pen.setDashPattern([4.0, 3.0])
        size = 9.0 if critical else 7.0
        painter.setPen(pen)
        painter.drawLine(QPointF(x, y), QPointF(x + SAMPLE - size + 1, y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(ink))
        tip = QPointF(x + SAMPLE, y)
        painter.drawPolygon(QPolygonF([tip, tip + QPointF(-size, -size / 2), tip + QPointF(-size, size / 2)]))
        paint_symbol(painter, QPointF(x + SAMPLE / 2 - 2, y), kind, ink, self._palette.canvas, 0.9)


def kinds_of(present: set[int], *, critical: bool) -> tuple[int, ...]:
    """The entries of the legend: the present kinds of edges, in their order, and the critical path if shown."""
    found = tuple(kind for kind in (SUCCESS, ALWAYS, FAILURE, CONDITION) if kind in present)
    return (*found, CRITICAL) if critical else found


def lay_out(size: QSize, foot: ControlStrip, zoom_box: ZoomBox, fold_box: FoldBox, legend: Legend) -> None:
    """Lay out zoom, fold control and legend on the strip below a canvas, the legend collapsed where it has no room.

    Args:
        size: of the canvas with its strip.
        foot: the strip.
        zoom_box: at the left, always.
        fold_box: beside it, if it is shown.
        legend: beside that.
    """
    width, top = size.width(), size.height() - CANVAS_FOOT
    foot.setGeometry(0, top, width, CANVAS_FOOT)
    zoom_box.adjustSize()
    zoom_box.move(EDGE, top + (CANVAS_FOOT - zoom_box.height()) // 2)
    left = zoom_box.geometry().right() + 1 + BETWEEN_BOXES
    if not fold_box.isHidden():
        fold_box.fit(width - left - EDGE - BETWEEN_BOXES - CONTROL)
        fold_box.move(left, zoom_box.y())
        left = fold_box.geometry().right() + 1 + BETWEEN_BOXES
    legend.move(left, zoom_box.y())
    legend.fit(width - legend.x() - EDGE)


def place_overview(
    canvas: QSize,
    minimap: MiniMap,
    chosen: Iterable[QRectF],
    has_nodes_in: Callable[[QRectF], bool],
    share: float,
) -> None:
    """Place the minimap in the lower right corner of a canvas, or hide it where it would cover nodes.

    It is where it would cover a selected node, or any while most of the graph is in sight, or much of the canvas; not
    while the user drags it.

    Args:
        canvas: its size without the strip.
        minimap: the overview.
        chosen: where the selected nodes are.
        has_nodes_in: whether there are nodes in a part of the canvas.
        share: how much of the graph's rectangle is in sight, 0 to 1.
    """
    minimap.move(canvas.width() - EDGE - minimap.width(), canvas.height() - EDGE - minimap.height())
    is_small = SHARE * minimap.width() * minimap.height() <= canvas.width() * canvas.height()
    corner = QRectF(minimap.geometry())
    covers = any(box.intersects(corner) for box in chosen) or (share > MOST and has_nodes_in(corner))
    minimap.setVisible(minimap.has_nodes and is_small and (minimap.is_held or not covers))
