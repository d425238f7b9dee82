"""`starloom validate` and `starloom schema`: looking at plans without running anything."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from starloom.devices.kinds import make_device
from starloom.errors import DeviceError, PlanError
from starloom.formats import load_plan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from starloom.cli.screen import Screen
    from starloom.model.plan import Plan


def validate_plans(paths: Sequence[Path], screen: Screen) -> int:
    """Check each plan; a good one gets a line on stdout, what is wrong stands on stderr.

    Returns:
        0 if `starloom run` would start every one of them, else 2.
    """
    code = 0
    for path in paths:
        try:
            plan = load_plan(path)
            for spec in plan.devices:
                make_device(spec)
        except PlanError as error:
            screen.error(str(error))
            code = 2
        except DeviceError as error:
            screen.error(f"{path}: {error}")
            code = 2
        else:
            screen.result(f"{path}: good: {_contents(plan)}")
    return code


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
