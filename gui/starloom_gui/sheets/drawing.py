"""Keeping a canvas up with a graph: laid out beside the loop when its structure has changed, else only recoloured."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom.layout import LayoutStopped
from starloom_gui.canvas.arranging import Shape
from starloom_gui.canvas.picture import Picture

if TYPE_CHECKING:
    from starloom.layout import Layout
    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.bridge.changes import Changes
    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.models.roles import Facts


class Drawing(QObject):
    """Draws the graph of a run on a canvas and goes on from the layout before: what stands stays where it stands.

    To be used where a loop runs.

    Args:
        view: the canvas.
        facts: gives the facts of the run.
        parent: of the object.

    Signals:
        drawn: the canvas shows the graph as it is now.
    """

    drawn = Signal()

    def __init__(self, view: CanvasView, facts: Facts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view, self._facts = view, facts
        self._layout: Layout | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_outdated = False
        view.arrangement_changed.connect(self.draw)

    def take(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of the run."""
        if changes.everything or changes.edits:
            self.draw()
        elif changes.tasks:
            self._view.tasks_changed(changes.tasks)
        if changes.second:
            self._view.tick()

    def draw(self) -> None:
        """Lay the graph out as it is now and show it, as soon as that is done."""
        self._is_outdated = True
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._keep_drawing(), name="console: layout")
            self._task.add_done_callback(self._drawn)

    def close(self) -> None:
        """Draw no more."""
        if self._task is not None:
            self._task.cancel()

    def _drawn(self, task: asyncio.Task[None]) -> None:
        self._task = None
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error

    async def _keep_drawing(self) -> None:
        while self._is_outdated:
            self._is_outdated = False
            facts = self._facts()
            if facts is not None:
                shape = Shape.of(facts, self._view.arrangement)
                self._show(facts, shape, await self._laid_out(shape))

    async def _laid_out(self, shape: Shape) -> Layout:
        """The layout of what is to be shown; cancelling stops the thread at its next look."""
        previous, given_up = self._layout, threading.Event()
        try:
            return await asyncio.to_thread(shape.laid_out, previous, given_up.is_set)
        except LayoutStopped:
            raise asyncio.CancelledError from None
        finally:
            given_up.set()

    def _show(self, facts: RunFacts, shape: Shape, made: Layout) -> None:
        is_first, self._layout = self._layout is None, made
        picture = Picture(facts, made, shape.folded)
        if is_first:
            self._view.show_run(picture)
        else:
            self._view.show_picture(picture)
        self.drawn.emit()
