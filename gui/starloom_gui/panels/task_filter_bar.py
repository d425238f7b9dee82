"""The filter bar over the table of tasks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLineEdit, QMenu, QWidget
from typing_extensions import override

from starloom_gui.models.task_filter import TaskFilter
from starloom_gui.panels.task_marks import TILE, paint_focus, paint_tile
from starloom_gui.text.words import amount, bypassed_word, fill
from starloom_gui.theme import glyphs
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.forms import paint_glyph_in
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import GAPS, RADIUS
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.status_forms import form_word
from starloom_gui.widgets.controls import Elided, button, mark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent

    from starloom_gui.theme.palette import Palette

HEIGHT: Final = 36
CONTROL: Final = 24
CALM: Final = 120
"""Milliseconds without a key after which a text is looked for."""
STATUSES: Final = (
    StatusForm.RUNNING,
    StatusForm.PENDING,
    StatusForm.WAITING,
    StatusForm.COMPLETED,
    StatusForm.FAILED,
    StatusForm.WARNED,
    StatusForm.CANCELLED,
    StatusForm.SKIPPED,
)
_FIELD: Final = 200
_MOST_COUNT: Final = 160
_WIDE, _MIDDLE, _NARROW, _LEAST = 740, 600, 480, 240
_MOST_NAMES: Final = 200


class StatusChip(QAbstractButton):
    """The filter button of a status, with the number of tasks that have it."""

    def __init__(self, form: StatusForm, colours: Callable[[], Palette]) -> None:
        super().__init__()
        self.form, self.count = form, 0
        self._colours = colours
        self.setCheckable(True)
        self.setFont(font(Role.SMALL))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_count(self, count: int) -> None:
        """Set the number of tasks with the status."""
        if count != self.count or not self.accessibleName():
            self.count = count
            self.say()
            self.updateGeometry()
            self.update()

    def say(self) -> None:
        """Set the texts in the present language."""
        word = fill(self.tr("%1: %2"), form_word(self.form), amount(self.count))
        self.setAccessibleName(word)
        self.setToolTip(word)

    @override
    def sizeHint(self) -> QSize:
        words = QFontMetricsF(self.font()).horizontalAdvance(amount(self.count))
        return QSize(round(5 + TILE + 5 + words + 7), CONTROL)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette, box = self._colours(), QRectF(self.rect())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked() or self.underMouse():
            painter.setPen(QPen(colour(palette.outline), 1.0) if self.isChecked() else Qt.PenStyle.NoPen)
            painter.setBrush(colour(palette.selected if self.isChecked() else palette.raised))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        if self.hasFocus():
            paint_focus(painter, box, palette)
        self._paint_tile(painter, QRectF(5, (CONTROL - TILE) / 2, TILE, TILE), palette)
        loud = self.form == StatusForm.FAILED and self.count
        ink = palette.status[StatusForm.FAILED].text if loud else palette.text if self.count else palette.muted
        painter.setPen(colour(ink))
        painter.drawText(box.adjusted(5 + TILE + 5, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, amount(self.count))
        painter.end()

    def _paint_tile(self, painter: QPainter, box: QRectF, palette: Palette) -> None:
        """Paint the tile of the status; of one that no task has without its hue."""
        if self.count:
            paint_tile(painter, box.topLeft(), self.form, palette)
            return
        painter.setPen(QPen(colour(palette.outline), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        paint_glyph_in(painter, box, self.form, TILE - 4, palette.muted)


class BypassChip(StatusChip):
    """The filter button of bypassed tasks, whatever their status, with their number."""

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__(StatusForm.COMPLETED, colours)

    @override
    def say(self) -> None:
        word = fill(self.tr("%1: %2"), bypassed_word(), amount(self.count))
        self.setAccessibleName(word)
        self.setToolTip(word)

    @override
    def _paint_tile(self, painter: QPainter, box: QRectF, palette: Palette) -> None:
        glyphs.BYPASS.paint(painter, box, colour(palette.muted))


class TextField(QLineEdit):
    """The filter field for names; Escape empties it.

    Signals:
        left: the user wants to go on to the table.
    """

    left = Signal()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            self.textEdited.emit("")
        elif event.key() in {Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class TaskFilterBar(QWidget):
    """The filters of the Tasks pane: text, statuses, device and group, and the number of matching tasks.

    Attributes:
        field: the text.
        chips: the statuses, by form.
        bypassed: those that are bypassed; there only where there are any.
        device, group: buttons that open a menu of names.
        both: the button that stands for these two where there is no room for them.
        columns: the button that opens the menu of columns.
        count: how many tasks are shown.

    Signals:
        wanted(TaskFilter): the user wants these tasks.

    Args:
        colours: gives the colours.
        devices: gives the devices that can be chosen, whenever the menu is opened.
        groups: likewise the groups.
    """

    wanted = Signal(TaskFilter)

    def __init__(
        self,
        colours: Callable[[], Palette],
        devices: Callable[[], Sequence[str]],
        groups: Callable[[], Sequence[str]],
    ) -> None:
        super().__init__()
        self._colours, self._filter = colours, TaskFilter()
        self._names = {"device": devices, "group": groups}
        self.field = TextField()
        self.chips = {form: StatusChip(form, colours) for form in STATUSES}
        self.bypassed = BypassChip(colours)
        self.device, self.group = button("", height=CONTROL), button("", height=CONTROL)
        self.both, self.columns = button("", height=CONTROL), button("", height=CONTROL)
        self.count = Elided(role=Role.SMALL, look="muted")
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(CALM)
        self._calm.timeout.connect(self._take_text)
        self._arrange()

    def _arrange(self) -> None:
        self.setFixedHeight(HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAPS[1], 0, GAPS[1], 0)
        row.setSpacing(GAPS[0])
        self.field.setFont(font())
        self.field.setFixedHeight(CONTROL)
        self.field.setMaximumWidth(_FIELD)
        self.field.setMinimumWidth(64)
        row.addWidget(self.field, 3)
        row.addSpacing(GAPS[0])
        for chip in (*self.chips.values(), self.bypassed):
            row.addWidget(chip)
            chip.clicked.connect(self._take_chips)
        row.addSpacing(GAPS[0])
        for each in (self.device, self.group):
            each.setMaximumWidth(150)
            mark(each, "verb")
            row.addWidget(each)
        row.addWidget(self.both)
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight)
        row.addWidget(self.count, 1)
        row.addWidget(self.columns)
        for each in (self.both, self.columns):
            mark(each, "flat")
            each.setFixedWidth(CONTROL)
        self.field.textEdited.connect(lambda _: self._calm.start())
        self.device.clicked.connect(lambda: self.open_menu("device"))
        self.group.clicked.connect(lambda: self.open_menu("group"))
        self.both.clicked.connect(self.open_both)

    def _fit(self) -> None:
        """Hide the parts that do not fit: first the two buttons, then statuses without tasks, then the count."""
        wide = self.width()
        for each in (self.device, self.group):
            each.setVisible(wide >= _WIDE)
        self.both.setVisible(wide < _WIDE)
        for form, chip in self.chips.items():
            is_common = wide >= _MIDDLE and form != StatusForm.WARNED
            chip.setVisible(is_common or bool(chip.count) or form in self._filter.forms)
        self.bypassed.setVisible(bool(self.bypassed.count) or self._filter.only_bypassed)
        self.count.setVisible(wide >= _NARROW)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST, HEIGHT)

    # ---- showing

    def show_filter(self, wanted: TaskFilter) -> None:
        """Show a filter, without a signal."""
        self._filter = wanted
        if self.field.text() != wanted.text:
            self.field.setText(wanted.text)
        self._calm.stop()
        for form, chip in self.chips.items():
            chip.setChecked(form in wanted.forms)
        self.bypassed.setChecked(wanted.only_bypassed)
        self.say()
        self._fit()

    def show_counts(self, counts: Sequence[int], bypassed: int, words: str) -> None:
        """Show how many tasks have each form, how many are bypassed, and how many are shown."""
        self.bypassed.show_count(bypassed)
        for form, chip in self.chips.items():
            chip.show_count(counts[form])
        if self.count.text() != words:
            self.count.setText(words)
            self.count.setAccessibleName(words)
            self.count.setMinimumWidth(min(_MOST_COUNT, self.count.sizeHint().width() + 1))
        self._fit()

    def say(self) -> None:
        """Set all texts in the present language."""
        self.field.setPlaceholderText(self.tr("Filter by name or id"))
        self.field.setAccessibleName(self.tr("Filter by name or id"))
        for chip in (*self.chips.values(), self.bypassed):
            chip.say()
        wanted = self._filter
        device = fill(self.tr("Device: %1"), wanted.device) if wanted.device else self.tr("Any device")
        group = fill(self.tr("Group: %1"), wanted.group) if wanted.group else self.tr("Any group")
        for made, words in ((self.device, device), (self.group, group)):
            metrics = QFontMetricsF(made.font())
            made.setText(elided(words, metrics, 126).replace("&", "&&"))
            made.setAccessibleName(words)
        self.device.setToolTip(self.tr("Show only tasks of one device"))
        self.group.setToolTip(self.tr("Show only tasks of one group"))
        names = ", ".join(filter(None, (wanted.device, wanted.group))) or self.tr("Device and group")
        self.both.setAccessibleName(names)
        self.both.setToolTip(names)
        self.columns.setAccessibleName(self.tr("Columns"))
        self.columns.setToolTip(self.tr("Choose and sort columns"))

    def apply_theme(self, palette: Palette) -> None:
        """Apply the colours of a theme."""
        self.columns.setIcon(icon(Icon.SETTINGS, palette, palette.muted))
        self.both.setIcon(icon(Icon.FILTER, palette, palette.muted))
        for each in (self.device, self.group):
            each.setIcon(icon(Icon.EXPANDED, palette, palette.muted))
            each.setIconSize(QSize(12, 12))
            each.setLayoutDirection(Qt.LayoutDirection.RightToLeft)

    # ---- choosing

    def open_menu(self, field: str) -> QMenu:
        """Show the names that a field of the filter can have."""
        below = self.device if field == "device" else self.group
        menu = self._new_menu(below.accessibleName())
        self._add_names(menu, field)
        menu.popup(below.mapToGlobal(QPoint(0, below.height())))
        return menu

    def open_both(self) -> QMenu:
        """Show the names that either field can have."""
        menu = self._new_menu(self.both.accessibleName())
        for field, words in (("device", self.tr("Device")), ("group", self.tr("Group"))):
            inner = menu.addMenu(words)
            inner.setFont(font())
            self._add_names(inner, field)
        menu.popup(self.both.mapToGlobal(QPoint(0, self.both.height())))
        return menu

    def _new_menu(self, name: str) -> QMenu:
        menu = QMenu(self)
        menu.setAccessibleName(name)
        menu.setFont(font())
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def _add_names(self, menu: QMenu, field: str) -> None:
        chosen = self._filter.device if field == "device" else self._filter.group
        group, names = QActionGroup(menu), self._names[field]()[:_MOST_NAMES]
        anything = self.tr("Any device") if field == "device" else self.tr("Any group")
        for name in ("", *names, *([chosen] if chosen and chosen not in names else [])):
            action = menu.addAction(name.replace("&", "&&") or anything)
            action.setCheckable(True)
            action.setChecked(name == chosen)
            group.addAction(action)
            action.triggered.connect(lambda _, name=name: self._take_name(field, name))

    def _take_text(self) -> None:
        self._want(replace(self._filter, text=self.field.text().strip()))

    def _take_chips(self) -> None:
        forms = frozenset(form for form, chip in self.chips.items() if chip.isChecked())
        self._want(replace(self._filter, forms=forms, only_bypassed=self.bypassed.isChecked()))

    def _take_name(self, field: str, name: str) -> None:
        self._want(replace(self._filter, device=name) if field == "device" else replace(self._filter, group=name))

    def _want(self, wanted: TaskFilter) -> None:
        if wanted != self._filter:
            self.show_filter(wanted)
            self.wanted.emit(wanted)
