"""A new note belongs to what is selected, or to what the pointer asked for, however far from it there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPointF
from tests.gui.canvas.test_notes import opened, verbs, write

if TYPE_CHECKING:
    from tests.gui.canvas.editing import Bench


@pytest.mark.parametrize("chosen", [("a", "d"), ("b", "e"), ("d", "f"), ("e", "c")], ids="+".join)
def test_it_belongs_to_the_current_one_of_the_selected_tasks_and_says_so(bench: Bench, chosen: tuple[str, str]) -> None:
    book, (current, _) = opened(bench), chosen
    for text in ("one", "two", "three"):  # each finds less room beside the task
        bench.select(*chosen)
        verbs(bench).add()
        field = verbs(bench).field
        assert field is not None
        assert current in field.placeholderText()
        write(bench, text)
    assert [note.task for note in book.notes] == [current] * 3


def test_where_the_current_task_is_not_selected_it_belongs_to_the_first_that_is(bench: Bench) -> None:
    book = opened(bench)
    bench.select("e", "d")
    bench.view._selection.move(bench.number("a"))
    verbs(bench).add()
    write(bench, "one")
    assert book.notes[0].task == "d"


def test_of_a_task_out_of_sight_it_is_written_there_and_brought_into_sight(bench: Bench) -> None:
    book = opened(bench)
    bench.select("f")
    bench.view.pan_zoom.scroll_by(3000, 0)
    verbs(bench).add()
    write(bench, "one")
    assert book.notes[0].task == "f"
    assert bench.view.pan_zoom.seen.contains(bench.view.notes.item.boxes[0])


def test_asked_for_at_a_place_it_is_put_there_whatever_is_selected(bench: Bench) -> None:
    book = opened(bench)
    bench.select("a")
    verbs(bench).add(QPointF(5000.0, 4000.0))
    write(bench, "here")
    [note] = book.notes
    assert (note.task, note.y, note.x + note.width / 2) == (None, 4000.0, 5000.0)


def test_asked_for_by_the_menu_of_one_of_several_selected_tasks_it_belongs_to_that_one(bench: Bench) -> None:
    book = opened(bench)
    bench.select("a", "f")
    bench.press_other(bench.middle("f"))
    assert bench.chosen() == {"a", "f"}
    verbs(bench).add()
    write(bench, "of f")
    assert book.notes[0].task == "f"
