"""The content and geometry of the plots at one moment, as values. Neither Qt's widgets nor pyqtgraph here."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, isnan, log10
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF

from starloom_gui.panels.plots.curves import Plot
from starloom_gui.panels.plots.steps import CurvePoints
from starloom_gui.text.words import amount, fill, took, translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom_gui.panels.plots.curves import RunCurves, Series
    from starloom_gui.panels.plots.steps import Gap, Steps
    from starloom_gui.viewmodel.flags import Flag
    from starloom_gui.viewmodel.span import Span
    from starloom_gui.viewmodel.wall_time import WallTime

FIGURES: Final = 40
"""Width of the figures of the value axes."""
TITLE: Final = 22
"""Height of the title of a plot."""
BOX: Final = 6
"""What is free below a plot."""
LEAST: Final = 72
"""Height of a plot without its title at least."""
ROW: Final = TITLE + LEAST + BOX
_NICE: Final = (1.0, 2.0, 4.0, 6.0, 8.0, 10.0)


@dataclass(slots=True)
class PlotCurve:
    """A curve with everything needed to draw it.

    Attributes:
        series: which.
        steps: its values.
        gaps: where it has none, oldest first.
        line: its points in sight.
    """

    series: Series
    steps: Steps
    gaps: list[Gap]
    line: CurvePoints = field(default_factory=CurvePoints)

    def value(self, at: float) -> float:
        """Its value at a moment; not a number where it has none."""
        inside = any(gap.begin <= at < gap.end for gap in self.gaps)
        return float("nan") if inside else self.steps.at(at)


@dataclass(slots=True)
class PlotRow:
    """A plot with everything needed to draw it.

    Attributes:
        top: the value at the upper end of its axis.
    """

    plot: Plot
    shown: list[PlotCurve]
    top: float = 1.0


@dataclass(slots=True)
class PlotFrame:
    """All plots as they are drawn.

    Attributes:
        rows: the plots, from the top.
        span: which time; its x = 0 is the left edge of the plots.
        now: up to which moment the curves go.
        is_live: whether that is the present of a run that goes on.
        hairline: the moment at which values are told; None: none.
        wall: tells times of day.
        flags: the interventions.
    """

    rows: list[PlotRow]
    span: Span
    now: float
    is_live: bool
    hairline: float | None
    wall: WallTime
    flags: Sequence[Flag] = ()


def nice_top(most: float, least: float = 1.0) -> float:
    """The upper end of an axis on which `most` fits: 1, 2, 4, 6 or 8 times a power of ten."""
    most = max(most, least)
    power = 10.0 ** ceil(log10(most) - 1 - 1e-9)
    return next(power * one for one in _NICE if power * one >= most - 1e-9)


def rows_of(curves: RunCurves, chosen: frozenset[str], lines: dict[str, CurvePoints]) -> list[PlotRow]:
    """The plots of the curves that are chosen; a plot of which none is has no row.

    Args:
        curves: all there are.
        chosen: the keys of those to be shown.
        lines: the buffers of the lines, by key; what is missing is added.
    """
    rows: dict[Plot, PlotRow] = {}
    for series in curves.series():
        if series.key not in chosen:
            continue
        row = rows.setdefault(series.plot, PlotRow(series.plot, []))
        line = lines.setdefault(series.key, CurvePoints())
        row.shown.append(PlotCurve(series, curves.steps(series.key), curves.gaps(series.key), line))
    for row in rows.values():
        most = max(shown.steps.top for shown in row.shown)
        row.top = nice_top(most, 0.1 if row.plot is Plot.LATENCY else 2.0)
    return list(rows.values())


def row_boxes(count: int, height: float) -> list[QRectF]:
    """The room of each of so many plots below each other: as high as there is room for, and not less than `ROW`.

    Args:
        count: how many plots.
        height: of the room, in logical pixels.
    """
    each = max(float(ROW), height / max(1, count))
    return [QRectF(0, round(at * each), 0, round((at + 1) * each) - round(at * each)) for at in range(count)]


def plot_name(plot: Plot) -> tuple[str, str]:
    """The name of a plot, and its unit."""
    return {
        Plot.RUNNING: (translate("Plots", "Running against limit"), translate("Plots", "tasks")),
        Plot.STANDING: (translate("Plots", "Ready and waiting"), translate("Plots", "tasks")),
        Plot.THROUGHPUT: (translate("Plots", "Throughput"), translate("Plots", "attempts per minute, over 60 s")),
        Plot.LATENCY: (translate("Plots", "Ready to start"), translate("Plots", "seconds, of the last start")),
        Plot.DEVICES: (translate("Plots", "Use of devices"), translate("Plots", "slots")),
        Plot.FAILURES: (translate("Plots", "Failures and retries"), translate("Plots", "attempts so far")),
    }[plot]


def value_words(plot: Plot, value: float) -> str:
    """A value with its unit; empty: it is not a number."""
    if isnan(value):
        return ""
    return took(value) if plot is Plot.LATENCY else amount(round(value))


def named_value(shown: PlotCurve, at: float) -> str:
    """A curve's name with its value at a moment; empty: it has none there."""
    words = value_words(shown.series.plot, shown.value(at))
    return fill(translate("Plots", "%1 %2"), shown.series.name, words) if words else ""
