"""Aligning nodes and distributing them at equal distances. Pure: it knows only boxes."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from starloom.layout.values import FloatArray


class Align(StrEnum):
    """The ways to align nodes; the values are the keys of the window's verbs."""

    LEFT = "align_left"
    CENTRE = "align_centre"
    RIGHT = "align_right"
    TOP = "align_top"
    MIDDLE = "align_middle"
    BOTTOM = "align_bottom"
    ACROSS = "distribute_across"
    DOWN = "distribute_down"


_SIDE: Final = {
    Align.LEFT: (0, -0.5),
    Align.CENTRE: (0, 0.0),
    Align.RIGHT: (0, 0.5),
    Align.TOP: (1, -0.5),
    Align.MIDDLE: (1, 0.0),
    Align.BOTTOM: (1, 0.5),
}
"""The axis, and which part of a box's size lies between its middle and what is lined up."""


def least(how: Align) -> int:
    """The least number of nodes it needs."""
    return 2 if how in _SIDE else 3


def offsets(middles: FloatArray, sizes: FloatArray, how: Align) -> FloatArray:
    """The offset of each node.

    Sides are lined up with the outermost one, middles with the middle of all. Nodes that are distributed keep their
    order, by the middles of their boxes; the outermost two stay, and the gaps between boxes become equal.

    Args:
        middles: (N, 2) of the boxes.
        sizes: (N, 2) of the boxes.
        how: the way.

    Returns:
        (N, 2)
    """
    found = np.zeros_like(middles)
    if how in _SIDE:
        axis, part = _SIDE[how]
        lines = middles[:, axis] + part * sizes[:, axis]
        begin, end = (middles - sizes / 2)[:, axis].min(), (middles + sizes / 2)[:, axis].max()
        found[:, axis] = (begin + end) / 2 + part * (end - begin) - lines
        return found
    axis = 0 if how is Align.ACROSS else 1
    order = np.lexsort((np.arange(len(middles)), middles[:, axis]))
    along, long = middles[order, axis], sizes[order, axis]
    begin, end = along[0] - long[0] / 2, along[-1] + long[-1] / 2
    gap = (end - begin - long.sum()) / max(1, len(order) - 1)
    wanted = begin + long / 2 + np.concatenate(([0.0], np.cumsum(long[:-1] + gap)))
    found[order, axis] = wanted - along
    return found


def lie_over_each_other(middles: FloatArray, sizes: FloatArray, how: Align) -> bool:
    """Whether boxes would overlap once aligned, as those do that stood in one row before."""
    if how not in _SIDE or not len(middles):
        return False
    other = 1 - _SIDE[how][0]
    begin, end = (middles - sizes / 2)[:, other], (middles + sizes / 2)[:, other]
    order = np.argsort(begin)
    return bool((begin[order][1:] < np.maximum.accumulate(end[order])[:-1]).any())


def label(how: Align, what: str) -> str:
    """The label of the step; `what` names the tasks."""
    words = {
        Align.LEFT: translate("Aligning", "Align %1 left"),
        Align.CENTRE: translate("Aligning", "Centre %1 on one vertical line"),
        Align.RIGHT: translate("Aligning", "Align %1 right"),
        Align.TOP: translate("Aligning", "Align %1 at the top"),
        Align.MIDDLE: translate("Aligning", "Centre %1 on one horizontal line"),
        Align.BOTTOM: translate("Aligning", "Align %1 at the bottom"),
        Align.ACROSS: translate("Aligning", "Distribute %1 horizontally"),
        Align.DOWN: translate("Aligning", "Distribute %1 vertically"),
    }
    return fill(words[how], what)
