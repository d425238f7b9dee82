"""The palette of commands and the sheet of shortcuts: what they read from the menus, and what they do with it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenuBar

from starloom_gui.dialogs.command_palette import CommandPalette, meant, verbs_of
from starloom_gui.dialogs.shortcut_sheet import COLUMNS, ShortcutSheet, _dealt, sections


@pytest.fixture
def bar(appearance) -> QMenuBar:
    """Two menus, one of them with a menu in it; nothing can be undone."""
    made = QMenuBar()
    edit = made.addMenu("&Edit")
    edit.addAction("&Undo", "Ctrl+Z").setEnabled(False)
    edit.actions()[0].setStatusTip("Nothing was done yet.")
    edit.addSeparator()
    edit.addAction("Cut && paste")
    panes = made.addMenu("&View").addMenu("&Panes")
    panes.addAction("&Events", "Ctrl+2")
    panes.addAction("&Output", "Ctrl+3")
    return made


def paths(verbs) -> list[str]:
    return [verb.path for verb in verbs]


def test_verbs_are_read_from_all_menus_without_separators_and_mnemonics(bar):
    assert paths(verbs_of(bar)) == ["Edit: Undo", "Edit: Cut & paste", "View: Panes: Events", "View: Panes: Output"]
    undo = verbs_of(bar)[0]
    assert (undo.shortcut, undo.why_not) == ("Ctrl+Z", "Nothing was done yet.")


def test_every_word_has_to_be_there_and_names_that_begin_with_the_first_come_first(bar):
    verbs = verbs_of(bar)
    assert meant(verbs, " ") == verbs
    assert paths(meant(verbs, "panes EVENTS")) == ["View: Panes: Events"]
    assert paths(meant(verbs, "o")) == ["View: Panes: Output", "Edit: Undo"]
    assert meant(verbs, "panes undo") == []


def test_a_misspelt_word_finds_what_looks_most_like_it(bar: QMenuBar) -> None:
    assert paths(meant(verbs_of(bar), "panse evnts")) == ["View: Panes: Events"]


def test_a_verb_is_found_stepped_to_and_done_by_keys(app, appearance, bar):
    done: list[str] = []
    for verb in verbs_of(bar):
        verb.action.triggered.connect(lambda _=False, path=verb.path: done.append(path))
    palette = CommandPalette(verbs_of(bar), appearance)
    palette.open()
    QTest.keyClicks(palette.line, "panes")
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageDown):  # over neither end
        QTest.keyClick(palette.line, key)
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert done == ["View: Panes: Output"]
    assert not palette.isVisible()


def test_what_is_not_possible_says_why_and_is_not_done(app, appearance, bar):
    palette = CommandPalette(verbs_of(bar), appearance)
    palette.open()
    QTest.keyClicks(palette.line, "undo")
    said = palette.rows.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "Edit: Undo. Ctrl+Z. Nothing was done yet."
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert palette.isVisible()
    QTest.keyClicks(palette.line, "nothing is called that")
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert palette.isVisible()


def test_what_is_possible_is_selected_before_what_is_not(app, appearance, bar):
    done: list[str] = []
    for verb in verbs_of(bar):
        verb.action.triggered.connect(lambda _=False, path=verb.path: done.append(path))
    palette = CommandPalette(verbs_of(bar), appearance)
    palette.open()
    assert palette.rows.currentIndex().data() == "Edit: Cut & paste"
    QTest.keyClicks(palette.line, "edit")
    assert palette.rows.currentIndex().data() == "Edit: Cut & paste"
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert done == ["Edit: Cut & paste"]


def test_verbs_that_go_meanwhile_are_not_offered_any_more(app, appearance, bar):
    palette = CommandPalette(verbs_of(bar), appearance)
    palette.open()
    bar.actions()[1].menu().actions()[0].menu().clear()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    model = palette.rows.model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["Edit: Undo", "Edit: Cut & paste"]
    palette.grab()  # nor painted


def test_the_sheet_has_the_verbs_that_have_keys_by_menu_and_then_the_views(bar):
    found = sections(verbs_of(bar))
    assert found[:2] == [("Edit", [("Undo", "Ctrl+Z")]), ("Panes", [("Events", "Ctrl+2"), ("Output", "Ctrl+3")])]
    assert [title for title, _ in found[2:]] == [
        *(
            "In the graph",
            "Editing the graph",
            "In the timeline and in tables",
            "In the plots",
            "In the grid of runs",
            "In the history",
        )
    ]
    assert all(name and keys for _, rows in found for name, keys in rows)


def test_columns_hold_every_section_once_in_order_and_none_is_twice_its_share():
    given = [(str(at), [("name", "key")] * count) for at, count in enumerate((9, 2, 2, 7, 1, 3, 8, 4, 6))]
    columns = _dealt(given)
    assert [section for column in columns for section in column] == given
    heights = [sum(len(rows) + 2 for _, rows in column) for column in columns]
    assert len(heights) == COLUMNS
    assert max(heights) < 2 * sum(heights) / COLUMNS


def test_the_sheet_shows_every_key_and_escape_closes_it(app, appearance, bar):
    sheet = ShortcutSheet(verbs_of(bar), appearance)
    sheet.open()
    words = {label.text() for label in sheet.findChildren(QLabel)}
    assert {"Undo", "Ctrl+Z", "Events", "Ctrl+2"} < words
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    assert not sheet.isVisible()


def test_the_keys_of_a_column_stand_below_each_other(app, appearance, bar):
    bar.addMenu("&Help").addAction("What everything here is about", "F12")
    bar.addMenu("&More").addAction("So", "Ctrl+Shift+F11")
    sheet = ShortcutSheet(verbs_of(bar), appearance)
    sheet.open()
    app.processEvents()
    at = {label.text(): label.mapTo(sheet, QPoint()) for label in sheet.findChildren(QLabel)}
    assert at["So"].x() == at["What everything here is about"].x(), "one column"
    assert at["Ctrl+Shift+F11"].x() == at["F12"].x()


def test_the_sheet_is_no_larger_than_the_screen_and_scrolls_to_the_rest(app, appearance, bar):
    sheet = ShortcutSheet(verbs_of(bar), appearance)
    sheet.open()
    app.processEvents()
    assert sheet.height() <= sheet.screen().availableGeometry().height()
    assert sheet.width() <= sheet.screen().availableGeometry().width()
    hidden = sheet.keys.widget().size() - sheet.keys.viewport().size()
    assert sheet.keys.verticalScrollBar().maximum() == max(0, hidden.height())
    assert sheet.keys.horizontalScrollBar().maximum() == max(0, hidden.width())
    sheet.close()


def test_what_would_be_undone_is_no_menu_though_it_holds_a_colon(app, bar):
    undo = next(one.action for one in verbs_of(bar) if one.name == "Undo")
    undo.setText("Undo “Pin to device: package”")
    assert sections(verbs_of(bar))[0] == ("Edit", [("Undo “Pin to device: package”", "Ctrl+Z")])
