"""The overlay of staged edits as a value: a copy of a run's facts with the edits applied, and marks.

Only the tasks that have changed are copied while the copy follows the run: what 10,000 others do costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from starloom.scheduling.state.run_facts import RunFacts

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from starloom_gui.viewmodel.stage import Stage

Pair = tuple[int, int]

_OF_TASKS: Final = (
    "status",
    "unmet",
    "tries",
    "ready_at",
    "started_at",
    "ended_at",
    "device_of",
    "slot_of",
    "results",
    "priority",
)
"""What there is one of for each task."""
_OF_FEW: Final = ("no", "pins")
"""What edits change of few tasks, by number."""
_ITS_OWN: Final = frozenset(
    {
        *_OF_TASKS,
        *_OF_FEW,
        "graph",
        "verdicts",
        "unevaluated",
        "touched",
        "overwritten",
        "fleet",
        "revision",
        "plain",
        "any_joins",
        "grouped",
        "open",
        "stalled",
    }
)
"""What the copy has for itself; all else it shares with the run."""


@dataclass(frozen=True, slots=True)
class StagedOverlay:
    """The overlay that is drawn while edits are staged; by number, as `Picture` has it.

    Attributes:
        facts: with what would be added, and with what would be removed still there; its lists of parents are those
            that there would be.
        stages: what would become of tasks.
        edge_stages: likewise of dependencies, as pairs of parent and child.
        extra: the dependencies that would be removed and that the lists of parents do not have.
        order: where each task stands in an order that all dependencies but the extra ones keep; () if there are none.
        lent: numbers beyond those of the run, of tasks that are only drawn; it may give them to others.
    """

    facts: RunFacts
    stages: dict[int, Stage] = field(default_factory=dict)
    edge_stages: dict[Pair, Stage] = field(default_factory=dict)
    extra: tuple[Pair, ...] = ()
    order: Sequence[int] = ()
    lent: frozenset[int] = frozenset()


def follow_tasks(run: RunFacts, copy: RunFacts, numbers: Collection[int]) -> None:
    """Copy the state of these tasks from a run to its copy, which shares the run's own state.

    Args:
        run: its facts now.
        copy: facts of the same run, with edits that are not committed.
        numbers: of tasks that both have.
    """
    for name in _OF_TASKS:
        there, here = getattr(run, name), getattr(copy, name)
        for number in numbers:
            here[number] = there[number]
    for name in _OF_FEW:
        _follow_few(getattr(run, name), getattr(copy, name), numbers)
    copy.verdicts.update(run.verdicts)
    copy.unevaluated.update(run.unevaluated)
    for name in RunFacts.__slots__:
        if name not in _ITS_OWN:
            setattr(copy, name, getattr(run, name))


def _follow_few(there: dict[int, object], here: dict[int, object], numbers: Collection[int]) -> None:
    for number in numbers:
        if number in there:
            here[number] = there[number]
        else:
            here.pop(number, None)
