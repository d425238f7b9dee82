"""`starloom validate` and `starloom schema`: checking plans without running anything."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from starloom.cli.secret_checks import missing_secrets
from starloom.devices.group import DeviceGroup
from starloom.devices.inprocess import InProcessDevice
from starloom.devices.kinds import make_device
from starloom.errors import DeviceError, PlanError
from starloom.formats import load_plan_and_format
from starloom.formats.files import load_fleet, read_file
from starloom.formats.losses import NATIVE, assumptions
from starloom.formats.source import read_document
from starloom.model.device import DeviceSpec
from starloom.scheduling.state.device_facts import action_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from starloom.cli.screen import Screen
    from starloom.devices.base import Device
    from starloom.model.plan import Plan
    from starloom.model.task import Task

_SHOWN = 5


def validate_plans(paths: Sequence[Path], screen: Screen) -> int:
    """Validate each plan; a valid one gets a line on stdout, problems and warnings go to stderr.

    Returns:
        0 if `starloom run` would start every one of them, else 2.
    """
    code = 0
    for path in paths:
        try:
            plan, found = load_plan_and_format(path)
            for spec in plan.devices:
                make_device(spec)
        except PlanError as error:
            screen.error(str(error))
            code = 2
        except DeviceError as error:
            screen.error(_located(spec, error, path))
            code = 2
        else:
            screen.result(f"{path}: good: {_contents(plan)}")
            for sentence in assumptions(plan, found) if found in NATIVE else ():
                screen.note(f"{path}: {sentence}", "yellow")
            for sentence in (*_undoable(plan), *missing_secrets(plan)):
                screen.note(f"{path}: {sentence}", "yellow")
    return code


def check_devices(devices: Iterable[DeviceSpec], plan: Path, fleet: Path | None) -> None:
    """Check that each device of a run can be created, before the run is.

    Args:
        devices: those of the plan and of the fleet file over them.
        plan: the file of the plan.
        fleet: the fleet file; None: there is none.

    Raises:
        DeviceError: one cannot; it names the file and the line.
    """
    of_fleet = {spec.id for spec in load_fleet(fleet)[0]} if fleet is not None else set()
    for spec in devices:
        try:
            make_device(spec)
        except DeviceError as error:
            path = fleet if fleet is not None and spec.id in of_fleet else plan
            raise DeviceError(_located(spec, error, path)) from None


def _located(spec: DeviceSpec, error: DeviceError, path: Path) -> str:
    return f"{path}: {_line_of(spec, error, path)}{error}"


def _line_of(spec: DeviceSpec, error: DeviceError, path: Path) -> str:
    """The line of the file with the refused option, if the sentence names one, else of the device."""
    document = read_document(read_file(path), str(path))
    given = document.value.get("devices")
    named = {entry.get("id"): number for number, entry in enumerate(given)} if isinstance(given, list) else {}
    device = ("devices", named.get(spec.id, spec.id))
    told = str(error)
    refused = sorted((told.index(repr(name)), name) for name in spec.options if repr(name) in told)
    places = [(*device, *inside, name) for _, name in refused[:1] for inside in (("options",), ())]
    line = max((document.line(place) or 0 for place in [device, *places]), default=0)
    return f"line {line}: " if line else ""


def _undoable(plan: Plan) -> list[str]:
    """A sentence about each device that there is not, and each action of which no device is able, with the tasks.

    Of a plan without devices: this computer, on which it runs then.
    """
    devices = [make_device(spec) for spec in plan.devices or (DeviceSpec(id="local"),)]
    absent: dict[str, list[str]] = {}
    unable: dict[str, list[str]] = {}
    for task in plan.tasks:
        if task.is_bypassed:
            continue  # it needs none
        if task.pin is not None and not any(_is_called(device, task.pin) for device in devices):
            absent.setdefault(task.pin, []).append(repr(task.id))
        elif task.gate is None and not any(_may_run(device, task) for device in devices):
            unable.setdefault(task.needs_action, []).append(repr(task.id))
    where = "No device of the plan" if plan.devices else "A local device, on which it runs if no other is given, never"
    return [
        *(
            f"{_some(named)}: The plan has no device {pin!r}. They wait until one of that name joins the fleet."
            for pin, named in absent.items()
        ),
        *(
            f"{_some(named)}: {where} runs {action_words(action)}. They wait until a device that does joins the fleet."
            for action, named in unable.items()
        ),
    ]


def _some(named: Sequence[str]) -> str:
    return f"{', '.join(named[:_SHOWN])}{f' and {len(named) - _SHOWN} more' if len(named) > _SHOWN else ''}"


def _is_called(device: Device, pin: str) -> bool:
    """Whether this is the device a task is pinned to, or the pin may be one of its members."""
    return pin == device.id or (isinstance(device, DeviceGroup) and pin.startswith(f"{device.id}-"))


def _may_run(device: Device, task: Task) -> bool:
    """Whether it does such tasks; what it is able to do besides is known only once it is connected."""
    if task.pin is not None and not _is_called(device, task.pin):
        return False
    if isinstance(device, InProcessDevice) and task.needs_action == f"call:{task.call}":
        return True  # the host program registers the handlers
    return device.actions is None or task.needs_action in device.actions


def _contents(plan: Plan) -> str:
    counts = (
        (len(plan.tasks), "task", "tasks"),
        (len(plan.dependencies), "dependency", "dependencies"),
        (len(plan.devices), "device", "devices"),
    )
    return ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counts)


def print_schema(screen: Screen) -> int:
    """Print the JSON schema of a plan file; returns 0."""
    from starloom.formats.schema import plan_schema

    return screen.result(json.dumps(plan_schema(), indent=2))
