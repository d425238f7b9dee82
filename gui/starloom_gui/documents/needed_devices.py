"""The devices that tasks of a plan cannot do without although the plan does not name them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from starloom.formats.files import without_secrets

if TYPE_CHECKING:
    from collections.abc import Collection

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

    Args:
        plan: what is saved.
        own: the devices that the user has added.
    """
    named, known = {spec.id for spec in plan.devices}, {spec.id for spec in own}
    found: dict[str, None] = {}
    count = 0
    for task in plan.tasks:
        ids = [task.pin] if task.pin in known - named else []
        if task.pin is None and task.requires and not any(task.requires <= spec.capabilities for spec in plan.devices):
            ids = [spec.id for spec in own if task.requires <= spec.capabilities]
        found.update(dict.fromkeys(ids))
        count += bool(ids)
    return NeededDevices(tuple(found), count)


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
