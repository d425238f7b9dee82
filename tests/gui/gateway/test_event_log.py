"""The clock of the event log, where another program has taken up what an earlier one had told of."""

from __future__ import annotations

from starloom import events as ev
from starloom_gui.gateway.event_log import EventLog


def lost(seq: int, at: float) -> ev.DeviceLost:
    return ev.DeviceLost(seq, at, "", "lab", "no route")


def paused(seq: int, at: float) -> ev.RunPaused:
    return ev.RunPaused(seq, at, "r")


def times(log: EventLog) -> list[tuple[str, float]]:
    return [(type(event).__name__, event.at) for _, event in log.since(0)]


def test_what_the_program_before_told_of_the_fleet_moves_with_its_runs() -> None:
    log = EventLog()
    for event in (paused(1, 495.0), lost(1, 500.0), ev.FleetOpened(2, 0.5, "", 1e9), lost(3, 1.0)):
        log.add(event)
    log.add(ev.RunRecovered(2, 2.0, "r", 1e9, -520.0))
    there = [("RunPaused", -25.0), ("DeviceLost", -20.0), ("FleetOpened", 0.5), ("DeviceLost", 1.0)]
    assert times(log) == [*there, ("RunRecovered", 2.0)]
    log.add(ev.RunRecovered(2, 3.0, "r", 1e9, -10.0))
    assert [at for name, at in times(log) if name == "DeviceLost"] == [-20.0, 1.0], "that moves once"
    log.add(ev.FleetOpened(4, 0.1, "", 1e9))
    log.add(ev.RunRecovered(3, 0.2, "r", 1e9, -100.0))
    assert [at for name, at in times(log) if name == "DeviceLost"] == [-120.0, -99.0], "and again with the next program"


def test_a_program_that_takes_up_what_nobody_told_of_here_moves_nothing() -> None:
    log = EventLog()
    for event in (lost(1, 500.0), ev.FleetOpened(2, 0.5, "", 1e9), ev.RunRecovered(2, 2.0, "r", 1e9, -520.0)):
        log.add(event)
    assert [at for name, at in times(log) if name == "DeviceLost"] == [500.0], "on which clock that was nobody knows"
