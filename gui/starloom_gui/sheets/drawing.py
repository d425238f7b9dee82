"""Keeping a canvas up with a graph: laid out beside the loop when its structure has changed, else only recoloured.

While edits are staged, what would come and go is drawn with the rest; those things are called ghosts.
"""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Protocol

import numpy as np
from PySide6.QtCore import QObject, Signal

from starloom.layout import LayoutStopped
from starloom_gui.canvas.arranging import NOTHING_ELSE, Extra, Shape
from starloom_gui.canvas.picture import Picture

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from starloom.layout import Layout
    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.bridge.changes import Changes
    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.editing.preview import Ghosts
    from starloom_gui.models.roles import Facts


class Staging(Protocol):
    """Where staged edits are: `RunEditor`, or whatever answers like it."""

    @property
    def changed(self) -> SignalInstance:
        """Emitted whenever there may be other ghosts."""

    @property
    def ghosts(self) -> Ghosts | None:
        """What is to be drawn of staged edits; None: there are none."""

    def take(self, changes: Changes) -> None:
        """Have the ghosts follow the run; being told twice is no mistake."""


class Drawing(QObject):
    """Draws the graph of a run on a canvas and goes on from the layout before: what stands stays where it stands.

    To be used where a loop runs.

    Args:
        view: the canvas.
        facts: gives the facts of the run.
        parent: of the object.
        staging: where staged edits are; None: nothing is ever staged.

    Signals:
        drawn: the canvas shows the graph as it is now.
    """

    drawn = Signal()

    def __init__(
        self, view: CanvasView, facts: Facts, parent: QObject | None = None, staging: Staging | None = None
    ) -> None:
        super().__init__(parent)
        self._view, self._facts, self._staging = view, facts, staging
        self._layout: Layout | None = None
        self._unstaged: Layout | None = None
        self._ghosts: Ghosts | None = None
        if staging is not None:
            staging.changed.connect(self._restage)
        self._task: asyncio.Task[None] | None = None
        self._is_outdated = False
        view.arrangement_changed.connect(self.draw)

    def take(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of the run."""
        if self._staging is not None:
            self._staging.take(changes)
        if changes.everything or changes.edits:
            self.draw()
        elif changes.tasks:
            self._view.tasks_changed(changes.tasks)
        if changes.second:
            self._view.tick()

    def draw(self) -> None:
        """Lay the graph out as it is now and show it, as soon as that is done."""
        self._is_outdated = True
        if self._task is None or self._task.done():  # one that is done looks no more, though nobody has heard of it
            self._task = asyncio.get_running_loop().create_task(self._keep_drawing(), name="console: layout")
            self._task.add_done_callback(self._drawn)

    def close(self) -> None:
        """Draw no more."""
        if self._task is not None:
            self._task.cancel()

    def _drawn(self, task: asyncio.Task[None]) -> None:
        if task is self._task:
            self._task = None
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error

    def _restage(self) -> None:
        """Mark at once what is there already; what would come appears when there is a layout with it."""
        ghosts = self._staging.ghosts if self._staging is not None else None
        if ghosts is self._ghosts:
            return
        self._ghosts = ghosts
        self._view.show_stages(ghosts.stages if ghosts else {}, ghosts.edge_stages if ghosts else {})
        self.draw()

    async def _keep_drawing(self) -> None:
        while self._is_outdated:
            self._is_outdated = False
            ghosts = self._staging.ghosts if self._staging is not None else None
            facts = ghosts.facts if ghosts is not None else self._facts()
            if facts is not None:
                also = Extra(ghosts.extra, ghosts.order) if ghosts is not None else NOTHING_ELSE
                shape = Shape.of(facts, self._view.arrangement, also)
                self._show(facts, shape, await self._laid_out(shape, self._before(shape, ghosts)), ghosts)

    def _before(self, shape: Shape, ghosts: Ghosts | None) -> Layout | None:
        """The layout to go on from: when ghosts have gone and left nothing behind, that from before they came."""
        old = self._unstaged
        if ghosts is not None or old is None or not np.array_equal(old.graph.numbers, shape.graph.numbers):
            return self._layout
        return old

    async def _laid_out(self, shape: Shape, previous: Layout | None) -> Layout:
        """The layout of what is to be shown; cancelling stops the thread at its next look."""
        given_up = threading.Event()
        try:
            return await asyncio.to_thread(shape.laid_out, previous, given_up.is_set)
        except LayoutStopped:
            raise asyncio.CancelledError from None
        finally:
            given_up.set()

    def _show(self, facts: RunFacts, shape: Shape, made: Layout, ghosts: Ghosts | None) -> None:
        is_first, self._layout = self._layout is None, made
        picture = Picture(facts, made, shape.folded)
        if ghosts is None:
            self._unstaged = made
        else:
            picture.set_stages(ghosts.stages, ghosts.edge_stages)
        if is_first:
            self._view.show_run(picture)
        else:
            self._view.show_picture(picture)
        self.drawn.emit()
