"""The menu that selects the tasks the canvas does not dim: by status, device and group; it stays open."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu
from typing_extensions import override

from starloom_gui.canvas.matching import EVERYTHING, Filter
from starloom_gui.text.words import status_word, translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.widgets.menu_heading import put_heading

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
    from PySide6.QtWidgets import QWidget

    from starloom.scheduling.read.run_view import RunView

_K = TypeVar("_K", StatusForm, str)
_CHOOSERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class FilterMenu(QMenu):
    """Offers the filters of a run. To be shown with `popup`; it is deleted once closed.

    Args:
        run: the run.
        chosen: what is chosen at first.
        parent: the widget it belongs to.

    Signals:
        changed(Filter): something else is chosen.
    """

    changed = Signal(object)

    def __init__(self, run: RunView, chosen: Filter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(font(Role.BODY))
        self.setAccessibleName(translate("Filter", "Filter"))
        self.aboutToHide.connect(self.deleteLater)
        present = {StatusForm.of(status) for status in run.statuses()} | chosen.statuses
        used = run.devices_used() | set(run.fleet.devices) | chosen.devices
        groups = {name for task in run.graph.tasks if task is not None for name in task.groups} | chosen.groups
        self._text = chosen.text
        self._everything = self.addAction(translate("Filter", "Show everything"), self._clear)
        self._everything.setEnabled(bool(chosen))
        statuses = [(form, status_word(form.status)) for form in sorted(present)]
        self._statuses = self._section(translate("Filter", "Status"), statuses, chosen.statuses)
        named = [(name, name) for name in sorted(used)]
        self._devices = self._section(translate("Filter", "Device"), named, chosen.devices)
        grouped = [(name, name) for name in sorted(groups)]
        self._groups = self._section(translate("Filter", "Limit group"), grouped, chosen.groups)

    def _section(self, title: str, offered: Iterable[tuple[_K, str]], chosen: frozenset[_K]) -> dict[_K, QAction]:
        entries = list(offered)
        if entries:
            put_heading(self, title)
        return {key: self._entry(name, checked=key in chosen) for key, name in entries}

    def _entry(self, name: str, *, checked: bool) -> QAction:
        action = self.addAction(name.replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(checked)
        action.toggled.connect(self._tell)
        return action

    @property
    def chosen(self) -> Filter:
        """The chosen filter."""
        return Filter(
            text=self._text,
            statuses=frozenset(key for key, action in self._statuses.items() if action.isChecked()),
            devices=frozenset(key for key, action in self._devices.items() if action.isChecked()),
            groups=frozenset(key for key, action in self._groups.items() if action.isChecked()),
        )

    def _tell(self) -> None:
        self._everything.setEnabled(bool(self.chosen))
        self.changed.emit(self.chosen)

    def _clear(self) -> None:
        for action in (*self._statuses.values(), *self._devices.values(), *self._groups.values()):
            action.blockSignals(True)
            action.setChecked(False)
            action.blockSignals(False)
        self._text = EVERYTHING.text
        self._tell()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action: QAction | None = self.actionAt(event.position().toPoint())
        if action is not None and action.isCheckable():
            action.toggle()
            return
        super().mouseReleaseEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        action: QAction | None = self.activeAction()
        if event.key() in _CHOOSERS and action is not None and action.isCheckable():
            action.toggle()
            return
        super().keyPressEvent(event)
