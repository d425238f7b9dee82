"""The difference between two texts line by line, aligned for reading side by side. Pure; no Qt.

Lines that stand once in either text are its anchors (patience diff): what lies between two of them is compared by
`difflib`, or taken for replaced where it is too much, so that the time is bounded whatever the texts are.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

CONTEXT: Final = 3
"""Equal lines that are shown before and after each difference."""
_MOST_PAIRS: Final = 1_000_000
"""Of lines between two anchors that are compared with each other; beyond, a stretch counts as replaced."""
Span = tuple[int, int, int, int]
"""A stretch of both texts: its first line and the one behind it in the one before, and in the one after."""


class RowKind(StrEnum):
    """The kind of a row."""

    EQUAL = "equal"
    CHANGED = "changed"
    """Removed on the left, added on the right, or both."""
    FOLDED = "folded"
    """Stands for several equal lines."""


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One row of two texts side by side.

    Attributes:
        kind: what it is.
        before, after: the numbers of the lines from 0, of the first one where several are folded; None: there is none.
        count: how many lines it stands for.
    """

    kind: RowKind
    before: int | None
    after: int | None
    count: int = 1


def changes(before: Sequence[str], after: Sequence[str], is_given_up: Callable[[], bool] = lambda: False) -> list[Span]:
    """The stretches in which two texts differ, in order.

    Args:
        before: the lines of one text.
        after: of the other.
        is_given_up: asked now and then; true: what is found so far is returned.
    """
    head = _alike(before, after)
    tail = _alike(before[head:][::-1], after[head:][::-1])
    found: list[Span] = []
    begin = head, head
    for end in [*_anchors(before, after, head, tail), (len(before) - tail, len(after) - tail)]:
        if is_given_up():
            break
        found += _between(before, after, (begin[0], end[0], begin[1], end[1]))
        begin = end[0] + 1, end[1] + 1
    return _joined(found)


def _alike(before: Sequence[str], after: Sequence[str]) -> int:
    """The number of lines in which two texts begin alike."""
    pairs = zip(before, after, strict=False)
    return next((number for number, (one, other) in enumerate(pairs) if one != other), min(len(before), len(after)))


def _anchors(before: Sequence[str], after: Sequence[str], head: int, tail: int) -> list[tuple[int, int]]:
    """The longest ascending sequence of lines that stand once in each text, as pairs of numbers."""
    left, right = range(head, len(before) - tail), range(head, len(after) - tail)
    once = Counter(before[number] for number in left)
    place = {after[number]: number for number in right}
    again = Counter(after[number] for number in right)
    pairs = [(number, place[line]) for number in left if once[line := before[number]] == 1 and again.get(line) == 1]
    ends: list[int] = []
    last: list[int] = []
    earlier: list[int] = []
    for at, (_, other) in enumerate(pairs):
        length = bisect_left(ends, other)
        earlier.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [other]
        last[length : length + 1] = [at]
    chain: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        chain.append(pairs[at])
        at = earlier[at]
    return chain[::-1]


def _between(before: Sequence[str], after: Sequence[str], span: Span) -> Iterator[Span]:
    i1, i2, j1, j2 = span
    if i1 == i2 or j1 == j2 or (i2 - i1) * (j2 - j1) > _MOST_PAIRS:
        if i1 < i2 or j1 < j2:
            yield span
        return
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, before[i1:i2], after[j1:j2]).get_opcodes():
        if tag != "equal":
            yield i1 + a1, i1 + a2, j1 + b1, j1 + b2


def _joined(spans: Sequence[Span]) -> list[Span]:
    """The stretches with those that touch made one."""
    found: list[Span] = []
    for span in spans:
        if found and found[-1][1] == span[0] and found[-1][3] == span[2]:
            found[-1] = found[-1][0], span[1], found[-1][2], span[3]
        else:
            found.append(span)
    return found


def rows(spans: Sequence[Span], before: int, after: int) -> Iterator[DiffRow]:
    """The rows of two texts side by side, with longer stretches of equal lines folded.

    Args:
        spans: in which they differ.
        before: how many lines the one has.
        after: how many the other.
    """
    at = 0, 0
    for span in [*spans, (before, before, after, after)]:
        yield from _equal(at, span[0] - at[0], opens=at != (0, 0), closes=span[0] < before or span[2] < after)
        i1, i2, j1, j2 = span
        for step in range(max(i2 - i1, j2 - j1)):
            left, right = i1 + step, j1 + step
            yield DiffRow(RowKind.CHANGED, left if left < i2 else None, right if right < j2 else None)
        at = i2, j2


def _equal(at: tuple[int, int], count: int, *, opens: bool, closes: bool) -> Iterator[DiffRow]:
    """The rows of equal lines; `opens` and `closes`: whether a difference comes before and after them."""
    head = min(count, CONTEXT if opens else 0)
    tail = min(count - head, CONTEXT if closes else 0)
    folded = count - head - tail
    if folded == 1:  # a row that stands for one line saves none
        head, folded = head + 1, 0
    for step in range(head):
        yield DiffRow(RowKind.EQUAL, at[0] + step, at[1] + step)
    if folded:
        yield DiffRow(RowKind.FOLDED, at[0] + head, at[1] + head, folded)
    for step in range(count - tail, count):
        yield DiffRow(RowKind.EQUAL, at[0] + step, at[1] + step)


def unified(
    spans: Sequence[Span], before: Sequence[str], after: Sequence[str], names: tuple[str, str], first: tuple[int, int]
) -> str:
    """The difference as a unified diff; empty: there is none.

    Args:
        spans: in which the texts differ.
        before: the lines of one text.
        after: of the other.
        names: what the two are called.
        first: the number of the first line of each, from 1.
    """
    if not spans:
        return ""
    said = [f"--- {names[0]}", f"+++ {names[1]}"]
    for hunk in _hunks(spans):
        begin = max(0, hunk[0][0] - CONTEXT), max(0, hunk[0][2] - CONTEXT)
        end = min(len(before), hunk[-1][1] + CONTEXT), min(len(after), hunk[-1][3] + CONTEXT)
        counts = end[0] - begin[0], end[1] - begin[1]
        starts = [at + line if count else at + line - 1 for at, line, count in zip(begin, first, counts, strict=True)]
        said.append(f"@@ -{starts[0]},{counts[0]} +{starts[1]},{counts[1]} @@")
        at = begin[0]
        for i1, i2, j1, j2 in hunk:
            said += [f" {line}" for line in before[at:i1]]
            said += [f"-{line}" for line in before[i1:i2]]
            said += [f"+{line}" for line in after[j1:j2]]
            at = i2
        said += [f" {line}" for line in before[at : end[0]]]
    return "\n".join(said) + "\n"


def _hunks(spans: Sequence[Span]) -> Iterator[list[Span]]:
    """The stretches whose contexts touch, together."""
    hunk: list[Span] = []
    for span in spans:
        if hunk and span[0] - hunk[-1][1] > 2 * CONTEXT:
            yield hunk
            hunk = []
        hunk.append(span)
    yield hunk
