"""All runs of the journals in one dialog: found, opened as they were, gone on with, done without and had back."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from shiboken6 import isValid
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.gui.composition.test_what_goes_wrong import left_behind
from tests.gui.engines import orchestrator_of
from tests.unit.journal.test_library import keep, two_runs
from tests.waiting import until

from starloom.journal.library import Library
from starloom.journal.lock import Holder
from starloom.journal.names import JOURNAL
from starloom.journal.records import records
from starloom.journal.tidying import trashed
from starloom.model.status import RunState
from starloom.scheduling.commands import DrainDevice
from starloom_gui.documents.document import RunTab
from starloom_gui.history import history
from starloom_gui.history.tidy_dialog import TidyDialog
from starloom_gui.models.run_table import RunColumn, holder_words
from starloom_gui.theme.appearance import Theme
from starloom_gui.widgets.question import ChoiceDialog

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console
    from starloom_gui.history.dialog import HistoryDialog

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """The console's journals, with two runs that have ended: `r1` and `r2`."""
    with Library(tmp_path / "journal") as library:
        keep(library, two_runs())
    return tmp_path / "journal"


async def shown(console: Console) -> HistoryDialog:
    console.actions["history"].trigger()
    await console.history.settled()
    dialog = console.history.dialog
    assert dialog is not None
    return dialog


def names(dialog: HistoryDialog) -> list[str]:
    return [dialog.grid.record(row).run_id for row in range(dialog.grid.shown.rowCount())]


def choose(dialog: HistoryDialog, *run_ids: str) -> None:
    model = dialog.grid.selectionModel()
    dialog.grid.clearSelection()
    for row, name in enumerate(names(dialog)):
        if name in run_ids:
            model.select(dialog.grid.shown.index(row, 0), model.SelectionFlag.Select | model.SelectionFlag.Rows)


async def answered(dialog: HistoryDialog, console: Console, answer: str) -> None:
    """Answer the question that is asked over the dialog."""
    await until(lambda: [one for one in dialog.findChildren(ChoiceDialog) if one.isVisible()])
    next(one for one in dialog.findChildren(ChoiceDialog) if one.isVisible()).choices.choose(answer)
    await console.history.settled()


def test_without_runs_a_sentence_says_what_will_be_there(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            dialog = await shown(console)
            assert dialog.runs.sentence.isVisible()
            assert str(tmp_path / "journal") in dialog.runs.sentence.text()
            assert not any(each.isEnabled() for each in (dialog.delete, dialog.export, dialog.resume, dialog.tidy))
            assert [dialog.default.isEnabled(), dialog.default.toolTip()] == [False, "There are no runs yet."]

    desktop.run(main)


def test_runs_are_searched_and_sorted(desktop: Desktop, directory: Path) -> None:
    (directory / "runs" / "r1" / "printed").write_bytes(bytes(100_000))

    async def main() -> None:
        async with desktop.console() as console:
            dialog = await shown(console)
            assert set(names(dialog)) == {"r1", "r2"}
            dialog.search.setText("R2 done")
            assert names(dialog) == ["r2"]
            assert "1 of 2" in dialog._counts.text()
            dialog.search.setText("nowhere")
            assert names(dialog) == []
            assert dialog.runs.sentence.isVisible()
            assert [dialog.default.isEnabled(), dialog.default.toolTip()] == [False, dialog.runs.sentence.text()]
            dialog.search.clear()
            dialog.grid.sortByColumn(RunColumn.SIZE, Qt.SortOrder.DescendingOrder)
            assert names(dialog) == ["r1", "r2"]
            dialog.grid.sortByColumn(RunColumn.SIZE, Qt.SortOrder.AscendingOrder)
            assert names(dialog) == ["r2", "r1"]

    desktop.run(main)


def test_a_thousand_runs_come_part_by_part(desktop: Desktop, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "BATCH", 1)
    counts: list[int] = []

    async def main() -> None:
        async with desktop.console() as console:
            console.actions["history"].trigger()
            dialog = console.history.dialog
            assert dialog is not None
            dialog.table.rowsInserted.connect(lambda *_: counts.append(dialog.table.rowCount()))
            await console.history.settled()
            assert counts == [1, 2]

    desktop.run(main)


def test_what_cannot_be_read_is_listed_with_the_reason(desktop: Desktop, directory: Path) -> None:
    for name in ("newer", "foreign", "damaged"):
        shutil.copytree(directory / "runs" / "r1", directory / "runs" / name)
    with closing(sqlite3.connect(directory / "runs" / "foreign" / JOURNAL)) as connection:
        connection.execute("PRAGMA application_id = 7")
    (directory / "runs" / "damaged" / JOURNAL).write_bytes(b"no journal " * 1000)
    with closing(sqlite3.connect(directory / "runs" / "newer" / JOURNAL, isolation_level=None)) as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE name = 'format'")
        connection.execute("DELETE FROM meta WHERE name = 'seal'")

    async def main() -> None:
        async with desktop.console() as console:
            dialog = await shown(console)
            said = {row.folder.name: row.trouble for row in dialog.table.rows}
            assert "database of another program" in said["foreign"]
            assert said["damaged"]
            assert said["newer"]
            choose(dialog, "damaged")
            assert dialog._about.text() == said["damaged"]
            dialog.do()
            await console.recorded.settled()
            assert console.strip.shown is not None
            assert "was not opened" in console.strip.shown.what

    desktop.run(main)


def test_enter_opens_a_run_as_it_ended_and_nothing_of_it_can_be_changed(desktop: Desktop, directory: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            dialog = await shown(console)
            dialog.search.setText("r1")
            QTest.keyClick(dialog.search, Qt.Key.Key_Down)
            QTest.keyClick(dialog.grid, Qt.Key.Key_Return)
            await console.recorded.settled()
            assert console.history.dialog is None
            tab = console.documents.front
            assert isinstance(tab, RunTab)
            assert tab.folder == directory / "runs" / "r1"
            await at_rest(console)
            view = front(console)
            run = view.reader.facts()
            assert run is not None
            assert run.state is RunState.COMPLETED
            assert view.canvas.graph.picture is not None
            assert view.views["tasks"].widget._table.rowCount() == len(run.graph.ids)
            assert console.window.time_bar.isVisible()
            view.selection.select(0)
            for key in ("start", "cancel_run", "retry", "hold", "pin", "limit", "staged", "set_slots"):
                console.actions.refresh(thoroughly=True)
                assert not console.actions[key].isEnabled(), key
                assert "shown from its journal" in console.actions[key].toolTip(), key
            verdict = console.gateway().can(DrainDevice(device_id=console.target().device_id))
            assert not verdict.ok
            assert view.banner.isVisible()
            assert view.banner.back.text() == "Reopen"
            console.documents.close(tab.key)
            assert console.window.is_welcoming
            assert not console.recorded._known

    desktop.run(main)


def test_what_is_closed_while_another_run_is_read_is_let_go(desktop: Desktop, directory: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            runs = directory / "runs"
            console.recorded.open(runs / "r1", "r1")
            await console.recorded.settled()
            console.recorded.open(runs / "r2", "r2")
            await asyncio.sleep(0)  # it is being read
            console.recorded.close(runs / "r1")
            await console.recorded.settled()
            assert [run.folder for run in console.documents.runs] == [runs / "r2"]
            assert list(console.recorded._known) == [runs / "r2"]

    desktop.run(main)


def test_a_run_of_this_console_is_shown_as_it_is(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            console.documents.close(tab.key)
            dialog = await shown(console)
            assert "this program itself" in str(dialog.table.rows[0].held_by)
            assert not dialog.delete.isEnabled()
            assert dialog.delete.toolTip() == "“small” has not ended. Cancel it first."
            assert "open in this program." in dialog._about.text()
            dialog.do()
            opened = console.documents.front
            assert isinstance(opened, RunTab)
            assert opened.folder is None
            assert opened.run_id == tab.run_id

    desktop.run(main)


def test_a_run_that_ended_here_is_put_into_the_trash_and_comes_back(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            first = await started(console, small())
            await orchestrator_of(console).run(first.run_id).finished()
            second = await started(console, small(seconds=LONG))
            for tab in (first, second):
                console.documents.turn_to(tab.key)
                await at_rest(console)
            dialog = await shown(console)
            choose(dialog, first.run_id)
            assert dialog.delete.isEnabled(), dialog.delete.toolTip()
            assert "open in" not in dialog._about.text()
            dialog.delete.click()
            await answered(dialog, console, history.DO)
            assert names(dialog) == [second.run_id]
            assert [run.run_id for run in console.documents.runs] == [second.run_id]
            assert not dialog._trouble.isVisible()
            dialog.restore.click()
            await console.history.settled()
            assert set(names(dialog)) == {first.run_id, second.run_id}
            choose(dialog, first.run_id)
            dialog.do()
            await console.recorded.settled()
            opened = console.documents.front
            assert isinstance(opened, RunTab)
            assert opened.folder is not None, "only its journal tells of it now"

    desktop.run(main)


def test_who_has_a_journal_is_said_in_the_language_of_the_console() -> None:
    assert holder_words(Holder(os.getpid(), socket.gethostname(), "2026-01-01 10:00")) == "this program"
    assert holder_words(Holder(7, "lab", "2026-01-01 10:00")) == "process 7 on lab, since 2026-01-01 10:00"
    assert holder_words(Holder()) == "another program"


def test_only_the_last_runs_are_kept_after_showing_what_would_go(desktop: Desktop, directory: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            dialog = await shown(console)
            dialog.tidy.click()
            (tidy,) = dialog.findChildren(TidyDialog)
            assert not tidy.default.isEnabled()
            tidy.last.line.setText("1")
            tidy.last.edited.emit()
            newest = records(directory)[0].run_id
            gone = {"r1", "r2"} - {newest}
            assert {one.run_id for one in tidy._going} == gone
            tidy.default.click()
            await console.history.settled()
            assert names(dialog) == [newest]
            assert {path.name for path in trashed(directory)} == gone

    desktop.run(main)


def test_an_interrupted_run_is_looked_at_and_then_gone_on_with(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        await left_behind(tmp_path)
        async with desktop.console() as console:
            dialog = await shown(console)
            (name,) = names(dialog)
            dialog.do()
            await console.recorded.settled()
            assert isinstance(console.documents.front, RunTab)
            assert console.documents.front.folder is not None
            dialog = await shown(console)
            assert dialog.resume.isEnabled()
            dialog.resume.click()
            await until(lambda: console.bridge.run(name) is not None)
            await until(lambda: isinstance(console.documents.front, RunTab) and console.documents.front.folder is None)
            assert [run.folder for run in console.documents.runs] == [None]

    desktop.run(main)


def test_colours_change_after_the_dialog_is_gone(desktop: Desktop, directory: Path) -> None:
    """What was deleted hears nothing more: a slot that raises fails any test."""

    async def main() -> None:
        async with desktop.console() as console:
            dialog = await shown(console)
            dialog.reject()
            await until(lambda: not isValid(dialog.grid))
            for theme in Theme:
                console.appearance.choose(theme)

    desktop.run(main)
