"""Probing a machine through its shell: system, programs and load."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

from starloom.devices.base import Metrics

if TYPE_CHECKING:
    from collections.abc import Sequence

_IDLE: Final = 3
_WAITING: Final = 4
_KIBI: Final = 1024


def capabilities_of(answers: Sequence[Sequence[str]]) -> frozenset[str]:
    """The capabilities of the machine: its system, its kind of processor and programs found, in lower case."""
    return frozenset(words[1].lower() for words in answers if len(words) > 1)


class Gauge:
    """Reads one machine's load; the processor's share is that since the last reading."""

    def __init__(self) -> None:
        self._busy, self._all = 0, 0

    def read(self, answers: Sequence[Sequence[str]]) -> Metrics:
        """The load; figures that the machine does not tell are None."""
        found = {words[0]: words[1:] for words in answers if words}
        total = _kibi(found.get("MemTotal"))
        free = _kibi(found.get("MemAvailable"))
        used = None if total is None or free is None else total - free
        disk = _numbers(found.get("disk", ()))
        return Metrics(
            cpu=self._share(_numbers(found.get("cpu", ()))),
            memory=_of(used, total),
            memory_used=used,
            memory_total=total,
            load=_load(found.get("load", ())),
            disk=_of(disk[1], disk[1] + disk[2]) if len(disk) > 2 else None,
            disk_free=disk[2] * _KIBI if len(disk) > 2 else None,
        )

    def _share(self, times: Sequence[int]) -> float | None:
        if len(times) <= _WAITING:
            return None
        every = sum(times[:8])  # what guests use is counted among the rest already
        busy = every - times[_IDLE] - times[_WAITING]
        before, all_before = self._busy, self._all
        self._busy, self._all = busy, every
        return _of(busy - before, every - all_before) if every > all_before else None


def _of(part: int | None, whole: int | None) -> float | None:
    return None if part is None or not whole else min(1.0, max(0.0, part / whole))


def _numbers(words: Sequence[str]) -> list[int]:
    try:
        return [int(word) for word in words]
    except ValueError:
        return []


def _kibi(words: Sequence[str] | None) -> int | None:
    numbers = _numbers(words or ())
    return numbers[0] * _KIBI if numbers else None


def _load(words: Sequence[str]) -> float | None:
    with contextlib.suppress(ValueError, IndexError):
        return float(words[0])
    return None
