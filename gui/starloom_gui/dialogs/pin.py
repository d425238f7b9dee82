"""The dialog that pins tasks to a device; of each device that cannot run them it says why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import QRect, QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate
from typing_extensions import override

from starloom.scheduling.commands import PinTasks
from starloom_gui.text.words import device_word, fill, plain, share, tasks, tip, translate
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import CONTROL, RING
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.editor import FieldSpec
from starloom_gui.widgets.form import Form

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.gateway.feed import Feed
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_PLACE: Final = Qt.ItemDataRole.UserRole + 1
_SHOWN: Final = 7
"""Devices in sight; more are scrolled to."""
_PAD: Final = 10
_MOST_ASKED: Final = 100_000
"""Devices times tasks for which the engine is asked at once, some 100 ms; of more, only for the chosen device."""


@dataclass(frozen=True, slots=True)
class PinChoice:
    """The devices that tasks may be pinned to.

    Attributes:
        device_id: None: wherever their fields allow.
        name: what is read.
        note: how it stands.
        reason: why they cannot run there; empty: they can.
    """

    device_id: str | None
    name: str
    note: str
    reason: str = ""


def places_of(fleet: FleetFacts, pin: PinTasks, gateway: CommandGateway) -> list[PinChoice]:
    """Every device, and that there is no pin at all.

    Args:
        fleet: the devices.
        pin: names the tasks; to which device does not matter.
        gateway: who is asked.
    """
    is_asked = len(fleet.devices) * len(pin.task_ids) <= _MOST_ASKED
    any_note = translate("Pin", "wherever their fields allow")
    found = [PinChoice(None, translate("Pin", "Any device"), any_note)]
    for device in fleet.devices.values():
        standing = device_word(device.status, enabled=device.enabled, taken=device.taken)
        note = fill(translate("Pin", "%1 · %2"), standing, share(device.taken, device.limit))
        reason = refusal_of(gateway, replace(pin, device_id=device.id)) if is_asked else ""
        found.append(PinChoice(device.id, device.id, note, reason))
    return found


def refusal_of(gateway: CommandGateway, pin: PinTasks) -> str:
    """The reason why tasks cannot be pinned to a device; empty: they can."""
    verdict = gateway.can(pin)
    return "" if verdict.ok else verdict.reason


class PinDialog(Dialog):
    """Asks for the device and pins the tasks to it; to be shown with `open()`.

    Attributes:
        list: the devices.
        why: the field `reason`, which may stay empty.

    Args:
        appearance: the colours.
        run: the tasks' run.
        numbers: of the tasks; those that have started are left out, unless all have.
        fleet: the devices.
        gateway: what it is asked for by.
        feed: tells that something has happened to the run or the devices; it becomes the dialog's. None: nothing does.
        parent: the window it stands over.
    """

    def __init__(
        self,
        appearance: Appearance,
        run: RunView,
        numbers: Collection[int],
        fleet: FleetFacts,
        gateway: CommandGateway,
        feed: Feed | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, "", "", width=520, parent=parent)
        self._gateway, self._fleet = gateway, fleet
        named = tuple(task.id for task in run.tasks(sorted(numbers)))
        self._pin = gateway.possible_part(PinTasks(run_id=run.run_id, task_ids=named, device_id=None))
        meant = set(self._pin.task_ids)
        chosen = [task for task in run.tasks(sorted(numbers)) if task.id in meant]
        pins = {task.steered_to for task in chosen}
        self._pinned = pins.pop() if len(pins) == 1 else None
        self.retitle(self.tr("Pin to device"), self.tr("Pin"))
        self.list = QListWidget()
        self._says = text(self._what(chosen), look="muted")
        self._places: list[PinChoice] = []
        self._lay_list()
        self._list_places(self._pinned)
        self.body.addWidget(self._says)
        self.body.addWidget(self.list)
        hint = self.tr("optional; events and reports tell it")
        self.why = Form(
            (FieldSpec(name="reason", label=self.tr("Reason"), hint=hint, is_long=True),), lambda: appearance.palette
        )
        self.body.addWidget(self.why)
        self.list.currentRowChanged.connect(self._look)
        self.list.itemDoubleClicked.connect(self._take)
        self.apply_theme(appearance.palette)
        self.list.setFocus()
        self._look()
        if feed is not None:
            feed.setParent(self)
            feed.changed.connect(self.on_changes)
            self.finished.connect(feed.close)

    def _what(self, chosen: Sequence[TaskView]) -> str:
        if len(chosen) == 1:
            return fill(self.tr("%1 is to run on this device only:"), plain(chosen[0].title, 60))
        return fill(self.tr("%1 are to run on this device only:"), tasks(len(chosen)))

    def _lay_list(self) -> None:
        self.list.setAccessibleName(self.tr("Devices"))
        self.list.setItemDelegate(_Painter(self.list, lambda: self.appearance.palette))
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)

    def on_changes(self, *_: object) -> None:
        """Update the choices after changes of the run or the devices, keeping the chosen one."""
        place = self.place()
        scrolled = self.list.verticalScrollBar().value()
        with QSignalBlocker(self.list):
            self._list_places(place.device_id if place is not None else self._pinned)
        self.list.verticalScrollBar().setValue(scrolled)
        self._look()

    def _list_places(self, chosen: str | None) -> None:
        """List the places as they stand now; the chosen one is the current one, if it is still there."""
        places = places_of(self._fleet, self._pin, self._gateway)
        if places == self._places:
            return
        self._places = places
        self.list.clear()
        for place in places:
            item = QListWidgetItem(fill("%1, %2", place.name, place.reason or place.note))
            item.setData(_PLACE, place)
            item.setToolTip(tip(place.reason))
            if place.reason:
                item.setFlags(Qt.ItemFlag.ItemNeverHasChildren)  # neither to be enabled nor selected
            self.list.addItem(item)
            if place.device_id == chosen:
                self.list.setCurrentItem(item)
        self.list.setFixedHeight(min(len(places), _SHOWN) * CONTROL + 4)

    def place(self) -> PinChoice | None:
        """The chosen device; None: none is chosen."""
        row = self.list.currentRow()
        found: PinChoice | None = self.list.item(row).data(_PLACE) if row >= 0 else None
        return found

    def _look(self, _row: int = 0) -> None:
        place = self.place()
        if place is None:
            self.allow(self.tr("No device is chosen"))
            return
        refusal = place.reason or refusal_of(self._gateway, replace(self._pin, device_id=place.device_id))
        is_same = place.device_id == self._pinned
        self.allow(refusal or (self.tr("Nothing is changed yet") if is_same else ""))

    def _take(self, _item: QListWidgetItem) -> None:
        if self.default.isEnabled():
            self.do()

    @override
    def do(self) -> None:
        place = self.place()
        if place is not None:
            said = self.why.values() or {}
            self._gateway.do(replace(self._pin, device_id=place.device_id, reason=said.get("reason") or ""))
        self.accept()


class _Painter(QStyledItemDelegate):
    """Paints a device in a row: its name, and how it stands or why not."""

    def __init__(self, view: QListWidget, colours: Callable[[], Palette]) -> None:
        super().__init__(view)
        self._view, self._colours = view, colours

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(1, CONTROL)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        place: PinChoice = index.data(_PLACE)
        box, palette = QRect(option.rect), self._colours()
        state: QStyle.StateFlag = option.state
        current = index.row() == self._view.currentRow()
        hovered = bool(state & QStyle.StateFlag.State_MouseOver) and not place.reason
        painter.fillRect(box, colour(palette.selected if current else palette.raised if hovered else palette.panel))
        if current:
            painter.fillRect(QRectF(box.left(), box.top(), RING, box.height()), colour(palette.text))
        room = QRectF(box).adjusted(_PAD, 0, -_PAD, 0)
        left = self._put(painter, room, place.name, Role.BODY, palette.muted if place.reason else palette.text)
        room.setLeft(room.left() + max(room.width() * 0.34, left + _PAD))
        self._put(painter, room, place.reason or place.note, Role.SMALL, palette.muted)
        if current and self._view.hasFocus():
            painter.setPen(QPen(colour(palette.text), 1, Qt.PenStyle.DashLine))
            painter.drawRect(QRectF(box).adjusted(3.5, 2.5, -3.5, -3.5))

    @staticmethod
    def _put(painter: QPainter, room: QRectF, words: str, role: Role, ink: str) -> float:
        face = font(role)
        metrics = QFontMetricsF(face)
        shown = elided(words, metrics, room.width(), Qt.TextElideMode.ElideRight)
        painter.setFont(face)
        painter.setPen(colour(ink))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
        return metrics.horizontalAdvance(shown)
