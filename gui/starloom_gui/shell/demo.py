"""Running the demo, and removing its devices and limit groups from the fleet once its tabs are closed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.errors import CommandRefused
from starloom.scheduling.read.run_view import RunView
from starloom_gui.event_loop import BackgroundTasks
from starloom_resources.demo import demo_plan

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from starloom.model.plan import Plan
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.changes import Changes

_ORIGIN = "plan"
"""Whose doing it is that the limits go: not what an operator chose, which would outlive the program."""

_CAPABILITY = "demo"
"""What only the demo's devices have."""


class Demo(QObject):
    """Starts the demo, and removes what it added to the fleet after its last tab was closed and its runs have ended.

    What other runs that go on use stays, as do those that were there before.

    Args:
        remove: takes a device out of the fleet, by its id.
        unlimit: has limit groups, by their names, be limited no more; given who says so.
        bridge: tells of runs and the fleet.
        documents: where its tabs are.
        parent: of the object.
    """

    def __init__(
        self,
        remove: Callable[[str], Awaitable[object]],
        unlimit: Callable[[Iterable[str], str], Awaitable[None]],
        bridge: Bridge,
        documents: OpenDocuments,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._remove, self._unlimit = remove, unlimit
        self._bridge, self._documents = bridge, documents
        self._runs: set[str] = set()
        self._devices: set[str] = set()
        self._groups: dict[str, int] = {}
        self.background_tasks = BackgroundTasks("console: the demo's devices")
        documents.changed.connect(self._look)
        feed = bridge.feed(parent=self)
        feed.changed.connect(self._take)

    async def run(self, start: Callable[[Plan], Awaitable[str]], trust: Callable[[Plan], object]) -> None:
        """Start it.

        Args:
            start: makes a run of a plan, in a tab of its own, and starts it; gives its id.
            trust: notes that a plan needs no question before it runs.
        """
        await self.leave()
        fleet = self._bridge.fleet
        plan = _among_its_own(_beside(set(fleet.devices) - self._devices, demo_plan()))
        trust(plan)
        devices, groups = set(fleet.devices), set(fleet.groups)
        self._runs.add(await start(plan))
        self._devices |= {spec.id for spec in plan.devices} - devices
        self._groups |= {name: most for name, most in plan.limits.groups.items() if name not in groups}

    async def leave(self) -> None:
        """Remove the devices of the demo now, if its runs have ended; its tabs may stay."""
        await self.background_tasks.settled()
        if self._runs and all(self._has_ended(run_id) for run_id in self._runs):
            await self._clear()

    def _take(self, changes: Changes) -> None:
        if self._runs and (changes.run or changes.everything):
            self._look()

    def _look(self) -> None:
        if not self._runs or self.background_tasks:
            return
        is_open = any(tab.run_id in self._runs for tab in self._documents.runs)
        if not is_open and all(self._has_ended(run_id) for run_id in self._runs):
            self.background_tasks.begin(self._clear())

    def _has_ended(self, run_id: str) -> bool:
        run = self._bridge.run(run_id)
        return run is None or run.state.has_ended

    async def _clear(self) -> None:
        runs = (RunView(run) for run in self._bridge.all_runs() if run.run_id not in self._runs)
        others = [run for run in runs if not run.state.has_ended]
        kept, bound = _devices_of(others), _groups_of(others)
        gone, self._devices = self._devices - kept, set()
        fleet = self._bridge.fleet
        free = {name for name, most in self._groups.items() if name not in bound and fleet.groups.get(name) == most}
        self._runs, self._groups = set(), {}
        for device_id in sorted(gone & set(fleet.devices)):
            try:
                await self._remove(device_id)
            except CommandRefused:  # somebody has begun to use it, or removed it
                continue
        if free:
            await self._unlimit(free, _ORIGIN)

    async def close(self) -> None:
        """Cancel all actions."""
        self.background_tasks.cancel()
        await self.background_tasks.settled()


def _beside(taken: set[str], plan: Plan) -> Plan:
    """The plan with devices whose ids are not taken."""
    names: dict[object, str] = {spec.id: f"demo-{spec.id}" for spec in plan.devices if spec.id in taken}
    devices = tuple(replace(spec, id=names.get(spec.id, spec.id)) for spec in plan.devices)
    tasks = tuple(replace(task, device=names.get(task.device, task.device)) for task in plan.tasks)
    return replace(plan, devices=devices, tasks=tasks) if names else plan


def _among_its_own(plan: Plan) -> Plan:
    """The plan with tasks that none but its own devices can take: all runs share the fleet, and nobody asks before."""
    devices = tuple(replace(spec, capabilities=spec.capabilities | {_CAPABILITY}) for spec in plan.devices)
    tasks = (
        task
        if task.gate is not None or task.device is not None
        else replace(task, requires=task.requires | {_CAPABILITY})
        for task in plan.tasks
    )
    return replace(plan, devices=devices, tasks=tuple(tasks))


def _devices_of(runs: list[RunView]) -> set[str]:
    """The devices that runs which go on have used, or whose tasks are to run there."""
    used = {device for run in runs for device in run.devices_used()}
    return used | {pin for run in runs for task in run.tasks(run.graph.place.values()) if (pin := task.pin)}


def _groups_of(runs: list[RunView]) -> set[str]:
    """The limit groups of tasks of runs."""
    return {name for run in runs for _, task in run.graph.present() for name in task.groups}
