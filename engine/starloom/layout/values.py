"""Input and output of a layout: frozen values over numpy arrays.

A node's *number* is the one it has in the constellation's graph: stable over all edits of a run, with gaps where tasks
were removed. A node's *row* is where it stands in the arrays of one layout. Only what is drawn is here, nothing of how
it is found.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from starloom.errors import StarloomError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom.constellation.graph import Graph

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
Point: TypeAlias = tuple[float, float]
"""x and y in logical pixels; y grows downwards."""


class LayoutStopped(StarloomError):  # noqa: N818 - it is no error of anyone
    """The layout was aborted by `should_stop`; there is no result."""

    def __init__(self) -> None:
        super().__init__("The layout was stopped before it was done. Nothing was changed; ask again if it is needed.")


class Direction(StrEnum):
    """The direction of dependencies."""

    RIGHT = "right"
    DOWN = "down"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spacing:
    """The distances between nodes and ranks, in logical pixels.

    Attributes:
        rank_gap: between the boxes of two neighbouring ranks.
        row_gap: between two boxes of one rank.
        edge_gap: between an edge that passes a rank and whatever is beside it.
        part_gap: between separate components of the graph.
        size: width and height of a node that has no size of its own.
    """

    rank_gap: float = 40.0
    row_gap: float = 16.0
    edge_gap: float = 12.0
    part_gap: float = 32.0
    size: tuple[float, float] = (192.0, 64.0)


@dataclass(frozen=True, slots=True, eq=False)
class LayoutGraph:
    """The structure of a graph: nodes and edges.

    Attributes:
        numbers: (N,) the number of each row, ascending.
        ids: the id of each row.
        edges: (E, 2) rows of parent and child of each edge.
    """

    numbers: IntArray
    ids: tuple[str, ...]
    edges: IntArray

    @classmethod
    def of(cls, graph: Graph) -> LayoutGraph:
        """The structure of a constellation now; later edits do not change it."""
        numbers = sorted(graph.place.values())
        row = dict(zip(numbers, range(len(numbers)), strict=True))
        flat = [row[end] for child in numbers for parent in graph.parents[child] for end in (parent, child)]
        return cls(_ints(numbers), tuple(graph.ids[n] for n in numbers), _ints(flat).reshape(-1, 2))

    @classmethod
    def of_pairs(cls, ids: Sequence[str], pairs: Iterable[tuple[str, str]]) -> LayoutGraph:
        """The structure of a graph given by ids; a node's number is its index in `ids`.

        Raises:
            ValueError: an id stands twice, or an edge names one that is not there.
        """
        row = {id: place for place, id in enumerate(ids)}
        if len(row) != len(ids):
            raise ValueError("An id stands twice among the nodes of a layout. Give each node an id of its own.")
        try:
            flat = [row[end] for pair in dict.fromkeys(pairs) for end in pair]
        except KeyError as error:
            raise ValueError(f"An edge of a layout names the node {error}, which is not among its nodes.") from None
        return cls(np.arange(len(ids)), tuple(ids), _ints(flat).reshape(-1, 2))

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True, slots=True, eq=False)
class Routes:
    """The routes of edges as cubic Bézier curves, all in one array so that a painter can batch them.

    Edge `e` has the control points `points[starts[e]:starts[e + 1]]`: a start, and three more points for each curve.

    Attributes:
        points: (P, 2) x and y of all control points.
        starts: (E + 1,) where each edge begins.
    """

    points: FloatArray
    starts: IntArray

    def of(self, edge: int) -> FloatArray:
        """The control points of one edge: (1 + 3k, 2), k ≥ 1."""
        return self.points[self.starts[edge] : self.starts[edge + 1]]

    def knots(self) -> tuple[FloatArray, IntArray]:
        """The points where curves meet, (K, 2), and where each edge begins among them, (E + 1,): rough polylines."""
        counts = (np.diff(self.starts) + 2) // 3
        starts = np.concatenate(([0], np.cumsum(counts)))
        within = np.arange(starts[-1]) - np.repeat(starts[:-1], counts)
        return self.points[np.repeat(self.starts[:-1], counts) + 3 * within], starts

    def flattened(self, pieces: int = 8) -> tuple[FloatArray, IntArray]:
        """Straight lines for a painter without curves: (L, 4) x1 y1 x2 y2, and the edge of each, (L,).

        Args:
            pieces: how many lines a curve becomes; what is straight stays one line.
        """
        first = _curve_starts(self.starts)
        corners = self.points[first[:, None] + np.arange(4)]
        edge = np.repeat(np.arange(len(self.starts) - 1), (np.diff(self.starts) - 1) // 3)
        straight = (np.abs(corners - corners[:, :1]).max(axis=1) < 1e-9).any(axis=1)
        t = np.linspace(0.0, 1.0, pieces + 1)[:, None]
        weights = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
        on_curve = np.einsum("tk,ckd->ctd", weights, corners[~straight])
        bent = np.concatenate([on_curve[:, :-1], on_curve[:, 1:]], axis=2).reshape(-1, 4)
        lines = np.vstack([np.hstack([corners[straight, 0], corners[straight, 3]]), bent])
        return lines, np.concatenate([edge[straight], np.repeat(edge[~straight], pieces)])


def _curve_starts(starts: IntArray) -> IntArray:
    curves = (np.diff(starts) - 1) // 3
    first = np.concatenate(([0], np.cumsum(curves)))
    within = np.arange(first[-1]) - np.repeat(first[:-1], curves)
    return _ints(np.repeat(starts[:-1], curves) + 3 * within)


@dataclass(frozen=True, slots=True, eq=False)
class Bends:
    """The points where long edges pass ranks; those of one parent, or of one child, coincide.

    Attributes:
        owner: (D,) the number of that parent or child.
        outgoing: (D,) whether it is the parent.
        rank: (D,) which rank is passed.
        across: (D,) where, across the direction of the dependencies.
    """

    owner: IntArray
    outgoing: BoolArray
    rank: IntArray
    across: FloatArray

    def keys(self, shift: int = 0) -> IntArray:
        """(D,) a unique number for each bend, with ranks counted from `shift` on."""
        return ((2 * self.owner + self.outgoing) << 32) + self.rank + shift


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Layout:
    """The positions of all nodes and edges. All arrays are read-only; those of nodes go by row.

    Attributes:
        graph: what was laid out.
        direction: where dependencies point.
        spacing: the distances that were kept.
        positions: (N, 2) the middle of each node's box.
        sizes: (N, 2) width and height of each node's box.
        ranks: (N,) the column (pointing right) or line (pointing down) of each node; a child's is higher than its
            parent's, unless one of them is pinned.
        order: (N,) the place of each node among those of its rank, by position.
        pinned: (N,) whether the user has placed the node.
        routes: the way of each edge.
        lines: the middle of each rank along the direction of the dependencies, by rank.
        bends: where long edges pass the ranks between their ends; what keeps their routes in place later.
    """

    graph: LayoutGraph
    direction: Direction
    spacing: Spacing
    positions: FloatArray
    sizes: FloatArray
    ranks: IntArray
    order: IntArray
    pinned: BoolArray
    routes: Routes
    lines: FloatArray
    bends: Bends
    _rows: dict[int, int] = field(init=False, repr=False)
    _bounds: tuple[float, float, float, float] | None = field(init=False, repr=False, default=None)

    def __post_init__(self) -> None:
        numbers = self.graph.numbers.tolist()
        object.__setattr__(self, "_rows", dict(zip(numbers, range(len(numbers)), strict=True)))
        for array in (self.positions, self.sizes, self.ranks, self.order, self.pinned, self.lines):
            array.flags.writeable = False
        self.routes.points.flags.writeable = False
        self.routes.starts.flags.writeable = False

    def __len__(self) -> int:
        return len(self.graph)

    def __contains__(self, number: object) -> bool:
        return number in self._rows

    def row(self, number: int) -> int:
        """The row of a node.

        Raises:
            KeyError: it is not in this layout.
        """
        return self._rows[number]

    def rows(self) -> dict[int, int]:
        """The row of each node by its number, as a new dictionary."""
        return self._rows.copy()

    def position(self, number: int) -> Point:
        """The centre of a node's box.

        Raises:
            KeyError: it is not in this layout.
        """
        x, y = self.positions[self._rows[number]].tolist()
        return x, y

    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of all boxes and routes; four zeros when it is empty."""
        if self._bounds is None:
            object.__setattr__(self, "_bounds", self._measured())
        assert self._bounds is not None
        return self._bounds

    def _measured(self) -> tuple[float, float, float, float]:
        if not len(self):
            return 0.0, 0.0, 0.0, 0.0
        half = self.sizes / 2
        everything = np.vstack([self.positions - half, self.positions + half, self.routes.points])
        x, y = np.ascontiguousarray(everything.T)  # numpy is some ten times slower along the first of two axes
        return float(x.min()), float(y.min()), float(x.max()), float(y.max())


def _ints(values: Any) -> IntArray:
    return np.asarray(values, dtype=np.int64)
