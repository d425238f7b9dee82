"""What a program has to do as it is left is not refused by whoever has reserved a run; what its user asks for is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, small
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.events import RunPaused
from starloom.model.status import RunState
from starloom.orchestration.handover import HandedRun, Handover, take_over
from starloom.scheduling.commands import PauseRun
from starloom.scheduling.reservation_commands import Reserve
from starloom_gui.dialogs.closing import BACKGROUND, CANCEL, KEEP, ClosingDialog, ClosingStage

if TYPE_CHECKING:
    from starloom.errors import StarloomError
    from starloom.orchestration.run import Run
    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")
ADA = Reserve(reason="we look at it", seconds=LONG, origin="ada")


async def asked(console: Console) -> ClosingDialog:
    """The question that is asked as the window is closed."""
    console.window.asks_before_closing = True
    console.window.close()
    await until(lambda: isinstance(QApplication.activeModalWidget(), ClosingDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ClosingDialog)
    return dialog


async def reserved(console: Console) -> Run:
    """A run that goes on, and that somebody else has reserved."""
    run_id = await console.starter.start(small(seconds=LONG), None, "")
    await at_rest(console)
    await orchestrator_of(console).fleet.command(replace(ADA, run_id=run_id))
    return orchestrator_of(console).run(run_id)


def paused_because(console: Console) -> list[str]:
    """The reasons of all pauses of runs, as the log has them."""
    return [event.reason for _, event in console.bridge.log.since(0) if isinstance(event, RunPaused)]


def test_a_run_of_somebody_else_is_paused_to_be_handed_over_and_resumed_by_whoever_stays(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await reserved(console)
            dialog = await asked(console)
            dialog.choices.choose(BACKGROUND)
            await until(lambda: run.state is RunState.PAUSED)
            await until(lambda: paused_because(console) == ["the console is being closed"])
            dialog.choices.choose("")
            await until(lambda: run.state is RunState.EXECUTING)
            await console.commands.answered()

    desktop.run(main)


def test_a_run_of_somebody_else_that_was_paused_for_it_alone_goes_on_where_it_is_taken_over(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await reserved(console)
            pause = PauseRun(run_id=run.id)
            assert "reserved by ada" in console.commands.can(pause).reason
            console.commands.do_for_program(pause)
            await until(lambda: run.state is RunState.PAUSED)
            refused: list[StarloomError] = []

            async def there(_handed: HandedRun) -> Run:
                return run

            handover = Handover(runs=(HandedRun(run.id, resumes=True),))
            await take_over(handover, there, lambda _run_id, error: refused.append(error))
            assert not refused
            assert run.state is RunState.EXECUTING

    desktop.run(main)


def test_a_run_of_somebody_else_is_not_cancelled_and_the_question_says_why_instead_of_waiting(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await reserved(console)
            dialog = await asked(console)
            dialog.choices.choose(CANCEL)
            assert dialog.stage is ClosingStage.STOPPING
            await until(lambda: dialog.stage is ClosingStage.ASKING)
            assert dialog.choices.sentence.text().startswith("The run is reserved by ada until ")
            assert {CANCEL, KEEP} <= set(dialog.choices.buttons)
            assert run.state is RunState.EXECUTING
            dialog.choices.choose("")
            await console.files.leaving.settled()

    desktop.run(main)
