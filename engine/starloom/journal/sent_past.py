"""Earlier moments of a run of which another program sends the rows: from where they begin to the last one that came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.journal.base import JournalError, Moment
from starloom.journal.sent_rows import RowsOfTurns, RunReplica
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.fold.runs import shift

if TYPE_CHECKING:
    from collections.abc import Sequence


class SentPast:
    """What was sent of a run, kept as bytes, as it may never be looked at.

    Args:
        run_id: of the run.

    Attributes:
        first: the number of the event after which it is known; 0: from its beginning.
    """

    def __init__(self, run_id: str) -> None:
        self.first = 0
        self._run_id = run_id
        self._checkpoint: tuple[int, Sequence[bytes], Sequence[Sequence[bytes]]] | None = None
        self._rows: list[bytes] = []

    def begin(self, row: int, links: Sequence[bytes], graph: Sequence[Sequence[bytes]], seq: int) -> None:
        """Begin with a checkpoint: nothing before is known any more; see `RunReplica.begin`.

        Args:
            row: the last row it stands for.
            links: of the checkpoint.
            graph: likewise.
            seq: the number of the last event it stands for.
        """
        self.first, self._checkpoint, self._rows = seq, (row, links, graph), []

    def add(self, rows: Sequence[bytes]) -> None:
        """Add the next rows."""
        self._rows += rows

    def moment(self, seq: int) -> Moment:
        """The run after one of its events, its times as on the clock of the last program that ran it.

        Args:
            seq: the number of the event, `first` or later; of a later one than there is the last one counts.

        Raises:
            JournalError: nothing is known of that event, or what came cannot be read.
        """
        if seq < self.first:
            raise JournalError(f"Of the run {self._run_id!r} nothing is here before its event {self.first}.")
        replica = RunReplica(self._run_id)
        if self._checkpoint is not None:
            replica.begin(*self._checkpoint)
        view, at, wall, later = replica.view, replica.at, replica.wall, 0.0
        rows = RowsOfTurns(self._run_id)
        for turn in rows.take(self._rows, view.run.seq):
            wanted = [event for event in turn.events if event.seq <= seq]
            if wanted:
                fold(view, wanted)
                at, wall = wanted[-1].at, turn.wall
            later += sum(event.shift for event in turn.events if type(event) is ev.RunRecovered and event.seq > seq)
        if later:
            shift(view.run, later)
        return Moment(view, at + later, wall)
