"""Curves as a table for other programs. No Qt's widgets here."""

from __future__ import annotations

import io
from csv import writer
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from starloom_gui.panels.plots.steps import Gap


class Curve(NamedTuple):
    """A snapshot of one curve, for a table that is written in a thread.

    Attributes:
        name: of the curve.
        times, values: when it changed, in order, and the value from then on.
        gaps: where it has no value.
    """

    name: str
    times: NDArray[np.float64]
    values: NDArray[np.float64]
    gaps: tuple[Gap, ...]


def table_of(columns: Sequence[Curve], first: float, last: float, begin: float, ahead: float) -> str:
    """A row for each moment at which one of the curves changed, and one for either end.

    Args:
        columns: the curves.
        first: the moment of the first row, in seconds on the engine's clock.
        last: that of the last row.
        begin: the moment from which seconds are counted.
        ahead: by how many seconds the time of day, since 1970, is ahead of the engine's clock.

    Returns:
        CSV: seconds, the time of day in UTC, and a field for each curve, which is empty where it has no value.
    """
    changes = [column.times[(column.times >= first) & (column.times <= last)] for column in columns]
    moments = np.unique(np.concatenate([np.array([first, last]), *changes]))
    fields = [_values(column, moments) for column in columns]
    out = io.StringIO()
    rows = writer(out)
    rows.writerow(["seconds", "time", *(column.name for column in columns)])
    for at, *values in zip(moments.tolist(), *fields, strict=True):
        day = datetime.fromtimestamp(at + ahead, UTC).isoformat(timespec="milliseconds")
        rows.writerow([f"{at - begin:.6f}", day, *("" if value != value else f"{value:g}" for value in values)])
    return out.getvalue()


def _values(column: Curve, moments: NDArray[np.float64]) -> list[float]:
    places = np.searchsorted(column.times, moments, "right") - 1
    values = np.where(places >= 0, column.values[np.maximum(places, 0)] if len(column.values) else np.nan, np.nan)
    for gap in column.gaps:
        values[(moments >= gap.begin) & (moments < gap.end)] = np.nan
    return list(values.tolist())
