"""The timeline of a run that another program has taken up: flags and outages of its devices from then on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gui.looks import looks
from tests.gui.panels.plots.test_limit_after_resume import taken_up_after_a_change_of_the_fleet
from tests.gui.readers import SchedulerReader

from starloom.scheduling import commands as c
from starloom_gui.theme.appearance import Theme
from starloom_gui.timeline.model import TimelineModel
from starloom_gui.timeline.view import TimelineView
from starloom_gui.viewmodel.selection import Selection
from starloom_gui.workspace.lanes import Lanes

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication


def test_what_befell_its_devices_before_it_was_taken_up_is_told_of_no_earlier_session(app: QApplication) -> None:
    bench = taken_up_after_a_change_of_the_fleet()
    driver, run = bench.driver, bench.driver.run()
    (began, _), (taken_up, _) = run.sessions
    assert run.run_started_at is not None
    assert began <= run.run_started_at < 5000.5 < taken_up
    reader = SchedulerReader(lambda: driver.scheduler, bench.bridge.log, bench.run_id, lambda: driver.now)
    bench.hear()
    with looks(app, Theme.DARK) as appearance:
        view = TimelineView(TimelineModel(run), Selection(), appearance, lambda: driver.now)
        lanes = Lanes(view, reader)
        assert not view.flags
        assert [one.start for one in lanes._absences.of["e"]] == [taken_up]
        driver.advance(2.0)
        driver.do(c.SetSlots(device_id="d", slots=1, origin=c.OPERATOR))
        for changes in bench.bridge.news():
            lanes.on_changes(changes)
        assert [flag.at for flag in view.flags] == [driver.now]
