"""The grid of runs in the whole console: journals are read once, a cell opens its run, the history leads there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front, small, started
from tests.gui.composition.test_history import shown as history_shown
from tests.gui.composition.test_time_travel import looking_back, settled
from tests.gui.engines import orchestrator_of
from tests.unit.reporting.plan_runs import kept, ran
from tests.waiting import until

from starloom.journal.records import records
from starloom.model.status import RunState
from starloom.settings import journal_path
from starloom_gui.history.grid_dialog import GridDialog

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console
    from starloom_gui.panels.grid.pane import GridPane

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture(name="directory", autouse=True)
def _directory(tmp_path: Path) -> Path:
    """The console's journals, with three runs of one plan that have ended: `r0`, `r1` and `r2`."""
    kept(tmp_path / "journal", [ran(number, {"fetch": 4.0, "build": 10.0}) for number in range(3)])
    return tmp_path / "journal"


async def grid_of(console: Console) -> GridPane:
    """The grid of the run in front, with all runs."""
    pane: GridPane = front(console).views["grid"].widget
    await until(lambda: pane.rows.columnCount() == 3)
    return pane


def test_a_cell_opens_its_run_at_its_task_and_the_keyboard_stays_in_the_grid(desktop: Desktop, directory: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            newest = records(directory)[0]
            await console.recorded.shown(newest)
            assert console.plan_runs.of("nightly") is None, "nothing is read before it is looked at"
            console.window.workbench.show_pane("grid")
            pane = await grid_of(console)
            reading = console.plan_runs.of("nightly")
            assert pane.grid.spot() == ("r2", "nightly", "", "fetch")
            for key in (Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_Return):
                QTest.keyClick(pane.grid, key)
            await until(lambda: front(console).source.run_id == "r0")
            await until(lambda: front(console).target.task_ids == ("build",))
            await at_rest(console)
            other = await grid_of(console)
            assert other is not pane
            await until(lambda: other.grid.spot() is not None)
            spot = other.grid.spot()
            assert spot is not None
            assert (spot.run_id, spot.task_id) == ("r0", "build")
            assert other.grid.hasFocus()
            assert other.grid.names.marked == {"build"}
            assert console.plan_runs.of("nightly") is reading, "one reading serves all views"
            spot = pane.grid.spot(pane.rows.index(0, 1))
            pane.compare_asked.emit(spot)
            await until(lambda: console.window_actions.controllers.baseline.dialog is not None)
            assert front(console).source.run_id == "r1"
            dialog = console.window_actions.controllers.baseline.dialog
            assert dialog is not None
            dialog.reject()

    desktop.run(main)


def test_the_history_leads_to_the_grid_of_a_plan_and_from_there_to_a_run(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            dialog = await history_shown(console)
            QTest.keyClick(dialog, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
            (grid,) = dialog.findChildren(GridDialog)
            await until(lambda: grid.pane.rows.columnCount() == 3)
            await until(lambda: grid.pane.grid.currentIndex().column() == 2)
            QTest.keyClick(grid.pane.grid, Qt.Key.Key_Return)
            await until(lambda: console.views.front is not None)
            assert front(console).source.run_id == "r2"
            await until(lambda: front(console).target.task_ids == ("fetch",))
            assert console.history.dialog is None

    desktop.run(main)


def test_other_runs_are_shown_as_they_are_while_the_past_of_one_is_looked_at(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small())
            await until(lambda: orchestrator_of(console).run(tab.run_id).state.has_ended)
            console.window.workbench.show_pane("grid")
            other = await orchestrator_of(console).start(small(seconds=3600.0))
            pane: GridPane = front(console).views["grid"].widget

            def state() -> str:
                return next((one.state for one in pane.rows.history.columns if one.run_id == other.id), "")

            await until(lambda: state() == RunState.EXECUTING)
            travel = await looking_back(console)
            travel.go_to_begin()
            await settled(console, travel)
            await other.cancel()
            await until(lambda: state() == RunState.CANCELLED)
            assert front(console).source.run_id == tab.run_id
            assert front(console).reader.is_past

    desktop.run(main)


def test_a_run_from_the_history_has_a_grid_of_the_runs_that_go_on_now(desktop: Desktop, directory: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            first = await orchestrator_of(console).start(replace(small(seconds=3600.0), name="nightly"))
            await console.recorded.shown(next(one for one in records(directory) if one.run_id == "r2"))
            console.window.workbench.show_pane("grid")
            pane: GridPane = front(console).views["grid"].widget

            def states() -> dict[str, str]:
                return {one.run_id: one.state for one in pane.rows.history.columns}

            await until(lambda: len(states()) == 4)
            assert states()[first.id] == RunState.EXECUTING
            await first.cancel()
            await until(lambda: states()[first.id] == RunState.CANCELLED)
            second = await orchestrator_of(console).start(replace(small(seconds=0.3), name="nightly"))
            await until(lambda: second.id in states())
            await second.finished()
            await until(lambda: states()[second.id] == RunState.COMPLETED)

    desktop.run(main)


def test_a_run_of_another_program_is_read_anew_when_the_grid_is_looked_at_again(
    desktop: Desktop, directory: Path
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await console.recorded.shown(next(one for one in records(directory) if one.run_id == "r2"))
            workbench = console.window.workbench
            workbench.show_pane("grid")
            pane = await grid_of(console)
            reading = console.plan_runs.of("nightly")
            assert reading is not None
            await until(lambda: reading.is_over)
            workbench.show_pane("events")
            workbench.show_pane("grid")
            assert console.plan_runs.of("nightly") is reading, "all had ended"
            gone_on = next(one for one in reading.columns if one.run_id == "r1")
            gone_on.state = str(RunState.EXECUTING)
            workbench.show_pane("events")
            workbench.show_pane("grid")
            await until(lambda: console.plan_runs.of("nightly") is not reading)
            await until(lambda: {one.state for one in pane.rows.history.columns} == {str(RunState.COMPLETED)})

    desktop.run(main)


def test_a_run_in_the_trash_is_in_no_grid_and_is_there_again_once_it_is_restored(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, replace(small(), name="nightly"))
            await until(lambda: orchestrator_of(console).run(tab.run_id).state.has_ended)
            console.window.workbench.show_pane("grid")
            pane: GridPane = front(console).views["grid"].widget

            def runs() -> set[str]:
                return {one.run_id for one in pane.rows.history.columns}

            await until(lambda: runs() == {"r0", "r1", "r2", tab.run_id})
            console.documents.put_new()
            dialog = await history_shown(console)
            gone = {"r1", tab.run_id}
            await console.history._discard([run for run in console.history._found if run.run_id in gone])
            dialog.reject()
            await console.recorded.shown(records(journal_path())[0])
            console.window.workbench.show_pane("grid")
            await until(lambda: pane_in_front(console) == {"r0", "r2"})
            dialog = await history_shown(console)
            dialog.restore.click()
            await console.history.settled()
            await console.plan_runs.settled()
            dialog.reject()
            await until(lambda: len(pane_in_front(console)) == 3)

    desktop.run(main)


def pane_in_front(console: Console) -> set[str]:
    pane: GridPane = front(console).views["grid"].widget
    return {one.run_id for one in pane.rows.history.columns}
