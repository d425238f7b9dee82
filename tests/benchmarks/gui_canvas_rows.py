"""Painting the canvas: everything in sight from afar, full nodes with text, and a thousand edges into one node.

And folding a group of a large graph: what that takes on the loop, and beside it.
"""

from __future__ import annotations

import gc
import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication
from tests.benchmarks.measuring import Budget, Row, quantile, row
from tests.driver import Driver, plan
from tests.montage import FEWEST, montage

from starloom.layout import LayoutGraph, layout
from starloom.scheduling.state import codes
from starloom.testing import layered
from starloom_gui.canvas.arranging import LayoutInput, LayoutOptions, foldable
from starloom_gui.canvas.colouring import ColourBy
from starloom_gui.canvas.folding_choice import FoldingInput
from starloom_gui.canvas.motion import ViewPosition
from starloom_gui.canvas.render_model import GraphRenderModel
from starloom_gui.canvas.view import CanvasView
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.benchmarks.workloads import Sizes

    from starloom.model.plan import Plan
    from starloom.scheduling.state.run_facts import RunFacts

MILLI: Final = 1e3
SIZE: Final = (1440, 900)
FRAMES: Final = 120
UPDATES: Final = 200
NOTE: Final = "inside viewport().repaint(), raster, {width} by {height} pixels"
NEXT: Final = {codes.WAITING: codes.PENDING, codes.PENDING: codes.RUNNING, codes.RUNNING: codes.COMPLETED}
Stage = tuple[CanvasView, GraphRenderModel]
T = TypeVar("T")


def canvas(sizes: Sizes) -> Iterator[Row]:
    """All rows about the canvas."""
    application = QApplication.instance() or QApplication(["bench"])
    assert isinstance(application, QApplication)
    appearance = Appearance(application, Theme.LIGHT, reduced_motion=True)
    frames = FRAMES if sizes.layers > 10 else 5
    yield from _far(appearance, sizes, frames)
    yield from _full(appearance, frames)
    yield from _fan(appearance, sizes, frames)
    yield from _fold(sizes)
    yield from _unfold(appearance, sizes)


def _far(appearance: Appearance, sizes: Sizes, frames: int) -> Iterator[Row]:
    view, picture = _stage(appearance, layered(sizes.layers, sizes.width))
    view.pan_zoom.fit_all()
    taken = _painted(view, picture, list(range(len(picture))), frames)
    what = f"paint, {len(picture):,} nodes all in sight, {UPDATES} updates"
    yield from _quantiles(view, what, taken, 8, 16)
    view.highlights.set_colour_by(ColourBy.DEVICE)
    taken = _painted(view, picture, list(range(len(picture))), frames)
    yield from _quantiles(view, f"{what}, coloured by device", taken, 8, 16)
    view.highlights.set_colour_by(ColourBy.STATUS)
    moving = [_dragged(view) for _ in range(frames)]
    yield row(
        "canvas",
        f"paint, {len(picture):,} nodes, the view dragged, p50",
        "ms",
        [quantile(moving, 0.5)],
        note=_note(view),
    )
    view.close()


def _full(appearance: Appearance, frames: int) -> Iterator[Row]:
    view, picture = _stage(appearance, layered(20, 60))
    view.resize(20 * 232, 10 * 80)
    view.pan_zoom.look(ViewPosition(1.0, *picture.layout.positions.mean(axis=0).tolist()), at_once=True)
    seen = [row for row in range(len(picture)) if view.viewport().rect().intersects(view.graph.node_rect(row).toRect())]
    while len(seen) > 200:
        view.resize(view.width() - 100, view.height())
        seen = [
            row for row in range(len(picture)) if view.viewport().rect().intersects(view.graph.node_rect(row).toRect())
        ]
    taken = _painted(view, picture, seen, frames)
    yield from _quantiles(view, f"paint, {len(seen)} full nodes at 100 %, {UPDATES} updates", taken, 6, 12)
    view.close()


def _fan(appearance: Appearance, sizes: Sizes, frames: int) -> Iterator[Row]:
    count = min(1_000, sizes.independent)
    ids = [f"t{number}" for number in range(count)]
    view, picture = _stage(appearance, plan([*ids, "all"], [f"{one}>all" for one in ids]))
    for scale, text in ((None, "fitted"), (0.3, "at 30 %")):
        x, y = picture.layout.positions[-1].tolist()
        if scale is None:
            view.pan_zoom.fit_all()
        else:
            view.pan_zoom.look(ViewPosition(scale, x, y), at_once=True)
        taken = _painted(view, picture, list(range(count)), frames)
        budget = Budget(33, absolute=True)
        name = f"paint, fan-in of {count:,}, {text}, {UPDATES} updates, p99"
        yield row("canvas", name, "ms", [quantile(taken, 0.99)], budget=budget, note=_note(view))
    view.close()


def _fold(sizes: Sizes) -> Iterator[Row]:
    """Every layer is a group; one in the middle is folded and unfolded again."""
    made = layered(sizes.layers, sizes.width)
    grouped = [replace(task, metadata={"group": task.id.partition("-")[0]}) for task in made.tasks]
    facts: RunFacts = Driver(checked=False).create(replace(made, tasks=tuple(grouped)))
    flat = LayoutInput.of(facts).laid_out()
    wanted = LayoutOptions(folded=frozenset({f"l{sizes.layers // 2}"}))
    taken: dict[str, float] = {}
    shape = _clocked(taken, "reading the shape, on the loop", lambda: LayoutInput.of(facts, wanted))
    folded = _clocked(taken, "folding, beside the loop", lambda: shape.laid_out(flat))
    _clocked(taken, "its picture, on the loop", lambda: GraphRenderModel(facts, folded, shape.folded))
    _clocked(taken, "unfolding, beside the loop", lambda: LayoutInput.of(facts).laid_out(folded))
    note = f"a group of {len(facts.graph) - len(folded) + 1} among {len(facts.graph):,} tasks"
    for what, seconds in taken.items():
        yield row("canvas", f"a folded group, {what}", "ms", [seconds * MILLI], note=note)


def _unfold(appearance: Appearance, sizes: Sizes) -> Iterator[Row]:
    """A group of a thousand tasks unfolded and folded again in the picture that a large graph is opened with."""
    facts: RunFacts = Driver(checked=False).create(montage(max(FEWEST, sizes.independent // 2)))
    options = FoldingInput.of(facts, LayoutOptions()).by(None).options
    group = next(group for group in foldable(facts, options) if group.name == "mProject")
    view = CanvasView(appearance, Selection(), lambda: 100.0)
    view.resize(*SIZE)
    view.show()
    unfolded = replace(options, folded=options.folded - {group.name})
    taken = [_shown(view, facts, wanted) for wanted in (options, unfolded, options)]
    view.close()
    note = f"its layout and picture made and painted, among {len(facts.graph):,} tasks"
    for what, milliseconds in zip(("unfolded", "folded"), taken[1:], strict=True):
        title = f"a group of {len(group.numbers):,} {what}"
        yield row("canvas", title, "ms", [milliseconds], budget=Budget(200, absolute=True), note=note)


def _shown(view: CanvasView, facts: RunFacts, wanted: LayoutOptions) -> float:
    """Milliseconds until a graph is painted with these groups folded."""
    begun = time.perf_counter()
    shape = LayoutInput.of(facts, wanted)
    view.show_picture(GraphRenderModel(facts, shape.laid_out(), shape.folded))
    view.viewport().repaint()
    return (time.perf_counter() - begun) * MILLI


def _clocked(taken: dict[str, float], what: str, do: Callable[[], T]) -> T:
    begun = time.perf_counter()
    made = do()
    taken[what] = time.perf_counter() - begun
    return made


def _stage(appearance: Appearance, made: Plan) -> Stage:
    facts: RunFacts = Driver(checked=False).create(made)
    graph = LayoutGraph.of(facts.graph)
    view = CanvasView(appearance, Selection(), lambda: 100.0)
    view.resize(*SIZE)
    picture = GraphRenderModel(facts, layout(graph))
    view.show_run(picture)
    view.show()
    QApplication.processEvents()
    return view, picture


def _painted(view: CanvasView, picture: GraphRenderModel, rows: list[int], frames: int) -> list[float]:
    """Milliseconds of each frame, before each of which 200 tasks get their next status; a third of them is done then.

    When all are done, all begin again, which is not timed.
    """
    facts, taken, at = picture.facts, [], 0
    numbers = picture.numbers[rows].tolist()
    for frame in range(frames):
        if frame % max(1, 3 * len(numbers) // UPDATES) == 0:
            at = _begin_again(view, facts, numbers)
        some = [numbers[(at + step) % len(numbers)] for step in range(UPDATES)]
        at += UPDATES
        for number in some:
            facts.status[number] = NEXT.get(facts.status[number], codes.COMPLETED)
            facts.device_of[number] = "d"
        view.tasks_changed(some)
        taken.append(_timed(view))
    return taken


def _begin_again(view: CanvasView, facts: RunFacts, numbers: list[int]) -> int:
    """Let a third of the tasks wait, be ready and run each."""
    for place, number in enumerate(numbers):
        facts.status[number] = place % 3
    view.tasks_changed(numbers)
    view.viewport().repaint()
    gc.collect()
    return 0


def _dragged(view: CanvasView) -> float:
    view.pan_zoom.scroll_by(3, 0)
    return _timed(view)


def _timed(view: CanvasView) -> float:
    begun = time.perf_counter()
    view.viewport().repaint()
    return (time.perf_counter() - begun) * MILLI


def _quantiles(view: CanvasView, what: str, taken: list[float], *limits: float) -> Iterator[Row]:
    for text, share, limit in zip(("p50", "p99"), (0.5, 0.99), limits, strict=True):
        budget = Budget(limit, absolute=True)
        yield row("canvas", f"{what}, {text}", "ms", [quantile(taken, share)], budget=budget, note=_note(view))


def _note(view: CanvasView) -> str:
    return NOTE.format(width=view.width(), height=view.height())
