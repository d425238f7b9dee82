"""The notes of a canvas: shows them, finds the one at a point, and keeps the selected one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom_gui.canvas.notes import NotesItem
from starloom_gui.text.words import fill

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QPoint, QRectF
    from PySide6.QtWidgets import QGraphicsView

    from starloom.model.note import Note
    from starloom_gui.canvas.announcing import Announcer
    from starloom_gui.canvas.gesture_overlay import GestureOverlay
    from starloom_gui.canvas.graph_layer import GraphLayer
    from starloom_gui.canvas.pan_zoom import PanZoom
    from starloom_gui.viewmodel.selection import Selected, Selection

GRIP: Final = 6
"""So many pixels beside the right side of a note take hold of it to make it wider."""


class NoteLayer(QObject):
    """Shows notes over a graph, and keeps the selected one; `NoteVerbs` edits them.

    Args:
        view: the view whose scene they are painted in.
        graph: what they stand beside.
        pan_zoom: says where the view looks.
        overlay: has the selected dependency; it and a note are never both selected.
        selection: of the tasks; they and a note are never both selected.
        announcer: tells screen readers.

    Attributes:
        item: what paints them.
    """

    def __init__(
        self,
        view: QGraphicsView,
        graph: GraphLayer,
        pan_zoom: PanZoom,
        overlay: GestureOverlay,
        selection: Selection,
        announcer: Announcer,
    ) -> None:
        super().__init__(view)
        self._view, self._graph, self._pan_zoom = view, graph, pan_zoom
        self._overlay, self._selection, self._announcer = overlay, selection, announcer
        self.item = NotesItem(graph.item)
        view.scene().addItem(self.item)
        selection.changed.connect(self._tasks_chosen)
        overlay.edge_chosen.connect(self._edge_chosen)

    # ---- what is shown

    def show_notes(self, notes: Sequence[Note]) -> None:
        """Show these notes."""
        self.item.show_notes(notes)
        self._graph.update()

    def follow_picture(self, *, is_first: bool) -> None:
        """Follow another render model, which the graph shows now; on the first one, move notes off the nodes."""
        if is_first:
            self.item.make_room()
        self.show_notes(self.item.notes)

    # ---- which is where

    def at(self, at: QPoint) -> int | None:
        """The index of the topmost note at a viewport position."""
        spot = self._pan_zoom.scene_at(at)
        return self.item.at(spot.x(), spot.y())

    def is_grip(self, at: QPoint) -> bool:
        """Whether a viewport position is at the right side of a note."""
        note = self.at(at)
        return note is not None and self.rect_of(self.item.boxes[note]).right() - at.x() <= GRIP

    def rect_of(self, box: QRectF) -> QRectF:
        """A box of the scene in the viewport."""
        return self._view.viewportTransform().mapRect(box)

    def reveal(self, box: QRectF) -> None:
        """Scroll to a box of the scene, if it is not visible; the scale stays."""
        if not self._pan_zoom.seen.contains(box):
            self._pan_zoom.reveal(box.center().x(), box.center().y())

    # ---- which is selected

    def choose(self, place: int | None) -> None:
        """Select a note, and no task or dependency; None: deselect it."""
        if place is not None:
            self._selection.clear()
            self._overlay.choose_edge(None)
        if place != self.item.chosen:
            self.item.chosen = place
            self._graph.update()
            if place is not None:
                self._announcer.say(self.words_of(place))

    def words_of(self, place: int) -> str:
        """The description of a note, for screen readers."""
        return fill(self.tr("Note: %1"), self.item.notes[place].text) if place < len(self.item.notes) else ""

    def hold(self, box: QRectF | None) -> None:
        """Show the selected note elsewhere while it is moved; None: at its position."""
        self.item.held = box
        self._graph.update()

    def hide(self, place: int | None) -> None:
        """Hide a note while it is edited; None: none is."""
        self.item.hidden = place
        self._graph.update()

    def _edge_chosen(self) -> None:
        self.choose(None)

    def _tasks_chosen(self, selected: Selected) -> None:
        if selected.numbers:
            self.choose(None)
