"""Runs in one file: opened like a plan, dropped, or imported in History; and exported from there."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit
from tests.gui.composition.test_history import choose, names, shown
from tests.unit.journal.test_bundle import a_run, cut, packed
from tests.unit.journal.test_library import keep, two_runs
from tests.waiting import until

from starloom.journal.bundle import described
from starloom.journal.library import Library, run_folder
from starloom.journal.records import records
from starloom_gui.documents.document import RunTab
from starloom_gui.shell.importing import Importing

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gui.composition.conftest import Desktop

    from starloom_gui.composition.console import Console

SLOW = "import sys, time; sys.stderr.write('stage: unpacking 40\\n'); sys.stderr.flush(); time.sleep(600)"


def a_bundle(tmp_path: Path) -> Path:
    return packed(a_run(tmp_path / "elsewhere"))


def opened_runs(console: Console) -> list[tuple[str, bool]]:
    """The runs that have tabs, and whether only their journals tell of them."""
    return [(tab.run_id, tab.folder is not None) for tab in console.documents.runs]


def importing_of(console: Console) -> Importing:
    (found,) = console.window.findChildren(Importing)
    return found


async def opened(console: Console, *paths: Path) -> None:
    console.files.opening.open_all(paths)
    await console.files.opening.settled()


async def name_file(console: Console, path: Path) -> None:
    await until(lambda: console.window.findChildren(QFileDialog))
    (dialog,) = console.window.findChildren(QFileDialog)
    field = dialog.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    field.setText(str(path))
    dialog.accept()


def test_a_run_in_one_file_is_opened_to_be_looked_at_and_listed(desktop: Desktop, tmp_path: Path) -> None:
    bundle = a_bundle(tmp_path)

    async def main() -> None:
        async with desktop.console() as console:
            await opened(console, bundle)
            assert opened_runs(console) == [("r", True)]
            assert console.strip.shown is None
            (known,) = records(tmp_path / "journal")
            assert (known.run_id, known.is_imported) == ("r", True)
            dialog = await shown(console)
            assert names(dialog) == ["r"]
            assert "from elsewhere" in dialog.grid.shown.index(0, dialog.table.columnCount() - 1).data()
            assert not dialog.resume.isEnabled()
            assert "came from elsewhere" in dialog.resume.toolTip()

    desktop.run(main)


def test_several_are_opened_one_after_the_other(desktop: Desktop, tmp_path: Path) -> None:
    with Library(tmp_path / "elsewhere") as library:
        keep(library, two_runs())
    bundles = [packed(tmp_path / "elsewhere" / "runs" / name, f"{name}.starloom") for name in ("r1", "r2")]

    async def main() -> None:
        async with desktop.console() as console:
            await opened(console, *bundles)
            assert opened_runs(console) == [("r1", True), ("r2", True)]
            assert {one.run_id for one in records(tmp_path / "journal")} == {"r1", "r2"}

    desktop.run(main)


def test_a_damaged_one_is_refused_in_a_sentence_and_nothing_is_left(desktop: Desktop, tmp_path: Path) -> None:
    bundle = cut(a_bundle(tmp_path), 0.6)

    async def main() -> None:
        async with desktop.console() as console:
            before = {path.name for path in (tmp_path / "journal").iterdir()}
            await opened(console, bundle)
            assert opened_runs(console) == []
            assert console.strip.shown is not None
            assert console.strip.shown.what == "The run in run.starloom was not taken in"
            assert "Export the run again where it is." in console.strip.shown.reason
            assert {path.name for path in (tmp_path / "journal").iterdir()} == before

    desktop.run(main)


def test_one_that_is_here_already_is_shown_and_said_if_it_may_be_another(desktop: Desktop, tmp_path: Path) -> None:
    bundle = a_bundle(tmp_path)
    a_run(tmp_path / "journal")

    async def main() -> None:
        async with desktop.console() as console:
            await opened(console, bundle)
            assert opened_runs(console) == [("r", True)]
            assert console.strip.shown is not None
            assert "is here already, and that one is shown" in console.strip.shown.what
            assert "delete it in History" in console.strip.shown.reason

    desktop.run(main)


def test_the_same_file_again_is_turned_to_without_a_word(desktop: Desktop, tmp_path: Path) -> None:
    bundle = a_bundle(tmp_path)

    async def main() -> None:
        async with desktop.console() as console:
            await opened(console, bundle)
            console.documents.put_new()
            await opened(console, bundle)
            assert opened_runs(console) == [("r", True)]
            assert isinstance(console.documents.front, RunTab)
            assert console.strip.shown is None

    desktop.run(main)


def test_an_import_that_is_not_wanted_any_more_is_ended(desktop: Desktop, tmp_path: Path) -> None:
    bundle = a_bundle(tmp_path)

    async def main() -> None:
        async with desktop.console() as console:
            importing_of(console)._command = (sys.executable, "-c", SLOW)
            console.files.opening.open(bundle)
            loading = console.files.loading
            await until(lambda: "40 %" in loading.said)
            await until(loading.isVisible)
            loading.cancel_asked.emit()
            await console.files.opening.settled()
            assert not loading.isVisible()
            assert opened_runs(console) == []
            assert console.strip.shown is None

    desktop.run(main)


def test_what_cannot_be_started_or_understood_is_said(desktop: Desktop, tmp_path: Path) -> None:
    bundle = a_bundle(tmp_path)

    async def main() -> None:
        async with desktop.console() as console:
            for command, sentence in (
                ((str(tmp_path / "nothing"),), "could not be started: No such file"),
                ((sys.executable, "-c", "print('hello')"), "cannot be understood: it named no run"),
                ((sys.executable, "-c", "raise SystemExit(7)"), "ended with 7"),
            ):
                importing_of(console)._command = command
                await opened(console, bundle)
                assert console.strip.shown is not None
                assert sentence in console.strip.shown.reason

    desktop.run(main)


def test_history_imports_a_run_and_shows_it(desktop: Desktop, tmp_path: Path) -> None:
    bundle = a_bundle(tmp_path)

    async def main() -> None:
        async with desktop.console() as console:
            dialog = await shown(console)
            QTest.keyClick(dialog, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
            await name_file(console, bundle)
            await until(lambda: opened_runs(console) == [("r", True)])
            assert console.history.dialog is None
            await console.files.opening.settled()

    desktop.run(main)


def test_history_exports_the_run_that_is_chosen(desktop: Desktop, tmp_path: Path) -> None:
    a_run(tmp_path / "journal")

    async def main() -> None:
        async with desktop.console() as console:
            dialog = await shown(console)
            dialog.grid.clearSelection()
            dialog.look()
            assert not dialog.export.isEnabled()
            assert dialog.export.toolTip() == "Select one run to export it."
            choose(dialog, "r")
            QTest.keyClick(dialog, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
            await name_file(console, tmp_path / "out.starloom")
            await console.files.exporting.settled()
            assert console.history.dialog is None
            assert described(tmp_path / "out.starloom").run_id == "r"
            assert str(tmp_path / "out.starloom") in console.files.exporting._written.said

    desktop.run(main)


def test_a_second_export_at_once_is_refused_for_as_long_as_the_first_goes_on(desktop: Desktop, tmp_path: Path) -> None:
    a_run(tmp_path / "journal")
    folder = run_folder(tmp_path / "journal", "r")

    async def main() -> None:
        async with desktop.console() as console:
            exporting, strip = console.files.exporting, console.strip
            exporting.export("r", "first", folder)
            exporting.export("r", "first", folder)
            assert strip.shown is not None
            assert strip.shown.what == "“first” was not exported"
            assert strip.shown.reason.startswith("It is being exported already.")
            exporting.export("r", "second", folder)
            assert strip.shown.what == "“second” was not exported"
            assert strip.shown.reason.startswith("“first” is being exported.")
            dialog = await shown(console)
            choose(dialog, "r")
            dialog.export.click()
            assert dialog._trouble.isVisible()
            assert "“first” is being exported." in dialog._trouble.text()
            assert strip.shown.act is not None
            strip.shown.act()
            await exporting.settled()
            await until(lambda: strip.shown is None)

    desktop.run(main)
