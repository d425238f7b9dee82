"""The list of the palette: a row for each template, painted whole, that can be dragged onto a canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QDrag, QFontMetricsF, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStyle, QStyledItemDelegate
from typing_extensions import override

from starloom_gui.panels.palette_rows import TEMPLATE
from starloom_gui.panels.task_marks import paint_focus, paint_ground, paint_selected
from starloom_gui.text.words import straight
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.icons import drawing
from starloom_gui.theme.metrics import CONTROL, GAPS, NODE_RADIUS, ROW
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.typed_find import TypedFind, find_rows

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from starloom_gui.editing.templates import TaskTemplate
    from starloom_gui.panels.palette_rows import PaletteRows
    from starloom_gui.theme.appearance import Appearance

EDGE: Final = 12
ICON: Final = 16
_NAME: Final = EDGE + ICON + GAPS[1]
_HEADING: Final = CONTROL
CHIP_AT: Final = QPoint(12, 14)
"""Where what is dragged hangs, from the pointer."""
_CHIP: Final = 150
_MARGIN: Final = 10
_Index = QModelIndex | QPersistentModelIndex


class PaletteList(QListView):
    """The list view of the palette.

    Signals:
        chosen(TaskTemplate): with Return or a double click.
        menu_asked(QPoint): the user wants a menu of the current template, at this place on the screen.

    Args:
        rows: the model.
        appearance: the colours.
    """

    chosen = Signal(object)
    menu_asked = Signal(QPoint)

    def __init__(self, rows: PaletteRows, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.setModel(rows)
        TypedFind(self, find_rows(self, 0), appearance)
        self.setItemDelegate(_Painter(self, appearance))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setFont(font())
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setSingleStep(ROW)
        self.doubleClicked.connect(self._choose)

    @property
    def current(self) -> TaskTemplate | None:
        """The template that keys act on; None: there is none."""
        template: TaskTemplate | None = self.currentIndex().data(TEMPLATE)
        return template

    def _choose(self, index: QModelIndex) -> None:
        template = index.data(TEMPLATE)
        if template is not None:
            self.chosen.emit(template)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        # `activated` would come with a single click where the desktop opens files so
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentIndex())
        else:
            super().keyPressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.current is not None:
            by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
            at = self.visualRect(self.currentIndex()).bottomLeft() if by_key else event.pos()
            self.menu_asked.emit(self.viewport().mapToGlobal(at))
        event.accept()

    # ---- dragging

    @override
    def startDrag(self, supportedActions: Qt.DropAction) -> None:
        drag = self.new_drag()
        if drag is not None:
            drag.exec(Qt.DropAction.CopyAction)

    def new_drag(self) -> QDrag | None:
        """The drag of the current template, which hangs below the pointer so that one can aim; None: there is none."""
        index = self.currentIndex()
        template = self.current
        if template is None:
            return None
        drag = QDrag(self)
        drag.setMimeData(self.model().mimeData([index]))
        drag.setPixmap(self._chip(template))
        drag.setHotSpot(-CHIP_AT)
        return drag

    def _chip(self, template: TaskTemplate) -> QPixmap:
        """The drag pixmap: icon and title in the dashed outline of a task that does not exist yet."""
        palette, ratio = self._appearance.palette, self.devicePixelRatioF()
        made = QPixmap(round(_CHIP * ratio), round(CONTROL * ratio))
        made.setDevicePixelRatio(ratio)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(colour(palette.text), 1.5)
        pen.setDashPattern([3.0, 2.0])
        painter.setPen(pen)
        painter.setBrush(colour(palette.panel))
        painter.drawRoundedRect(QRectF(1, 1, _CHIP - 2, CONTROL - 2), NODE_RADIUS, NODE_RADIUS)
        drawing(template.icon).paint(painter, QRectF(_MARGIN, 6, ICON, ICON), colour(palette.text))
        painter.setFont(self.font())
        left = _MARGIN + ICON + GAPS[1]
        words = elided(template.title, QFontMetricsF(self.font()), _CHIP - left - 8)
        painter.drawText(QRectF(left, 0, _CHIP - left, CONTROL), Qt.AlignmentFlag.AlignVCenter, words)
        painter.end()
        return made


class _Painter(QStyledItemDelegate):
    """Paints headings and templates."""

    def __init__(self, view: PaletteList, appearance: Appearance) -> None:
        super().__init__(view)
        self._view, self._appearance = view, appearance
        self._small = font(Role.SMALL)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(0, ROW if index.data(TEMPLATE) is not None else _HEADING)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        box, template = QRectF(option.rect), index.data(TEMPLATE)
        palette = self._appearance.palette
        painter.save()
        if template is None:
            painter.setFont(self._small)
            painter.setPen(colour(palette.muted))
            inner = box.adjusted(EDGE, 6, -EDGE, 0)
            painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, index.data())
        else:
            self._paint_template(painter, box, template, option)
            if self._view.hasFocus() and self._view.currentIndex() == index:
                paint_focus(painter, box, palette)
        painter.restore()

    def _paint_template(
        self, painter: QPainter, box: QRectF, template: TaskTemplate, option: QStyleOptionViewItem
    ) -> None:
        palette, state = self._appearance.palette, option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        paint_ground(painter, box, palette, selected=selected, hovered=hovered)
        if selected:
            paint_selected(painter, box, palette)
        corner = QPointF(EDGE, box.top() + (box.height() - ICON) / 2)
        drawing(template.icon).paint(painter, QRectF(corner.x(), corner.y(), ICON, ICON), colour(palette.text))
        painter.setFont(self._view.font())
        painter.setPen(colour(palette.text))
        metrics, room = QFontMetricsF(self._view.font()), box.width() - _NAME - EDGE
        title = elided(template.title, metrics, room)
        wide = metrics.horizontalAdvance(title)
        painter.drawText(QRectF(_NAME, box.top(), wide + 2, box.height()), Qt.AlignmentFlag.AlignVCenter, title)
        self._paint_about(painter, QRectF(_NAME + wide + 10, box.top(), room - wide - 10, box.height()), template.about)

    def _paint_about(self, painter: QPainter, box: QRectF, about: str) -> None:
        line = " ".join(about.split())
        if (
            QFontMetricsF(self._small).horizontalAdvance(line) <= box.width()
        ):  # the first words of it would tell nothing
            painter.setFont(self._small)
            painter.setPen(colour(self._appearance.palette.muted))
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, straight(line))
