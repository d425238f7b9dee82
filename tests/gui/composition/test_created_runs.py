"""A run that is created without being started: agents are attached and tasks changed before the first one starts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom_gui.dialogs.first_look import START, FirstLookDialog
from starloom_gui.documents.document import RunTab

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console

WORK = replace(plan([task("a", shell="true")]), name="work", devices=(DeviceSpec(id="here", kind="local"),))


async def created_and_started(console: Console) -> None:
    console.files.plan_verbs.trust(WORK)
    console.documents.put_plan(WORK)
    await until(console.actions["create_run"].isEnabled)
    console.actions["create_run"].trigger()
    await until(lambda: isinstance(console.documents.front, RunTab))
    (run,) = orchestrator_of(console).runs.values()
    await at_rest(console)
    assert run.state == "ready"
    assert not run.task("a").attempts
    assert not console.actions["create_run"].isEnabled(), "no plan is in front"
    console.actions["start"].trigger()
    await run.finished()
    assert run.state == "completed"
    await at_rest(console)


def test_nothing_of_a_run_that_is_only_created_starts_before_it_is_started(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await created_and_started(console)

    desktop.run(main)


def test_so_it_is_over_a_server(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.attached() as console:
            await created_and_started(console)

    desktop.run(main)


def test_the_question_about_a_plan_of_a_file_says_that_its_run_is_only_created(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(WORK)
            await until(console.actions["create_run"].isEnabled)
            console.actions["create_run"].trigger()
            await until(lambda: bool(console.window.findChildren(FirstLookDialog)))
            (question,) = console.window.findChildren(FirstLookDialog)
            assert question.choices.buttons[START].text() == "Create run"
            question.choices.choose(START)
            await until(lambda: isinstance(console.documents.front, RunTab))
            await at_rest(console)

    desktop.run(main)


def test_no_run_is_created_of_a_plan_without_tasks(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_new()
            await until(lambda: "no tasks" in console.actions["create_run"].toolTip())
            assert not console.actions["create_run"].isEnabled()

    desktop.run(main)
