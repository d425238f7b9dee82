"""Starting runs: of open plans and the demo, and resuming those that an earlier program left."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom.errors import CommandRefused, StarloomError
from starloom.journal.records import find_folder, record
from starloom.model.device import DeviceSpec
from starloom.model.run_ids import new_run_id
from starloom.orchestration.handover import take_over
from starloom.orchestration.resuming import at_once, resume_together
from starloom.scheduling.commands import DrainDevice
from starloom.scheduling.read.run_view import RunView
from starloom.settings import journal_path
from starloom_gui.composition.fleet_notices import FleetNotices
from starloom_gui.composition.run_reopener import RunReopener
from starloom_gui.composition.simulation_questions import SimulationQuestions
from starloom_gui.documents.acting import Clash, meeting
from starloom_gui.event_loop import BackgroundTasks, async_slot
from starloom_gui.event_loop.background import in_background
from starloom_gui.shell.demo import Demo
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from starloom.journal.records import RunRecord
    from starloom.model.plan import Plan
    from starloom.model.task import Task
    from starloom.orchestration.handover import HandedRun, Handover
    from starloom.orchestration.resuming import Ready
    from starloom.orchestration.run import Run
    from starloom_gui.documents.acting import Meeting
    from starloom_gui.documents.document import Document
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.engine import Engine
    from starloom_gui.shell.fleet_file_actions import FleetFileActions
    from starloom_gui.shell.plan_actions import PlanActions, RulesWanted
    from starloom_gui.widgets.message_bar import MessageBar


_HERE: Final = DeviceSpec(id="local")
"""Joins for a plan that names no device, where there is none."""


class RunStarter(QObject):
    """Makes runs, starts them, and puts them in front. To be used where the loop runs.

    Args:
        engine: what they run on.
        documents: what is open; a run gets a tab there.
        bridge: tells of runs and the fleet.
        is_current: whether what is open is what is to run, although its file may say something else by now.
        plans: gives who asks before a plan is started for the first time.
        fleets: gives who knows which devices are the user's own.
        release: closes a journal that is open to be read, by its folder.
        settle_fields: takes over what is typed in fields of the plan of a key; false: it was refused.
        strip: says what was not started, and why.
        parent: of the object.

    Attributes:
        demo: removes what the demo brought.
        reopener: reopens runs that have ended.
        simulation: asks before simulated devices take real tasks.
        verbs: the actions that make runs, by their keys.
    """

    def __init__(
        self,
        engine: Engine,
        documents: OpenDocuments,
        bridge: Bridge,
        is_current: Callable[[Document], Awaitable[bool]],
        plans: Callable[[], PlanActions],
        fleets: Callable[[], FleetFileActions],
        release: Callable[[Path], object],
        settle_fields: Callable[[str], bool],
        strip: MessageBar,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine, self._documents, self._bridge = engine, documents, bridge
        self._is_current, self._plans = is_current, plans
        self._fleets, self._release, self._settle_fields, self._strip = fleets, release, settle_fields, strip
        self._starting: set[str] = set()
        """The keys of plans that are being started."""
        self.background_tasks = BackgroundTasks("console: start", self._show_error)
        unlimit = lambda names, origin: engine.set_limits(groups=dict.fromkeys(names), origin=origin)  # noqa: E731
        self._notices = FleetNotices(bridge, lambda: fleets().own, self._limit, strip, self)
        self.simulation = SimulationQuestions(bridge, plans, fleets, self)
        self.verbs: dict[str, Callable[[], object]] = {"demo": self.run_demo, "create_run": self.create_run}
        self.reopener = RunReopener(
            engine,
            documents,
            bridge,
            lambda: self._make_way((), None),
            lambda: fleets().removed.ids,
            self._leave_out,
            release,
            strip,
            self,
        )
        self.demo = Demo(engine.devices.remove, unlimit, bridge, documents, self)

    @async_slot()
    async def run_demo(self) -> None:
        """Run the demo in a tab of its own."""
        await self.demo.run(lambda plan: self.start(plan, None, self.tr("Demo")), self._plans().trust)

    @async_slot(str)
    async def start_plan(self, key: str) -> None:
        """Create a run of the plan in front, and start it, once the user has reviewed what it runs."""
        await self._start_once(key)

    @async_slot()
    async def create_run(self) -> None:
        """Create a run of the plan in front, as `start_plan` does, but start nothing of it."""
        front = self._documents.front
        if front is not None:
            await self._start_once(front.key, paused=True)

    async def _start_once(self, key: str, *, paused: bool = False) -> None:
        front = self._documents.front
        if key in self._starting or front is None or front.key != key:
            return  # a second click, or a key that repeats: its run is being started, or about to be shown
        self._starting.add(key)
        try:
            await self._start_plan(key, paused=paused)
        finally:
            self._starting.discard(key)

    async def _start_plan(self, key: str, *, paused: bool) -> None:
        document = self._documents.document(key) if self._settle_fields(key) else None
        if document is None or not await self._is_current(document):
            return
        if not await self._plans().may_start(document, paused=paused) or not await self._may_pretend(document):
            return
        rules = await self._plans().rules_wanted(document)
        if rules is not None:
            await self.start(document.plan, document, "", rules, paused=paused)

    async def _may_pretend(self, document: Document) -> bool:
        """Whether simulated devices of the fleet may take real tasks of a plan, if they could; asks the user."""
        plan = document.plan
        met = self._meeting(plan.devices, plan.tasks)
        return met.clash is not None or await self.simulation.may_start(plan, met.leave)  # a clash is refused anyway

    async def start(
        self,
        plan: Plan,
        document: Document | None,
        title: str,
        rules: RulesWanted | None = None,
        *,
        paused: bool = False,
    ) -> str:
        """Make a run of a plan and start it; returns its id.

        Args:
            plan: what is to run.
            document: whose plan it is; None: of none that is open.
            title: of the tab; empty: the plan's name.
            rules: whether those of the plan apply; None: they do not.
            paused: whether nothing of it starts before somebody starts it.

        Raises:
            CommandRefused: it cannot begin beside a run that goes on.
        """
        await self._make_way(plan.devices, plan.tasks)
        self._fleets().note_brought(spec.id for spec in plan.devices)
        names_none = not plan.devices
        brings_here = names_none and not self._bridge.fleet.devices
        if brings_here:
            plan = replace(plan, devices=(_HERE,))
        run_id = new_run_id(plan.name)
        try:
            asks = rules.asks if rules is not None and rules.wanted else None
            await self._engine.start(plan, run_id, asks, paused=paused)
        except Exception:  # not where the console closes, which has no place for it any more
            self._note_made(run_id, document, title, brings_here)
            raise
        self._note_made(
            run_id, document, title, brings_here
        )  # not before: its Start would meet a double click's second
        self._strip.settle(self.tr("Not started"))
        self._notices.tell(plan, names_none=names_none)
        return run_id

    def _note_made(self, run_id: str, document: Document | None, title: str, brings_here: bool) -> None:
        """Put a run in front, if it was made; this computer, if it was added for it, becomes the user's own."""
        if self._bridge.run(run_id) is None:
            return
        if brings_here:
            self._fleets().keep(_HERE)
        self._documents.put_run(run_id, document, title)

    @async_slot(object)
    async def _limit(self, groups: Mapping[str, int]) -> None:
        """Limit groups, as an operator does."""
        await self._engine.set_limits(groups=groups)

    @async_slot(object)
    async def take_over(self, handover: Handover) -> None:
        """Go on with the runs that a server has handed over."""
        if handover.runs:
            await self._fleets().background_tasks.settled()  # the user's own devices come first
        await take_over(handover, self._resume_handed, self._say_refused)

    async def _resume_handed(self, handed: HandedRun) -> Run | None:
        return await self.resume(await in_background(_record_of, handed.run_id), handed)

    def _say_refused(self, run_id: str, error: StarloomError) -> None:
        what = fill(self.tr("“%1” does not go on"), run_id)
        self._strip.show_trouble(ErrorMessage(what, why_not(error)))

    async def resume(self, record: RunRecord, handed: HandedRun | None = None) -> Run | None:
        """Resume a run of an earlier program; returns it, or None: the user does not want that, or a server has it.

        Args:
            record: of the run.
            handed: what a server has handed over of it; None: its program has died.

        Raises:
            CommandRefused: it cannot go on beside another run.
            JournalError: it cannot be read.
        """
        return await self._resume(record, handed) if await self._may_resume(record) else None

    async def resume_all(self, chosen: Sequence[RunRecord]) -> list[StarloomError | Run | None]:
        """Resume runs of earlier programs in one turn; returns what came of each, see `resume`."""
        came: dict[str, StarloomError | Run | None] = {}
        wanted = []
        for one in chosen:
            try:
                if await self._may_resume(one):
                    wanted.append(one)
            except StarloomError as error:
                came[one.run_id] = error
        resumed = await resume_together([partial(self._resume, one, None) for one in wanted])
        came |= {one.run_id: run for one, run in zip(wanted, resumed, strict=True)}
        return [came.get(one.run_id) for one in chosen]

    async def _may_resume(self, record: RunRecord) -> bool:
        await self._make_way((), None)
        return await self.simulation.may_resume(record)

    async def _resume(self, record: RunRecord, handed: HandedRun | None, ready: Ready = at_once) -> Run | None:
        self._release(record.folder)
        removed = self._fleets().removed.ids
        if self._engine.where:  # its server takes it up
            await self._engine.reopen(record, removed)
            self._documents.put_run(record.run_id, None, record.name)
            return None
        run = await self._engine.resume(record.folder, removed, handed, ready)
        self._documents.put_run(run.id, None, record.name)  # one that nobody has started stays so
        await self._leave_out(RunView(run.facts), removed)
        return run

    async def _leave_out(self, run: RunView, removed: Collection[str]) -> None:
        """Show the devices that a run continues without; one that is back for its running attempts takes no more."""
        named = [spec.id for spec in run.facts.devices if spec.id in removed]
        back = [one for one in self._bridge.fleet.devices if any(one == id or one.startswith(f"{id}-") for id in named)]
        for device_id in back:
            await self._engine.command(DrainDevice(device_id=device_id, origin="engine"))
        what = fill(self.tr("“%1” goes on without %2"), run.name, ", ".join(named))
        why = self.tr("You have removed what it ran on. Add it again if the run needs it.")
        if back:
            why = fill(
                self.tr("You have removed it; %1 is back, drained, as something may still run there."), ", ".join(back)
            )
        if named:
            self._strip.show_trouble(ErrorMessage(what, why, is_notice=True, of_tab=True))

    async def close(self) -> None:
        """Cancel all actions."""
        self.background_tasks.cancel()
        self.simulation.close()
        await self.reopener.close()
        await self.demo.close()

    async def _make_way(self, named: Collection[DeviceSpec], tasks: Iterable[Task] | None) -> None:
        """Ensure that no simulated device takes real tasks; see `documents.acting`."""
        await self.demo.leave()
        met = self._meeting(named, tasks)
        if met.clash is not None:
            theirs = self.tr("A device of “%1” only acts as if it worked, and could be given tasks of this one.")
            ours = self.tr("A device of this plan only acts as if it worked, and could be given tasks of “%1”.")
            name = self._title(met.run_id)
            reason = fill(theirs if met.clash is Clash.THEIRS else ours, name)
            raise CommandRefused("acting_device", reason, fill(self.tr("Let “%1” end, or cancel it."), name))
        for device_id in met.leave:
            await self._engine.devices.remove(device_id)
        is_taken = any(spec.id == _HERE.id and spec != _HERE for spec in named)
        if is_taken and not self._engine.where and _HERE in self._engine.devices.specs:
            await self._engine.devices.remove(_HERE.id)  # nobody has asked for it: a plan's own takes its place
            self._fleets().give_up(_HERE.id)

    def _title(self, run_id: str) -> str:
        """The title of the tab of a run; its name, where it has none."""
        run = self._bridge.run(run_id)
        titles = (tab.title for tab in self._documents.runs if tab.run_id == run_id)
        return next(titles, run.name if run is not None else run_id)

    def leaving(self, plan: Plan) -> Collection[str]:
        """The ids of devices that leave the fleet before a plan is started."""
        return self._meeting(plan.devices, plan.tasks).leave

    def _meeting(self, named: Collection[DeviceSpec], tasks: Iterable[Task] | None) -> Meeting:
        fleet = self._bridge.fleet  # of another program whoever started it answers for all that is in it
        own = fleet.devices if self._engine.where else self._fleets().own
        return meeting(named, tasks, self._bridge.all_runs(), fleet, own)

    def _show_error(self, error: Exception) -> bool:
        """Show why a run was not started; False if the error is a defect and no refusal of the engine."""
        if isinstance(error, StarloomError):
            self._strip.show_trouble(ErrorMessage(self.tr("Not started"), why_not(error), of_tab=True))
        return isinstance(error, StarloomError)


def _record_of(run_id: str) -> RunRecord:
    """The record of a run of this user.

    Raises:
        NoSuchRun: its folder is gone.
    """
    return record(find_folder(journal_path(), run_id))
