"""Which tasks a search or a filter means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from starloom_gui.canvas.words import title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.layout.values import BoolArray
    from starloom_gui.canvas.picture import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What has to be true of a task; what is empty is not asked for.

    Attributes:
        text: stands in its name or id, in whatever case.
        statuses: codes of `scheduling.codes`, one of which it has.
        devices: ids, on one of which it runs, ran last, or has to run.
        groups: names, one of which is among its groups.
    """

    text: str = ""
    statuses: frozenset[int] = frozenset()
    devices: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.text or self.statuses or self.devices or self.groups)


EVERYTHING = Filter()


def matching(picture: Picture, wanted: Filter, rows: Sequence[int] | None = None) -> BoolArray:
    """Which nodes a filter means.

    Args:
        picture: of all nodes.
        wanted: the filter.
        rows: the nodes in question; None: all.
    """
    asked = np.arange(len(picture)) if rows is None else np.asarray(rows, dtype=np.int64)
    found: BoolArray = picture.present[asked]
    if wanted.statuses:
        found &= np.isin(picture.status[asked], list(wanted.statuses))
    if wanted.text or wanted.devices or wanted.groups:
        for place in np.flatnonzero(found).tolist():
            found[place] = _fits(picture, int(picture.numbers[asked[place]]), wanted)
    return found


def _fits(picture: Picture, number: int, wanted: Filter) -> bool:
    facts = picture.facts
    task = facts.graph.tasks[number]
    if wanted.text:
        words = wanted.text.casefold()
        if words not in title(facts, number).casefold() and words not in facts.graph.ids[number].casefold():
            return False
    if wanted.devices and (facts.device_of[number] or facts.pin_of(number)) not in wanted.devices:
        return False
    return not wanted.groups or (task is not None and not wanted.groups.isdisjoint(task.groups))
