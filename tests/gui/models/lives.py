"""What happens to each item model of the console: rows come, change, change places and go.

Each function yields its model at first without rows, and again after each change.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from tests.driver import Driver, plan, task
from tests.gui.gateway.driven_bridge import DrivenBridge
from tests.gui.shell.notification_service import Heard
from tests.unit.reporting.plan_runs import column

from starloom import events as ev
from starloom.constellation.edits import AddTask, RemoveTask
from starloom.journal.records import RunRecord
from starloom.reporting.plan_history import PlanHistory
from starloom.scheduling import commands as c
from starloom.scheduling.read.line import in_line
from starloom.scheduling.state.codes import FAILED
from starloom_gui.dialogs.command_palette import PaletteEntry, _Verbs
from starloom_gui.dialogs.hit_list import HitTable
from starloom_gui.editing.replacing import Hit, TextLocation
from starloom_gui.editing.seeking import Replaced
from starloom_gui.editing.templates import kinds
from starloom_gui.gateway.changes import Changes
from starloom_gui.gateway.event_log import EventLog
from starloom_gui.gateway.output import Piece
from starloom_gui.history.grid import SearchedRuns
from starloom_gui.models import run_table
from starloom_gui.models.device_table import DeviceTable
from starloom_gui.models.event_table import EventFilter, EventTable
from starloom_gui.models.outline import Outline
from starloom_gui.models.output_lines import OutputLines
from starloom_gui.models.queue_table import QueueTable
from starloom_gui.models.run_table import RunTable
from starloom_gui.models.task_cells import TaskColumn
from starloom_gui.models.task_filter import TaskFilter
from starloom_gui.models.task_table import TaskTable
from starloom_gui.panels.devices import _Rows
from starloom_gui.panels.grid.rows import GridOrder, GridRows
from starloom_gui.panels.palette_rows import PaletteRows, Shelf
from starloom_gui.shell.notice_list import NoticeRows
from starloom_gui.specs.event_spec import EventSort
from starloom_gui.widgets.entry_list import ListEntry, _Entries
from starloom_gui.widgets.rows import ListRow, _Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtWidgets import QWidget

    Life = Callable[[QWidget], Iterator[QAbstractItemModel]]
    """Takes a widget that may own the model."""


def of_tasks(_owner: QWidget) -> Iterator[QAbstractItemModel]:
    driver = Driver(slots=1)
    bridge = DrivenBridge(driver)
    table = TaskTable(lambda: bridge.facts("r"), lambda: driver.now)
    yield table
    driver.create(plan(["a", "b", "c"], ["a>b"]))
    table.on_changes(bridge.of("r"))
    yield table
    table.sort(TaskColumn.NAME, Qt.SortOrder.DescendingOrder)
    yield table
    driver.edit(AddTask(task("b2")), AddTask(task("z")), RemoveTask("c"))
    table.on_changes(bridge.of("r"))
    table.settle()
    yield table
    driver.end("a")
    table.on_changes(bridge.of("r"))
    table.settle()
    yield table
    for text in ("b", "nothing has this name"):
        table.set_filter(TaskFilter(text=text))
        yield table


def of_groups(_owner: QWidget) -> Iterator[QAbstractItemModel]:
    driver = Driver(slots=1)
    bridge = DrivenBridge(driver)
    outline = Outline(lambda: bridge.facts("r"), lambda: driver.now)
    yield outline
    driver.create(plan(["a1", "a2", "b"]))
    outline.on_changes(bridge.of("r"))
    yield outline
    driver.edit(AddTask(task("a3")), AddTask(task("c1")), AddTask(task("c2")))
    outline.on_changes(bridge.of("r"))
    yield outline
    driver.end("a1")
    outline.on_changes(bridge.of("r"))
    yield outline
    driver.edit(RemoveTask("c1"), RemoveTask("b"))
    outline.on_changes(bridge.of("r"))
    yield outline


def _fleets() -> Iterator[DeviceTable]:
    driver = Driver(devices=())
    table = DeviceTable(
        lambda: driver.scheduler.fleet,
        lambda: [index.run for index in driver.scheduler.runs.values()],
        lambda: driver.now,
    )
    yield table
    driver.add_device("one", slots=2)
    table.rebuild()
    yield table
    driver.create(plan(["a", "b"]))
    driver.add_device("two", slots=2)
    table.rebuild()
    yield table
    driver.do(c.DrainDevice(device_id="one"))
    table.rebuild()
    yield table
    driver.do(c.RemoveDevice(device_id="two"))
    table.rebuild()
    yield table


def of_devices(_owner: QWidget) -> Iterator[QAbstractItemModel]:
    yield from _fleets()


def of_device_cards(owner: QWidget) -> Iterator[QAbstractItemModel]:
    cards = _Rows(owner)
    for table in _fleets():
        if cards.sourceModel() is not table:
            cards.setSourceModel(table)
        yield cards


def of_the_queue(_owner: QWidget) -> Iterator[QAbstractItemModel]:
    driver = Driver(slots=1)
    table = QueueTable(lambda most: in_line(driver.scheduler, driver.now, most), lambda _: driver.run())
    yield table
    driver.create(plan([task("first", priority=100), task("low", priority=0), task("high", priority=80)]))
    table.rebuild()
    yield table
    driver.ask(c.SetPriority, "low", priority=100)
    table.rebuild()
    yield table
    driver.edit(AddTask(task("last", priority=0)))
    table.rebuild()
    yield table
    driver.end("first")
    table.rebuild()
    yield table


def of_events(_owner: QWidget) -> Iterator[QAbstractItemModel]:
    log = EventLog(4)
    table = EventTable(log, lambda at: at)
    yield table
    for number in range(12):
        log.add(ev.TaskReady(number, 0.0, "r", f"t{number}"))
        table.on_changes(Changes(run_id="r", log=True))
        yield table
    for wanted in (EventFilter(task_id="t11"), EventFilter(sorts=frozenset({EventSort.ENDS})), EventFilter()):
        table.set_filter(wanted)
        yield table


def _histories() -> Iterator[RunTable]:
    runs = [RunRecord(run_id=str(at), folder=Path(str(at)), state="completed", created=float(at)) for at in range(9)]
    table = RunTable()
    yield table
    for shown in (runs[1:8:2], runs[:8], [runs[1], runs[5], runs[8]], [runs[0], *runs[5:]]):
        table.show(shown)
        yield table
    table.sort(run_table.RunColumn.NAME, Qt.SortOrder.AscendingOrder)
    yield table


def of_runs(_owner: QWidget) -> Iterator[QAbstractItemModel]:
    yield from _histories()


def of_searched_runs(owner: QWidget) -> Iterator[QAbstractItemModel]:
    lives = _histories()
    searched = SearchedRuns(next(lives), owner)
    yield searched
    for _table in lives:
        yield searched
    for text in ("5", "nothing has this name", ""):
        searched.search(text)
        yield searched


def of_output(_owner: QWidget) -> Iterator[QAbstractItemModel]:
    model = OutputLines(most=5)
    yield model
    model.show("r", "t", [Piece(1, "one\ntwo\nth")])
    yield model
    for text in ("ree\n", "four\nfi", "ve\nsix\nseven\n", "eight\n" * 20):
        model.append([Piece(1, text)])
        yield model
    model.prepend("zero\n")
    yield model
    model.show("r", "other")
    yield model


def of_notices(owner: QWidget) -> Iterator[QAbstractItemModel]:
    driver = Driver()
    heard = Heard(driver)
    rows = NoticeRows(heard.notices, owner)
    yield rows
    driver.create(plan(["a", "b"]))
    driver.fail("a")
    heard.hear()
    yield rows
    driver.end("b")
    heard.hear()
    yield rows
    heard.notices.clear()
    yield rows


def of_templates(_owner: QWidget) -> Iterator[QAbstractItemModel]:
    rows = PaletteRows()
    yield rows
    shelves = [Shelf("Kinds", kinds()), Shelf("More", kinds()[:1])]
    for wanted in ("", "shell", "nothing has this name"):
        rows.show(shelves, wanted)
        yield rows


def of_entries(owner: QWidget) -> Iterator[QAbstractItemModel]:
    rows = _Entries(owner)
    yield rows
    heading = ListEntry(title="Now")
    for entries in (
        (heading, ListEntry(key=("a",), title="A"), ListEntry(key=("b",), title="B", detail="more")),
        (heading, ListEntry(key=("a",), title="Another name"), ListEntry(key=("b",), title="B")),
        (heading, ListEntry(key=("b",), title="B")),
        (),
    ):
        rows.show(entries)
        yield rows


def of_verbs(owner: QWidget) -> Iterator[QAbstractItemModel]:
    rows = _Verbs(owner)
    yield rows
    verbs = [PaletteEntry(f"Run: {name}", QAction(name, owner)) for name in ("Pause", "Resume")]
    for shown in (verbs, verbs[:1], []):
        rows.show(shown)
        yield rows


def of_lines(owner: QWidget) -> Iterator[QAbstractItemModel]:
    rows = _Lines((), owner)
    yield rows
    lines = [ListRow("1", "first", ("more",)), ListRow("", "second")]
    for shown in (lines, lines[1:], []):
        rows.show(shown)
        yield rows


def of_hits(owner: QWidget) -> Iterator[QAbstractItemModel]:
    driver = Driver()
    driver.create(plan(["a", "b", "c"]))
    rows = HitTable(driver.run, owner)
    yield rows
    hits = [Hit(at, id, TextLocation("shell"), "old", Replaced("new", (), ())) for at, id in enumerate("abc")]
    rows.add(hits[:2])
    yield rows
    rows.tick([0], on=False)
    yield rows
    rows.add(hits[2:])
    yield rows
    rows.clear(forget=True)
    yield rows


def of_grid(owner: QWidget) -> Iterator[QAbstractItemModel]:
    rows = GridRows(lambda run_id, _: run_id, owner)
    yield rows
    columns = [column(number, {"a": 1.0, "b": 2.0}, fails=["b"] * (number == 1)) for number in range(3)]
    for shown in (columns[:2], columns):
        rows.show_history(PlanHistory(shown))
        yield rows
    columns[-1].status[1] = FAILED
    rows.refresh(2)
    yield rows
    rows.arrange(GridOrder.SLOWER, frozenset({GridOrder.FLAKY}))
    yield rows


LIVES: Final[Mapping[type[QAbstractItemModel], Life]] = {
    DeviceTable: of_devices,
    EventTable: of_events,
    GridRows: of_grid,
    HitTable: of_hits,
    NoticeRows: of_notices,
    Outline: of_groups,
    OutputLines: of_output,
    PaletteRows: of_templates,
    QueueTable: of_the_queue,
    RunTable: of_runs,
    SearchedRuns: of_searched_runs,
    TaskTable: of_tasks,
    _Entries: of_entries,
    _Lines: of_lines,
    _Rows: of_device_cards,
    _Verbs: of_verbs,
}
"""Every item model of the console."""
