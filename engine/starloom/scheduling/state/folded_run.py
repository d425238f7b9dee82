"""A run and its fleet, folded from one stream."""

from __future__ import annotations

from starloom.scheduling.state.fleet_facts import FleetFacts
from starloom.scheduling.state.holdings import own_groups, own_load
from starloom.scheduling.state.run_facts import RunFacts


class FoldedRun:
    """A run and its fleet, folded from that run's stream alone, as a reader of a journal sees them."""

    __slots__ = ("fleet", "run")

    def __init__(self, run_id: str) -> None:
        self.fleet = FleetFacts()
        self.run = RunFacts(run_id, self.fleet)

    def copy(self) -> FoldedRun:
        """An equal, independent one."""
        twin = FoldedRun.__new__(FoldedRun)
        twin.fleet = self.fleet.copy()
        twin.run = self.run.copy(twin.fleet)
        return twin

    @classmethod
    def of(cls, run: RunFacts) -> FoldedRun:
        """A copy of the live state, as the fold of the run's stream would have made it."""
        folded = cls.__new__(cls)
        folded.fleet = run.fleet.copy()
        folded.run = run.copy(folded.fleet)
        own = own_load(run)
        for device in folded.fleet.devices.values():
            device.others, device.used = device.used - own.get(device.id, 0), own.get(device.id, 0)
        folded.fleet.others = sum(
            device.others for device in folded.fleet.devices.values()
        )  # as others are told of slots
        folded.fleet.running = run.running
        folded.fleet.group_used = own_groups(run)
        return folded
