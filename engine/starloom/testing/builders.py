"""Plans of well-known shapes for tests and measurements, with ids that say where a task stands."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Any

from starloom.model.dependency import Dependency
from starloom.model.plan import Plan
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.devices.base import TaskContext


async def noop(_task: Task, _context: TaskContext) -> None:
    """Do nothing; the handler that the builders' tasks name: `InProcessDevice("here", handlers={"noop": noop})`."""


def independent(n: int, *, simulate: float | None = None, **fields: Any) -> Plan:
    """`n` tasks `t0` … without dependencies.

    Args:
        n: how many; 0 gives an empty plan.
        simulate: seconds each of them takes; None: each calls the handler `noop`.
        **fields: further fields of every task, e.g. `priority=80`.
    """
    return Plan(name=f"independent-{n}", tasks=_tasks(_numbered(n), simulate, fields))


def chain(n: int, *, simulate: float | None = None, **fields: Any) -> Plan:
    """`n` tasks `t0` → `t1` → …, each waiting for the one before; the arguments are those of `independent`."""
    ids = _numbered(n)
    return Plan(
        name=f"chain-{n}",
        tasks=_tasks(ids, simulate, fields),
        dependencies=tuple(Dependency(parent=a, child=b) for a, b in itertools.pairwise(ids)),
    )


def diamond(*, simulate: float | None = None, **fields: Any) -> Plan:
    """Four tasks: `a` → `b` and `c` → `d`; the arguments are those of `independent`."""
    pairs = (("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"))
    return Plan(
        name="diamond",
        tasks=_tasks("abcd", simulate, fields),
        dependencies=tuple(Dependency(parent=parent, child=child) for parent, child in pairs),
    )


def layered(
    layers: int, width: int, parents: int = 2, seed: int = 0, *, simulate: float | None = None, **fields: Any
) -> Plan:
    """`layers` rows of `width` tasks `l0-0` …; each has `parents` distinct random parents in the layer before.

    Equal arguments give equal plans. A layer narrower than `parents` gives each task all of it as parents.

    Args:
        layers: how many layers.
        width: how many tasks a layer has.
        parents: how many parents each task has, but for the first layer.
        seed: another seed draws other parents.
        simulate: seconds each task takes; None: each calls the handler `noop`.
        **fields: further fields of every task.
    """
    draw = random.Random(seed)
    rows = [[f"l{layer}-{place}" for place in range(width)] for layer in range(layers)]
    dependencies = tuple(
        Dependency(parent=parent, child=child)
        for above, row in itertools.pairwise(rows)
        for child in row
        for parent in draw.sample(above, min(parents, width))
    )
    tasks = _tasks((name for row in rows for name in row), simulate, fields)
    return Plan(name=f"layered-{layers}x{width}", tasks=tasks, dependencies=dependencies)


def _numbered(n: int) -> list[str]:
    return [f"t{number}" for number in range(n)]


def _tasks(ids: Iterable[str], simulate: float | None, fields: dict[str, Any]) -> tuple[Task, ...]:
    action: dict[str, Any] = {"call": "noop"} if simulate is None else {"simulate": simulate}
    return tuple(Task(id=name, **action, **fields) for name in ids)
