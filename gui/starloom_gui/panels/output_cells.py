"""Text on a grid of equal cells, as in terminals: its width, and the breaks of long lines."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_WITHOUT_WIDTH: Final = frozenset({"Mn", "Me", "Cf"})


@lru_cache(4096)
def width(char: str) -> int:
    """The number of cells that a character takes: 1; 2 for a wide one; 0 for one that combines with the one before."""
    if unicodedata.category(char) in _WITHOUT_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cells(text: str) -> int:
    """The number of cells that a text takes."""
    return len(text) if text.isascii() else sum(map(width, text))


def breaks(text: str, columns: int) -> list[int]:
    """The indices at which the rows of a text begin that wraps at a number of cells; there is always a first one."""
    if text.isascii():
        return list(range(0, len(text), columns)) or [0]
    begins, taken = [0], 0
    for at, char in enumerate(text):
        wide = width(char)
        if taken + wide > columns and at > begins[-1]:
            begins.append(at)
            taken = 0
        taken += wide
    return begins


def rows(text: str, columns: int) -> int:
    """The number of rows of a text that wraps at a number of cells."""
    return max(1, -(-len(text) // columns)) if text.isascii() else len(breaks(text, columns))


def place_at(text: str, cell: float) -> int:
    """The place between two characters that is nearest to so many cells from the beginning."""
    if text.isascii():
        return min(len(text), max(0, round(cell)))
    taken = 0
    for at, char in enumerate(text):
        wide = width(char)
        if wide and taken + wide / 2 > cell:
            return at
        taken += wide
    return len(text)


def pieces(text: str, first: int, last: int) -> Iterator[tuple[int, str]]:
    """The pieces of a text within a range of cells, and the cell at which each begins.

    Plain letters come in one piece; each of the others with what belongs to it, as fonts seldom keep to the grid.
    """
    first = max(0, first)
    if text.isascii():
        if text[first:last]:
            yield first, text[first:last]
        return
    at, begun, plain = 0, 0, ""
    for cluster in _clusters(text):
        if begun >= last:
            break
        wide = cells(cluster)
        if cluster.isascii() and begun >= first:
            at, plain = (at, plain + cluster) if plain else (begun, cluster)
        elif begun + max(1, wide) > first:
            if plain:
                yield at, plain
            plain = ""
            yield begun, cluster
        begun += wide
    if plain:
        yield at, plain


def _clusters(text: str) -> Iterator[str]:
    """Characters, each with those behind it that have no width of their own."""
    begin = 0
    for at in range(1, len(text)):
        if width(text[at]):
            yield text[begin:at]
            begin = at
    if text:
        yield text[begin:]
