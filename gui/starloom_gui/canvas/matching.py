"""Finds the tasks that match a search or a filter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from starloom.scheduling.state.codes import FAILED
from starloom_gui.canvas.words import title
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.grouping import group_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.layout.values import BoolArray
    from starloom_gui.canvas.render_model import GraphRenderModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """The filter of the canvas: conditions that a task has to meet. An empty condition holds for every task.

    Attributes:
        text: stands in its name or id, in whatever case.
        statuses: one of which it has, and with failures those that are warnings.
        devices: ids, on one of which it runs, ran last, or has to run.
        groups: names, one of which is among the groups whose limits it is under, or the
            group its plan puts it in.
    """

    text: str = ""
    statuses: frozenset[StatusForm] = frozenset()
    devices: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.text or self.statuses or self.devices or self.groups)


EVERYTHING = Filter()


def matching(picture: GraphRenderModel, wanted: Filter, rows: Sequence[int] | None = None) -> BoolArray:
    """Whether each node matches a filter; a folded group does, if one of its tasks does.

    Args:
        picture: of all nodes.
        wanted: the filter.
        rows: the nodes in question; None: all.
    """
    asked = np.arange(len(picture)) if rows is None else np.asarray(rows, dtype=np.int64)
    found: BoolArray = picture.present[asked]
    if wanted.statuses:
        forms = [*wanted.statuses, StatusForm.WARNED] if FAILED in wanted.statuses else list(wanted.statuses)
        found &= np.isin(picture.status[asked], forms) | ~picture.plain[asked]
    is_read = wanted.text or wanted.devices or wanted.groups
    for place in np.flatnonzero(found if is_read else found & ~picture.plain[asked] & bool(wanted.statuses)).tolist():
        row = int(asked[place])
        found[place] = any(_fits(picture, number, wanted) for number in picture.numbers_at(row))
    return found


def found_in(picture: GraphRenderModel, text: str) -> list[int]:
    """The tasks with a text in their name or id, also those in folded groups; by rank, and by position in it."""
    if not text:
        return []
    wanted, layout = Filter(text=text), picture.layout
    rows = np.flatnonzero(matching(picture, wanted))
    ordered = rows[np.lexsort((layout.order[rows], layout.ranks[rows]))].tolist()
    return [number for row in ordered for number in picture.numbers_at(row) if _fits(picture, number, wanted)]


def _fits(picture: GraphRenderModel, number: int, wanted: Filter) -> bool:
    facts = picture.facts
    task = facts.graph.tasks[number]
    if task is None or (wanted.statuses and facts.status[number] not in wanted.statuses):
        return False
    if wanted.text:
        words = wanted.text.casefold()
        if words not in title(facts, number).casefold() and words not in facts.graph.ids[number].casefold():
            return False
    if wanted.devices and (facts.device_of[number] or facts.pin_of(number)) not in wanted.devices:
        return False
    if not wanted.groups or not wanted.groups.isdisjoint(task.groups):
        return True
    name, is_declared = group_of(task)
    return is_declared and name in wanted.groups
