"""Adding a device to the fleet again, steered as an operator had steered it before it left."""

from __future__ import annotations

import asyncio
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from starloom.devices.kinds import is_group, make_device
from starloom.scheduling import commands as c

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.model.device import DeviceSpec
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom_gui.gateway.engine import Engine


def belongs(device_id: str, spec: DeviceSpec) -> bool:
    """Whether a device was made from a spec, or is a member of the group that was: its id begins with the group's."""
    return device_id == spec.id or (is_group(spec.kind) and device_id.startswith(f"{spec.id}-"))


def with_slots_of(spec: DeviceSpec, device: DeviceFacts | None) -> DeviceSpec:
    """A spec with as many slots as an operator has given the device.

    Args:
        spec: what it was made from.
        device: as it is, or was; None: nobody knows.
    """
    if device is None or device.offered is None:
        return spec
    return replace(spec, slots=device.offered) if 0 < device.offered != device.declared else spec


def with_changes_of(spec: DeviceSpec, before: DeviceSpec, after: DeviceSpec) -> DeviceSpec:
    """A spec with what somebody has changed who saw an earlier one; what others have changed since stays.

    Args:
        spec: as it is by now.
        before: as it was seen.
        after: as it was wanted then.
    """
    fields = {one.name: (getattr(before, one.name), getattr(after, one.name)) for one in dataclass_fields(after)}
    changed = {name: wanted for name, (seen, wanted) in fields.items() if seen != wanted and name != "options"}
    options = dict(spec.options)
    for name in before.options.keys() | after.options.keys():
        if before.options.get(name) != after.options.get(name):
            options.pop(name, None)
            options |= {name: after.options[name]} if name in after.options else {}
    return replace(spec, **changed, options=options)


def steering_of(device: DeviceFacts | None) -> list[c.Command]:
    """The commands that drain or disable it again as soon as it has joined."""
    if device is None:
        return []
    given: list[c.Command] = []
    if device.draining:
        given.append(c.DrainDevice(device_id=device.id))
    if not device.enabled:
        given.append(c.DisableDevice(device_id=device.id))
    if device.offered == 0:  # which no spec says
        given.append(c.SetSlots(device_id=device.id, slots=0))
    return given


async def join_steered(engine: Engine, spec: DeviceSpec, steering: Sequence[c.Command]) -> None:
    """Add a device to the fleet, and steer it before it is connected.

    Args:
        engine: whose fleet it joins.
        spec: what it is made from.
        steering: commands about it.

    Raises:
        StarloomError: it cannot be done.
    """
    adding = asyncio.ensure_future(engine.devices.add_all([make_device(spec)], origin=c.OPERATOR))
    pause = 0.01 if engine.where else 0.0  # here it is the next turn, before which no task starts there
    try:
        if steering:
            while spec.id not in engine.fleet_facts.devices and not adding.done():  # noqa: ASYNC110 - no event tells
                await asyncio.sleep(pause)
            for command in steering if spec.id in engine.fleet_facts.devices else ():
                await engine.command(structs.replace(command, origin=c.OPERATOR))
    finally:
        await adding
