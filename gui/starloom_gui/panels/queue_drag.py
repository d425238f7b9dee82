"""Moving a row of the queue up and down, by pointer or by keys: its task gets the priority that puts it there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from starloom_gui.editing.ordering import Putting, QueueNeighbour
from starloom_gui.text.words import fill, translate
from starloom_gui.theme.metrics import RING, ROW
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.reason_note import note_box, paint_note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QPoint

    from starloom_gui.editing.ordering import Ordering
    from starloom_gui.editing.trial import Trial
    from starloom_gui.models.queue_table import QueueRow
    from starloom_gui.theme.palette import Palette

_FADED: Final = 0.6
"""What is left out of the row that is moved, so that 40 % of it can be seen where it was."""


@dataclass(frozen=True, slots=True)
class MenuAt:
    """A request for the context menu of a queued task, at a place on the screen."""

    row: QueueRow
    at: QPoint


class RowGeometry(Protocol):
    """The protocol of the list that a row is dragged in."""

    def top_of(self, row: int) -> int:
        """The upper edge of a row in the viewport; of the row behind the last one, where that ends."""

    def row_below(self, y: float) -> int:
        """The row whose upper edge is nearest to that height."""


class MoveRow:
    """Drags a row of the queue. A command is sent at the end only, and only if the order has changed.

    Args:
        board: the list.
        rows: the rows as they stand; they stay so while the gesture goes on.
        at: which of them is moved.
        ordering: may it, and do it.
        trial: says what it would change once it rests; None: nothing is foreseen.
    """

    def __init__(
        self, board: RowGeometry, rows: Sequence[QueueRow], at: int, ordering: Ordering, trial: Trial | None = None
    ) -> None:
        self._board, self._rows, self._from = board, rows, at
        self._trial = trial
        self._putting = Putting(ordering, _other(rows[at]))
        self._gap = at
        self._at: QPointF | None = None

    # ---- on its way

    def move(self, at: QPointF) -> None:
        """Move the row to the pointer; also to be called when the rows have moved under it."""
        self._at = at
        self._aim(self._board.row_below(at.y()))

    def step(self, by: int) -> None:
        """Move the row one down (1) or up (-1); at the ends it stays."""
        at = self._gap + by
        if at in (self._from, self._from + 1) and self._gap not in (self._from, self._from + 1):
            at = self._from  # both gaps beside it are where it is
        elif self._gap in (self._from, self._from + 1):
            at = self._from - 1 if by < 0 else self._from + 2
        self._aim(at)

    def _aim(self, gap: int) -> None:
        self._gap = min(max(gap, 0), len(self._rows))
        stays = self._gap in (self._from, self._from + 1)
        other = None if stays else _other(self._rows[self._gap if self._ahead else self._gap - 1])
        self._putting.aim(other, ahead=self._ahead)
        if self._trial is not None:
            self._trial.ask(self._putting.step)

    @property
    def _ahead(self) -> bool:
        return self._gap <= self._from

    @property
    def gap(self) -> int:
        """The row before which it is held."""
        return self._gap

    @property
    def lands(self) -> int | None:
        """The row before which it would be put; None: it stays where it is."""
        found = self._putting.found
        if self._putting.priority is None or found is None:
            return None
        place = found.place - 1
        return min(place if self._ahead else place + 1, len(self._rows))

    @property
    def is_wrong(self) -> bool:
        """Whether it cannot be put there."""
        return self._putting.is_wrong

    @property
    def words(self) -> str:
        """The effect of the move in words, or why it is not possible."""
        words = self._putting.words
        if not words:
            return fill(translate("Ordering", "Stays at place %1"), self._rows[self._from].place)
        more = self._trial.words if self._trial is not None and not self.is_wrong else ""
        return "\n".join(filter(None, (words, more)))

    # ---- its end

    def commit(self) -> None:
        """Set the priority for the new place, if there is one."""
        self.cancel()
        self._putting.commit()

    def cancel(self) -> None:
        """End the drag without a change."""
        if self._trial is not None:
            self._trial.ask(None)

    # ---- what is seen

    def paint(self, painter: QPainter, room: QRectF, palette: Palette) -> None:
        """Paint the row dimmed at its old place, a line at the new place, and the projected effect."""
        top = self._board.top_of(self._from)
        painter.fillRect(QRectF(0, top, room.width(), ROW), colour(palette.panel, _FADED))
        lands = self.lands
        line = self._board.top_of(lands if lands is not None else self._gap)
        if lands is not None or self.is_wrong:
            pen = QPen(colour(palette.text), RING)
            if self.is_wrong:
                pen.setDashPattern([2.0, 2.0])
            painter.setPen(pen)
            y = min(max(float(line), 1.0), room.height() - 1.0)
            painter.drawLine(QPointF(0, y), QPointF(room.width(), y))
        at = self._at if self._at is not None else QPointF(room.width() / 3, line)
        paint_note(painter, self.words, note_box(self.words, at, room), palette, wrong=self.is_wrong)


def _other(row: QueueRow) -> QueueNeighbour:
    return QueueNeighbour(row.run_id, row.number, row.name)
