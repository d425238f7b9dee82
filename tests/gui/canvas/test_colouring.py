"""Nodes coloured by duration, attempts or device: muted tones, explained where the lines are."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import pytest
from tests.gui.canvas.looking import again, count_of, painted, row_in, shown_in
from tests.gui.canvas.runs import NOW, arranged, firmware, number_of, picture_of, pose

from starloom.scheduling.state import codes
from starloom_gui.canvas.arranging import LayoutOptions
from starloom_gui.canvas.colouring import NO_TONE, ColourBy, Colouring, ink_on
from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.palette import DARK, LIGHT, Palette, colour

if TYPE_CHECKING:
    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.theme.appearance import Appearance

TOLD = (ColourBy.DURATION, ColourBy.ATTEMPTS, ColourBy.DEVICE)


def step_of(colouring: Colouring, view: CanvasView, id: str) -> int:
    return int(colouring.step[row_in(view, number_of(shown_in(view).facts, id))])


def colouring_of(view: CanvasView, by: ColourBy) -> Colouring:
    view.highlights.set_colour_by(by)
    found = view.graph.item.shown.colouring
    assert found is not None
    return found


def strength(code: str) -> float:
    ink = colour(code)
    parts = (ink.redF(), ink.greenF(), ink.blueF())
    return max(parts) - min(parts)


def apart(one: str, other: str) -> float:
    a, b = colour(one), colour(other)
    return abs(a.red() - b.red()) + abs(a.green() - b.green()) + abs(a.blue() - b.blue())


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_tones_are_muted_and_none_is_the_hue_of_a_status(palette: Palette) -> None:
    hues = [ink.shape for ink in (*palette.status, palette.held) if strength(ink.shape) > 0.15]
    assert all(strength(tone) <= 0.31 for tone in palette.kinds)
    assert all(apart(tone, hue) >= 60 for tone in palette.kinds for hue in hues)
    assert all(apart(one, other) >= 60 for one, other in combinations(palette.kinds, 2))


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_more_is_further_from_the_canvas(palette: Palette) -> None:
    tones = Colouring(ColourBy.DURATION, picture_of(firmware()), NOW).tones(palette)
    away = [apart(tone, palette.canvas) for tone in tones]
    assert all(more - less > 60 for less, more in pairwise(away))
    assert {ink_on(tones[0], palette), ink_on(tones[-1], palette)} == {palette.text, palette.panel}


def test_durations_attempts_and_devices_have_their_steps(view: CanvasView) -> None:
    facts = shown_in(view).facts
    by = colouring_of(view, ColourBy.DURATION)
    assert [step_of(by, view, id) for id in ("style_rules", "sources", "unit_net", "gate")] == [1, 2, 3, NO_TONE]
    pose(facts, "sources", codes.COMPLETED, tries=1)
    by = colouring_of(view, ColourBy.ATTEMPTS)
    assert [step_of(by, view, id) for id in ("sources", "compile_ble", "gate")] == [0, 1, NO_TONE]
    by = colouring_of(view, ColourBy.DEVICE)
    assert step_of(by, view, "fuzz_ui") == step_of(by, view, "compile_ble") != step_of(by, view, "sources")


def test_devices_beyond_the_tones_are_others(view: CanvasView) -> None:
    facts = shown_in(view).facts
    for place, id in enumerate(list(facts.graph.place)[:9]):
        pose(facts, id, codes.COMPLETED, device_of=f"node-{place}")
    by = colouring_of(view, ColourBy.DEVICE)
    words = [word for _, word in by.scale(LIGHT).entries]
    assert len(words) == len(LIGHT.kinds) + 1
    assert words[-1] == "others"
    assert int(by.step.max()) == len(LIGHT.kinds)


def test_colours_follow_what_happens_and_what_takes_time(view: CanvasView) -> None:
    facts = shown_in(view).facts
    by = colouring_of(view, ColourBy.DURATION)
    pose(facts, "gate", codes.RUNNING, device_of="local", started_at=NOW - 5)
    view.tasks_changed([number_of(facts, "gate")])
    assert step_of(by, view, "gate") == 1
    facts.started_at[number_of(facts, "gate")] = NOW - 30
    view.tick()
    assert step_of(by, view, "gate") == 2


def test_another_picture_is_coloured_the_same_way(view: CanvasView) -> None:
    facts = shown_in(view).facts
    before = colouring_of(view, ColourBy.DEVICE)
    view.show_picture(arranged(facts, LayoutOptions(folded=frozenset({"Lab"}))))
    after = view.graph.item.shown.colouring
    assert after is not None
    assert after is not before
    assert step_of(after, view, "soak_lab-a") == NO_TONE  # a group has the colours of its statuses
    assert step_of(after, view, "sources") == step_of(before, view, "sources")


@pytest.mark.parametrize("by", TOLD)
@pytest.mark.parametrize("scale", [0.1, 0.3, 1.0])
def test_coloured_nodes_are_painted_the_same_by_an_item_that_knows_nothing(
    view: CanvasView, by: ColourBy, scale: float
) -> None:
    plain = painted(view)
    view.highlights.set_colour_by(by)
    assert painted(view) != plain
    view.pan_zoom.zoom_by(scale / view.pan_zoom.zoom)
    assert painted(view) == again(view)


def test_status_gives_its_colours_up_and_takes_them_back(view: CanvasView) -> None:
    running = LIGHT.status[codes.PENDING].shape
    before = painted(view)
    view.highlights.set_colour_by(ColourBy.DEVICE)
    assert count_of(painted(view), running) < count_of(before, running) / 2
    assert count_of(painted(view), LIGHT.kinds[0]) > 1000
    view.highlights.set_colour_by(ColourBy.STATUS)
    assert view.highlights.colour_by is ColourBy.STATUS
    assert painted(view) == before


def test_what_failed_stays_loud_whatever_the_colours_tell(view: CanvasView) -> None:
    ink = LIGHT.status[codes.FAILED].shape
    view.highlights.set_colour_by(ColourBy.DURATION)
    assert count_of(painted(view), ink) > 100
    view.pan_zoom.zoom_by(0.1 / view.pan_zoom.zoom)
    assert count_of(painted(view), ink) > 50


def test_the_legend_tells_what_the_colours_mean_in_either_theme(view: CanvasView, appearance: Appearance) -> None:
    lines = view.controls.legend.accessibleName()
    view.highlights.set_colour_by(ColourBy.DURATION)
    assert view.controls.legend.accessibleName() == "Duration: under 1 s, to 10 s, to 1 min, to 10 min, longer"
    view.highlights.set_colour_by(ColourBy.DEVICE)
    assert view.controls.legend.accessibleName() == "Device: local, build-1, lab-a, lab-b, lab-c"
    assert count_of(view.controls.legend.grab().toImage(), LIGHT.kinds[1]) == 14 * 8
    appearance.choose(Theme.DARK)
    assert count_of(view.controls.legend.grab().toImage(), DARK.kinds[1]) == 14 * 8
    view.pan_zoom.zoom_by(0.1 / view.pan_zoom.zoom)
    assert view.controls.legend.accessibleName().startswith("Device")
    view.pan_zoom.zoom_by(5)
    view.highlights.set_colour_by(ColourBy.STATUS)
    assert view.controls.legend.accessibleName() == lines


def test_the_legend_of_colours_takes_what_room_there_is(view: CanvasView) -> None:
    view.highlights.set_colour_by(ColourBy.DEVICE)
    view.resize(520, 498)
    assert view.controls.legend.isVisible()
    assert not view.controls.legend.geometry().intersects(view.controls.minimap.geometry())
