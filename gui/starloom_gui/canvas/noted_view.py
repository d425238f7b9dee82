"""A graph with notes beside its tasks: which there are, where each is, and which one is selected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from typing_extensions import override

from starloom_gui.canvas.framed_view import FramedView
from starloom_gui.canvas.notes import NotesItem
from starloom_gui.text.words import fill

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QPoint, QRectF
    from PySide6.QtWidgets import QWidget

    from starloom.model.note import Note
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.viewmodel.selection import Selected, Selection

GRIP: Final = 6
"""So many pixels beside the right side of a note take hold of it to make it wider."""


class NotedView(FramedView):
    """Shows notes over the graph; what they say and where they are kept is not its business."""

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
        self.notes = NotesItem(self.item)
        self.scene().addItem(self.notes)
        selection.changed.connect(self._tasks_chosen)

    # ---- what is shown

    def show_notes(self, notes: Sequence[Note]) -> None:
        """Show these notes."""
        self.notes.show_notes(notes)
        self.viewport().update()

    @override
    def show_picture(self, picture: GraphRenderModel | None) -> None:
        """Show another picture of the same run; notes stay with their tasks, and on the first one cover none."""
        is_first = self.picture is None
        super().show_picture(picture)
        if is_first:
            self.notes.make_room()
        self.show_notes(self.notes.notes)

    @override
    def _bounds(self) -> QRectF:
        bounds = super()._bounds()
        for box in self.notes.boxes:
            bounds |= box
        return bounds

    # ---- which is where

    def note_at(self, at: QPoint) -> int | None:
        """The place of the uppermost note at a place of the viewport."""
        spot = self.scene_at(at)
        return self.notes.at(spot.x(), spot.y())

    def is_grip(self, at: QPoint) -> bool:
        """Whether a place of the viewport is at the right side of a note."""
        note = self.note_at(at)
        return note is not None and self.note_rect(self.notes.boxes[note]).right() - at.x() <= GRIP

    def note_rect(self, box: QRectF) -> QRectF:
        """Where a box of the scene is in the viewport."""
        return self.viewportTransform().mapRect(box)

    def reveal_box(self, box: QRectF) -> None:
        """Bring a box of the scene into sight, if it is not; the scale stays."""
        if not self.seen.contains(box):
            self.reveal(box.center().x(), box.center().y())

    # ---- which is selected

    def choose_note(self, place: int | None) -> None:
        """Select a note, and no task or dependency with it; None: none is any more."""
        if place is not None:
            self._selection.clear()
            self.choose_edge(None)
        if place != self.notes.chosen:
            self.notes.chosen = place
            self.viewport().update()
            if place is not None:
                self._announcer.say(self.words_of_note(place))

    def words_of_note(self, place: int) -> str:
        """A note in words, for screen readers."""
        return fill(self.tr("Note: %1"), self.notes.notes[place].text) if place < len(self.notes.notes) else ""

    def hold_note(self, box: QRectF | None) -> None:
        """Show the selected note elsewhere while it is moved; None: where it stands."""
        self.notes.held = box
        self.viewport().update()

    def write_note(self, place: int | None) -> None:
        """Hide a note while it is written; None: none is."""
        self.notes.hidden = place
        self.viewport().update()

    @override
    def choose_edge(self, ends: tuple[int, int] | None) -> None:
        """Select a dependency, and no note with it; None: none."""
        if ends is not None:
            self.choose_note(None)
        super().choose_edge(ends)

    def _tasks_chosen(self, selected: Selected) -> None:
        if selected.numbers:
            self.choose_note(None)
