"""Reading the fleet as the document in front shows it: now, or at a past moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.gateway.changes import FLEET, Changes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.devices.base import Metrics
    from starloom.errors import DeviceRefused
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.device_load import DeviceLoad
    from starloom_gui.time_travel.time_travel_reader import TimeTravelReader


class FleetReader:
    """Reads the engine's fleet, or that of the past moment in front, of which the load of devices is unknown.

    Args:
        bridge: the engine's side.
        load: how loaded devices are.
        unended: gives how many tasks may still run on a device that count as ended.
    """

    def __init__(self, bridge: Bridge, load: DeviceLoad, unended: Callable[[str], int] = lambda _: 0) -> None:
        self._bridge, self._load, self._unended = bridge, load, unended
        self._reader: TimeTravelReader | None = None
        self._tell: Callable[[Changes], None] = _nobody

    def tell(self, take: Callable[[Changes], None]) -> None:
        """Register a callback for whenever another moment is shown."""
        self._tell = take

    def turn(self, reader: TimeTravelReader | None) -> None:
        """Read the fleet of another document, which is in front now."""
        for old in (self._reader,) if self._reader is not None else ():
            old.moved.disconnect(self._moved)
            old.passed.disconnect(self._moved)
        self._reader = reader
        if reader is not None:
            reader.moved.connect(self._moved)
            reader.passed.connect(self._moved)
        self._moved()

    def _moved(self, *_: object) -> None:
        self._tell(Changes(run_id=FLEET, everything=True))

    @property
    def past(self) -> TimeTravelReader | None:
        """The past that is in front; None: the present is."""
        return self._reader if self._reader is not None and self._reader.is_past else None

    # ---- reading

    def fleet(self) -> FleetFacts:
        """The facts of the fleet."""
        return self.past.fleet() if self.past is not None else self._bridge.fleet

    def runs(self) -> Sequence[RunFacts]:
        """The facts of all runs."""
        return self.past.runs() if self.past is not None else self._bridge.all_runs()

    def now(self) -> float:
        """Seconds on the clock that these facts are of."""
        return self.past.now() if self.past is not None else self._bridge.now()

    def heard(self, device_id: str) -> float | None:
        """When a device last gave a sign of life; None: unknown."""
        return None if self.past is not None else self._bridge.heard(device_id)

    def is_late(self, device_id: str) -> bool:
        """Whether a device has missed a sign of life, though it is not given up yet."""
        return self.past is None and self._bridge.is_late(device_id)

    def refusal(self, device_id: str) -> DeviceRefused | None:
        """The error with which a device refuses us; None: it does not, or is elsewhere."""
        return None if self.past is not None else self._bridge.refusal(device_id)

    def about(self, device_id: str) -> str:
        """What a device has told of its machine; empty: nothing."""
        return "" if self.past is not None else self._bridge.about(device_id)

    def load(self, device_id: str) -> tuple[Metrics | None, tuple[float, ...]]:
        """The load of a device, now and lately."""
        return (None, ()) if self.past is not None else self._load.of(device_id)

    def unended(self, device_id: str) -> int:
        """The number of tasks that may still run on a device though they count as ended."""
        return 0 if self.past is not None else self._unended(device_id)

    def memory(self, device_id: str) -> Sequence[float]:
        """The use of a device's memory lately, 0 to 1."""
        return () if self.past is not None else self._load.memory(device_id)


def _nobody(_changes: Changes) -> None:
    """Nobody wants to know yet."""
