"""An unreachable device says since when it is and for how long it is waited for, wherever it or its tasks are shown."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QImage, QPainter
from tests.driver import Driver, plan, task
from tests.gui.looks import looks
from tests.gui.panels.fleets import ByHand, table_of
from tests.gui.timeline.screen import Scene

from starloom import events as ev
from starloom.model.status import DeviceStatus, RunState
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom.scheduling.read.suspensions import again_in
from starloom.scheduling.state.codes import PENDING
from starloom.scheduling.stimuli import DeviceConnectedNoticed, DeviceLostNoticed
from starloom_gui.models.device_table import DeviceRow
from starloom_gui.panels import device_card
from starloom_gui.panels.device_figures import description, details, standing, standings
from starloom_gui.panels.why_question import WhyQuestion
from starloom_gui.panels.why_rows import why_rows
from starloom_gui.text import translations
from starloom_gui.text.words import hour
from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.fonts import elided
from starloom_gui.theme.metrics import DEVICE_CARD
from starloom_gui.theme.palette import LIGHT
from starloom_gui.timeline.card import card_of, outage_of
from starloom_gui.timeline.spots import spot_of
from starloom_gui.viewmodel.absences import Absence
from starloom_gui.viewmodel.event_words import event_text
from starloom_gui.viewmodel.figures import chip_of, figures_of, state_words
from starloom_gui.viewmodel.lane_bars import NEVER
from starloom_gui.viewmodel.task_words import middle_line, second_line, short_line

if TYPE_CHECKING:
    from PySide6.QtGui import QFontMetricsF
    from PySide6.QtWidgets import QApplication

pytestmark = pytest.mark.usefixtures("app")


def unreachable() -> Driver:
    """`a` runs on a device that has been silent for 28 s and is waited for for ten minutes."""
    driver = Driver(slots=1)
    driver.create(plan(["a", "b"]), wall_time=1.7e9)
    driver.advance(5.0)
    driver.turn(DeviceLostNoticed("d", "no sign of life", lost_after=600.0))
    driver.advance(28.0)
    return driver


def row(driver: Driver) -> DeviceRow:
    return table_of(driver).rows[0]


def since(driver: Driver) -> str:
    return hour(RunView(driver.run()).wall(5.0), RunView(driver.run()).wall(driver.now))


def test_card_and_node_say_since_when_and_count_down() -> None:
    driver = unreachable()
    at = since(driver)
    assert re.fullmatch(r"\d\d:\d\d", at)
    assert standings(row(driver)) == (
        f"Unreachable since {at} · lost in 9:32",
        "Unreachable, lost in 9:32",
        "Lost in 9:32",
    )
    assert "counts as lost in 9:32" in description(row(driver))
    assert second_line(TaskView(driver.run(), 0), driver.now) == f"d · unreachable since {at} · lost in 9:32"
    assert middle_line(TaskView(driver.run(), 0), driver.now) == "unreachable, lost in 9:32"
    assert short_line(TaskView(driver.run(), 0), driver.now) == "lost in 9:32"
    driver.advance(1.0)
    assert standing(row(driver)) == f"Unreachable since {at} · lost in 9:31"
    assert short_line(TaskView(driver.run(), 0), driver.now) == "lost in 9:31"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_usual_card_says_that_it_is_unreachable_and_when_it_is_lost(
    spoken: QApplication, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    translations.install(spoken, language)
    shown: list[str] = []

    def noted(text: str, metrics: QFontMetricsF, width: float) -> str:
        shown.append(elided(text, metrics, width))
        return shown[-1]

    monkeypatch.setattr(device_card, "elided", noted)
    painter = QPainter(image := QImage(238, DEVICE_CARD, QImage.Format.Format_RGB32))
    device_card.paint_card(painter, image.rect(), device_card.DeviceCard(row(unreachable())), LIGHT)
    painter.end()
    assert {"en": "Unreachable, lost in 9:32", "de": "Unerreichbar, verloren in 9:32"}[language] in shown


def test_a_task_that_waits_for_it_says_so_too() -> None:
    driver = unreachable()
    driver.create(plan([task("c", device="d")]), run_id="other")
    run = driver.run("other")
    rows = why_rows(WhyQuestion(TaskView(run, 0), driver.now, ByHand(driver)), driver.why("c", "other"))
    at = hour(RunView(run).wall(5.0), RunView(run).wall(driver.now))
    assert rows[0].text == f"d is unreachable since {at} · lost in 9:32"


def test_they_say_so_no_longer_when_it_is_back_or_given_up() -> None:
    driver = unreachable()
    driver.turn(DeviceConnectedNoticed("d"))
    assert standing(row(driver)) == "Busy · 1 of 1"
    assert second_line(TaskView(driver.run(), 0), driver.now) == "d · 0:33"
    driver = unreachable()
    driver.advance(600.0)
    assert "Unreachable" not in standing(row(driver))
    assert second_line(TaskView(driver.run(), 0), driver.now) == "d · out of reach · 10:33", (
        "whether it still runs there is not known"
    )


def test_the_lane_says_so_at_the_present_and_so_do_its_tips(app: QApplication) -> None:
    driver = unreachable()
    said = f"unreachable since {since(driver)} · lost in 9:32"
    with looks(app, Theme.DARK) as appearance:
        scene = Scene(appearance, driver.run())
        scene.now = driver.now
        spot = spot_of(scene.model, 0)
        assert spot is not None
        assert said in card_of(scene.model, spot, scene.now)
        assert outage_of(scene.model, spot.row, scene.now) == [said]
        before = scene.view.grab().toImage()
        driver.turn(DeviceConnectedNoticed("d"))
        assert outage_of(scene.model, spot.row, scene.now) == []
        assert scene.view.grab().toImage() != before


def test_the_lane_of_a_plan_tells_no_time_of_it_as_its_own_begins_with_its_start(app: QApplication) -> None:
    driver = unreachable()
    run = driver.run()
    run.run_started_at, run.sessions[:] = None, [(0.0, 0.0)]
    with looks(app, Theme.DARK) as appearance:
        scene = Scene(appearance, run)
        scene.now = 0.0
        assert scene.model.is_planned
        rows = range(len(scene.model.lanes))
        assert rows
        assert [outage_of(scene.model, row, scene.now) for row in rows] == [[] for _ in rows]
        before = scene.view.grab().toImage()
        scene.view.set_absences({"d": [Absence(0.0, NEVER, "gone")]})
        assert scene.view.grab().toImage() == before
        assert scene.view.absence_at(0, 0.0) is None


# ---- suspensions


def suspended(*devices: str) -> Driver:
    """A run whose first attempts no device could begin."""
    driver = Driver(devices=())
    for name in devices:
        driver.add_device(name, slots=1, trip_after=1, cool_down=40.0)
    driver.create(plan([task("a", retry=5), task("b", retry=5)]))
    for name in [name for _, name in driver.ordered]:
        driver.end(name, faulted=True)
    return driver


def test_the_header_says_when_the_first_suspended_device_is_tried_again() -> None:
    driver = suspended("x", "y")
    assert driver.run().state is RunState.EXECUTING
    driver.now += 5.5
    figures = figures_of(RunView(driver.run()), driver.now, 0.0)
    assert state_words(figures) == "Devices suspended: again in 35 s"
    assert chip_of(figures) == PENDING


def test_a_run_that_goes_on_or_waits_for_something_else_waits_for_no_suspension() -> None:
    driver = suspended("x")
    driver.add_device("y", slots=1)
    assert again_in(driver.run(), driver.now) is None
    driver = suspended("x")
    driver.do(c.PauseRun(run_id="r"))
    assert again_in(driver.run(), driver.now) is None
    driver.do(c.ResumeRun(run_id="r"))
    assert again_in(driver.run(), driver.now) == 40.0
    driver.ask(c.HoldTasks, "a", "b")
    assert again_in(driver.run(), driver.now) is None
    driver = Driver()
    driver.create(plan("a"))
    assert again_in(driver.run(), driver.now) is None


def test_what_is_to_stop_on_it_is_told_as_unreachable_and_not_as_told() -> None:
    driver = unreachable()
    driver.do(c.CancelTasks(run_id="r", task_ids=("a",)))
    (told,) = driver.of(ev.TaskStopping)
    assert event_text(told, driver.run()) == "a is to stop"
    a = TaskView(driver.run(), 0)
    assert second_line(a, driver.now) == f"d · unreachable since {since(driver)} · stopped once it is back"
    assert short_line(a, driver.now) == "lost in 9:32"
    (reason,) = driver.why("a")
    assert reason.text == "It is to be stopped (cancelled) on d, which is unreachable: it will be told once d is back."
    driver.turn(DeviceConnectedNoticed("d", frozenset()))
    assert second_line(a, driver.now).startswith("d · stopping")
    assert driver.why("a")[0].text == "It is being stopped (cancelled) on d."


def test_of_a_device_on_which_nothing_runs_nothing_is_lost_and_its_card_says_why_it_refuses_us() -> None:
    row = DeviceRow(
        id="far",
        kind="ssh",
        status=DeviceStatus.REFUSED,
        enabled=True,
        used=0,
        slots=2,
        running=(),
        failures=0,
        heard=38.0,
        capabilities=(),
        refusal="The host key of far has changed.",
        silent_since="19:04",
        waits=567.0,
    )
    assert standings(row) == ("Refused since 19:04", "Refused")
    assert standings(replace(row, refusal="")) == ("Unreachable since 19:04", "Unreachable")
    assert standings(replace(row, used=1))[0] == "Refused since 19:04 · lost in 9:27"
    assert "lost" not in description(row)
    assert ("Why", "The host key of far has changed.") in details(row, 0)
    assert "Why" not in dict(details(replace(row, refusal=""), 0))


def test_a_long_name_of_a_device_is_shortened_rather_than_left_out() -> None:
    driver = Driver(devices=("dk-tcp://127.0.0.1:44973",))
    driver.create(plan([task("a")]))
    driver.advance(2)
    driver.end("a")
    a = TaskView(driver.run(), 0)
    assert second_line(a, driver.now) == "dk-tcp://127.0.0.1:44973 · 2.0 s"
    assert middle_line(a, driver.now) == "dk-tcp…44973 · 2.0 s"
    assert short_line(a, driver.now) == "2.0 s"
