"""Accepts drops: a template on empty space, a task or a dependency; copied tasks on empty space.

What is dragged in is not trusted: it is read within the limits of a file, and what is wrong with it is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QPainterPath
from typing_extensions import override

from starloom.errors import PlanError
from starloom.layout import Direction
from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.drop_preview import DropPreview, DropSight
from starloom_gui.canvas.hit_test import edge_at, node_at
from starloom_gui.editing.adding import GROUND, Site, add_step, site_words
from starloom_gui.editing.clipboard import EDITS_TYPE, TEMPLATE_TYPE, is_known, snippet_in
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill, tasks
from starloom_gui.widgets.border_scroll import BorderScroll

if TYPE_CHECKING:
    from starloom.model.task import Task
    from starloom_gui.canvas.drafting import Drafting
    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.editing.clipboard import Clipboard
    from starloom_gui.editing.snippets import Snippet
    from starloom_gui.editing.trial import Trial
    from starloom_gui.theme.appearance import Appearance

SLACK: Final = 10.0
"""So many pixels beside a dependency still mean it."""


@dataclass(frozen=True, slots=True)
class _Spot:
    """The drop target under the pointer: a site in the graph, and its row or edge in the render model."""

    site: Site = GROUND
    row: int | None = None
    edge: int | None = None


_NOWHERE: Final = _Spot()


class Drops(QObject):
    """Handles drags over the viewport of a canvas. Nothing changes before the drop.

    Files are not its business: they are left to whatever the canvas lies in.

    Args:
        view: the canvas.
        drafting: asks for the name of a new task, and puts it into its graph.
        clipboard: puts copied tasks into it.
        appearance: the colours.
        trial: says what a drop would change once the pointer rests; None: nothing is foreseen.
    """

    def __init__(
        self,
        view: CanvasView,
        drafting: Drafting,
        clipboard: Clipboard,
        appearance: Appearance,
        trial: Trial | None = None,
    ) -> None:
        super().__init__(view)
        self._trial = trial
        if trial is not None:
            trial.changed.connect(self._say_more)
        self._view, self._drafting, self._clipboard = view, drafting, clipboard
        self._planter = drafting.planter
        self.preview = DropPreview(view, appearance)
        self._dragged: Snippet | None = None
        self._problem = ""
        self._spot: _Spot | None = None
        self._verdict = Verdict(True)
        self._border = BorderScroll(self._scroll, self)
        view.viewport().setAcceptDrops(True)
        view.viewport().installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # the kinds of drag events are those of moves and drops, too: the most special first
        if isinstance(event, QDragEnterEvent):
            return self._enter(event)
        if isinstance(event, QDragMoveEvent):
            return self._move(event)
        if isinstance(event, QDropEvent):
            return self._drop(event)
        if event.type() == QEvent.Type.DragLeave and (self._dragged is not None or self._problem):
            self._end()
            return True
        return False

    # ---- the drag

    def _enter(self, event: QDragEnterEvent) -> bool:
        mime = event.mimeData()
        if not is_known(mime):
            event.ignore()  # a graphics view would take any drag that enters it, and no file could be dropped here
            return True
        self._end()
        try:
            self._dragged = snippet_in(mime)
            if mime.hasFormat(TEMPLATE_TYPE) and len(self._dragged.tasks) != 1:
                self._problem = self.tr("A template is one task.")
        except PlanError as error:
            self._problem = str(error.problems[0])
        self._follow(event)
        return True

    def _move(self, event: QDragMoveEvent) -> bool:
        if self._dragged is None and not self._problem:
            return False
        self._follow(event)
        return True

    def _follow(self, event: QDragMoveEvent) -> None:
        self._look(event.position())
        self._border.follow(event.position(), QRectF(self._view.viewport().rect()))
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()  # also where nothing can be dropped: else no drop is heard of, and nobody told why

    def _scroll(self, dx: int, dy: int) -> None:
        """Scroll at the border, and update the target under the pointer."""
        sight = self.preview.sight
        if sight is not None:
            self._view.pan_zoom.scroll_at_border(dx, dy)
            self._look(sight.at)

    def _look(self, at: QPointF) -> None:
        spot = self._spot_at(at)
        if spot != self._spot:
            self._spot, self._verdict = spot, self._judge(spot)
            self._try(spot)
        self.preview.show_sight(self._sight(at, spot))

    def _try(self, spot: _Spot | None) -> None:
        """Request the projection with the dragged task at a target."""
        if self._trial is not None:
            task, facts = self._new_task(), self._planter.facts()
            if spot is None or task is None or facts is None or not self._verdict.ok:
                self._trial.ask(None)
            else:
                self._trial.ask(add_step(task, facts, spot.site))

    def _say_more(self) -> None:
        """Show the projection, if the pointer is still over the same target."""
        sight = self.preview.sight
        if sight is not None and self._spot is not None and self._spot_at(sight.at) == self._spot:
            self.preview.show_sight(self._sight(sight.at, self._spot))

    def _drop(self, event: QDropEvent) -> bool:
        if self._dragged is None and not self._problem:
            return False
        spot, mime = self._spot_at(event.position()), event.mimeData()
        task, problem = self._new_task(), self._problem
        self._end()
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if task is not None:
            # what is dropped on the ground stays there; what is dropped on something stands where the layout wants it
            self._view.setFocus(Qt.FocusReason.MouseFocusReason)
            place = self._view.mapToScene(event.position().toPoint())
            self._drafting.begin(task, spot.site, place, is_foreign=event.source() is None)
            return True
        if problem:
            self._clipboard.refused.emit(self.tr("Nothing was added"), problem)
        elif mime.hasFormat(EDITS_TYPE):
            self._clipboard.put(mime)
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        return True

    def _end(self) -> None:
        self._dragged, self._problem, self._spot = None, "", None
        self._border.stop()
        self._try(None)
        self.preview.show_sight(None)

    # ---- what it is about

    def _new_task(self) -> Task | None:
        """The dragged task, if it is a single one; several are pasted."""
        if self._problem or self._dragged is None or len(self._dragged.tasks) != 1:
            return None
        return self._dragged.tasks[0]

    def _judge(self, spot: _Spot) -> Verdict:
        if self._problem:
            return Verdict(False, self._problem)
        task = self._new_task()
        return self._planter.verdict(task, spot.site) if task is not None else Verdict(True)

    def _spot_at(self, at: QPointF) -> _Spot:
        picture, view = self._view.graph.picture, self._view
        if picture is None or self._new_task() is None:
            return _NOWHERE
        spot = view.mapToScene(at.toPoint())
        row = node_at(picture, spot.x(), spot.y())
        if row is not None:
            # a folded group is no task to come after
            return _Spot(Site(int(picture.numbers[row])), row=row) if picture.plain[row] else _NOWHERE
        edge = (
            edge_at(picture, spot.x(), spot.y(), SLACK / view.pan_zoom.zoom)
            if view.pan_zoom.level is not Level.FAR
            else None
        )
        if edge is None or not picture.plain[picture.edges[edge]].all():
            return _NOWHERE
        parent, child = picture.numbers[picture.edges[edge]].tolist()
        return _Spot(Site(parent, child), edge=edge)

    # ---- what is seen

    def _sight(self, at: QPointF, spot: _Spot) -> DropSight:
        return DropSight(
            at=at,
            words=self._words(spot),
            wrong=not self._verdict.ok,
            node=self._view.graph.node_rect(spot.row) if spot.row is not None else None,
            line=self._line(spot.edge) if spot.edge is not None else None,
            downwards=self._view.layout_controller.arrangement.direction is Direction.DOWN,
        )

    def _words(self, spot: _Spot) -> str:
        if not self._verdict.ok:
            return f"{self._verdict.reason} {self._verdict.hint}".strip()
        facts = self._planter.facts()
        if facts is None or self._new_task() is None:
            return fill(self.tr("Paste %1"), tasks(len(self._dragged.tasks) if self._dragged is not None else 0))
        words = fill(self.tr("Add %1"), site_words(facts, spot.site))
        return "\n".join(filter(None, (words, self._trial.words if self._trial is not None else "")))

    def _line(self, edge: int) -> QPainterPath:
        """The path of an edge in the viewport."""
        picture = self._view.graph.picture
        assert picture is not None, "an edge of it was found"
        transform = self._view.viewportTransform()
        points = [transform.map(QPointF(x, y)) for x, y in picture.layout.routes.of(edge).tolist()]
        path = QPainterPath(points[0])
        for at in range(1, len(points) - 2, 3):
            path.cubicTo(*points[at : at + 3])
        return path
