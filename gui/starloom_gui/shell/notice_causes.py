"""Whether what a notice tells of is still so: somebody is waited for, a device is out of reach, a run cannot go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.status import TaskStatus
from starloom.scheduling.read.open_questions import questions_of
from starloom_gui.shell.notice import NoticeKind
from starloom_gui.viewmodel.figures import is_stalled

if TYPE_CHECKING:
    from starloom.scheduling.read.run_view import RunView
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom_gui.shell.notice import Notice


def still_holds(notice: Notice, run: RunView | None, fleet: FleetFacts) -> bool:
    """Whether the state goes on that a notice tells of.

    Args:
        notice: which.
        run: of the notice, as it is now; None: it is not there any more, or the notice is of none.
        fleet: as it is now.
    """
    if notice.is_waited_for:
        device = fleet.devices.get(notice.ids[0])
        return device is not None and bool(device.waits_until and device.used)
    if notice.kind is NoticeKind.WAITING:
        return run is not None and not run.state.has_ended and not _waiting(run).isdisjoint(notice.ids)
    if notice.kind is NoticeKind.STALLED:
        return run is not None and is_stalled(run)
    return run is not None and any(_is_running(run, task_id) for task_id in notice.ids)


def _waiting(run: RunView) -> set[str]:
    """The tasks and agents that wait for a person."""
    cycles = run.cycles
    agents = {one.proposed.agent for one in cycles.approvals.values()} if cycles is not None else set()
    gates = {task.id for task, _ in run.open_gates()}
    return agents | gates | {one.task_id for one in questions_of(run.facts)}


def _is_running(run: RunView, task_id: str) -> bool:
    number = run.number(task_id)
    return number is not None and run.task(number).status is TaskStatus.RUNNING
