"""The critical path of a finished run, and projections of its end, as a report has them; in seconds since its start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec.structs import replace

if TYPE_CHECKING:
    from starloom.scheduling.state.folded_run import FoldedRun


class ReportedStep(msgspec.Struct, frozen=True):
    """One attempt on the critical path; see `scheduling.read.critical_path`.

    Attributes:
        attempt: its place; None: it is a gate that was asked.
        waited_for: why it did not start before, in words of `scheduling.read.critical_path.WaitedFor`.
        gap: seconds between the end of the step before and its start, without those in which the run had ended.
    """

    task: int
    attempt: int | None
    started: float
    ended: float
    waited_for: str
    gap: float

    @property
    def seconds(self) -> float:
        """The duration in seconds."""
        return self.ended - self.started


class Foreseen(msgspec.Struct, frozen=True):
    """A projected end of the run.

    Attributes:
        end: in seconds since its start.
        before: likewise, before the edit; None: it was not known, or this is of no edit.
        is_least: whether some tasks had no estimate and counted as nothing, so that it could well be later.
    """

    end: float
    before: float | None = None
    is_least: bool = False


def shifted(foreseen: Foreseen, by: float) -> Foreseen:
    """The same, so many seconds later."""
    before = None if foreseen.before is None else foreseen.before + by
    return replace(foreseen, end=foreseen.end + by, before=before)


class Foresee(Protocol):
    """The protocol of projections: when a run will end from where it stands; times on the engine's clock."""

    def __call__(self, folded: FoldedRun, at: float) -> Foreseen | None:
        """The projected end; None: nobody can tell it from the run alone, or it would take too long to compute.

        Args:
            folded: the run and its fleet; stay as they are.
            at: the moment at which it stands so.
        """
