"""A ghost can be selected like any task: no view trips over a number that the run does not have yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel
from tests.driver import RUN
from tests.gui.editing.run_editor_bench import RunEditorBench
from tests.gui.readers import SchedulerReader

from starloom_gui.editing.base import Mode
from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.gateway.changes import Changes
from starloom_gui.gateway.output import OutputHub
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.viewmodel.selection import Selection
from starloom_gui.workspace.run_layout import RunLayout
from starloom_gui.workspace.source import DocumentSource, ViewContext
from starloom_gui.workspace.views import makers_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.workspace.pane_views import View


class Silent:
    """A channel on which nobody prints."""

    def listen(self, _hear: Any) -> Any:
        return lambda: None


def made(app: QApplication, bench: RunEditorBench, selection: Selection) -> dict[str, View]:
    """The views of a run that is driven by hand."""
    source = DocumentSource(
        key=RUN,
        run_id=RUN,
        reader=SchedulerReader(lambda: bench.driver.scheduler, bench.bridge.log, RUN, lambda: bench.driver.now),
        gateway=RunGateway(bench.editor, bench.engine),
        editor=bench.editor,
        layout=RunLayout(lambda: None),
    )
    around = ViewContext(
        appearance=Appearance(app, Theme.DARK, reduced_motion=True),
        hub=OutputHub(Silent()),  # type: ignore[arg-type]  # nobody prints
        kinds=tuple,
        file_of=lambda *_: None,
    )
    return {key: make() for key, make in makers_of(source, around, selection).items()}


def remove(app: QApplication, views: dict[str, View]) -> None:
    """Delete the views."""
    for view in views.values():
        view.widget.close()
        view.widget.deleteLater()
        if view.corner is not None:
            view.corner.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_no_view_trips_over_a_ghost(app: QApplication) -> None:
    bench, selection = RunEditorBench(Mode.STAGED), Selection()
    views = made(app, bench, selection)
    for view in views.values():
        view.widget.resize(600, 400)
        view.widget.show()
        view.on_changes(Changes(run_id=RUN, everything=True))
    bench.add("x", "c")
    facts = bench.editor.facts()
    assert facts is not None
    ghost = facts.graph.place["x"]
    assert ghost >= len(bench.run().status)
    for chosen in ({ghost}, {ghost, 1}, {1}):
        selection.select_all(frozenset(chosen), ghost)
        for view in views.values():
            view.on_changes(Changes(run_id=RUN, tasks=frozenset({1, ghost}), second=True))
            view.widget.grab()
    selection.clear()
    for name in ("inspector", "queue"):  # figures are of the run, which has no ghosts
        views[name].on_changes(Changes(run_id=RUN, everything=True))
        words = [one.text() for one in views[name].widget.findChildren(QLabel)]
        count = len(bench.run().graph.place)
        assert not any(
            word in {f"{count + 1}", f"{count + 1} tasks"} or f"{count + 1} submitted" in word for word in words
        )
        assert any(word == f"{count}" or f"{count} submitted" in word for word in words)
    remove(app, views)


def test_in_staged_mode_the_fields_of_a_failed_task_say_that_a_retry_is_live(app: QApplication) -> None:
    bench, selection = RunEditorBench(Mode.LIVE), Selection()
    views = made(app, bench, selection)
    inspector = views["inspector"].widget
    inspector.resize(400, 800)
    inspector.show()
    bench.driver.fail("a")
    selection.select(bench.run().graph.place["a"])
    inspector.on_changes(Changes(run_id=RUN, everything=True))
    assert inspector.fields.aside.text() == "Enter: change and retry"
    assert not inspector.fields.value("name").isReadOnly()
    bench.editor.set_mode(Mode.STAGED)
    assert inspector.fields.aside.text() == "In Live mode only"
    assert inspector.fields.value("name").isReadOnly()
    remove(app, views)
