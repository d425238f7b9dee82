"""A run and its fleet as one stream tells of them."""

from __future__ import annotations

from starloom.scheduling.state.fleet_facts import FleetFacts
from starloom.scheduling.state.holdings import own_groups, own_load
from starloom.scheduling.state.run_facts import RunFacts


class RunView:
    """A run and its fleet, folded from that run's stream alone: what a late reader of a journal sees."""

    __slots__ = ("fleet", "run")

    def __init__(self, run_id: str) -> None:
        self.fleet = FleetFacts()
        self.run = RunFacts(run_id, self.fleet)

    def copy(self) -> RunView:
        """An equal one; changing one does not change the other."""
        twin = RunView.__new__(RunView)
        twin.fleet = self.fleet.copy()
        twin.run = self.run.copy(twin.fleet)
        return twin

    @classmethod
    def of(cls, run: RunFacts) -> RunView:
        """A copy of the live state, as the fold of the run's stream would have made it."""
        view = cls.__new__(cls)
        view.fleet = run.fleet.copy()
        view.run = run.copy(view.fleet)
        own = own_load(run)
        for device in view.fleet.devices.values():
            device.others, device.used = device.used - own.get(device.id, 0), own.get(device.id, 0)
        view.fleet.others = sum(device.others for device in view.fleet.devices.values())  # as others are told of slots
        view.fleet.running = run.running
        view.fleet.group_used = own_groups(run)
        return view
