"""Reads the demo's plan from the file that the command line and the console can also open, and that of the agents."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from starloom.errors import SettingsError
from starloom.formats import parse_plan
from starloom_resources.example_plans import example_plan

if TYPE_CHECKING:
    from starloom.model.plan import Plan
    from starloom.model.task import Task

DEMO: Final = "demo.yaml"
AGENTS: Final = "demo_agents.yaml"
SPEED: Final = "STARLOOM_DEMO_SPEED"
"""The environment variable that says how many times as fast the demo is to go."""
_SLOWEST, _FASTEST = 0.1, 100.0


def demo_plan(speed: float | None = None) -> Plan:
    """Read the plan of the demo; its devices are this computer and simulated ones, and it writes no files.

    Args:
        speed: 1: it takes about a minute; more: all pauses and all simulated work are so many times as short, and
            nothing else is different. None: what the environment says, else 1.

    Raises:
        SettingsError: what the environment says is no speed.
    """
    plan = example_plan(DEMO)
    speed = _speed_asked() if speed is None else speed
    return plan if speed == 1 else replace(plan, tasks=tuple(_at(speed, task) for task in plan.tasks))


def agents_plan() -> Plan:
    """Read the plan of the demo of agents: scripted ones, each a program of ours, started by its path."""
    from starloom.devices.acp.scripted_agent import command_line  # whatever else has this demo begins without agents

    text = files("starloom_resources").joinpath(AGENTS).read_text(encoding="utf-8")
    plan = parse_plan(text, source=AGENTS)
    devices = [(device, list(command_line(device.id))) for device in plan.devices]
    return replace(plan, devices=tuple(replace(one, options={**one.options, "command": it}) for one, it in devices))


def _speed_asked() -> float:
    text = os.environ.get(SPEED, "1")
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not _SLOWEST <= speed <= _FASTEST:
        raise SettingsError(
            f"{SPEED} cannot be {text!r}; give a number from {_SLOWEST:g} to {_FASTEST:g}, 1 for a demo of a minute."
        )
    return speed


def _at(speed: float, task: Task) -> Task:
    inputs = dict(task.inputs)
    if "seconds" in inputs:
        inputs["seconds"] = inputs["seconds"] / speed
    simulate = task.simulate and replace(task.simulate, duration=task.simulate.duration / speed)
    estimate = None if task.estimate is None else task.estimate / speed
    retry = replace(task.retry, delay=task.retry.delay / speed)
    return replace(task, inputs=inputs, simulate=simulate, estimate=estimate, retry=retry)
