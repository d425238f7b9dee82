"""Edits of a live run that would let tasks start at once are asked about, and copies wait as their originals do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_agents import readied
from tests.gui.composition.test_console import LONG, front
from tests.waiting import until

from starloom.constellation.edits import RemoveDependency
from starloom.model.device import DeviceSpec
from starloom.model.task import Gate
from starloom_gui.editing.base import Mode, Step
from starloom_gui.editing.early_starts import starts_at_once
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.shell.early_starts_question import RECONNECT, START
from starloom_gui.widgets.question import ChoiceDialog

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

    from starloom.model.plan import Plan
    from starloom.orchestration.run import Run
    from starloom_gui.composition.console import Console


def gated() -> Plan:
    """`build` runs for long, a gate waits for it, and `deploy` for the gate; `lone` waits for `build` and a gate."""
    tasks = [
        task("build", simulate=LONG),
        task("approve", gate=Gate(message="Ship it?")),
        task("ask", gate=Gate(message="Sure?")),
        task("deploy", simulate=LONG),
        task("lone", simulate=LONG),
    ]
    edges = ["build>approve", "approve>deploy", "build>lone", "ask>lone"]
    device = DeviceSpec(id="dev", kind="simulated", slots=4)
    return replace(plan(tasks, edges), name="gated", devices=(device,))


async def executing(console: Console) -> Run:
    run, _ = await readied(console, gated()), None
    console.actions["start"].trigger()
    await until(lambda: run.task("build").status == "running")
    await at_rest(console)
    return run


def select(console: Console, *ids: str) -> None:
    view = front(console)
    facts = view.source.editor.facts()
    assert facts is not None
    view.selection.select_all([facts.graph.place[id] for id in ids])
    view.canvas.setFocus(Qt.FocusReason.OtherFocusReason)


def question_of(console: Console) -> ChoiceDialog | None:
    return next((one for one in console.window.findChildren(ChoiceDialog) if one.isVisible()), None)


async def asked(console: Console) -> ChoiceDialog:
    await until(lambda: question_of(console) is not None)
    found = question_of(console)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("key", "there", "deploy"),
    [("", True, "waiting_dependency"), (RECONNECT, False, "waiting_dependency"), (START, False, "running")],
)
def test_removing_the_gate_that_a_task_waits_for_is_asked_about(
    desktop: Desktop, key: str, there: bool, deploy: str
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await executing(console)
            select(console, "approve")
            QTest.keyClick(front(console).canvas, Qt.Key.Key_Delete)
            question = await asked(console)
            assert "approve" in run.facts.graph
            assert question.choices.sentence.text().startswith("deploy would start at once")
            if key:
                question.choices.buttons[key].click()
            else:
                QTest.keyClick(question, Qt.Key.Key_Escape)
            await at_rest(console)
            await until(lambda: ("approve" in run.facts.graph) is there)
            await until(lambda: run.task("deploy").status == deploy)
            if key == RECONNECT:
                facts = run.facts
                assert facts.graph.has_edge(facts.graph.place["build"], facts.graph.place["deploy"])

    desktop.run(main)


def test_removing_a_dependency_is_asked_about_and_enter_cancels(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, verbs = await executing(console), front(console).canvas.gestures.verbs
            assert verbs is not None
            place = run.facts.graph.place
            verbs.choose_edge((place["approve"], place["deploy"]))
            verbs.remove()
            question = await asked(console)
            assert RECONNECT not in question.choices.buttons
            QTest.keyClick(question, Qt.Key.Key_Return)
            await at_rest(console)
            assert run.facts.graph.has_edge(place["approve"], place["deploy"])
            assert run.task("deploy").status == "waiting_dependency"

    desktop.run(main)


def test_what_lets_nothing_start_is_done_without_a_question(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await executing(console)
            select(console, "ask")  # `lone` still waits for `build`
            QTest.keyClick(front(console).canvas, Qt.Key.Key_Delete)
            await until(lambda: "ask" not in run.facts.graph)
            console.actions["pause"].trigger()
            await until(lambda: run.facts.state == "paused")
            await at_rest(console)
            select(console, "approve")
            QTest.keyClick(front(console).canvas, Qt.Key.Key_Delete)
            await until(lambda: "approve" not in run.facts.graph)
            assert question_of(console) is None

    desktop.run(main)


def test_what_is_held_does_not_start_and_a_staged_edit_is_not_asked_about(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, editor = await executing(console), front(console).source.editor
            assert isinstance(editor, RunEditor)
            edits = (RemoveDependency("approve", "deploy"),)
            deploy = run.facts.graph.place["deploy"]
            assert starts_at_once(run.facts, edits) == (deploy,)
            assert starts_at_once(run.facts, (RemoveDependency("build", "deploy"),)) == (), "there is none"
            editor.set_mode(Mode.STAGED)
            editor.do(Step(label="Remove it", edits=edits))
            assert question_of(console) is None
            editor.staging.discard()
            await run.hold("deploy")
            assert starts_at_once(run.facts, edits) == ()

    desktop.run(main)


@pytest.mark.parametrize("keys", [("duplicate",), ("copy", "paste")])
def test_a_copy_in_a_live_run_waits_for_what_its_original_waits_for(desktop: Desktop, keys: tuple[str, ...]) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            QGuiApplication.clipboard().clear()
            run = await executing(console)
            select(console, "deploy")
            for key in keys:
                await until(console.actions[key].isEnabled)
                console.actions[key].trigger()
            await until(lambda: "deploy-2" in run.facts.graph)
            facts = run.facts
            assert facts.graph.has_edge(facts.graph.place["approve"], facts.graph.place["deploy-2"])
            assert run.task("deploy-2").status == "waiting_dependency"

    desktop.run(main)
