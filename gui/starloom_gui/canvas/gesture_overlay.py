"""The overlay of a canvas: previews of gestures, messages beside tasks, and the selected dependency."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, QPointF, QTimer, Signal

from starloom_gui.canvas.gesture_preview import NO_PREVIEW, Caption, GesturePreview, PreviewEdge
from starloom_gui.canvas.ports import edge_between, port_place
from starloom_gui.canvas.preview_painter import PreviewPainter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QGraphicsView, QWidget

    from starloom.layout.values import BoolArray
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.canvas.announcing import Announcer
    from starloom_gui.canvas.graph_layer import GraphLayer
    from starloom_gui.canvas.pan_zoom import PanZoom
    from starloom_gui.canvas.ports import Port
    from starloom_gui.canvas.render_model import GraphRenderModel

_SAID_MS: Final = 8_000
"""How long it stands below a task why something was not done, if nothing else happens on the canvas."""


class GestureOverlay(QObject):
    """Shows previews of gestures, messages and the selected dependency; it does not know what gestures do.

    Args:
        view: the view over whose viewport it lies.
        graph: what is shown.
        pan_zoom: says where the view looks.
        above: lies over all of this, so that nothing is said under it.
        announcer: tells screen readers what is said.
        clock: gives seconds on the run's clock.

    Attributes:
        pad: what paints it.
        said: runs while it is said why something was not done.

    Signals:
        edge_chosen(): a dependency was selected.
    """

    edge_chosen = Signal()

    def __init__(
        self,
        view: QGraphicsView,
        graph: GraphLayer,
        pan_zoom: PanZoom,
        above: QWidget,
        announcer: Announcer,
        clock: Callable[[], float],
    ) -> None:
        super().__init__(view)
        self._graph, self._pan_zoom, self._announcer = graph, pan_zoom, announcer
        self._apart: BoolArray | None = None
        self._preview = NO_PREVIEW
        self._at_rest = NO_PREVIEW
        self._pending: Mapping[int, tuple[float, float]] = {}
        self._awaited: tuple[int, int] | None = None
        self.painter = PreviewPainter(view, graph, pan_zoom, above, clock)
        self.said = QTimer(self)
        self.said.setSingleShot(True)
        self.said.setInterval(_SAID_MS)
        self.said.timeout.connect(self.be_silent)
        pan_zoom.moved.connect(self.painter.follow)

    # ---- the dependency that is selected

    @property
    def chosen_edge(self) -> tuple[int, int] | None:
        """The parent and child of the selected dependency."""
        return self._at_rest.edge

    def choose_edge(self, ends: tuple[int, int] | None) -> None:
        """Select a dependency, and no note; None: deselect it."""
        if ends is not None:
            self.edge_chosen.emit()
        self._rest(replace(self._at_rest, edge=ends, note=None))

    def point_out(self, port: Port | None) -> None:
        """Highlight a port; None: none."""
        if port != self._at_rest.port:
            self._rest(replace(self._at_rest, port=port))

    # ---- what is said

    def say(self, words: str, at: QPointF, *, wrong: bool = True) -> None:
        """Show a message beside a point of the scene until something else happens; an error only for a while.

        Args:
            words: plain text.
            at: a point of the scene.
            wrong: whether they say why something is not possible; then they go by themselves.
        """
        self._rest(replace(self._at_rest, note=Caption(words, at, wrong=wrong)))
        if wrong:
            self.said.start()
        else:
            self.said.stop()

    def say_of(self, number: int | None, words: str, *, wrong: bool = True) -> None:
        """Show a message below a task; in the middle of the viewport where there is none.

        Args:
            number: of a task; None: of none.
            words: plain text.
            wrong: whether they say why something is not possible; then they go by themselves.
        """
        picture = self._graph.picture
        row = picture.row(number) if picture is not None else None
        at = self._pan_zoom.seen.center()
        if picture is not None and row is not None:
            x, y = picture.layout.positions[row].tolist()
            at = QPointF(x, y + picture.layout.sizes[row, 1] / 2)
        self.say(words, at, wrong=wrong)

    def be_silent(self) -> None:
        """Hide the message."""
        self.said.stop()
        if self._at_rest.note is not None:
            self._rest(replace(self._at_rest, note=None))

    @property
    def note(self) -> str:
        """The shown message; empty: none."""
        shown = self.painter.preview.note
        return shown.words if shown is not None else ""

    # ---- a dependency that was asked for

    def await_edge(self, parent: int, child: int, instead: tuple[int, int] | None) -> None:
        """Show a requested dependency until the engine has answered; `instead` is the one it replaces.

        Args:
            parent: number of the task that is waited for.
            child: number of the task that waits.
            instead: the numbers of parent and child of the dependency it replaces; None: it replaces none.
        """
        picture = self._graph.picture
        rows = (picture.row(parent), picture.row(child)) if picture is not None else (None, None)
        if picture is None or rows[0] is None or rows[1] is None or edge_between(picture, parent, child) is not None:
            return
        self._awaited = (parent, child)
        begin, end = port_place(picture, rows[0], outgoing=True), port_place(picture, rows[1], outgoing=False)
        self._rest(replace(self._at_rest, line=PreviewEdge(QPointF(*begin), QPointF(*end), sure=True), loose=instead))

    def settle(self, facts: RunFacts | None) -> None:
        """Hide a requested dependency that was refused, as the engine has answered."""
        if self._awaited is not None and (facts is None or not facts.graph.has_edge(*self._awaited)):
            self._await_no_more()

    def _await_no_more(self) -> None:
        if self._awaited is not None:
            self._awaited = None
            self._rest(replace(self._at_rest, line=None, loose=None))

    # ---- what is shown

    def _rest(self, preview: GesturePreview) -> None:
        self._at_rest = preview
        self._show_all()

    def show_preview(self, preview: GesturePreview) -> None:
        """Show the preview of a gesture; an empty one hides it."""
        self._preview = preview
        self._show_all()

    def show_pending(self, offsets: Mapping[int, tuple[float, float]]) -> None:
        """Show nodes at offsets, by number, from their positions in the render model."""
        self._pending = offsets
        self._recede()
        self._show_all()

    def _show_all(self) -> None:
        before, shown = self.note, self._at_rest if self._preview.is_empty else self._preview
        self.painter.show_preview(replace(shown, moved={**self._pending, **shown.moved}) if self._pending else shown)
        if self.note != before:
            self._announcer.say(self.note)

    def set_apart(self, apart: BoolArray | None) -> None:
        """Dim nodes for a gesture, by row; None: none."""
        self._apart = apart
        self._recede()

    def _recede(self) -> None:
        picture = self._graph.picture
        if picture is None:
            return
        apart = self._apart
        rows = [row for number in self._pending if (row := picture.row(number)) is not None]
        if rows:
            apart = apart.copy() if apart is not None else np.zeros(len(picture), dtype=np.bool_)
            apart[rows] = True
        self._graph.item.set_apart(apart)
        self._graph.update()

    def begin_picture(self) -> None:
        """Stop dimming nodes, as another render model with other rows will be shown."""
        self._apart = None

    def follow_picture(self, picture: GraphRenderModel | None) -> None:
        """Follow another render model: await nothing, and deselect a dependency that it does not have."""
        self._await_no_more()
        ends = self.chosen_edge
        if ends is not None and (picture is None or edge_between(picture, *ends) is None):
            self._at_rest = replace(self._at_rest, edge=None)
