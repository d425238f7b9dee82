"""The output pane: whose output it shows, where earlier lines come from, searching, copying and saving."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton
from tests.driver import task
from tests.gui.panels.printing_task import Printing

from starloom.constellation.edits import AddTask
from starloom.model.result import Result
from starloom.scheduling.commands import AnswerGate, SkipTasks
from starloom_gui.models import output_lines
from starloom_gui.panels import output_source
from starloom_gui.panels.output_corner import OutputCorner
from starloom_gui.theme.appearance import Theme

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from starloom_gui.panels.output import OutputPane


def until_laid_out(pane: OutputPane) -> None:
    for _ in range(3):  # layouts tell each other one after the other
        QApplication.processEvents()


def sentence(pane: OutputPane) -> str:
    """What stands there instead of lines; empty: lines do."""
    return "" if pane.view.isVisible() else pane._sentence.text()


def picture(pane: OutputPane) -> QImage:
    while (focused := QApplication.focusWidget()) is not None:
        focused.clearFocus()  # only one window can have it, and it is to be seen
    return pane.grab().toImage()


def offered(pane: OutputPane) -> list[str]:
    return [one.text() for one in pane.notice.findChildren(QPushButton) if one.isVisible()]


def test_without_lines_a_sentence_says_why(app, appearance):
    with Printing(appearance) as it:
        assert sentence(it.pane) == "Select a task to see what it prints."
        it.select("coverage")
        assert sentence(it.pane) == "coverage has not begun. What it prints will appear here."
        it.select("fuzz")
        assert sentence(it.pane) == "fuzz ui has printed nothing yet."
        it.say("first\n")
        assert sentence(it.pane) == ""
        it.select("unit hal")
        assert sentence(it.pane) == "unit hal printed nothing."


def test_of_what_never_runs_nothing_is_promised(app, appearance):
    with Printing(appearance) as it:
        it.driver.edit(AddTask(task("ship", gate="ship it?")))
        it.driver.do(AnswerGate(run_id=it.run.run_id, task_id="ship", approve=True))
        it.driver.do(SkipTasks(run_id=it.run.run_id, task_ids=("coverage",)))
        it.select("ship")
        assert sentence(it.pane) == "ship is a gate: it asks a person and prints nothing."
        it.select("coverage")
        assert sentence(it.pane) == "coverage never ran, so it printed nothing."


def test_the_selected_task_is_shown_and_a_pinned_one_whatever_is_selected(app, appearance):
    with Printing(appearance) as it:
        it.say("by fuzz\n")
        it.say("by hal\n", task="unit hal")
        it.select("fuzz")
        assert it.shown() == ["by fuzz"]
        it.pane.set_pinned(True)
        it.select("unit hal")
        it.say("more\n")
        assert it.shown() == ["by fuzz", "more"]
        it.pane.set_pinned(False)
        assert it.shown() == ["by hal"]


@pytest.mark.parametrize("sought", ["", "i"])
def test_in_a_narrow_pane_nothing_lies_over_anything_and_the_name_is_whole(app, appearance, sought):
    with Printing(appearance) as it:
        it.select("fuzz")
        it.say("printing\n")
        it.pane.search.field.setText(sought)
        it.pane.resize(326, 180)
        until_laid_out(it.pane)
        assert it.pane.name.width() >= it.pane.name.sizeHint().width()
        search = it.pane.search
        parts = [it.pane.name, search.field, search.pattern, search.back, search.forth]
        shown = [(one.mapTo(it.pane, QPoint(0, 0)).x(), one.width()) for one in parts if one.isVisible()]
        assert len(shown) == (5 if sought else 3)
        assert all(left + wide <= next_left for (left, wide), (next_left, _) in pairwise(shown))
        assert shown[-1][0] + shown[-1][1] <= it.pane.width()


def test_a_new_attempt_is_followed_and_an_earlier_one_can_be_chosen(app, appearance):
    with Printing(appearance) as it:
        driver = it.driver
        it.select("coverage")
        driver.end("fuzz")
        it.say("first try\n", task="coverage")
        it.changed("coverage")
        driver.fail("coverage")
        driver.advance(30)
        it.say("second try\n", task="coverage", attempt=2)
        it.changed("coverage")
        assert it.shown() == ["second try"]
        assert it.pane.attempts.button.text() == "Attempt 2 of 2"
        menu = it.pane.attempts.open_menu(QPoint(0, 0))
        names = [action.text() for action in menu.actions() if action.text()]
        assert names[0] == "Always the last one"
        assert names[1].endswith("running")
        assert names[2].endswith("failed")
        menu.actions()[-1].trigger()
        menu.close()
        assert it.shown() == ["first try"]
        it.say("of no concern\n", task="coverage", attempt=2)
        assert it.shown() == ["first try"]
        it.select("fuzz")
        it.select("coverage")
        assert it.shown() == ["second try", "of no concern"]


def test_hidden_it_does_nothing_and_shown_again_it_knows_everything(app, appearance):
    with Printing(appearance) as it:
        it.select("fuzz")
        it.say("one\n")
        it.pane.hide()
        it.say("two\n")
        assert it.shown() == ["one"]
        it.pane.show()
        app.processEvents()
        assert it.shown() == ["one", "two"]


def test_of_more_than_memory_keeps_the_rest_is_in_the_file_and_loaded_without_a_gap(
    app, appearance, tmp_path, monkeypatch
):
    monkeypatch.setattr(output_source, "MOST_LINES", 100)
    with Printing(appearance, tmp_path) as it:
        it.pane.lines._usual = 100
        it.select("fuzz")
        for begin in range(0, 500, 50):
            it.say("".join(f"{number}\n" for number in range(begin, begin + 50)), stream="stdout")
        it.say("half a line")
        it.say("500\n", stream="stderr")
        kept = len(it.pane.lines)
        assert kept <= 110
        assert it.pane.notice.isVisible()
        assert it.pane.notice.words.text() == f"{502 - kept} earlier line(s) are in the task's file."
        assert offered(it.pane) == ["Load earlier lines", "Open the whole file"]
        top = it.shown()[0]
        it.pane.load_earlier()
        assert it.shown() == [*map(str, range(int(top) - 100, 500)), "half a line", "500"]
        for _ in range(5):
            it.pane.load_earlier()
        assert it.shown() == [*map(str, range(500)), "half a line", "500"]
        assert not it.pane.notice.isVisible()
        it.pane.open_whole()
        assert it.opened == [tmp_path / "fuzz-1.log"]


def test_what_nobody_heard_is_read_from_the_file_or_the_result(app, appearance, tmp_path):
    with Printing(appearance, tmp_path, hears=False) as it:
        it.say("".join(f"{number}\n" for number in range(output_lines.MOST_LINES + 5)))
        it.select("fuzz")
        assert len(it.pane.lines) == output_lines.MOST_LINES
        assert it.shown()[-1] == str(output_lines.MOST_LINES + 4)
        assert it.pane.notice.words.text() == "Earlier lines are in the task's file."
        it.pane.load_earlier()
        assert it.shown()[0] == "0"
        assert not it.pane.notice.isVisible()
        number = it.run.graph.place["unit hal"]
        it.run.results[number] = Result(output="the end\n", output_length=1_000)
        it.select("unit hal")
        assert it.shown() == ["the end"]
        assert it.pane.notice.words.text() == "Earlier lines were not kept."
        assert not offered(it.pane)


def test_a_file_that_cannot_be_read_is_said_above_the_pane(app, appearance, tmp_path, monkeypatch):
    def refuse(path, *_):
        raise OSError(5, "Input/output error", str(path))

    monkeypatch.setattr(output_source, "read_before", refuse)
    with Printing(appearance, tmp_path, hears=False) as it:
        it.say("x\n")
        it.select("fuzz")
        said = it.pane.trouble.words.text()
        assert said.startswith("The output file ")
        assert said.endswith("fuzz-1.log cannot be read: Input/output error.")
        assert it.pane.trouble.isVisible()


def test_a_pattern_is_found_stepped_through_and_found_in_what_comes(app, appearance):
    with Printing(appearance) as it:
        it.select("fuzz")
        it.say("error 1\nfine\nerror 22\n")
        search, finder = it.pane.search, it.pane.view.finder
        it.pane.view.input.find_asked.emit()
        search.pattern.click()
        QTest.keyClicks(search.field, r"error \d+")
        assert (finder.place, len(finder.found)) == (2, 2)
        assert search.count.text() == "2 of 2"
        QTest.keyClick(search.field, Qt.Key.Key_Return)
        assert search.count.text() == "1 of 2"
        it.say("ERROR 333\n")
        assert search.count.text() == "1 of 3"
        QTest.keyClick(search.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        assert search.count.text() == "3 of 3"
        QTest.keyClick(search.field, Qt.Key.Key_Escape)
        assert not finder.found
        assert search.count.text() == ""


def test_what_is_no_pattern_is_said_in_a_sentence(app, appearance):
    with Printing(appearance) as it:
        it.select("fuzz")
        it.say("a\n")
        it.pane.search.pattern.click()
        it.pane.search.field.setText("(")
        assert it.pane.trouble.words.text().startswith("This is not a regular expression: missing )")
        assert it.pane.search.field.property("look") == "wrong"
        it.pane.search.field.setText("(a)")
        assert not it.pane.trouble.isVisible()
        assert it.pane.search.count.text() == "1 of 1"


def test_all_lines_are_copied_without_their_colours(app, appearance):
    with Printing(appearance) as it:
        it.select("fuzz")
        it.say("\x1b[31mred\x1b[0m\nplain\n")
        it.pane.copy_all()
        assert QGuiApplication.clipboard().text() == "red\nplain"


def test_the_whole_file_is_saved_and_without_one_what_is_kept(app, appearance, tmp_path):
    whole = "x" * 3_000_000 + "\n\x1b[31mred\x1b[0m\n"
    with Printing(appearance, tmp_path) as it:
        it.select("fuzz")
        it.say(whole)
        ended = QSignalSpy(it.pane.saver.saved)
        it.pane.saver.save(tmp_path / "copy.txt")
        assert ended.count() or ended.wait(60_000)
        assert (tmp_path / "copy.txt").read_text() == whole
    with Printing(appearance) as it:
        it.select("fuzz")
        it.say("\x1b[31mred\x1b[0m\nplain\n")
        it.pane.saver.save(tmp_path / "kept.txt")
        assert (tmp_path / "kept.txt").read_text() == "red\nplain\n"


def test_what_cannot_be_saved_is_said_and_nothing_is_left_behind(app, appearance, tmp_path):
    with Printing(appearance, tmp_path) as it:
        it.select("fuzz")
        it.say("x\n")
        failed = QSignalSpy(it.pane.saver.failed)
        it.pane.saver.save(tmp_path / "no such folder" / "copy.txt")
        assert failed.count() or failed.wait(60_000)
        assert it.pane.trouble.words.text().startswith("The output was not saved to ")
        assert [path.name for path in tmp_path.iterdir()] == ["fuzz-1.log"]


def test_a_place_to_save_to_is_asked_for_without_standing_in_the_way(app, appearance, tmp_path):
    app.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    with Printing(appearance) as it:
        assert it.pane.saver.ask() is None
        it.select("fuzz")
        it.say("x\n")
        dialog = it.pane.saver.ask()
        assert isinstance(dialog, QFileDialog)
        assert dialog.selectedFiles()[0].endswith("fuzz-1.txt")
        dialog.fileSelected.emit(str(tmp_path / "chosen.txt"))
        dialog.close()
        assert (tmp_path / "chosen.txt").read_text() == "x\n"


def test_the_menu_of_the_lines_copies_what_is_selected(app, appearance):
    with Printing(appearance) as it:
        it.select("fuzz")
        it.say("one\ntwo\n")
        menu = it.pane.open_menu(QPoint(0, 0))
        entries = {action.text(): action for action in menu.actions()}
        assert not entries["Copy"].isEnabled()
        entries["Select all"].trigger()
        menu.close()
        menu = it.pane.open_menu(QPoint(0, 0))
        {action.text(): action for action in menu.actions()}["Copy"].trigger()
        menu.close()
        assert QGuiApplication.clipboard().text() == "one\ntwo"


def test_the_corner_wraps_shows_times_pins_and_goes_live(app, appearance):
    with Printing(appearance) as it:
        corner = OutputCorner(it.pane, appearance)
        it.select("fuzz")
        it.say("".join(f"{number}\n" for number in range(100)))
        corner.wrap.click()
        corner.times.click()
        assert it.pane.view.wraps
        assert it.pane.view.shows_times
        it.pane.view.verticalScrollBar().setValue(3)
        assert not corner.live.isChecked()
        corner.live.click()
        assert corner.live.isChecked()
        assert it.pane.view.is_live
        corner.live.click()
        assert corner.live.isChecked(), "only scrolling away stops it"
        corner.pin.click()
        it.select("coverage")
        assert it.shown()[0] == "0"
        corner.deleteLater()


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_a_pane_made_anew_shows_the_same(app, appearance, theme):
    appearance.choose(theme)
    with Printing(appearance) as it:
        it.select("fuzz")
        for number in range(60):
            it.say(f"\x1b[3{number % 8}m{number}\x1b[0m 日本 ✓\n", stream="stderr" if number % 7 == 0 else "stdout")
        other = it.made_anew()
        assert picture(it.pane) == picture(other)
        it.say("more\n")
        assert picture(it.pane) == picture(other)
        other.view.verticalScrollBar().setValue(5)
        assert picture(it.pane) != picture(other)
