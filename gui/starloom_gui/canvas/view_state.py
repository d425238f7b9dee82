"""The state of the view of a render model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starloom.layout.values import BoolArray
    from starloom_gui.canvas.colouring import Colouring


@dataclass(slots=True, eq=False)
class ViewState:
    """The state of the view of a render model: hovered, selected, focused and filtered nodes.

    Attributes:
        dim: (N,) whether a node is dimmed.
        selected: rows.
        current: the row that keys act on.
        hovered: the row under the pointer.
        focused: whether keys go to the canvas.
        fading: by row, the status it had and how much of that is still seen, 1 to 0.
        colouring: what colours nodes instead of their status; None: nothing does.
    """

    dim: BoolArray
    selected: frozenset[int] = frozenset()
    current: int | None = None
    hovered: int | None = None
    focused: bool = False
    fading: dict[int, tuple[int, float]] = field(default_factory=dict)
    colouring: Colouring | None = None
