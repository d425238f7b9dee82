"""Every pane at a moment shows what one shows that was made from the fold of the events up to it."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.driver import RUN
from tests.gui.models.cells import Painted, cells
from tests.gui.time_travel.recordings import Trip, trip
from tests.properties.test_checkpoints import assert_same_run

from starloom.layout import LayoutGraph, layout
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.read.line import in_line
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.read.why import why
from starloom.scheduling.restore import beside
from starloom.scheduling.state.folded_run import FoldedRun
from starloom_gui.canvas.arranging import LayoutInput
from starloom_gui.canvas.render_model import GraphRenderModel
from starloom_gui.gateway.event_log import EventLog
from starloom_gui.models.device_table import DeviceTable
from starloom_gui.models.event_table import EventTable
from starloom_gui.models.outline import Outline
from starloom_gui.models.queue_table import QueueTable
from starloom_gui.models.task_table import TaskTable
from starloom_gui.specs.event_list import EVENTS
from starloom_gui.time_travel.fleet_reader import FleetReader
from starloom_gui.timeline.model import TimelineModel
from starloom_gui.viewmodel.event_words import event_text
from starloom_gui.viewmodel.limit_lines import limit_lines

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.gateway.changes import Changes

pytestmark = pytest.mark.usefixtures("app")


class Panes:
    """What all panes show of a trip, kept up by the signals that panes are told by."""

    def __init__(self, trip: Trip) -> None:
        self.trip = trip
        reader = trip.reader
        self.models: dict[str, Any] = {
            "tasks": TaskTable(reader.facts, reader.now),
            "outline": Outline(reader.facts, reader.now),
            "devices": DeviceTable(reader.fleet, reader.runs, reader.now),
            "queue": QueueTable(reader.in_line, reader.run, reader.why),
            "events": EventTable(reader.log, reader.wall, reader.run),
        }
        self.painted = {name: Painted(model) for name, model in self.models.items()}
        run = reader.facts()
        assert run is not None
        self.timeline = TimelineModel(run)
        reader.moved.connect(self._take)

    def _take(self, changes: Changes) -> None:
        for model in self.models.values():
            model.on_changes(changes)
        self.models["tasks"].settle()
        self.models["queue"].rebuild()
        run = self.trip.reader.facts()
        assert run is not None
        self.timeline.turn_to(run, ())


def expected(trip: Trip, position: int) -> tuple[FoldedRun, dict[str, Any]]:
    """The fold of so many events, and what models made of it show."""
    view = fold(FoldedRun(RUN), trip.recording.events[:position])
    at = trip.recording.time(position)
    log = EventLog()
    for event in trip.recording.events[:position]:
        if EVENTS[type(event)].name is not None:
            log.add(event)
        else:
            log.limits.take(event)
    scheduler = beside(view, at)
    return view, {
        "tasks": TaskTable(lambda: view.run, lambda: at),
        "outline": Outline(lambda: view.run, lambda: at),
        "devices": DeviceTable(lambda: view.fleet, lambda: [view.run], lambda: at),
        "queue": QueueTable(
            lambda most: in_line(scheduler, at, most),
            lambda _: view.run,
            lambda _, name: why(scheduler, scheduler.runs[RUN], view.run.graph.place[name]),
        ),
        "events": EventTable(log, trip.reader.wall, lambda _: view.run),
    }


def assert_at(panes: Panes, position: int) -> None:
    trip = panes.trip
    trip.show(position)
    view, models = expected(trip, position)
    facts = trip.reader.facts()
    assert facts is not None
    assert trip.reader.past is not None
    assert_same_run(trip.reader.past.folded, view, f"the moment after {position} events")
    for name, model in models.items():
        assert cells(panes.models[name]) == cells(model), f"{name} after {position} events"
        assert panes.painted[name].rows == cells(model), f"{name} was not told after {position} events"
    fresh = TimelineModel(view.run)
    assert panes.timeline.lanes == fresh.lanes
    for row in range(len(fresh.lanes)):
        mine, theirs = panes.timeline.bars(row), fresh.bars(row)
        assert [mine.at(place) for place in range(mine.size)] == [theirs.at(place) for place in range(theirs.size)]
    assert list(limit_lines(trip.reader.fleet(), RunView(facts))) == list(limit_lines(view.fleet, RunView(view.run)))
    scheduler = beside(view, trip.recording.time(position))
    for task_id, number in view.run.graph.place.items():
        assert trip.reader.why(RUN, task_id) == why(scheduler, scheduler.runs[RUN], number)
    made = layout(LayoutGraph.of(view.run.graph))
    one, other = GraphRenderModel(facts, made), GraphRenderModel(view.run, made)
    for name in ("status", "badge", "priority", "kind", "satisfied", "present"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), f"{name} after {position} events"


def test_all_panes_are_at_each_event_what_the_fold_up_to_it_makes_them(tmp_path: Path) -> None:
    with trip(tmp_path) as made:
        panes = Panes(made)
        positions = list(range(made.recording.first, len(made.recording) + 1))
        assert len(positions) > 25
        for position in (*positions, *reversed(positions)):
            assert_at(panes, position)


def test_so_they_are_after_jumps_hither_and_thither(tmp_path: Path) -> None:
    with trip(tmp_path) as made:
        panes, draw = Panes(made), Random(4)
        for _ in range(25):
            assert_at(panes, draw.randint(made.recording.first, len(made.recording)))


def test_a_log_at_a_moment_ends_with_its_last_event(tmp_path: Path) -> None:
    with trip(tmp_path) as made:
        log = made.reader.log
        told = [event_text(event) for _, event in log.since(0)]
        serial = log.serial
        made.show(made.recording.first + 3)
        assert log.serial != serial
        assert [event_text(event) for _, event in log.since(0)] == told[: log.end]
        assert len(log) == log.end < len(told)
        with pytest.raises(IndexError):
            log.get(log.end)


def test_a_graph_that_is_as_it_was_is_not_laid_out_again(tmp_path: Path) -> None:
    with trip(tmp_path) as made:
        events = made.recording.events
        edited = next(place for place, event in enumerate(events) if type(event).__name__ == "ConstellationModified")
        shapes = [LayoutInput.of(made.past(position).folded.run) for position in (edited - 1, edited, edited + 1)]
        assert shapes[0].stands_as(shapes[1])
        assert not shapes[1].stands_as(shapes[2])
        assert not shapes[1].stands_as(None)


def test_devices_are_those_of_the_moment_in_front(tmp_path: Path) -> None:
    with trip(tmp_path) as made:
        seen = FleetReader(None, None)  # type: ignore[arg-type]  # nothing of an engine is read
        told: list[Changes] = []
        seen.tell(told.append)
        seen.turn(made.reader)
        assert "late" in seen.fleet().devices
        made.show(made.recording.first)
        assert "late" not in seen.fleet().devices
        assert len(told) == 2
        assert seen.heard("late") is None
        assert seen.load("late") == (None, ())
