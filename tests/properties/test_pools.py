"""Which device is taken, found without looking at all of them, is the one that looking at all of them would find."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starloom.model.status import RunState
from starloom.scheduling.state.device_facts import DeviceFacts, DeviceRequirements
from starloom.scheduling.state.fleet_facts import FleetFacts
from starloom.scheduling.state.placer import Placer
from starloom.scheduling.state.run_index import FREE, Bucket

CAPABILITIES = ("arm", "gpu", "fast")
FLEETS = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(0, 3)),
        st.sampled_from([1.0, 2.0]),
        st.frozensets(st.sampled_from(CAPABILITIES)),
    ),
    min_size=2,
    max_size=7,
)
ASKED = st.lists(st.frozensets(st.sampled_from(CAPABILITIES), max_size=1), min_size=1, max_size=3, unique=True)
STEPS = st.lists(st.tuples(st.booleans(), st.integers(0, 99), st.integers(0, 99)), max_size=60)


def shares(device: DeviceFacts) -> float:
    return device.used / (device.slots or 1_000_000)


def plain_choice(placer: Placer, requires: frozenset[str], prefer: str | None) -> str | None:
    """The rules as the documentation has them, over all devices."""
    fitting = [device for device in placer.fleet.devices.values() if requires <= device.capabilities]
    free = [device for device in fitting if device.has_room()]
    if not free:
        return None
    if prefer is not None and any(device.id == prefer for device in free):
        return prefer
    if placer.fleet.placement == "round_robin" and len(fitting) > 1:
        after = [device for device in free if fitting.index(device) >= placer.turn % len(fitting)]
        return (after or free)[0].id
    if placer.fleet.placement == "capability_match":
        return min(free, key=lambda device: (len(device.capabilities - requires), shares(device))).id
    return min(free, key=lambda device: (shares(device), -device.speed)).id


@pytest.mark.parametrize("placement", ["load_balance", "round_robin", "capability_match"])
@given(fleet=FLEETS, asked=ASKED, steps=STEPS)
def test_the_device_is_the_one_that_looking_at_all_of_them_finds(
    placement: Any, fleet: list[Any], asked: list[frozenset[str]], steps: list[tuple[bool, int, int]]
) -> None:
    facts = FleetFacts()
    facts.placement = placement
    for number, (slots, speed, capabilities) in enumerate(fleet):
        device = DeviceFacts(f"d{number}", "simulated", slots, capabilities, speed, connected=True)
        facts.devices[device.id] = device
    placer = Placer(facts)
    placer.fleet_changed()
    by = {"by_turn": placement == "round_robin", "by_match": placement == "capability_match", "by_rank": False}
    index: Any = SimpleNamespace(number=0, **by, run=SimpleNamespace(state=RunState.EXECUTING))
    running: list[DeviceFacts] = []
    for ends, which, wish in steps:
        if ends and running:
            device = running.pop(which % len(running))
            device.used -= 1
            placer.freed[device.id] = None
            continue
        prefer = f"d{wish % len(fleet)}" if wish % 4 == 0 else None
        requires = asked[which % len(asked)]
        bucket = Bucket(index, which % len(asked), ((), prefer, DeviceRequirements(None, requires, None)))
        due = plain_choice(placer, requires, prefer)
        chosen = placer.place(bucket)
        assert (chosen and chosen.id) == due
        if chosen is not None:
            chosen.used += 1
            running.append(chosen)


def test_a_pool_does_not_grow_with_what_ends() -> None:
    facts = FleetFacts()
    for number in range(5):
        device = DeviceFacts(f"d{number}", "simulated", 1_000, frozenset(), 1.0, connected=True)
        facts.devices[device.id] = device
    placer = Placer(facts)
    placer.fleet_changed()
    index: Any = SimpleNamespace(number=0, by_turn=False, by_match=False, by_rank=False)
    bucket = Bucket(index, 0, FREE)
    for turn in range(5_000):
        chosen = placer.place(bucket)
        assert chosen is not None
        assert chosen.used == 0
        busy = facts.devices[f"d{turn % 5}"]  # others end, and begin again unseen
        busy.used += 1
        busy.used -= 1
        placer.freed[busy.id] = None
    (pool,) = placer.pools.values()
    assert len(pool._heap) < 200
