"""The specification of each command: handler, check, when it would change nothing, and its JSON name.

A new command is a class in `commands` and an entry here. The scheduler carries commands out by this table, `questions`
answers by it, and `formats.command_forms` reads and writes those that have a word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starloom.scheduling import commands as c
from starloom.scheduling import reservation_commands as reserving
from starloom.scheduling.decide import (
    approvals,
    asking,
    attachment,
    cycles,
    editing,
    fleet_commands,
    gates,
    lifecycle,
    lookup,
    no_change,
    recovery,
    reservations,
    steering,
    stepping,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starloom.scheduling.state.scheduler_state import SchedulerState


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """The specification of one kind of command.

    Attributes:
        kind: its class.
        carry_out: does it in a turn and returns the sender's answer; raises `CommandRefused`.
        refuse: raises `CommandRefused` where `carry_out` would, and changes nothing; None: nobody asks beforehand.
        no_change: says why the command would change nothing; empty: it would, or may. None: it always may.
        word: what it is called in scripts and in JSON; empty: it has no such form.
    """

    kind: type[c.Command]
    carry_out: Callable[[SchedulerState, Any], Any]
    refuse: Callable[[SchedulerState, Any], object] | None = None
    no_change: Callable[[SchedulerState, Any], str] | None = None
    word: str = ""


def _run_of(scheduler: SchedulerState, command: c.RunCommand) -> object:
    return lookup.find(scheduler, command.run_id)


def _device_of(scheduler: SchedulerState, command: c.DeviceCommand) -> object:
    return fleet_commands.find(scheduler, command.device_id)


SPECS: Final[Mapping[type[Any], CommandSpec]] = {
    spec.kind: spec
    for spec in (
        CommandSpec(c.CreateRun, lifecycle.create),
        CommandSpec(c.RecoverRun, recovery.recover),
        CommandSpec(c.StartRun, lifecycle.start, refuse=lifecycle.check_start, word="start"),
        CommandSpec(
            c.PauseRun, lifecycle.pause, refuse=lifecycle.check_pause, no_change=no_change.is_paused, word="pause"
        ),
        CommandSpec(
            c.ResumeRun,
            lifecycle.resume,
            refuse=lifecycle.check_resume,
            no_change=no_change.is_executing,
            word="resume",
        ),
        CommandSpec(c.CancelRun, lifecycle.cancel, refuse=_run_of, no_change=no_change.is_over, word="cancel_run"),
        CommandSpec(c.HoldRunOpen, lifecycle.hold_open, refuse=_run_of, word="hold_open"),
        CommandSpec(c.SetRunLimit, lifecycle.set_limit, refuse=lifecycle.check_limit, word="set_limit"),
        CommandSpec(c.CloseAdmission, lifecycle.close_admission),
        CommandSpec(c.EditConstellation, editing.edit, refuse=editing.check_edit, word="edit"),
        CommandSpec(c.AttachAgent, attachment.attach, refuse=attachment.check_attach),
        CommandSpec(
            c.PauseAgent,
            attachment.pause,
            refuse=attachment.check_agent,
            no_change=no_change.agent_is_paused,
            word="pause_agent",
        ),
        CommandSpec(
            c.TrustAgent,
            attachment.trust,
            refuse=attachment.check_trust,
            no_change=no_change.has_same_trust,
            word="trust_agent",
        ),
        CommandSpec(
            c.ResumeAgent,
            attachment.resume,
            refuse=attachment.check_agent,
            no_change=no_change.agent_is_at_work,
            word="resume_agent",
        ),
        CommandSpec(c.DetachAgent, attachment.detach, refuse=attachment.check_agent, word="detach_agent"),
        CommandSpec(c.SetFence, attachment.set_fence, refuse=attachment.check_fence, word="set_fence"),
        CommandSpec(c.AnswerEditCycle, cycles.answer),
        CommandSpec(c.AnswerApproval, approvals.answer, refuse=approvals.check_answer, word="answer_approval"),
        CommandSpec(c.AnswerGate, gates.answer, refuse=gates.check_answer, word="answer_gate"),
        CommandSpec(c.AnswerQuestion, asking.answer, refuse=asking.check_answer, word="answer_question"),
        CommandSpec(
            c.SetBreakpoints,
            stepping.set_breakpoints,
            refuse=lookup.tasks_of,
            no_change=no_change.have_breakpoints,
            word="set_breakpoints",
        ),
        CommandSpec(
            c.ClearBreakpoints,
            stepping.clear_breakpoints,
            refuse=lookup.tasks_of,
            no_change=no_change.have_no_breakpoints,
            word="clear_breakpoints",
        ),
        CommandSpec(
            c.RunUntil,
            stepping.run_until,
            refuse=stepping.check_until,
            no_change=no_change.has_same_goal,
            word="run_until",
        ),
        CommandSpec(c.StepRun, stepping.step, refuse=stepping.check_step, word="step"),
        CommandSpec(
            c.CancelTasks, steering.cancel, refuse=lookup.tasks_of, no_change=no_change.have_ended, word="cancel"
        ),
        CommandSpec(c.HoldTasks, steering.hold, refuse=steering.check_hold, no_change=no_change.are_held, word="hold"),
        CommandSpec(
            c.ReleaseTasks, steering.release, refuse=lookup.tasks_of, no_change=no_change.are_not_held, word="release"
        ),
        CommandSpec(c.RetryTasks, steering.retry, refuse=steering.check_retry, word="retry"),
        CommandSpec(c.SkipTasks, steering.skip, refuse=steering.check_skip, word="skip"),
        CommandSpec(c.MarkTasks, steering.mark, refuse=steering.check_mark, word="mark"),
        CommandSpec(c.RerunFrom, steering.rerun_from, refuse=steering.check_rerun, word="rerun_from"),
        CommandSpec(c.SetPriority, steering.set_priority, refuse=steering.check_priority, word="set_priority"),
        CommandSpec(c.PinTasks, steering.pin, refuse=steering.check_pin, word="pin"),
        CommandSpec(c.SetLimits, fleet_commands.set_limits, refuse=fleet_commands.check_limits, word="set_limits"),
        CommandSpec(c.OpenFleet, fleet_commands.open_fleet),
        CommandSpec(c.AddDevice, fleet_commands.add),
        CommandSpec(c.RemoveDevice, fleet_commands.remove, refuse=fleet_commands.check_remove, word="remove_device"),
        CommandSpec(c.RemoveDevices, fleet_commands.remove_all),
        CommandSpec(
            c.DrainDevice, fleet_commands.drain, refuse=_device_of, no_change=no_change.is_draining, word="drain_device"
        ),
        CommandSpec(
            c.ResumeDevice,
            fleet_commands.resume,
            refuse=_device_of,
            no_change=no_change.is_not_draining,
            word="resume_device",
        ),
        CommandSpec(
            c.EnableDevice,
            fleet_commands.enable,
            refuse=_device_of,
            no_change=no_change.is_enabled,
            word="enable_device",
        ),
        CommandSpec(
            c.DisableDevice,
            fleet_commands.disable,
            refuse=_device_of,
            no_change=no_change.is_disabled,
            word="disable_device",
        ),
        CommandSpec(c.SetSlots, fleet_commands.set_slots, refuse=fleet_commands.check_slots, word="set_slots"),
        CommandSpec(
            c.TryDeviceAgain,
            fleet_commands.try_again,
            refuse=_device_of,
            no_change=no_change.works,
            word="try_device_again",
        ),
        CommandSpec(reserving.Reserve, reservations.reserve, refuse=reservations.check_reserve, word="reserve"),
        CommandSpec(
            reserving.ReleaseReservation,
            reservations.release,
            refuse=reservations.check_release,
            word="release_reservation",
        ),
        CommandSpec(
            reserving.BreakReservation,
            reservations.break_reservation,
            refuse=reservations.check_break,
            word="break_reservation",
        ),
    )
}
WORDS: Final[Mapping[str, type[Any]]] = {spec.word: spec.kind for spec in SPECS.values() if spec.word}
"""The commands that scripts and JSON can hold, by their words."""
