"""The console of one engine: the one place where engine, gateway, views and window are wired together."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.orchestration.limits import first_limits
from starloom.settings import load_settings, settings_path
from starloom_gui.composition.device_monitor import DeviceMonitor
from starloom_gui.composition.document_view_factory import DocumentViewFactory, ViewDependencies
from starloom_gui.composition.earlier_runs import (
    folder_here,
    forbid_elsewhere,
    journals_here,
    new_chooser,
    new_history,
    new_plan_runs,
)
from starloom_gui.composition.outages import outage_of
from starloom_gui.composition.run_starter import RunStarter
from starloom_gui.documents.document import RunTab
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.documents.run_names import RunNames
from starloom_gui.editing.template_files import TemplateShelf
from starloom_gui.gateway.bridge import Bridge
from starloom_gui.gateway.commands import Commands
from starloom_gui.gateway.output import OutputHub
from starloom_gui.gateway.run_endings import RunEndings
from starloom_gui.panels.open_parts import OpenParts
from starloom_gui.panels.palette import PalettePane
from starloom_gui.shell.agent_actions import AgentActions
from starloom_gui.shell.bulk_edit import BulkEdit
from starloom_gui.shell.carried_over import CarriedOver
from starloom_gui.shell.choice_actions import ChoiceActions
from starloom_gui.shell.connect_actions import ConnectActions
from starloom_gui.shell.context_menus import ContextMenus
from starloom_gui.shell.device_offer import DeviceOffer
from starloom_gui.shell.document_tabs import DocumentTabs
from starloom_gui.shell.edit_actions import EditActions
from starloom_gui.shell.example_plans import ExamplePlans
from starloom_gui.shell.file_actions import FileActions
from starloom_gui.shell.fleet_file_actions import FleetFileActions
from starloom_gui.shell.front import Front
from starloom_gui.shell.grid_navigation import GridNavigation
from starloom_gui.shell.layout_actions import LayoutActions
from starloom_gui.shell.notifications import NoticeNavigation, Notifications
from starloom_gui.shell.plan_comparison import PlanComparison
from starloom_gui.shell.program_window import leave
from starloom_gui.shell.refused_keys import RefusedKeys
from starloom_gui.shell.reservation_actions import ReservationActions
from starloom_gui.shell.stale_overlay import Staleness
from starloom_gui.shell.window_actions import Controllers, WindowActions
from starloom_gui.specs.action_spec import Target
from starloom_gui.text.words import straight
from starloom_gui.time_travel.travelling import Travelling
from starloom_gui.widgets.message_bar import ErrorMessage
from starloom_gui.workspace.open_views import OpenViews
from starloom_gui.workspace.recent import RecentRuns
from starloom_gui.workspace.recorded import RecordedRuns
from starloom_gui.workspace.running import RunningPlans

if TYPE_CHECKING:
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.gateway.commands import Refusal
    from starloom_gui.gateway.engine import Engine
    from starloom_gui.shell.frame import WindowFrame
    from starloom_gui.viewmodel.selection import Selected
    from starloom_gui.workspace.document_view import DocumentView
    from starloom_gui.workspace.pane_views import View


class Console(QObject):
    """The console over an engine: creates all parts and hands each what it needs.

    Args:
        frame: the window; shown already, or not yet.
        engine: the engine, here or elsewhere.

    Attributes:
        bridge, commands: tell of it, and ask it.
        window, actions, appearance, stacks, strip: of the frame.
        monitor, devices: what is known of the devices, and the pane that shows it.
        documents: what is open.
        views: of that.
        files: opens, saves and closes it.
        starter: starts runs.
        history: the runs of the directory of journals.
        recorded: shows runs that only their journals tell of.
        plan_runs, grid: read the last runs of plans, and open what is chosen among them.
        window_actions: what else can be done in the window.
        notifications: what the user is told of unasked.
        outage: says that the engine has halted, or is not reached.
        carried_over: tells what still holds of an earlier session.
        running_plans: knows which plans run, here or in another program.
        examples: reads the plans that come with the program.
    """

    def __init__(self, frame: WindowFrame, engine: Engine) -> None:
        super().__init__(frame.window)
        self.engine, self._engine_asked = engine, frame.engine_asked
        self._is_closed = asyncio.Event()
        self.appearance, self.actions, self.window = frame.appearance, frame.actions, frame.window
        self.stacks, self.strip, self._settings = frame.stacks, frame.strip, frame.settings
        self.bridge, self.commands = Bridge(engine, parent=self), Commands(engine, origin=engine.origin, parent=self)
        self._endings = RunEndings(engine, self.bridge, self.commands, lambda: self.views)
        self.hub = OutputHub(engine.channel, self)
        self._names = RunNames(self._settings, self.bridge.namesakes)
        self.documents = OpenDocuments(self, self._names)
        self.monitor = DeviceMonitor(engine, self.bridge, self.gateway, self.appearance, self)
        self.devices = self.monitor.panel
        frame.devices.bring(self.devices)
        frame.devices_corner.bring(self.devices.add_button)
        self.shelf = TemplateShelf(settings_path().parent / "templates", self)
        self.palette = PalettePane(self.shelf, self.appearance)
        frame.palette.bring(self.palette)
        self.starter = RunStarter(
            engine,
            self.documents,
            self.bridge,
            lambda document: self.files.opening.may_start(document),
            lambda: self.files.plan_verbs,
            lambda: self.window_actions.controllers.fleet,
            lambda folder: self.recorded.close(folder),
            lambda key: self.views.settle_to_start(key),
            self.strip,
            self,
        )
        self.plan_runs = new_plan_runs(engine, self)
        self.views = self._new_views()
        self.actions.serve(self.gateway, self.target, self.views.failed_tasks)
        self.front = Front(self.window, self.actions, self.bridge, engine.origin)
        self.files = self._new_files()
        self.recorded = self._new_recorded()
        self.travelling = Travelling(self.actions, self.window.time_bar, self.views.held, self.strip.forget_refusals)
        look, window, name_of, kept = self.appearance, self.window, self._names.of, engine.archive
        parts = self.files, self.recorded, self.plan_runs, self.starter.reopener
        self.history = new_history(engine, *parts, lambda: self.grid, look, window, name_of)
        self.window_actions = self._new_window_actions()
        baseline, start = self.window_actions.controllers.baseline, self.actions["start"].trigger
        self.grid = GridNavigation(self.documents, self.views, self.recorded, baseline, name_of, start, window, kept)
        self.menus = ContextMenus(self.views, self.actions, self.gateway, lambda: self.bridge.fleet, self.window)
        self.notifications = self._new_notifications()
        self._recent = RecentRuns(self.documents, self._settings, self.bridge.run, self.window.show_recent)
        unheard = (self.devices, window.header.line) if engine.where else ()  # a halted one goes on to hear of devices
        grounds = (self.stacks.canvas, *self.stacks.panes.values(), *unheard)
        self.staleness = Staleness(grounds, self.appearance, lambda: self.outage.behind or self.bridge.behind, self)
        self.outage = outage_of(engine, self.bridge, self.strip, self.staleness.look, self)
        welcome, usual = self.window.welcome, first_limits(load_settings(), ())
        self.running_plans = _new_running_plans(self, self._recent)
        self.examples = ExamplePlans(self.documents, welcome.examples, self)
        self.carried_over = CarriedOver(self.bridge, self.commands, usual, self.strip, self)
        welcome.shown.connect(self.running_plans.look_again)
        self._connect()
        forbid_elsewhere(engine, self.actions)
        self.outage.watch()
        self.window_actions.catch_up(frame.taken_up())

    def _new_views(self) -> OpenViews:
        needs = ViewDependencies(
            engine=self.engine,
            bridge=self.bridge,
            commands=self.commands,
            documents=self.documents,
            hub=self.hub,
            devices=self.devices,
            templates=lambda: self.shelf.own,
            name_of=self._names.of,
            appearance=self.appearance,
            unfolded=OpenParts(self._settings.open_parts, self._settings.keep_open_parts, self),
            plan_runs=self.plan_runs,
            behind=lambda: self.outage.behind,
        )
        factory = DocumentViewFactory(needs, lambda: self.recorded, self.starter, self._connect_view, self)
        return OpenViews(self.documents, self.stacks, factory.make, self)

    def _new_files(self) -> FileActions:
        return FileActions(
            self.documents,
            self._settings,
            self.appearance,
            self.window,
            self.strip,
            self._endings,
            self.starter.resume_all,
            show=lambda run: self.recorded.shown(run),
            settle_fields=self.views.settle_fields,
            unset=self.views.unset,
            archive=self.engine.archive,
            folder_of=partial(folder_here, self.engine),
            journals=journals_here(self.engine),
        )

    def _new_recorded(self) -> RecordedRuns:
        dismiss, loading, report = self.engine.dismiss, self.files.loading, self.strip.show_trouble
        archive = self.engine.archive
        return RecordedRuns(archive, self.documents, loading, report, self.bridge.run, dismiss, self)

    def _new_window_actions(self) -> WindowActions:
        documents, views, bridge, commands = self.documents, self.views, self.bridge, self.commands
        actions, look, window, strip = self.actions, self.appearance, self.window, self.strip
        plans = PlanComparison(documents, views, bridge.run, self.files.plan_verbs, actions, look, window)
        fleet = FleetFileActions(
            self.engine, self._settings, strip, look, window, lambda: isinstance(documents.front, RunTab)
        )
        DeviceOffer(documents, fleet.listed, self.files.saving, strip.show_trouble, self)
        reservations = ReservationActions(documents, bridge, commands, self.gateway, self.target, actions, look, window)
        controllers = Controllers(
            reservations=reservations,
            files=self.files,
            fleet=fleet,
            connect=ConnectActions(self._settings, strip.show_trouble, self._engine_asked.emit, look, window),
            history=self.history,
            starting=self.starter.verbs,
            agents=AgentActions(documents, views, bridge, commands, self.say_not_done, look, window),
            bulk=BulkEdit(views, actions, plans, strip, look, window),
            edits=EditActions(views, actions, look, window),
            layout=LayoutActions(views, actions, self._settings, window),
            baseline=new_chooser(
                self.engine, bridge, self.files, strip, lambda: views.front, look, window, self._names.of
            ),
            choices=ChoiceActions(
                documents, views, bridge, commands, self.gateway, actions, self.target, fleet, look, window
            ),
        )
        return WindowActions(controllers, documents, views, bridge, actions, look, window)

    def _new_notifications(self) -> Notifications:
        look_at_waiting = self.window_actions.controllers.agents.look_at_waiting
        subjects = NoticeNavigation(self.show_task, self.recorded.show_kept, look_at_waiting, self.devices.cards)
        return Notifications(
            self.bridge, self.hub, self.documents, subjects, self.actions, self._settings, self.appearance, self.window
        )

    # ---- wiring

    def _connect(self) -> None:
        window = self.window
        tabs = DocumentTabs(self.documents, window.header.tabs, self.actions.wanted, self.recorded.run_of)
        remedy_for = self.window_actions.controllers.reservations.remedy_for
        RefusedKeys(self.actions, self.strip, window, lambda: self.files.opening.awaited, remedy_for)
        self.engine.keep_in_memory(lambda: {run.run_id for run in self.documents.runs})
        self.documents.changed.connect(self.engine.tidy)
        self.views.turned.connect(self._turned)
        self.documents.turned.connect(lambda front: window.show_title(straight(front.title) if front else ""))
        self.commands.refused.connect(self._say_refused)
        self.commands.refused.connect(self.files.leaving.note_refused)
        self.commands.done.connect(lambda done: self.strip.settle(done.what))
        self.commands.done.connect(self.window_actions.controllers.fleet.removed.note_done)
        self.palette.failed.connect(self.say_not_done)
        _connect_devices(self)
        ends = self.bridge.feed(parent=self)
        ends.changed.connect(tabs.on_changes)
        ends.changed.connect(self._recent.on_changes)
        ends.changed.connect(self.files.leaving.on_changes)
        ends.changed.connect(self.files.without_tab.on_changes)
        ends.changed.connect(self.staleness.expect)
        self.staleness.turned.connect(self.actions.ask_refresh)
        self.files.leaving.agreed.connect(partial(leave, window))
        window.closed.connect(self._is_closed.set)
        window.look.clock_chosen.connect(self._tell_clock)
        window.asks_before_closing = True

    def _connect_view(self, view: DocumentView) -> None:
        window, controllers = self.window, self.window_actions.controllers
        view.inspect_asked.connect(lambda: window.workbench.show_pane("inspector"))
        view.selection.changed.connect(partial(self._bring_inspector, view))
        view.menu_asked.connect(self.menus.show)
        view.open_asked.connect(self.files.opening.ask)
        view.device_asked.connect(self.window_actions.controllers.choices.add_device)
        view.host_key_asked.connect(self.window_actions.controllers.choices.compare_key)
        if view.against is not None:
            view.against.changed.connect(self.actions.ask_refresh)
        view.apply_asked.connect(controllers.bulk.plans.apply)
        controllers.agents.connect_view(view)
        view.compare_asked.connect(controllers.baseline.choose)
        view.compare_toggled.connect(controllers.baseline.toggle)
        view.elsewhere_asked.connect(self.show_task)
        view.refused.connect(self.say_not_done)
        view.noticed.connect(self.strip.show_trouble)
        view.notice_settled.connect(self.strip.withdraw)
        controllers.edits.connect_view(view)
        self.starter.simulation.connect_view(view)
        view.pane_asked.connect(window.workbench.show_pane)
        self.grid.connect_view(view)
        view.views.when_made(("timeline",), lambda made: made.widget.set_empty_action(self.actions["start"]))
        view.views.when_made(("plots",), partial(_connect_plots, self))

    # ---- what is there

    def target(self) -> Target:
        """The current selection."""
        target = self.views.front.target if self.views.front is not None else Target()
        return replace(target, device_id=self.monitor.selected)

    def gateway(self) -> CommandGateway:
        """The gateway of the document in front; the engine's, where there is none."""
        return view.source.gateway if (view := self.views.front) is not None else self.commands

    # ---- what is in front

    def _turned(self, view: DocumentView | None) -> None:
        self.front.show_view(view)
        self.strip.turn()
        travel = view.source.travel if view is not None else None
        self.monitor.reader.turn(travel.reader if travel is not None else None)
        self.travelling.show_travel(travel)
        self.window_actions.take_up(view)
        self.palette.set_planter(view.edit_wiring.planter if view is not None else None)
        if view is None:
            self.window.show_welcome()
        elif self.window.is_welcoming:
            self.window.show_workbench()

    def _bring_inspector(self, view: DocumentView, selected: Selected) -> None:
        if view is self.views.front and view.wants_inspector(selected):
            self.window.workbench.turn_to("inspector")

    def show_task(self, run_id: str, number: int) -> None:
        """Show a run and select one of its tasks."""
        run = self.bridge.run(run_id)
        self.documents.put_run(run_id, None, run.name if run is not None else "")
        view = self.views.sheet_of_run(run_id)
        if view is not None:
            view.show_task(number)

    def say_not_done(self, what: str, why: str) -> None:
        """Show a message about what was not done, and why."""
        remedy = self.window_actions.controllers.reservations.remedy_of_refusal(why)
        self.strip.show_trouble(ErrorMessage(what, why, remedy.label, remedy.act, of_tab=True, is_refusal=True))

    def _say_refused(self, refusal: Refusal) -> None:
        if self.views.owns(refusal.ticket):
            return  # the editor of that run says it
        self.say_not_done(refusal.what, " ".join(part for part in (refusal.reason, refusal.hint) if part))

    # ---- life

    def _tell_clock(self) -> None:
        self.bridge.read_anew()
        self.front.refresh()

    async def closed(self) -> None:
        """Return once the window is closed."""
        await self._is_closed.wait()

    async def close(self) -> None:
        """Close all parts; the engine is closed only where runs are to be resumed another time."""
        await self.files.close()
        await self.starter.close()
        self.recorded.cancel()
        await self.plan_runs.close()
        await self.grid.close()
        self.history.close()
        await self.window_actions.close()
        self.outage.close()
        self.monitor.close()
        await self.notifications.close()
        await self.examples.close()
        self.carried_over.close()
        self.running_plans.close()
        self.staleness.close()
        await self.commands.answered()
        if self.files.leaving.leaves_runs:
            await self._endings.leave()
        self.views.close()
        self.bridge.close()
        self.hub.close()
        self.window.deleteLater()


def _connect_devices(console: Console) -> None:
    devices, controllers = console.devices, console.window_actions.controllers
    devices.add_requested.connect(controllers.choices.add_device)
    devices.slots_requested.connect(controllers.choices.set_slots)
    devices.change_requested.connect(controllers.choices.change_device)
    devices.host_key_requested.connect(controllers.choices.compare_key)
    devices.reservation_requested.connect(controllers.reservations.ask)
    devices.cards.selectionModel().currentChanged.connect(console.actions.ask_refresh)


def _connect_plots(console: Console, made: View) -> None:
    made.widget.start_asked.connect(console.actions["start"].trigger)
    made.widget.travel_asked.connect(lambda at: console.travelling.visit(at))
    made.widget.saver.export_asked.connect(lambda wanted: console.files.exporting.export_made(*wanted))


def _new_running_plans(console: Console, recent: RecentRuns) -> RunningPlans:
    welcome, starter, bridge = console.window.welcome, console.starter, console.bridge
    # while a run changes hands nobody has its journal, which looks as if it had been interrupted
    is_wanted = lambda: welcome.isVisible() and not starter.background_tasks  # noqa: E731
    return RunningPlans(console.engine.journals, bridge.all_runs, recent, is_wanted, welcome.show_going, console)
