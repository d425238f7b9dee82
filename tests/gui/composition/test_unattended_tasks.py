"""A task that outlives its program is told of, though the user does not go on with its run."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from typing import TYPE_CHECKING

from tests.gui.composition.test_history import shown
from tests.gui.composition.test_running_elsewhere import another_program
from tests.gui.engines import orchestrator_of
from tests.waiting import POLL, until
from typing_extensions import override

from starloom.devices.local import LocalDevice
from starloom.devices.simulated import SimulatedDevice
from starloom.devices.ssh.record import SshRecord, note_unended, write_record
from starloom.journal.library import attempt_name
from starloom.journal.names import ATTEMPTS
from starloom.model.plan import Plan
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.model.task import Task
from starloom.scheduling.commands import RetryTasks
from starloom.scheduling.read.run_view import TaskView
from starloom.scheduling.state.codes import RUNNING
from starloom_gui.gateway.unattended import farewell
from starloom_gui.models.run_table import RunColumn
from starloom_gui.panels.device_figures import description, details, standing
from starloom_gui.panels.why_question import WhyQuestion
from starloom_gui.panels.why_rows import why_rows
from starloom_gui.viewmodel.roles import ItemRole
from starloom_gui.viewmodel.task_words import second_line

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gui.composition.conftest import Desktop

    from starloom.devices.base import TaskContext
    from starloom_gui.composition.console import Console
    from starloom_gui.models.device_table import DeviceRow

PLAN = """
starloom: 1
name: batch
devices: [{id: here, kind: local, slots: 2}]
tasks:
  long: {shell: 'echo $$ > %s; exec sleep 3600'}
  after: {shell: echo 1, needs: [long]}
"""


async def left_running(folder: Path) -> int:
    """The process of a task whose program was killed."""
    path, told = folder / "batch.yaml", folder / "pid"
    path.write_text(PLAN % told, encoding="utf-8")
    program = another_program(path)
    try:
        await until(lambda: told.exists() and told.read_text().endswith("\n"), every=POLL)
    finally:
        program.kill()
        program.wait()
    return int(told.read_text())


def card(console: Console) -> DeviceRow:
    row: DeviceRow = console.devices.cards.model().index(0, 0).data(ItemRole.VALUE)
    return row


async def remarks(console: Console) -> list[str]:
    dialog = await shown(console)
    said = [dialog.table.index(at, RunColumn.REMARK).data() for at in range(dialog.table.rowCount())]
    dialog.reject()
    return said


def test_a_task_of_an_interrupted_run_may_still_run_and_its_device_says_so(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        process = await left_running(tmp_path)
        try:
            async with desktop.console() as console:
                console.files.opening.open(tmp_path / "batch.yaml")  # the devices are beside what is open
                await orchestrator_of(console).fleet.add(LocalDevice("here", slots=2))
                await until(lambda: console.devices.cards.model().rowCount() == 1)
                await until(lambda: card(console).unattended)
                assert standing(card(console)) == "Idle · 1 may still run"
                assert dict(details(card(console), 0))["Runs"] == "1 may still run"
                assert "1 task(s) may still run" in description(card(console))
                assert await remarks(console) == ["can be resumed · 1 task(s) may still run"]

                two = [Task(id=name, shell="sleep 3600") for name in ("a", "b")]
                run = await orchestrator_of(console).start(Plan(name="more", tasks=two))
                await until(lambda: card(console).used == 1)
                assert standing(card(console)) == "Busy · 2 of 2"
                waiting = next(TaskView(run.facts, number) for number in (0, 1) if run.facts.status[number] != RUNNING)
                (reason,) = orchestrator_of(console).run(run.id).why(waiting.id)
                assert reason.text == (
                    "All slots of here are taken. 1 is kept for tasks of an earlier program that may still run."
                )
                asked = WhyQuestion(waiting, console.bridge.now(), console.commands)
                row = why_rows(asked, (reason,))[0]
                assert row.text == "All slots of here are taken: 2 of 2"
                assert row.detail.startswith("1 task(s) may still run that no program looks after")

                os.kill(process, signal.SIGKILL)
                await until(lambda: card(console).used == 2, every=POLL)
                assert not card(console).unattended
                await run.cancel()
                await run.finished()
                await until(lambda: standing(card(console)) == "Idle · 0 of 2")
                assert "can be resumed" in await remarks(console)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    desktop.run(main)


class OutOfReach(SimulatedDevice):
    """Cannot tell what runs there to stop until `reach` is called."""

    left: TaskContext | None = None

    @property
    @override
    def unended(self) -> int:
        return int(self.left is not None)

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.left = context
        error = ErrorInfo(code=ErrorCode.DEVICE_LOST, message="The link is down.")
        return Outcome(OutcomeStatus.LOST, Result(error=error))

    def reach(self) -> None:
        """End what is left there."""
        context, self.left = self.left, None
        assert context is not None
        self.on_late_end(context, None, None)


def test_a_task_that_was_cancelled_out_of_reach_may_still_run_until_its_device_is_reached(
    desktop: Desktop, tmp_path: Path
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            path = tmp_path / "batch.yaml"
            path.write_text(PLAN % "/dev/null", encoding="utf-8")
            console.files.opening.open(path)  # the devices are beside what is open
            device = OutOfReach("here", slots=2)
            await orchestrator_of(console).fleet.add(device)
            run = await orchestrator_of(console).start(Plan(name="night", tasks=[Task(id="t", shell="sleep 1")]))
            await until(lambda: run.facts.status[0] == RUNNING)
            await run.cancel()
            await run.finished()
            await until(lambda: console.devices.cards.model().rowCount() == 1)
            again = RetryTasks(run_id=run.id, task_ids=("t",))
            await until(lambda: dict(details(card(console), 0))["Runs"] == "1 may still run")
            assert second_line(TaskView(run.facts, 0), 0.0) == "may still run on 'here' until it is reached"
            assert "may still run on here" in console.commands.can(again).caution

            device.reach()
            await until(lambda: not card(console).unattended)
            await until(lambda: second_line(TaskView(run.facts, 0), 0.0) == "ended once its device was reached")
            assert not console.commands.can(again).caution

    desktop.run(main)


def test_a_command_that_counts_as_ended_and_may_still_run_is_named_with_its_machine(
    desktop: Desktop, tmp_path: Path
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await orchestrator_of(console).start(Plan(name="night", tasks=[Task(id="t", shell="true")]))
            await orchestrator_of(console).fleet.add(LocalDevice("here"))
            await run.finished()
            folder = tmp_path / "journal" / "runs" / run.id
            for number in (1, 2):
                kept = folder / ATTEMPTS / attempt_name("t", number)
                write_record(kept, SshRecord("box2", 22, "me", "/home/me/x", "0" * 24))
                note_unended(kept, "the link was down")
            assert await remarks(console) == ["2 task(s) may still run on me@box2"]
        said = "2 commands may still run on me@box2; `starloom runs --orphans` lists them.\n"
        assert farewell(tmp_path / "journal") == said
        assert not farewell(tmp_path / "nowhere")

    desktop.run(main)
