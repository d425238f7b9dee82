"""The roles of item models besides Qt's own, the same in all models."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from starloom.scheduling.read.run_view import RunView
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.changes import Changes

    Facts = Callable[[], RunFacts | None]
    """Gives the facts as they are; asked anew each time, as an engine that goes on after a failure has others."""
    FactsOf = Callable[[str], RunFacts | None]
    """Gives the facts of a run by its id; None: there is no such run."""
    ShownRun = Callable[[], RunView | None]
    """Gives the run that is shown, likewise; None: there is none."""
    Clock = Callable[[], float]
    """Gives seconds on the engine's clock."""

Index = QModelIndex | QPersistentModelIndex
NOWHERE: Final = QModelIndex()
RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_NEAR: Final = 16
"""Rows between two changed ones that are told of along with them, as that is cheaper than another signal."""
_MOST_RANGES: Final = 32


class ItemRole(IntEnum):
    """The roles of the item models beside Qt's own.

    Attributes:
        NUMBER: the task's number; None: the row is not about one task.
        ID: the id of the task, device or run.
        RUN: the id of the run.
        CODE: the form of its status, a `StatusForm`, for the glyph.
        HELD: whether it is held.
        QUIET: whether it runs and has printed nothing for long.
        COUNTS: how many tasks of each code, as a tuple, for a stacked bar.
        SAMPLES: a tuple of figures from 0 to 1, oldest first, for a sparkline.
        SHORT: the text where there is little room.
        VALUE: the value itself, where the text is only for people.
        SPANS: the styled pieces of a line of output.
        SORT: the sort of an event.
        ORDER: what rows are sorted by.
    """

    NUMBER = Qt.ItemDataRole.UserRole + 1
    ID = Qt.ItemDataRole.UserRole + 2
    RUN = Qt.ItemDataRole.UserRole + 3
    CODE = Qt.ItemDataRole.UserRole + 4
    HELD = Qt.ItemDataRole.UserRole + 5
    COUNTS = Qt.ItemDataRole.UserRole + 6
    SAMPLES = Qt.ItemDataRole.UserRole + 7
    SHORT = Qt.ItemDataRole.UserRole + 8
    VALUE = Qt.ItemDataRole.UserRole + 9
    SPANS = Qt.ItemDataRole.UserRole + 10
    SORT = Qt.ItemDataRole.UserRole + 11
    ORDER = Qt.ItemDataRole.UserRole + 12
    QUIET = Qt.ItemDataRole.UserRole + 13


def concerns_all(changes: Changes) -> bool:
    """Whether changes may concern the words of every task: times, slots and groups."""
    return bool(
        changes.second or changes.load or changes.run or changes.limits or changes.devices or changes.everything
    )


def ranges(rows: Iterable[int], near: int = _NEAR, most: int = _MOST_RANGES) -> Iterator[tuple[int, int]]:
    """Changed rows as few ranges, first and last: neighbours as one, and all as one if they were still too many.

    Args:
        rows: in any order.
        near: rows at most that far apart become one range.
        most: how many ranges there may be.
    """
    found: list[tuple[int, int]] = []
    for row in sorted(rows):
        if found and row - found[-1][1] <= near:
            found[-1] = (found[-1][0], row)
        else:
            found.append((row, row))
    if len(found) > most:
        found = [(found[0][0], found[-1][1])]
    return iter(found)


def runs_of(rows: Iterable[int]) -> list[tuple[int, int]]:
    """Rows as ranges without a gap, first and last."""
    return list(ranges(rows, 1, 1 << 60))
