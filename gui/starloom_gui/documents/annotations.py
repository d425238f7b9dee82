"""The console's own data beside the facts of a run: notes and node positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from starloom.model.note import Note
    from starloom.model.positions import Positions


@dataclass(frozen=True, slots=True)
class Annotations:
    """The console's own notes on a run, beside the facts.

    Attributes:
        notes: what is written beside its tasks; None: what was at its start.
        layout: where its nodes were placed; None: where they were at its start.
    """

    notes: tuple[Note, ...] | None = None
    layout: Positions | None = None


FROM_START: Final = Annotations()
