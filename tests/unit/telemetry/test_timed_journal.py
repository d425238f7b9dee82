"""A timed journal does what the one inside does, and measures it."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, cast

import pytest

from starloom import MemoryJournal
from starloom import events as ev
from starloom.journal.base import JournalError
from starloom.telemetry.timed_journal import TimedJournal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.journal.base import Journal


class SlowJournal:
    """Promises to keep what it is given, and keeps it when told to."""

    def __init__(self) -> None:
        self.promises: list[Future[None]] = []

    def commit(self, _events: Sequence[ev.Event]) -> Future[None]:
        self.promises.append(Future())
        return self.promises[-1]


def test_it_keeps_what_the_journal_inside_keeps_and_counts_each_commit() -> None:
    inside = MemoryJournal()
    timed = TimedJournal(inside)
    events = [ev.RunReadied(1, 0.0, "r"), ev.RunStarted(2, 0.0, "r")]
    timed.commit(events)
    timed.commit(events[:1])
    assert list(timed.committed()) == [*events, events[0]] == list(inside.committed())
    reading = timed.reading()
    assert reading.count == 2
    assert reading.last is not None
    assert 0 < reading.last <= reading.sum


def test_a_commit_that_fails_is_measured_and_fails() -> None:
    inside = MemoryJournal()
    inside.failure = "the disk is full"
    timed = TimedJournal(inside)
    with pytest.raises(JournalError, match="disk is full"):
        timed.commit([ev.RunReadied(1, 0.0, "r")])
    assert timed.reading().count == 1


@pytest.mark.parametrize("error", [None, JournalError("the disk is full")])
def test_a_commit_in_another_thread_is_measured_when_it_is_done(error: JournalError | None) -> None:
    inside = SlowJournal()
    timed = TimedJournal(cast("Journal", inside))
    committing = timed.commit([ev.RunReadied(1, 0.0, "r")])
    assert committing is inside.promises[0]
    assert timed.reading().count == 0
    if error is None:
        committing.set_result(None)
    else:
        committing.set_exception(error)
    assert timed.reading().count == 1
    timed.commit([ev.RunReadied(1, 0.0, "r")])
    assert timed.reading().count == 1


def test_what_only_the_journal_inside_can_do_it_can_do_too() -> None:
    timed = TimedJournal(MemoryJournal())
    assert timed.turns == []
    with pytest.raises(AttributeError, match="nothing_like_it"):
        timed.nothing_like_it  # noqa: B018 - that it fails is what is tested
