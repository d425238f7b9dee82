"""Handles the buttons of the mouse: selects, begins gestures, pans, and opens what is double-clicked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Qt

from starloom_gui.canvas.active_gesture import ActiveGesture
from starloom_gui.canvas.tools.move_nodes import MoveNodes
from starloom_gui.canvas.tools.pan import Pan
from starloom_gui.canvas.tools.press_badge import PressBadge

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.canvas.badges import BadgeAct
    from starloom_gui.canvas.gesture_controller import GestureController
    from starloom_gui.canvas.key_navigation import KeyNavigation
    from starloom_gui.canvas.surface import Surface
    from starloom_gui.canvas.tools.gesture import Gesture

CONTROL: Final = Qt.KeyboardModifier.ControlModifier
ADDING: Final = CONTROL | Qt.KeyboardModifier.ShiftModifier


class PointerInput:
    """Forwards presses, moves and releases to their gesture; positions are those of the viewport.

    Args:
        surface: the parts of the canvas.
        gestures: knows which gesture a press begins.
        keys: selects nodes.
        activate: is told the task of which more is wanted.
        badge_clicked: is told the task whose badge was clicked, and what is to be shown.

    Attributes:
        active: the gesture that goes on.
    """

    def __init__(
        self,
        surface: Surface,
        gestures: GestureController,
        keys: KeyNavigation,
        activate: Callable[[int], None],
        badge_clicked: Callable[[int, BadgeAct], None],
    ) -> None:
        self._surface, self._gestures, self._keys, self._activate = surface, gestures, keys, activate
        self._badge_clicked = badge_clicked
        self.active = ActiveGesture(surface.view, surface.pan_zoom)

    def press(self, at: QPoint, button: Qt.MouseButton, modifiers: Qt.KeyboardModifier) -> bool:
        """Handle the press of a button; returns whether it was handled."""
        if self.active.cancel():
            return True  # a second button takes back what the first one began
        if button == Qt.MouseButton.MiddleButton:
            self.active.take(Pan(self._surface.pan_zoom, at, clicked=lambda: None))
        elif button == Qt.MouseButton.LeftButton:
            self.active.take(self._begun(at, modifiers))
        return button in (Qt.MouseButton.MiddleButton, Qt.MouseButton.LeftButton)

    def _begun(self, at: QPoint, modifiers: Qt.KeyboardModifier) -> Gesture | None:
        """Return the gesture that a press of the left button begins; None: it was a click on a node."""
        picture, row = self._surface.graph.picture, self._surface.hit_tester.row_at(at)
        number = int(picture.numbers[row]) if picture is not None and row is not None else None

        def pick() -> None:
            self._pick(number, modifiers)

        gesture = self._gestures.press(at, modifiers, pick)
        if gesture is None and row is None:
            return Pan(self._surface.pan_zoom, at, clicked=lambda: self._gestures.click_ground(at))
        if gesture is None:
            pick()
        badge = self._surface.hit_tester.badge_act_at(at)
        if isinstance(gesture, MoveNodes) and badge is not None:
            return PressBadge(gesture, at, partial(self._badge_clicked, *badge))
        return gesture

    def _pick(self, number: int | None, modifiers: Qt.KeyboardModifier) -> None:
        """Select the node that shows a task; with Ctrl or Shift, add it or remove it."""
        picture = self._surface.graph.picture
        row = picture.row(number) if picture is not None else None
        if row is not None and modifiers & ADDING:
            self._keys.toggle(row)
        elif row is not None:
            self._keys.choose(row)

    def move(self, at: QPoint, modifiers: Qt.KeyboardModifier) -> bool:
        """Forward a move to the gesture; returns whether there is one."""
        if not self.active.is_on:
            return False
        self.move_freely(now=bool(modifiers & CONTROL))
        self.active.move(at)
        return True

    def move_freely(self, *, now: bool) -> None:
        """Disable snapping while Ctrl is held."""
        if now is not self._surface.layout_controller.moves_freely:
            self._surface.layout_controller.moves_freely = now
            self.active.again()

    def double_click(self, at: QPoint) -> bool:
        """Open the group, name, note or condition at a viewport position, or add a task; returns whether it could."""
        row = self._surface.hit_tester.row_at(at)
        if self._surface.hit_tester.badge_act_at(at) is not None:
            return True  # the first of the two clicks has shown it
        if row is None or self._surface.notes.at(at) is not None:
            return self._gestures.double_click(at)
        self._open_node(row)
        return True

    def _open_node(self, row: int) -> None:
        """Unfold a group, or edit the name of a task; for a locked one, show its card."""
        picture = self._surface.graph.picture
        assert picture is not None, "a node of it was found"
        number = int(picture.numbers[row])
        if self._surface.folding.unfold_group_of(number):
            return
        self._keys.choose(row)
        if self._gestures.verbs is None or not self._gestures.verbs.rename():
            self._activate(number)
