"""A run that had ended for a while and was reopened: its devices are those that came back meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import RUN, plan, task
from tests.gui.time_travel.recordings import trip
from tests.unit.journal.test_facts import Kept

from starloom.scheduling import commands as c
from starloom.scheduling.stimuli import DeviceConnectedNoticed, DeviceLostNoticed
from starloom_gui.panels.plots.curves import RunCurves
from starloom_gui.workspace.load import most_of

if TYPE_CHECKING:
    from pathlib import Path


def reopened(path: Path) -> Path:
    """The journal of a run that ended as a device was out of reach, and was retried once it was back."""
    driver = Kept(path)
    driver.create(plan([task("a"), task("b")]))
    driver.add_device("away", slots=4)
    driver.now = 10.0
    driver.turn(DeviceLostNoticed("away", "no route"))
    driver.now = 20.0
    driver.fail("a")
    driver.end("b")
    driver.now = 30.0
    driver.turn(DeviceConnectedNoticed("away"))
    driver.now = 40.0
    driver.ask(c.RetryTasks, "a")
    driver.now = 50.0
    driver.end("a")
    driver.close()
    return path


@pytest.mark.usefixtures("app")
def test_a_device_that_came_back_while_the_run_had_ended_is_away_no_longer_once_it_is_reopened(tmp_path: Path) -> None:
    with trip(tmp_path, reopened) as made:
        (absence,) = made.travel.marks.absences.of["away"]
        assert (absence.start, absence.end) == (10.0, 40.0)
        reader = made.reader
        curves = RunCurves(reader.facts, reader.now, reader.log, most_of, reader.fleet)
        while not curves.read(None):
            pass
        assert [curves.steps("limit").at(moment) for moment in (5.0, 15.0, 45.0)] == [6.0, 2.0, 6.0]
        assert reader.run_id == RUN
