"""Notes on a canvas: written, moved and removed by mouse and by keys, and where they stand when everything moves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from tests.gui.canvas.editing import let_go
from tests.gui.canvas.looking import shown_in

from starloom.model.note import LONGEST_NOTE, MOST_NOTES, NARROWEST, Note, cleaned
from starloom_gui.canvas import accessible
from starloom_gui.canvas.accessible import GraphReader
from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.note_text import MOST_LINES, height, lines
from starloom_gui.canvas.notes import NEAR, box_of, put
from starloom_gui.theme.palette import DARK, LIGHT

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from tests.gui.canvas.editing import Bench

    from starloom_gui.canvas.note_verbs import NoteVerbs
    from starloom_gui.theme.palette import Palette

ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
Key = Qt.Key
UNDER_F = Note(text="ask the lab", x=-96, y=50, task="f")


class Book(QObject):
    """Notes that nobody saves, and what was done to them."""

    changed = Signal()

    def __init__(self, *notes: Note) -> None:
        super().__init__()
        self.notes: tuple[Note, ...] = notes
        self.steps: list[tuple[str, str]] = []

    def write(self, notes: tuple[Note, ...], label: str, merges: str = "") -> None:
        self.notes = notes
        self.steps.append((label, merges))
        self.changed.emit()


def opened(bench: Bench, *notes: Note) -> Book:
    """A book with these notes, shown on the canvas; all of it is in sight."""
    book = Book(*notes)
    bench.view.set_notebook(book)
    bench.view.pan_zoom.fit_all()
    return book


def verbs(bench: Bench) -> NoteVerbs:
    found = bench.view.gestures.notes
    assert found is not None
    return found


def middle(bench: Bench, place: int = 0) -> QPoint:
    return bench.view.notes.rect_of(bench.view.notes.item.boxes[place]).center().toPoint()


def write(bench: Bench, text: str, key: Qt.Key = Key.Key_Return) -> None:
    """Write into the open field, and end it with a key."""
    field = verbs(bench).field
    assert field is not None, "no note is being written"
    field.setPlainText("")
    QTest.keyClicks(field, text)
    QTest.keyClick(field, key, CONTROL)
    let_go(bench.view)


# ---- adding and writing


def test_a_new_note_is_written_in_place_and_stays_with_the_current_task(bench: Bench) -> None:
    book = opened(bench)
    bench.select("f")
    verbs(bench).add()
    write(bench, "ask first")
    [note] = book.notes
    assert (note.text, note.task) == ("ask first", "f")
    assert book.steps == [("Add note", "")]
    assert bench.view.notes.item.chosen == 0
    assert verbs(bench).field is None


def test_where_nothing_is_selected_a_new_note_stands_where_one_looks(bench: Bench) -> None:
    book = opened(bench)
    bench.select("f")
    bench.view._selection.clear()
    verbs(bench).add()
    write(bench, "by itself")
    assert book.notes[0].task != "f"


def test_a_new_note_covers_no_task_where_there_is_room(bench: Bench) -> None:
    opened(bench)
    bench.select("a")
    for text in ("one", "two"):
        verbs(bench).add()
        write(bench, text)
    layout, boxes = shown_in(bench.view).layout, bench.view.notes.item.boxes
    assert not boxes[0].intersects(boxes[1])
    for (x, y), (wide, high) in zip(layout.positions.tolist(), layout.sizes.tolist(), strict=True):
        for box in boxes:
            assert abs(box.center().x() - x) >= (box.width() + wide) / 2 or (
                abs(box.center().y() - y) >= (box.height() + high) / 2
            )


@pytest.mark.parametrize("text", ["", "   "])
def test_a_note_of_nothing_is_none(bench: Bench, text: str) -> None:
    book = opened(bench)
    verbs(bench).add()
    write(bench, text)
    assert not book.notes
    assert not book.steps


def test_a_double_click_and_enter_open_the_text(bench: Bench) -> None:
    book = opened(bench, UNDER_F)
    QTest.mouseDClick(bench.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle(bench))
    write(bench, "first")
    assert book.notes == (replace(UNDER_F, text="first"),)
    bench.key(Key.Key_Return)
    write(bench, "second")
    assert book.notes[0].text == "second"
    assert [label for label, _ in book.steps] == ["Edit note"] * 2


def test_the_keyboard_going_elsewhere_keeps_what_was_written(bench: Bench) -> None:
    book = opened(bench, UNDER_F)
    bench.command("next_note", Key.Key_F2)
    field = verbs(bench).field
    assert field is not None
    field.setPlainText("kept")
    bench.view.setFocus()
    assert book.notes[0].text == "kept"


def test_after_writing_the_keyboard_is_the_canvas_again_and_stays_where_it_went_else(bench: Bench) -> None:
    book = opened(bench, UNDER_F)
    bench.command("next_note", Key.Key_Return)
    write(bench, "one")
    assert bench.view.hasFocus()
    bench.key(Key.Key_Return)
    field = verbs(bench).field
    assert field is not None
    field.setPlainText("two")
    other = QLineEdit(bench.view)
    other.show()
    other.setFocus()
    assert book.notes[0].text == "two"
    assert other.hasFocus(), "it was taken back from where the user went"


def test_more_than_a_note_may_hold_is_not_taken(bench: Bench) -> None:
    book = opened(bench, UNDER_F)
    bench.command("next_note", Key.Key_Return)
    field = verbs(bench).field
    assert field is not None
    field.setPlainText("x" * (LONGEST_NOTE + 50))
    assert len(field.toPlainText()) == LONGEST_NOTE
    field.setPlainText("a\u202eb\x07\nc")
    QTest.keyClick(field, Key.Key_Return, CONTROL)
    let_go(bench.view)
    assert book.notes[0].text == "ab\nc"


def test_what_somebody_else_has_changed_meanwhile_is_not_overwritten(bench: Bench) -> None:
    book = opened(bench, UNDER_F)
    bench.command("next_note", Key.Key_Return)
    other = (replace(UNDER_F, text="theirs"),)
    book.write(other, "Edit note")
    write(bench, "mine")
    assert book.notes == other


def test_there_are_only_so_many_and_it_is_said(bench: Bench) -> None:
    book = opened(bench, *([UNDER_F] * MOST_NOTES))
    verbs(bench).add()
    assert verbs(bench).field is None
    assert "as many as there can be" in bench.view.overlay.note
    assert not verbs(bench).can_add().ok
    assert len(book.notes) == MOST_NOTES


# ---- selecting


def test_a_key_goes_from_note_to_note_and_escape_lets_go(bench: Bench) -> None:
    opened(bench, UNDER_F, Note(text="up", x=0, y=-300), Note(text="down", x=0, y=400))
    seen = []
    for _ in range(4):
        bench.command("next_note")
        seen.append(bench.view.notes.item.chosen)
    assert seen[0] == 1
    assert seen[3] == 1
    assert set(seen) == {0, 1, 2}
    bench.command("previous_note")
    assert bench.view.notes.item.chosen == seen[2]
    bench.key(Key.Key_Escape)
    assert bench.view.notes.item.chosen is None


def test_without_notes_it_says_how_to_add_one(bench: Bench) -> None:
    opened(bench)
    bench.command("next_note")
    assert bench.view.overlay.note == "There are no notes yet. Alt+Shift+N adds one."
    assert not verbs(bench).can_change().ok


def test_a_note_and_tasks_are_never_both_selected(bench: Bench) -> None:
    opened(bench, UNDER_F)
    bench.select("a")
    QTest.mouseClick(bench.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle(bench))
    assert (bench.view.notes.item.chosen, bench.chosen()) == (0, set())
    bench.select("a")
    assert bench.view.notes.item.chosen is None
    bench.command("next_edge")
    assert bench.view.overlay.chosen_edge is not None
    bench.command("next_note")
    assert bench.view.overlay.chosen_edge is None


def test_delete_removes_the_note_and_no_task(bench: Bench) -> None:
    book = opened(bench, UNDER_F, Note(text="other", x=0, y=-300))
    bench.view.notes.choose(0)
    bench.key(Key.Key_Delete)
    assert [note.text for note in book.notes] == ["other"]
    assert book.steps == [("Remove note", "")]
    assert bench.view.notes.item.chosen is None
    assert bench.editor.steps == []


# ---- moving


def test_a_dragged_note_stays_where_it_is_put_with_the_nearest_task(bench: Bench) -> None:
    book = opened(bench, UNDER_F)
    goal = bench.middle("e") + QPoint(10, 70)
    bench.press(middle(bench))
    bench.move(goal)
    assert book.notes == (UNDER_F,), "it was written before it was let go of"
    bench.release(goal)
    [note] = book.notes
    assert note.task == "e"
    assert (middle(bench) - goal).manhattanLength() <= 3
    assert book.steps == [("Move note", "")]


def test_a_drag_that_is_given_up_and_a_click_leave_it(bench: Bench) -> None:
    book = opened(bench, UNDER_F)
    bench.press(middle(bench))
    bench.move(bench.middle("b"))
    bench.key(Key.Key_Escape)
    QTest.mouseClick(bench.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle(bench))
    assert book.notes == (UNDER_F,)
    assert bench.view.notes.item.held is None


def test_its_right_side_makes_it_wider_but_never_too_narrow(bench: Bench) -> None:
    book = opened(bench, UNDER_F)
    box = bench.view.notes.rect_of(bench.view.notes.item.boxes[0])
    grip = QPoint(round(box.right()) - 2, round(box.center().y()))
    assert bench.view.notes.is_grip(grip)
    bench.drag(grip, grip + QPoint(80, 30))
    assert book.notes[0].width == pytest.approx(UNDER_F.width + 80 / bench.view.pan_zoom.zoom, abs=2)
    assert (book.notes[0].x, book.notes[0].y) == (UNDER_F.x, UNDER_F.y)
    box = bench.view.notes.rect_of(bench.view.notes.item.boxes[0])
    grip = QPoint(round(box.right()) - 2, round(box.center().y()))
    bench.drag(grip, grip - QPoint(700, 0))
    assert book.notes[0].width == NARROWEST


def test_alt_and_arrows_move_it_and_with_shift_make_it_wider(bench: Bench) -> None:
    book = opened(bench, UNDER_F)
    bench.command("next_note")
    bench.key(Key.Key_Right, Key.Key_Down, modifiers=ALT)
    assert (book.notes[0].x, book.notes[0].y) == (UNDER_F.x + 16, UNDER_F.y + 16)
    assert {merges for _, merges in book.steps} == {"nudge note 0"}
    bench.key(Key.Key_Right, modifiers=ALT | SHIFT)
    assert book.notes[0].width == UNDER_F.width + 16
    assert not bench.view.layout_controller.arrangement.pinned, "no task was moved"


# ---- where they stand


def test_it_goes_with_its_task_and_comes_back_with_it(bench: Bench) -> None:
    opened(bench, UNDER_F)
    before = bench.view.notes.item.boxes[0].topLeft()
    bench.select("f")
    bench.key(Key.Key_Down, modifiers=ALT)
    moved = bench.view.notes.item.boxes[0].topLeft() - before
    assert (moved.x(), moved.y()) == (0, 16)
    bench.command("turn")
    picture = shown_in(bench.view)
    x, y = picture.layout.position(bench.number("f"))
    assert bench.view.notes.item.boxes[0].topLeft().x() == x - 96
    assert bench.view.notes.item.boxes[0].topLeft().y() == y + 50


def test_a_note_whose_task_is_gone_or_far_stands_by_itself(bench: Bench) -> None:
    opened(bench)
    picture = shown_in(bench.view)
    lost = replace(UNDER_F, task="gone")
    assert box_of(lost, picture).topLeft().toTuple() == (-96, 50)
    far = box_of(UNDER_F, picture).translated(0, 40 + 10 * NEAR)
    assert put(UNDER_F, far, picture).task is None
    assert box_of(put(UNDER_F, far, picture), picture) == far
    again = put(lost, box_of(UNDER_F, picture), picture)
    assert again == UNDER_F


def test_fitting_the_graph_shows_its_notes_too(bench: Bench) -> None:
    opened(bench, Note(text="far below", x=0, y=1500))
    assert bench.view.pan_zoom.seen.contains(bench.view.notes.item.boxes[0])


# ---- how they look


def shot(bench: Bench, palette: Palette) -> QImage:
    bench.view.graph.item.palette = palette
    bench.view.viewport().repaint()
    return bench.view.viewport().grab().toImage()


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("zoom", [1.0, 0.3, 0.1])
def test_a_note_is_seen_at_all_three_levels_in_both_themes(bench: Bench, palette: Palette, zoom: float) -> None:
    opened(bench, Note(text="W" * 200, x=-200, y=60, width=400, task="f"))
    bench.view.pan_zoom.zoom_by(zoom / bench.view.pan_zoom.zoom)
    box = bench.view.notes.item.boxes[0]
    bench.view.centerOn(box.center())
    image = shot(bench, palette)
    at = bench.view.notes.rect_of(box).toRect()
    inside = {
        image.pixelColor(x, y).name()
        for x in range(at.left() + 3, at.center().x())  # the fold is on the other side
        for y in range(at.top() + 3, at.bottom() - 3)
    }
    assert QColor(palette.raised).name() in inside
    dark = {name for name in inside if abs(QColor(name).lightness() - QColor(palette.raised).lightness()) > 100}
    assert bool(dark) == (bench.view.pan_zoom.level is not Level.FAR), (
        "there is text near enough to read it, and only there"
    )


def test_text_is_as_plain_as_it_was_written_and_broken_at_words() -> None:
    assert lines("<b>x</b>\n\n&amp;", 1.0, 400, 9) == ("<b>x</b>", "", "&amp;")
    wrapped = lines("one two three four five six seven eight nine ten", 1.0, 100, 9)
    assert " ".join(wrapped).split() == ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    assert len(wrapped) > 2
    assert "".join(lines("x" * 100, 1.0, 100, 99)) == "x" * 100
    assert "".join(lines("😀" * 40, 1.0, 100, 99)) == "😀" * 40, "lines are cut between characters Qt counts twice"


def test_more_text_than_there_is_room_for_says_that_there_is_more() -> None:
    shown = lines("\n".join("abc"), 1.0, 100, 2)
    assert shown == ("a", "b…")
    assert lines("abc", 1.0, 100, 0) == ()
    assert height("\n".join("x" * 500), 200) == height("\n".join("x" * MOST_LINES), 200)


def test_what_may_not_be_in_a_note_is_left_out_of_it() -> None:
    assert cleaned("a\tb\nc\u202e\u2066\x00\x7f👩\u200d🔬") == "a\tb\nc👩\u200d🔬"


# ---- what screen readers hear


def test_notes_are_children_of_the_canvas_for_screen_readers(bench: Bench) -> None:
    accessible.install()
    book = opened(bench, UNDER_F)
    reader = QAccessible.queryAccessibleInterface(bench.view)
    assert isinstance(reader, GraphReader)
    place = len(reader.numbers())
    note = reader.child(place)
    assert (note.text(QAccessible.Text.Name), note.role()) == ("Note: ask the lab", QAccessible.Role.Note)
    assert reader.indexOfChild(note) == place
    assert reader.childAt(note.rect().center().x(), note.rect().center().y()) is note
    assert not note.state().selected
    bench.command("next_note")
    assert note.state().selected
    assert reader.focusChild() is note
    before = reader.childCount()
    book.write((), "Remove note")
    assert reader.childCount() == before - 1
    assert (note.isValid(), note.text(QAccessible.Text.Name)) == (False, "")
