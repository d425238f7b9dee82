"""Handles the keys that navigate, select, fold and zoom; editing keys are in `gesture_controller`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

from starloom_gui.canvas.folding import no_groups_words
from starloom_gui.canvas.navigation import NavigationStep, first, step
from starloom_gui.viewmodel.keys import Scope, pressed

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.canvas.surface import Surface
    from starloom_gui.viewmodel.selection import Selection

STEPS: Final = {
    Qt.Key.Key_Left: NavigationStep.PARENT,
    Qt.Key.Key_Right: NavigationStep.CHILD,
    Qt.Key.Key_Up: NavigationStep.BEFORE,
    Qt.Key.Key_Down: NavigationStep.AFTER,
    Qt.Key.Key_Home: NavigationStep.FIRST,
    Qt.Key.Key_End: NavigationStep.LAST,
}


class KeyNavigation:
    """Navigates from node to node, selects nodes, and folds, turns, zooms and fits by keys.

    Args:
        surface: the parts of the canvas.
        selection: of its run.
        stop: ends what keys have begun, before another node is the current one.
    """

    def __init__(self, surface: Surface, selection: Selection, stop: Callable[[], object]) -> None:
        self._surface, self._selection, self._stop = surface, selection, stop

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> bool:
        """Handle a key; returns whether it was handled."""
        if key in STEPS:
            select = not modifiers & Qt.KeyboardModifier.ControlModifier
            self._walk(STEPS[key], select=select, more=bool(modifiers & Qt.KeyboardModifier.ShiftModifier))
            return True
        look = self._looks().get(pressed(Scope.GRAPH, key, modifiers))
        if look is not None:
            look()
        return look is not None

    def _looks(self) -> dict[str, Callable[[], object]]:
        """The functions of the view's keys, by their names among `keys.KEYS`."""
        return {
            "fold": self._fold,
            "unfold": self._unfold,
            "fold_groups": self._fold_groups,
            "fold_levels": self._surface.folding.fold_by_levels,
            "unfold_all": self._surface.folding.unfold_all,
            "fit_all": self._surface.pan_zoom.fit_all,
            "focus": self._focus_current,
            "turn": self._surface.layout_controller.turn,
            "toggle": lambda: self.toggle(self._current_row()),
        }

    def _fold(self) -> None:
        """Fold the group of the current task if it is selected, else all groups."""
        if not self._surface.folding.fold_group_of(self._selected_current()):
            self._surface.pan_zoom.zoom_out()

    def _fold_groups(self) -> None:
        """Fold all groups, or say why nothing can be folded."""
        folding = self._surface.folding
        folding.fold_all()
        if not folding.outline_names:
            self._surface.overlay.say_of(None, no_groups_words())

    def _unfold(self) -> None:
        """Unfold the group of the current task if it is selected, else all groups."""
        if not self._surface.folding.unfold_group_of(self._selected_current()):
            self._surface.pan_zoom.zoom_in()

    def _selected_current(self) -> int | None:
        now = self._selection.now
        return now.current if now.current in now.numbers else None

    def _focus_current(self) -> None:
        current = self._selection.now.current
        if current is not None:
            self._surface.graph.focus_task(current)

    def _current_row(self) -> int | None:
        picture = self._surface.graph.picture
        return picture.row(self._selection.now.current) if picture is not None else None

    def _walk(self, way: NavigationStep, *, select: bool, more: bool) -> None:
        picture, current = self._surface.graph.picture, self._current_row()
        if picture is None:
            return
        row = first(picture) if current is None else current
        if row is None:
            return
        if current is not None or way is NavigationStep.LAST:
            row = step(picture, row, way)
        self._stop()
        if more:
            both = (*picture.numbers_at(row), *(picture.numbers_at(current) if current is not None else ()))
            self._selection.select_all(self._selection.now.numbers | set(both), int(picture.numbers[row]))
        elif select:
            self.choose(row)
        else:
            self._selection.move(int(picture.numbers[row]))
        self._surface.graph.reveal_task(int(picture.numbers[row]))

    # ---- selecting nodes

    def choose(self, row: int) -> None:
        """Select the tasks of a node."""
        picture = self._surface.graph.picture
        assert picture is not None, "it has this row"
        self._selection.select_all(picture.numbers_at(row), int(picture.numbers[row]))

    def toggle(self, row: int | None) -> None:
        """Add the tasks of a node to the selection, or remove them."""
        picture = self._surface.graph.picture
        if picture is None or row is None:
            return
        some, chosen = frozenset(picture.numbers_at(row)), self._selection.now.numbers
        self._selection.select_all(chosen - some if some <= chosen else chosen | some, int(picture.numbers[row]))
