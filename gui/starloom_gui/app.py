"""The console as a program: the one place where engine, bridge, sheets and window are wired together."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from starloom.errors import CommandRefused, StarloomError
from starloom.journal.base import Journal, JournalError, NullJournal
from starloom.journal.library import Library
from starloom.model.device import DeviceSpec
from starloom.model.status import RunState
from starloom.orchestration.orchestrator import Orchestrator
from starloom.settings import journal_path, load_settings, settings_path
from starloom_gui.bridge.bridge import Bridge
from starloom_gui.bridge.commands import Commands
from starloom_gui.bridge.device_load import DeviceLoad
from starloom_gui.bridge.output import OutputHub
from starloom_gui.bridge.verbs import Target
from starloom_gui.canvas import accessible
from starloom_gui.documents.desk import Desk
from starloom_gui.documents.document import Document, RunTab
from starloom_gui.documents.recent import RecentRuns
from starloom_gui.editing.template_files import TemplateShelf
from starloom_gui.editing.templates import kinds, ready_made
from starloom_gui.errands import Errands
from starloom_gui.memory import calm_collector
from starloom_gui.models.device_table import DeviceTable
from starloom_gui.models.roles import Role
from starloom_gui.panels.devices import DevicesPanel
from starloom_gui.panels.palette import PalettePane
from starloom_gui.papers import Papers
from starloom_gui.sheets.asks import FrontAsks
from starloom_gui.sheets.front import Front
from starloom_gui.sheets.keeper import Keeper
from starloom_gui.sheets.sheet import Sheet
from starloom_gui.sheets.source import Surroundings
from starloom_gui.sheets.sources import plan_source, run_source
from starloom_gui.sheets.watching import Watch, feed_while_seen
from starloom_gui.shell.desk_tabs import DeskTabs
from starloom_gui.shell.strip import Trouble
from starloom_gui.shell.veil import Staleness
from starloom_gui.telling import Telling
from starloom_resources.demo import demo_plan

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Sequence

    from starloom.journal.records import RunRecord
    from starloom.model.plan import Plan
    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.bridge.commands import Refusal
    from starloom_gui.documents.document import Item
    from starloom_gui.editing.run_asks import Engine
    from starloom_gui.sheets.frame import Frame


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
    """

    def __init__(self, frame: Frame, engine: Orchestrator) -> None:
        super().__init__()
        self.engine, self._settings = engine, frame.settings
        self._errands: set[asyncio.Task[None]] = set()
        self._demo_name, self._of_demo = "", set[str]()
        self._is_closed, self._is_well = asyncio.Event(), asyncio.Event()
        self._halted_at: float | None = None
        self.appearance, self.actions, self.window = frame.appearance, frame.actions, frame.window
        self.stacks, self.strip = frame.stacks, frame.strip
        self.bridge, self.commands = Bridge(engine), Commands(engine)
        self.hub, self.load = OutputHub(engine.channel), DeviceLoad(engine.fleet)
        self.desk = Desk(self)
        self.devices = self._new_devices()
        frame.devices.bring(self.devices)
        frame.devices_corner.bring(self.devices.add_button)
        self.shelf = TemplateShelf(settings_path().parent / "templates", self)
        self.palette = PalettePane(self.shelf, self.appearance)
        frame.palette.bring(self.palette)
        self.keeper = Keeper(self.desk, self.stacks, self._new_sheet, self)
        self.asks = FrontAsks(self._front_asks, self.commands)
        self.actions.serve(self.asks, self.target)
        self.front = Front(self.window, self.actions, self.bridge)
        say, settle = self.strip.show_trouble, self.strip.settle
        self.papers = Papers(self.desk, frame.settings, self.appearance, self.window, say, settle, self, self._resume)
        self.errands = Errands(self)
        self.telling = Telling(self, frame.settings)
        grounds = (self.stacks.canvas, *self.stacks.panes.values())  # devices are heard of even by a halted engine
        self.staleness = Staleness(grounds, self.appearance, self._behind, self)
        self._connect()
        self._do(self._watch_commits())
        self.errands.catch_up(frame.taken_up())

    # ---- making

    def _new_devices(self) -> DevicesPanel:
        bridge, load = self.bridge, self.load
        table = DeviceTable(lambda: bridge.fleet, self.runs, bridge.now, bridge.heard, load.of, self)
        panel = DevicesPanel(table, self.appearance, self.commands, runs=self.runs, now=bridge.now, memory=load.memory)
        feed_while_seen(panel, bridge.feed(parent=panel)).changed.connect(table.take)
        Watch(panel, load.set_watched)
        load.measured.connect(table.rebuild)
        return panel

    def _new_sheet(self, item: Item) -> Sheet:
        if isinstance(item, RunTab):
            source = run_source(item, self.bridge, self.commands)
        else:
            source = plan_source(item, self.desk, self.bridge, self.commands, self.start_plan)
        sheet = Sheet(source, self._surroundings(), self)
        sheet.inspect_asked.connect(lambda: self.window.workbench.show_pane("inspector"))
        sheet.menu_asked.connect(self.errands.show_menu)
        sheet.open_asked.connect(self.papers.opening.ask)
        sheet.device_asked.connect(self.errands.add_device)
        sheet.elsewhere_asked.connect(self.show_task)
        sheet.refused.connect(self._say_not_done)
        return sheet

    def _surroundings(self) -> Surroundings:
        bridge = self.bridge
        return Surroundings(
            appearance=self.appearance,
            log=bridge.log,
            hub=self.hub,
            fleet=lambda: bridge.fleet,
            runs=self.runs,
            line=bridge.in_line,
            wall=bridge.wall,
            kinds=lambda: (*kinds(), *ready_made(), *self.shelf.own),
            file_of=self.engine.dispatcher.output_file,
        )

    def _connect(self) -> None:
        window = self.window
        DeskTabs(self.desk, window.header.tabs)
        self.keeper.turned.connect(self._turned)
        self.commands.refused.connect(self._say_refused)
        self.commands.done.connect(lambda done: self.strip.settle(done.what))
        self.devices.add_requested.connect(self.errands.add_device)
        self.palette.failed.connect(self._say_not_done)
        self.devices.slots_requested.connect(self.errands.set_slots)
        self.devices.cards.selectionModel().currentChanged.connect(self.actions.ask_refresh)
        recent = RecentRuns(self.desk, self._settings, self.bridge.run, window.show_recent)
        ends = self.bridge.feed(parent=self)
        ends.changed.connect(recent.take)
        ends.changed.connect(self.papers.leaving.take)
        ends.changed.connect(self.staleness.expect)
        self.papers.leaving.agreed.connect(self._leave)
        window.closed.connect(self._is_closed.set)
        window.clock_chosen.connect(self._tell_clock)
        window.asks_before_closing = True

    # ---- what is there

    def runs(self) -> list[RunFacts]:
        """The facts of all runs, oldest first."""
        found = (self.bridge.run(run_id) for run_id in self.bridge.runs)
        return [run for run in found if run is not None]

    facts = runs

    def cancel(self, run_id: str) -> None:
        """Cancel a run; returns at once."""
        self.commands.cancel_run(run_id, self.tr("the console was closed"))

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
        self.errands.take_up(sheet)
        self.palette.set_planter(sheet.hands.planter if sheet is not None else None)
        front = self.desk.front
        self.window.show_title(front.title if front is not None else "")
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

    def _say_not_done(self, what: str, why: str) -> None:
        self.strip.show_trouble(Trouble(what, why))

    def _say_refused(self, refusal: Refusal) -> None:
        if self.keeper.owns(refusal.ticket):
            return  # the editor of that run says it
        reason = " ".join(part for part in (refusal.reason, refusal.hint) if part)
        self.strip.show_trouble(Trouble(refusal.what, reason))

    # ---- running

    def run_demo(self) -> None:
        """Run the demo in a tab of its own."""
        self._do(self._start_demo())

    async def _start_demo(self) -> None:
        plan = demo_plan()
        self.papers.plan_verbs.trust(plan)
        self._demo_name = plan.name
        self._of_demo = {spec.id for spec in plan.devices if spec.kind == "simulated"}
        await self._start(plan, None, self.tr("Demo"))

    def start_plan(self, key: str) -> None:
        """Make a run of a plan that is open, and start it, once the user has seen what it runs."""
        document = self.desk.document(key)
        if document is not None:
            self._do(self._start_plan(document))

    async def _start_plan(self, document: Document) -> None:
        if await self.papers.plan_verbs.may_start(document):
            await self._start(document.plan, document, "")

    async def _start(self, plan: Plan, document: Document | None, title: str) -> None:
        if not plan.devices and not self.engine.fleet.devices:
            plan = replace(plan, devices=(DeviceSpec(id="local"),))
        await self._part_from_demo(plan)
        run = await self.engine.start(plan, paused=True)
        self.desk.put_run(run.id, document, title)
        await run.start()

    async def _part_from_demo(self, plan: Plan) -> None:
        """Take the demo's devices away before work that is meant comes: they only act as if.

        Raises:
            CommandRefused: the demo has not ended, or somebody else uses them.
        """
        strangers = [id for id in sorted(self._of_demo) if id not in {spec.id for spec in plan.devices}]
        if not strangers:
            return
        if any(run.name == self._demo_name and not run.state.has_ended for run in self.runs()):
            reason = self.tr("The demo's devices only act as if they worked, and this plan means it.")
            raise CommandRefused("demo", reason, self.tr("Let the demo end, or cancel it."))
        for device_id in strangers:
            if device_id in self.engine.fleet.devices:
                await self.engine.fleet.remove(device_id)
            self._of_demo.discard(device_id)

    async def _resume(self, record: RunRecord) -> None:
        run = await self.engine.resume(record.folder)
        self.desk.put_run(run.id, None, record.name)
        if run.state is RunState.READY:
            await run.start()

    def _do(self, errand: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(errand, name="console: errand")
        self._errands.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._errands.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, StarloomError):
            self.strip.show_trouble(Trouble(self.tr("Not started"), str(error)))
        elif error is not None:
            raise error

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
        """Let go of everything; the engine is not closed."""
        await self.papers.close()
        for errand in tuple(self._errands):
            errand.cancel()
        self.load.set_watched(False)
        await self.telling.close()
        self.staleness.close()
        await self.commands.answered()
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
    async with AsyncExitStack() as stack:
        journal, notice = _journal(stack)
        engine = Orchestrator(settings=load_settings(), journal=journal)
        await engine.open()
        stack.push_async_callback(engine.shutdown, "now")
        console = Console(frame, engine)
        stack.push_async_callback(console.close)
        if notice:
            console.strip.show_trouble(Trouble("", notice))
        yield console


def _journal(stack: AsyncExitStack) -> tuple[Journal, str]:
    """The journals in their usual place, or none, and what the user should know of that."""
    try:
        library = stack.enter_context(Library(journal_path()))
    except JournalError as error:
        return NullJournal(), f"Runs are not kept, and cannot be gone on with after this program: {error}"
    return library, library.notice


async def live(frame: Frame, *, files: Sequence[str] = (), demo: bool = False) -> None:
    """Have a console in a window that is shown, until that is closed.

    Args:
        frame: the window.
        files: to open at once.
        demo: whether to run the demo at once.

    Raises:
        SettingsError: the engine's settings cannot be used.
    """
    accessible.install()
    async with opened(frame) as console:
        calm_collector()
        console.papers.opening.open_all(files)
        console.papers.offer()
        if demo:
            console.run_demo()
        await console.closed()
