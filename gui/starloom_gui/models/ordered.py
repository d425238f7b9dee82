"""Keeps numbers in the order of their keys. A row is found by its key, so that a change renumbers nothing."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

Key = Any
"""Of one kind within one order, so that any two can be compared."""


class Ordered:
    """Distinct numbers by key, optionally the greatest first; those of equal keys by number in either case.

    A number stands where its key was when it was put there, until `resort`.

    Args:
        key_of: the key a number has now.
        keys: the keys all numbers have now, as an array by number, where that is faster; each equal to the other.
    """

    def __init__(
        self, key_of: Callable[[int], Key], keys: Callable[[], Any] | None = None, *, descending: bool = False
    ) -> None:
        self._key_of, self._keys_now = key_of, keys
        self._descending = descending
        self._sign = -1 if descending else 1
        self._pairs: list[tuple[Key, int]] = []
        self._keys: dict[int, Key] = {}
        self._moved: set[int] = set()

    def __len__(self) -> int:
        return len(self._pairs)

    def __contains__(self, number: object) -> bool:
        return number in self._keys

    def at(self, row: int) -> int:
        """The number in a row."""
        return self._sign * self._pairs[-1 - row if self._descending else row][1]

    def row(self, number: int) -> int | None:
        """The row of a number; None: it is not among them."""
        if number not in self._keys:
            return None
        place = bisect_left(self._pairs, (self._keys[number], self._sign * number))
        return len(self._pairs) - 1 - place if self._descending else place

    def all(self) -> list[int]:
        """All numbers, by row."""
        if self._descending:
            return [-number for _, number in reversed(self._pairs)]
        return [number for _, number in self._pairs]

    # ---- changing

    def fill(self, numbers: Iterable[int]) -> None:
        """Replace all numbers."""
        key_of = self._key_of
        self._moved.clear()
        if self._keys_now is not None:
            self._fill_at_once(np.fromiter(numbers, np.intp), self._keys_now())
            return
        self._keys = {number: key_of(number) for number in numbers}
        self._pairs = [(key, self._sign * number) for number, key in self._keys.items()]
        self._pairs.sort()

    def _fill_at_once(self, numbers: NDArray[np.intp], keys_of_all: NDArray[Any]) -> None:
        order = np.lexsort((self._sign * numbers, keys_of_all[numbers]))
        sorted_numbers = numbers[order]
        keys = keys_of_all[sorted_numbers].tolist()
        self._keys = dict(zip(sorted_numbers.tolist(), keys, strict=True))
        self._pairs = list(zip(keys, (self._sign * sorted_numbers).tolist(), strict=True))

    def row_for(self, number: int) -> int:
        """The row a number will get that is not among them."""
        place = bisect_left(self._pairs, (self._key_of(number), self._sign * number))
        return len(self._pairs) - place if self._descending else place

    def insert(self, number: int) -> None:
        """Insert a number that is not among them."""
        key = self._keys[number] = self._key_of(number)
        pair = (key, self._sign * number)
        self._pairs.insert(bisect_left(self._pairs, pair), pair)

    def remove_rows(self, first: int, last: int) -> None:
        """Remove the numbers in these rows.

        Args:
            first: a row.
            last: the last row, itself among them.
        """
        begin, end = (len(self) - 1 - last, len(self) - first) if self._descending else (first, last + 1)
        for _, signed in self._pairs[begin:end]:
            number = self._sign * signed
            del self._keys[number]
            self._moved.discard(number)
        del self._pairs[begin:end]

    def note(self, number: int) -> None:
        """Mark a number whose key may have changed."""
        if self._key_of(number) != self._keys[number]:
            self._moved.add(number)

    @property
    def is_sorted(self) -> bool:
        """Whether no noted number is out of order."""
        return not self._moved

    def resort(self) -> None:
        """Move every noted number to the row of its key."""
        moved, keys, sign = self._moved, self._keys, self._sign
        for number in moved:
            keys[number] = self._key_of(number)
        # What has not moved is in order already, which makes sorting as fast as reading.
        self._pairs = [pair for pair in self._pairs if sign * pair[1] not in moved]
        self._pairs += [(keys[number], sign * number) for number in moved]
        self._pairs.sort()
        moved.clear()
