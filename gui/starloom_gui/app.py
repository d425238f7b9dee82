"""The console as a program: the one place where engine, bridge, sheets and window are wired together."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.errors import CommandRefused, StarloomError
from starloom.journal.base import JournalError
from starloom.model.device import DeviceSpec
from starloom.orchestration.limits import first_limits
from starloom.settings import journal_path, load_settings, settings_path
from starloom_gui.bridge.bridge import Bridge
from starloom_gui.bridge.commands import Commands
from starloom_gui.bridge.device_load import DeviceLoad
from starloom_gui.bridge.output import OutputHub
from starloom_gui.bridge.own_engine import own_engine
from starloom_gui.bridge.run_endings import RunEndings
from starloom_gui.bridge.verbs import Target
from starloom_gui.canvas import accessible
from starloom_gui.carried_over import CarriedOver
from starloom_gui.demo import Demo
from starloom_gui.documents.acting import Clash, meeting
from starloom_gui.documents.desk import Desk
from starloom_gui.documents.recent import RecentRuns
from starloom_gui.documents.run_names import RunNames
from starloom_gui.documents.running import RunningPlans
from starloom_gui.editing.template_files import TemplateShelf
from starloom_gui.engine_words import why_not
from starloom_gui.errands import Errands
from starloom_gui.event_loop import BackgroundTasks, async_slot
from starloom_gui.history.history import Doing, History
from starloom_gui.memory import calm_collector
from starloom_gui.models.device_table import DeviceTable
from starloom_gui.models.roles import Role
from starloom_gui.panels.devices import DevicesPanel
from starloom_gui.panels.palette import PalettePane
from starloom_gui.papers import Papers
from starloom_gui.past.guard import refusal_of
from starloom_gui.past.recorded import RecordedRuns
from starloom_gui.past.travelling import Travelling
from starloom_gui.sheets.asks import FrontAsks
from starloom_gui.sheets.front import Front
from starloom_gui.sheets.keeper import Keeper
from starloom_gui.sheets.making import SheetMaker
from starloom_gui.sheets.seen import Seen
from starloom_gui.sheets.watching import Watch, feed_while_seen
from starloom_gui.shell.desk_tabs import DeskTabs
from starloom_gui.shell.strip import Trouble
from starloom_gui.shell.veil import Staleness
from starloom_gui.telling import Telling
from starloom_gui.words import fill, straight

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Iterable, Sequence

    from starloom.journal.records import RunRecord
    from starloom.model.plan import Plan
    from starloom.model.task import Task
    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.orchestration.run import Run
    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.bridge.changes import Changes
    from starloom_gui.bridge.commands import Refusal
    from starloom_gui.documents.document import Document
    from starloom_gui.editing.run_asks import Engine
    from starloom_gui.sheets.frame import Frame
    from starloom_gui.sheets.sheet import Sheet


class Console(QObject):
    """The console over an open engine: everything is made here, and handed what it needs.

    Args:
        frame: the window; shown already, or not yet.
        engine: an open one.

    Attributes:
        engine: the engine.
        window: the window.
        desk: what is open.
        keeper: the sheets of what is open.
        strip: says what went wrong.
        carried_over: tells what still holds of an earlier session.
        running_plans: knows which plans run, here or in another program.
    """

    def __init__(self, frame: Frame, engine: Orchestrator) -> None:
        super().__init__()
        self.engine = engine
        self.background_tasks = BackgroundTasks("console: errand", self._show_error)
        self._is_closed, self._is_well = asyncio.Event(), asyncio.Event()
        self._halted_at: float | None = None
        self.appearance, self.actions, self.window = frame.appearance, frame.actions, frame.window
        self.stacks, self.strip = frame.stacks, frame.strip
        self.bridge, self.commands = Bridge(engine), Commands(engine)
        self.hub, self.load = OutputHub(engine.channel), DeviceLoad(engine.fleet)
        self._names = names = RunNames(frame.settings)
        self.seen, self.desk = Seen(self.bridge, self.load), Desk(self, names)
        self.asks = FrontAsks(self._front_asks, self.commands)
        self.devices = self._new_devices()
        frame.devices.bring(self.devices)
        frame.devices_corner.bring(self.devices.add_button)
        self.shelf = TemplateShelf(settings_path().parent / "templates", self)
        self.palette = PalettePane(self.shelf, self.appearance)
        frame.palette.bring(self.palette)
        self.keeper = Keeper(self.desk, self.stacks, SheetMaker(self).make, self)
        self.actions.serve(self.asks, self.target)
        self.front = Front(self.window, self.actions, self.bridge)
        endings = RunEndings(engine, self.bridge, self.commands)
        papers = (self.desk, frame.settings, self.appearance, self.window, self.strip, endings, self._resume)
        self.papers = Papers(*papers, show=lambda run: self.recorded.shown(run))
        is_here = self._is_here
        loading, dismiss = self.papers.loading, self.engine.ended_runs.dismiss
        self.recorded = RecordedRuns(self.desk, loading, self.strip.show_trouble, is_here, dismiss, self)
        self.travelling = Travelling(self.actions, self.window.time_bar)
        self.history = self._new_history()
        self.errands = Errands(self, frame.settings)
        self.telling = Telling(self, frame.settings)
        unlimit = lambda names, origin: self.engine.set_limits(groups=dict.fromkeys(names), origin=origin)  # noqa: E731
        self.demo = Demo(self.engine.fleet.remove, unlimit, self.bridge, self.desk, self)
        self._recent = RecentRuns(self.desk, frame.settings, self.bridge.run, self.window.show_recent)
        grounds = (self.stacks.canvas, *self.stacks.panes.values())  # devices are heard of even by a halted engine
        self.staleness = Staleness(grounds, self.appearance, self._behind, self)
        welcome = self.window.welcome
        self.running_plans = RunningPlans(journal_path(), welcome.isVisible, welcome.show_going, self)
        usual = first_limits(load_settings(), ())
        self.carried_over = CarriedOver(self.bridge, self.commands, usual, self.strip, self)
        self._connect()
        self.background_tasks.begin(self._watch_commits())
        self.errands.catch_up(frame.taken_up())

    # ---- making

    def _new_devices(self) -> DevicesPanel:
        seen, load = self.seen, self.load
        table = DeviceTable(seen.fleet, seen.runs, seen.now, seen.heard, seen.load, self)
        panel = DevicesPanel(table, self.appearance, self.asks, runs=seen.runs, now=seen.now, memory=seen.memory)
        feed_while_seen(panel, self.bridge.feed(parent=panel)).changed.connect(table.take)
        seen.tell(partial(self._show_devices, table, panel))
        Watch(panel, load.set_watched)
        load.measured.connect(table.rebuild)
        return panel

    def _show_devices(self, table: DeviceTable, panel: DevicesPanel, changes: Changes) -> None:
        """Another moment is in front, or the present."""
        table.take(changes)
        why = refusal_of(self.seen.past) if self.seen.past is not None else None
        panel.forbid_adding(f"{why.reason} {why.hint}" if why is not None else "")

    def _new_history(self) -> History:
        papers, recorded = self.papers, self.recorded
        does = Doing(
            recorded.show, papers.resuming.go_on, recorded.let_go, papers.exporting.export_folder, papers.opening.open
        )
        return History(journal_path(), self.appearance, self.window, does, self._names.of)

    def _connect(self) -> None:
        window = self.window
        DeskTabs(self.desk, window.header.tabs)
        self.engine.ended_runs.in_use = lambda: {run.run_id for run in self.desk.runs}
        self.desk.changed.connect(self.engine.ended_runs.tidy)
        self.keeper.turned.connect(self._turned)
        self.desk.turned.connect(lambda front: window.show_title(straight(front.title) if front is not None else ""))
        self.commands.refused.connect(self._say_refused)
        self.commands.done.connect(lambda done: self.strip.settle(done.what))
        self.devices.add_requested.connect(self.errands.add_device)
        self.palette.failed.connect(self.say_not_done)
        self.devices.slots_requested.connect(self.errands.set_slots)
        self.devices.cards.selectionModel().currentChanged.connect(self.actions.ask_refresh)
        ends = self.bridge.feed(parent=self)
        ends.changed.connect(self._recent.take)
        ends.changed.connect(self.papers.leaving.take)
        ends.changed.connect(self.papers.without_tab.take)
        ends.changed.connect(self.staleness.expect)
        self.papers.leaving.agreed.connect(self._leave)
        window.closed.connect(self._is_closed.set)
        window.clock_chosen.connect(self._tell_clock)
        window.asks_before_closing = True

    # ---- what is there

    def runs(self) -> list[RunFacts]:
        """The facts of all runs, oldest first."""
        return self.bridge.all_runs()

    def target(self) -> Target:
        """What is selected now."""
        target = self.keeper.front.target if self.keeper.front is not None else Target()
        return replace(target, device_id=self.devices.cards.currentIndex().data(Role.ID) or "")

    def _front_asks(self) -> Engine | None:
        sheet = self.keeper.front
        return sheet.source.asks if sheet is not None else None

    # ---- what is in front

    def _turned(self, sheet: Sheet | None) -> None:
        self.front.show_sheet(sheet)
        travel = sheet.source.travel if sheet is not None else None
        self.seen.turn(travel.vantage if travel is not None else None)
        self.travelling.show_travel(travel)
        self.errands.take_up(sheet)
        self.palette.set_planter(sheet.hands.planter if sheet is not None else None)
        if sheet is None:
            self.window.show_welcome()
        elif self.window.is_welcoming:
            self.window.show_workbench()

    def show_task(self, run_id: str, number: int) -> None:
        """Turn to a run and select one of its tasks."""
        self.desk.put_run(run_id)
        sheet = self.keeper.sheet_of_run(run_id)
        if sheet is not None:
            sheet.show_task(number)

    def say_not_done(self, what: str, why: str) -> None:
        """Say what was not done, and why."""
        self.strip.show_trouble(Trouble(what, why))

    def _is_here(self, run_id: str) -> bool:
        return self.bridge.run(run_id) is not None

    def _say_refused(self, refusal: Refusal) -> None:
        if self.keeper.owns(refusal.ticket):
            return  # the editor of that run says it
        reason = " ".join(part for part in (refusal.reason, refusal.hint) if part)
        self.strip.show_trouble(Trouble(refusal.what, reason))

    # ---- running

    @async_slot()
    async def run_demo(self) -> None:
        """Run the demo in a tab of its own."""
        await self.demo.run(lambda plan: self._start(plan, None, self.tr("Demo")), self.papers.plan_verbs.trust)

    @async_slot(str)
    async def start_plan(self, key: str) -> None:
        """Make a run of a plan that is open, and start it, once the user has seen what it runs."""
        document = self.desk.document(key)
        if document is not None and await self.papers.plan_verbs.may_start(document):
            await self._start(document.plan, document, "")

    async def _start(self, plan: Plan, document: Document | None, title: str) -> Run:
        await self._make_way(plan.devices, plan.tasks)
        if not plan.devices:  # a run that goes on in another program needs to find there what it ran on here
            fleet = self.engine.fleet
            plan = replace(plan, devices=fleet.specs if fleet.devices else (DeviceSpec(id="local"),))
        run = await self.engine.start(plan, paused=True)
        self.desk.put_run(run.id, document, title)
        if not run.state.has_ended:  # as one without tasks has
            await run.start()
        self.strip.settle(self.tr("Not started"))
        return run

    async def _make_way(self, named: Collection[DeviceSpec], tasks: Iterable[Task] | None) -> None:
        """Have no device take work that is meant which only acts as if; see `documents.acting`.

        Raises:
            CommandRefused: it cannot begin beside a run that goes on.
        """
        await self.demo.leave()
        met = meeting(named, tasks, self.runs(), self.bridge.fleet)
        if met.clash is not None:
            theirs = self.tr("A device of “%1” only acts as if it worked, and could be given tasks of this one.")
            ours = self.tr("A device of this plan only acts as if it worked, and could be given tasks of “%1”.")
            reason = fill(theirs if met.clash is Clash.THEIRS else ours, met.run)
            raise CommandRefused("acting_device", reason, fill(self.tr("Let “%1” end, or cancel it."), met.run))
        for device_id in met.leave:
            await self.engine.fleet.remove(device_id)

    async def _resume(self, record: RunRecord) -> None:
        await self._make_way((), None)
        self.recorded.close(record.folder)
        run = await self.engine.resume(record.folder)
        self.desk.put_run(run.id, None, record.name)  # one that nobody has started stays so

    def _show_error(self, error: Exception) -> bool:
        """Say why a run was not started; False if it was no refusal of the engine's, but a defect."""
        if isinstance(error, StarloomError):
            self.strip.show_trouble(Trouble(self.tr("Not started"), why_not(error)))
        return isinstance(error, StarloomError)

    # ---- a journal that cannot be written

    async def _watch_commits(self) -> None:
        """Say so whenever the engine has halted, until it goes on."""
        while True:
            await self.engine.until_halted()
            self._is_well.clear()
            self._halted_at = self.bridge.now()
            self._say_halted()
            self.staleness.look()
            await self._is_well.wait()

    def _say_halted(self) -> None:
        what = self.tr("Nothing more is started, as the journal cannot be written")
        reason, remedy = str(self.engine.halted or ""), self.tr("Try again")
        self.strip.show_trouble(Trouble(what, reason, remedy, self._retry_commit, stays=True))

    def _retry_commit(self) -> None:
        halted = self.strip.shown
        try:
            self.engine.retry_commit()
        except JournalError:
            self._say_halted()
            return
        self.strip.settle(halted.what if halted is not None else "")
        self.bridge.read_anew()
        self._is_well.set()
        self._halted_at = None
        self.staleness.look()

    def _behind(self) -> float:
        """For how many seconds the panes have shown what was: since the last commit, or since they last kept up."""
        if self._halted_at is not None:
            return max(0.001, self.bridge.now() - self._halted_at)
        return self.bridge.behind

    # ---- life

    def _tell_clock(self) -> None:
        self.bridge.read_anew()
        self.front.refresh()

    def _leave(self) -> None:
        self.window.asks_before_closing = False
        self.window.close()

    async def closed(self) -> None:
        """Return once the window is closed."""
        await self._is_closed.wait()

    async def close(self) -> None:
        """Let go of everything; the engine is closed only where runs are to be resumed another time."""
        await self.papers.close()
        await self.demo.close()
        self.recorded.cancel()
        self.history.close()
        await self.errands.close()
        self.background_tasks.cancel()
        self.load.set_watched(False)
        await self.telling.close()
        self.carried_over.close()
        self.running_plans.close()
        self.staleness.close()
        await self.commands.answered()
        if self.papers.leaving.leaves_runs:
            await self.engine.shutdown("drain")  # which cancels nothing; all of them are paused, and nothing runs
        self.keeper.close()
        self.bridge.close()
        self.hub.close()
        self.window.deleteLater()


@asynccontextmanager
async def opened(frame: Frame) -> AsyncIterator[Console]:
    """A console over an engine of its own; afterwards everything has been let go.

    Raises:
        SettingsError: the engine's settings cannot be used.
    """
    async with own_engine() as (engine, notice, metrics):
        console = Console(frame, engine)
        try:
            console.window.status.show_metrics(metrics)
            if notice:
                console.strip.show_trouble(Trouble("", notice))
            yield console
        finally:
            await console.close()


async def live(frame: Frame, *, files: Sequence[str] = (), fleet: str = "", demo: bool = False) -> None:
    """Have a console in a window that is shown, until that is closed.

    Args:
        frame: the window.
        files: to open at once.
        fleet: the fleet file to begin with; empty: the one that was opened or saved last.
        demo: whether to run the demo at once.

    Raises:
        SettingsError: the engine's settings cannot be used.
    """
    accessible.install()
    async with opened(frame) as console:
        calm_collector()
        console.carried_over.tell()
        console.running_plans.begin()
        console.errands.fleet.begin(fleet)
        console.papers.begin(files)
        if demo:
            console.run_demo()
        await console.closed()
