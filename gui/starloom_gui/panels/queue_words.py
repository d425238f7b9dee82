"""What stands around the queue: its counts as a sum, and its plots as curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom.model.status import TaskStatus
from starloom_gui.panels.plot_samples import MINUTE, SPAN
from starloom_gui.panels.plots import Curve, nice_top
from starloom_gui.words import amount, fill, percent, share, status_word, translate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starloom.scheduling.fleet_facts import FleetFacts
    from starloom_gui.panels.plot_samples import Samples

_PER_SECOND: Final = 2.0
"""Ends a second from which on the axis is of seconds, not of minutes."""
_STATUSES: Final = (
    ("completed", TaskStatus.COMPLETED),
    ("failed", TaskStatus.FAILED),
    ("cancelled", TaskStatus.CANCELLED),
    ("skipped", TaskStatus.SKIPPED),
    ("running", TaskStatus.RUNNING),
    ("queued", TaskStatus.PENDING),
    ("waiting", TaskStatus.WAITING_DEPENDENCY),
)


class InQueue(QObject):
    """Sentences with counts. An object as the tool that gathers texts knows plurals from `self.tr` alone."""

    def waiting(self, count: int) -> str:
        """How many stand in line."""
        return self.tr("%n task(s) in line", "", count)

    def more(self, count: int) -> str:
        """How many are not shown."""
        return self.tr("%n more task(s) are not shown", "", count)


def sum_words(counts: Mapping[str, int]) -> str:
    """All tasks as a sum by status, without those of which there are none: `61 tasks = 21 done + 5 running`."""
    parts = [
        fill(translate("Queue", "%1 %2"), amount(counts[name]), status_word(status).lower())
        for name, status in _STATUSES
        if counts.get(name)
    ]
    if counts.get("removed"):
        parts.append(fill(translate("Queue", "%1 removed"), amount(counts["removed"])))
    submitted = fill(translate("Queue", "%1 submitted"), amount(counts.get("submitted", 0)))
    return fill(translate("Queue", "%1 = %2"), submitted, " + ".join(parts)) if parts else submitted


def summed(each: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The counts of several runs as those of one."""
    total: dict[str, int] = {}
    for counts in each:
        for name, count in counts.items():
            total[name] = total.get(name, 0) + count
    return total


def throughput_curve(samples: Samples) -> Curve:
    """How many attempts ended in the minute before each moment; where they are many, how many a second."""
    rates = samples.ended_per_second()
    if max(rates) >= _PER_SECOND:
        figure = fill(translate("Plots", "%1 per s"), f"{sum(rates[-MINUTE:]) / MINUTE:.3g}")
        title = translate("Plots", "Ended per second")
        return Curve(title=title, figure=figure, values=rates, top=nice_top(max(rates), 2), seconds=SPAN)
    counts = samples.ended_per_minute()
    figure = fill(translate("Plots", "%1 per min"), amount(counts[-1]))
    title = translate("Plots", "Ended per minute")
    return Curve(
        title=title, figure=figure, values=tuple(map(float, counts)), top=nice_top(max(counts), 2), seconds=SPAN
    )


def utilisation_curve(samples: Samples, fleet: FleetFacts) -> Curve:
    """How many slots were in use, on an axis that ends where all of today's are."""
    used = fleet.running + fleet.others
    slots = [device.slots for device in fleet.devices.values() if device.accepts or device.used + device.others]
    total = None if None in slots else sum(count for count in slots if count is not None)
    figure = share(used, total)
    if total:
        figure = fill(translate("Plots", "%1 · %2"), figure, percent(used / total))
    top = nice_top(max(*samples.used, total or 0), 2)
    title = translate("Plots", "Slots in use")
    return Curve(title=title, figure=figure, values=samples.used, top=top, seconds=SPAN, bound=total or None)
