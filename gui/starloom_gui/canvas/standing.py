"""Where nodes stood before the user put some of them elsewhere: enough to have all of them stand there again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from starloom.layout import Routes
from starloom_gui.editing.base import Rearranged

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.layout import Direction, Layout, Point
    from starloom_gui.canvas.arranging import Arrangement


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """How everything stands at a moment, also what has had to give way to nodes that were put somewhere.

    Attributes:
        direction: where dependencies point.
        pinned: by number, where the user has put nodes.
        layout: what is gone on from; without its routes, which are found anew and are most of it.
    """

    direction: Direction
    pinned: Mapping[int, Point]
    layout: Layout

    @classmethod
    def of(cls, arrangement: Arrangement, layout: Layout) -> Standing:
        """What is shown now."""
        starts = np.zeros(len(layout.graph.edges) + 1, dtype=np.int64)
        bare = replace(layout, routes=Routes(np.empty((0, 2)), starts))
        return cls(arrangement.direction, arrangement.pinned, bare)


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """What the user has put elsewhere.

    Attributes:
        label: what that is called, e.g. "Move 3 tasks".
        back: takes it back.
        merges: what follows another one with the same non-empty text is one step of undo with it.
    """

    label: str
    back: Rearranged
    merges: str = ""


class Stands(Protocol):
    """A canvas whose nodes can be put."""

    def standing(self) -> Standing | None:
        """How everything stands now; None: nothing is shown yet."""

    def stand_as(self, before: Standing) -> None:
        """Have everything stand as it did."""


def way_back(view: Stands, before: Standing) -> Rearranged:
    """What takes back whatever is done to a canvas after it stood like this; that can be done again, too."""

    def carry_out() -> Rearranged:
        now = view.standing()
        view.stand_as(before)
        return way_back(view, now if now is not None else before)

    return Rearranged(carry_out)
