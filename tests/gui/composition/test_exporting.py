"""File ▸ Export: what a run has come to, into a file, by a process of its own, while the run goes on."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QFileDialog
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, small, started
from tests.gui.engines import orchestrator_of
from tests.gui.file_dialogs import name_file
from tests.waiting import until

from starloom.formats.command_writer import command_form
from starloom.formats.script import load_script
from starloom.journal.records import record
from starloom.journal.taking_in import take_in
from starloom.model.status import RunState
from starloom_gui.shell.exporting import REPLACE, Exporting
from starloom_gui.widgets.question import ChoiceDialog

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console

DAMAGED = (
    "import pathlib, sys; pathlib.Path(sys.argv[2]).write_text('told'); sys.exit('Row 12 is damaged. Salvage it.')"
)
"""A process that writes the report of a damaged journal: what is wrong is said, and the exit code is 1."""
SLOW = "import sys, time; sys.stderr.write('stage: drawing\\n'); sys.stderr.flush(); time.sleep(600)"


async def export_into(console: Console, path: Path) -> None:
    """Ask for the export by its action, and name the file in the dialog that comes."""
    console.actions.refresh(thoroughly=True)
    assert console.actions["export"].isEnabled()
    console.actions["export"].trigger()
    await until(lambda: console.window.findChildren(QFileDialog))
    (dialog,) = console.window.findChildren(QFileDialog)
    await name_file(dialog, path)


async def an_ended_run(console: Console) -> None:
    tab = await started(console, small())
    await orchestrator_of(console).run(tab.run_id).finished()
    await at_rest(console)


def test_the_report_of_a_run_is_written_and_can_be_opened(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await an_ended_run(console)
            await export_into(console, tmp_path / "told.html")
            exporting, shown = console.files.exporting, []
            exporting._written._opens = lambda path: not shown.append(path)  # type: ignore[func-returns-value]
            await exporting.settled()
            text = (tmp_path / "told.html").read_text(encoding="utf-8")
            assert "Starloom run report" in text
            assert "Completed" in text
            assert exporting._written.isVisible()
            assert str(tmp_path / "told.html") in exporting._written.said
            exporting._written.open.click()
            exporting._written.folder.click()
            assert shown == [tmp_path / "told.html", tmp_path]
            exporting._written.away.click()
            assert not exporting._written.isVisible()

    desktop.run(main)


def test_that_something_was_written_goes_by_itself_and_with_its_tab(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await an_ended_run(console)
            written = console.files.exporting._written
            QCursor.setPos(console.window.mapToGlobal(console.window.rect().bottomLeft()))  # not where it appears
            written.tell(tmp_path / "told.html")
            assert written.isVisible()
            written.open.setFocus()
            written._timer.timeout.emit()
            assert written.isVisible() is written.open.hasFocus(), "who is about to use it keeps it"
            console.window.setFocus()
            written._timer.timeout.emit()
            assert not written.isVisible()
            written.tell(tmp_path / "told.html")
            console.documents.put_plan(small())
            assert not written.isVisible()

    desktop.run(main)


def test_a_run_that_goes_on_is_told_as_it_stands(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await until(lambda: orchestrator_of(console).run(tab.run_id).state is RunState.EXECUTING)
            await export_into(console, tmp_path / "told.json")
            await console.files.exporting.settled()
            told = json.loads((tmp_path / "told.json").read_bytes())
            assert (told["run_id"], told["state"], told["has_ended"]) == (tab.run_id, "executing", False)

    desktop.run(main)


def test_a_whole_run_is_written_as_one_file(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await an_ended_run(console)
            await export_into(console, tmp_path / "run.starloom")
            await console.files.exporting.settled()
            folder = take_in(tmp_path / "run.starloom", tmp_path / "there")
            assert record(folder).state == "completed"

    desktop.run(main)


def test_what_people_did_to_it_is_written_as_a_script(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await until(lambda: orchestrator_of(console).run(tab.run_id).state is RunState.EXECUTING)
            await orchestrator_of(console).run(tab.run_id).hold("c")
            await export_into(console, tmp_path / "did.script.yaml")
            await console.files.exporting.settled()
            (entry,) = load_script(tmp_path / "did.script.yaml").entries
            assert command_form(entry.command) == {"hold": "c"}

    desktop.run(main)


def test_a_name_without_an_ending_gets_that_of_the_kind_that_is_chosen(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await an_ended_run(console)
            await export_into(console, tmp_path / "v1.2")
            await console.files.exporting.settled()
            assert (tmp_path / "v1.2.html").is_file()

    desktop.run(main)


def test_the_ending_that_is_typed_decides_not_the_kind_that_is_chosen(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await an_ended_run(console)
            await export_into(console, tmp_path / "x.png")
            await console.files.exporting.settled()
            assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
            assert [path.name for path in tmp_path.glob("x*")] == ["x.png"]

    desktop.run(main)


def test_folder_and_kind_of_the_last_export_are_there_again_in_the_next_session(
    desktop: Desktop, tmp_path: Path
) -> None:
    there = tmp_path / "reports"
    there.mkdir()

    async def first() -> None:
        async with desktop.console() as console:
            await an_ended_run(console)
            await export_into(console, there / "told.csv")
            await console.files.exporting.settled()

    async def second() -> None:
        async with desktop.console() as console:
            await an_ended_run(console)
            console.actions["export"].trigger()
            await until(lambda: console.window.findChildren(QFileDialog))
            (dialog,) = console.window.findChildren(QFileDialog)
            assert (dialog.directory().absolutePath(), dialog.selectedNameFilter()) == (
                str(there),
                "Table of tasks (*.csv)",
            )
            dialog.accept()
            await console.files.exporting.settled()
            assert len(list(there.glob("*.csv"))) == 2

    desktop.run(first)
    desktop.run(second)


def test_a_folder_that_is_gone_is_not_gone_back_to(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            exporting = console.files.exporting
            exporting._settings.export_folder = str(tmp_path / "gone")
            assert exporting._folder() == str(Path.home())

    desktop.run(main)


def test_what_could_not_be_written_is_said_and_nothing_is_left(desktop: Desktop, tmp_path: Path) -> None:
    (tmp_path / "told.html").mkdir()
    files = set(tmp_path.iterdir())

    async def main() -> None:
        async with desktop.console() as console:
            await an_ended_run(console)
            exporting = console.files.exporting
            exporting.export(console.documents.front.run_id, "run")  # type: ignore[union-attr]
            await until(lambda: console.window.findChildren(QFileDialog))
            (dialog,) = console.window.findChildren(QFileDialog)
            dialog.selectedFiles = lambda: [str(tmp_path / "told.html")]  # type: ignore[method-assign]
            dialog.done(1)
            await until(lambda: isinstance(QApplication.activeModalWidget(), ChoiceDialog))
            question = QApplication.activeModalWidget()
            assert isinstance(question, ChoiceDialog)
            question.choices.choose(REPLACE)
            await exporting.settled()
            assert console.strip.shown is not None
            assert console.strip.shown.what == "told.html was not written"
            assert "cannot be written: Is a directory. Name another file." in console.strip.shown.reason
            assert not exporting._written.isVisible()

    desktop.run(main)
    assert {path for path in tmp_path.iterdir() if path.name.endswith(".part")} == set()
    assert files <= set(tmp_path.iterdir())


def test_a_name_that_cannot_be_looked_for_is_said(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await an_ended_run(console)
            exporting = console.files.exporting
            exporting.export(console.documents.front.run_id, "run")  # type: ignore[union-attr]
            await until(lambda: console.window.findChildren(QFileDialog))
            (dialog,) = console.window.findChildren(QFileDialog)
            dialog.selectedFiles = lambda: [str(tmp_path / f"{'n' * 300}.html")]  # type: ignore[method-assign]
            dialog.done(1)
            await exporting.settled()
            assert console.strip.shown is not None
            assert "cannot be written: File name too long." in console.strip.shown.reason

    desktop.run(main)


def test_an_export_that_is_not_wanted_any_more_is_ended(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await an_ended_run(console)
            exporting = console.files.exporting
            exporting._command = (sys.executable, "-c", SLOW)
            await export_into(console, tmp_path / "told.pdf")
            await until(lambda: "the report is made" in exporting._loading.said)
            await until(exporting._loading.isVisible)
            exporting._loading.cancel_asked.emit()
            await exporting.settled()
            assert not exporting._loading.isVisible()
            assert console.strip.shown is None
            assert not (tmp_path / "told.pdf").exists()

    desktop.run(main)


def test_a_report_of_a_damaged_journal_was_written_and_what_is_wrong_is_said(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await an_ended_run(console)
            exporting = console.files.exporting
            exporting._command = (sys.executable, "-c", DAMAGED)
            await export_into(console, tmp_path / "told.html")
            await exporting.settled()
            assert (tmp_path / "told.html").read_text(encoding="utf-8") == "told"
            assert exporting._written.isVisible()
            assert console.strip.shown is not None
            assert console.strip.shown.what == "told.html has not all of the run"
            assert "Row 12 is damaged" in console.strip.shown.reason

    desktop.run(main)


def test_without_a_run_in_front_nothing_can_be_exported_and_why_is_said(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.actions.refresh(thoroughly=True)
            assert not console.actions["export"].isEnabled()
            assert "No run is in front" in console.actions["export"].toolTip()

    desktop.run(main)


def test_a_run_without_a_journal_cannot_be_told(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            exporting: Exporting = console.files.exporting
            exporting.export("nobody", "run")
            await exporting.settled()
            assert console.strip.shown is not None
            assert "no journal" in console.strip.shown.reason

    desktop.run(main)
