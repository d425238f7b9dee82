"""What is staged for a run is there again after its tab was closed, in the next session, and after a crash."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton
from tests.driver import task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_committing import editor_of, staged
from tests.gui.composition.test_console import LONG, front, small
from tests.gui.composition.test_editing import limit_of
from tests.gui.composition.test_layout import drawn
from tests.gui.composition.test_layout_of_two_windows import two_windows
from tests.gui.composition.test_what_goes_wrong import asked
from tests.gui.composition.test_without_a_mouse import begun
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.constellation.edits import AddTask
from starloom.journal.layout_file import read_layout
from starloom.journal.names import STAGED
from starloom.journal.records import records
from starloom.journal.staged_file import StagedFile
from starloom_gui.dialogs.closing import DISCARD, KEEP, ClosingDialog, UnsavedDialog
from starloom_gui.editing.base import Mode, Step

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.composition.console import Console


async def taken_up(console: Console, journal: Path) -> None:
    """The run that an earlier session has left goes on."""
    (known,) = records(journal)
    await console.starter.resume(known)
    await at_rest(console)


async def committed(console: Console) -> None:
    """The one staged change is there again, and is committed."""
    editor = editor_of(console)
    assert (editor.mode, len(editor.steps), limit_of(console)) == (Mode.STAGED, 1, None)
    await until(console.actions["commit"].isEnabled)
    console.actions["commit"].trigger()
    await until(lambda: limit_of(console) == 300.0)
    await until(lambda: not editor.steps)


def test_a_quit_keeps_what_is_staged_for_the_next_session(desktop: Desktop, tmp_path: Path) -> None:
    async def first() -> None:
        async with desktop.console() as console:
            console.window.asks_before_closing = True
            keyboard, run = await begun(console, small(seconds=4.0))
            await run.pause()
            await staged(console, keyboard)
            console.window.close()
            unsaved = await asked(UnsavedDialog)
            assert isinstance(unsaved, UnsavedDialog)
            unsaved.choices.choose(DISCARD)
            dialog = await asked(ClosingDialog)
            assert isinstance(dialog, ClosingDialog)
            assert "1 change(s) not committed" in dialog._list.text()
            dialog.choices.choose(KEEP)
            await console.closed()

    async def second() -> None:
        async with desktop.console() as console:
            await taken_up(console, tmp_path / "journal")
            await committed(console)
        (folder,) = (tmp_path / "journal" / "runs").iterdir()
        assert not (folder / STAGED).exists()

    desktop.run(first)
    desktop.run(second)


def test_a_crash_keeps_what_is_staged(desktop: Desktop, tmp_path: Path) -> None:
    journal, killed = tmp_path / "journal", tmp_path / "killed"

    async def first() -> None:
        async with desktop.console() as console:
            keyboard, run = await begun(console, small(seconds=LONG))
            await staged(console, keyboard)
            await until((journal / "runs" / run.id / STAGED).exists)
            shutil.copytree(journal, killed)
            editor_of(console).staging.discard()
            await run.cancel()
        assert not (journal / "runs" / run.id / STAGED).exists(), "discarded"
        shutil.rmtree(journal)
        killed.rename(journal)

    async def second() -> None:
        async with desktop.console() as console:
            await taken_up(console, journal)
            await committed(console)
            await orchestrator_of(console).run(console.documents.runs[0].run_id).cancel()

    desktop.run(first)
    desktop.run(second)


def test_a_tab_that_is_opened_again_has_what_was_staged(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            keyboard, run = await begun(console, small(seconds=LONG))
            await staged(console, keyboard)
            (tab,) = console.documents.runs
            console.files.leaving.close_tab(tab.key)
            await until(lambda: not console.documents.runs)
            console.documents.put_run(run.id, title="again")
            await until(lambda: bool(console.documents.runs))
            await at_rest(console)
            await committed(console)
            await run.cancel()

    desktop.run(main)


def test_once_it_is_discarded_the_graph_shows_the_run_again(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            _, run = await begun(console, small(seconds=LONG))
            editor_of(console).set_mode(Mode.STAGED)
            editor_of(console).do(Step(label="Add", edits=(AddTask(task("new", simulate=1)),)))
            (tab,) = console.documents.runs
            console.files.leaving.close_tab(tab.key)
            await until(lambda: not console.documents.runs)
            console.documents.put_run(run.id, title="again")
            await until(lambda: bool(console.documents.runs))
            await at_rest(console)
            assert "new" in picture_of(console).facts.graph.place
            editor_of(console).staging.discard()
            await at_rest(console)
            assert "new" not in picture_of(console).facts.graph.place
            assert picture_of(console).facts is run.facts, "what happens from now on is seen"
            assert front(console).views["outline"].widget.tree.model().rowCount() == 3
            await run.cancel()

    desktop.run(main)


def picture_of(console: Console) -> GraphRenderModel:
    picture = front(console).canvas.graph.picture
    assert picture is not None
    return picture


def press_button(console: Console) -> None:
    """Press the one button of the message that is shown."""
    shown = console.strip.shown
    assert shown is not None
    button = next(one for one in console.strip.findChildren(QPushButton) if one.text() == shown.remedy)
    button.click()


def test_what_was_staged_when_a_run_ended_is_told_where_it_is_opened_and_can_be_discarded(
    desktop: Desktop, tmp_path: Path
) -> None:
    journal = tmp_path / "journal"

    async def first() -> None:
        async with desktop.console() as console:
            keyboard, run = await begun(console, small(seconds=LONG))
            await staged(console, keyboard)
            await run.cancel()
            await run.finished()
            await until((journal / "runs" / run.id / STAGED).exists)

    async def second() -> None:
        async with desktop.console() as console:
            (known,) = records(journal)
            file = known.folder / STAGED
            await console.recorded.shown(known)
            told = console.strip.shown
            assert told is not None
            assert told.reason.startswith("1 staged change(s) not committed: “")
            assert (told.remedy, told.act is not None) == ("Discard", True)
            press_button(console)
            assert not file.exists()
            told = console.strip.shown
            assert told is not None
            assert told.remedy == "Undo"
            press_button(console)
            assert file.exists()
            press_button(console)
            console.documents.close(console.documents.runs[0].key)
            await console.recorded.shown(known)
            assert console.strip.shown is None, "nothing is staged any more"

    desktop.run(first)
    desktop.run(second)


def ghost_at(console: Console) -> tuple[float, float] | None:
    """Where the new task that is staged is drawn; None: it is not yet."""
    picture, facts = front(console).canvas.graph.picture, editor_of(console).facts()
    number = facts.graph.place.get("new") if facts is not None else None
    row = picture.row(number) if picture is not None and number is not None else None
    return picture.layout.position(number) if picture is not None and row is not None and number is not None else None


def test_a_crash_keeps_where_a_staged_new_task_was_placed(desktop: Desktop, tmp_path: Path) -> None:
    journal, killed = tmp_path / "journal", tmp_path / "killed"
    places: list[tuple[float, float]] = []

    async def first() -> None:
        async with desktop.console() as console:
            _, run = await begun(console, small(seconds=LONG))
            editor = editor_of(console)
            editor.set_mode(Mode.STAGED)
            editor.do(Step(label="Add new", edits=(AddTask(task("new")),)))
            await until(lambda: ghost_at(console) is not None)
            before, facts = ghost_at(console), editor.facts()
            assert facts is not None
            front(console).canvas.layout_controller.move_tasks({facts.graph.place["new"]: (300.0, 170.0)})
            await until(lambda: ghost_at(console) != before)
            places.append(ghost_at(console) or (0.0, 0.0))
            folder = journal / "runs" / run.id
            await until(lambda: (folder / STAGED).exists() and "new" in read_layout(folder))
            shutil.copytree(journal, killed)
            editor.staging.discard()
            await until(lambda: "new" not in front(console).source.layout.layout)
            await run.cancel()
        shutil.rmtree(journal)
        killed.rename(journal)

    async def second() -> None:
        async with desktop.console() as console:
            await taken_up(console, journal)
            await until(lambda: ghost_at(console) is not None)
            assert ghost_at(console) == places[0]
            await orchestrator_of(console).run(console.documents.runs[0].run_id).cancel()

    desktop.run(first)
    desktop.run(second)


def test_of_two_windows_each_keeps_what_is_staged_in_it(desktop: Desktop, tmp_path: Path) -> None:
    folder = tmp_path / "there"

    def stage(console: Console, id: str) -> None:
        editor = editor_of(console)
        editor.set_mode(Mode.STAGED)
        editor.do(Step(label=f"Add {id}", edits=(AddTask(task(id)),)))

    async def main() -> None:
        async with two_windows(desktop, folder) as (one, other):
            stage(one, "by-one")
            stage(other, "by-other")
            await until(lambda: len(list((folder / "runs" / "r").glob("staged*.msgpack"))) == 2)
            one.documents.close(one.documents.runs[0].key)
            one.documents.put_run("r")
            await drawn(one)
            assert [staged.step.label for staged in editor_of(one).steps] == ["Add by-one"]
            assert [staged.step.label for staged in editor_of(other).steps] == ["Add by-other"]
        left = StagedFile(folder / "runs" / "r")
        assert sorted(step.label for step in left.steps) == ["Add by-one", "Add by-other"], "the next window has both"

    desktop.run(main)
