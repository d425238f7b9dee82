"""The positions of all nodes at a moment, from which they can be restored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from starloom.layout import Routes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.layout import Direction, Layout, Point
    from starloom_gui.canvas.arranging import LayoutOptions
    from starloom_gui.editing.base import Rearranged


@dataclass(frozen=True, slots=True, eq=False)
class NodePositions:
    """The positions of all nodes at a moment, also of those that gave way to nodes the user placed.

    Attributes:
        direction: where dependencies point.
        pinned: by number, where the user has put nodes.
        layout: what is gone on from; without its routes, which are found anew and are most of it.
    """

    direction: Direction
    pinned: Mapping[int, Point]
    layout: Layout

    @classmethod
    def of(cls, arrangement: LayoutOptions, layout: Layout) -> NodePositions:
        """What is shown now."""
        starts = np.zeros(len(layout.graph.edges) + 1, dtype=np.int64)
        bare = replace(layout, routes=Routes(np.empty((0, 2)), starts))
        return cls(arrangement.direction, arrangement.pinned, bare)


@dataclass(frozen=True, slots=True, eq=False)
class Rearrangement:
    """A change of positions by the user, as a step of undo.

    Attributes:
        label: what that is called, e.g. "Move 3 tasks".
        back: takes it back.
        merges: what follows another one with the same non-empty text is one step of undo with it.
    """

    label: str
    back: Rearranged
    merges: str = ""
