"""The devices that tasks of a plan cannot do without although the plan does not name them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from starloom.devices.kinds import is_group
from starloom.formats.files import without_secrets

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from starloom.model.device import DeviceSpec
    from starloom.model.plan import Plan


@dataclass(frozen=True, slots=True)
class NeededDevices:
    """The devices that are needed, and how much they are.

    Attributes:
        ids: of the devices.
        tasks: how many tasks could be placed on no device that the plan names.
    """

    ids: tuple[str, ...] = ()
    tasks: int = 0


def needed_devices(plan: Plan, own: Collection[DeviceSpec]) -> NeededDevices:
    """The user's own devices that tasks are pinned to, or whose capabilities none that the plan names has.

    Who is pinned to a member of a group, such as a worker of a cluster, needs the group.

    Args:
        plan: what is saved.
        own: the devices that the user has added.
    """
    named = {spec.id for spec in plan.devices}
    specs = {spec.id: spec for spec in (*own, *plan.devices)}
    pins = {task.pin for task in plan.tasks if task.pin is not None}
    brought_by = {pin: _bringing(pin, specs) for pin in pins}
    found: dict[str, None] = {}
    count = 0
    for task in plan.tasks:
        wanted = brought_by[task.pin] if task.pin is not None else None
        ids = [wanted] if wanted is not None and wanted not in named else []
        if task.pin is None and task.requires and not any(task.requires <= spec.capabilities for spec in plan.devices):
            ids = [spec.id for spec in own if task.requires <= spec.capabilities]
        found.update(dict.fromkeys(ids))
        count += bool(ids)
    return NeededDevices(tuple(found), count)


def _bringing(device_id: str, specs: Mapping[str, DeviceSpec]) -> str | None:
    """The device of this id among these, or the group of which it is a member by its name; None: neither is there."""
    if device_id in specs:
        return device_id
    groups = (id for id, spec in specs.items() if device_id.startswith(f"{id}-") and is_group(spec.kind))
    return max(groups, key=len, default=None)


def with_devices(plan: Plan, own: Collection[DeviceSpec], ids: Collection[str]) -> tuple[Plan, tuple[str, ...]]:
    """The plan that names these devices, too, and a sentence for each of their options that is a secret and stays out.

    Of a plan that names none, other tasks go on meaning this computer, if that is one of the user's devices.

    Args:
        plan: what is to name them.
        own: the devices that the user has added.
        ids: of those of them that it is to name.
    """
    told: list[str] = []
    wanted = [spec for spec in own if spec.id in ids or (not plan.devices and spec.kind == "local")]
    return replace(plan, devices=(*plan.devices, *(without_secrets(spec, told) for spec in wanted))), tuple(told)
