"""Searching output in the lines above those that are shown, which are in the task's file alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.panels.printing_task import Printing

from starloom_gui.models import output_lines
from starloom_gui.panels import output_earlier, output_source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starloom_gui.theme.appearance import Appearance

MANY = 30_000


@pytest.fixture
def printed(app, appearance: Appearance, tmp_path: Path) -> Iterator[Printing]:
    """A task that has printed the numbers below `MANY`, each 100th in red."""
    with Printing(appearance, tmp_path, hears=False) as it:
        it.say("".join(f"\x1b[31mno {n}\x1b[0m\n" if n % 100 == 0 else f"no {n}\n" for n in range(MANY)))
        it.select("fuzz")
        yield it


def seek(it: Printing, sought: str) -> None:
    it.pane.search.field.setText(sought)


def test_what_is_not_in_the_lines_that_are_shown_is_found_above_them(printed, qtbot):
    pane = printed.pane
    seek(printed, "no 12300")
    assert pane.search.count.text() == "Not in these lines"
    assert pane.seeking.button.isVisible()
    assert pane.seeking.button.text() == "Search earlier lines"
    pane.seeking.button.click()
    qtbot.waitUntil(lambda: pane.search.count.text() == "1 of 1 in these lines")
    assert printed.shown()[0] == "no 12280", "with some of the lines before it, and without a gap below it"
    assert printed.shown() == [f"no {n}" for n in range(12280, MANY)]
    assert pane.lines.line(pane.view.marks.caret.line - pane.lines.dropped).text == "no 12300"
    assert not pane.seeking.button.isVisible()


def test_return_in_the_field_searches_on_above(printed, qtbot):
    seek(printed, "no 299")
    assert printed.pane.search.count.text() != "Not in these lines"
    seek(printed, "no 7777")
    QTest.keyClick(printed.pane.search.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: printed.pane.search.count.text() == "1 of 1 in these lines")


def test_what_is_nowhere_is_said_to_be_nowhere(printed, qtbot, monkeypatch):
    monkeypatch.setattr(output_earlier, "_AT_ONCE", 1000)
    seek(printed, "yes")
    printed.pane.seeking.button.click()
    assert printed.pane.seeking.button.text() == "Stop searching"
    qtbot.waitUntil(lambda: printed.pane.search.count.text() == "Nothing found")
    assert not printed.pane.seeking.button.isVisible()
    assert len(printed.pane.lines) == output_lines.MOST_LINES, "none was loaded for it"


def test_it_can_be_stopped_and_begun_again(printed, qtbot, monkeypatch):
    monkeypatch.setattr(output_earlier, "_AT_ONCE", 10)
    seek(printed, "no 00")
    printed.pane.seeking.button.click()
    printed.pane.seeking.button.click()
    assert printed.pane.seeking.button.text() == "Search earlier lines"
    assert printed.pane.search.count.text() == "Not in these lines"
    monkeypatch.setattr(output_earlier, "_AT_ONCE", 1_000_000)
    printed.pane.seeking.button.click()
    qtbot.waitUntil(lambda: printed.pane.search.count.text() == "Nothing found")


def test_what_is_too_far_up_to_be_shown_is_said_with_its_place(printed, qtbot, monkeypatch):
    monkeypatch.setattr(output_source, "MOST_EVER", output_lines.MOST_LINES + 500)
    seek(printed, "no 12345")
    printed.pane.seeking.button.click()
    qtbot.waitUntil(lambda: printed.pane.trouble.isVisible())
    said = printed.pane.trouble.words.text()
    assert said == "It is in the task's file, 7655 line(s) above these, which is too far to be shown."


def test_other_output_is_not_searched_for_what_was_asked_of_this_one(printed, qtbot, monkeypatch):
    monkeypatch.setattr(output_earlier, "_AT_ONCE", 10)
    seek(printed, "no 12345")
    printed.pane.seeking.button.click()
    printed.say("x\n", task="unit hal")
    printed.select("unit hal")
    assert printed.shown() == ["x"]
    assert not printed.pane.seeking.button.isVisible()
    assert printed.pane.search.count.text() == "Nothing found"


def test_matches_are_said_to_be_those_of_the_lines_that_are_shown(printed):
    seek(printed, printed.shown()[5])
    assert printed.pane.search.count.text() == "1 of 1 in these lines"
