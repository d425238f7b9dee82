"""Drawing a graph on a canvas: laid out in a thread when its structure has changed, else only recoloured.

While edits are staged, what would come and go is drawn with the rest; those things are called ghosts.
"""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import numpy as np
from PySide6.QtCore import QObject, Signal
from typing_extensions import override

from starloom.layout import LayoutStopped
from starloom_gui.canvas.arranging import NOTHING_ELSE, Extra, LayoutInput
from starloom_gui.canvas.folding_choice import MOST_NODES, FoldBy, FoldingInput
from starloom_gui.canvas.render_model import GraphRenderModel
from starloom_gui.editing.effect import durations
from starloom_gui.widgets.view_stack import FRAME, all_made
from starloom_gui.workspace.earlier_layouts import EarlierLayouts, come_back

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtCore import SignalInstance

    from starloom.constellation.graph import Graph
    from starloom.layout import Layout
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.canvas.arranging import LayoutOptions
    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.diff.plan_diff import PlanDiff
    from starloom_gui.editing.run_editor import RunEditor
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.viewmodel.roles import Facts
    from starloom_gui.viewmodel.staged_overlay import StagedOverlay


NOBODY: Final = frozenset[int]()
_T = TypeVar("_T")


class OverlaySource(Protocol):
    """The protocol of overlays of a graph, as `CanvasOverlays` implements it."""

    @property
    def changed(self) -> SignalInstance:
        """Emitted whenever the overlay may have changed."""

    @property
    def ghosts(self) -> StagedOverlay | None:
        """The overlay of staged edits; None: there are none."""

    @property
    def weighed(self) -> SignalInstance:
        """Emitted whenever the durations may have changed."""

    @property
    def durations(self) -> dict[int, float]:
        """The estimated durations of staged tasks, in seconds by number, where known."""

    def on_changes(self, changes: Changes) -> None:
        """Update the ghosts from the run; calling it twice is allowed."""


class CanvasOverlays(QObject):
    """The overlays of a run's graph: staged edits, a proposal or a comparison.

    Staged edits come first, for they are what the user is at; then a proposal that is looked at, then a comparison.

    Args:
        editor: of the run.
        against: its comparison; None: it has none.
    """

    changed = Signal()
    weighed = Signal()

    def __init__(self, editor: RunEditor, against: PlanDiff | None = None) -> None:
        super().__init__(editor)
        self._editor, self._against = editor, against
        editor.changed.connect(self.changed)
        editor.staging.weighed.connect(self.weighed)
        if against is not None:
            against.changed.connect(self.changed)

    @property
    def ghosts(self) -> StagedOverlay | None:
        """The overlay to draw; None: there is none."""
        return self._editor.ghosts or (self._against.ghosts if self._against is not None else None)

    @property
    def durations(self) -> dict[int, float]:
        """The estimated durations of staged tasks, in seconds by number, where known."""
        ghosts = self._editor.ghosts
        return durations(ghosts, self._editor.staging.effect) if ghosts is not None else {}

    def on_changes(self, changes: Changes) -> None:
        """Update the ghosts from the run; calling it twice is allowed."""
        self._editor.on_changes(changes)
        if self._against is not None:
            self._against.on_changes(changes)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The inputs of a layout: while they are equal, so are nodes and edges.

    Attributes:
        graph: of the run; the same one stays the same until an edit, of which there are so many, or a first plan.
    """

    graph: Graph
    revision: int
    size: int
    arrangement: LayoutOptions

    @override
    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Drawn)
            and self.graph is other.graph
            and (self.revision, self.size) == (other.revision, other.size)
            and self.arrangement == other.arrangement
        )


class GraphDrawing(QObject):
    """Draws the graph of a run on a canvas; a new layout keeps the positions of the one before.

    To be used where a loop runs.

    Args:
        view: the canvas.
        facts: gives the facts of the run.
        parent: of the object.
        staging: where staged edits are; None: nothing is ever staged.
        fenced: gives the ready tasks, or those among some, that do not start because somebody is asked.
        quiet: gives the running tasks that have printed nothing for long; see `GraphRenderModel.quiet`.

    Signals:
        drawn: the canvas shows the graph as it is now.
    """

    drawn = Signal()

    def __init__(
        self,
        view: CanvasView,
        facts: Facts,
        parent: QObject | None = None,
        staging: OverlaySource | None = None,
        fenced: Callable[..., frozenset[int]] = lambda _among=None: NOBODY,
        quiet: Callable[[], Mapping[int, float]] = dict,
    ) -> None:
        super().__init__(parent)
        self._view, self._facts, self._staging = view, facts, staging
        self._fenced, self._quiet = fenced, quiet
        self._unset: frozenset[int] = frozenset()
        self._layout: Layout | None = None
        self._shape: LayoutInput | None = None
        self._earlier = EarlierLayouts()
        self._drawn_of: _Drawn | None = None
        self._unstaged: Layout | None = None
        self._goes_back_to: Layout | None = None
        self._is_anew = self._is_shown = self._wants_levels = False
        self._ghosts = staging.ghosts if staging is not None else None  # what was staged in an earlier session is there
        self._haunted: tuple[StagedOverlay, LayoutOptions] | None = None
        if staging is not None:
            staging.changed.connect(self._restage)
            staging.weighed.connect(self._say_how_long)
        self._task: asyncio.Task[None] | None = None
        self._is_outdated = False
        view.layout_controller.arrangement_changed.connect(self.draw)
        view.layout_controller.going_back.connect(self._go_back)
        view.layout_controller.tidied.connect(self._begin_anew)
        view.layout_controller.levels_asked.connect(self._ask_levels)

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of the run."""
        if self._staging is not None:
            self._staging.on_changes(changes)
        if changes.everything or changes.edits:
            self.draw()
        elif numbers := changes.tasks | self._fence(changes) | self._silence():
            self._view.tasks_changed(numbers)
        if changes.second:
            self._view.tick()

    def _silence(self) -> frozenset[int]:
        """The tasks that are quiet now and were not, or the other way round."""
        picture = self._view.graph.picture
        return picture.set_quiet(self._quiet()) if picture is not None else NOBODY

    def mark_unset(self, numbers: frozenset[int]) -> None:
        """Mark the tasks for which something is typed and not set; also in the pictures to come."""
        self._unset, picture = numbers, self._view.graph.picture
        if picture is not None:
            # one that has just been removed is in the picture until the next layout, and has no status to describe
            tasks = picture.facts.graph.tasks
            self._view.tasks_changed({one for one in picture.set_unset(numbers) if tasks[one] is not None})

    def _fence(self, changes: Changes) -> frozenset[int]:
        """The tasks that are kept back now and were not, or the other way round."""
        picture = self._view.graph.picture
        if picture is None or not (changes.run or changes.tasks):
            return NOBODY
        if changes.run:
            return picture.set_fenced(self._fenced())
        return picture.set_fenced((picture.fenced - changes.tasks) | self._fenced(changes.tasks))

    def draw(self) -> None:
        """Lay the present graph out and show it, as soon as that is done."""
        self._is_outdated = True
        if self._task is None or self._task.done():  # one that is done looks no more, though nobody has heard of it
            self._task = asyncio.get_running_loop().create_task(self._keep_drawing(), name="console: layout")
            self._task.add_done_callback(self._drawn)

    @property
    def is_up_to_date(self) -> bool:
        """Whether the canvas shows all changes that the drawing was notified of."""
        return not self._is_outdated and (self._task is None or self._task.done())

    def _go_back(self, layout: Layout) -> None:
        """Base the next render model on an earlier layout."""
        self._goes_back_to, self._is_anew = layout, False
        self.draw()

    def _begin_anew(self) -> None:
        """Lay the next render model out without an earlier layout."""
        self._goes_back_to, self._unstaged, self._is_anew = None, None, True
        self._earlier.forget()
        self.draw()

    def _ask_levels(self) -> None:
        """Fold the next render model by levels and names."""
        self._wants_levels = True
        self.draw()

    @property
    def has_ghosts(self) -> bool:
        """Whether tasks are drawn that are only staged, or only in the plan a run is compared with."""
        return self._ghosts is not None

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
        """Mark existing tasks at once; new ones appear with the next layout."""
        ghosts = self._staging.ghosts if self._staging is not None else None
        if ghosts is self._ghosts:
            return
        self._ghosts = ghosts
        self._view.graph.show_stages(ghosts.stages if ghosts else {}, ghosts.edge_stages if ghosts else {})
        self.draw()

    def _say_how_long(self) -> None:
        """Update the estimated durations of ghosts."""
        if self._staging is not None:
            self._view.graph.show_durations(self._staging.durations)

    async def _keep_drawing(self) -> None:
        while self._is_outdated:
            self._is_outdated = False
            ghosts = self._staging.ghosts if self._staging is not None else None
            facts = ghosts.facts if ghosts is not None else self._facts()
            if facts is not None:
                await self._choose_folding(facts, ghosts)
                await self._draw(facts, ghosts)

    async def _choose_folding(self, facts: RunFacts, ghosts: StagedOverlay | None) -> None:
        """Fold a large graph that is shown for the first time, and any one by its levels where that was asked for.

        What the user has placed stays as it is, and what was shown once is never folded by itself.
        """
        controller, levels = self._view.layout_controller, self._wants_levels
        self._wants_levels = False
        options = controller.arrangement
        is_first = not self._is_shown and not options.pinned and not options.folded
        if not levels and not (is_first and len(facts.graph) > MOST_NODES):
            return
        # beside a thread that computes each pane would stop the window for twice as long
        while not all_made():  # noqa: ASYNC110 - timers of Qt make them, one a frame
            await asyncio.sleep(FRAME / 1000)
        graph = FoldingInput.of(facts, options)
        drawn = _Drawn(facts.graph, facts.revision, len(facts.graph.ids), options)
        chosen = await self._beside(partial(graph.by, FoldBy.LEVEL if levels else None))
        others = self._is_outdated
        controller.fold(chosen.options.folded, chosen.options.sections)
        self._is_outdated = others  # this picture is already the one that was asked for by that
        if ghosts is None and controller.arrangement == chosen.options:
            self._layout, self._shape = chosen.layout, chosen.shape
            self._drawn_of = replace(drawn, arrangement=chosen.options)
        else:
            self._is_anew = True

    async def _draw(self, facts: RunFacts, ghosts: StagedOverlay | None) -> None:
        if self._is_drawn(ghosts) and self._goes_back_to is None and not self._is_anew:
            return  # the run has another graph by now, and there will be other ghosts of it
        haunted = (ghosts, self._view.layout_controller.arrangement) if ghosts is not None else None
        drawn = _Drawn(facts.graph, facts.revision, len(facts.graph.ids), self._view.layout_controller.arrangement)
        shape = self._shape
        if ghosts is not None or shape is None or self._layout is None or drawn != self._drawn_of:
            also = Extra(ghosts.extra, ghosts.order) if ghosts is not None else NOTHING_ELSE
            shape = LayoutInput.of(facts, self._view.layout_controller.arrangement, also)
        made, back = self._layout, None
        stands = ghosts is None and (shape is self._shape or shape.stands_as(self._shape))
        if ghosts is None and not stands and not self._is_anew:
            self._earlier.keep(self._shape, self._layout)
            back = self._earlier.of(shape)
        if made is None or not stands or self._goes_back_to is not None or self._is_anew:
            made = await self._laid_out(shape, self._before(shape, ghosts, back))
        self._shape, self._drawn_of = (shape, drawn) if ghosts is None else (None, None)
        come = come_back(back, self._view.graph.picture)
        if drawn.revision != facts.revision:  # edited meanwhile
            shape = replace(shape, bundled=None)
        self._show(facts, shape, made, ghosts)
        self._haunted = haunted
        if come is not None:
            self._view.folding.reveal_soon(come)

    def _is_drawn(self, ghosts: StagedOverlay | None) -> bool:
        """Whether just these ghosts are drawn as the user wants; others may be equal, and of another graph."""
        was = self._haunted
        return (
            ghosts is not None
            and was is not None
            and was[0] is ghosts
            and was[1] == self._view.layout_controller.arrangement
        )

    def _before(self, shape: LayoutInput, ghosts: StagedOverlay | None, back: Layout | None) -> Layout | None:
        """The layout to start from: `back`, an earlier one of the same graph, or that before ghosts that have gone."""
        once, self._goes_back_to = self._goes_back_to, None
        if self._is_anew:
            self._is_anew = False
            return None
        if once is not None or back is not None:
            return once or back
        old = self._unstaged
        if ghosts is not None or old is None or not np.array_equal(old.graph.numbers, shape.graph.numbers):
            return self._layout
        return old

    async def _laid_out(self, shape: LayoutInput, previous: Layout | None) -> Layout:
        """The layout of the graph to be shown."""
        return await self._beside(partial(shape.laid_out, previous))

    async def _beside(self, make: Callable[[Callable[[], bool]], _T]) -> _T:
        """Compute in a thread; cancelling stops the computation at its next check.

        Args:
            make: makes it; asks what it is given whether to stop.
        """
        given_up = threading.Event()
        try:
            return await asyncio.to_thread(make, given_up.is_set)
        except LayoutStopped:
            raise asyncio.CancelledError from None
        finally:
            given_up.set()

    def _show(self, facts: RunFacts, shape: LayoutInput, made: Layout, ghosts: StagedOverlay | None) -> None:
        is_first, self._is_shown, self._layout = not self._is_shown, True, made
        picture = GraphRenderModel(facts, made, shape.folded, shape.bundled)
        late = picture.set_fenced(self._fenced()) | picture.set_quiet(self._quiet()) | picture.set_unset(self._unset)
        picture.update(late)
        if ghosts is None:
            self._unstaged = made
        else:
            picture.set_stages(ghosts.stages, ghosts.edge_stages)
            picture.durations = self._staging.durations if self._staging is not None else {}
            picture.real[:] = ~np.isin(picture.numbers, list(ghosts.lent))
        if is_first:
            self._view.show_run(picture)
        else:
            self._view.show_picture(picture)
        self.drawn.emit()
