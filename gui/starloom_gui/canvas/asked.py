"""What the user of a canvas wants something of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user wants something of.

    Attributes:
        number: of the task, or of the first one in a folded group; None: of the canvas itself.
        at: where on the screen.
        group: the name of the folded group; empty: it is a task.
    """

    number: int | None
    at: QPoint
    group: str = ""
