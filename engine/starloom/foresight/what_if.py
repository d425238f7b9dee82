"""The effect of edits and commands, if carried out now: two projections of one fork and their difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from starloom.constellation.edits import EditBatch
from starloom.errors import EditRefused
from starloom.foresight.projection import Projection, estimates_of, projection_of
from starloom.foresight.schedule import Schedule
from starloom.pauses import Pause, no_pause
from starloom.scheduling.commands import OPERATOR, EditConstellation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.constellation.edits import Edit
    from starloom.errors import CommandRefused
    from starloom.scheduling.commands import Command
    from starloom.scheduling.fork import Fork

SAME_TIME: Final = 1e-6
"""Seconds by which a start may differ without having moved."""


class Move(msgspec.Struct, frozen=True, gc=False):
    """A task that would start at another time or on another device; times on the engine's clock."""

    task_id: str
    start: float | None
    new_start: float | None
    device_id: str | None
    new_device_id: str | None


class WhatIf(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of edits and commands on the projection of a run.

    Attributes:
        before: what is foreseen as things are.
        after: what would be; None if something would be refused.
        problems: why it would be refused, in sentences.
        moves: the tasks of both that would start at another time or on another device, in the order of the new starts.
        skipped: the tasks that would be skipped or cancelled and otherwise would not.
        added, removed: the tasks of only one of the two.
    """

    before: Projection
    after: Projection | None = None
    problems: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()
    skipped: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def delay_s(self) -> float | None:
        """Seconds by which the run would end later, less than 0 if earlier; None if either end is unknown."""
        if self.after is None or self.after.end is None or self.before.end is None:
            return None
        return self.after.end - self.before.end


def what_if(
    fork: Fork,
    run_id: str,
    edits: Sequence[Edit] = (),
    commands: Sequence[Command] = (),
    *,
    origin: str = OPERATOR,
    samples: int | None = None,
    seed: int = 0,
    pause: Pause = no_pause,
) -> WhatIf:
    """The effect of edits to a run's graph, as one batch, and then of commands. Pure; see `project`.

    Args:
        fork: where the run stands; stays as it is.
        run_id: a run of the fork.
        edits: the batch.
        commands: what else would be asked for, in order; they may concern other runs of the fork, or the fleet.
        origin: in whose name the batch would be sent.
        samples: how many ends are sampled of each.
        seed: the same for both, so that chance does not look like a difference.
        pause: see `pauses.Pause`.

    Raises:
        KeyError: the run is not in the fork.
    """
    estimates = estimates_of(fork, pause)
    now = Schedule(fork, run_id, estimates, pause=pause)
    before = projection_of(now, samples=samples, seed=seed, pause=pause)
    asked: list[Command] = [*commands]
    if edits:
        asked.insert(0, EditConstellation(run_id=run_id, batch=EditBatch(edits=tuple(edits), origin=origin)))
    then = Schedule(fork, run_id, estimates, asked, pause)
    if then.refusals:
        return WhatIf(before=before, problems=tuple(_sentences(then.refusals)))
    after = projection_of(then, samples=samples, seed=seed, pause=pause)
    return compare(before, after)


def compare(before: Projection, after: Projection) -> WhatIf:
    """The difference between two projections of a run.

    Args:
        before: as the run stands.
        after: with the change.
    """
    gone = {*after.skipped, *after.failing}
    return WhatIf(
        before=before,
        after=after,
        moves=tuple(_moves(before, after)),
        skipped=tuple(id for id in after.skipped if id not in set(before.skipped)),
        added=tuple(id for id in after.tasks if id not in before.tasks and id not in before.skipped),
        removed=tuple(id for id in before.tasks if id not in after.tasks and id not in gone),
    )


def _moves(before: Projection, after: Projection) -> list[Move]:
    moves = [
        Move(id, old.start, new.start, old.device_id, new.device_id)
        for id, new in after.tasks.items()
        if (old := before.tasks.get(id)) is not None
        and (old.device_id != new.device_id or _is_elsewhen(old.start, new.start))
    ]
    return sorted(moves, key=lambda move: float("inf") if move.new_start is None else move.new_start)


def _is_elsewhen(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is not other
    return abs(one - other) > SAME_TIME


def _sentences(refusals: Sequence[CommandRefused]) -> list[str]:
    found: list[str] = []
    for refusal in refusals:
        found += map(str, refusal.problems) if isinstance(refusal, EditRefused) else [str(refusal)]
    return found
