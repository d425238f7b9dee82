"""The inspector in its room: languages, and whatever is long or does not fit."""

from __future__ import annotations

from PySide6.QtCore import QTranslator
from tests.driver import task
from tests.gui.panels.test_inspector import Stage, foreseen
from typing_extensions import override

from starloom.constellation.edits import AddTask


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
