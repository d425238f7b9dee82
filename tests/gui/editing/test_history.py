"""What can be taken back: the order of entries, merging, and what is clean."""

from __future__ import annotations

import pytest

from starloom_gui.editing.history import HistoryEntry, UndoHistory


def entry(label: str, merges: str = "") -> HistoryEntry[str]:
    return HistoryEntry(label=label, back=f"un{label}", merges=merges)


def pushed(*labels: str) -> UndoHistory[str]:
    history: UndoHistory[str] = UndoHistory()
    for label in labels:
        history.push(entry(label))
    return history


def labels(history: UndoHistory[str]) -> list[str]:
    return [each.label for each in history.entries]


def test_what_was_taken_back_can_be_done_again_by_what_the_answer_said() -> None:
    history = pushed("a", "b")
    history.undone("again b")
    assert history.to_undo is not None
    assert history.to_undo.label == "a"
    assert history.to_redo is not None
    assert history.to_redo.forth == "again b"
    history.redone("un-b-2")
    assert history.to_undo is not None
    assert history.to_undo.back == "un-b-2"
    assert history.to_redo is None


def test_doing_something_new_forgets_what_was_taken_back() -> None:
    history = pushed("a", "b")
    history.undone("b")
    history.push(entry("c"))
    assert labels(history) == ["a", "c"]
    assert history.to_redo is None


def test_entries_of_one_drag_are_one() -> None:
    history: UndoHistory[str] = UndoHistory()
    history.push(entry("x"))
    for number in "123":
        history.push(entry(number, "drag"), lambda one, other: f"{other} {one}")
    assert labels(history) == ["x", "3"]
    assert history.to_undo is not None
    assert history.to_undo.back == "un3 un2 un1"


def test_nothing_merges_across_something_saved() -> None:
    history: UndoHistory[str] = UndoHistory()
    history.push(entry("1", "drag"), str.__add__)
    history.mark_clean()
    history.push(entry("2", "drag"), str.__add__)
    assert labels(history) == ["1", "2"]
    assert not history.is_clean


def test_what_cannot_be_taken_back_is_passed_over_and_forgotten() -> None:
    history = pushed("a", "b", "c")
    history.undone("c")
    history.pass_over_undo()
    assert labels(history) == ["a", "c"]
    assert history.to_undo is not None
    assert history.to_undo.label == "a"
    assert history.to_redo is not None
    assert history.to_redo.label == "c"
    history.pass_over_redo()
    assert labels(history) == ["a"]
    assert history.index == 1


def test_clean_is_come_back_to() -> None:
    history = pushed("a", "b")
    assert not history.is_clean
    history.mark_clean()
    history.undone("b")
    assert not history.is_clean
    history.redone("b")
    assert history.is_clean


@pytest.mark.parametrize(
    ("saved", "passed", "clean"),
    [(0, 1, None), (1, 1, 0), (2, 1, 1), (2, 2, 1), (1, 2, None)],
    ids=["before it", "right after it", "one later", "the last", "before the last"],
)
def test_what_is_forgotten_for_good_moves_or_loses_what_was_clean(saved: int, passed: int, clean: int | None) -> None:
    history = pushed("a", "b")
    history.clean = saved
    while history.index > passed:
        history.undone("again")
    history.pass_over_undo()
    assert history.clean == clean


def test_clean_is_lost_with_what_was_taken_back_and_overwritten() -> None:
    history = pushed("a", "b")
    history.mark_clean()
    history.undone("b")
    history.push(entry("c"))
    assert history.clean is None
    history.clear()
    assert not history.is_clean


def test_there_is_nothing_to_undo_in_an_empty_history() -> None:
    history: UndoHistory[str] = UndoHistory()
    assert history.to_undo is None
    for verb in (history.pass_over_undo, history.pass_over_redo):
        with pytest.raises(IndexError, match="no such entry"):
            verb()
    assert history.is_clean
