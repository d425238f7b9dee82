"""The journal that keeps nothing and the one in memory."""

from __future__ import annotations

import pytest

from starloom import events as ev
from starloom.errors import StarloomError
from starloom.journal.base import Journal, JournalError, MemoryJournal, NullJournal


def ready(number: int) -> ev.TaskReady:
    return ev.TaskReady(number, 0.0, "r", f"t{number}")


def test_a_memory_journal_gives_back_all_turns_oldest_first() -> None:
    journal = MemoryJournal()
    journal.commit([ready(1), ready(2)])
    journal.commit([ready(3)])
    assert list(journal.committed()) == [ready(1), ready(2), ready(3)]
    assert journal.turns == [(ready(1), ready(2)), (ready(3),)]


def test_a_committed_turn_does_not_change_with_the_list_it_was_made_of() -> None:
    journal = MemoryJournal()
    turn: list[ev.Event] = [ready(1)]
    journal.commit(turn)
    turn.append(ready(2))
    assert list(journal.committed()) == [ready(1)]


def test_a_memory_journal_that_fails_keeps_nothing_of_the_turn_and_says_why() -> None:
    journal = MemoryJournal()
    journal.commit([ready(1)])
    journal.failure = "The disk is full. Free some space."
    with pytest.raises(JournalError, match="The disk is full"):
        journal.commit([ready(2)])
    assert list(journal.committed()) == [ready(1)]
    journal.failure = None
    journal.commit([ready(2)])
    assert list(journal.committed()) == [ready(1), ready(2)]


def test_it_can_be_read_twice_and_while_it_fails() -> None:
    journal = MemoryJournal()
    journal.commit([ready(1)])
    journal.failure = "no"
    assert list(journal.committed()) == list(journal.committed()) == [ready(1)]


def test_a_null_journal_takes_everything_and_refuses_to_go_back() -> None:
    journal = NullJournal()
    journal.commit([ready(1)])
    with pytest.raises(JournalError, match="keeps no journal"):
        journal.committed()


def test_a_journal_error_is_one_of_ours() -> None:
    assert issubclass(JournalError, StarloomError)


def test_both_are_journals() -> None:
    journals: list[Journal] = [NullJournal(), MemoryJournal()]
    for journal in journals:
        journal.commit([])
