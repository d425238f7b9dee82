"""The verbs of notes on a canvas, one method each; keys, menus and gestures all call them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, QPoint, QPointF, QRectF, Qt

from starloom.model.note import LONGEST_NOTE, MOST_NOTES, NARROWEST, WIDEST, Note, cleaned
from starloom_gui.canvas.note_field import LEAST, NoteField
from starloom_gui.canvas.note_room import boxes_in_the_way, with_room
from starloom_gui.canvas.notes import box_of, put
from starloom_gui.canvas.tools.connect_keys import WAYS
from starloom_gui.canvas.tools.move_note import MoveNote
from starloom_gui.editing.steps import named
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill
from starloom_gui.viewmodel.keys import Scope, pressed, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.canvas.surface import Surface
    from starloom_gui.canvas.tools.gesture import Gesture
    from starloom_gui.editing.notebook import Notebook
    from starloom_gui.viewmodel.selection import Selection

STEP: Final = 16.0
_BELOW: Final = 44.0
_BLANK: Final = "…"
_SHIFT, _ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier


class NoteVerbs(QObject):
    """Adds, edits, moves and removes notes.

    Args:
        surface: the parts of the canvas.
        selection: of its run.
        book: where the notes are.

    Attributes:
        field: what a note is being written in; None: none is.
    """

    def __init__(self, surface: Surface, selection: Selection, book: Notebook) -> None:
        super().__init__(surface.view)
        self._surface, self._selection, self.book = surface, selection, book
        self.field: NoteField | None = None
        self._written = QRectF()
        book.changed.connect(self._show)
        surface.pan_zoom.moved.connect(self._follow_view)
        self._show()

    def _show(self) -> None:
        if self.book.notes is not self._surface.notes.item.notes:
            self._surface.notes.show_notes(self.book.notes)

    def _follow_view(self) -> None:
        if self.field is not None:
            self.field.stand_over(self._surface.notes.rect_of(self._written))

    # ---- what may be done

    def can_add(self) -> Verdict:
        """Whether another note may be added."""
        if len(self.book.notes) < MOST_NOTES:
            return Verdict(True)
        return Verdict(False, fill(self.tr("There are %1 notes, which is as many as there can be."), MOST_NOTES))

    def can_change(self) -> Verdict:
        """Whether a note is selected."""
        if self._surface.notes.item.chosen is not None:
            return Verdict(True)
        return Verdict(
            False,
            self.tr("No note is selected."),
            fill(self.tr("%1 on the canvas goes from note to note."), shown(Scope.GRAPH, "next_note")),
        )

    # ---- verbs

    def add(self, at: QPointF | None = None) -> None:
        """Add a note: of the current task if that is selected, else of the first one that is, else where one looks.

        Args:
            at: where in the scene it was asked for, by the pointer, on no task; None: by something else.
        """
        verdict = self.can_add()
        if not verdict.ok:
            self._surface.overlay.say_of(None, verdict.reason)
            return
        picture, of = self._surface.graph.picture, self._task_of_new() if at is None else None
        middle = at if at is not None else self._surface.pan_zoom.seen.center()
        if picture is not None and of is not None:
            x, y = picture.layout.positions[picture.row(of)].tolist()
            middle = QPointF(x, y + _BELOW)
        blank = Note(text=_BLANK)
        box = box_of(replace(blank, x=middle.x() - blank.width / 2, y=middle.y()), None)
        box = self._free(box)
        self._write("", box, lambda text: self._keep(blank, text, box, of))
        if self.field is not None and picture is not None and of is not None:
            self.field.say_of(named(picture.facts, [of]))

    def _task_of_new(self) -> int | None:
        """The task that a new note belongs to; None: any that stands near it."""
        picture, now = self._surface.graph.picture, self._selection.now
        if picture is None:
            return None
        shown = sorted(number for number in now.numbers if picture.row(number) is not None)
        return now.current if now.current in shown else next(iter(shown), None)

    def _free(self, box: QRectF) -> QRectF:
        """The nearest position where neither the note nor its field covers anything."""
        picture = self._surface.graph.picture
        if picture is None:
            return box
        room = QRectF(box.x(), box.y(), max(box.width(), LEAST[0]), max(box.height(), LEAST[1]))
        notes = [(one.left(), one.top(), one.right(), one.bottom()) for one in self._surface.notes.item.boxes]
        stand = np.vstack([boxes_in_the_way(picture), np.array(notes).reshape(-1, 4)])
        return QRectF(with_room(room, stand).topLeft(), box.size())

    def _keep(self, blank: Note, text: str, box: QRectF, of: int | None) -> None:
        made = self._with_text(put(blank, box, self._surface.graph.picture, of), text)
        if made is not None:
            before = len(self.book.notes)
            self.book.write((*self.book.notes, made), self.tr("Add note"))
            if len(self.book.notes) > before:  # else what it belongs to has gone meanwhile
                self._surface.notes.choose(before)

    def edit(self) -> None:
        """Edit the text of the selected note."""
        place, note = self._chosen()
        if note is not None and place is not None:
            self._surface.notes.hide(place)
            self._write(note.text, self._surface.notes.item.boxes[place], lambda text: self._rewrite(place, note, text))

    def _rewrite(self, place: int, before: Note, text: str) -> None:
        made = self._with_text(before, text)
        if made is not None and made != before:
            self._replace(place, before, made, self.tr("Edit note"))

    def _with_text(self, note: Note, text: str) -> Note | None:
        """The note with another text, without characters that a note cannot have; None: the text is empty."""
        kept = cleaned(text).strip()[:LONGEST_NOTE]
        return replace(note, text=kept) if kept else None

    def _write(self, text: str, box: QRectF, then: Callable[[str], None]) -> None:
        surface = self._surface
        surface.notes.reveal(box)
        self._written = box
        self.field = NoteField(text, surface.notes.rect_of(box), surface.graph.item.palette, surface.view.viewport())

        def ended(written: str | None) -> None:
            self.field = None
            surface.notes.hide(None)
            if written is not None:
                then(written)

        self.field.ended.connect(ended)

    def remove(self) -> None:
        """Remove the selected note."""
        place, note = self._chosen()
        if place is not None and note is not None:
            self._surface.notes.choose(None)
            notes = self.book.notes
            self.book.write((*notes[:place], *notes[place + 1 :]), self.tr("Remove note"))

    def go_on(self, by: int) -> None:
        """Select the next or previous note, and scroll to it."""
        boxes = self._surface.notes.item.boxes
        if not boxes:
            self._surface.overlay.say_of(
                None, fill(self.tr("There are no notes yet. %1 adds one."), shown(Scope.WINDOW, "add_note"))
            )
            return
        order = sorted(range(len(boxes)), key=lambda each: (boxes[each].top(), boxes[each].left()))
        now = self._surface.notes.item.chosen
        place = order[(order.index(now) + by) % len(order)] if now is not None else order[0 if by > 0 else -1]
        self._surface.notes.choose(place)
        self._surface.notes.reveal(boxes[place])

    # ---- moving

    def press(self, place: int, at: QPoint) -> Gesture:
        """Begin to move a note, or to resize it by its right side."""
        self._surface.notes.choose(place)
        widens = self._surface.notes.is_grip(at)
        done = self._widened if widens else self._put
        notes = self._surface.notes
        return MoveNote(notes, self._surface.pan_zoom, notes.item.boxes[place], at, done, widens=widens)

    def _put(self, box: QRectF, merges: str = "") -> None:
        place, note = self._chosen()
        if place is not None and note is not None:
            self._replace(place, note, put(note, box, self._surface.graph.picture), self.tr("Move note"), merges)

    def _widened(self, box: QRectF, merges: str = "") -> None:
        place, note = self._chosen()
        if place is not None and note is not None:
            width = min(max(box.width(), NARROWEST), WIDEST)
            self._replace(place, note, replace(note, width=width), self.tr("Change the width of a note"), merges)

    def _replace(self, place: int, before: Note, after: Note, label: str, merges: str = "") -> None:
        notes = self.book.notes
        if place < len(notes) and notes[place] == before and after != before:  # somebody else may have changed it
            self.book.write((*notes[:place], after, *notes[place + 1 :]), label, merges)

    def _chosen(self) -> tuple[int | None, Note | None]:
        place, notes = self._surface.notes.item.chosen, self.book.notes
        return (place, notes[place]) if place is not None and place < len(notes) else (None, None)

    # ---- keys

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> bool:
        """Handle a key; returns whether it was handled."""
        name = pressed(Scope.GRAPH, key, modifiers)
        if name in ("next_note", "previous_note"):
            self.go_on(1 if name == "next_note" else -1)
            return True
        place = self._surface.notes.item.chosen
        if place is None:
            return False
        if name == "rename" or key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.edit()
        elif name == "remove":
            self.remove()
        elif key in WAYS and modifiers & _ALT:
            self._nudge(place, WAYS[key], widens=bool(modifiers & _SHIFT))
        else:
            return False
        return True

    def _nudge(self, place: int, way: tuple[int, int], *, widens: bool) -> None:
        box = QRectF(self._surface.notes.item.boxes[place])
        if widens:
            box.setWidth(box.width() + way[0] * STEP)
            self._widened(box, f"widen note {place}")
        else:
            self._put(box.translated(way[0] * STEP, way[1] * STEP), f"nudge note {place}")
