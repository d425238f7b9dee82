"""What a menu on a canvas is about: what is under the pointer, or what is selected where a key asks for it.

What is under the pointer is selected by the press that asks: no menu is ever about something else than what it shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.canvas.asked import Asked, Of, group_title, note_title, tasks_title
from starloom_gui.canvas.ports import edge_between, ends_of
from starloom_gui.editing import steps
from starloom_gui.text.words import translate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtCore import QPoint

    from starloom_gui.canvas.gesture_controller import GestureController
    from starloom_gui.canvas.noted_view import NotedView
    from starloom_gui.viewmodel.selection import Selection


class MenuAsking:
    """Selects what is under the pointer, and says what a menu there is about.

    Args:
        view: the canvas.
        selection: of its run.
        hand: selects dependencies.
        choose: selects what the node in a row stands for.
    """

    def __init__(
        self, view: NotedView, selection: Selection, hand: GestureController, choose: Callable[[int], None]
    ) -> None:
        self._view, self._selection, self._hand, self._choose = view, selection, hand, choose

    def press(self, at: QPoint) -> None:
        """Select what is at a place of the viewport, if it is not; on the ground what is selected stays so."""
        view, picture = self._view, self._view.picture
        self._hand.stop()
        row, frame = view.row_at(at), view.frame_at(at)
        if self._hand.choose_note_at(at) or picture is None:
            return
        ends = self._ends_at(at) if row is None else None
        if row is not None:
            if not self._selection.now.numbers.issuperset(picture.numbers_at(row)):
                self._choose(row)
        elif ends is not None and self._hand.verbs is not None:
            self._hand.verbs.choose_edge(ends)
        elif frame is not None:
            self._selection.select_all(frame.numbers, frame.numbers[0])

    def _ends_at(self, at: QPoint) -> tuple[int, int] | None:
        """Parent and child of the dependency there."""
        picture, edge = self._view.picture, self._view.edge_at(at)
        return ends_of(picture, edge) if picture is not None and edge is not None else None

    # ---- what it is about

    def under(self, at: QPoint, screen: QPoint) -> Asked:
        """What is at a place of the viewport, which is that place of the screen."""
        view, picture = self._view, self._view.picture
        row, frame, note = view.row_at(at), view.frame_at(at), view.note_at(at)
        ends = self._ends_at(at) if row is None else None
        if note is not None:
            return self._of_note(note, screen)
        if row is not None:
            return self._of_row(row, screen)
        if ends is not None and self._hand.verbs is not None:
            return self._of_edge(ends, screen)
        if frame is not None and picture is not None:
            title = group_title(frame.name, len(frame.numbers))
            return Asked(frame.numbers[0], screen, frame.name, Of.GROUP, title)
        return self._of_ground(screen, at)

    def selected(self) -> Asked:
        """What is selected: a note, a dependency, tasks; else the canvas."""
        view, picture, now = self._view, self._view.picture, self._selection.now
        screen, ends = view.mapToGlobal(view.rect().center()), view.chosen_edge
        if view.notes.chosen is not None:
            box = view.note_rect(view.notes.boxes[view.notes.chosen])
            return self._of_note(view.notes.chosen, view.viewport().mapToGlobal(box.center().toPoint()))
        edge = edge_between(picture, *ends) if picture is not None and ends is not None else None
        if picture is not None and ends is not None and edge is not None:
            points = picture.layout.routes.of(edge)
            middle = view.mapFromScene(*points[len(points) // 2].tolist())
            return self._of_edge(ends, view.viewport().mapToGlobal(middle))
        row = picture.row(now.current) if picture is not None else None
        if row is None:
            return self._of_ground(screen, view.viewport().rect().center())
        if now.current not in now.numbers:
            self._choose(row)
        return self._of_row(row, view.viewport().mapToGlobal(view.node_rect(row).toRect().center()))

    def _of_row(self, row: int, screen: QPoint) -> Asked:
        picture, chosen = self._view.picture, self._selection.now.numbers
        assert picture is not None, "a node of it was found"
        number, tally = int(picture.numbers[row]), picture.tallies.get(row)
        if tally is not None and len(chosen) <= len(picture.numbers_at(row)):
            title = group_title(tally.name, len(picture.numbers_at(row)))
            return Asked(number, screen, tally.name, Of.GROUP, title)
        return Asked(number, screen, of=Of.TASKS, title=self.title_of(chosen or {number}))

    def title_of(self, numbers: Iterable[int]) -> str:
        """What these tasks are called."""
        verbs, picture = self._hand.verbs, self._view.picture
        facts = verbs.facts() if verbs is not None else None
        return tasks_title(facts if facts is not None or picture is None else picture.facts, numbers)

    def _of_edge(self, ends: tuple[int, int], screen: QPoint) -> Asked:
        facts = self._hand.verbs.facts() if self._hand.verbs is not None else None
        title = steps.arrow(facts, *ends) if facts is not None else ""
        return Asked(None, screen, of=Of.DEPENDENCY, title=title, edge=ends)

    def _of_note(self, note: int, screen: QPoint) -> Asked:
        return Asked(None, screen, of=Of.NOTE, title=note_title(self._view.notes.notes[note].text))

    def _of_ground(self, screen: QPoint, at: QPoint) -> Asked:
        title = translate("Canvas", "Graph")
        return Asked(None, screen, of=Of.GROUND, title=title, place=self._view.scene_at(at))
