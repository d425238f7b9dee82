"""Questions to the scheduler that change nothing: would a command be refused, and would it do anything?

Whoever offers commands to people asks here, by the very rules the scheduler goes by when it is given them. The texts of
`idle` are for people, as those of refusals are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom.errors import CommandRefused
from starloom.model.status import Breaker, RunState
from starloom.scheduling import (
    approvals,
    attachment,
    editing,
    fleet_commands,
    gates,
    lifecycle,
    steering,
    stepping,
    stops,
)
from starloom.scheduling import commands as c
from starloom.scheduling.checking import check
from starloom.scheduling.codes import RUNNING, is_terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.scheduler import Scheduler


def refusal(scheduler: Scheduler, command: c.Command) -> CommandRefused | None:
    """Why the scheduler would refuse a command if it were given it now; None: it would carry it out.

    Args:
        scheduler: which one.
        command: one about a run, its tasks or its graph, about a device that is there, or about limits. Submissions,
            new runs and new devices are not asked about.
    """
    try:
        check(command)
        _RULES[type(command)](scheduler, command)
    except CommandRefused as refused:
        return refused
    return None


def idle(scheduler: Scheduler, command: c.Command) -> str:
    """Why a command that would not be refused would change nothing, as a sentence; empty: it would, or may."""
    reason = _IDLE.get(type(command))
    return reason(scheduler, command) if reason is not None else ""


def _run(scheduler: Scheduler, command: c.RunCommand) -> object:
    return lifecycle.find(scheduler, command.run_id)


def _device(scheduler: Scheduler, command: c.DeviceCommand) -> object:
    return fleet_commands.find(scheduler, command.device_id)


_RULES: Final[dict[type[Any], Callable[[Scheduler, Any], object]]] = {
    c.StartRun: lifecycle.check_start,
    c.PauseRun: lifecycle.check_pause,
    c.ResumeRun: lifecycle.check_resume,
    c.CancelRun: _run,
    c.HoldRunOpen: _run,
    c.SetRunLimit: lifecycle.check_limit,
    c.EditConstellation: editing.check_edit,
    c.AttachAgent: attachment.check_attach,
    c.PauseAgent: attachment.check_agent,
    c.TrustAgent: attachment.check_trust,
    c.ResumeAgent: attachment.check_agent,
    c.DetachAgent: attachment.check_agent,
    c.SetFence: attachment.check_fence,
    c.AnswerApproval: approvals.check_answer,
    c.AnswerGate: gates.check_answer,
    c.SetBreakpoints: steering.tasks_of,
    c.ClearBreakpoints: steering.tasks_of,
    c.RunUntil: stepping.check_until,
    c.StepRun: stepping.check_step,
    c.CancelTasks: steering.tasks_of,
    c.HoldTasks: steering.check_hold,
    c.ReleaseTasks: steering.tasks_of,
    c.RetryTasks: steering.check_retry,
    c.SkipTasks: steering.check_skip,
    c.MarkTasks: steering.check_mark,
    c.RerunFrom: steering.check_rerun,
    c.SetPriority: steering.check_priority,
    c.PinTasks: steering.check_pin,
    c.SetLimits: fleet_commands.check_limits,
    c.RemoveDevice: fleet_commands.check_remove,
    c.DrainDevice: _device,
    c.ResumeDevice: _device,
    c.EnableDevice: _device,
    c.DisableDevice: _device,
    c.SetSlots: fleet_commands.check_slots,
    c.TryDeviceAgain: _device,
}


# ---- what is so already


def _paused(scheduler: Scheduler, command: c.PauseRun) -> str:
    return "The run is paused already." if scheduler.run(command.run_id).state is RunState.PAUSED else ""


def _executing(scheduler: Scheduler, command: c.ResumeRun) -> str:
    return "The run is not paused." if scheduler.run(command.run_id).state is RunState.EXECUTING else ""


def _over(scheduler: Scheduler, command: c.CancelRun) -> str:
    run = scheduler.run(command.run_id)
    if run.state.has_ended:
        return "The run has ended."
    return "The run is being cancelled already." if run.cancel_requested else ""


def _ended(scheduler: Scheduler, command: c.CancelTasks) -> str:
    index, numbers = steering.tasks_of(scheduler, command)
    run = index.run
    if all(is_terminal(run.status[number]) for number in numbers):
        return "It has ended already." if len(numbers) == 1 else "They have ended already."
    still = [number for number in numbers if not is_terminal(run.status[number])]
    stopping = all(run.status[number] == RUNNING and run.stopping.get(number) == "cancelled" for number in still)
    return "It is being stopped already." if stopping else ""


def _held(scheduler: Scheduler, command: c.HoldTasks) -> str:
    index, numbers = steering.tasks_of(scheduler, command)
    return "Already held." if all(number in index.run.held for number in numbers) else ""


def _not_held(scheduler: Scheduler, command: c.ReleaseTasks) -> str:
    index, numbers = steering.tasks_of(scheduler, command)
    return "" if any(number in index.run.held for number in numbers) else "Not held."


def _breakpoints(scheduler: Scheduler, command: c.SetBreakpoints) -> str:
    index, numbers = steering.tasks_of(scheduler, command)
    return "It is set already." if all(stops.stops(index.run, number) for number in numbers) else ""


def _no_breakpoints(scheduler: Scheduler, command: c.ClearBreakpoints) -> str:
    index, numbers = steering.tasks_of(scheduler, command)
    return "" if any(number in index.run.breakpoints for number in numbers) else "None is set."


def _same_goal(scheduler: Scheduler, command: c.RunUntil) -> str:
    index, goals = stepping.check_until(scheduler, command)
    if goals != index.run.until:
        return ""
    return "The run goes on for everything already." if goals is None else "The run goes on until there already."


def _agent_paused(scheduler: Scheduler, command: c.PauseAgent) -> str:
    return "The agent is paused already." if attachment.check_agent(scheduler, command)[1].paused else ""


def _agent_at_work(scheduler: Scheduler, command: c.ResumeAgent) -> str:
    return "" if attachment.check_agent(scheduler, command)[1].paused else "The agent is not paused."


def _same_trust(scheduler: Scheduler, command: c.TrustAgent) -> str:
    _, agent, asks = attachment.check_trust(scheduler, command)
    return "The same of its edits wait for approval already." if asks == agent.asks else ""


def _draining(scheduler: Scheduler, command: c.DrainDevice) -> str:
    return "The device drains already." if fleet_commands.find(scheduler, command.device_id).draining else ""


def _not_draining(scheduler: Scheduler, command: c.ResumeDevice) -> str:
    return "" if fleet_commands.find(scheduler, command.device_id).draining else "The device does not drain."


def _enabled(scheduler: Scheduler, command: c.EnableDevice) -> str:
    return "The device is enabled already." if fleet_commands.find(scheduler, command.device_id).enabled else ""


def _disabled(scheduler: Scheduler, command: c.DisableDevice) -> str:
    return "" if fleet_commands.find(scheduler, command.device_id).enabled else "The device is disabled already."


def _works(scheduler: Scheduler, command: c.TryDeviceAgain) -> str:
    device = fleet_commands.find(scheduler, command.device_id)
    if device.breaker is not Breaker.CLOSED or device.failures:  # they are forgotten
        return ""
    if device.connecting:
        return "The device is being reached."
    return "The device is not suspended." if device.connected else ""


_IDLE: Final[dict[type[Any], Callable[[Scheduler, Any], str]]] = {
    c.PauseRun: _paused,
    c.ResumeRun: _executing,
    c.CancelRun: _over,
    c.CancelTasks: _ended,
    c.HoldTasks: _held,
    c.ReleaseTasks: _not_held,
    c.SetBreakpoints: _breakpoints,
    c.ClearBreakpoints: _no_breakpoints,
    c.RunUntil: _same_goal,
    c.PauseAgent: _agent_paused,
    c.ResumeAgent: _agent_at_work,
    c.TrustAgent: _same_trust,
    c.DrainDevice: _draining,
    c.ResumeDevice: _not_draining,
    c.EnableDevice: _enabled,
    c.DisableDevice: _disabled,
    c.TryDeviceAgain: _works,
}
