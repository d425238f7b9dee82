"""A removed device that is added again: steered as it was, of which its spec says nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starloom.scheduling import commands as c

if TYPE_CHECKING:
    from starloom.model.device import DeviceSpec
    from starloom.scheduling.state.device_facts import DeviceFacts


def spec_to_join(spec: DeviceSpec, device: DeviceFacts | None) -> DeviceSpec:
    """The spec with which it joins, as many slots as it had among it.

    Args:
        spec: what it was made from.
        device: as it was; None: nobody knows.
    """
    if device is None or device.offered is None:
        return spec
    return replace(spec, slots=device.offered) if 0 < device.offered != device.declared else spec


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
