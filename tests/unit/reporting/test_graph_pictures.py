"""The graph as a picture: it fills its page, names tell tasks apart, the critical path is one line."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.driver import RUN, plan, task
from tests.unit.reporting.story import Story

from starloom.foresight.virtual import SimulatedSpec, VirtualRun
from starloom.reporting import marks
from starloom.reporting.blocks import GraphGeometry, arranged
from starloom.reporting.folding import build
from starloom.reporting.graph import graph
from starloom.reporting.svg import MOST_NAMED, graph_svg
from starloom.reporting.text import told_apart
from starloom.reporting.wrapping import bounds_of, wrapped
from starloom.testing import layered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.events import Event
    from starloom.model.plan import Plan
    from starloom.reporting.report import Report

SVG = "{http://www.w3.org/2000/svg}"
PAGE = (780.0, 1_000.0)
"""Width and height of what fits on a page of the PDF."""


def done(wanted: Plan, slots: int = 64, failing: float = 0.0) -> Report:
    events: list[Event] = []
    virtual = VirtualRun(wanted, [SimulatedSpec("a", slots=slots, failure_rate=failing)], on_events=events.extend)
    while virtual.step():
        pass
    run_id = virtual.run.run_id
    return build(run_id, [event for event in events if event.run_id == run_id])


@cache
def chain() -> Report:
    return done(layered(112, 1, parents=1, simulate=1.0))


@cache
def wide(many: int) -> Report:
    """Two layers of so many tasks."""
    return done(layered(2, many, simulate=1.0))


@cache
def few_slots() -> Report:
    """Nine tasks that hang together and two slots, so that the critical path leads over slots."""
    return done(layered(3, 3, simulate=1.0), slots=2)


def drawn(report: Report, *bounds: float) -> ElementTree.Element:
    return ElementTree.fromstring(marks.document(graph(report, arranged(report), *bounds), "x", is_clear=True).encode())


def names(root: ElementTree.Element) -> set[str]:
    return {one.text or "" for one in root.iter(f"{SVG}text")}


def size(root: ElementTree.Element) -> tuple[float, float]:
    return float(root.get("width", "")), float(root.get("height", ""))


@pytest.mark.parametrize("bounds", [(), PAGE, (1_033.0, 700.0)])
def test_a_chain_of_112_tasks_has_all_its_names(bounds: tuple[float, ...]) -> None:
    root = drawn(chain(), *bounds)
    assert {one.name for one in chain().tasks} <= names(root)
    across, down = size(root)
    assert 0.4 < across / down < 2.5
    if bounds:
        assert (across, down) <= bounds


@pytest.mark.parametrize("many", [300, 2_000])
def test_a_graph_of_two_wide_layers_fills_its_picture(many: int) -> None:
    root = ElementTree.fromstring(graph_svg(wide(many), arranged(wide(many))).encode())
    across, down = size(root)
    assert 0.4 < across / down < 2.5
    scale = re.search(r'transform="scale\(([\d.]+)\)', ElementTree.tostring(root).decode())
    tasks = [one for one in root.iter(f"{SVG}rect") if one.get("rx") == "6" or "solid" in (one.get("class") or "")]
    area = sum(float(one.get("width", "")) * float(one.get("height", "")) for one in tasks)
    assert area * (float(scale[1]) if scale else 1.0) ** 2 > 0.2 * across * down


def crossings(report: Report, *bounds: float) -> Iterator[tuple[tuple[int, int], list[str]]]:
    """Each two successive tasks of the critical path, and the lines that are drawn of it."""
    root = drawn(report, *bounds)
    kinds = [set((one.get("class") or "").split()) for one in root.iter(f"{SVG}path")]
    paths = zip(root.iter(f"{SVG}path"), kinds, strict=True)
    lines = [line for one, kind in paths if kind & {"crit", "slot"} for line in one.get("d", "").split("M")[1:]]
    tasks = [step.task for step in report.critical_path]
    for pair in pairwise(tasks):
        yield pair, lines


@pytest.mark.parametrize("report", [chain, few_slots, lambda: wide(300)], ids=["chain", "slots", "wide"])
@pytest.mark.parametrize("bounds", [(), PAGE])
def test_the_critical_path_is_one_line_from_task_to_task(report: object, bounds: tuple[float, ...]) -> None:
    told = report()  # type: ignore[operator]  # one of three functions
    found = list(crossings(told, *bounds))
    assert found
    assert len(found[0][1]) == len({pair for pair, _ in found if pair[0] != pair[1]})


def test_the_line_of_the_critical_path_lies_over_the_blocks_and_what_failed_over_the_line() -> None:
    report = done(layered(20, 40, simulate=1.0, severity="warning"), failing=0.05)
    parts = [one.get("class") or "" for one in drawn(report, 400.0, 300.0).iter() if one.get("class")]
    last_block = max(place for place, kind in enumerate(parts) if "solid" in kind)
    assert parts.index("edge crit") > last_block
    assert parts.index("failed") > parts.index("edge crit")


def test_what_is_left_out_between_parts_is_counted() -> None:
    report = wide(1_400)
    assert len(report.tasks) <= MOST_NAMED
    root = ElementTree.fromstring(graph_svg(report, arranged(report)).encode())
    (told,) = (one for one in names(root) if "are not drawn" in one)
    left = int(told.split()[0].replace(",", ""))
    edges = [one for one in root.iter(f"{SVG}path") if re.match(r"edge (success|always)", one.get("class") or "")]
    assert len(edges) + left == len(report.edges)


def test_names_that_are_too_long_are_told_apart_by_what_differs() -> None:
    ids = [f"integration-tests-of-the-very-long-module-{number:04}-on-arm64-release" for number in range(112)]
    story = Story({"d": 4}, plan([task(one) for one in ids], [f"{a}>{b}" for a, b in pairwise(ids)]))
    for one in ids:
        story.after(1, one)
    report = build(RUN, story.events)
    for bounds in ((), PAGE):
        shown = [one for one in names(drawn(report, *bounds)) if "…" in one]
        assert len(shown) == 112


def test_no_two_parts_of_a_wrapped_graph_cover_each_other() -> None:
    for report in (chain(), wide(300), few_slots()):
        before = arranged(report)
        pairs = [(edge.parent, edge.child) for edge in report.edges]
        for aspect in (0.5, 1.0, 2.0):
            made = wrapped(before, pairs, aspect)
            assert [box[2:] for box in made.boxes] == [box[2:] for box in before.boxes]
            boxes = sorted(made.boxes)
            for place, (x, y, across, down) in enumerate(boxes):
                for other in boxes[place + 1 :]:
                    if other[0] >= x + across:
                        break
                    assert other[1] >= y + down or other[1] + other[3] <= y
            left, top, right, bottom = bounds_of(made.boxes)
            assert 0.3 * aspect < (right - left) / (bottom - top) < 3 * aspect


def test_a_small_graph_stays_as_the_console_shows_it() -> None:
    report = few_slots()
    before = arranged(report)
    root = drawn(report)
    boxes = [one for one in root.iter(f"{SVG}rect") if one.get("rx") == "6" and one.get("fill") == "#FFFFFF"]
    corners = [(float(one.get("x", "")), float(one.get("y", ""))) for one in boxes]
    assert corners == [pytest.approx((x, y), abs=0.06) for x, y, _, _ in before.boxes]


def test_a_graph_without_tasks_is_an_empty_picture() -> None:
    assert size(ElementTree.fromstring(graph_svg(build(RUN, []), GraphGeometry([], [])).encode())) == (56.0, 56.0)


@given(st.lists(st.text("ab-0123456789", max_size=30), max_size=30), st.integers(3, 20))
def test_short_names_are_short_enough_and_equal_only_if_the_names_are(found: list[str], longest: int) -> None:
    shown = told_apart(found, longest)
    assert all(len(one) <= longest for one in shown)
    assert all(short == name for short, name in zip(shown, found, strict=True) if len(name) <= longest)
    told = dict(zip(found, shown, strict=True))
    assert [told[name] for name in found] == shown
