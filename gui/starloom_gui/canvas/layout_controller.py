"""Controls the layout: positions the user has set, the direction of dependencies, and the undo of both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, QPointF, Signal

from starloom.layout import Direction, Routes
from starloom_gui.canvas.arranging import UNFOLDED, LayoutOptions
from starloom_gui.canvas.motion import ViewPosition
from starloom_gui.editing.base import Rearranged
from starloom_gui.editing.steps import named
from starloom_gui.text.words import fill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from starloom.layout import Layout, Point
    from starloom_gui.canvas.graph_layer import GraphLayer
    from starloom_gui.canvas.pan_zoom import PanZoom
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.viewmodel.grouping import Group
    from starloom_gui.viewmodel.selection import Selection

_MOVED: Final = 0.5
"""Nodes that are less than so far from where they were put are there."""


@dataclass(frozen=True, slots=True, eq=False)
class NodePositions:
    """The positions of all nodes at a moment, including those that the layout moved aside for placed nodes.

    Attributes:
        direction: where dependencies point.
        pinned: by number, where the user has put nodes.
        layout: the layout, without its routes, which are most of it and are computed again.
    """

    direction: Direction
    pinned: Mapping[int, Point]
    layout: Layout

    @classmethod
    def of(cls, arrangement: LayoutOptions, layout: Layout) -> NodePositions:
        """The positions that are shown now."""
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


class LayoutController(QObject):
    """Keeps the layout options of the user, and requests another render model when they change.

    Whoever lays out takes `arrangement` for it and has the canvas show what comes of it, whenever that is.

    Args:
        graph: what is shown.
        pan_zoom: where the view looks.
        selection: its current task stays visible when the direction changes.

    Attributes:
        wants_snap: whether the user wants nodes to stop where they line up with others.
        moves_freely: whether they don't for now, as a key is held.

    Signals:
        arrangement_changed(LayoutOptions): a picture laid out like this is wanted.
        going_back(Layout): the next one is wanted to go on from this layout, not from the last one.
        tidied(): the next one is wanted to go on from no layout at all.
        levels_asked(): a picture folded by levels and names is wanted; whoever lays out finds out what these are.
        rearranged(Rearrangement): the user has put nodes elsewhere.
        awaited(dict): these nodes, by number, will stand so far from where the picture has them.
    """

    arrangement_changed = Signal(LayoutOptions)
    going_back = Signal(object)
    tidied = Signal()
    levels_asked = Signal()
    rearranged = Signal(object)
    awaited = Signal(object)

    def __init__(self, graph: GraphLayer, pan_zoom: PanZoom, selection: Selection) -> None:
        super().__init__(graph)
        self._graph, self._pan_zoom, self._selection = graph, pan_zoom, selection
        self.wants_snap, self.moves_freely = False, False
        self._arrangement = UNFOLDED
        self._taken_over: list[Mapping[int, Point | None]] = []
        """What others have placed, in their order; None: where the layout puts it."""
        self._fits_next = self._looks_first_next = False

    @property
    def arrangement(self) -> LayoutOptions:
        """The layout options."""
        return self._arrangement

    def arrange(self, wanted: LayoutOptions) -> None:
        """Request a render model with other options; the present one is shown until it comes."""
        if wanted != self._arrangement:
            self._arrangement = wanted
            self.arrangement_changed.emit(wanted)

    def take_over(self, follow: Callable[[], object]) -> None:
        """Have something arranged that others have placed: taking back what the user did before leaves it so."""
        before = self._arrangement.pinned
        follow()
        after = self._arrangement.pinned
        changed = (number for number in before.keys() | after.keys() if before.get(number) != after.get(number))
        self._taken_over.append({number: after.get(number) for number in changed})

    def set_direction(self, direction: Direction) -> None:
        """Set the direction of dependencies; positions that the user has set are dropped."""
        if direction is not self._arrangement.direction:
            down = direction is Direction.DOWN
            words = self.tr("Let dependencies point down") if down else self.tr("Let dependencies point right")
            self.rearrange(replace(self._arrangement, direction=direction, pinned={}), words)

    def turn(self) -> None:
        """Toggle the direction of dependencies between right and down."""
        down = self._arrangement.direction is Direction.RIGHT
        self.set_direction(Direction.DOWN if down else Direction.RIGHT)

    # ---- what can be taken back

    def rearrange(self, wanted: LayoutOptions, label: str, merges: str = "") -> None:
        """Move nodes, as a step of undo where there is an undo history.

        Args:
            wanted: how.
            label: what the step is called.
            merges: see `Rearrangement`.
        """
        before = self.positions()
        self.arrange(wanted)
        if before is not None:
            self.rearranged.emit(Rearrangement(label, self._way_back(before), merges))

    def tidy(self) -> None:
        """Lay out all nodes again, also those placed by hand, as one step, and fit the view."""
        before = self.positions()
        if before is not None:
            self._fits_next = True
            self.begin_anew()
            self.arrange(replace(self._arrangement, pinned={}))
            self.rearranged.emit(Rearrangement(self.tr("Tidy"), self._way_back(before)))

    def begin_anew(self) -> None:
        """Compute the next layout without the previous one."""
        self.tidied.emit()

    def fold(
        self, folded: frozenset[str], sections: tuple[Group, ...] = (), *, anew: bool = False, first: bool = False
    ) -> None:
        """Show exactly these groups as one node each; it is no step of undo.

        Args:
            folded: their names.
            sections: what is folded instead of the groups of the outline; (): these are.
            anew: whether everything that was not placed by hand is laid out anew.
            first: whether the next picture is looked at as at first.
        """
        wanted = replace(self._arrangement, folded=folded, sections=sections)
        if wanted == self._arrangement:
            return
        self._looks_first_next = first
        if anew:
            self.begin_anew()
        self.arrange(wanted)

    def fold_by_levels(self) -> None:
        """Fold the graph into sections, as soon as these are computed, and lay all of it out anew."""
        self._looks_first_next = True
        self.levels_asked.emit()

    def positions(self) -> NodePositions | None:
        """The present positions; None: nothing is shown yet."""
        picture = self._graph.picture
        return NodePositions.of(self._arrangement, picture.layout) if picture is not None else None

    def restore(self, before: NodePositions) -> None:
        """Restore positions; nodes that were added since are placed by the layout."""
        self.going_back.emit(before.layout)
        self.arrange(replace(self._arrangement, direction=before.direction, pinned=before.pinned))
        self.await_layout()

    def _way_back(self, before: NodePositions) -> Rearranged:
        """Return the step that restores these positions but for what others have placed since; it can be undone."""
        known = len(self._taken_over)

        def carry_out() -> Rearranged:
            now = self.positions()
            pinned: dict[int, Point | None] = {**before.pinned}
            for placed in self._taken_over[known:]:
                pinned |= placed
            self.restore(replace(before, pinned={number: at for number, at in pinned.items() if at is not None}))
            return self._way_back(now if now is not None else before)

        return Rearranged(carry_out)

    # ---- where nodes are put

    @property
    def snaps(self) -> bool:
        """Whether dragged nodes snap to others."""
        return self.wants_snap and not self.moves_freely

    def move_tasks(self, moved: Mapping[int, tuple[float, float]], label: str = "", merges: str = "") -> None:
        """Move nodes, each by an offset in the scene, as one step; they keep these positions.

        Args:
            moved: which, by number, and how far.
            label: what that is called; empty: moving them.
            merges: see `Rearrangement`.
        """
        picture, pinned = self._graph.picture, dict(self._arrangement.pinned)
        if picture is None:
            return
        moved = {number: by for number, by in moved.items() if by != (0.0, 0.0) and picture.row(number) is not None}
        for number, (dx, dy) in moved.items():
            x, y = self.place_of(number)
            pinned[number] = (x + dx, y + dy)
        if moved:
            words = fill(self.tr("Move %1"), self.called(moved))
            self.rearrange(replace(self._arrangement, pinned=pinned), label or words, merges)
            self.await_layout()

    def place_of(self, number: int) -> tuple[float, float]:
        """The position of a node, or its pending position until the layout has it."""
        picture = self._graph.picture
        row = picture.row(number) if picture is not None else None
        assert picture is not None, "something is shown"
        assert row is not None, "it is shown"
        x, y = self._arrangement.pinned.get(number) or picture.layout.positions[row].tolist()
        return x, y

    def called(self, nodes: Iterable[int]) -> str:
        """The label of nodes in a step: the name of a task, or the number of several."""
        picture = self._graph.picture
        rows = [picture.row(number) for number in nodes] if picture is not None else []
        numbers = [one for row in rows if picture is not None and row is not None for one in picture.numbers_at(row)]
        return named(picture.facts, numbers) if picture is not None else ""

    def await_layout(self) -> None:
        """Show nodes at their pending positions until the layout has them there."""
        picture, offsets = self._graph.picture, dict[int, tuple[float, float]]()
        for number, (x, y) in self._arrangement.pinned.items():
            row = picture.row(number) if picture is not None else None
            if picture is None or row is None or int(picture.numbers[row]) != number:
                continue
            now_x, now_y = picture.layout.positions[row].tolist()
            if abs(x - now_x) > _MOVED or abs(y - now_y) > _MOVED:
                offsets[number] = (x - now_x, y - now_y)
        self.awaited.emit(offsets)

    # ---- what comes of it

    def middle_to_keep(self, picture: GraphRenderModel | None) -> int | None:
        """The task to keep in the middle of the view when this render model is shown; None: the view does not move.

        When the direction changes, that is the current task if it is visible, else the one nearest to the
        middle.
        """
        before, seen = self._graph.picture, self._pan_zoom.seen
        if before is None or picture is None or before.layout.direction is picture.layout.direction:
            return None
        current = before.row(self._selection.now.current)
        positions = before.layout.positions
        if current is not None and seen.contains(QPointF(*positions[current].tolist())):
            return int(before.numbers[current])
        if not before.present.any():
            return None
        away = abs(positions - (seen.center().x(), seen.center().y())).sum(axis=1)
        away[~before.present] = float("inf")
        return int(before.numbers[away.argmin()])

    def follow_picture(self, picture: GraphRenderModel, middle: int | None) -> None:
        """Move the view as the user expects in another render model, which the graph shows now.

        Args:
            picture: what is shown.
            middle: see `middle_to_keep`.
        """
        if middle is not None and (row := picture.row(middle)) is not None:
            place = ViewPosition(self._pan_zoom.zoom, *picture.layout.positions[row].tolist())
            self._pan_zoom.look(place, at_once=True)
        if self._fits_next:
            self._fits_next = False
            self._pan_zoom.fit_all()
        if self._looks_first_next:
            self._looks_first_next = False
            self._pan_zoom.look_first()
