"""Finds the target of a context menu: the object under the pointer, or for a key the selection.

What is under the pointer is selected by the press that asks: no menu is ever about something else than what it shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.canvas.menu_target import MenuTarget, TargetKind, group_title, note_title, tasks_title
from starloom_gui.canvas.ports import ends_of
from starloom_gui.editing import steps
from starloom_gui.text.words import translate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtCore import QPoint

    from starloom_gui.canvas.gesture_controller import GestureController
    from starloom_gui.canvas.surface import Surface
    from starloom_gui.viewmodel.selection import Selection


class MenuTargets:
    """Selects the object under the pointer, and returns it as the target of a menu.

    Args:
        surface: the parts of the canvas.
        selection: of its run.
        gestures: selects dependencies.
        choose: selects what the node in a row stands for.
    """

    def __init__(
        self, surface: Surface, selection: Selection, gestures: GestureController, choose: Callable[[int], None]
    ) -> None:
        self._surface, self._selection, self._gestures, self._choose = surface, selection, gestures, choose

    def press(self, at: QPoint) -> None:
        """Select the object at a viewport position, if it is not selected; on the background the selection stays."""
        surface, picture = self._surface, self._surface.graph.picture
        self._gestures.stop()
        row, frame = surface.hit_tester.row_at(at), surface.frames.at(at)
        if self._gestures.choose_note_at(at) or picture is None:
            return
        ends = self._ends_at(at) if row is None else None
        if row is not None:
            if not self._selection.now.numbers.issuperset(picture.numbers_at(row)):
                self._choose(row)
            else:  # what is asked for one of them, as a note, is asked for this one
                self._selection.move(int(picture.numbers[row]))
        elif ends is not None and self._gestures.verbs is not None:
            self._gestures.verbs.choose_edge(ends)
        elif frame is not None:
            self._selection.select_all(frame.numbers, frame.numbers[0])

    def _ends_at(self, at: QPoint) -> tuple[int, int] | None:
        """The parent and child of the dependency at a viewport position."""
        picture, edge = self._surface.graph.picture, self._surface.hit_tester.edge_at(at)
        return ends_of(picture, edge) if picture is not None and edge is not None else None

    # ---- what it is about

    def under(self, at: QPoint, screen: QPoint) -> MenuTarget:
        """The target at a viewport position, whose menu opens at a position of the screen."""
        surface, picture = self._surface, self._surface.graph.picture
        row, frame, note = surface.hit_tester.row_at(at), surface.frames.at(at), surface.notes.at(at)
        ends = self._ends_at(at) if row is None else None
        if note is not None:
            return self._of_note(note, screen)
        if row is not None:
            return self._of_row(row, screen)
        if ends is not None and self._gestures.verbs is not None:
            return self._of_edge(ends, screen)
        if frame is not None and picture is not None:
            title = group_title(frame.name, len(frame.numbers))
            return MenuTarget(frame.numbers[0], screen, frame.name, TargetKind.GROUP, title)
        return self._of_ground(screen, at)

    def selected(self) -> MenuTarget:
        """The selected target: a note, a dependency, tasks; else the canvas."""
        picture, now, notes = self._surface.graph.picture, self._selection.now, self._surface.notes
        view, port = self._surface.view, self._surface.view.viewport()
        if notes.item.chosen is not None:
            box = notes.rect_of(notes.item.boxes[notes.item.chosen])
            return self._of_note(notes.item.chosen, port.mapToGlobal(box.center().toPoint()))
        ends, middle = self._surface.overlay.chosen_edge, self._gestures.grips.middle()
        if ends is not None and middle is not None:
            return self._of_edge(ends, port.mapToGlobal(middle))
        row = picture.row(now.current) if picture is not None else None
        if row is None:
            return self._of_ground(view.mapToGlobal(view.rect().center()), port.rect().center())
        if now.current not in now.numbers:
            self._choose(row)
        return self._of_row(row, port.mapToGlobal(self._surface.graph.node_rect(row).toRect().center()))

    def _of_row(self, row: int, screen: QPoint) -> MenuTarget:
        picture, chosen = self._surface.graph.picture, self._selection.now.numbers
        assert picture is not None, "a node of it was found"
        number, tally = int(picture.numbers[row]), picture.tallies.get(row)
        if tally is not None and len(chosen) <= len(picture.numbers_at(row)):
            title = group_title(tally.name, len(picture.numbers_at(row)))
            return MenuTarget(number, screen, tally.name, TargetKind.GROUP, title)
        return MenuTarget(number, screen, of=TargetKind.TASKS, title=self.title_of(chosen or {number}))

    def title_of(self, numbers: Iterable[int]) -> str:
        """The title of these tasks."""
        verbs, picture = self._gestures.verbs, self._surface.graph.picture
        facts = verbs.facts() if verbs is not None else None
        return tasks_title(facts if facts is not None or picture is None else picture.facts, numbers)

    def _of_edge(self, ends: tuple[int, int], screen: QPoint) -> MenuTarget:
        facts = self._gestures.verbs.facts() if self._gestures.verbs is not None else None
        title = steps.arrow(facts, *ends) if facts is not None else ""
        return MenuTarget(None, screen, of=TargetKind.DEPENDENCY, title=title, edge=ends)

    def _of_note(self, note: int, screen: QPoint) -> MenuTarget:
        return MenuTarget(None, screen, of=TargetKind.NOTE, title=note_title(self._surface.notes.item.notes[note].text))

    def _of_ground(self, screen: QPoint, at: QPoint) -> MenuTarget:
        title = translate("Canvas", "Graph")
        return MenuTarget(None, screen, of=TargetKind.GROUND, title=title, place=self._surface.pan_zoom.scene_at(at))
