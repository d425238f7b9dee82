"""Reports of a large run, from its events to the whole document."""

from __future__ import annotations

import gc
import time
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

from tests.benchmarks.measuring import Budget, Row, row

from starloom.foresight.virtual import SimulatedSpec, VirtualRun
from starloom.reporting.blocks import arranged
from starloom.reporting.export import GRAPH, PDF, drawer, drawn
from starloom.reporting.folding import build
from starloom.reporting.html import page
from starloom.testing import layered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.benchmarks.workloads import Sizes

    from starloom.events import Event

SECONDS: Final = Budget(10, absolute=True)
MEGABYTES: Final = Budget(15, absolute=True)
RUN: Final = "simulated"
_MEGA: Final = 1e6


def reports(sizes: Sizes) -> Iterator[Row]:
    """All rows about reports."""
    events, tasks = told(sizes), f"{sizes.layers * sizes.width:,} tasks"
    html = [_made(lambda: _html(events)) for _ in range(sizes.rounds)]
    note = f"{len(events):,} events, folded, laid out and drawn"
    yield row("reports", f"HTML, {tasks}", "s", [seconds for seconds, _ in html], budget=SECONDS, note=note)
    yield row("reports", f"size of the HTML, {tasks}", "MB", [size for _, size in html], budget=MEGABYTES)
    for kind in (PDF, GRAPH):
        if drawer(kind) is None:  # nobody is installed who draws it
            continue
        made = [_made(lambda kind=kind: drawn(kind, build(RUN, events), UTC)) for _ in range(sizes.rounds)]  # type: ignore[misc]
        note = f"{len(events):,} events, folded, laid out and drawn"
        yield row("reports", f"{kind}, {tasks}", "s", [seconds for seconds, _ in made], note=note)
        yield row("reports", f"size of the {kind}, {tasks}", "MB", [size for _, size in made])


def told(sizes: Sizes) -> Sequence[Event]:
    """The stream of a run on eighty slots, some of whose tasks fail."""
    events: list[Any] = []
    plan = layered(sizes.layers, sizes.width, simulate=3.0, severity="warning")
    devices = [SimulatedSpec("a", slots=16, failure_rate=0.01), SimulatedSpec("b", slots=64)]
    virtual = VirtualRun(plan, devices, on_events=events.extend)
    while virtual.step():
        pass
    return [event for event in events if event.run_id == RUN]


def _html(events: Sequence[Event]) -> bytes:
    report = build(RUN, events)
    return page(report, arranged(report), UTC).encode()


def _made(make: Callable[[], bytes]) -> tuple[float, float]:
    """How many seconds it takes to make a document, and how many megabytes that has."""
    gc.collect()
    begun = time.perf_counter()
    data = make()
    return time.perf_counter() - begun, len(data) / _MEGA
