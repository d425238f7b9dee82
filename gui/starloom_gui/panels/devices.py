"""The devices as one painted list of cards, with a menu for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QIdentityProxyModel, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStackedLayout,
    QStyle,
    QStyledItemDelegate,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from starloom.scheduling.commands import RemoveDevice, SetSlots, TryDeviceAgain
from starloom.scheduling.reservation_commands import ReservationCommand
from starloom_gui.panels.device_card import DeviceCard, more_box, paint_card
from starloom_gui.panels.device_figures import description
from starloom_gui.panels.device_offers import offers_for
from starloom_gui.panels.note import empty_page
from starloom_gui.text.words import tip
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import DEVICE_CARD, DEVICE_CARD_OPENED, GAPS
from starloom_gui.viewmodel.device_spot import DeviceSpot
from starloom_gui.viewmodel.roles import ItemRole
from starloom_gui.widgets.controls import button, sheet, text
from starloom_gui.widgets.offers import menu_of, offered
from starloom_gui.widgets.theme_changes import Restyling
from starloom_gui.widgets.typed_find import TypedFind, find_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QKeyEvent, QMouseEvent
    from PySide6.QtWidgets import QMenu, QStyleOptionViewItem

    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.models.device_table import DeviceRow, DeviceTable
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import Index
    from starloom_gui.widgets.offers import Offer

_OPENERS: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}


class DevicesPanel(QWidget):
    """The Devices pane: a card for each device; a click, Return or Space opens one, Right and Left open and close it.

    Attributes:
        cards: the list.
        add_button: adds a device; for the corner of the pane's tab.

    Signals:
        add_requested: the user wants to add a device.
        slots_requested(str): the user wants to set the slots of the device of this id.
        change_requested(str): the user wants to change the device of this id.
        host_key_requested(str): the user wants to compare the host key of the device of this id, which has changed.
        reservation_requested(ReservationCommand): the user wants to reserve a device, or to break its reservation.

    Args:
        table: the devices; what feeds it feeds the panel.
        appearance: the colours.
        gateway: gives who is asked.
        now: gives seconds on the engine's clock.
        memory: gives how full a device's memory was, 0 to 1, oldest first.
        parent: the widget it lies in.
    """

    add_requested = Signal()
    slots_requested = Signal(str)
    change_requested = Signal(str)
    host_key_requested = Signal(str)
    reservation_requested = Signal(object)

    def __init__(
        self,
        table: DeviceTable,
        appearance: Appearance,
        gateway: Callable[[], CommandGateway],
        *,
        now: Callable[[], float] = lambda: 0.0,
        memory: Callable[[str], Sequence[float]] = lambda _: (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._table, self._appearance = table, appearance
        self.cards = DeviceCards(table, appearance, gateway, now, memory, self)
        self.cards.slots_requested.connect(self.slots_requested)
        self.cards.change_requested.connect(self.change_requested)
        self.cards.host_key_requested.connect(self.host_key_requested)
        self.cards.reservation_requested.connect(self.reservation_requested)
        self.setFocusProxy(self.cards)
        self.add_button = QToolButton(self)
        self.add_button.setAutoRaise(True)
        self.add_button.clicked.connect(self.add_requested)
        self.add_button.hide()  # until the window has put it into the corner of the tab
        self._sentence, self._button = text(look="muted"), button("")
        self._age = text(role=Role.SMALL, look="muted")
        self._button.clicked.connect(self.add_requested)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._age.setContentsMargins(GAPS[1], GAPS[0], GAPS[1], GAPS[0])
        self._age.hide()
        column.addWidget(self._age)
        self._stack = QStackedLayout()
        self.cards.setParent(self)  # a stack without a parent yet would show it as a window
        column.addLayout(self._stack, 1)
        self._stack.addWidget(self.cards)
        self._stack.addWidget(empty_page(self._sentence, self._button))
        for signal in (table.modelReset, table.rowsInserted, table.rowsRemoved):
            signal.connect(self._choose)
        self._say()
        Restyling(self, appearance, self._apply_theme)
        self._choose()

    def show_age(self, words: str) -> None:
        """Tell above the cards how old they are; empty: they are of the shown moment."""
        self._age.setText(words)
        self._age.setVisible(bool(words))

    def forbid_adding(self, reason: str) -> None:
        """Offer no new device, and say why; empty: offer one."""
        for each in (self.add_button, self._button):
            each.setEnabled(not reason)
            each.setToolTip(reason or self.tr("Add device…"))

    def _choose(self) -> None:
        self._stack.setCurrentIndex(0 if self._table.rows else 1)

    def _say(self) -> None:
        self.setAccessibleName(self.tr("Devices"))
        self.cards.setAccessibleName(self.tr("Devices"))
        self._sentence.setText(self.tr("No devices yet."))
        self._button.setText(self.tr("Add device…"))
        self.add_button.setToolTip(self.tr("Add device…"))
        self.add_button.setAccessibleName(self.tr("Add device"))

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(sheet(palette))
        self.add_button.setIcon(icon(Icon.ZOOM_IN, palette))
        self.cards.viewport().update()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == event.Type.LanguageChange:
            self._say()
        super().changeEvent(event)


class _Rows(QIdentityProxyModel):
    """The device table as a list model, with texts for screen readers and tooltips."""

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role in {Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole}:
            row = super().data(index, ItemRole.VALUE)
            said = "" if row is None else description(row)
            return tip(said) if role == Qt.ItemDataRole.ToolTipRole else said
        return super().data(index, role)


class DeviceCards(QListView):
    """The list view of the device cards: Qt lays it out and scrolls it, and only visible cards are painted.

    Which cards are opened is all it knows by itself.

    Signals:
        slots_requested(str): the user wants to set the slots of the device of this id.
        change_requested(str): the user wants to change the device of this id.
        host_key_requested(str): the user wants to compare the host key of the device of this id, which has changed.
        reservation_requested(ReservationCommand): the user wants to reserve a device, or to break its reservation.
    """

    slots_requested = Signal(str)
    change_requested = Signal(str)
    host_key_requested = Signal(str)
    reservation_requested = Signal(object)

    def __init__(
        self,
        table: DeviceTable,
        appearance: Appearance,
        gateway: Callable[[], CommandGateway],
        now: Callable[[], float],
        memory: Callable[[str], Sequence[float]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.opened: set[str] = set()
        self._appearance, self._gateway = appearance, gateway
        self._table, self._now, self._memory = table, now, memory
        self._counted: tuple[int, dict[str, int]] = (-1, {})
        self._is_second_click = False
        rows = _Rows(self)
        rows.setSourceModel(table)
        self.setModel(rows)
        TypedFind(self, find_rows(self, 0), appearance)
        self.setItemDelegate(_Painter(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.verticalScrollBar().setSingleStep(DEVICE_CARD // 2)

    # ---- reading

    def palette_now(self) -> Palette:
        """The present colours."""
        return self._appearance.palette

    def row_at(self, index: Index) -> DeviceRow:
        """The device of an index."""
        row: DeviceRow = index.data(ItemRole.VALUE)
        return row

    def card_of(self, row: DeviceRow, *, current: bool, hovered: bool, focused: bool) -> DeviceCard:
        """The content of a device's card now."""
        opened = row.id in self.opened
        memory = tuple(self._memory(row.id)) if opened else ()
        completed = self._completed(row.id) if opened else 0
        return DeviceCard(row, opened, current, hovered, focused, memory, completed)

    def _completed(self, device_id: str) -> int:
        """Tasks completed there lately; all devices are counted at once, and at most once a second."""
        second = int(self._now())
        if self._counted[0] != second:
            self._counted = second, self._table.throughput()
        return self._counted[1].get(device_id, 0)

    def device_at(self, screen: QPoint) -> DeviceSpot | None:
        """The device whose card is at a screen position; None: there is no card, or it is hidden."""
        at, port = self.viewport().mapFromGlobal(screen), self.viewport()
        index = self.indexAt(at) if self.isVisible() and port.rect().contains(at) else self.rootIndex()
        if not index.isValid():
            return None
        box = self.visualRect(index) & port.rect()
        return DeviceSpot(self.row_at(index).id, QRect(port.mapToGlobal(box.topLeft()), box.size()))

    # ---- opening

    def set_opened(self, device_id: str, opened: bool) -> None:
        """Show more, or no more, of a device."""
        if opened == (device_id in self.opened):
            return
        self.opened ^= {device_id}
        self._counted = (-1, {})
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def toggle(self, index: Index) -> None:
        """Open a closed card, or close an open one."""
        device_id = self.row_at(index).id
        self.set_opened(device_id, device_id not in self.opened)

    # ---- verbs

    def open_menu(self, index: Index, at: QPoint) -> QMenu:
        """Show a device's menu; returns at once.

        Args:
            index: of the device.
            at: on the screen.
        """
        row, palette = self.row_at(index), self._appearance.palette
        menu = menu_of(self, offered(self._gateway(), offers_for(row)), palette, self._send, self.tr("Device"))
        menu.popup(at)
        return menu

    def _send(self, offer: Offer) -> None:
        if isinstance(offer.command, SetSlots):  # how many is asked first
            self.slots_requested.emit(offer.command.device_id)
        elif isinstance(offer.command, RemoveDevice) and offer.dots:  # it leaves only to join as something else
            self.change_requested.emit(offer.command.device_id)
        elif isinstance(offer.command, TryDeviceAgain) and offer.dots:  # its host key is compared first
            self.host_key_requested.emit(offer.command.device_id)
        elif isinstance(offer.command, ReservationCommand) and offer.dots:
            self.reservation_requested.emit(offer.command)
        else:
            self._gateway().do(offer.command)

    # ---- input

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._is_second_click = True  # its release must not close what the first click has opened
        super().mouseDoubleClickEvent(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        second, self._is_second_click = self._is_second_click, False
        at = event.position().toPoint()
        index = self.indexAt(at)
        if event.button() != Qt.MouseButton.LeftButton or not index.isValid() or second:
            return
        place = more_box(self.visualRect(index))
        if place.contains(at):
            self.open_menu(index, self.viewport().mapToGlobal(place.bottomLeft()))
        else:
            self.toggle(index)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            corner = self.viewport().mapToGlobal(more_box(self.visualRect(index)).bottomLeft())
            self.open_menu(index, corner if by_key else event.globalPos())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        key = event.key()
        if not index.isValid() or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key in _OPENERS:
            self.toggle(index)
        elif key in {Qt.Key.Key_Right, Qt.Key.Key_Left}:
            self.set_opened(self.row_at(index).id, key == Qt.Key.Key_Right)
        else:
            super().keyPressEvent(event)

    @override
    def sizeHint(self) -> QSize:
        return QSize(240, 5 * DEVICE_CARD)


class _Painter(QStyledItemDelegate):
    """The delegate that paints the cards and has their heights."""

    def __init__(self, cards: DeviceCards) -> None:
        super().__init__(cards)
        self._cards = cards

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        opened = index.data(ItemRole.ID) in self._cards.opened
        return QSize(1, DEVICE_CARD_OPENED if opened else DEVICE_CARD)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        state: QStyle.StateFlag = option.state
        card = self._cards.card_of(
            self._cards.row_at(index),
            current=bool(state & QStyle.StateFlag.State_Selected),
            hovered=bool(state & QStyle.StateFlag.State_MouseOver),
            focused=bool(state & QStyle.StateFlag.State_HasFocus) and self._cards.hasFocus(),
        )
        paint_card(painter, option.rect, card, self._cards.palette_now())
