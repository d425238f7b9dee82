"""A timeline without attempts says what will be there, and has one button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton
from tests.gui.timeline.scenes import FLEET, Stream, projection
from tests.gui.timeline.screen import Scene

from starloom.events import RunEnded, RunStarted
from starloom.foresight.estimates import Estimate, EstimateSource
from starloom.foresight.projection import TaskForecast
from starloom.model.status import RunState
from starloom_gui.timeline.empty import empty_words
from starloom_gui.viewmodel.span import Span

if TYPE_CHECKING:
    from starloom_gui.theme.appearance import Appearance


def test_an_empty_timeline_says_what_will_be_there(appearance: Appearance) -> None:
    scene = Scene(appearance, Stream("r", ["x"], dict(FLEET)).run)
    muted = scene.appearance.palette.muted
    image = scene.picture()
    inks = {image.pixelColor(x, y).name().upper() for x in range(300, 900) for y in range(120, 160)}
    assert muted in inks


def test_an_empty_timeline_has_one_button(appearance: Appearance) -> None:
    stream = Stream("r", ["x"], dict(FLEET), started=False)
    scene = Scene(appearance, stream.run)
    action = QAction("Start run")
    started: list[bool] = []
    action.triggered.connect(lambda: started.append(True))
    scene.view.set_empty_action(action)
    (button,) = [child for child in scene.view.viewport().findChildren(QToolButton) if child.isVisible()]
    button.click()
    assert started == [True]
    stream.say(RunStarted, 0.0)
    scene.view.refresh([stream.attempt("x", ("local", 0), (1.0, 1.0, None))])
    assert not button.isVisible()


def test_a_run_that_has_been_started_is_not_offered_to_be_started(appearance: Appearance) -> None:
    stream = Stream("r", ["x"], dict(FLEET), started=False)
    scene = Scene(appearance, stream.run)
    scene.view.set_empty_action(QAction("Start run"))
    (button,) = [child for child in scene.view.viewport().findChildren(QToolButton) if child.isVisible()]
    stream.say(RunStarted, 0.0)
    scene.view.refresh()
    assert not button.isVisible()
    scene.model.project(projection(scene.run, {}))
    scene.view.changed()
    assert empty_words(scene.model).startswith("Nothing has run yet, and nothing is foreseen")
    stream.say(RunEnded, 1.0, state=RunState.CANCELLED)
    scene.view.refresh()
    assert empty_words(scene.model) == "Nothing has run."
    assert not button.isVisible()


def test_a_run_that_was_cancelled_before_its_start_is_not_offered_to_be_started(appearance: Appearance) -> None:
    stream = Stream("r", ["x"], dict(FLEET), started=False)
    stream.say(RunEnded, 1.0, state=RunState.CANCELLED)
    scene = Scene(appearance, stream.run)
    scene.view.set_empty_action(QAction("Start run"))
    assert not [child for child in scene.view.viewport().findChildren(QToolButton) if child.isVisible()]


def test_the_button_of_an_empty_timeline_looks_as_disabled_as_it_is(appearance: Appearance) -> None:
    scene = Scene(appearance, Stream("r", ["x"], dict(FLEET), started=False).run)
    action = QAction("Start run")
    scene.view.set_empty_action(action)
    (button,) = [child for child in scene.view.viewport().findChildren(QToolButton) if child.isVisible()]
    text = scene.appearance.palette.text

    def inks() -> set[str]:
        image = button.grab().toImage()
        return {image.pixelColor(x, y).name().upper() for x in range(image.width()) for y in range(image.height())}

    assert text in inks()
    action.setEnabled(False)
    assert text not in inks()


def test_all_of_a_plan_is_in_sight_once_its_tasks_get_estimates(appearance: Appearance) -> None:
    stream = Stream("p", ["x"], dict(FLEET))
    stream.run.run_started_at = None
    stream.run.sessions[:] = []
    scene = Scene(appearance, stream.run)
    scene.now = 0.0
    scene.model.project(projection(scene.run, {}))
    scene.view.changed()
    assert scene.view.span.per_px > 0.2, "minutes, as nothing is foreseen"
    forecast = TaskForecast("x", 0.0, 63.0, "local", Estimate(63.0, EstimateSource.DECLARED), 0.0)
    scene.model.project(projection(scene.run, {"x": forecast}, end=63.0))
    scene.view.changed()
    assert scene.model.is_planned
    assert scene.view.span == Span.fitted(0.0, 63.0, scene.view.plot_width())
    scene.view.zoom_in()
    zoomed = scene.view.span
    scene.model.project(projection(scene.run, {"x": forecast}, end=63.0))
    scene.view.changed()
    assert scene.view.span == zoomed
