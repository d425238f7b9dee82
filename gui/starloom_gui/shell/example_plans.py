"""Reads the examples in the background, for their pictures on the welcome page and to open one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject

from starloom.layout import LayoutGraph, Spacing, layout
from starloom.model.status import DependencyKind
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.event_loop.background import in_background
from starloom_gui.shell.plan_picture import BOX, EdgeMark, PictureEdge, PlanPicture
from starloom_resources.example_plans import example_plan

if TYPE_CHECKING:
    from starloom.layout.values import FloatArray
    from starloom.model.plan import Plan
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.shell.example_cards import ExampleCards

_SPACING: Final = Spacing(rank_gap=28, row_gap=7, edge_gap=5, part_gap=10, size=BOX)
_MARKS: Final = {
    DependencyKind.SUCCESS: EdgeMark.NONE,
    DependencyKind.ALWAYS: EdgeMark.DASHED,
    DependencyKind.FAILURE: EdgeMark.CIRCLE,
    DependencyKind.CONDITION: EdgeMark.DIAMOND,
}


def picture_of(plan: Plan) -> PlanPicture:
    """The picture of a plan's graph; takes milliseconds for some dozen tasks."""
    graph = LayoutGraph.of_pairs(
        [task.id for task in plan.tasks], [(one.parent, one.child) for one in plan.dependencies]
    )
    laid = layout(graph, spacing=_SPACING)
    corners = laid.positions - laid.sizes / 2
    drawn = np.vstack([corners, corners + laid.sizes, laid.routes.points, [(0.0, 0.0)]])
    low, high = drawn.min(axis=0), drawn.max(axis=0)
    marks = {(one.parent, one.child): _MARKS[one.kind] for one in plan.dependencies}
    edges = tuple(
        PictureEdge(_pairs(laid.routes.of(number) - low), marks[graph.ids[parent], graph.ids[child]])
        for number, (parent, child) in enumerate(graph.edges.tolist())
    )
    width, height = (high - low).tolist()
    return PlanPicture(len(plan.tasks), (width, height), _pairs(corners - low), edges)


def _read_picture(file: str) -> PlanPicture:
    return picture_of(example_plan(file))


def _pairs(points: FloatArray) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for x, y in points.tolist())


class ExamplePlans(QObject):
    """Reads the examples on demand.

    To be used where the loop runs.

    Args:
        documents: where an example is opened.
        cards: those of the welcome page.
        parent: of the object.
    """

    def __init__(self, documents: OpenDocuments, cards: ExampleCards, parent: QObject) -> None:
        super().__init__(parent)
        self._documents, self._cards = documents, cards
        self.background_tasks = BackgroundTasks("console: examples")
        cards.asked.connect(self.open)

    def begin(self) -> None:
        """Start to show the pictures of all examples; returns at once."""
        self.background_tasks.begin(self._show_pictures())

    def open(self, file: str) -> None:
        """Open an example's plan in a new tab, or raise the tab where it is open and unchanged; returns at once."""
        self.background_tasks.begin(self._open(file))

    async def close(self) -> None:
        """Stop reading."""
        self.background_tasks.cancel()
        await self.background_tasks.settled()

    async def _show_pictures(self) -> None:
        for card in sorted(self._cards.cards, key=lambda one: one.visibleRegion().isEmpty()):  # those in sight first
            card.show_picture(await in_background(_read_picture, card.example.file))

    async def _open(self, file: str) -> None:
        plan = await in_background(example_plan, file)
        same = [one for one in self._documents.documents if one.path is None and one.plan == plan == one.saved]
        if same:
            self._documents.turn_to(same[0].key)
        else:
            self._documents.put_new(plan)
