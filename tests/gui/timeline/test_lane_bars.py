"""Bars in order, whatever the order they come in; and narrow ones as columns of pixels."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from starloom_gui.timeline.density import FAINTEST, Narrow, density
from starloom_gui.timeline.kinds import DONE, FAILED, KINDS, RUNNING
from starloom_gui.viewmodel.lane_bars import NEVER, Bar, BarKey, LaneBars

COLOURS = np.array([[kind, kind, kind] for kind in range(KINDS)], np.uint8) * 10
times = st.integers(0, 20).map(float)


@st.composite
def bars(draw: st.DrawFn) -> list[Bar]:
    made = []
    for number in range(draw(st.integers(0, 30))):
        start = draw(times)
        end = start + draw(times) if draw(st.booleans()) else NEVER
        made.append(Bar(start, end, draw(st.integers(0, 1)), number, 1, DONE, start, -NEVER))
    return made


def filled(entries: list[Bar]) -> LaneBars:
    lane = LaneBars()
    for bar in entries:
        lane.put(bar)
    return lane


def content(lane: LaneBars) -> list[Bar]:
    return [lane.at(place) for place in range(lane.size)]


@given(bars(), st.randoms(use_true_random=False))
def test_the_order_in_which_bars_come_does_not_matter(entries: list[Bar], chance: object) -> None:
    mixed = list(entries)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    order = sorted(entries, key=lambda bar: (bar.start, bar.key))
    assert content(filled(mixed)) == order
    columns = [np.array(column) for column in zip(*order, strict=True)] or [np.zeros(0)] * len(Bar._fields)
    assert content(LaneBars.of(columns)) == order


@given(bars(), times, times)
def test_everything_that_touches_a_stretch_of_time_is_found(entries: list[Bar], first: float, length: float) -> None:
    lane = filled(entries)
    begin, end = lane.between(first, first + length)
    found = content(lane)[begin:end]
    assert {bar for bar in entries if bar.start <= first + length and bar.end >= first} <= set(found)
    assert all(bar.start <= first + length for bar in found)


@given(bars())
def test_a_bar_that_ends_takes_its_own_place(entries: list[Bar]) -> None:
    lane = filled(entries)
    ended = [bar._replace(end=min(bar.end, bar.start + 3)) for bar in entries]
    for bar in ended:
        lane.put(bar)
    assert content(lane) == content(filled(ended))
    ends = [bar.end for bar in content(lane)]
    assert lane.reach[1 : lane.size + 1].tolist() == [max(ends[: at + 1]) for at in range(len(ends))]


def test_a_long_bar_is_found_behind_short_ones_that_came_later() -> None:
    lane = filled([Bar(float(at), 100.0 if at == 0 else at + 0.5, 0, at, 1, DONE, 0.0, -NEVER) for at in range(9)])
    begin, _ = lane.between(50.0, 60.0)
    assert begin == 0


def test_a_bar_that_is_not_there_is_not_found() -> None:
    lane = filled([Bar(1.0, 2.0, 0, 5, 1, DONE, 1.0, -NEVER)])
    assert lane.find(1.0, BarKey(0, 5, 1)) == 0
    assert lane.find(1.0, BarKey(0, 5, 2)) is None
    assert lane.find(1.5, BarKey(0, 5, 1)) is None


EIGHTHS = st.integers(-400, 1200).map(lambda count: count / 8)
"""Pixels that can be added up without rounding."""


def narrow(*entries: tuple[float, float, int]) -> Narrow:
    x0, x1, kind = (np.array(column) for column in zip(*entries, strict=True))
    following = np.append(x0[1:], np.inf)
    return Narrow(np.zeros(len(x0), np.intp), x0.astype(float), x1.astype(float), following, kind.astype(np.uint8))


def alphas(pixels: np.ndarray) -> list[int]:
    found: list[int] = (pixels[0] >> 24).tolist()
    return found


def test_one_failure_among_a_thousand_bars_of_a_pixel_is_seen() -> None:
    entries = [(5 + at / 1000, 5 + (at + 0.9) / 1000, FAILED if at == 500 else DONE) for at in range(1000)]
    pixels = density(narrow(*entries), 1, 20, 2.0, COLOURS)
    assert set(pixels[0, 5:8].tolist()) == {0xFF000000 | FAILED * 10 * 0x010101}
    assert alphas(pixels)[8] == 0


def test_a_column_is_as_opaque_as_the_lane_was_busy() -> None:
    half = [(at / 100, at / 100 + 0.005, DONE) for at in range(500)]
    rarely = [(6 + at / 100, 6 + at / 100 + 0.0001, DONE) for at in range(300)]
    found = alphas(density(narrow(*half, *rarely), 1, 12, 2.0, COLOURS))
    assert all(abs(alpha - 128) <= 2 for alpha in found[:5])
    assert all(alpha == round(FAINTEST * 255) for alpha in found[6:8])
    assert found[11] == 0


def test_a_lonely_bar_is_two_pixels_wide() -> None:
    found = alphas(density(narrow((3.0, 3.01, RUNNING), (9.0, 9.5, DONE)), 1, 12, 2.0, COLOURS))
    assert found == [0, 0, 0, 255, 255, 0, 0, 0, 0, 255, 255, 0]


@given(st.lists(st.tuples(st.floats(-50, 50), st.floats(0, 80)), min_size=1, max_size=40))
def test_bars_out_of_sight_or_over_the_edge_do_no_harm(pairs: list[tuple[float, float]]) -> None:
    entries = sorted((x, x + wide, DONE) for x, wide in pairs)
    pixels = density(narrow(*entries), 1, 20, 2.0, COLOURS)
    for at, alpha in enumerate(alphas(pixels)):
        touched = any(x0 < at + 1 and x1 > at for x0, x1, _ in entries)
        assert alpha > 0 or not touched or all(min(x1, at + 1) - max(x0, at) < 1e-6 for x0, x1, _ in entries)


@given(
    st.lists(st.tuples(EIGHTHS, st.integers(0, 64), st.sampled_from([DONE, FAILED])), min_size=1, max_size=20),
    st.lists(st.integers(0, 5), min_size=20, max_size=20),
)
def test_what_is_left_out_of_a_picture_is_empty(triples: list[tuple[float, float, int]], rows: list[int]) -> None:
    entries = sorted((x, x + wide / 8, kind) for x, wide, kind in triples)
    bars = narrow(*entries)._replace(row=np.sort(np.array(rows[: len(entries)], np.intp)))
    columns, seen = bars.columns(100, 2.0), bars.rows()
    everything = density(bars, 6, 100, 2.0, COLOURS)
    whole = np.zeros_like(everything)
    if columns:
        whole[seen, columns.start : columns.stop] = density(
            bars.within(columns, seen), len(seen), len(columns), 2.0, COLOURS
        )
    np.testing.assert_array_equal(whole, everything)
