"""The model of the devices: status, slots, running attempts, failures, last heartbeat, load."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from typing_extensions import override

from starloom.model.status import DeviceStatus
from starloom.scheduling.commands import OPERATOR
from starloom.scheduling.read.agent_usage import used_on
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.state.codes import FAILED, RUNNING
from starloom.scheduling.state.reservations import ReservationTarget
from starloom_gui.models.plain_table import PlainTable
from starloom_gui.models.task_cells import title
from starloom_gui.models.throughput import throughput
from starloom_gui.text import words
from starloom_gui.text.reservation_words import end_of
from starloom_gui.text.words import translate
from starloom_gui.viewmodel.columns import Column, Columns
from starloom_gui.viewmodel.outage_words import seconds_left
from starloom_gui.viewmodel.roles import RIGHT, ItemRole
from starloom_gui.viewmodel.task_words import silent_since

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtCore import QObject

    from starloom.devices.base import Metrics
    from starloom.scheduling.read.agent_usage import UsedByAgents
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.changes import Changes

FAILED_ATTEMPT = "failed"
_NAMED = 3
"""Running tasks that are named; more are counted."""


class ReservedDevice(NamedTuple):
    """A reservation of a device.

    Attributes:
        holder: whose.
        left: seconds until it expires.
        reason: as a person gave it.
        ends: when that is, in seconds since 1970.
        is_mine: whether this console asks in the same name.
    """

    holder: str
    left: float
    reason: str
    ends: float = 0.0
    is_mine: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRow:
    """One device at one moment.

    Attributes:
        used, slots: slots taken, by any run, of how many; None: as many as are asked for. On trial it has one.
        offered: the slots it has when it is not on trial.
        left: seconds until a suspended device is on trial; None: it is not suspended.
        in_a_row: how often in a row it has failed, the last time for the reason `trouble`.
        refusal: why it cannot be used until a person does something; empty: it can.
        unattended: how many tasks may still run there that no program looks after, or that count as ended.
        kept: the slots that are kept for those of earlier programs.
        silent_since, waits: when it fell silent, and seconds until what runs there is lost; None: it is not waited for.
        running: the names of the tasks that run there.
        failures: attempts that failed there, in all runs of this engine.
        heard: seconds since its last sign of life; None: it is not asked for any, or has given none.
        is_late: whether it has missed a sign of life, though it is not given up yet.
        about: what it has told of its machine, in a few words; empty: nothing.
        samples: how loaded its processors were, 0 to 1, oldest first.
        agents: what its attempts have used, in all runs of this engine; None: it is no agent, or has had none.
        reserved: by whom, for how long and why; None: it is not.
        has_other_key: whether it is refused for another host key, which can be trusted here.
    """

    id: str
    kind: str
    status: DeviceStatus
    enabled: bool
    used: int
    slots: int | None
    running: tuple[str, ...]
    failures: int
    heard: float | None
    capabilities: tuple[str, ...]
    metrics: Metrics | None = None
    samples: tuple[float, ...] = ()
    offered: int | None = None
    left: float | None = None
    in_a_row: int = 0
    trouble: str = ""
    refusal: str = ""
    silent_since: str = ""
    waits: float | None = None
    unattended: int = 0
    kept: int = 0
    is_late: bool = False
    about: str = ""
    agents: UsedByAgents | None = None
    reserved: ReservedDevice | None = None
    has_other_key: bool = False


class DeviceTable(PlainTable[DeviceRow]):
    """A row for each device of the fleet, in the order in which they joined.

    Args:
        fleet: gives the facts of the fleet.
        runs: gives the facts of all runs.
        now: gives seconds on the engine's clock.
        heard: gives when a device last gave a sign of life, on that clock.
        load: gives the last figures of a device and a history of its processor load.
        unended: gives how many tasks may still run on a device that count as ended.
        about: gives what a device has told of its machine.
        late: gives whether a device has missed a sign of life.
        other_key: gives whether a device is refused for another host key, which can be trusted here.
        origin: in whose name this console asks.
    """

    def __init__(
        self,
        fleet: Callable[[], FleetFacts],
        runs: Callable[[], Iterable[RunFacts]],
        now: Callable[[], float],
        heard: Callable[[str], float | None] = lambda _: None,
        load: Callable[[str], tuple[Metrics | None, tuple[float, ...]]] = lambda _: (None, ()),
        unended: Callable[[str], int] = lambda _: 0,
        about: Callable[[str], str] = lambda _: "",
        late: Callable[[str], bool] = lambda _: False,
        other_key: Callable[[str], bool] = lambda _: False,
        origin: str = OPERATOR,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(DeviceColumn, lambda row: row.id, parent)
        self._fleet, self._runs, self._now, self._heard, self._load = fleet, runs, now, heard, load
        self._unended, self._about, self._late, self._other_key, self._origin = unended, about, late, other_key, origin
        self.rebuild()

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of everything, or of the fleet and some runs."""
        if changes.everything or changes.devices or changes.load or changes.second:
            self.rebuild()

    def rebuild(self) -> None:
        """Rebuild all rows."""
        (running, failures), devices = self._work(), self._fleet().devices.values()
        used = used_on({one.id for one in devices if one.asks_when_interrupted}, self._runs())
        self.show([self._row(one, running, failures, used) for one in devices])

    def _row(
        self,
        device: Any,
        running: dict[str, list[str]],
        failures: dict[str, int],
        used: dict[str, UsedByAgents],
    ) -> DeviceRow:
        heard, waits = self._heard(device.id), seconds_left(device, self._now())
        metrics, samples = self._load(device.id)
        return DeviceRow(
            id=device.id,
            kind=device.kind,
            status=device.status,
            enabled=device.enabled,
            used=device.used + device.others,
            kept=device.unattended,
            slots=device.limit,
            running=tuple(running.get(device.id, ())),
            failures=failures.get(device.id, 0),
            heard=None if heard is None else float(int(max(0.0, self._now() - heard))),
            capabilities=tuple(sorted(device.capabilities)),
            metrics=metrics,
            samples=samples,
            offered=device.offered,
            left=float(-int(min(0.0, self._now() - device.until) // 1))
            if device.status is DeviceStatus.SUSPENDED
            else None,
            in_a_row=device.failures,
            trouble=device.trouble,
            refusal=device.refusal,
            silent_since="" if waits is None else self._silent_since(device),
            waits=waits,
            unattended=device.unattended + self._unended(device.id),
            is_late=self._late(device.id),
            about=self._about(device.id),
            agents=used.get(device.id),
            reserved=self._reservation(device.id),
            has_other_key=self._other_key(device.id),
        )

    def _reservation(self, device_id: str) -> ReservedDevice | None:
        """Who has reserved a device; None: nobody."""
        made = self._fleet().reservations.get(ReservationTarget(device_id=device_id))
        if made is None:
            return None
        now = self._now()
        left, is_mine = float(-int((now - made.until) // 1)), made.holder == self._origin
        return ReservedDevice(made.holder, left, made.reason, float(round(end_of(made, now))), is_mine)

    def throughput(self) -> dict[str, int]:
        """The number of tasks that each device has completed within the last minute, in all runs."""
        return throughput(self._runs(), self._now())

    def _silent_since(self, device: Any) -> str:
        """The time of day by any run of this engine, as all go by its clock; without one, by that of now."""
        now = self._now()
        for run in self._runs():
            return silent_since(RunView(run), device, now)
        wall = time.time()
        return words.hour(wall + device.silent_since - now, wall)

    def _work(self) -> tuple[dict[str, list[str]], dict[str, int]]:
        """The running attempts and the number of failed ones on each device."""
        running: dict[str, list[str]] = {}
        failures: dict[str, int] = {}
        for run in self._runs():
            for number in run.with_status(RUNNING):
                running.setdefault(run.device_of[number] or "", []).append(title(run, number))
            for number in run.with_status(FAILED):
                where = run.device_of[number]
                if where is not None:
                    failures[where] = failures.get(where, 0) + 1
            for past in run.history.values():
                for attempt in past:
                    if attempt.result is not None and attempt.result.has_failed:
                        failures[attempt.device_id] = failures.get(attempt.device_id, 0) + 1
        return running, failures

    @override
    def more(self, row: DeviceRow, column: int, role: int) -> Any:
        if role == ItemRole.ID:
            return row.id
        if role == ItemRole.VALUE:
            return row
        return row.samples if role == ItemRole.SAMPLES else None


def _names(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:_NAMED])
    if len(names) <= _NAMED:
        return shown
    return words.fill(translate("Devices", "%1 and %2 more"), shown, len(names) - _NAMED)


def _percent(part: float | None) -> str:
    return "" if part is None else words.percent(part)


_Column = Column[DeviceTable, DeviceRow]


class DeviceColumn(Columns):
    """The columns of the table of devices."""

    NAME = _Column(heading=lambda: translate("Devices", "Device"), text=lambda _, row: words.straight(row.id))
    STATUS = _Column(
        heading=lambda: translate("Devices", "Status"),
        text=lambda _, row: words.device_word(
            row.status, enabled=row.enabled, taken=row.used + row.kept + row.unattended
        ),
    )
    SLOTS = _Column(
        heading=lambda: translate("Devices", "Slots"),
        text=lambda _, row: words.share(row.used + row.kept, row.slots),
        align=RIGHT,
    )
    RUNNING = _Column(heading=lambda: translate("Devices", "Running"), text=lambda _, row: _names(row.running))
    FAILURES = _Column(
        heading=lambda: translate("Devices", "Failures"),
        text=lambda _, row: str(row.failures) if row.failures else "",
        align=RIGHT,
    )
    HEARD = _Column(
        heading=lambda: translate("Devices", "Last heard"),
        text=lambda _, row: "" if row.heard is None else words.ago(row.heard),
        align=RIGHT,
    )
    CPU = _Column(
        heading=lambda: translate("Devices", "CPU"),
        text=lambda _, row: _percent(row.metrics.cpu if row.metrics is not None else None),
        align=RIGHT,
    )
    MEMORY = _Column(
        heading=lambda: translate("Devices", "Memory"),
        text=lambda _, row: _percent(row.metrics.memory if row.metrics is not None else None),
        align=RIGHT,
    )
    TOKENS = _Column(
        heading=lambda: translate("Devices", "Tokens"),
        text=lambda _, row: words.amount(row.agents.tokens) if row.agents and row.agents.tokens else "",
        align=RIGHT,
    )
