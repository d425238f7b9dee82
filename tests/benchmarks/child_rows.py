"""What can only be measured in a process of its own: the memory a large run takes, and what an idle engine costs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.benchmarks.measuring import Budget, Row, quantile, row
from tests.benchmarks.workloads import LIMIT, Sizes

if TYPE_CHECKING:
    from collections.abc import Iterator

MEGA: Final = 1e6
SIDES: Final = ("engine", "floor")
PATIENCE: Final = 120.0
"""Seconds a child may take beyond what it was told to."""
MEMORY_BUDGET: Final = Budget(120, absolute=True)
IDLE_BUDGET: Final = Budget(0.1, absolute=True)
WAKE_BUDGET: Final = Budget(0, absolute=True)


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    """A child that measures; `figures` waits for it."""
    path = Path(__file__).with_name(script)
    return subprocess.Popen(
        [sys.executable, str(path), *map(str, arguments)], stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )


def figures(child: subprocess.Popen[str], patience: float = PATIENCE) -> dict[str, Any]:
    """What the child has measured.

    Raises:
        RuntimeError: it failed; its own traceback is on stderr.
    """
    try:
        out, _ = child.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        raise
    if child.returncode != 0:
        raise RuntimeError(f"The measuring process {child.args!r} failed with exit code {child.returncode}.")
    measured: dict[str, Any] = json.loads(out)
    return measured


def memory(sizes: Sizes) -> Iterator[Row]:
    """Peak memory above the imported interpreter of a large layered run, with and without the plan's own."""
    shape = (sizes.layers * sizes.growth, sizes.width)
    taken: dict[str, list[dict[str, float]]] = {side: [] for side in SIDES}
    for _ in range(sizes.rounds):
        children = {side: start("memory_child.py", side, *shape) for side in SIDES}
        for side, child in children.items():
            taken[side].append(figures(child))
    title = f"{shape[0] * shape[1]:,} tasks with 2 parents, limit {LIMIT}"
    yield row(
        "memory",
        f"peak RSS above the imports, {title}",
        "MB",
        *([(one["peak"] - one["imported"]) / MEGA for one in taken[side]] for side in SIDES),
        peer="raw asyncio on plain lists",
        budget=MEMORY_BUDGET,
        note="the making of the plan counts: it is pydantic's objects, and the run keeps them",
    )
    yield row(
        "memory",
        f"peak RSS above the built plan, {title}",
        "MB",
        *([(one["peak"] - one["built"]) / MEGA for one in taken[side]] for side in SIDES),
        peer="raw asyncio on plain lists",
    )
    yield row("memory", "the plan alone", "MB", [(one["built"] - one["imported"]) / MEGA for one in taken["engine"]])


def idle(sizes: Sizes) -> Iterator[Row]:
    """CPU share and wake-ups of an open engine that has nothing to do, beside a bare event loop."""
    # An idle process disturbs nobody, so all rounds of both sides pass at once.
    children = [(side, start("idle_child.py", side, sizes.idle)) for _ in range(sizes.rounds) for side in SIDES]
    taken: dict[str, list[dict[str, float]]] = {side: [] for side in SIDES}
    for side, child in children:
        taken[side].append(figures(child, sizes.idle + PATIENCE))
    ours, floor = taken["engine"], taken["floor"]
    peer = "a bare event loop that sleeps as long"
    title = f"idle for {sizes.idle:g} s"
    note = "an in-process and a local device, both of which have run tasks before"
    yield row(
        "idle",
        f"{title}: CPU",
        "%",
        [one["cpu"] / one["seconds"] * 100 for one in ours],
        [one["cpu"] / one["seconds"] * 100 for one in floor],
        peer=peer,
        budget=IDLE_BUDGET,
        note=note,
    )
    for what, text in (("switches", "voluntary context switches"), ("iterations", "loop iterations")):
        yield row(
            "idle",
            f"{title}: {text} beyond the bare loop's",
            "",
            [a[what] - b[what] for a, b in zip(ours, floor, strict=True)],
            budget=WAKE_BUDGET,
            note=f"in all {quantile([one[what] for one in ours], 0.5):g}, the sleep's own included; {note}",
        )
