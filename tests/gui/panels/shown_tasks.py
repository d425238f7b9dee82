"""The tasks pane over a run that is driven by hand, and what it tells; for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from tests.driver import Driver, task
from tests.gui.gateway.driven_bridge import DrivenBridge
from tests.gui.models.cells import texts
from tests.gui.panels.fleets import ByHand
from typing_extensions import override

from starloom.model.plan import Plan
from starloom_gui.models.task_cells import TaskColumn
from starloom_gui.models.task_table import TaskTable
from starloom_gui.panels.tasks import TasksPanel
from starloom_gui.viewmodel.run_views import run_view
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QImage
    from PySide6.QtWidgets import QApplication, QMenu, QWidget

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.viewmodel.selection import Selected

UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
NAMES = ("unit 1", "unit 10", "unit 2", "build", "lint")


class Shown:
    """The pane over a run, and what it tells."""

    def __init__(self, appearance: Appearance, app: QApplication, driver: Driver | None = None) -> None:
        self.app, self.appearance = app, appearance
        self.driver = driver or self.five()
        self.bridge = DrivenBridge(self.driver)
        list(self.bridge.news())
        self.asks, self.selection = ByHand(self.driver), Selection()
        self.seen: list[Selected] = []
        self.selection.changed.connect(self.seen.append)
        self.panel = self.made()
        self.table, self.grid, self.bar = self.panel._table, self.panel.grid, self.panel.bar
        self.panel.resize(1100, 280)
        self.panel.show()
        app.processEvents()

    def five(self) -> Driver:
        driver = Driver(slots=3)
        tasks = [task(f"t{at}", name=name, groups="licences" if at < 3 else ()) for at, name in enumerate(NAMES)]
        driver.create(Plan(tasks=tuple(tasks)))
        return driver

    def made(self) -> TasksPanel:
        facts, now = (lambda: self.bridge.facts("r")), (lambda: self.driver.now)
        return TasksPanel(TaskTable(facts, now), self.appearance, self.selection, lambda: run_view(facts()), self.asks)

    def tell(self) -> None:
        for changes in self.bridge.news():
            self.panel.on_changes(changes)
        self.app.processEvents()

    def names(self) -> list[str]:
        return texts(self.table, TaskColumn.NAME)

    def selected(self) -> set[str]:
        return {index.siblingAtColumn(TaskColumn.NAME).data() for index in self.grid.selecting.selectedRows()}

    def click(self, row: int, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        at = self.grid.visualRect(self.table.index(row, TaskColumn.NAME)).center()
        QTest.mouseClick(self.grid.viewport(), Qt.MouseButton.LeftButton, modifiers, at)

    def picture(self, panel: TasksPanel | None = None) -> QImage:
        shown = panel or self.panel
        focused = shown.focusWidget()
        if focused is not None:  # only one window can have it
            focused.clearFocus()
        return shown.grab().toImage()


class Paints(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def entries(menu: QMenu) -> dict[str, QAction]:
    return {action.text(): action for action in menu.actions() if action.text()}
