"""A failure that is a warning is seen and said as such and is not loud: on nodes, in tables, on the timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter
from tests.driver import Driver, plan, task
from tests.gui.canvas.runs import picture_of
from tests.gui.looks import looks
from tests.gui.timeline.screen import Scene

from starloom.model.task import Retry
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.canvas.badges import Badge
from starloom_gui.canvas.bundles import StatusTally
from starloom_gui.canvas.camera import Camera
from starloom_gui.canvas.forms import paint_form
from starloom_gui.canvas.matching import Filter, matching
from starloom_gui.canvas.words import description, group_counts, group_lines
from starloom_gui.models.outline import Outline
from starloom_gui.models.task_table import TaskTable
from starloom_gui.panels.task_facts import parents_of, standing
from starloom_gui.panels.task_marks import paint_bar, paint_tile
from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.palette import DARK, LIGHT, Palette, colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.timeline import kinds
from starloom_gui.timeline.card import card_of
from starloom_gui.timeline.collect import all_bars, bars_of
from starloom_gui.timeline.spots import spot_of
from starloom_gui.viewmodel.roles import ItemRole
from starloom_gui.viewmodel.stage import Stage
from starloom_gui.viewmodel.status_forms import form_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance

IN_G = {"group": "g"}
pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def appearance(app: QApplication) -> Iterator[Appearance]:
    with looks(app, Theme.DARK) as made:
        yield made


@pytest.fixture
def driver() -> Driver:
    """Of three tasks one fails with a warning, one fails, one waits for the first one and then runs."""
    made = Driver()
    tasks = [task("soft", severity="warning", metadata=IN_G), task("hard", metadata=IN_G), task("next")]
    made.create(plan(tasks, ["soft>next"]))
    made.advance(1.0)
    made.fail("soft")
    made.fail("hard")
    return made


def test_the_picture_tells_it_apart_and_follows_as_one_made_anew_is() -> None:
    made = Driver()
    made.create(plan([task("soft", severity="warning"), task("next")], ["soft>next"]))
    followed = picture_of(made.run())
    made.fail("soft")
    followed.update([0, 1])
    fresh = picture_of(made.run())
    assert followed.status[0] == StatusForm.WARNED
    assert followed.satisfied.tolist() == [True], "it counts as satisfied"
    for one, other in zip(followed.arrays(), fresh.arrays(), strict=True):
        assert np.array_equal(one, other)


def test_a_picture_made_anew_shows_what_is_overdue() -> None:
    made = Driver()
    made.create(plan([task("slow", estimate=10.0)]))
    made.advance(100.0)
    assert made.run().overdue
    assert picture_of(made.run()).badge.tolist() == [Badge.OVERDUE]


def test_a_node_of_a_quiet_task_has_a_badge_until_it_prints() -> None:
    made = Driver()
    made.create(plan([task("mute"), task("late", estimate=10.0)]))
    made.advance(100.0)
    picture = picture_of(made.run())
    assert picture.set_quiet({0: 5.0, 1: 5.0}) == {0, 1}
    assert picture.update([0, 1]) == [0]
    assert picture.badge.tolist() == [Badge.QUIET, Badge.OVERDUE], "that it is overdue weighs more"
    assert picture.set_quiet({0: 5.0, 1: 5.0}) == frozenset(), "it is the same ones"
    assert picture.set_quiet({}) == {0, 1}
    picture.update([0, 1])
    assert picture.badge.tolist() == [Badge.NONE, Badge.OVERDUE]


def test_a_filter_for_failed_finds_both(driver: Driver) -> None:
    picture = picture_of(driver.run())
    assert matching(picture, Filter(statuses=frozenset({StatusForm.FAILED}))).tolist() == [True, True, False]


def test_words_say_that_it_is_a_warning(driver: Driver) -> None:
    run = driver.run()
    assert standing(TaskView(run, 0), driver.now).startswith("Failed, a warning · ")
    assert standing(TaskView(run, 1), driver.now).startswith("Failed · ")
    assert "soft, Failed, a warning, " in description(picture_of(run), 0, driver.now)
    assert parents_of(TaskView(run, 2))[0][0].form == StatusForm.WARNED


def test_a_folded_group_counts_them_apart(driver: Driver) -> None:
    tally = StatusTally("g", (0, 1), driver.run(), form_codes(driver.run()))
    assert group_counts(tally.counts) == ["1 Failed", "1 Failed, a warning"]
    assert group_lines(tally.counts)[0] == "1 failed"
    assert StatusTally("g", (0,), driver.run(), form_codes(driver.run())).status == StatusForm.WARNED, (
        "a warning alone does not make a group loud"
    )


def test_tables_give_its_form(driver: Driver) -> None:
    table = TaskTable(driver.run, lambda: driver.now)
    codes = {table.index(row, 0).data(ItemRole.ID): table.index(row, 0).data(ItemRole.CODE) for row in range(3)}
    assert (codes["soft"], codes["hard"]) == (StatusForm.WARNED, StatusForm.FAILED)
    outline = Outline(driver.run, lambda: driver.now)
    groups = [outline.index(row, 0) for row in range(outline.rowCount())]
    (counts,) = [found for each in groups if (found := each.data(ItemRole.COUNTS)) is not None]
    assert (counts[StatusForm.FAILED], counts[StatusForm.WARNED]) == (1, 1)


# ---- what is painted


def painted(paint: Callable[[QPainter], None], palette: Palette) -> QImage:
    image = QImage(240, 80, QImage.Format.Format_RGB32)
    image.fill(colour(palette.panel))
    painter = QPainter(image)
    paint(painter)
    painter.end()
    return image


def has(image: QImage, ink: str) -> bool:
    wanted = colour(ink).rgb()
    return any(image.pixel(x, y) == wanted for x in range(image.width()) for y in range(image.height()))


def forms(palette: Palette, form: StatusForm) -> list[QImage]:
    near, far = (Camera(scale, 1.0, 0, 0, 240, 80) for scale in (1.0, 0.1))
    node, box = QRectF(4, 4, 200, 56), QRectF(4, 4, 22, 9)
    counts = [0] * (StatusForm.WARNED + 1)
    counts[form] = 3
    return [
        painted(lambda painter: paint_form(painter, node, form, Stage.NONE, near, palette), palette),
        painted(lambda painter: paint_form(painter, box, form, Stage.NONE, far, palette), palette),
        painted(lambda painter: paint_tile(painter, QPointF(4, 4), form, palette), palette),
        painted(lambda painter: paint_tile(painter, QPointF(4, 4), form, palette, 28), palette),
        painted(lambda painter: paint_bar(painter, QRectF(4, 4, 200, 6), counts, palette), palette),
    ]


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_its_form_is_that_of_a_failure_without_its_hue(palette: Palette) -> None:
    warned, failed = forms(palette, StatusForm.WARNED), forms(palette, StatusForm.FAILED)
    for one, loud in zip(warned, failed, strict=True):
        assert has(loud, palette.status[StatusForm.FAILED].shape)
        assert not has(one, palette.status[StatusForm.FAILED].shape)
    assert has(warned[0], palette.status[StatusForm.PENDING].shape), "it warns"
    for other in (StatusForm.WAITING, StatusForm.SKIPPED, StatusForm.CANCELLED):
        assert all(one != another for one, another in zip(warned[:4], forms(palette, other)[:4], strict=True))
    nothing = painted(lambda painter: paint_tile(painter, QPointF(4, 4), StatusForm.REMOVED, palette), palette)
    assert nothing not in warned


def test_the_timeline_has_a_bar_of_its_own_for_it(driver: Driver) -> None:
    run = driver.run()
    assert [bar.kind for number in (0, 1) for _, bar in bars_of(run, 0, number)] == [kinds.WARNED, kinds.FAILED]
    at_once = sorted(int(kind) for bars in all_bars([run]).values() for kind in bars.kind[: bars.size])
    assert at_once[-2:] == [kinds.WARNED, kinds.FAILED]


@pytest.mark.parametrize("severity", ["warning", "error"])
def test_an_attempt_after_which_the_task_went_on_is_not_the_loud_one(severity: str) -> None:
    made = Driver()
    made.create(plan([task("again", severity=severity, retry=Retry(attempts=2))]))
    run = made.run()
    made.fail("again")
    assert next(bar.kind for _, bar in bars_of(run, 0, 0)) == kinds.RETRIED
    made.fail("again")
    last = kinds.WARNED if severity == "warning" else kinds.FAILED
    assert [bar.kind for _, bar in bars_of(run, 0, 0)] == [kinds.RETRIED, last]
    at_once = [int(kind) for bars in all_bars([run]).values() for kind in bars.kind[: bars.size]]
    assert at_once == [kinds.RETRIED, last]


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_the_timeline_shows_and_says_a_warning_and_what_is_overdue(appearance: Appearance, theme: Theme) -> None:
    made = Driver()
    made.create(plan([task("soft", severity="warning"), task("slow", estimate=10.0)], ["soft>slow"]))
    made.advance(60.0)
    made.fail("soft")
    scene = Scene(appearance, made.run(), size=(900, 200))
    appearance.choose(theme)
    palette = appearance.palette
    scene.now = made.now
    scene.view.refresh([0, 1])
    words = {n: card_of(scene.model, spot, made.now)[1] for n in (0, 1) if (spot := spot_of(scene.model, n))}
    assert words == {0: "Failed, a warning", 1: "Running"}
    before = scene.picture()
    assert not has(before, palette.status[StatusForm.FAILED].shape)
    made.advance(60.0)
    assert 1 in made.run().overdue
    scene.now = made.now
    scene.view.refresh([0, 1])
    spot = spot_of(scene.model, 1)
    assert spot is not None
    assert card_of(scene.model, spot, made.now)[1] == "Running, overdue"
    marked = scene.picture()
    made.run().overdue.pop(1)
    bare = scene.picture()
    assert marked != bare, "its badge"
    assert has(marked, palette.status[1].shape)
    scene.model.quiet = {1: TaskView(made.run(), 1).run.wall(made.now) - 620.0}
    silent = scene.picture()
    assert silent not in (bare, marked), "another badge"
    assert "No output for 10:20" in card_of(scene.model, spot, made.now)
