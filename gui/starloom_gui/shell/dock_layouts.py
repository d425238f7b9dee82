"""The two layouts of the docks: the user's own, and the one for plans that are drawn from nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom_gui.shell import layout_state
from starloom_gui.shell.perspectives import Perspective

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.settings import Settings
    from starloom_gui.shell.workbench import Workbench

DRAWING: Final = "drawing_"
"""The name under which the layout for new plans is saved."""


class DockLayouts:
    """Switches between the user's own layout and that for new plans, and keeps both as their user arranged them.

    A new plan begins in the Edit perspective, or in what its user made of it. Everything else is in the other layout,
    which comes back with the next document that is not a new plan.

    Args:
        bench: has the docks.
        settings: keep the layouts.
        fit: gives a hidden workbench its final size.
    """

    def __init__(self, bench: Workbench, settings: Settings, fit: Callable[[], None]) -> None:
        self._bench, self._settings, self._fit = bench, settings, fit
        self._new: set[str] = set()
        self._is_drawing = self._is_elsewhere = False
        """Whether a new plan is in front; and whether a perspective for something else was chosen for it."""

    def restore(self) -> bool:
        """Restore the user's own layout; False: no usable one was saved, and the default one is shown."""
        return layout_state.restore(self._bench, self._settings)

    def save(self) -> None:
        """Save the layout that is shown; a perspective that was chosen while drawing replaces neither."""
        if not self._is_elsewhere:
            layout_state.save(self._bench, self._settings, DRAWING if self._is_drawing else "")

    def reset(self) -> None:
        """Drop both layouts and show the default one."""
        self._new.clear()
        self._is_drawing = self._is_elsewhere = False
        layout_state.reset(self._bench, self._settings)

    def show(self, perspective: Perspective) -> None:
        """Arrange the docks for a purpose."""
        self._fit()
        if self._is_drawing:
            self.save()
            self._is_elsewhere = perspective is not Perspective.EDIT
        self._bench.show_perspective(perspective)

    def begin_drawing(self, key: str) -> None:
        """Show the layout for new plans with the Palette in front, for the new plan of a key, which is in front."""
        self._new.add(key)
        self.follow(key)
        self._bench.turn_to("palette")

    def follow(self, key: str) -> None:
        """Show the layout of the document in front, by its key; empty: nothing is open."""
        is_drawing = key in self._new
        if is_drawing is self._is_drawing:
            return
        self._fit()
        self.save()
        self._is_drawing, self._is_elsewhere = is_drawing, False
        if is_drawing:
            layout_state.restore(self._bench, self._settings, DRAWING, Perspective.EDIT)
        else:
            layout_state.restore(self._bench, self._settings)
