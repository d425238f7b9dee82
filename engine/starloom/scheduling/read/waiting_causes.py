"""Why attempts did not start before they did: the attempt each waited for last, and what that gave it."""

from __future__ import annotations

from bisect import bisect_left
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

NOWHERE: Final = ""
"""Where gates are: on no device."""


class WaitedFor(StrEnum):
    """The reasons why an attempt on the path did not start before."""

    NOTHING = "nothing"
    """It runs already or starts at once."""
    DEPENDENCY = "dependency"
    """It needed the one before it on the path."""
    HEARD_LATE = "heard_late"
    """It needed the one before it on the path, of whose end nobody heard before."""
    SLOT = "slot"
    """The one before it on the path held its slot."""
    LIMIT = "limit"
    """The one before it on the path held a place that a limit allows: of a group, the run or the fleet."""
    RETRY = "retry"
    """The one before it on the path is the same task, which is tried again."""
    PAUSE = "pause"
    """It waited for a time or a person: until it had aged, was released or was added."""


class AttemptSpan(Protocol):
    """One attempt, or one open period of a gate, with its times on the engine's clock."""

    @property
    def number(self) -> int:
        """The task's number in its run."""

    @property
    def device_id(self) -> str:
        """The device; `NOWHERE` for a gate."""

    @property
    def slot(self) -> int:
        """The slot of the device."""

    @property
    def ready(self) -> float:
        """When its task became ready."""

    @property
    def ordered(self) -> float:
        """When it was ordered and took its slot: as it started, or earlier if it did not begin at once."""

    @property
    def start(self) -> float:
        """When it started."""

    @property
    def end(self) -> float:
        """When it ended."""

    @property
    def heard(self) -> float:
        """When its end was reported: as it ended, or later if its device could not be reached then."""

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups whose limits hold for it."""


_AT_ONCE: Final = 1.0
"""Seconds within which a program is told of what ended while nobody could tell it, and those that news take at most."""
_ALL: Final = ("all",)
_ABOVE_SLOTS: Final = 8
"""More than equal slots and devices count together."""


class Causes:
    """Finds the attempt whose end let another one start.

    Args:
        spans: the attempts, in the order in which they started.
        before: the places of those that had to end before the one at a place was ready.
        slots: how many each device has that has a number of them.
        now: what started by then waited for nothing.
        walk: goes through the spans; one that gives way now and then is good where there are very many.
        most_of_run: gives how many attempts of the run of one may run at once; None: any number.
        most: likewise of all of them.
    """

    def __init__(
        self,
        spans: Sequence[AttemptSpan],
        before: Callable[[int], Sequence[int]],
        slots: Mapping[str, int],
        now: float,
        walk: Callable[[Iterable[AttemptSpan]], Iterable[AttemptSpan]] = iter,
        most_of_run: Callable[[Any], int | None] = lambda _span: None,
        most: int | None = None,
    ) -> None:
        self._spans, self._before, self._slots, self._now, self._walk = spans, before, slots, now, walk
        self._most_of_run, self._most = most_of_run, most
        self._ended: dict[float, list[int]] = {}
        self._heard_late: dict[tuple[str, int], list[int]] = {}  # of each slot
        self._moments: dict[Hashable, tuple[list[float], list[float]]] = {}
        """When attempts began and ended: of each device, of each run by its identity, and under `_ALL` of all."""
        for place, span in enumerate(walk(spans)):
            self._ended.setdefault(span.end, []).append(place)
            if span.heard != span.end:
                self._ended.setdefault(span.heard, []).append(place)
                self._heard_late.setdefault((span.device_id, span.slot), []).append(place)

    def giver(self, place: int) -> int | None:
        """The attempt that made room, among those that ended as this one started: by slot, else device, else group.

        By group before all else where the device had a slot free, as its slots kept nothing back then.
        """
        span = self._spans[place]
        if span.ordered <= span.ready:
            return None  # it did not wait
        best: tuple[tuple[int, float, int], int] | None = None
        for candidate in self._ended.get(span.ordered, ()):
            if candidate >= place:
                break  # it started later, or is the attempt itself
            other = self._spans[candidate]
            if other.device_id == NOWHERE:
                continue  # a gate held no place
            is_same = other.device_id == span.device_id
            likeness = 4 * (is_same and other.slot == span.slot) + 2 * is_same
            if self._share_group(candidate, place):
                likeness += 1 if self._was_full(place) else _ABOVE_SLOTS
            rank = likeness, -other.start, -other.number
            if best is None or rank > best[0]:
                best = rank, candidate
        return self._freed_early(place) if best is None else best[1]

    def _share_group(self, one: int, other: int) -> bool:
        groups = self._spans[other].groups
        return bool(groups) and not set(self._spans[one].groups).isdisjoint(groups)

    def _was_full(self, place: int) -> bool:
        """Whether no slot was free just before an attempt started where it did, by what its device has now."""
        span = self._spans[place]
        return self._had(span.device_id, self._slots.get(span.device_id), span.ordered)

    def _was_limited(self, place: int) -> bool:
        """Whether as many ran just before an attempt started as may, of its run or of all, by the limits now."""
        span = self._spans[place]
        of_run = self._had(_run_of(span), self._most_of_run(span), span.ordered)
        return of_run or self._had(_ALL, self._most, span.ordered)

    def _had(self, key: Hashable, most: int | None, moment: float) -> bool:
        """Whether at least so many attempts ran just before a moment, of those under a key of `_moments`."""
        if most is None:
            return False
        if not self._moments:
            self._note_moments()
        starts, ends = self._moments.get(key, ((), ()))
        return bisect_left(starts, moment) - bisect_left(ends, moment) >= most

    def _note_moments(self) -> None:
        for one in self._walk(self._spans):
            for key in (one.device_id,) if one.device_id == NOWHERE else (one.device_id, _run_of(one), _ALL):
                starts, ends = self._moments.setdefault(key, ([], []))
                starts.append(one.ordered)
                ends.append(one.heard)
        for starts, ends in self._moments.values():
            starts.sort()
            ends.sort()

    def _freed_early(self, place: int) -> int | None:
        """The attempt that held its slot and left it after an outage, when its end became known before all else was."""
        span = self._spans[place]
        for other in reversed(self._heard_late.get((span.device_id, span.slot), ())):
            if other < place:
                return other if self._spans[other].end <= span.ordered <= self._spans[other].heard else None
        return None

    def of(self, place: int) -> tuple[int | None, WaitedFor]:
        """The index of the attempt that this one waited for last, and the reason."""
        spans = self._spans
        span = spans[place]
        if span.ordered <= self._now:
            return None, WaitedFor.NOTHING
        giver = self.giver(place)
        if giver is not None:
            is_slot = spans[giver].device_id == span.device_id and span.device_id in self._slots
            is_limit = self._share_group(giver, place) or self._was_limited(place)
            is_slot = is_slot and (self._was_full(place) or not is_limit)
            return giver, WaitedFor.SLOT if is_slot else WaitedFor.LIMIT
        before = self._before(place)
        last = last_to_end(spans, before)
        if last is None:
            return None, WaitedFor.PAUSE
        if _is_same_task(spans[last], span):
            return last, WaitedFor.RETRY
        if not span.ordered <= span.ready <= max(spans[other].heard for other in before):
            return last, WaitedFor.PAUSE
        is_late = spans[last].end + _AT_ONCE < span.ready  # else that was the way of the news
        return last, WaitedFor.HEARD_LATE if is_late else WaitedFor.DEPENDENCY

    def path(self, last: int) -> list[tuple[int, WaitedFor]]:
        """The chain that ends with an attempt, first to last, each with its reason for waiting."""
        chain: list[tuple[int, WaitedFor]] = []
        seen: set[int] = set()
        place: int | None = last
        while place is not None and place not in seen:
            seen.add(place)
            before, reason = self.of(place)
            chain.append((place, reason))
            place = before
        return chain[::-1]


def last_to_end(spans: Sequence[AttemptSpan], places: Sequence[int]) -> int | None:
    """The place of the attempt that was reported to end last, or of equal ones started last; None: there is no place.

    Of those that were heard of at once, after an outage, it is the one that ended last: in which order a program is
    told of them says nothing. One of them may have ended just then, as the clock goes on where the last one ended.
    """

    def reported(place: int) -> tuple[float, float, int]:
        return spans[place].heard, spans[place].start, spans[place].number

    def ended(place: int) -> tuple[float, float, int]:
        return spans[place].end, spans[place].start, spans[place].number

    last = max(places, key=reported, default=None)
    if last is None or spans[last].heard == spans[last].end:
        return last
    heard = spans[last].heard

    def is_at_once(place: int) -> bool:
        one = spans[place]
        return one.end != one.heard > heard - _AT_ONCE or one.end == heard

    return max(filter(is_at_once, places), key=ended)


def _run_of(span: AttemptSpan) -> int:
    """What tells the run of an attempt from others."""
    return id(getattr(span, "run", None))


def _is_same_task(one: AttemptSpan, other: AttemptSpan) -> bool:
    return one.number == other.number and getattr(one, "run", None) is getattr(other, "run", None)
