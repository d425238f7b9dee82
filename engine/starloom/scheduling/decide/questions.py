"""Queries that change nothing: would a command be refused, and would it have an effect?

Whoever offers commands to people asks here, by the very rules the scheduler goes by when it is given them. The texts of
`idle` are for people, as those of refusals are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.errors import CommandRefused
from starloom.scheduling.decide.checking import check
from starloom.scheduling.decide.reservations import check_reserved
from starloom.scheduling.decide.specs import SPECS

if TYPE_CHECKING:
    from starloom.scheduling import commands as c
    from starloom.scheduling.state.scheduler_state import SchedulerState


def refusal(scheduler: SchedulerState, command: c.Command) -> CommandRefused | None:
    """The reason why the scheduler would refuse a command now; None: it would not.

    Args:
        scheduler: which one.
        command: one about a run, its tasks or its graph, about a device that is there, or about limits. Submissions,
            new runs and new devices are not asked about.
    """
    try:
        check(command)
        check_reserved(scheduler, command)
        refuse = SPECS[type(command)].refuse
        assert refuse is not None, f"{type(command).__name__} is not asked about"
        refuse(scheduler, command)
    except CommandRefused as refused:
        return refused
    return None


def idle(scheduler: SchedulerState, command: c.Command) -> str:
    """The reason why an accepted command would change nothing, as a sentence; empty: it would, or may."""
    reason = SPECS[type(command)].no_change
    return reason(scheduler, command) if reason is not None else ""
