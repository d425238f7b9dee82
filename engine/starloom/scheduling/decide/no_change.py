"""The reasons why a command would change nothing, as sentences for `specs`: one function for each.

Each takes the scheduler and a command that would not be refused, and returns a sentence for people; empty: the command
would change something, or may.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.status import Breaker, RunState
from starloom.scheduling.decide import attachment, fleet_commands, lookup, stepping
from starloom.scheduling.state import stops
from starloom.scheduling.state.codes import RUNNING, is_terminal

if TYPE_CHECKING:
    from starloom.scheduling import commands as c
    from starloom.scheduling.state.scheduler_state import SchedulerState


def is_paused(scheduler: SchedulerState, command: c.PauseRun) -> str:
    """The run is paused."""
    return "The run is paused already." if scheduler.run(command.run_id).state is RunState.PAUSED else ""


def is_executing(scheduler: SchedulerState, command: c.ResumeRun) -> str:
    """The run executes."""
    return "The run is not paused." if scheduler.run(command.run_id).state is RunState.EXECUTING else ""


def is_over(scheduler: SchedulerState, command: c.CancelRun) -> str:
    """The run has ended, or is being cancelled."""
    run = scheduler.run(command.run_id)
    if run.state.has_ended:
        return "The run has ended."
    return "The run is being cancelled already." if run.cancel_requested else ""


def have_ended(scheduler: SchedulerState, command: c.CancelTasks) -> str:
    """The tasks have ended, or are being stopped."""
    index, numbers = lookup.tasks_of(scheduler, command)
    run = index.run
    if all(is_terminal(run.status[number]) for number in numbers):
        return "It has ended already." if len(numbers) == 1 else "They have ended already."
    still = [number for number in numbers if not is_terminal(run.status[number])]
    stopping = all(run.status[number] == RUNNING and run.stopping.get(number) == "cancelled" for number in still)
    return "It is being stopped already." if stopping else ""


def are_held(scheduler: SchedulerState, command: c.HoldTasks) -> str:
    """The tasks are held."""
    index, numbers = lookup.tasks_of(scheduler, command)
    return "Already held." if all(number in index.run.held for number in numbers) else ""


def are_not_held(scheduler: SchedulerState, command: c.ReleaseTasks) -> str:
    """The tasks are not held."""
    index, numbers = lookup.tasks_of(scheduler, command)
    return "" if any(number in index.run.held for number in numbers) else "Not held."


def have_breakpoints(scheduler: SchedulerState, command: c.SetBreakpoints) -> str:
    """The tasks have breakpoints."""
    index, numbers = lookup.tasks_of(scheduler, command)
    return "It is set already." if all(stops.stops(index.run, number) for number in numbers) else ""


def have_no_breakpoints(scheduler: SchedulerState, command: c.ClearBreakpoints) -> str:
    """The tasks have none."""
    index, numbers = lookup.tasks_of(scheduler, command)
    return "" if any(number in index.run.breakpoints for number in numbers) else "None is set."


def has_same_goal(scheduler: SchedulerState, command: c.RunUntil) -> str:
    """The run has this goal already, and goes on to it."""
    index, goals = stepping.check_until(scheduler, command)
    if goals != index.run.until or (goals is not None and index.run.state is RunState.PAUSED):
        return ""
    if goals is None and index.run.state is not RunState.EXECUTING:
        return f"The run has no goal, and is {index.run.state}."
    return "The run goes on for everything already." if goals is None else "The run goes on until there already."


def agent_is_paused(scheduler: SchedulerState, command: c.PauseAgent) -> str:
    """The agent is paused."""
    return "The agent is paused already." if attachment.check_agent(scheduler, command)[1].paused else ""


def agent_is_at_work(scheduler: SchedulerState, command: c.ResumeAgent) -> str:
    """The agent is not paused."""
    return "" if attachment.check_agent(scheduler, command)[1].paused else "The agent is not paused."


def has_same_trust(scheduler: SchedulerState, command: c.TrustAgent) -> str:
    """The same kinds of its edits need approval."""
    _, agent, asks = attachment.check_trust(scheduler, command)
    return "The same of its edits wait for approval already." if asks == agent.asks else ""


def is_draining(scheduler: SchedulerState, command: c.DrainDevice) -> str:
    """The device drains."""
    return "The device drains already." if fleet_commands.find(scheduler, command.device_id).draining else ""


def is_not_draining(scheduler: SchedulerState, command: c.ResumeDevice) -> str:
    """The device does not drain."""
    return "" if fleet_commands.find(scheduler, command.device_id).draining else "The device does not drain."


def is_enabled(scheduler: SchedulerState, command: c.EnableDevice) -> str:
    """The device is enabled."""
    return "The device is enabled already." if fleet_commands.find(scheduler, command.device_id).enabled else ""


def is_disabled(scheduler: SchedulerState, command: c.DisableDevice) -> str:
    """The device is disabled."""
    return "" if fleet_commands.find(scheduler, command.device_id).enabled else "The device is disabled already."


def works(scheduler: SchedulerState, command: c.TryDeviceAgain) -> str:
    """The device is connected and not suspended, or is being reached."""
    device = fleet_commands.find(scheduler, command.device_id)
    if device.breaker is not Breaker.CLOSED or device.failures:  # they are forgotten
        return ""
    if device.connecting:
        return "The device is being reached."
    return "The device is not suspended." if device.connected else ""
