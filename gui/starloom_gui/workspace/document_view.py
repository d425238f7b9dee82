"""The views of one run or plan in all panes: they share a selection, and each follows changes while it can be seen."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, Signal

from starloom_gui.canvas.view import CanvasView
from starloom_gui.diff.plan_diff import PlanDiff
from starloom_gui.documents.annotations import Annotations
from starloom_gui.editing.base import Mode
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.gateway.changes import FLEET, Changes
from starloom_gui.gateway.feed_visibility import feed_while_seen
from starloom_gui.gateway.quiet_tasks import quiet_in
from starloom_gui.gateway.run_reader import others
from starloom_gui.panels.compared_bar import ComparedStrip
from starloom_gui.panels.compared_run import Compared
from starloom_gui.panels.staged_strip import StagedStrip
from starloom_gui.specs.action_spec import Target
from starloom_gui.time_travel.banner import PastBanner
from starloom_gui.time_travel.moment_feed import MomentFeed
from starloom_gui.timeline.corner import TimelineCorner
from starloom_gui.timeline.model import TimelineModel
from starloom_gui.timeline.view import TimelineView
from starloom_gui.viewmodel.selection import Selection, there
from starloom_gui.workspace.compared_banner import ComparedBanner
from starloom_gui.workspace.drawing import CanvasOverlays, GraphDrawing
from starloom_gui.workspace.edit_wiring import EditWiring
from starloom_gui.workspace.kept_layout import KeptLayout
from starloom_gui.workspace.lanes import Lanes
from starloom_gui.workspace.looking_back import NOTHING
from starloom_gui.workspace.outlook_controller import OutlookController
from starloom_gui.workspace.pane_views import PaneViews, View
from starloom_gui.workspace.pane_wiring import connect_panes
from starloom_gui.workspace.run_layout import RunLayout
from starloom_gui.workspace.views import makers_of, plots_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.canvas.menu_target import MenuTarget
    from starloom_gui.gateway.feed import Feed
    from starloom_gui.time_travel.travel import Travel
    from starloom_gui.viewmodel.selection import Selected
    from starloom_gui.workspace.looking_back import Outlook
    from starloom_gui.workspace.source import DocumentSource, ViewContext


_OF_STAGED: Final = ("outline", "tasks", "inspector")
"""The panes that show tasks which are only staged."""


class DocumentView(QObject):
    """All views of one plan or run.

    Args:
        source: what it is about; its facts are there already.
        around: what all document views share.
        parent: of the object.

    Attributes:
        source: what it is about.
        reader: reads what it is about.
        around: what all document views share.
        selection: shared by its views.
        canvas: the graph.
        timeline: the lanes.
        views: all but the canvas, by pane; each is made when it is first asked for.
        outlook: what is ahead.
        against: the plan a run is compared with; None: it is no run that goes on here.
        against_banner: says so over the canvas; only where there is `against`.
        compared: the earlier run it is compared with.

    Signals:
        inspect_asked(): the user wants to see more of the selected task.
        menu_asked(QPoint, TargetKind | MenuTarget): the verbs of something are wanted at this place.
        open_asked(), device_asked(str, frozenset), attach_asked(): the user wants to open a plan, or add a device or an
            agent.
        trust_asked(str): the user wants to change what an agent may do without being asked.
        apply_asked(): the run's edits are to be carried over to its plan.
        host_key_asked(str): the user wants to compare the host key of a device, which has changed.
        agents_asked(LookAtAgents): the user wants to see an agent, or an approval.
        compare_asked(): the user wants to choose another run to compare with.
        compare_toggled(): the user wants to compare, or to stop that.
        pane_asked(str): the user wants to see a pane.
        elsewhere_asked(str, int): the user wants to see a task of another run.
        refused(str, str): an edit was not made, in words; and why.
        noticed(ErrorMessage): something of it is to be told over the graph.
        notice_settled(ErrorMessage): what was told is true no more.
    """

    inspect_asked = Signal()
    menu_asked = Signal(QPoint, object)
    open_asked = Signal()
    device_asked = Signal(str, object)
    host_key_asked = Signal(str)
    attach_asked = Signal()
    trust_asked = Signal(str)
    apply_asked = Signal()
    agents_asked = Signal(object)
    compare_asked = Signal()
    compare_toggled = Signal()
    pane_asked = Signal(str)
    elsewhere_asked = Signal(str, int)
    refused = Signal(str, str)
    noticed = Signal(object)
    notice_settled = Signal(object)

    def __init__(self, source: DocumentSource, around: ViewContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        reader = source.reader
        self.source, self.reader, self.around = source, reader, around
        self.selection = Selection(self._known)
        for part in (self.selection, reader, source.gateway, source.editor, source.travel):
            if isinstance(part, QObject) and part.parent() is None:
                part.setParent(self)  # what is connected to it goes with the view
        self.canvas = CanvasView(around.appearance, self.selection, reader.now)
        self.against = PlanDiff(reader.facts, self.canvas, self) if source.run_id and source.feed is not None else None
        staging = source.editor if isinstance(source.editor, RunEditor) else None
        layers = CanvasOverlays(staging, self.against) if staging is not None else None
        self._quiet = partial(quiet_in, reader, around.hub)
        self.drawing = GraphDrawing(self.canvas, reader.facts, self, layers, reader.fenced, self._quiet)
        if staging is not None:
            self.strip = StagedStrip(self.canvas, staging, around.appearance, reader.wall)
        self.timeline = self._new_timeline(around)
        makers = makers_of(source, around, self.selection, self.against)
        plots = partial(plots_of, source, around, self.timeline)
        self.views = PaneViews({**makers, "timeline": partial(self._timeline_view, around), "plots": plots})
        self.compared = self._new_comparison(around)
        self.outlook = OutlookController(source, self)
        self.outlook.changed.connect(self._show_outlook)
        self.drawing.drawn.connect(self.outlook.begin)
        self.edit_wiring = EditWiring(source, around, self.selection, self.canvas, self.timeline)
        self.edit_wiring.refused.connect(self.refused)
        self.kept_layout = KeptLayout(self.canvas, self.drawing, reader, source.layout, staging)
        self._feeds: list[Feed] = []
        self._ghosts: object = source.editor.ghosts if isinstance(source.editor, RunEditor) else None
        self._outlook = NOTHING
        self._follow()
        self.outlook.follow()
        self._connect()
        self.drawing.draw()

    def _new_timeline(self, around: ViewContext) -> TimelineView:
        run, look = self.reader.facts(), around.appearance
        assert run is not None, "a view is made of what is there"
        model = TimelineModel(run, others(self.reader, run.run_id))
        timeline = TimelineView(model, self.selection, look, self.reader.now)
        self.lanes = Lanes(timeline, self.reader, self.source.travel, self._quiet)
        return timeline

    def _timeline_view(self, around: ViewContext) -> View:
        run, timeline = self.reader.facts(), self.timeline
        corner = TimelineCorner(timeline, around.appearance)
        corner.compare.setVisible(bool(self.source.run_id))
        travel = self.source.travel
        has_present = travel is None or travel.reader.has_present
        has_ended = run is not None and run.state.has_ended
        corner.live.setVisible(has_present or has_ended)  # else it goes on elsewhere, if at all
        corner.compare_toggled.connect(self.compare_toggled)
        return View(timeline, self.lanes.on_changes, corner=corner)

    def _known(self) -> int:
        run = self.source.editor.facts()
        return len(run.graph.ids) if run is not None else 0

    def _new_comparison(self, around: ViewContext) -> Compared:
        strip = ComparedStrip(around.appearance)
        self.timeline.set_strip(strip)
        compared = Compared(self.reader.facts, self.reader.now, strip, self)
        compared.add(self.timeline)
        self.views.when_made(("inspector", "tasks"), lambda made: compared.add(made.widget))
        self.views.when_made(("output",), lambda made: compared.add(made.widget.comparing))
        self._strip = View(strip, compared.on_changes, (self.source.run_id, FLEET))
        strip.other_asked.connect(self.compare_asked)
        return compared

    # ---- feeding

    def _follow(self) -> None:
        editor = self.source.editor
        editor.refused.connect(self.refused)
        if isinstance(editor, PlanEditor):
            editor.applied.connect(self.on_changes)
            editor.layout_changed.connect(self.kept_layout.follow)
        else:
            editor.changed.connect(self._restage)
            editor.staging.weighed.connect(lambda: self.lanes.show_effect(editor.staging.effect))
        if isinstance(self.source.layout, RunLayout):
            self.source.layout.changed_elsewhere.connect(self.kept_layout.take_over)
        if self.source.travel is not None:
            self._go_along(self.source.travel)
        if isinstance(editor, RunEditor) and self.source.feed is not None:
            # the views read what the editor shows
            ahead = self.source.feed(self.source.run_id, FLEET, parent=self, comes_first=True)
            ahead.changed.connect(editor.on_changes)
            self._feeds.append(ahead)
        self._feed(View(self.canvas, self.drawing.on_changes, (self.source.run_id,)))
        self._feed(self._strip)
        self.views.when_made(self.views.keys, self._feed)
        self.views["timeline"]  # which is made with the document, as others refer to it

    def _feed(self, view: View) -> None:
        """Notify a view of changes and of the moments that are shown, from now on."""
        if self.source.travel is not None:
            MomentFeed(view.widget, view.on_changes, self.source.travel.reader)
        make_feed = self.source.feed or (self.around.feed if view.has_others else None)
        if make_feed is None:
            return
        feed = make_feed(*view.wanted, parent=self)
        feed.changed.connect(partial(self._tell, view))
        self._feeds.append(feed_while_seen(view.widget, feed))

    def _tell(self, view: View, changes: Changes) -> None:
        """Notify a view of changes; while the past of the run is shown, only of those of other runs."""
        is_other = changes.run_id not in (self.source.run_id, FLEET)
        if not self.reader.is_past or (is_other and view.has_others):
            view.on_changes(changes)

    def _go_along(self, travel: Travel) -> None:
        """Show whichever moment is to be shown."""
        if isinstance(self.source.editor, RunEditor):
            # first: panes read a proposal that is looked at upon the facts of the moment
            travel.reader.moved.connect(self.source.editor.on_changes)
        if self.against is not None:
            travel.reader.moved.connect(self._stop_comparing)
        travel.failed.connect(lambda reason: self.refused.emit(self.tr("Not shown"), reason))
        self.banner = PastBanner(self.canvas, travel, self.around.appearance)

    def _stop_comparing(self) -> None:
        """Stop comparing while the past is shown."""
        if self.against is not None and self.reader.is_past:
            self.against.stop()

    def on_changes(self, changes: Changes) -> None:
        """Notify every view of changes that no feed reports."""
        self.drawing.on_changes(changes)
        for view in self.views.made.values():
            view.on_changes(changes)
        self.outlook.ask()

    def _restage(self) -> None:
        """Show or hide tasks that are only staged, in all views."""
        editor = self.source.editor
        if isinstance(editor, RunEditor) and editor.ghosts is not self._ghosts:
            self._ghosts = editor.ghosts
            changes = Changes(run_id=self.source.run_id, everything=True)
            for key in filter(self.views.is_visible, _OF_STAGED):
                self.views[key].on_changes(changes)

    def _show_outlook(self, outlook: Outlook) -> None:
        self._outlook = outlook
        self.lanes.show_outlook(outlook)
        if self.source.run_id:  # of a plan no clock time is known: it may be started whenever people want
            self.compared.show_foreseen(outlook.projection)
            if "inspector" in self.views.made:
                self._foresee(self.views["inspector"])
        self.canvas.highlights.set_critical_path(outlook.path)

    # ---- what users ask for

    def _connect(self) -> None:
        for signal in (self.canvas.activated, self.timeline.asked):
            signal.connect(lambda *_: self.inspect_asked.emit())
        self.canvas.menu_asked.connect(self._ask_menu)
        connect_panes(self)
        self.views.when_made(("inspector",), self._foresee)
        if self.against is not None:
            self.canvas.leave = self.against.stop
            assert isinstance(self.source.editor, RunEditor), "only runs are compared"
            self.against_banner = ComparedBanner(self.canvas, self.against, self.source.editor, self.around.appearance)

    def _foresee(self, made: View) -> None:
        if self.source.run_id:  # of a plan no clock time is known: it may be started whenever people want
            made.widget.set_projection(self._outlook.projection, self._outlook.made)

    def _ask_menu(self, asked: MenuTarget) -> None:
        self.menu_asked.emit(asked.at, asked)

    # ---- reading

    @property
    def target(self) -> Target:
        """The current selection as the target of actions."""
        run = self.source.editor.view()
        if run is None:
            return Target()
        selected = sorted(there(run, self.selection.now.numbers))
        return Target(run.run_id, tuple(task.id for task in run.tasks(selected)))

    @property
    def beside(self) -> Annotations:
        """The notes and node positions, which the facts do not have."""
        return Annotations(self.edit_wiring.notebook.notes, self.source.layout.layout)

    def pane(self, key: str) -> QWidget:
        """The view of a pane.

        Raises:
            KeyError: it has no such view.
        """
        widget: QWidget = self.views[key].widget
        return widget

    def corner(self, key: str) -> QWidget:
        """What stands at the right of a pane's tab.

        Raises:
            KeyError: it has no such view.
        """
        corner = self.views[key].corner
        assert corner is not None, f"{key} has a corner"
        return corner

    def wants_inspector(self, selected: Selected) -> bool:
        """Whether the Inspector is to come in front of what is staged, which only the strip tells of then.

        Args:
            selected: what has just been selected, in whichever pane.
        """
        if not selected.numbers or self.source.editor.mode is Mode.LIVE:
            return False
        return not self.views.is_visible("yaml") and not self.views.has_keyboard("changes")

    def show_task(self, number: int) -> None:
        """Select a task and bring it into sight."""
        self.selection.select(number)
        self.canvas.graph.reveal_task(number)

    def close(self) -> None:
        """Release everything; the views are deleted."""
        self.compared.close()
        if "inspector" in self.views.made:
            self.views["inspector"].widget.overview.close()
        if isinstance(self.source.layout, RunLayout):
            self.source.layout.close()
        for kept in (self.source.staging, self.source.typed):
            if kept is not None:
                kept.close()
        self.source.editor.close()
        if self.source.travel is not None:
            self.source.travel.close()
        for feed in self._feeds:
            feed.close()
        self.outlook.close()
        if self.against is not None:
            self.against.close()
        self.drawing.close()
        for view in (View(self.canvas, self.drawing.on_changes), *self.views.made.values()):
            view.widget.deleteLater()
            if view.corner is not None:
                view.corner.deleteLater()
        self.deleteLater()
