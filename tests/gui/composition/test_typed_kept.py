"""What is typed for a run and not set is there again after its console has died."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_agents import badge_of, pane_of
from tests.gui.composition.test_console import LONG, front, started
from tests.gui.composition.test_staged_kept import taken_up
from tests.gui.composition.test_unset_drafts import simulated
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.journal.names import TYPED
from starloom.journal.typed_file import TypedNote, read_typed
from starloom.model.device import DeviceSpec
from starloom_gui.canvas.badges import Badge

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")


def gated() -> Plan:
    """A gate that waits, and a task that runs for long before another one."""
    tasks = [task("ship", gate={"message": "Ship it?"}), task("first", simulate=LONG), task("publish", simulate=20)]
    return replace(plan(tasks, ["first>publish"]), devices=(DeviceSpec(id="d", kind="simulated", slots=1),))


def publish(console: Console) -> Any:
    """The field of how long `publish` takes, which is shown."""
    view = front(console)
    facts = view.source.editor.facts()
    assert facts is not None
    view.selection.select_all([facts.graph.place["publish"]])
    return view.pane("inspector").fields.value("simulate")  # type: ignore[attr-defined]  # an inspector


async def typed(console: Console, journal: Path) -> Path:
    """Type a value and a note; gives the file in which they are kept."""
    tab = await started(console, gated())
    await at_rest(console)
    value = publish(console)
    value.selectAll()
    QTest.keyClicks(value, "90s")
    console.window.workbench.show_pane("agents")
    pane = pane_of(console)
    await until(lambda: bool(pane.requests.waiting))
    pane.show_gate("ship")
    QTest.keyClicks(pane.gate.bar.note, "after the")
    file = journal / "runs" / tab.run_id / TYPED
    await until(lambda: len(read_typed(file)) == 2)
    return file


def test_a_crash_keeps_what_is_typed(desktop: Desktop, tmp_path: Path) -> None:
    journal, killed = tmp_path / "journal", tmp_path / "killed"

    async def first() -> None:
        async with desktop.console() as console:
            file = await typed(console, journal)
            shutil.copytree(journal, killed)
            for run in orchestrator_of(console).runs.values():
                await run.cancel()
        assert not file.exists(), "whoever closes a window has been asked"
        shutil.rmtree(journal)
        killed.rename(journal)

    async def second() -> None:
        async with desktop.console() as console:
            await taken_up(console, journal)
            await until(lambda: console.strip.shown is not None)
            said = console.strip.shown
            assert said is not None
            assert "of publish before Starloom ended is there again, and not set yet" in said.text
            assert badge_of(console, "publish") == Badge.UNSET
            assert publish(console).text() == "90s"
            console.window.workbench.show_pane("agents")
            pane = pane_of(console)
            await until(lambda: bool(pane.requests.waiting))
            pane.show_gate("ship")
            assert pane.gate.bar.note.text() == "after the"
            (run,) = orchestrator_of(console).runs.values()
            assert simulated(console, "publish") == 20
            QTest.keyClick(publish(console), Qt.Key.Key_Return)
            await until(lambda: simulated(console, "publish") == 90)
            file = journal / "runs" / run.id / TYPED
            await until(lambda: [type(one) for one in read_typed(file)] == [TypedNote])
            await run.cancel()

    desktop.run(first)
    desktop.run(second)


def test_a_new_task_that_was_not_added_can_be_copied_whichever_tab_is_in_front(
    desktop: Desktop, tmp_path: Path
) -> None:
    journal, killed = tmp_path / "journal", tmp_path / "killed"

    async def first() -> None:
        async with desktop.console() as console:
            tab = await started(console, gated())
            await at_rest(console)
            front(console).canvas.setFocus()
            console.actions["add_task"].trigger()
            verbs = front(console).canvas.gestures.verbs
            assert verbs is not None
            field = verbs.drafting.field
            assert field is not None
            QTest.keyClicks(field.name, "half")
            QTest.keyClicks(field.work, "; make")
            await until(lambda: (journal / "runs" / tab.run_id / TYPED).exists())
            shutil.copytree(journal, killed)
            field.give_up()
            for run in orchestrator_of(console).runs.values():
                await run.cancel()
        shutil.rmtree(journal)
        killed.rename(journal)

    async def second() -> None:
        async with desktop.console() as console:
            await taken_up(console, journal)
            await until(lambda: console.strip.shown is not None)
            console.documents.put_plan(gated())
            await at_rest(console)
            said = console.strip.shown
            assert said is not None
            assert "half" in said.text
            assert "was typed before Starloom ended, and not set" in said.text
            assert said.act is not None
            said.act()
            assert QGuiApplication.clipboard().text().endswith("; make")
            for run in orchestrator_of(console).runs.values():
                await run.cancel()

    desktop.run(first)
    desktop.run(second)


def test_what_is_taken_back_is_kept_no_more(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            file = await typed(console, tmp_path / "journal")
            pane_of(console).gate.bar.note.clear()
            QTest.keyClick(publish(console), Qt.Key.Key_Escape)
            await until(lambda: not file.exists())
            for run in orchestrator_of(console).runs.values():
                await run.cancel()

    desktop.run(main)


def test_what_is_typed_in_the_large_editor_is_kept_too(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, gated())
            await at_rest(console)
            publish(console)
            inspector = front(console).pane("inspector")
            inspector.larger.open(next(iter(inspector.fields.field_rows.values())))  # type: ignore[attr-defined]
            dialog = inspector.larger.dialog  # type: ignore[attr-defined]
            QTest.keyClicks(dialog.area, "a long text")
            file = tmp_path / "journal" / "runs" / tab.run_id / TYPED
            await until(lambda: [one.text for one in read_typed(file)] == ["a long text"])  # type: ignore[union-attr]
            (unset,) = console.views.unset(tab.key)
            assert unset.words == f"publish: {dialog.title}"
            dialog.close_anyway()
            await until(lambda: not file.exists())
            for run in orchestrator_of(console).runs.values():
                await run.cancel()

    desktop.run(main)
