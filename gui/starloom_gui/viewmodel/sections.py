"""Divides a graph without useful groups into sections: tasks of the same level whose names begin alike."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.layout.neighbours import Neighbours
from starloom.layout.ranks import longest_paths
from starloom_gui.text.words import amount, fill, noun, translate
from starloom_gui.viewmodel.beginnings import shared_beginning, shared_words
from starloom_gui.viewmodel.grouping import Group, without_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom.layout import LayoutGraph
    from starloom.layout.values import IntArray

_WORD: Final = re.compile(r"[^\W_]+")
_LEAST_LETTERS: Final = 3
"""Fewer letters say nothing of tasks."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The granularity of sections.

    Attributes:
        bands: the number of bands of neighbouring levels.
        words: how many words of their names the tasks of a section share, beyond those that all tasks share.
        pieces: how many pieces, in the plan's order, each section is cut into once more.
    """

    bands: int
    words: int = 0
    pieces: int = 1


class Sections:
    """The levels of a graph's tasks and the words of their names, from which sections are made.

    The level of a task is the number of tasks on the longest way to it.

    Args:
        graph: of all tasks.
        titles: (N,) their names.

    Attributes:
        depth: how many levels there are.

    Raises:
        ValueError: the graph has a cycle.
    """

    def __init__(self, graph: LayoutGraph, titles: Sequence[str]) -> None:
        self._numbers, self._titles = graph.numbers, titles
        self._level: IntArray = np.asarray(longest_paths(Neighbours(graph)), dtype=np.int64)
        self.depth = int(self._level.max(initial=-1)) + 1
        stems = [without_number(title) for title in titles]
        self._common = len(shared_beginning(set(stems)))
        self._stems = [stem[self._common :] for stem in stems]
        self._prefixes: dict[int, IntArray] = {0: np.zeros(len(titles), dtype=np.int64)}

    def labels(self, cut: Cut) -> IntArray:
        """The index of each task's section, from 0, by level and then by first task; (N,)."""
        band = self._level * min(cut.bands, max(1, self.depth)) // max(1, self.depth)
        prefix = self._prefix(cut.words)
        label = _renumbered(band * (int(prefix.max(initial=0)) + 1) + prefix)
        if cut.pieces > 1:
            label = _renumbered(label * cut.pieces + _piece(label, cut.pieces))
        return label

    def groups(self, cut: Cut) -> tuple[Group, ...]:
        """The sections of more than one task as groups with unique names."""
        label = self.labels(cut)
        order = np.argsort(label, kind="stable")
        bounds = np.searchsorted(label[order], np.arange(int(label.max(initial=-1)) + 2)).tolist()
        parts = [order[begin:end] for begin, end in pairwise(bounds) if end - begin > 1]
        names = _unlike(zip(*(self._names(rows, cut) for rows in parts), strict=True)) if parts else []
        made = [Group(name, tuple(self._numbers[rows].tolist())) for name, rows in zip(names, parts, strict=True)]
        return tuple(sorted(made, key=lambda group: group.numbers[0]))

    def _prefix(self, words: int) -> IntArray:
        """An index of the first words of each name, the same for equal beginnings; (N,)."""
        if words not in self._prefixes:
            codes: dict[str, int] = {}
            found = [codes.setdefault(_beginning(stem, words), len(codes)) for stem in self._stems]
            self._prefixes[words] = np.array(found, dtype=np.int64)
        return self._prefixes[words]

    def _names(self, rows: IntArray, cut: Cut) -> tuple[str, str, str]:
        """The candidate names of a section: by its tasks' names, with its levels, and with its first and last task."""
        titles = [self._titles[row] for row in rows.tolist()]
        ends = fill(translate("Folding", "%1 … %2"), titles[0], titles[-1])
        if cut.pieces > 1:
            return ends, ends, ends
        level = _level_words(int(self._level[rows].min()) + 1, int(self._level[rows].max()) + 1)
        begins = shared_words(titles)[self._common :]
        if sum(map(str.isalpha, begins)) < _LEAST_LETTERS:
            return level, level, ends
        return begins, fill(translate("Folding", "%1 · %2"), begins, noun(level)), ends


def _level_words(low: int, high: int) -> str:
    if low == high:
        return fill(translate("Folding", "Level %1"), amount(low))
    return fill(translate("Folding", "Levels %1–%2"), amount(low), amount(high))


def _beginning(stem: str, words: int) -> str:
    for place, found in enumerate(_WORD.finditer(stem), 1):
        if place == words:
            return stem[: found.end()]
    return stem


def _renumbered(label: IntArray) -> IntArray:
    """The labels as consecutive numbers from 0, in the order of the old ones."""
    return np.asarray(np.unique(label, return_inverse=True)[1], dtype=np.int64).reshape(-1)


def _piece(label: IntArray, pieces: int) -> IntArray:
    """The index of the piece of its section that each task is in; (N,)."""
    order = np.argsort(label, kind="stable")
    size = np.bincount(label)
    within = np.arange(len(label)) - np.repeat(np.cumsum(size) - size, size)
    piece = np.empty(len(label), dtype=np.int64)
    piece[order] = within * pieces // size[label[order]]
    return piece


def _unlike(choices: Iterable[tuple[str, ...]]) -> list[str]:
    """The first unique candidate name of each section, or the last candidate with a number if none is unique.

    Args:
        choices: the first names of all, the second names of all, and so on.
    """
    kinds = list(choices)
    found: list[str] = []
    taken: set[str] = set()
    counts = [Counter(names) for names in kinds]
    for names in zip(*kinds, strict=True):
        free = (name for name, count in zip(names, counts, strict=True) if count[name] == 1 and name not in taken)
        name = next(free, "") or _numbered(names[-1], taken)
        taken.add(name)
        found.append(name)
    return found


def _numbered(name: str, taken: set[str]) -> str:
    number = 1
    while (made := f"{name} ({number})") in taken:
        number += 1
    return made
