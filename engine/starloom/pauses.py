"""Pauses in what takes long, so that others can go on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop
from itertools import count
from typing import TypeVar

_T = TypeVar("_T")
Pause = Callable[[], None]
"""Called after every few hundred microseconds of work, so that others can go on; what it raises ends the work."""


def no_pause() -> None:
    """Continue at once."""


def with_pauses(values: Iterable[_T], pause: Pause, every: int = 256) -> Iterator[_T]:
    """The same values, with a pause before the first one and then now and again.

    Args:
        values: to go through.
        pause: see `Pause`.
        every: after how many values.
    """
    return iter(values) if pause is no_pause else _paused(values, pause, every)


def _paused(values: Iterable[_T], pause: Pause, every: int) -> Iterator[_T]:
    for number, value in enumerate(values):
        if number % every == 0:
            pause()
        yield value


def popped(heap: list[int], pause: Pause, every: int = 256) -> Iterator[int]:
    """The numbers of a heap from the least on, also those that are added meanwhile, with a pause now and again.

    Args:
        heap: is empty afterwards.
        pause: see `Pause`.
        every: after how many numbers.
    """
    for number in count(1):
        if not heap:
            return
        if number % every == 0:
            pause()
        yield heappop(heap)
