"""The field that a note is written in: where it stands, and what Escape does to what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from tests.gui.canvas.editing import let_go
from tests.gui.canvas.looking import shown_in
from tests.gui.canvas.test_notes import CONTROL, UNDER_F, opened, verbs, write

from starloom_gui.canvas.note_field import LEAST

if TYPE_CHECKING:
    from tests.gui.canvas.editing import Bench

Key = Qt.Key


def give_up(bench: Bench) -> None:
    """Press Escape in the open field."""
    field = verbs(bench).field
    assert field is not None
    QTest.keyClick(field, Key.Key_Escape)
    let_go(bench.view)


def test_escape_leaves_what_was(bench: Bench) -> None:
    book = opened(bench, UNDER_F)
    bench.command("next_note", Key.Key_Return)
    write(bench, "other", Key.Key_Escape)
    give_up(bench)
    assert book.notes == (UNDER_F,)
    verbs(bench).add()
    write(bench, "other", Key.Key_Escape)
    give_up(bench)
    assert book.notes == (UNDER_F,)
    assert not book.steps


def test_escape_throws_nothing_away_without_a_word(bench: Bench) -> None:
    book = opened(bench)
    verbs(bench).add()
    field = verbs(bench).field
    assert field is not None
    QTest.keyClicks(field, "ask Ann")
    QTest.keyClick(field, Key.Key_Escape)
    assert verbs(bench).field is field
    assert field.accessibleDescription().startswith("Escape once more")
    QTest.keyClicks(field, " first")
    QTest.keyClick(field, Key.Key_Escape)
    assert verbs(bench).field is field, "there is more to lose by now"
    QTest.keyClick(field, Key.Key_Return, CONTROL)
    let_go(bench.view)
    assert [note.text for note in book.notes] == ["ask Ann first"]


def test_what_a_new_note_is_written_in_covers_no_task(bench: Bench) -> None:
    opened(bench)
    scale = bench.view.transform().m11()
    below = bench.middle("a") + QPoint(0, round(120 * scale))  # clear of the note itself, not of the field
    bench.drag(bench.middle("c"), below)
    let_go(bench.view)
    bench.select("a")
    verbs(bench).add()
    box = verbs(bench)._written
    field = QRectF(box.x(), box.y(), max(box.width(), LEAST[0]), max(box.height(), LEAST[1]))
    layout = shown_in(bench.view).layout
    for (x, y), (wide, high) in zip(layout.positions.tolist(), layout.sizes.tolist(), strict=True):
        assert not field.intersects(QRectF(x - wide / 2, y - high / 2, wide, high))
