"""The last layouts of a graph, to go back to: what an undo brings back stands where it was."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from starloom.layout import Layout
    from starloom.layout.values import IntArray
    from starloom_gui.canvas.arranging import LayoutInput
    from starloom_gui.canvas.render_model import GraphRenderModel

_MOST: Final = 8
_LARGEST: Final = 20_000
"""Of graphs with more nodes nothing is kept: eight of their layouts would take more room than all else."""


class EarlierLayouts:
    """Keeps the last layouts that were shown, each with what was laid out."""

    def __init__(self) -> None:
        self._kept: deque[tuple[LayoutInput, Layout]] = deque(maxlen=_MOST)

    def keep(self, shape: LayoutInput | None, layout: Layout | None) -> None:
        """Keep a layout; None: nothing has been shown."""
        if shape is not None and layout is not None and len(shape.graph) <= _LARGEST:
            self._kept.append((shape, layout))

    def of(self, shape: LayoutInput) -> Layout | None:
        """The last layout of the same nodes, edges and places set by the user; None: it is not kept."""
        return next((layout for known, layout in reversed(self._kept) if _is_same(shape, known)), None)

    def forget(self) -> None:
        """Forget all of them, as everything is to be laid out anew."""
        self._kept.clear()


def come_back(layout: Layout | None, picture: GraphRenderModel | None) -> int | None:
    """A task of an earlier layout that is not shown, as its removal is undone now; None: there is none."""
    if layout is None or picture is None:
        return None
    return next((number for number in layout.graph.numbers.tolist() if picture.row(number) is None), None)


def _is_same(one: LayoutInput, other: LayoutInput) -> bool:
    """Whether two inputs have the same nodes and edges; an undo adds edges again in another order."""
    return (
        (one.direction, one.pinned) == (other.direction, other.pinned)
        and [group.name for group in one.folded] == [group.name for group in other.folded]
        and np.array_equal(one.graph.numbers, other.graph.numbers)
        and np.array_equal(_sorted_edges(one), _sorted_edges(other))
    )


def _sorted_edges(shape: LayoutInput) -> IntArray:
    """The edges in an order that depends on them only; each one number."""
    edges = shape.graph.edges
    return np.sort(edges[:, 0] * len(shape.graph) + edges[:, 1])
