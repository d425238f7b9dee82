"""The Changes pane and the strip over the canvas: what is staged in words, by mouse and by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QWidget
from tests.driver import edge, task
from tests.gui.editing.foreseeing import Foresight, lab
from tests.gui.editing.run_editor_bench import RunEditorBench
from tests.gui.event_loop.loops import run_on
from tests.waiting import until

from starloom.constellation.edits import (
    AddDependency,
    AddTask,
    RemoveDependency,
    RemoveTask,
    UpdateDependency,
    UpdateTask,
)
from starloom_gui.editing.base import Mode
from starloom_gui.editing.change_words import change_of
from starloom_gui.event_loop import QtEventLoop
from starloom_gui.panels.changes import ChangesPane
from starloom_gui.panels.staged_strip import StagedStrip
from starloom_gui.specs.action_spec import Verb, Verdict
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.theme.metrics import NARROW_INSPECTOR_WIDTH, STRIP
from starloom_gui.viewmodel.selection import Selection
from starloom_gui.viewmodel.stage import Stage
from starloom_gui.widgets.controls import ElidedButton

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication

    from starloom_gui.editing.change_words import StagedChange


class Shown:
    """The pane and, over a canvas, the strip."""

    def __init__(self, app: QApplication, appearance: Appearance, what_if: Foresight | None = None) -> None:
        self.app, self.appearance = app, appearance
        self.bench = RunEditorBench(Mode.STAGED, what_if, what_if.driver if what_if is not None else lab())
        self.selection = Selection()
        self.pane = self.made()
        self.over = QWidget()
        self.over.resize(900, 500)
        self.strip = StagedStrip(self.over, self.bench.editor, appearance, lambda at: at)
        for widget in (self.pane, self.over):
            widget.show()
        app.processEvents()

    def made(self) -> ChangesPane:
        editor, now = self.bench.editor, lambda: self.bench.driver.now
        pane = ChangesPane(editor, self.appearance, self.selection, now, lambda at: at)
        pane.resize(296, 800)
        return pane

    def picture(self, pane: ChangesPane) -> QImage:
        assert QTest.qWaitForWindowExposed(pane.window(), 30_000)
        self.app.processEvents()
        # Wherever an earlier test left it: rows below it are raised.
        QCursor.setPos(pane.mapToGlobal(pane.rect().bottomRight()))
        self.app.processEvents()
        keys = pane.focusWidget()
        if keys is not None:  # only one window can have it
            keys.clearFocus()
        return pane.grab().toImage()

    def settled(self) -> Shown:
        """What was made anew is shown once Qt has had its turn."""
        self.app.processEvents()
        return self

    def texts(self) -> list[str]:
        labels = self.pane.findChildren(QLabel) + self.pane.findChildren(QPushButton)
        return [label.text() for label in labels if label.isVisibleTo(self.pane)]

    def five(self) -> None:
        """What the mock-up stages."""
        bench = self.bench
        bench.do(RemoveTask("soak"), label="Remove soak it")
        bench.add("x", name="soak 1/2", device="lab-b", timeout=300)
        bench.do(AddDependency(edge("flash", "x")), AddDependency(edge("x", "report")), label="Connect soak 1/2")
        bench.do(UpdateTask("power", timeout=300), label="Timeout")
        bench.do(AddDependency(edge("power", "report", "always")), label="Connect")
        self.app.processEvents()

    def titles(self) -> list[str]:
        return [row.change.title for row in self.pane.rows.rows]


@pytest.fixture
def shown(app: QApplication, appearance: Appearance) -> Shown:
    return Shown(app, appearance)


def words(bench: RunEditorBench) -> list[StagedChange]:
    after = bench.editor.facts()
    assert after is not None
    problems = bench.editor.staging.problems
    return [change_of(one, bench.run().graph, after.graph, problems.get(one.key, ())) for one in bench.editor.steps]


# ---- in words


def test_steps_are_told_in_words() -> None:
    bench = RunEditorBench(Mode.STAGED, driver=lab())
    bench.do(RemoveTask("soak"))
    bench.add("x", "flash", name="soak 1/2", device="lab-b", timeout=300)
    bench.do(AddDependency(edge("x", "report", "always")))
    bench.do(UpdateTask("power", timeout=300))
    bench.do(UpdateDependency(edge("flash", "power", "failure")))
    told = [(one.sign, one.title, one.detail, one.becomes) for one in words(bench)]
    assert told == [
        (Stage.REMOVED, "soak it", "task, 2 dependenc(y|ies)", ""),
        (Stage.ADDED, "soak 1/2", "task on lab-b · timeout 5m · 1 dependenc(y|ies)", ""),
        (Stage.ADDED, "soak 1/2 → report", "dependency always", ""),
        (Stage.CHANGED, "power", "timeout 10m", "5m"),
        (Stage.CHANGED, "flash it → power", "dependency on success", "on failure"),
    ]


def test_steps_of_several_edits_are_one_row() -> None:
    bench = RunEditorBench(Mode.STAGED, driver=lab())
    bench.do(*(AddTask(task(id)) for id in "uvwxy"), label="Paste")
    bench.do(UpdateTask("soak", timeout=5), UpdateTask("power", timeout=5), label="Timeout")
    bench.do(UpdateTask("report", timeout=5, retry=2), label="Fields")
    bench.do(RemoveDependency("soak", "report"), AddDependency(edge("power", "report")), label="Reconnect")
    told = [(one.sign, one.title, one.detail, one.becomes) for one in words(bench)]
    assert told == [
        (Stage.ADDED, "5 task(s)", "u, v, w and 2 more", ""),
        (Stage.CHANGED, "2 task(s)", "timeout", "5s"),
        (Stage.CHANGED, "report", "timeout, attempts", ""),
        (Stage.CHANGED, "2 dependenc(y|ies)", "Reconnect", ""),
    ]


# ---- the pane


def test_nothing_staged_says_what_will_be_here_and_how_to_begin(shown: Shown) -> None:
    assert any("Nothing is staged" in text for text in shown.texts())
    shown.bench.editor.set_mode(Mode.LIVE)
    assert any("take effect at once" in text for text in shown.texts())
    QTest.mouseClick(shown.pane.stage, Qt.MouseButton.LeftButton)
    assert shown.bench.editor.mode is Mode.STAGED


def test_the_list_grows_with_what_is_staged_and_says_against_what(shown: Shown) -> None:
    shown.five()
    assert shown.titles() == ["soak it", "soak 1/2", "2 dependenc(y|ies)", "power", "power → report"]
    assert "Against revision 0" in shown.texts()
    assert "No cycle" in shown.texts()


def test_a_click_selects_what_a_change_is_about_ghosts_too(shown: Shown) -> None:
    shown.five()
    after, run = shown.bench.editor.facts(), shown.bench.run()
    assert after is not None
    for at, number in ((0, run.graph.place["soak"]), (1, after.graph.place["x"])):
        QTest.mouseClick(shown.pane.rows.rows[at], Qt.MouseButton.LeftButton, pos=QPoint(60, 20))
        assert shown.selection.now.numbers == {number}
        assert [row.is_selected for row in shown.pane.rows.rows].index(True) == at


def test_the_cross_drops_a_change_by_mouse(shown: Shown) -> None:
    shown.five()
    cross = shown.pane.rows.rows[3].findChild(QToolButton)
    assert isinstance(cross, QToolButton)
    assert cross.accessibleName() == "Drop “power”"
    QTest.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert "power" not in shown.titles()


def test_rows_are_walked_and_dropped_by_keyboard(shown: Shown) -> None:
    shown.five()
    rows = shown.pane.rows.rows
    rows[1].setFocus()
    QTest.keyClick(rows[1], Qt.Key.Key_Return)
    QTest.keyClick(rows[1], Qt.Key.Key_Down)
    assert shown.pane.focusWidget() is rows[2]
    QTest.keyClick(rows[2], Qt.Key.Key_Delete)
    assert shown.titles() == ["soak it", "soak 1/2", "power", "power → report"]
    assert shown.pane.focusWidget() is shown.pane.rows.rows[2], "the keyboard stays in the list"


def test_a_change_that_no_longer_fits_says_why_and_can_be_dropped_or_meant(shown: Shown) -> None:
    shown.five()
    shown.bench.driver.edit(UpdateTask("power", timeout=9), origin="agent")
    shown.bench.tell()
    row = shown.pane.rows.rows[3]
    assert "agent changed 'power' in revision 1" in row.accessibleDescription()
    keep = next(each for each in row.findChildren(QPushButton) if each.text() == "Keep mine")
    assert "Somebody else has changed the same" in shown.settled().texts()
    QTest.mouseClick(keep, Qt.MouseButton.LeftButton)
    assert not shown.bench.editor.staging.problems
    assert not shown.pane.rows.rows[3].change.problem


def test_all_that_no_longer_fits_is_dropped_at_once(shown: Shown) -> None:
    shown.five()
    shown.bench.driver.edit(RemoveTask("power"), origin="agent")
    shown.bench.tell()
    assert len(shown.bench.editor.staging.problems) == 2
    QTest.mouseClick(shown.pane.drop_unfit, Qt.MouseButton.LeftButton)
    assert shown.titles() == ["soak it", "soak 1/2", "2 dependenc(y|ies)"]


def test_effect_and_path_are_shown_once_they_are_foreseen(app: QApplication, appearance: Appearance) -> None:
    async def main() -> None:
        shown = Shown(app, appearance, Foresight(lab()))
        shown.bench.do(UpdateTask("soak", simulate={"duration": 40}))
        await until(lambda: "Foreseeing…" in shown.texts())
        await until(lambda: {"Finish", "2:50", "1:50", "flash it, soak it, report"} <= set(shown.texts()))
        assert shown.strip._gain.text() == "1 min earlier"
        shown.bench.editor.close()

    run_on(QtEventLoop, main)


def test_of_changes_of_which_none_fits_any_more_nothing_is_being_foreseen(
    app: QApplication, appearance: Appearance
) -> None:
    async def main() -> None:
        shown = Shown(app, appearance, Foresight(lab()))
        shown.bench.do(UpdateTask("soak", simulate={"duration": 40}))
        await until(lambda: "Foreseeing…" in shown.texts())
        assert shown.strip._finish.isVisible()
        shown.bench.driver.edit(RemoveTask("soak"), origin="agent")
        shown.bench.tell()
        await until(lambda: "Foreseeing…" not in shown.texts())
        assert not shown.strip._finish.isVisible()
        shown.bench.editor.close()

    run_on(QtEventLoop, main)


def test_the_history_goes_back_and_forth_with_a_click(shown: Shown) -> None:
    shown.bench.editor.set_mode(Mode.LIVE)
    shown.bench.add("x", "soak")
    shown.bench.steer(Verb.HOLD, "soak", label="Hold soak it")
    shown.settled()
    steps = {each.words: each for each in shown.pane.history.findChildren(ElidedButton) if not each.isHidden()}
    assert set(steps) == {"Hold soak it", "Add x", "As it was at first"}
    QTest.mouseClick(steps["As it was at first"], Qt.MouseButton.LeftButton)
    shown.bench.settle()
    assert "x" not in shown.bench.run().graph
    assert not shown.bench.run().held


def test_a_long_history_has_its_first_state_and_a_button_for_the_steps_between(shown: Shown) -> None:
    shown.bench.editor.set_mode(Mode.LIVE)
    for at in range(11):
        shown.bench.add(f"x{at}")
    shown.settled()

    def steps() -> list[str]:
        found = (each for each in shown.pane.history.findChildren(ElidedButton) if not each.isHidden())
        return [each.words for each in found]

    assert steps() == [*(f"Add x{at}" for at in range(10, 2, -1)), "As it was at first"]
    buttons = [one for one in shown.pane.history.findChildren(QPushButton) if one.text() == "3 earlier…"]
    assert len(buttons) == 1
    QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    shown.settled()
    assert steps() == [*(f"Add x{at}" for at in range(10, -1, -1)), "As it was at first"]
    assert not [one for one in shown.pane.history.findChildren(QPushButton) if one.isVisible() and "…" in one.text()]
    shown.bench.add("x11")
    shown.settled()
    assert len(steps()) == 13, "they stay in sight"


def test_the_history_tells_what_cannot_be_taken_back_and_why(shown: Shown) -> None:
    shown.bench.editor.set_mode(Mode.LIVE)
    shown.bench.steer(Verb.CANCEL, "soak", label="Cancel soak it")
    shown.bench.add("x")
    shown.settled()
    steps = {each.words: each for each in shown.pane.history.findChildren(ElidedButton) if not each.isHidden()}
    lasting = steps["Cancel soak it · stays"]
    assert lasting.property("look") == "undone", "it is not greyed"
    assert "It cannot be taken back: what was cancelled cannot go on." in lasting.toolTip()


def test_a_long_step_of_the_history_is_shortened_and_makes_the_pane_no_wider(shown: Shown) -> None:
    shown.bench.editor.set_mode(Mode.LIVE)
    shown.bench.steer(Verb.CANCEL, "soak", label=f"Cancel {'a task with a name of many words ' * 4}".strip())
    shown.settled()
    (step,) = (each for each in shown.pane.history.findChildren(ElidedButton) if each.words.startswith("Cancel"))
    assert "…" in step.text()
    assert step.mapTo(shown.pane, step.rect().topRight()).x() < shown.pane.width()
    assert step.words in step.toolTip().replace("\n", " ")


def test_a_pane_made_anew_shows_the_same(shown: Shown) -> None:
    shown.five()
    shown.bench.driver.edit(UpdateTask("power", timeout=9), origin="agent")
    shown.bench.tell()
    image = shown.picture(shown.pane)
    again = shown.made()
    again.show()
    assert shown.picture(again) == image


def test_a_hidden_pane_does_nothing(shown: Shown) -> None:
    shown.pane.hide()
    shown.five()
    assert not shown.pane.rows.rows
    shown.pane.show()
    assert len(shown.pane.rows.rows) == 5


def test_both_themes_are_followed(shown: Shown) -> None:
    shown.five()
    dark = shown.pane.grab().toImage(), shown.strip.grab().toImage()
    shown.appearance.choose(Theme.LIGHT)
    light = shown.pane.grab().toImage(), shown.strip.grab().toImage()
    assert all(one != other for one, other in zip(dark, light, strict=True))


# ---- the strip


def test_the_strip_comes_with_the_first_staged_step_and_goes_with_the_last(shown: Shown) -> None:
    assert not shown.strip.isVisible()
    shown.bench.add("x")
    assert shown.strip.isVisible()
    assert (shown.strip.width(), shown.strip.height()) == (900, STRIP)
    QTest.mouseClick(shown.strip.discard, Qt.MouseButton.LeftButton)
    assert not shown.strip.isVisible()
    assert not shown.bench.editor.steps


def test_commit_is_a_click(shown: Shown) -> None:
    shown.five()
    QTest.mouseClick(shown.strip.commit, Qt.MouseButton.LeftButton)
    shown.bench.settle()
    assert "x" in shown.bench.run().graph
    assert not shown.strip.isVisible()


def test_what_does_not_fit_cannot_be_committed_and_the_strip_says_so(shown: Shown) -> None:
    shown.five()
    shown.bench.driver.edit(UpdateTask("power", timeout=9), origin="agent")
    shown.bench.tell()
    assert not shown.strip.commit.isEnabled()
    assert "Drop or change" in shown.strip.commit.toolTip()
    assert shown.strip._valid.text() == "1 no longer fit(s|)"
    assert shown.strip._valid.isVisible()


def test_where_there_is_little_room_the_buttons_stay(shown: Shown) -> None:
    shown.five()
    for width in (900, 520, 360):
        shown.over.resize(width, 500)
        shown.app.processEvents()
        assert shown.strip.width() == width
        assert shown.strip.commit.geometry().right() < width
        assert shown.strip.commit.width() >= shown.strip.commit.sizeHint().width()


def test_in_a_narrow_pane_nothing_is_cut_off_at_the_right(shown: Shown) -> None:
    shown.five()
    shown.pane.resize(NARROW_INSPECTOR_WIDTH, 600)
    shown.pane.effect.title("A heading", "and words beside it, as long as in other languages")
    shown.pane._against.setText("Against a revision in a longer language")
    shown.app.processEvents()
    inside = shown.pane.widget()
    assert inside is not None
    assert inside.minimumSizeHint().width() <= shown.pane.viewport().width()


def test_of_a_run_that_is_read_from_its_journal_it_is_not_said_that_edits_take_effect(app, appearance):
    bench, said = RunEditorBench(Mode.LIVE), "This run is shown from its journal."
    now = lambda: bench.driver.now  # noqa: E731
    pane = ChangesPane(
        bench.editor, appearance, Selection(), now, lambda at: at, lambda: Verdict(False, said, "Save it.")
    )
    pane.show()
    app.processEvents()
    texts = [label.text() for label in pane.findChildren(QLabel) if label.isVisible()]
    assert f"{said} Save it." in texts
    assert not pane.stage.isVisible()
    assert not any("take effect" in text for text in texts)
