"""The graph of one run in a view: what is shown of it, and how it is followed; what the user does is in `view`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QRect, QRectF
from typing_extensions import override

from starloom.scheduling.codes import PENDING, RUNNING
from starloom_gui.canvas.announcing import Announcer
from starloom_gui.canvas.camera import Level, level_of
from starloom_gui.canvas.colouring import ColourBy, Colouring
from starloom_gui.canvas.empty import EmptyNote
from starloom_gui.canvas.hit_test import nodes_in
from starloom_gui.canvas.hover import HoverCard
from starloom_gui.canvas.item import CanvasItem
from starloom_gui.canvas.matching import EVERYTHING, matching
from starloom_gui.canvas.minimap import MiniMap
from starloom_gui.canvas.motion import Fades, Place
from starloom_gui.canvas.nodes import MARGIN
from starloom_gui.canvas.overlay import Foot, Legend, ZoomBox, kinds_of, lay_out, place_overview
from starloom_gui.canvas.viewport import STEP, Viewport, first_look
from starloom_gui.canvas.words import description, group_description
from starloom_gui.text.words import fill, tasks
from starloom_gui.theme.metrics import MOST_FADES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from PySide6.QtWidgets import QWidget

    from starloom.layout.values import BoolArray
    from starloom_gui.canvas.matching import Filter
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.selection import Selected, Selection
    from starloom_gui.viewmodel.stage import Stage

MOST_PARTS: Final = 200
"""More changed nodes than this are painted by painting everything."""


class GraphView(Viewport):
    """Shows a picture and follows it. State changes move nothing; only the user does."""

    def __init__(
        self, appearance: Appearance, selection: Selection, clock: Callable[[], float], parent: QWidget | None = None
    ) -> None:
        """Show an empty canvas.

        Args:
            appearance: theme and motion.
            selection: shared with the other views of the run.
            clock: gives seconds on the run's clock.
            parent: of the widget.
        """
        super().__init__(parent, reduced_motion=appearance.reduced_motion)
        self._selection, self._clock = selection, clock
        self._critical: Sequence[int] = ()
        self._critical_shown = True
        self._colour_by, self._filter = ColourBy.STATUS, EVERYTHING
        self.item = CanvasItem(appearance.palette, clock)
        self.scene().addItem(self.item)
        self.foot = Foot(appearance.palette, self)
        self.zoom_box = ZoomBox(appearance.palette, self)
        self.legend = Legend(appearance.palette, self)
        self.minimap = MiniMap(appearance.palette, self)
        self.card = HoverCard(appearance.palette, self)
        self.empty = EmptyNote(appearance.palette, self)
        self._fades = Fades(self, self._show_fading)
        self._told: int | None = None
        self._announcer = Announcer(self, self.accessibleDescription)
        self._connect(appearance)
        self.setAccessibleName(self.tr("Graph"))
        self.minimap.hide()

    def _connect(self, appearance: Appearance) -> None:
        appearance.changed.connect(self._set_palette)
        self._selection.changed.connect(self._selected)
        self.zoom_box.zoomed_in.connect(self.zoom_in)
        self.zoom_box.zoomed_out.connect(self.zoom_out)
        self.zoom_box.fitted.connect(self.fit_all)
        self.minimap.looked_at.connect(self._look_at)
        self.moved.connect(self._after_move)

    # ---- what is shown

    @property
    def picture(self) -> GraphRenderModel | None:
        """What is shown."""
        return self.item.picture

    def show_run(self, picture: GraphRenderModel) -> None:
        """Show a run for the first time: all of it, but not so small that nothing can be read."""
        self.show_picture(picture)
        first_look(self, self._bounds())
        self._after_move()

    def show_picture(self, picture: GraphRenderModel | None) -> None:
        """Show another picture of the same run, after its structure changed; the view stays where it is."""
        self._fades.stop()
        self.card.hide()
        self.item.show_picture(picture)
        if picture is not None:
            picture.set_critical_path(self._critical if self._critical_shown else ())
        self._colour_nodes()
        self.minimap.set_picture(picture)
        self._selected(self._selection.now)
        self._apply_filter()
        self._after_move()
        self.viewport().update()

    def tasks_changed(self, numbers: Iterable[int]) -> None:
        """Follow tasks that may have changed; nothing moves."""
        picture = self.picture
        if picture is None:
            return
        statuses, edges = picture.status.copy(), self._edges_shown()
        rows = picture.update(numbers)
        if not rows:
            return
        if self._filter:
            dim = self.item.filtered.copy()
            dim[rows] = ~matching(picture, self._filter, rows)
            self._set_dim(dim)
        self._fade(
            {row: int(statuses[row]) for row in rows if statuses[row] != picture.status[row] and picture.plain[row]}
        )
        if self.item.shown.current in rows:
            self._describe()
            self._announcer.changed()
        self._follow_colours(rows)
        self._repaint(rows, everything=self._edges_shown() != edges)
        self.minimap.statuses_changed()

    def show_durations(self, durations: Mapping[int, float]) -> None:
        """Say of tasks that are not there yet how long they will take, in seconds by number."""
        if self.picture is not None:
            self.picture.durations = durations
            self.viewport().update()

    def show_stages(self, stages: Mapping[int, Stage], edge_stages: Mapping[tuple[int, int], Stage]) -> None:
        """Mark what staged edits would do to what is shown; see `Picture.set_stages`. Nothing moves, nothing comes."""
        if self.picture is not None:
            self.picture.set_stages(stages, edge_stages)
            self.viewport().update()

    def _edges_shown(self) -> tuple[int, int]:
        """Another pair whenever an edge in sight may look different."""
        assert self.picture is not None
        answers = 0 if self.level is Level.FAR else self.picture.answer_version
        return answers, self.picture.edge_version

    def tick(self) -> None:
        """Let the times of running and waiting tasks be those of now; to be called once a second."""
        picture = self.picture
        if self._colour_by is ColourBy.DURATION and picture is not None:
            self._repaint(self._follow_colours(np.flatnonzero(picture.status == RUNNING).tolist()))
        if self.item.ground.settle():
            self.viewport().update()
        elif picture is not None and self.level is Level.FULL:
            rows = np.flatnonzero((picture.status == RUNNING) | (picture.status == PENDING))
            self._repaint(rows.tolist())

    def _follow_colours(self, rows: Sequence[int]) -> list[int]:
        colouring = self.item.shown.colouring
        if colouring is None:
            return []
        changed = colouring.follow(rows, self._clock())
        self._explain_lines()  # a device may have come
        return changed

    @property
    def level(self) -> Level:
        """How much of each node is shown."""
        return level_of(self.zoom)

    def _repaint(self, rows: Sequence[int], *, everything: bool = False) -> None:
        picture = self.picture
        if picture is None:
            return
        if everything or len(rows) > MOST_PARTS:
            self.viewport().update()
            return
        part = self._around(rows, MARGIN)
        if part is not None:
            self.viewport().update(part)

    def _around(self, rows: Sequence[int], margin: float) -> QRect | None:
        """The rectangle around those nodes that are in sight; None: none is.

        One rectangle, as painting thousands of nodes into a region of many parts costs more than painting all.
        """
        assert self.picture is not None
        layout, transform, port = self.picture.layout, self.viewportTransform(), self.viewport()
        chosen = np.asarray(rows, dtype=np.intp)
        middle = layout.positions[chosen] * transform.m11() + (transform.dx(), transform.dy())
        half = layout.sizes[chosen] * (transform.m11() / 2) + margin
        begin, end = middle - half, middle + half
        seen = ((end >= 0) & (begin <= (port.width(), port.height()))).all(axis=1)
        if not seen.any():
            return None
        left, top = begin[seen].min(axis=0).tolist()
        right, bottom = end[seen].max(axis=0).tolist()
        return QRectF(left, top, right - left, bottom - top).toAlignedRect() & port.rect()

    def node_rect(self, row: int, margin: float = 0.0) -> QRectF:
        """Where a node is in the viewport.

        Args:
            row: of the node.
            margin: around it, in logical pixels.
        """
        assert self.picture is not None
        x, y = self.picture.layout.positions[row].tolist()
        wide, high = self.picture.layout.sizes[row].tolist()
        box = QRectF(x - wide / 2, y - high / 2, wide, high)
        return self.viewportTransform().mapRect(box).adjusted(-margin, -margin, margin, margin)

    def _fade(self, before: dict[int, int]) -> None:
        if before and len(before) <= MOST_FADES and not self.reduced_motion and self.isVisible():
            self._fades.start(before)

    def _show_fading(self, fading: dict[int, tuple[int, float]]) -> None:
        rows = [*self.item.shown.fading, *(row for row in fading if row not in self.item.shown.fading)]
        self.item.shown.fading = fading
        self._repaint(rows)

    def _set_palette(self, palette: Palette) -> None:
        self.item.palette = palette
        for part in (self.foot, self.zoom_box, self.legend, self.minimap, self.card, self.empty):
            part.set_palette(palette)
        self._explain_lines()
        self.viewport().update()

    # ---- filter, critical path

    @property
    def colour_by(self) -> ColourBy:
        """What the colour of a node tells."""
        return self._colour_by

    def set_colour_by(self, by: ColourBy) -> None:
        """Let the colour of a node tell something else."""
        self._colour_by = by
        self._colour_nodes()
        self._after_move()
        self.viewport().update()

    def _colour_nodes(self) -> None:
        by, picture = self._colour_by, self.picture
        is_plain = picture is None or by is ColourBy.STATUS
        self.item.shown.colouring = None if is_plain or picture is None else Colouring(by, picture, self._clock())

    @property
    def filter(self) -> Filter:
        """Which tasks do not recede."""
        return self._filter

    def set_filter(self, wanted: Filter) -> None:
        """Let everything recede that a filter does not mean; `EVERYTHING` brings all back."""
        self._filter = wanted
        self._apply_filter()

    def _apply_filter(self) -> None:
        picture = self.picture
        if picture is None:
            return
        dim = ~matching(picture, self._filter) if self._filter else np.zeros(len(picture), dtype=np.bool_)
        self._set_dim(dim)

    def _set_dim(self, dim: BoolArray) -> None:
        if (dim != self.item.filtered).any():
            self.item.set_dim(dim)
            self.viewport().update()

    def set_critical_path(self, numbers: Sequence[int]) -> None:
        """Say which tasks decide the finish, in order."""
        self._critical = tuple(numbers)
        self._show_critical()

    def show_critical_path(self, shown: bool) -> None:
        """Show the critical path, or don't."""
        self._critical_shown = shown
        self._show_critical()

    def _show_critical(self) -> None:
        if self.picture is not None:
            self.picture.set_critical_path(self._critical if self._critical_shown else ())
            self._after_move()
            self.viewport().update()

    # ---- looking

    @override
    def _bounds(self) -> QRectF:
        left, top, right, bottom = self.picture.layout.bounds() if self.picture is not None else (0.0,) * 4
        return QRectF(left, top, right - left, bottom - top)

    def scroll_at_border(self, dx: int, dy: int) -> None:
        """Look further to the right and below, by logical pixels, but not so far that the graph is out of sight."""
        seen, graph = self.seen, self._bounds()
        wide, high = seen.width() / 2, seen.height() / 2
        if not (graph.left() - wide < seen.left() if dx < 0 else seen.right() < graph.right() + wide):
            dx = 0
        if not (graph.top() - high < seen.top() if dy < 0 else seen.bottom() < graph.bottom() + high):
            dy = 0
        if dx or dy:
            self.scroll_by(dx, dy)

    def fit_all(self) -> None:
        """Look at the whole graph."""
        self.fit(self._bounds())

    def zoom_in(self) -> None:
        """Come nearer."""
        self.zoom_by(STEP)

    def zoom_out(self) -> None:
        """Go further away."""
        self.zoom_by(1 / STEP)

    def focus_task(self, number: int) -> None:
        """Bring a task to the middle, near enough to read it."""
        if self.picture is not None and (row := self.picture.row(number)) is not None:
            self.focus(*self.picture.layout.positions[row].tolist())

    def reveal_task(self, number: int) -> None:
        """Bring a task into sight, if it is not; the scale stays."""
        if self.picture is not None and (row := self.picture.row(number)) is not None:
            self.reveal(*self.picture.layout.positions[row].tolist())

    def _look_at(self, place: Place) -> None:
        self.look(Place(self.zoom, place.x, place.y), at_once=True)

    def _after_move(self) -> None:
        self.card.hide()
        self.zoom_box.set_scale(self.zoom)
        self.minimap.set_seen(self.seen)
        self._explain_lines()
        self.arrange_parts()

    def _explain_lines(self) -> None:
        picture, colouring = self.picture, self.item.shown.colouring
        if picture is None:
            self.legend.set_kinds(())
        elif colouring is not None:
            self.legend.set_scale(colouring.scale(self.item.palette))
        elif self.level is Level.FAR:
            count = tasks(int(picture.present.sum()))
            note = self.tr("%1 · dependencies longer than one screen are hidden")
            self.legend.set_note(fill(note, count))
        else:
            kinds = set(np.unique(picture.kind).tolist())
            self.legend.set_kinds(kinds_of(kinds, critical=bool(len(picture.path))))

    def arrange_parts(self) -> None:
        """Put zoom, legend, overview and what else lies over the graph where it is in nobody's way."""
        chosen = self.item.shown.selected if self.picture is not None else ()
        boxes = [self.node_rect(row) for row in chosen] if len(chosen) <= MOST_PARTS else []
        lay_out(self.size(), self.foot, self.zoom_box, self.legend)
        place_overview(self.viewport().size(), self.minimap, boxes, self._has_nodes_in, self.share_in_sight)
        self.empty.stand_in(self.viewport().rect(), is_wanted=self.picture is None or not self.picture.present.any())

    def _has_nodes_in(self, box: QRectF) -> bool:
        """Whether there are nodes in a part of the view."""
        low, high = self._scene_at(box.topLeft()), self._scene_at(box.bottomRight())
        return self.picture is not None and bool(len(nodes_in(self.picture, low.x(), low.y(), high.x(), high.y())))

    # ---- selection

    def _selected(self, selected: Selected) -> None:
        picture, shown = self.picture, self.item.shown
        if picture is None:
            return
        before = {*shown.selected, shown.current}
        shown.selected = frozenset(row for each in selected.numbers if (row := picture.row(each)) is not None)
        shown.current = picture.row(selected.current)
        self._describe()
        if selected.current != self._told:
            self._told = selected.current
            self._announcer.went()
        self._repaint([row for row in before | {*shown.selected, shown.current} if row is not None])
        self.arrange_parts()

    def _describe(self) -> None:
        current = self.item.shown.current
        self.setAccessibleDescription(self.description_of(current) if current is not None else "")

    def description_of(self, row: int) -> str:
        """A node in one sentence, for screen readers."""
        assert self.picture is not None
        tally = self.picture.tallies.get(row)
        if tally is not None:
            return group_description(tally.name, tally.counts)
        return description(self.picture, int(self.picture.numbers[row]), self._clock())
