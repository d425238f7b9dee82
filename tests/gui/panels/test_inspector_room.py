"""The inspector in its room: languages, and whatever is long or does not fit."""

from __future__ import annotations

from PySide6.QtCore import QTranslator
from tests.driver import Driver, plan, task
from tests.gui.panels.fleets import ByHand
from tests.gui.panels.test_inspector import Stage, foreseen, inspector
from tests.gui.timeline.scenes import projection
from typing_extensions import override

from starloom.constellation.edits import AddTask
from starloom.foresight.estimates import Estimate, Source
from starloom.foresight.projection import TaskForecast
from starloom_gui.comparing.earlier import Earlier
from starloom_gui.selection import Selection


def test_another_language_is_read_at_once(app, appearance):
    class Backwards(QTranslator):
        @override
        def isEmpty(self):
            return False

        @override
        def translate(self, context, source, disambiguation=None, n=-1):
            return source[::-1] if source == "Attempts" else None

    stage = Stage(appearance, app, "coverage")
    translator = Backwards()
    app.installTranslator(translator)
    try:
        app.processEvents()
        assert stage.inspector.attempts.heading.text() == "stpmettA"
    finally:
        app.removeTranslator(translator)
        app.processEvents()
    assert stage.inspector.attempts.heading.text() == "Attempts"


def test_it_fits_where_the_window_has_it_without_a_scroll_bar(app, appearance):
    stage = Stage(appearance, app, "coverage")
    foreseen(stage)
    assert not stage.inspector.verticalScrollBar().isVisible()
    assert list(stage.buttons(stage.inspector.head)) == ["Start next", "Hold", "Skip", ""]


def test_a_long_name_does_not_widen_the_pane(app, appearance):
    stage = Stage(appearance, app)
    stage.driver.edit(AddTask(task("x" * 300)))
    stage.select("x" * 300)
    assert stage.inspector.widget().width() <= 296


def test_what_does_not_fit_is_scrolled_to_and_never_pressed_together(app, appearance):
    driver, selection = Driver(), Selection()
    run = driver.create(plan([task("a"), task("b")], ["a>b"]))
    driver.end("a")
    shown = inspector(driver, ByHand(driver), selection, appearance)
    shown.set_projection(projection(run, {"b": TaskForecast("b", 0.0, 9.0, "d", Estimate(9.0, Source.DECLARED), 0.0)}))
    selection.select(run.graph.place["b"])
    shown.compare(Earlier(run, driver.scheduler.now, "the same"))
    shown.resize(296, 300)
    for _ in range(3):  # layouts tell each other one after the other
        app.processEvents()
    part = shown.compared
    assert part.isVisible()
    assert part.height() >= max(part.minimumSizeHint().height(), part.heightForWidth(part.width()))
    assert shown.verticalScrollBar().maximum() > 0
