"""A graph on which gestures sketch what would come of them, and on which the user puts nodes where they should stay."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QTimer
from typing_extensions import override

from starloom_gui.canvas.arranged_view import ArrangedView
from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.hit_test import edge_at, node_at
from starloom_gui.canvas.ports import REACH, edge_between, port_near, port_place
from starloom_gui.canvas.sketch import NOTHING_SKETCHED, Line, Note, Sketch
from starloom_gui.canvas.sketch_pad import SketchPad
from starloom_gui.editing.steps import named
from starloom_gui.text.words import fill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from PySide6.QtWidgets import QWidget

    from starloom.layout.values import BoolArray
    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.canvas.ports import Port
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.canvas.standing import Standing
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.viewmodel.selection import Selection

EDGE_SLACK: Final = 5.0
"""So many pixels beside an edge still are the edge."""
_FAR_SLACK: Final = 3.0
_SAID_MS: Final = 8_000
"""How long it stands below a task why something was not done, if nothing else happens on the canvas."""
_MOVED: Final = 0.5
"""Nodes that are less than so far from where they were put are there."""


class SketchedView(ArrangedView):
    """What gestures act on; see `tools.gesture.Surface`. It holds what they show, and nothing of what they mean.

    Attributes:
        wants_snap: whether the user wants nodes to stop where they line up with others.
        moves_freely: whether they don't for now, as a key is held.
        said: runs while it is said why something was not done.
    """

    def __init__(
        self, appearance: Appearance, selection: Selection, clock: Callable[[], float], parent: QWidget | None = None
    ) -> None:
        """Show an empty canvas.

        Args:
            appearance: theme and motion.
            selection: shared with the other views of the run.
            clock: gives seconds on the run's clock.
            parent: of the widget.
        """
        super().__init__(appearance, selection, clock, parent)
        self._apart: BoolArray | None = None
        self._sketch = NOTHING_SKETCHED
        self._at_rest = NOTHING_SKETCHED
        self._pending: dict[int, tuple[float, float]] = {}
        self._awaited: tuple[int, int] | None = None
        self.wants_snap, self.moves_freely = False, False
        self.pad = SketchPad(self, self.viewport(), clock)
        self.said = QTimer(self)
        self.said.setSingleShot(True)
        self.said.setInterval(_SAID_MS)
        self.said.timeout.connect(self.be_silent)
        self.moved.connect(self.pad.follow)

    # ---- what is where

    def scene_at(self, at: QPoint) -> QPointF:
        """Which point of the scene is at a place of the viewport."""
        return self._scene_at(QPointF(at))

    def screen_at(self, at: QPoint) -> QPoint:
        """Which point of the screen is at a place of the viewport."""
        return self.viewport().mapToGlobal(at)

    def row_at(self, at: QPoint) -> int | None:
        """The node at a place of the viewport."""
        if self.picture is None:
            return None
        spot = self.scene_at(at)
        return node_at(self.picture, spot.x(), spot.y(), _FAR_SLACK / self.zoom if self.level is Level.FAR else 0.0)

    def target_at(self, at: QPoint, *, outgoing: bool) -> int | None:
        """The node at a place of the viewport, or the one of whose port of that side it is within reach."""
        row = self.row_at(at)
        if row is not None or self.picture is None or self.level is Level.FAR:
            return row
        spot = self.scene_at(at)
        return port_near(self.picture, spot.x(), spot.y(), REACH / self.zoom, outgoing=outgoing)

    def edge_at(self, at: QPoint, slack: float = EDGE_SLACK) -> int | None:
        """The edge at a place of the viewport; from afar there is none."""
        if self.picture is None or self.level is Level.FAR:
            return None
        spot = self.scene_at(at)
        return edge_at(self.picture, spot.x(), spot.y(), slack / self.zoom)

    # ---- what is shown

    @property
    def chosen_edge(self) -> tuple[int, int] | None:
        """Parent and child of the dependency that is selected."""
        return self._at_rest.edge

    def choose_edge(self, ends: tuple[int, int] | None) -> None:
        """Select a dependency; None: none."""
        self._rest(replace(self._at_rest, edge=ends, note=None))

    def point_out(self, port: Port | None) -> None:
        """Let a port stand out; None: none."""
        if port != self._at_rest.port:
            self._rest(replace(self._at_rest, port=port))

    def say(self, words: str, at: QPointF, *, wrong: bool = True) -> None:
        """Say something beside a point of the scene until something else happens; why not, only for a while."""
        self._rest(replace(self._at_rest, note=Note(words, at, wrong=wrong)))
        if wrong:
            self.said.start()
        else:
            self.said.stop()

    def say_of(self, number: int | None, words: str, *, wrong: bool = True) -> None:
        """Say something below a task; in the middle of what is in sight where there is none."""
        row = self.picture.row(number) if self.picture is not None else None
        at = self.seen.center()
        if self.picture is not None and row is not None:
            x, y = self.picture.layout.positions[row].tolist()
            at = QPointF(x, y + self.picture.layout.sizes[row, 1] / 2)
        self.say(words, at, wrong=wrong)

    def be_silent(self) -> None:
        """Take away what was said."""
        self.said.stop()
        if self._at_rest.note is not None:
            self._rest(replace(self._at_rest, note=None))

    @property
    def note(self) -> str:
        """What is said beside a point now; empty: nothing."""
        shown = self.pad.sketch.note
        return shown.words if shown is not None else ""

    def await_edge(self, parent: int, child: int, instead: tuple[int, int] | None) -> None:
        """Go on showing a dependency that was asked for, until there is an answer; `instead` is the one it replaces."""
        picture = self.picture
        rows = (picture.row(parent), picture.row(child)) if picture is not None else (None, None)
        if picture is None or rows[0] is None or rows[1] is None or edge_between(picture, parent, child) is not None:
            return
        self._awaited = (parent, child)
        begin, end = port_place(picture, rows[0], outgoing=True), port_place(picture, rows[1], outgoing=False)
        self._rest(replace(self._at_rest, line=Line(QPointF(*begin), QPointF(*end), sure=True), loose=instead))

    def settle(self, facts: RunFacts | None) -> None:
        """Await a dependency no more that there is not, now that there is an answer."""
        if self._awaited is not None and (facts is None or not facts.graph.has_edge(*self._awaited)):
            self._await_no_more()

    def _await_no_more(self) -> None:
        if self._awaited is not None:
            self._awaited = None
            self._rest(replace(self._at_rest, line=None, loose=None))

    def _rest(self, sketch: Sketch) -> None:
        self._at_rest = sketch
        self._show_all()

    def show_sketch(self, sketch: Sketch) -> None:
        """Show what would come of a gesture; an empty sketch takes it away."""
        self._sketch = sketch
        self._show_all()

    def _show_all(self) -> None:
        before, shown = self.note, self._at_rest if self._sketch.is_empty else self._sketch
        self.pad.show_sketch(replace(shown, moved={**self._pending, **shown.moved}) if self._pending else shown)
        if self.note != before:
            self._announcer.say(self.note)

    def set_apart(self, apart: BoolArray | None) -> None:
        """Let nodes recede, by row; None: none does for a gesture."""
        self._apart = apart
        self._recede()

    def _recede(self) -> None:
        picture = self.picture
        if picture is None:
            return
        apart = self._apart
        rows = [row for number in self._pending if (row := picture.row(number)) is not None]
        if rows:
            apart = apart.copy() if apart is not None else np.zeros(len(picture), dtype=np.bool_)
            apart[rows] = True
        self.item.set_apart(apart)
        self.viewport().update()

    # ---- where nodes were put

    @property
    def snaps(self) -> bool:
        """Whether nodes that are dragged now stop where they line up with others."""
        return self.wants_snap and not self.moves_freely

    def move_tasks(self, moved: Mapping[int, tuple[float, float]], label: str = "", merges: str = "") -> None:
        """Put nodes elsewhere, each by so much of the scene; there they stay.

        Args:
            moved: which, by number, and how far.
            label: what that is called; empty: moving them.
            merges: see `Moved`.
        """
        picture, pinned = self.picture, dict(self.arrangement.pinned)
        if picture is None:
            return
        moved = {number: by for number, by in moved.items() if by != (0.0, 0.0) and picture.row(number) is not None}
        for number, (dx, dy) in moved.items():
            x, y = self.place_of(number)
            pinned[number] = (x + dx, y + dy)
        if moved:
            words = fill(self.tr("Move %1"), self.called(moved))
            self.rearrange(replace(self.arrangement, pinned=pinned), label or words, merges)
            self._await_layout()

    def place_of(self, number: int) -> tuple[float, float]:
        """Where a node that is shown stands, or will as soon as the layout has it there."""
        picture = self.picture
        row = picture.row(number) if picture is not None else None
        assert picture is not None, "something is shown"
        assert row is not None, "it is shown"
        x, y = self.arrangement.pinned.get(number) or picture.layout.positions[row].tolist()
        return x, y

    def called(self, nodes: Iterable[int]) -> str:
        """What these nodes are called in a step: a task by its name, more by how many they are."""
        picture = self.picture
        rows = [picture.row(number) for number in nodes] if picture is not None else []
        numbers = [one for row in rows if picture is not None and row is not None for one in picture.numbers_at(row)]
        return named(picture.facts, numbers) if picture is not None else ""

    @override
    def stand_as(self, before: Standing) -> None:
        """Have everything stand as it did; until the layout has it there, what was put somewhere is shown there."""
        super().stand_as(before)
        self._await_layout()

    def _await_layout(self) -> None:
        """Show nodes where they were put until the layout has them there."""
        picture = self.picture
        self._pending = {}
        for number, (x, y) in self.arrangement.pinned.items():
            row = picture.row(number) if picture is not None else None
            if picture is None or row is None or int(picture.numbers[row]) != number:
                continue
            now_x, now_y = picture.layout.positions[row].tolist()
            if abs(x - now_x) > _MOVED or abs(y - now_y) > _MOVED:
                self._pending[number] = (x - now_x, y - now_y)
        self._recede()
        self._show_all()

    @override
    def show_picture(self, picture: GraphRenderModel | None) -> None:
        """Show another picture of the same run; what is selected of it stays so while it is there."""
        self._apart = None
        super().show_picture(picture)
        self._await_no_more()
        ends = self.chosen_edge
        if ends is not None and (picture is None or edge_between(picture, *ends) is None):
            self._at_rest = replace(self._at_rest, edge=None)
        self._await_layout()
