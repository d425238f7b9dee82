"""Draws the picture in the README: the bundled demo in virtual time, a lane a slot. `make picture` runs it.

It reads nothing but the events of the run, as every view does.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starloom import events as ev
from starloom.foresight.virtual import VirtualRun
from starloom_resources.demo import demo_plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LANE: Final = 20
BAR: Final = 14
LEFT: Final = 124
WIDTH: Final = 1100
TOP: Final = 34
FONT: Final = "font-family='DejaVu Sans, Verdana, sans-serif'"
INK: Final = {"done": "#006B55", "failed": "#FFFFFF", "muted": "#59636E", "text": "#1F2328"}


@dataclass(slots=True)
class Bar:
    """One attempt: where, when, and how it ended."""

    task_id: str
    device: str
    slot: int
    start: float
    end: float = 0.0
    status: str = "running"
    attempt: int = 1


def bars_of(events: Iterable[ev.Event]) -> list[Bar]:
    """The attempts of a run, in the order of their starts."""
    bars: list[Bar] = []
    running: dict[str, Bar] = {}
    ends = {ev.TaskCompleted: "done", ev.TaskFailed: "failed", ev.TaskRetryScheduled: "failed"}
    for event in events:
        if isinstance(event, ev.TaskStarted):
            bar = Bar(event.task_id, event.device_id, event.slot, event.at, attempt=event.attempt)
            running[event.task_id] = bar
            bars.append(bar)
        elif type(event) in ends:
            bar = running.pop(event.task_id)  # type: ignore[attr-defined]  # all three have one
            bar.end, bar.status = event.at, ends[type(event)]
    return bars


def draw(bars: Sequence[Bar], title: str) -> str:
    """The bars as an SVG, a lane for each slot that was used."""
    lanes = sorted({(bar.device, bar.slot) for bar in bars})
    start, end = min(bar.start for bar in bars), max(bar.end for bar in bars)
    scale = (WIDTH - LEFT - 16) / (end - start)
    height = TOP + LANE * len(lanes) + 30
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{height}' {FONT} font-size='11'>",
        f"<rect width='{WIDTH}' height='{height}' rx='6' fill='#FFFFFF' stroke='#D5D9DF'/>",
        f"<text x='12' y='22' font-size='13' font-weight='600' fill='{INK['text']}'>{escape(title)}</text>",
    ]
    for row, (device, slot) in enumerate(lanes):
        y = TOP + row * LANE
        name = device if not row or lanes[row - 1][0] != device else ""
        parts.append(f"<line x1='0' x2='{WIDTH}' y1='{y}' y2='{y}' stroke='#ECEEF1'/>")
        parts.append(f"<text x='12' y='{y + 14}' fill='{INK['text']}'>{escape(name)}</text>")
        parts.append(f"<text x='{LEFT - 14}' y='{y + 14}' text-anchor='end' fill='{INK['muted']}'>{slot + 1}</text>")
    parts += [_bar(bar, TOP + lanes.index((bar.device, bar.slot)) * LANE, start, scale) for bar in bars]
    parts += _axis(start, end, scale, TOP + LANE * len(lanes))
    return "\n".join([*parts, "</svg>"]) + "\n"


def retried(bars: Iterable[Bar]) -> int:
    """How many tasks were tried again."""
    return len({bar.task_id for bar in bars if bar.attempt > 1})


def _bar(bar: Bar, y: int, start: float, scale: float) -> str:
    x, width = LEFT + (bar.start - start) * scale, max(2.0, (bar.end - bar.start) * scale - 1)
    failed = bar.status == "failed"
    fill, edge, ink = ("#C4180F", "#C4180F", INK["failed"]) if failed else ("#D6E9E5", "#3D9885", INK["done"])
    rect = f"<rect x='{x:.1f}' y='{y + 3}' width='{width:.1f}' height='{BAR}' rx='2' fill='{fill}' stroke='{edge}'/>"
    label = bar.task_id + (f" ({bar.attempt})" if bar.attempt > 1 else "")
    fits = width > 6.6 * len(label) + 6
    return rect + (f"<text x='{x + 4:.1f}' y='{y + 14}' fill='{ink}'>{escape(label)}</text>" if fits else "")


def _axis(start: float, end: float, scale: float, y: int) -> list[str]:
    marks = [f"<line x1='{LEFT}' x2='{WIDTH - 16}' y1='{y}' y2='{y}' stroke='#D5D9DF'/>"]
    for second in range(0, int(end - start) + 1, 5):
        x = LEFT + second * scale
        marks.append(f"<line x1='{x:.1f}' x2='{x:.1f}' y1='{y}' y2='{y + 4}' stroke='#848D97'/>")
        marks.append(f"<text x='{x:.1f}' y='{y + 17}' text-anchor='middle' fill='{INK['muted']}'>{second} s</text>")
    return marks


def main() -> None:
    """Run the demo in virtual time and write its picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    target: Path = parser.parse_args().output
    plan = demo_plan(speed=1)
    events: list[ev.Event] = []
    virtual = VirtualRun(plan, plan.devices, on_events=events.extend)
    while virtual.step():
        pass
    bars = bars_of(event for event in events if event.run_id)
    counts = virtual.run.counts()
    ends = f"{counts['completed']} tasks done, {counts['skipped']} skipped, {retried(bars)} tried twice"
    title = f"The demo in virtual time: {ends}"
    target.write_text(draw(bars, title), encoding="utf-8")


if __name__ == "__main__":
    main()
