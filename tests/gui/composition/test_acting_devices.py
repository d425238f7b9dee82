"""A simulated device that the user has added stays until removed, and no real task goes there without a question."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import meant
from tests.gui.composition.test_early_starts import select
from tests.gui.composition.test_what_goes_wrong import left_behind
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.devices.kinds import make_device
from starloom.journal.records import records
from starloom.model.device import DeviceSpec
from starloom.settings import journal_path
from starloom_gui.dialogs.add_device import AddDeviceDialog
from starloom_gui.dialogs.first_look import START
from starloom_gui.viewmodel.figures import state_words
from starloom_gui.widgets.question import ChoiceDialog

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console


async def asked(console: Console) -> ChoiceDialog:
    """Start the plan in front, and return what asks about simulated devices."""
    await until(console.actions["start"].isEnabled)
    console.actions["start"].trigger()
    await until(lambda: bool(questions(console)))
    return questions(console)[0]


def questions(console: Console) -> list[ChoiceDialog]:
    """The questions that are shown."""
    return [one for one in console.window.findChildren(ChoiceDialog) if one.isVisible()]


async def begun(console: Console, count: int) -> None:
    """Start the plan in front in spite of the question, and wait for the end of its run, one of so many."""
    (await asked(console)).choices.choose(START)
    await until(lambda: len(orchestrator_of(console).runs) == len(console.documents.runs) == count)
    await until(lambda: all(run.state.has_ended for run in orchestrator_of(console).runs.values()))
    await at_rest(console)


def test_a_device_added_by_hand_is_asked_about_at_each_start_and_stays(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            fleet = console.window_actions.controllers.fleet
            console.commands.add_device(fleet.added(make_device(DeviceSpec(id="sim2", kind="simulated", slots=8))))
            await console.commands.answered()
            work = meant(seconds=0.01)
            console.files.plan_verbs.trust(work)
            document = console.documents.put_plan(work)
            question = await asked(console)
            sentence = question.choices.sentence.text()
            assert "sim2" in sentence
            assert "2 task" in sentence
            assert [key for key, button in question.choices.buttons.items() if button.isDefault()] == [""]
            question.choices.choose("")
            await at_rest(console)
            assert not orchestrator_of(console).runs
            await begun(console, 1)
            assert set(orchestrator_of(console).fleet.devices) == {"sim2"}
            console.documents.turn_to(document.key)
            await begun(console, 2)
            assert set(orchestrator_of(console).fleet.devices) == {"sim2"}

    desktop.run(main)


def test_before_a_run_goes_on_it_is_asked_about_as_at_its_start(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        await left_behind(tmp_path, unstarted=True)
        async with desktop.console() as console:
            fleet = console.window_actions.controllers.fleet
            console.commands.add_device(fleet.added(make_device(DeviceSpec(id="sim2", kind="simulated", slots=8))))
            await console.commands.answered()
            (late,) = (one for one in records(journal_path()) if one.run_id == "late")
            console.files.resuming.go_on(late)
            await until(lambda: bool(questions(console)))
            (question,) = questions(console)
            assert "2 task" in question.choices.sentence.text()
            assert "meant" in question.windowTitle()
            question.choices.choose("")
            await console.files.resuming.settled()
            assert not orchestrator_of(console).runs, "nothing goes on"
            console.files.resuming.go_on(late)
            await until(lambda: bool(questions(console)))
            questions(console)[0].choices.choose(START)
            await console.files.resuming.settled()
            assert set(orchestrator_of(console).runs) == {"late"}
            await at_rest(console)

    desktop.run(main)


def test_nothing_of_a_servers_fleet_leaves_it_and_it_is_asked_about(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.attached() as console:
            there = orchestrator_of(console)
            specs = [DeviceSpec(id="sim2", kind="simulated"), DeviceSpec(id="here", kind="local")]
            await there.fleet.add_all([make_device(spec) for spec in specs], origin="plan")
            first = await there.start(plan([task("x", simulate=0.0)]), run_id="first")
            await first.finished()
            await at_rest(console)
            work = meant(seconds=0.01)
            console.files.plan_verbs.trust(work)
            console.documents.put_plan(work)
            question = await asked(console)
            assert "sim2" in question.choices.sentence.text()
            question.choices.choose(START)
            await until(lambda: len(there.runs) == 2 and all(run.state.has_ended for run in there.runs.values()))
            assert set(there.fleet.devices) == {"sim2", "here"}
            await at_rest(console)

    desktop.run(main)


@pytest.mark.parametrize("again", ["retry", "rerun"])
def test_before_tasks_run_again_it_is_asked_about_too(desktop: Desktop, again: str) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            fleet = console.window_actions.controllers.fleet
            failing = [task("first", shell="exit 3"), task("then", shell="true")]
            work = replace(plan(failing, ["first>then"]), name="work", devices=(DeviceSpec(id="here", kind="local"),))
            console.files.plan_verbs.trust(work)
            console.documents.put_plan(work)
            await until(console.actions["start"].isEnabled)
            console.actions["start"].trigger()
            await until(lambda: bool(orchestrator_of(console).runs))
            (run,) = orchestrator_of(console).runs.values()
            await run.finished()
            await at_rest(console)
            console.commands.add_device(fleet.added(make_device(DeviceSpec(id="sim2", kind="simulated", slots=8))))
            await console.commands.answered()
            select(console, "first")
            await until(console.actions[again].isEnabled)
            console.actions[again].trigger()
            await until(lambda: bool(questions(console)))
            (question,) = questions(console)
            assert "2 task" in question.choices.sentence.text()
            assert "first" in question.windowTitle()
            question.choices.choose("")
            await at_rest(console)
            assert run.task("first").status == "failed", "nothing runs again"
            await until(lambda: not console.starter.simulation.background_tasks)
            console.actions[again].trigger()
            await until(lambda: bool(questions(console)))
            questions(console)[0].choices.choose(START)
            await until(lambda: len(run.task("first").attempts) > 1)
            await run.finished()
            await at_rest(console)

    desktop.run(main)


def test_one_that_is_added_while_real_tasks_go_on_is_asked_about_and_what_it_took_is_told(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            engine = orchestrator_of(console)
            await engine.fleet.add(make_device(DeviceSpec(id="here", slots=1)))
            tasks = [task("long", shell="sleep 60"), *(task(name, shell="true") for name in "ab")]
            run = await engine.start(plan(tasks), run_id="r")
            await until(lambda: run.facts.running == 1)
            await at_rest(console)
            console.documents.put_run("r")
            await at_rest(console)
            console.actions["add_device"].trigger()
            dialog = console.window.findChildren(AddDeviceDialog)[-1]
            dialog.kinds.choose("simulated")
            dialog.kinds.form.fill({"id": "sim"})
            dialog.default.click()
            await at_rest(console)
            assert list(engine.fleet.devices) == ["here"]
            assert dialog.isVisible()
            (words,) = [one.text() for one in dialog.findChildren(QLabel) if "without having run" in one.text()]
            assert words.startswith("2 task(s)")
            (anyway,) = [one for one in dialog.findChildren(QPushButton) if one.text() == "Add it all the same"]
            anyway.click()
            await until(lambda: "sim" in engine.fleet.devices)
            await until(lambda: len(run.facts.simulated) == 2)
            await at_rest(console)
            figures = console.window.header.line.figures
            assert figures is not None
            assert state_words(figures) == "Executing, 2 only simulated"

    desktop.run(main)
