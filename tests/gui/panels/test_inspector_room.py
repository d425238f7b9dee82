"""The inspector in its room: languages, and whatever is long or does not fit."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTranslator
from PySide6.QtWidgets import QLabel
from tests.driver import Driver, plan, task
from tests.gui.panels.fleets import ByHand
from tests.gui.panels.test_inspector import InspectorBench, foreseen, inspector
from tests.gui.timeline.scenes import projection
from typing_extensions import override

from starloom.constellation.edits import AddTask
from starloom.foresight.estimates import Estimate, EstimateSource
from starloom.foresight.projection import TaskForecast
from starloom_gui.diff.baseline_run import BaselineRun
from starloom_gui.theme.fonts import Role, font
from starloom_gui.viewmodel.selection import Selection
from starloom_gui.widgets.value_editor import Value


def test_another_language_is_read_at_once(app, appearance):
    class Backwards(QTranslator):
        @override
        def isEmpty(self):
            return False

        @override
        def translate(self, context, source, disambiguation=None, n=-1):
            return source[::-1] if source == "Attempts" else None

    bench = InspectorBench(appearance, app, "coverage")
    translator = Backwards()
    app.installTranslator(translator)
    try:
        app.processEvents()
        assert bench.inspector.attempts.heading.text() == "stpmettA"
    finally:
        app.removeTranslator(translator)
        app.processEvents()
    assert bench.inspector.attempts.heading.text() == "Attempts"


def test_it_fits_where_the_window_has_it_without_a_scroll_bar(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    bench.inspector.resize(296, 1040)
    foreseen(bench)
    app.processEvents()
    assert not bench.inspector.verticalScrollBar().isVisible()
    assert list(bench.buttons(bench.inspector.head)) == ["Prioritise", "Hold", "Skip", ""]


def test_a_long_name_does_not_widen_the_pane(app, appearance):
    bench = InspectorBench(appearance, app)
    bench.driver.edit(AddTask(task("x" * 300)))
    bench.select("x" * 300)
    assert bench.inspector.widget().width() <= 296


def test_in_a_narrow_pane_names_of_parents_are_whole_and_lie_beside_what_they_gave(app, appearance):
    driver, selection = Driver(), Selection()
    run = driver.create(plan([task("unit hal"), task("b")], ["unit hal>b"]))
    driver.end("unit hal", value={"lines": 0.91})
    shown = inspector(driver, ByHand(driver), selection, appearance)
    selection.select(run.graph.place["b"])
    for width, has_time in ((240, False), (296, True)):
        shown.resize(width, 500)
        for _ in range(3):  # layouts tell each other one after the other
            app.processEvents()
        labels = [one for one in shown.parents.findChildren(QLabel) if one.isVisible() and one.text()]
        name = next(one for one in labels if one.text() == "unit hal")
        value = next(one for one in labels if "0.91" in one.text())
        assert name.width() >= name.sizeHint().width()
        assert name.geometry().right() < value.x()
        assert any(one.text().count(":") == 2 for one in labels) is has_time


def test_a_value_that_is_too_long_loses_its_middle_and_not_half_a_letter(app, appearance):
    shown = Value()
    shown.setFont(font(Role.MONOSPACE))
    shown.resize(120, 24)
    pictures = []
    for words in ("starloom_resources.demo_coverage", "starloom_resources.demo_coveragE"):
        shown.setText(words)
        shown.setCursorPosition(0)
        pictures.append(shown.grab().toImage())
    assert pictures[0] != pictures[1], "its end is in sight"


def test_what_does_not_fit_is_scrolled_to_and_never_pressed_together(app, appearance):
    driver, selection = Driver(), Selection()
    run = driver.create(plan([task("a"), task("b")], ["a>b"]))
    driver.end("a")
    shown = inspector(driver, ByHand(driver), selection, appearance)
    shown.set_projection(
        projection(run, {"b": TaskForecast("b", 0.0, 9.0, "d", Estimate(9.0, EstimateSource.DECLARED), 0.0)})
    )
    selection.select(run.graph.place["b"])
    shown.compare(BaselineRun(run, driver.scheduler.now, "the same"))
    shown.resize(296, 300)
    for _ in range(3):  # layouts tell each other one after the other
        app.processEvents()
    part = shown.compared
    assert part.isVisible()
    assert part.height() >= max(part.minimumSizeHint().height(), part.heightForWidth(part.width()))
    assert shown.verticalScrollBar().maximum() > 0


def test_nothing_is_shown_and_hidden_again_while_events_come(app, appearance):
    class Turned(QObject):
        """Sees what is shown and hidden."""

        def __init__(self) -> None:
            super().__init__()
            self.seen: list[str] = []

        @override
        def eventFilter(self, watched, event):
            if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
                self.seen.append(type(watched).__name__)
            return False

    bench = InspectorBench(appearance, app, "coverage")
    turned = Turned()
    for part in bench.inspector._parts():
        part.installEventFilter(turned)
    for _ in range(3):
        bench.inspector.refresh()
        app.processEvents()
    assert not turned.seen, "what is below would jump"
