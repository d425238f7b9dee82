"""Asks before simulated devices take real tasks: of a plan, of a run that goes on, of tasks that run again."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.scheduling.commands import RerunFrom, RetryTasks
from starloom.scheduling.read.pretence import pretence
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.read.tasks_to_do import left_to_do, run_again
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.editing.steering import tasks_of
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.event_loop.background import in_background

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    from starloom.journal.records import RunRecord
    from starloom.model.device import DeviceSpec
    from starloom.model.plan import Plan
    from starloom.model.task import Task
    from starloom.scheduling.commands import Command
    from starloom.scheduling.read.pretence import Pretence
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.shell.fleet_file_actions import FleetFileActions
    from starloom_gui.shell.plan_actions import PlanActions
    from starloom_gui.workspace.document_view import DocumentView


class SimulationQuestions(QObject):
    """Asks the user whether simulated devices of the fleet may take real tasks, where they could.

    A device that he has added is not a run's, though a run of a plan without devices records it as its own.

    Args:
        bridge: tells of runs and the fleet.
        plans: gives who asks.
        fleets: gives who knows which devices are the user's own.
        parent: of the object.
    """

    def __init__(
        self,
        bridge: Bridge,
        plans: Callable[[], PlanActions],
        fleets: Callable[[], FleetFileActions],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._plans, self._fleets = bridge, plans, fleets
        self._agreed: set[tuple[str, tuple[str, ...]]] = set()
        """The runs and devices of which it was agreed that tasks run again there."""
        self.background_tasks = BackgroundTasks("console: simulated devices")

    def connect_view(self, view: DocumentView) -> None:
        """Have commands of a run asked about that run tasks again."""
        editor = view.source.editor
        if isinstance(editor, RunEditor):
            editor.confirm_command = partial(self._asks_before, editor)

    async def may_start(self, plan: Plan, leave: Collection[str]) -> bool:
        """Whether they may take tasks of a plan; `leave`: the ids of devices that leave the fleet before."""
        found = pretence(plan.tasks, self._bridge.fleet, {*leave, *(spec.id for spec in plan.devices)})
        return not found.tasks or await self._plans().may_pretend(found)

    async def may_resume(self, record: RunRecord) -> bool:
        """Whether they may take what is left of a run of an earlier program.

        Raises:
            JournalError: it cannot be read.
        """
        if not any(device.kind == "simulated" for device in self._bridge.fleet.devices.values()):
            return True
        devices, left = await in_background(_read_left, record.folder)
        found = pretence(left, self._bridge.fleet, self._named(devices))
        title = self.tr("Go on with “%1” on simulated devices, too?")
        return not found.tasks or await self._plans().may_pretend(found, title, record.name or record.run_id)

    def close(self) -> None:
        """Put the open question away."""
        self.background_tasks.cancel()

    def _asks_before(self, editor: RunEditor, command: Command, label: str) -> bool:
        """Whether the user is asked about a command first, and by whom it is then carried out, or not.

        Nobody is asked about a run of which such devices have taken tasks: he knows.
        """
        run = editor.run_facts()
        if run is None or run.simulated or not isinstance(command, RetryTasks | RerunFrom):
            return False
        found = pretence(run_again(run, tasks_of(command)), self._bridge.fleet, self._named(run.devices))
        if not found.tasks or (run.run_id, found.devices) in self._agreed:
            return False
        if not self.background_tasks:  # else a key repeats
            self.background_tasks.begin(self._ask(editor, command, label, found))
        return True

    async def _ask(self, editor: RunEditor, command: Command, label: str, found: Pretence) -> None:
        if await self._plans().may_pretend(found, self.tr("“%1” on simulated devices, too?"), label):
            self._agreed.add((editor.run_id, found.devices))
            editor.steer_confirmed(command, label)

    def _named(self, devices: Sequence[DeviceSpec]) -> set[str]:
        return {spec.id for spec in devices}.difference(self._fleets().own)


def _read_left(folder: Path) -> tuple[Sequence[DeviceSpec], list[Task]]:
    """The devices that the run in a folder names, and its tasks that have not ended, read from its journal.

    Raises:
        JournalError: it cannot be read.
    """
    with StreamFile(folder / JOURNAL, read_only=True) as file:
        facts = file.view().view.run
    return facts.devices, left_to_do(RunView(facts))
