"""After a restart the plans that were open are open again, as they lay there, and nothing has run."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tests.driver import plan, task
from tests.gui.composition.test_what_goes_wrong import asked, left_behind
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.formats import dump_plan
from starloom.journal.records import records
from starloom.model.device import DeviceSpec
from starloom.settings import journal_path
from starloom_gui.settings import OpenPlan, Settings
from starloom_gui.shell.resuming import ResumeDialog
from starloom_gui.workspace.restoring import RESTORE, RestoreDialog

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gui.composition.conftest import Desktop

    from starloom_gui.composition.console import Console
    from starloom_gui.documents.document import Document


def written(folder: Path, name: str) -> Path:
    """A plan in a file."""
    path = folder / f"{name}.yaml"
    path.write_text(dump_plan(plan([task(f"of-{name}")]).named(name), "yaml"), encoding="utf-8")
    return path.resolve()


async def begun(console: Console, *files: Path) -> None:
    """Return once a console has opened what it opens by itself, and these files; what was not saved is restored."""
    console.files.begin([str(file) for file in files])
    answered = False

    def answer() -> bool:
        nonlocal answered
        for dialog in console.window.findChildren(RestoreDialog):
            if not answered and dialog.isVisible():
                dialog.choices.buttons[RESTORE].click()
                answered = True
        return not console.files.last_tabs.background_tasks

    await until(answer)


def test_what_was_not_saved_is_asked_about_after_what_was_interrupted(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        await left_behind(tmp_path)
        async with desktop.console() as console:
            new = console.documents.put_new()
            console.documents.change(new.key, plan([task("drawn")]), is_typed=True)
        async with desktop.console() as console:
            console.files.begin()
            interrupted = await asked(ResumeDialog)
            await console.files.opening.settled()
            assert not console.window.findChildren(RestoreDialog)
            interrupted.reject()
            lost = await asked(RestoreDialog)
            assert isinstance(lost, RestoreDialog)
            lost.choices.buttons[RESTORE].click()
            await console.files.last_tabs.settled()
            assert titles(console) == ["New plan"]

    desktop.run(main)


def titles(console: Console) -> list[str]:
    return [item.title for item in console.documents]


def test_plans_are_open_again_in_their_order_with_the_same_one_in_front(desktop: Desktop, tmp_path: Path) -> None:
    first, last = written(tmp_path, "first"), written(tmp_path, "last")

    async def main() -> None:
        async with desktop.console() as console:
            await begun(console, first)
            new = console.documents.put_new()
            console.documents.change(new.key, plan([task("drawn")]), is_typed=True)
            await opened(console, last)
            console.documents.turn_to(new.key)
            assert titles(console) == ["first", "New plan", "last"]
        async with desktop.console() as console:
            await begun(console)
            assert titles(console) == ["first", "New plan", "last"]
            front = console.documents.front
            assert front is not None
            assert front.title == "New plan"
            assert [one.id for one in console.documents.documents[1].plan.tasks] == ["drawn"]
            assert not console.documents.documents[0].is_dirty
            assert not orchestrator_of(console).runs
            console.documents.turn_to(console.documents.documents[2].key)
        async with desktop.console() as console:
            await begun(console)
            front = console.documents.front
            assert front is not None
            assert front.title == "last", "what was restored did not come before it"

    desktop.run(main)


async def opened(console: Console, file: Path) -> None:
    console.files.opening.open(file)
    await console.files.opening.settled()


def test_a_file_that_is_gone_is_said_once_and_skipped(desktop: Desktop, tmp_path: Path) -> None:
    first, last = written(tmp_path, "first"), written(tmp_path, "last")

    async def main() -> None:
        async with desktop.console() as console:
            await begun(console, first, last)
        first.unlink()
        async with desktop.console() as console:
            await begun(console)
            assert titles(console) == ["last"]
            shown = console.strip.shown
            assert shown is not None
            assert shown.reason == f"No longer there, and so not opened again: {first}"
        async with desktop.console() as console:
            await begun(console)
            assert console.strip.shown is None

    desktop.run(main)


def test_a_file_that_is_asked_for_by_name_is_in_front_of_what_was_open(desktop: Desktop, tmp_path: Path) -> None:
    first, asked = written(tmp_path, "first"), written(tmp_path, "asked")

    async def main() -> None:
        async with desktop.console() as console:
            await begun(console, first)
            new = console.documents.put_new()
            console.documents.change(new.key, plan([task("drawn")]), is_typed=True)
        for _ in ("it was not open", "it was"):
            async with desktop.console() as console:
                fronts: list[str] = []
                turned = partial(_note_front, fronts)
                console.documents.turned.connect(turned)
                await begun(console, asked)
                assert fronts[0] == fronts[-1] == "asked", "nor is anything in front of it before: Start means it"
                assert set(fronts) <= {"asked", "New plan"}, "which is asked about, and then restored behind it"
                assert titles(console) == ["first", "New plan", "asked"]

    desktop.run(main)


def _note_front(fronts: list[str], front: Document | None) -> None:
    if front is not None:
        fronts.append(front.title)


def test_a_plan_that_is_begun_while_the_others_are_opened_stays_in_front(desktop: Desktop, tmp_path: Path) -> None:
    first, last = written(tmp_path, "first"), written(tmp_path, "last")

    async def main() -> None:
        async with desktop.console() as console:
            await begun(console, first, last)
        async with desktop.console() as console:
            fronts: list[str] = []
            console.documents.turned.connect(lambda front: fronts.append(front.title))
            new = console.documents.put_new()
            await begun(console)
            assert titles(console) == ["first", "last", "New plan"]
            assert console.documents.front is new
            assert set(fronts) == {"New plan"}, "nor was anything in front of it for a moment"

    desktop.run(main)


def test_a_changed_plan_that_was_closed_is_not_open_again(desktop: Desktop, tmp_path: Path) -> None:
    first, last = written(tmp_path, "first"), written(tmp_path, "last")

    async def main() -> None:
        async with desktop.console() as console:
            await begun(console, first, last)
            console.documents.close(console.documents.documents[0].key)
        async with desktop.console() as console:
            await begun(console)
            assert titles(console) == ["last"]

    desktop.run(main)


def test_runs_are_called_as_their_plan_also_after_a_restart(desktop: Desktop, tmp_path: Path) -> None:
    made = plan([task("a", simulate=0.01)])
    made = replace(made, name="lab", devices=(DeviceSpec(id="d", kind="simulated"),))

    async def main() -> None:
        async with desktop.console() as console:
            document = console.documents.put_plan(made)
            for count in (1, 2):
                console.documents.turn_to(document.key)
                console.starter.start_plan(document.key)
                await until(lambda wanted=count: len(console.documents.runs) == wanted)  # type: ignore[misc]
            assert [run.title for run in console.documents.runs] == ["lab", "lab · 2"]
        async with desktop.console() as console:
            found = records(journal_path())
            for one in sorted(found, key=lambda run: -run.created):
                await console.recorded.shown(one)
            assert [run.title for run in console.documents.runs] == ["lab · 2", "lab"]
            dialog = console.history.show()
            await until(lambda: dialog.table.rowCount() == 2)
            assert {dialog.table.index(row, 0).data() for row in range(2)} == {"lab", "lab · 2"}
            dialog.close()

    desktop.run(main)


def test_what_nobody_wrote_there_is_no_plan(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "some.ini")
    assert settings.open_plans == ()
    plans = (OpenPlan("/a/b.yaml"), OpenPlan("", "New plan", is_front=True))
    settings.open_plans = plans
    assert settings.open_plans == plans
    for damaged in ("{", "[1]", '["abc", []]', "null"):
        settings.store.setValue("files/open", damaged)
        assert len(settings.open_plans) <= 1, "three letters are read as three texts, which are no file"
