"""Plots in a real console: nothing is loaded before they are looked at, a click travels, a file is written."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QFileDialog
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.gui.composition.test_history import directory
from tests.gui.engines import orchestrator_of
from tests.gui.file_dialogs import name_file
from tests.waiting import until

from starloom.model.status import RunState
from starloom_gui.documents.document import RunTab
from starloom_gui.widgets.question import ChoiceDialog

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console
    from starloom_gui.panels.plots.pane import PlotsPane

__all__ = ["directory"]
pytestmark = pytest.mark.usefixtures("app")

_START = """
import sys
from PySide6.QtWidgets import QApplication
from pathlib import Path
from starloom_gui import event_loop
from starloom_gui.app import opened
from starloom_gui.shell.frame import WindowFrame
from starloom_gui.settings import Settings

async def main():
    async with opened(WindowFrame(app, Settings(Path(sys.argv[1]) / "console.ini"))) as console:
        console.window.show()
        console.window.workbench.turn_to("timeline")
        QApplication.processEvents()
        print("pyqtgraph" in sys.modules, "starloom_gui.panels.plots.pane" in sys.modules)
        console.window.asks_before_closing = False
        console.window.close()
        await console.closed()

app = QApplication(["starloom"])
event_loop.run(main())
"""


async def plots_of(console: Console) -> PlotsPane:
    """The pane of the run in front, drawn."""
    console.window.workbench.turn_to("plots")
    pane: PlotsPane = front(console).views["plots"].widget
    await until(lambda: pane.area.frame is not None)
    return pane


def test_a_console_starts_without_pyqtgraph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARLOOM_JOURNAL", str(tmp_path / "journal"))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    done = subprocess.run([sys.executable, "-c", _START, str(tmp_path)], capture_output=True, text=True, timeout=150)
    assert done.stdout.split() == ["False", "True"], done.stderr


def test_a_run_that_goes_on_is_plotted_and_a_click_goes_back_to_that_moment(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            run = orchestrator_of(console).run(tab.run_id)
            await until(lambda: run.state is RunState.EXECUTING)
            pane = await plots_of(console)
            await until(lambda: pane.curves.steps("running").top > 0)
            assert pane.curves.steps("waiting").values[-1] == 2
            travel = front(console).source.travel
            assert travel is not None
            at = (pane.curves.begin + pane.curves.now()) / 2
            pane.area.travel_asked.emit(at)
            await until(lambda: travel.reader.is_past)
            await travel.settled()
            assert console.window.time_bar.isVisible()
            assert travel.reader.now() == pytest.approx(at)
            await until(lambda: pane.area.frame is not None and pane.area.frame.now == pytest.approx(at))
            pane.area.travel_asked.emit(pane.curves.now() + 1e6)
            await until(lambda: not travel.reader.is_past)
            await run.cancel()
            await at_rest(console)

    desktop.run(main)


def test_curves_are_written_where_the_user_says_and_nothing_is_replaced_unasked(
    desktop: Desktop, tmp_path: Path
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, small(seconds=0))
            pane = await plots_of(console)
            exporting = console.files.exporting
            for name in ("curves", "curves"):
                pane.saver.export_table()
                await until(lambda: bool(console.window.findChildren(QFileDialog)))
                (dialog,) = console.window.findChildren(QFileDialog)
                is_there = (tmp_path / "curves.csv").exists()
                await name_file(dialog, tmp_path / name)
                if is_there:
                    (tmp_path / "curves.csv").write_text("mine")
                    await until(lambda: any(one.isVisible() for one in console.window.findChildren(ChoiceDialog)))
                    next(one for one in console.window.findChildren(ChoiceDialog) if one.isVisible()).reject()
                await exporting.settled()
                if not is_there:
                    text = (tmp_path / "curves.csv").read_text()
                await until(lambda: not console.window.findChildren(QFileDialog))
            assert text.startswith("seconds,time,running: Running")
            assert (tmp_path / "curves.csv").read_text() == "mine"
            assert "curves.csv" in exporting._written.said

    desktop.run(main)


def test_a_plan_has_nothing_to_plot_and_the_button_starts_it(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(small(seconds=0))
            await until(lambda: console.views.front is not None)
            console.window.workbench.turn_to("plots")
            pane: PlotsPane = front(console).views["plots"].widget
            await until(lambda: pane._start.isVisible())
            assert pane.is_empty
            pane._start.click()
            await until(lambda: isinstance(console.documents.front, RunTab))
            await plots_of(console)
            await at_rest(console)

    desktop.run(main)


def test_a_recorded_run_is_plotted_from_its_journal_alone(desktop: Desktop, directory: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.recorded.open(directory / "runs" / "r1", "r1")
            await console.recorded.settled()
            await at_rest(console)
            pane = await plots_of(console)
            run = front(console).reader.facts()
            assert run is not None
            assert pane.curves.steps("done").top > 0
            assert [gap.word for gap in pane.curves.gaps("ready")] == []
            assert pane.curves.steps("waiting").values[-1] == run.counts()["waiting"]

    desktop.run(main)
