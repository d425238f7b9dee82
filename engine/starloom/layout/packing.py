"""Packing of a graph's components side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from starloom.layout.values import FloatArray, IntArray


def components(size: int, edges: IntArray) -> IntArray:
    """The component of each row, from 0, by first row."""
    label = np.arange(size)
    while True:
        low = np.minimum(label[edges[:, 0]], label[edges[:, 1]])
        new = label.copy()
        np.minimum.at(new, label[edges[:, 0]], low)  # hook the roots, so that whole trees move at once
        np.minimum.at(new, label[edges[:, 1]], low)
        while not np.array_equal(new, shorter := new[new]):
            new = shorter
        if np.array_equal(new, label):
            break
        label = new
    _, part = np.unique(label, return_inverse=True)
    return part.astype(np.int64)


def shelves(
    columns: IntArray, heights: FloatArray, count: IntArray, pitch: float, gap: float, proportion: float
) -> tuple[IntArray, FloatArray]:
    """The offset of each component: its first rank, and its upper edge.

    Components stand in rows that are filled one after the other, the largest first, so that all together get the wanted
    proportions. A small one never stands behind a much larger one, where it would look like its end.

    Args:
        columns: (C,) how many ranks each has.
        heights: (C,) how much each takes across.
        count: (C,) how many nodes each has.
        pitch: pixels from one rank to the next.
        gap: pixels between rows.
        proportion: length along the ranks over height that is wanted.
    """
    area = float(((heights + gap) * columns).sum()) * pitch
    most = max(int(columns.max(initial=1)), round((area * proportion) ** 0.5 / pitch))
    first, top = np.zeros(len(columns), dtype=np.int64), np.zeros(len(columns))
    at, upper, lower, height = 0, 0.0, 0.0, 0.0
    widths, tall = columns.tolist(), heights.tolist()
    for part in np.argsort(-count, kind="stable").tolist():
        if at and (at + widths[part] > most or tall[part] < height / 2):
            at, upper = 0, lower + gap
        height = height if at else tall[part]
        first[part], top[part] = at, upper
        at += widths[part] + (widths[part] > 1)  # an empty rank between, or the next would look like what follows
        lower = max(lower, upper + tall[part])
    return first, top
