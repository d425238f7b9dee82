"""Drags a dependency from a port, or one of its ends; released over empty space it asks for a new task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from starloom_gui.canvas.tools.connecting import Connecting

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPoint

    from starloom_gui.canvas.surface import Surface
    from starloom_gui.canvas.tools.connecting import Loose
    from starloom_gui.editing.base import Editor
    from starloom_gui.editing.trial import Trial


class Connect:
    """Connects a dependency with the pointer; a press without a drag is a click.

    Args:
        surface: the parts of the canvas.
        editor: of its graph.
        loose: the dependency.
        at: where the press was.
        clicked: what a click does.
        dropped: what is done where a new dependency is let go of in the void.
        trial: says what it would change once the pointer rests; None: nothing is foreseen.
    """

    def __init__(
        self,
        surface: Surface,
        editor: Editor,
        loose: Loose,
        at: QPoint,
        clicked: Callable[[], None],
        dropped: Callable[[Loose, QPoint], None],
        trial: Trial | None = None,
    ) -> None:
        self._surface, self._editor, self._loose, self._start = surface, editor, loose, at
        self._clicked, self._dropped, self._trial = clicked, dropped, trial
        self._connecting: Connecting | None = None

    @property
    def scrolls(self) -> bool:
        """Whether the drag has begun; not over a task, which must not move from under the pointer."""
        return self._connecting is not None and self._connecting.aimed is None

    def move(self, at: QPoint) -> None:
        """Aim at the task under the pointer."""
        far = (at - self._start).manhattanLength() >= QApplication.startDragDistance()
        if self._connecting is None and far:
            self._connecting = Connecting(self._surface, self._editor, self._loose, self._trial)
        if self._connecting is not None:
            picture, row = (
                self._surface.graph.picture,
                self._surface.hit_tester.target_at(at, outgoing=not self._loose.forward),
            )
            number = int(picture.numbers[row]) if picture is not None and row is not None else None
            self._connecting.aim(number, self._surface.pan_zoom.scene_at(at))

    def release(self, at: QPoint) -> None:
        """Add the dependency, ask for a new task at its end, or click."""
        self.move(at)
        connecting, self._connecting = self._connecting, None
        if connecting is None:
            self._clicked()
        elif connecting.aimed is not None:
            connecting.finish()
        else:
            connecting.end()
            if self._loose.moving is None and not connecting.targets.blocked:
                self._dropped(self._loose, at)

    def cancel(self) -> None:
        """Cancel the drag; nothing has changed."""
        if self._connecting is not None:
            self._connecting.end()
            self._connecting = None

    def renew(self) -> None:
        """Continue on another render model."""
        if self._connecting is not None:
            self._connecting.renew()
