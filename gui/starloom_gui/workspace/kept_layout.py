"""The layout of a canvas, restored from its store and stored there when the user moves nodes.

Once something was placed by hand, where all nodes stand is kept: else the others would be laid out around it anew, and
the drawing would be another one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject

from starloom.layout import Direction
from starloom.model.positions import FARTHEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.layout import Point
    from starloom.model.positions import Positions
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.canvas.arranging import LayoutOptions
    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.editing.run_editor import RunEditor
    from starloom_gui.gateway.run_reader import RunReader
    from starloom_gui.workspace.drawing import GraphDrawing

_DOWNWARDS: Final = 2.0
"""A drawing whose dependencies lead so many times as far down as to the right points down."""


class LayoutStore(Protocol):
    """The protocol of a store for a layout: the editor of a plan, or the folder of a run."""

    @property
    def layout(self) -> Positions:
        """The positions of nodes, by task id."""

    def write_layout(self, layout: Positions) -> None:
        """Store where nodes are placed; this makes no step of undo."""


class KeptLayout(QObject):
    """Restores a canvas' layout from its store, and stores what the user moves.

    Args:
        canvas: what is arranged.
        drawing: tells when it is drawn.
        reader: gives the facts that are shown, without what is staged; those of the past may lack present tasks.
        store: keeps the layout.
        editor: of the run, which knows what is staged; None: nothing ever is.
    """

    def __init__(
        self,
        canvas: CanvasView,
        drawing: GraphDrawing,
        reader: RunReader,
        store: LayoutStore,
        editor: RunEditor | None = None,
    ) -> None:
        super().__init__(canvas)
        self._canvas, self._drawing, self._reader, self._facts = canvas, drawing, reader, reader.facts
        self._editor = editor
        self._store = store
        self._pinned: Mapping[int, Point] = {}
        self._followed: tuple[Mapping[int, Point], frozenset[str], Positions] = ({}, frozenset(), {})
        self._is_moved = self._is_behind = False
        self._staged: Positions = {}
        self.follow()
        facts_now = reader.facts()
        if facts_now is not None and _leads_down(facts_now, self._pinned):
            canvas.layout_controller.arrange(replace(canvas.layout_controller.arrangement, direction=Direction.DOWN))
        canvas.layout_controller.arrangement_changed.connect(self._arranged)
        drawing.drawn.connect(self._drawn)

    def take_over(self) -> None:
        """Move the nodes to where another window has put them; undo leaves them there. In the past: afterwards."""
        self._is_behind = self._reader.is_past
        if not self._is_behind:
            self._canvas.layout_controller.take_over(self.follow)

    def follow(self) -> None:
        """Move the nodes to where the store says."""
        facts, layout = self._facts(), self._store.layout
        if facts is None:
            return
        graphs = [each.graph for each in (self._after(), facts) if each is not None]
        pinned = {
            graph.place[id]: (float(x), float(y)) for graph in graphs for id, (x, y) in layout.items() if id in graph
        }
        if self._pinned and not pinned:
            self._canvas.layout_controller.begin_anew()  # else everything would stay where it had been placed
        self._pinned, self._is_moved = pinned, False
        self._followed = (pinned, _present(facts), layout)
        self._canvas.layout_controller.arrange(replace(self._canvas.layout_controller.arrangement, pinned=pinned))

    def _arranged(self, wanted: LayoutOptions) -> None:
        if wanted.pinned != self._pinned:
            self._pinned, self._is_moved = wanted.pinned, True
            self._write()  # at once, as it may be saved before it is drawn

    def _drawn(self) -> None:
        """Store the positions after a layout, also of displaced and new nodes."""
        if self._is_behind and not self._reader.is_past:
            self.take_over()
        elif self._reader.is_past:
            if self._is_moved:
                self._write()
            self._is_moved = False
        elif not self._drawing.has_ghosts:
            self._write()

    def _write(self) -> None:
        facts = self._facts()
        if facts is not None and self._canvas.graph.picture is not None:
            self._store.write_layout(self._layout(facts))

    def _layout(self, facts: RunFacts) -> Positions:
        """The layout as it is to be kept now."""
        pinned, then, layout = self._followed
        if not self._pinned and not layout:
            return {}
        graph, present, known = facts.graph, _present(facts), self._store.layout
        if self._pinned == pinned and present == then:
            return layout  # everything was taken back
        placed = {graph.ids[number]: at for number, at in self._pinned.items() if number < len(graph.ids)}
        placed = {id: at for id, at in placed.items() if id in present}
        staged_before, self._staged = self._staged, self._staged_places(facts)
        if not placed:
            return self._staged
        keeps_absent = self._reader.is_past or self._drawing.has_ghosts
        gone = set() if keeps_absent else {*graph.ids, *staged_before} - present  # others are staged in another window
        kept = {id: at for id, at in known.items() if id not in gone}
        shown = {id: at for id, at in self._shown().items() if id in present}
        return {**kept, **{id: _whole(at) for id, at in (shown | placed).items()}, **self._staged}

    def _after(self) -> RunFacts | None:
        """The facts with what is staged; None: nothing is."""
        return self._editor.staging.after if self._editor is not None else None

    def _staged_places(self, facts: RunFacts) -> Positions:
        """Where new tasks were placed that are only staged: what is staged outlives the console, and so does this."""
        staged, first = self._after(), len(facts.graph.ids)
        if staged is None:
            return {}
        ids, present = staged.graph.ids, _present(staged)
        new = {ids[number]: at for number, at in self._pinned.items() if first <= number < len(ids)}
        return {id: _whole(at) for id, at in new.items() if id in present}

    def _shown(self) -> dict[str, Point]:
        """The positions of the tasks that have their own nodes."""
        picture = self._canvas.graph.picture
        assert picture is not None, "something is drawn"
        ids, rows = picture.facts.graph.ids, (picture.plain & picture.real & picture.present).nonzero()[0]
        numbers, places = picture.numbers[rows].tolist(), picture.layout.positions[rows].tolist()
        return {ids[number]: (x, y) for number, (x, y) in zip(numbers, places, strict=True)}


def _present(facts: RunFacts) -> frozenset[str]:
    return frozenset(facts.graph.place)


def _whole(at: Point) -> tuple[int, int]:
    x, y = (max(-FARTHEST, min(FARTHEST, round(one))) for one in at)
    return x, y


def _leads_down(facts: RunFacts, placed: Mapping[int, Point]) -> bool:
    """Whether dependencies of a drawing point down, by where their ends were placed."""
    right = down = 0.0
    for child, end in placed.items():
        if child >= len(facts.graph.parents):
            continue  # a task that is only staged
        for begin in (placed.get(parent) for parent in facts.graph.parents[child]):
            if begin is not None:
                right, down = right + end[0] - begin[0], down + end[1] - begin[1]
    return down > _DOWNWARDS * max(0.0, right)
