"""Notes in the console: written into a plan and its file, seen on its run, and carried from a run into plans."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.canvas.editing import let_go
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.gui.documents.plans import loaded
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.formats import dump_plan, parse_plan
from starloom.journal.records import find_folder
from starloom.model.note import Note
from starloom.settings import journal_path
from starloom_gui.documents.document import Document
from starloom_gui.widgets.dialog import Dialog

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console

NOTE = Note(text="mind the gap", x=-96, y=60, task="b")


def write(console: Console, text: str) -> None:
    """Write a note by the verb of the window."""
    console.actions["add_note"].trigger()
    notes = front(console).canvas.gestures.notes
    assert notes is not None
    assert notes.field is not None
    QTest.keyClicks(notes.field, text)
    QTest.keyClick(notes.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    let_go(front(console).canvas)


def texts(console: Console) -> list[str]:
    return [note.text for note in front(console).canvas.notes.item.notes]


def test_a_note_of_a_plan_is_saved_with_it_and_taken_back_like_any_edit(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(small())
            await at_rest(console)
            write(console, "mind the gap")
            document = console.documents.front
            assert isinstance(document, Document)
            assert [note.text for note in parse_plan(dump_plan(document.plan, "yaml")).notes] == ["mind the gap"]
            await until(lambda: console.actions["undo"].text() == "Undo “Add note”")
            console.actions["undo"].trigger()
            assert texts(console) == []
            await until(lambda: not console.actions["remove_note"].isEnabled())
            assert "No note is selected." in console.actions["remove_note"].toolTip()
            await until(console.actions["redo"].isEnabled)
            console.actions["redo"].trigger()
            assert texts(console) == ["mind the gap"]

    desktop.run(main)


def test_a_note_that_is_being_written_is_not_lost_when_its_plan_is_saved_or_closed(
    desktop: Desktop, tmp_path: Path
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            path = tmp_path / "small.yaml"
            path.write_text(dump_plan(small(), "yaml"), encoding="utf-8")
            key = console.documents.put_loaded(loaded(small(), path)).key
            await at_rest(console)
            for begun, carry_out in (
                ("saved", console.files.saving.save),
                ("closed", console.files.leaving.close_tab),
            ):
                console.actions["add_note"].trigger()
                notes = front(console).canvas.gestures.notes
                assert notes is not None
                assert notes.field is not None
                QTest.keyClicks(notes.field, begun)
                carry_out(key)
                document = console.documents.document(key)
                assert document is not None, "it asks first"
                assert begun in [note.text for note in document.plan.notes]
                if begun == "saved":
                    await until(lambda: "saved" in path.read_text(encoding="utf-8"))
            await until(lambda: any(one.isVisible() for one in console.window.findChildren(Dialog)))
            next(one for one in console.window.findChildren(Dialog) if one.isVisible()).reject()
            let_go(front(console).canvas)

    desktop.run(main)


def test_a_run_shows_its_plans_notes_and_one_written_on_it_goes_into_the_plan_made_of_it(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, replace(small(seconds=LONG), notes=(NOTE,)))
            await at_rest(console)
            assert texts(console) == ["mind the gap"]
            assert not console.actions["apply_to_plan"].isEnabled()
            write(console, "as it went")
            assert orchestrator_of(console).run(tab.run_id).revision == 0
            await until(console.actions["apply_to_plan"].isEnabled)
            console.actions["save_run_as_plan"].trigger()
            await until(lambda: isinstance(console.documents.front, Document))
            made = console.documents.front
            assert isinstance(made, Document)
            assert [note.text for note in made.plan.notes] == ["mind the gap", "as it went"]
            await at_rest(console)
            assert texts(console) == ["mind the gap", "as it went"]

    desktop.run(main)


def test_a_note_on_a_run_stays_with_it_in_later_sessions_too(desktop: Desktop) -> None:
    run_ids: list[str] = []

    async def first() -> None:
        async with desktop.console() as console:
            tab = await started(console, small())
            run_ids.append(tab.run_id)
            await until(lambda: orchestrator_of(console).run(tab.run_id).state.has_ended)
            await at_rest(console)
            write(console, "board 3 was moved")
            console.documents.close(tab.key)
            console.documents.put_run(tab.run_id)
            await at_rest(console)
            assert texts(console) == ["board 3 was moved"]

    async def second() -> None:
        async with desktop.console() as console:
            console.recorded.open(find_folder(journal_path(), run_ids[0]), "small")
            await console.recorded.settled()
            await until(lambda: console.views.front is not None)
            await at_rest(console)
            assert texts(console) == ["board 3 was moved"]

    desktop.run(first)
    desktop.run(second)
