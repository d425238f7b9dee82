"""The badges of nodes: which one a task has, and what a click on it shows."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Final

from starloom.scheduling.read.simulated import was_simulated
from starloom.scheduling.state.codes import is_terminal
from starloom.scheduling.state.stops import is_bypassed
from starloom_gui.viewmodel.stage import Stage
from starloom_gui.viewmodel.status_forms import is_marked_held

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.scheduling.state.run_facts import RunFacts


class Badge(IntEnum):
    """The badge in a node's upper right corner."""

    NONE = 0
    HELD = 1
    RETRY = 2
    FENCE = 3
    GATE = 4
    BREAKPOINT = 5
    OVERDUE = 6
    BYPASS = 7
    QUIET = 8
    SIMULATED = 9
    PINNED = 10
    UNSET = 11


class BadgeAct(StrEnum):
    """What a click on a badge shows; of a badge that says all there is, nothing."""

    QUESTION = "question"
    WAITING = "waiting"
    OUTPUT = "output"
    CHANGES = "changes"
    FIELDS = "fields"


_ACTS: Final = {
    Badge.GATE: BadgeAct.QUESTION,
    Badge.FENCE: BadgeAct.WAITING,
    Badge.RETRY: BadgeAct.OUTPUT,
    Badge.QUIET: BadgeAct.OUTPUT,
    Badge.UNSET: BadgeAct.FIELDS,
}


def act_of(badge: int, stage: int) -> BadgeAct | None:
    """What a click on a node's badge shows; None: it has none, or nothing is to be shown.

    Args:
        badge: a code of `Badge`.
        stage: a code of `Stage`, whose badge goes first.
    """
    return BadgeAct.CHANGES if stage != Stage.NONE else _ACTS.get(Badge(badge))


def tasks_with_badges(facts: RunFacts) -> Iterator[int]:
    """The tasks that may have a badge for what the facts say of them, some of them more than once."""
    stops = facts.awaiting, facts.held, facts.backoff, facts.gates, facts.breakpoints
    for some in (*stops, facts.overdue, facts.simulated, facts.pins):
        yield from some


def badge_of(facts: RunFacts, number: int, *, is_fenced: bool, is_quiet: bool, is_unset: bool = False) -> Badge:
    """The badge of a task's node: of all that could be said, what matters most.

    Args:
        facts: of the run.
        number: of the task.
        is_fenced: whether it does not start because agents, or people, are asked.
        is_quiet: whether it runs and has printed nothing for long.
        is_unset: whether something is typed for it that it would start without.
    """
    if number in facts.awaiting:
        return Badge.GATE  # its attempt asks a person, as a gate does
    if is_unset:
        return Badge.UNSET
    if number in facts.overdue:
        return Badge.OVERDUE
    if is_quiet:
        return Badge.QUIET
    if is_marked_held(facts, number):
        return Badge.HELD
    if facts.pauses(number):
        return Badge.RETRY
    if (gate := facts.gates.get(number)) is not None and gate.is_open:
        return Badge.GATE
    if is_fenced:
        return Badge.FENCE
    if number in facts.breakpoints:
        return Badge.BREAKPOINT
    return _badge_of_place(facts, number)


def _badge_of_place(facts: RunFacts, number: int) -> Badge:
    """The badge that says whether and where a task runs, which is no stop."""
    if is_bypassed(facts, number):
        return Badge.BYPASS
    if was_simulated(facts, number):
        return Badge.SIMULATED
    is_pinned = number in facts.pins and not is_terminal(facts.status[number])  # one by its plan is as it was planned
    return Badge.PINNED if is_pinned else Badge.NONE
