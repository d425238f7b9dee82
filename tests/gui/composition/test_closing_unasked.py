"""Closing asks about runs that have no task to go or were never started, and loses neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_agents import readied
from tests.gui.composition.test_console import LONG, small
from tests.gui.composition.test_reserved_at_the_end import asked
from tests.gui.documents.plans import shown
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.agents.rules import RuleAgent
from starloom.constellation.edits import ALL_KINDS
from starloom.formats.rules import read_rules
from starloom.journal.records import records
from starloom.model.status import RunState
from starloom.settings import journal_path
from starloom_gui.dialogs.closing import KEEP, CancelDialog, ClosingDialog

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

    from starloom.orchestration.run import Run
    from starloom_gui.composition.console import Console

MORE = {"on": {"task": "a", "status": "completed"}, "do": [{"add_task": {"id": "more", "command": ["check", "it"]}}]}


async def waiting(console: Console) -> Run:
    """A run all tasks of which have ended, with a proposal that waits for an answer."""
    run = await readied(console, small())
    console.commands.attach_agent(run.id, RuleAgent(read_rules([MORE])), ALL_KINDS)
    await until(lambda: run.agents)
    await run.start()
    await until(lambda: run.approvals and not run.facts.open)
    await at_rest(console)
    return run


async def resumed(console: Console) -> Run:
    """The only run of an earlier session, gone on with."""
    (known,) = records(journal_path())
    assert known.can_resume
    await console.starter.resume(known)
    return orchestrator_of(console).run(known.run_id)


def said(dialog: ClosingDialog) -> str:
    return dialog._list.text()


def test_a_proposal_that_waits_is_asked_about_and_is_there_in_the_next_session(desktop: Desktop) -> None:
    async def first() -> None:
        async with desktop.console() as console:
            run = await waiting(console)
            dialog = await asked(console)
            assert said(dialog) == "Lab: no task to go, waits for you"
            dialog.choices.choose(KEEP)
            await console.closed()
            assert not run.state.has_ended

    async def second() -> None:
        async with desktop.console() as console:
            run = await resumed(console)
            (approval,) = run.approvals
            await run.answer_approval(approval.number, accept=True)
            await until(lambda: "more" in run.facts.graph)

    desktop.run(first)
    desktop.run(second)


def test_cancelling_a_run_with_a_proposal_is_asked_about(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await waiting(console)
            await until(console.actions["cancel_run"].isEnabled)
            console.actions["cancel_run"].trigger()
            dialog = await shown(console.window, CancelDialog)
            words = dialog.choices.sentence.text()
            assert words.startswith("Its tasks have ended; what agents propose for it is dropped. ")
            await until(dialog.isActiveWindow)
            QTest.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Escape)
            await console.window_actions.cancelling.background_tasks.settled()
            assert run.approvals

    desktop.run(main)


def test_a_run_that_was_created_and_not_started_is_asked_about_and_is_not_started_in_the_next_session(
    desktop: Desktop,
) -> None:
    async def first() -> None:
        async with desktop.console() as console:
            await console.starter.start(small(seconds=LONG), None, "Later", paused=True)
            await at_rest(console)
            dialog = await asked(console)
            assert said(dialog) == "Later: not started, 3 to go"
            dialog.choices.choose(KEEP)
            await console.closed()

    async def second() -> None:
        async with desktop.console() as console:
            assert (await resumed(console)).state is RunState.READY

    desktop.run(first)
    desktop.run(second)
