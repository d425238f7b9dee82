"""The lines themselves: following the end or staying in place, breaking, selecting by mouse and keys, and colours."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from tests.gui.theme.test_palette import contrast

from starloom_gui.gateway.output import Piece
from starloom_gui.models.ansi import TextStyle, parse, stripped, style_after
from starloom_gui.models.output_lines import OutputLines
from starloom_gui.panels import output_find
from starloom_gui.panels.output_cells import breaks, cells, pieces, place_at, rows
from starloom_gui.panels.output_file import read_before
from starloom_gui.panels.output_find import Finder, OutputMatch
from starloom_gui.panels.output_inks import LEAST, inks
from starloom_gui.panels.output_marks import OutputPosition
from starloom_gui.panels.output_painter import MARGIN, Grid, RowPainter, found_ground, selected_ground
from starloom_gui.panels.output_rows import Rows
from starloom_gui.panels.output_view import OutputView
from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.palette import DARK, LIGHT

if TYPE_CHECKING:
    from starloom_gui.theme.appearance import Appearance

TEXTS = st.text(alphabet="ab 日✓é́\u200b", max_size=30)
PAGE = 12


def shown(appearance: Appearance, *texts: str, most: int = 10_000) -> tuple[OutputView, OutputLines]:
    lines = OutputLines(most)
    lines.show("r", "t", [Piece(1, f"{text}\n") for text in texts])
    view = OutputView(lines, appearance)
    view.resize(400, 4 + PAGE * Grid().height)
    view.show()
    view.start_over()
    return view, lines


def numbered(count: int) -> tuple[str, ...]:
    return tuple(f"line {number}" for number in range(count))


def top(view: OutputView, lines: OutputLines) -> str:
    return lines.line(view.place_of(QPoint(MARGIN, 6)).line - lines.dropped).text


def point(view: OutputView, row: int, cell: float) -> QPoint:
    grid = Grid()
    return QPoint(round(MARGIN + cell * grid.width), 4 + row * grid.height + grid.height // 2)


# ---- following, or not


def test_the_end_is_followed_until_somebody_scrolls_up_and_then_nothing_moves(app, appearance):
    view, lines = shown(appearance, *numbered(100), most=200)
    said: list[bool] = []
    view.live_changed.connect(said.append)
    assert top(view, lines) == "line 88"
    lines.append([Piece(1, "more\n")])
    assert top(view, lines) == "line 89"
    view.verticalScrollBar().setValue(50)
    for number in range(60):
        lines.append([Piece(1, f"{number}\n")])
        assert top(view, lines) == "line 50"
    assert said == [False]
    for number in range(45):
        lines.append([Piece(1, f"{number}\n")])
    assert lines.dropped == 20
    assert top(view, lines) == "line 50", "lines that go above it do not move it"
    view.go_live()
    assert said == [False, True]
    lines.append([Piece(1, "the end\n")])
    assert lines.line(len(lines) - PAGE).text == top(view, lines)


def test_what_stood_at_the_top_is_gone_and_the_oldest_line_stands_there(app, appearance):
    view, lines = shown(appearance, *numbered(100), most=100)
    view.verticalScrollBar().setValue(3)
    lines.append([Piece(1, "more\n" * 50)])
    assert top(view, lines) == "line 50"
    assert not view.is_live


def test_earlier_lines_come_above_without_moving_what_is_read(app, appearance):
    view, lines = shown(appearance, *numbered(100))
    view.marks.select_line(40)
    view.verticalScrollBar().setValue(30)
    lines.prepend("".join(f"before {number}\n" for number in range(1_000)))
    assert top(view, lines) == "line 30"
    assert view.marks.text() == "line 40"
    assert view.verticalScrollBar().value() == 1_030


def test_long_lines_are_broken_or_run_out_of_the_pane(app, appearance):
    view, _ = shown(appearance, "x" * 500, "short")
    assert view.verticalScrollBar().maximum() == 0
    assert view.horizontalScrollBar().maximum() > 400
    view.set_wraps(True)
    assert view.horizontalScrollBar().maximum() == 0
    columns = view._rows.columns
    assert columns is not None
    assert view._rows.total == -(-500 // columns) + 1
    view.resize(200, view.height())
    assert view._rows.total > -(-500 // columns) + 1
    view.verticalScrollBar().setValue(0)
    assert view.place_of(point(view, 1, 2)) == OutputPosition(0, view._rows.columns + 2)


def test_only_rows_in_sight_are_painted(app, appearance, monkeypatch):
    view, _ = shown(appearance, *numbered(10_000))
    app.processEvents()
    painted: list[int] = []
    monkeypatch.setattr(RowPainter, "paint", lambda _self, _row, y: painted.append(y))
    view.viewport().repaint()
    assert PAGE <= len(painted) <= PAGE + 1


# ---- hands


def test_text_is_selected_by_mouse_and_copied_by_key(app, appearance):
    view, _ = shown(appearance, "first line", "second line", "third")
    port = view.viewport()
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=point(view, 0, 6))
    QTest.mouseMove(port, point(view, 1, 6))
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=point(view, 1, 6))
    QTest.keySequence(view, "Ctrl+C")
    assert QGuiApplication.clipboard().text() == "line\nsecond"
    QTest.mouseClick(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, point(view, 2, 5))
    assert view.marks.text() == "line\nsecond line\nthird"
    QTest.mouseDClick(port, Qt.MouseButton.LeftButton, pos=point(view, 1, 2))
    assert view.marks.text() == "second"


def test_text_is_selected_by_keys_and_the_line_is_told_to_screen_readers(app, appearance):
    view, lines = shown(appearance, *numbered(50))
    QTest.keySequence(view, "Ctrl+Home")
    assert top(view, lines) == "line 0"
    assert view.accessibleDescription() == "line 0"
    for keys in ("Right", "Right", "Shift+Down", "Shift+End"):
        QTest.keySequence(view, keys)
    assert view.marks.text() == "ne 0\nline 1"
    QTest.keySequence(view, "PgDown")
    assert view.marks.is_empty
    assert view.accessibleDescription() == f"line {PAGE + 1}"
    QTest.keySequence(view, "Home")
    QTest.keySequence(view, "Left")
    assert view.marks.caret == OutputPosition(PAGE, len(f"line {PAGE}"))
    QTest.keySequence(view, "Ctrl+A")
    assert view.marks.text() == "\n".join(numbered(50))
    QTest.keySequence(view, "Ctrl+End")
    assert view.is_live


def test_ctrl_f_and_f3_belong_to_the_lines_while_they_have_the_focus(app, appearance):
    view, _ = shown(appearance, "a")
    asked: list[object] = []
    view.input.find_asked.connect(lambda: asked.append("find"))
    view.input.step_asked.connect(asked.append)
    for keys in ("Ctrl+F", "F3", "Shift+F3"):
        QTest.keySequence(view, keys)
    assert asked == ["find", True, False]


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_stderr_places_found_and_selected_text_are_seen(app, appearance, theme):
    appearance.choose(theme)
    lines = OutputLines()
    lines.show("r", "t", [Piece(1, "plain\n"), Piece(1, "wrong here\n", "stderr")])
    view = OutputView(lines, appearance)
    view.resize(300, 60)
    view.show()
    palette, height = appearance.palette, Grid().height

    def colours(row: int) -> Counter[str]:
        image = view.viewport().grab().toImage()
        band = range(4 + row * height, 4 + (row + 1) * height)
        return Counter(image.pixelColor(x, y).name().upper() for y in band for x in range(200))

    assert colours(0).most_common(1)[0][0] == palette.panel.upper()
    assert colours(1).most_common(1)[0][0] == palette.raised.upper()
    view.search.seek("here", is_pattern=False)
    assert palette.text.upper() in colours(1)
    view.search.seek("r", is_pattern=False)
    assert found_ground(palette).upper() in colours(1)
    view.marks.select_line(0)
    view.viewport().update()
    assert selected_ground(palette).upper() in colours(0)


# ---- colours


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_every_colour_a_task_can_ask_for_can_be_read_on_every_ground(palette):
    grounds = (palette.panel, palette.raised, selected_ground(palette), found_ground(palette))
    asked = [None, *range(16), "#000000", "#ffffff", "#808080", "#0000ff", "#ffff00"]
    for ground in grounds:
        for front in asked:
            for back in (None, *range(16), "#123456"):
                for style in (
                    TextStyle(front, back),
                    TextStyle(front, back, inverse=True),
                    TextStyle(front, back, faint=True),
                ):
                    ink, behind = inks(style, palette, ground)
                    assert contrast(ink, behind or ground) >= LEAST - 0.01


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_the_colours_of_a_theme_stay_what_they_are_on_its_panel(palette):
    made = {inks(TextStyle(foreground=code), palette, palette.panel)[0] for code in range(1, 7)}
    assert len(made) == 6


# ---- cells, rows, places


@given(TEXTS, st.integers(2, 9))
def test_a_broken_line_holds_all_of_its_text_in_rows_that_fit(text, columns):
    begins = breaks(text, columns)
    parts = [text[a:b] for a, b in zip(begins, [*begins[1:], len(text)], strict=True)]
    assert "".join(parts) == text
    assert all(cells(part) <= columns for part in parts)
    assert rows(text, columns) == len(parts)


@given(TEXTS)
def test_pieces_hold_all_of_a_text_each_at_its_cell(text):
    made = list(pieces(text, 0, 1_000))
    assert "".join(piece for _, piece in made) == text
    at = 0
    for cell, piece in made:
        assert cell == at
        at += cells(piece)


@given(TEXTS)
def test_a_place_is_found_by_its_cell(text):
    for at in range(len(text) + 1):
        found = place_at(text, cells(text[:at]))
        assert cells(text[:found]) == cells(text[:at])


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=30))
def test_rows_are_counted_as_they_would_be_anew(steps):
    kept, counted = OutputLines(), Rows()
    kept.show("r", "t")
    counted.fill((), 7)
    lines = []
    for is_added, size in steps:
        if is_added:
            kept.append([Piece(1, "x" * size + "\n")])
            lines.append(kept.line(len(kept) - 1))
            counted.append(lines[-1:])
        elif lines:
            gone = size % (len(lines) + 1)
            counted.drop_first(gone)
            del lines[:gone]
    anew = Rows()
    anew.fill(lines, 7)
    assert counted.total == anew.total
    assert [counted.line_of(row) for row in range(anew.total)] == [anew.line_of(row) for row in range(anew.total)]
    assert [counted.first_of(at) for at in range(len(lines))] == [anew.first_of(at) for at in range(len(lines))]


# ---- files and searching


@given(st.text(alphabet="ab\n", max_size=40), st.integers(1, 5))
def test_a_file_is_read_backwards_without_gap_or_overlap(tmp_path_factory, text, lines):
    path = tmp_path_factory.mktemp("output") / "file"
    path.write_text(text)
    shown_text, is_first, ends = "", False, -1
    while not is_first:
        part = read_before(path, ends, lines)
        assert len(part.text.splitlines()) <= lines
        shown_text, is_first = part.text + shown_text, part.is_first
        ends = shown_text.count("\n")
    assert shown_text == text


def test_of_very_many_places_the_last_ones_are_kept(monkeypatch, app):
    monkeypatch.setattr(output_find, "MOST_FOUND", 10)
    lines = OutputLines()
    lines.show("r", "t", [Piece(1, "a\n" * 30)])
    finder = Finder()
    finder.seek("A", is_pattern=False)
    assert not finder.is_full
    finder.seek("a", is_pattern=False)
    finder.look(0, lines.lines())
    assert [one.line for one in finder.found] == list(range(20, 30))
    assert finder.is_full
    assert finder.step(25, 0, forward=True) == OutputMatch(25, 0, 1)
    assert finder.step(25, 0, forward=False) == OutputMatch(24, 0, 1)
    finder.forget(25)
    assert finder.current is None
    assert finder.step(0, 0, forward=False) == OutputMatch(29, 0, 1)


@given(st.text(alphabet="ab\x1b[]0123456;:m\x07\\PK\x9b"), st.sampled_from([TextStyle(), TextStyle(1, bold=True)]))
def test_text_and_style_are_known_before_the_pieces_are_made(line, style):
    spans, after = parse(line, style)
    assert stripped(line) == "".join(span.text for span in spans)
    assert style_after(line, style) == after
