"""Everything that a plan would run, for review before its first start, and a digest of exactly that."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starloom.model.task import ACTIONS
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.model.device import DeviceSpec
    from starloom.model.plan import Plan
    from starloom.model.task import Task


_EXECUTED: Final = tuple(action for action in ACTIONS if action not in {"simulate", "gate"})
_GIVEN: Final = ("env", "inputs", "cwd", "permissions")
"""What of a task is told besides what it runs."""


@dataclass(frozen=True, slots=True)
class PlannedAction:
    """One command, prompt or function, run by one task or by several alike, or brought by a rule of the plan.

    Attributes:
        action: which of the actions of a task.
        text: what is run, unshortened.
        details: what else it is given: variables, folder, inputs, each as `name=value`.
        where: the device it has to run on, or the capabilities it needs; empty: any device.
        titles: the tasks that run it, and the rules that bring it.
    """

    action: str
    text: str
    details: tuple[str, ...]
    where: str
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WouldRun:
    """All commands, prompts and functions that a plan would run.

    Attributes:
        steps: in the order of the plan.
        simulated: how many tasks run nothing, but only take time.
        devices: that the plan brings.
    """

    steps: tuple[PlannedAction, ...] = ()
    simulated: int = 0
    devices: tuple[DeviceSpec, ...] = ()

    @property
    def is_harmless(self) -> bool:
        """Whether nothing is executed and all devices are simulated."""
        return not self.steps and all(device.kind == "simulated" for device in self.devices)


def would_run(plan: Plan) -> WouldRun:
    """All that a plan would run, with what its rules may bring while it runs; runs nothing."""
    found: dict[tuple[str, str, tuple[str, ...], str], list[str]] = {}
    simulated = 0
    for task in plan.tasks:
        if task.action == "simulate":
            simulated += 1
        elif task.action != "gate":  # it only asks
            found.setdefault((task.action, task.action_text, _details(task), _where(task)), []).append(task.title)
    for at, rule in enumerate(plan.rules, 1):
        for said in _brought(rule.get("do") if isinstance(rule, Mapping) else None):
            title = fill(translate("FirstLook", "rule “%1”"), rule.get("name") or at)
            found.setdefault(said, []).append(title)
    steps = tuple(PlannedAction(*said, tuple(titles)) for said, titles in found.items())
    return WouldRun(steps, simulated, tuple(plan.devices))


def _brought(edits: Any) -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    """What the edits of a rule would have run: its action, text, details and place, wherever in them it stands."""
    if isinstance(edits, Mapping):
        for action in _EXECUTED:
            if edits.get(action) is not None:
                given = tuple(f"{name}={_told(edits[name])}" for name in _GIVEN if edits.get(name))
                yield action, _told(edits[action]), given, _told(edits.get("device") or edits.get("requires") or "")
        edits = list(edits.values())
    if isinstance(edits, Sequence) and not isinstance(edits, str):
        for each in edits:
            yield from _brought(each)


def _told(value: Any) -> str:
    """A value of a rule as a text on one line."""
    if isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(one, str) for one in value):
        return shlex.join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def work_of(task: Task) -> tuple[str, str, tuple[str, ...]]:
    """The work of a task, wherever it runs: its action, the text of it, and its inputs."""
    return task.action, task.action_text, _details(task)


def _details(task: Task) -> tuple[str, ...]:
    inputs = {name: json.dumps(value, ensure_ascii=False, default=str) for name, value in task.inputs.items()}
    given = {**task.env, **inputs, **({"cwd": task.cwd} if task.cwd else {})}
    if task.permissions is not None:
        given["permissions"] = task.permissions.value
    return tuple(f"{name}={value}" for name, value in given.items())


def _where(task: Task) -> str:
    return task.pin or " + ".join(sorted(task.requires))


def device_options(device: DeviceSpec) -> dict[str, Any]:
    """The options that a plan gives a device besides its id and kind."""
    said: dict[str, Any] = {"slots": device.slots} if device.slots is not None else {}
    if device.capabilities:
        said["capabilities"] = ", ".join(sorted(device.capabilities))
    return said | dict(device.options)


def digest_of(plan: Plan) -> str:
    """A digest that is equal for plans that would run the same on the same devices; empty: nothing is executed."""
    all_of_it = would_run(plan)
    if all_of_it.is_harmless:
        return ""
    steps = [(step.action, step.text, step.details, step.where) for step in all_of_it.steps]
    devices = [(device.id, device.kind, _plain(device_options(device))) for device in all_of_it.devices]
    told = json.dumps([steps, devices], ensure_ascii=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()


def _plain(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    return sorted((name, json.dumps(value, default=str, sort_keys=True)) for name, value in options.items())
