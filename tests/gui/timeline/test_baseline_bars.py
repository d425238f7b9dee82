"""An earlier run's bars below those of the run that is shown: which lane, kept up, seen, pointed at, and gone again."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication
from tests.gui.diff.runs import BEGAN, lain_idle, now, then
from tests.gui.timeline.scenes import many, projection, put
from tests.gui.timeline.screen import CONTROL, Scene

from starloom import events as ev
from starloom.constellation.edits import RemoveTask
from starloom.foresight.estimates import Estimate, EstimateSource
from starloom.foresight.projection import TaskForecast
from starloom_gui.diff.baseline_run import BaselineRun
from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.metrics import GHOST, LANE_COLUMN
from starloom_gui.timeline.geometry import GHOST_TOP
from starloom_gui.timeline.model import TimelineModel
from starloom_gui.viewmodel.span import Span

if TYPE_CHECKING:
    from starloom.foresight.projection import Projection
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.viewmodel.lane_bars import LaneBars

AT = BEGAN + 20.0


def compared(run: RunFacts, earlier: BaselineRun | None = None) -> TimelineModel:
    model = TimelineModel(run)
    model.compare(earlier or then())
    return model


def listed(lane: LaneBars) -> list[tuple[int, int, float, float]]:
    """Whose, which task, from when to when."""
    bars = [lane.at(place) for place in range(lane.size)]
    return [(bar.run, bar.number, bar.start, bar.end) for bar in bars]


def all_ghosts(model: TimelineModel) -> dict[tuple[str, int], list[tuple[int, int, float, float]]]:
    found = {}
    for row, lane in enumerate(model.lanes):
        if model.ghosts(row).size:
            found[lane.device_id, lane.slot] = listed(model.ghosts(row))
    return found


def foreseen(run: RunFacts, device: str, start: float) -> Projection:
    sure = Estimate(10.0, EstimateSource.DECLARED)
    return projection(run, {"late": TaskForecast("late", start, start + 10.0, device, sure, 0.0)}, end=start + 10.0)


# ---- which lane


def test_a_ghost_lies_in_the_lane_of_the_same_task_and_counts_from_the_start():
    run = now().run
    a, b = (run.graph.place[name] for name in ("a", "b"))
    gone = then().run.graph.place["gone"]
    assert all_ghosts(compared(run)) == {
        ("e", 0): [(1, gone, BEGAN, BEGAN + 5.0), (0, a, BEGAN + 2.0, BEGAN + 12.0)],
        ("d", 0): [(0, b, BEGAN, BEGAN + 20.0), (0, b, BEGAN + 26.0, BEGAN + 40.0)],
    }, "`gone` has no lane of its own now: it stays where it was"


def test_a_task_that_is_to_come_has_its_ghost_where_it_is_foreseen():
    old, new = now(), now()
    old.attempt("late", ("d", 1), (BEGAN + 17.0, BEGAN + 18.0, BEGAN + 19.0))
    model = compared(new.run, BaselineRun(old.run, BEGAN + 20.0, "old"))
    late = new.run.graph.place["late"]
    assert late in [number for _, number, *_ in all_ghosts(model)["d", 1]], "where it was then"
    model.project(foreseen(new.run, "e", BEGAN + 30.0))
    assert late in [number for _, number, *_ in all_ghosts(model)["e", 0]]
    new.attempt("late", ("d", 1), (BEGAN + 20.0, BEGAN + 21.0, None))
    model.update([late])
    assert late in [number for _, number, *_ in all_ghosts(model)["d", 1]], "where it runs, whatever was foreseen"


def test_what_runs_in_an_earlier_run_that_goes_on_ends_where_it_was_read():
    old = now()
    model = compared(now().run, BaselineRun(old.run, AT, "old"))
    b = old.run.graph.place["b"]
    assert (0, b, BEGAN + 3.0, AT) in all_ghosts(model)["d", 0]


def test_before_the_run_has_started_there_are_no_ghosts_and_then_there_are():
    made = now()
    made.run.run_started_at = None
    model = compared(made.run)
    assert all_ghosts(model) == {}
    assert model.finish_then is None
    made.run.run_started_at = BEGAN
    model.update()
    assert all_ghosts(model) == all_ghosts(compared(made.run))
    assert model.finish_then == BEGAN + 60.0


def test_a_run_that_is_resumed_takes_its_ghosts_along():
    made = now()
    model = compared(made.run)
    made.say(ev.RunRecovered, 500.0, shift=300.0, wall_time=0.0)
    model.update()
    assert all_ghosts(model) == all_ghosts(compared(made.run))
    assert min(bar[2] for lane in all_ghosts(model).values() for bar in lane) == BEGAN + 300.0


def test_an_edit_may_take_the_counterpart_away():
    made = now()
    model = compared(made.run)
    before = all_ghosts(model)
    late = RemoveTask("late")
    made.say(ev.ConstellationModified, BEGAN + 18.0, revision=1, changes=(late,), inverse=(), origin="operator")
    model.update()
    assert all_ghosts(model) == all_ghosts(compared(made.run))
    assert all_ghosts(model).keys() == before.keys()


def test_ghosts_that_were_kept_up_equal_those_made_anew():
    chance = random.Random(5)
    old, run = many(400, lanes=16, seed=9), many(400, lanes=16)
    for number in range(400):
        run.device_of[number] = None
        run.status[number] = 0
    earlier = BaselineRun(old, max(old.ended_at), "old")
    kept = compared(run, earlier)
    for begin in range(0, 400, 20):
        for number in range(begin, begin + 20):
            start = number * 0.01
            put(run, number, chance.randrange(16), start, start + 0.5)
        kept.update(range(begin, begin + 20))
        fresh = compared(run, earlier)
        assert all_ghosts(kept) == all_ghosts(fresh)
    assert sum(len(lane) for lane in all_ghosts(kept).values()) == 400


# ---- seen


def scene_of(appearance: Appearance) -> Scene:
    scene = Scene(appearance, now().run, size=(900, 220))
    scene.now = AT
    scene.view.zoom_to(Span(BEGAN - 2.0, 0.1))
    return scene


def ghost_place(scene: Scene, device: str, at: float) -> QPoint:
    row = scene.model.row_of((device, 0))
    assert row is not None
    y = scene.view.geometry_now().y_of(row) + GHOST_TOP + GHOST // 2
    return QPoint(round(LANE_COLUMN + scene.view.span.x_of(at)), y)


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_ghosts_are_seen_below_their_bars_and_leave_no_trace(appearance: Appearance, theme: Theme) -> None:
    appearance.choose(theme)
    scene = scene_of(appearance)
    alone = scene.picture()
    scene.view.compare(then())
    assert scene.view.geometry_now().lane > 20
    picture, edge = scene.picture(), ghost_place(scene, "e", BEGAN + 7.0)
    outline = [picture.pixelColor(edge.x(), edge.y() + by).name() for by in (-GHOST // 2, GHOST // 2 - 1)]
    assert outline == [appearance.palette.outline.lower()] * 2
    scene.view.compare(None)
    assert scene.picture() == alone


def test_ghosts_too_narrow_for_an_outline_are_still_seen(appearance: Appearance) -> None:
    scene = scene_of(appearance)
    scene.view.compare(then())
    scene.view.zoom_to(Span(BEGAN - 300.0, 5.0))
    at = ghost_place(scene, "e", BEGAN + 7.0)
    colours = {scene.picture().pixelColor(at.x() + by, at.y()).name() for by in (-1, 0, 1, 2)}
    assert appearance.palette.outline.lower() in colours


def test_the_ghost_of_a_selected_task_stands_out(appearance: Appearance) -> None:
    scene = scene_of(appearance)
    scene.view.compare(then())
    plain, at = scene.picture(), ghost_place(scene, "d", BEGAN + 32.0)
    scene.selection.select(scene.run.graph.place["b"])
    assert scene.picture().copy(at.x() - 20, at.y() - 3, 40, 6) != plain.copy(at.x() - 20, at.y() - 3, 40, 6)


def test_fitting_shows_when_the_earlier_run_ended(appearance: Appearance) -> None:
    scene = scene_of(appearance)
    scene.view.compare(then())
    scene.view.fit()
    assert scene.view.span.x_of(BEGAN + 60.0) < scene.view.plot_width()


# ---- pointed at


def card_at(scene: Scene, at: QPoint) -> str:
    return scene.view._hits.card_at(QPointF(at))


def test_the_card_of_a_ghost_tells_the_difference(appearance: Appearance) -> None:
    scene = scene_of(appearance)
    scene.view.compare(then())
    card = card_at(scene, ghost_place(scene, "e", BEGAN + 8.0))
    assert card.startswith("<b>a</b><br>Compared with “then”")
    assert "Ran for: 0:10 → 0:15 (+5.0 s)" in card
    gone = card_at(scene, ghost_place(scene, "e", BEGAN + 1.0))
    assert gone.startswith("<b>gone</b><br>Only in “then”")
    bar = ghost_place(scene, "e", BEGAN + 8.0) - QPoint(0, 12)
    assert "Ran for: 0:10 → 0:15 (+5.0 s)" in card_at(scene, bar)
    scene.view.compare(None)
    assert "Compared" not in card_at(scene, bar)


def test_a_tooltip_is_asked_for_as_users_do(appearance: Appearance) -> None:
    scene = scene_of(appearance)
    scene.view.compare(then())
    at = ghost_place(scene, "e", BEGAN + 8.0)
    help_event = QHelpEvent(QEvent.Type.ToolTip, at, scene.view.viewport().mapToGlobal(at))
    assert QApplication.sendEvent(scene.view.viewport(), help_event)


def test_a_click_on_a_ghost_selects_its_task(appearance: Appearance) -> None:
    scene = scene_of(appearance)
    scene.view.compare(then())
    scene.click(ghost_place(scene, "e", BEGAN + 8.0))
    assert scene.selected == {"a"}
    scene.click(ghost_place(scene, "d", BEGAN + 30.0), CONTROL)
    assert scene.selected == {"a", "b"}
    scene.click(ghost_place(scene, "e", BEGAN + 1.0))
    assert scene.selected == set(), "what is in the earlier run alone cannot be selected"


def test_ghosts_leave_out_what_either_run_lay_idle():
    earlier, run = BaselineRun(lain_idle(0.0).run, 99.0, "then"), now().run
    assert all_ghosts(compared(run, earlier)) == {("e", 0): [(0, 3, 100.0, 110.0), (0, 3, 110.0, 115.0)]}
    again = compared(lain_idle(BEGAN).run, earlier)
    assert all_ghosts(again) == {("d", 0): [(0, 0, 100.0, 110.0), (0, 0, 141.0, 146.0)]}
    assert (compared(run, earlier).finish_then, again.finish_then) == (115.0, 146.0), "where the last of them ends"
