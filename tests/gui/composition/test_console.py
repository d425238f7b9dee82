"""The console as a whole: engine, bridge, views and window together, with real runs on simulated devices."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QWindow
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.engines import orchestrator_of
from tests.waiting import until
from typing_extensions import override

from starloom.foresight.projection import project
from starloom.foresight.virtual import VirtualRun
from starloom.model.device import DeviceSpec
from starloom.model.status import RunState
from starloom.scheduling import commands as c
from starloom_gui.documents.document import Document, RunTab
from starloom_gui.editing.steps import disconnect
from starloom_gui.gateway.changes import Changes
from starloom_gui.shell.perspectives import ORDER
from starloom_gui.timeline.model import TimelineModel
from starloom_gui.viewmodel.figures import finish_words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console
    from starloom_gui.workspace.document_view import DocumentView

pytestmark = pytest.mark.usefixtures("app")

LONG = 3600.0


def small(*, seconds: float = 0.01) -> Plan:
    """Three tasks in a row on a simulated device of two slots."""
    steps = [task(name, simulate=seconds) for name in ("a", "b", "c")]
    device = DeviceSpec(id="d", kind="simulated", slots=2)
    return replace(plan(steps, ["a>b", "b>c"]), name="small", devices=(device,))


def meant(*, seconds: float) -> Plan:
    """Two tasks that really run something, on whatever takes them."""
    return replace(plan([task(name, command=("sleep", str(seconds))) for name in ("a", "b")]), name="meant")


def front(console: Console) -> DocumentView:
    view = console.views.front
    assert view is not None
    return view


async def started(console: Console, wanted: Plan) -> RunTab:
    """A run of a plan that was opened here, started as users do."""
    console.documents.put_plan(wanted)
    console.actions["start"].trigger()
    await until(lambda: isinstance(console.documents.front, RunTab))
    found = console.documents.front
    assert isinstance(found, RunTab)
    return found


def test_a_plan_is_started_in_a_tab_of_its_own_and_runs_to_its_end(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            shown = [console.window.is_welcoming]
            tab = await started(console, small())
            assert [*shown, console.window.is_welcoming] == [True, False]
            assert [type(item) for item in console.documents] == [Document, RunTab]
            await orchestrator_of(console).run(tab.run_id).finished()
            await at_rest(console)
            figures = console.window.header.line.figures
            assert figures is not None
            assert figures.state is RunState.COMPLETED
            assert [console.window.header.tabs.tabText(at) for at in range(2)] == ["small *", "small"]

    desktop.run(main)


class Windows(QObject):
    """Notes which windows appear."""

    def __init__(self, application: QApplication) -> None:
        super().__init__()
        self.seen: list[str] = []
        application.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(watched, QWindow) and event.type() == QEvent.Type.Show:
            self.seen.append(watched.objectName())
        return False


def test_nothing_but_the_window_itself_ever_appears_as_a_window(desktop: Desktop) -> None:
    windows = Windows(desktop.application)

    async def main() -> None:
        async with desktop.console() as console:
            await started(console, small())
            await at_rest(console)
            for pane in ORDER:
                console.window.workbench.turn_to(pane)

    desktop.run(main)
    desktop.application.removeEventFilter(windows)
    assert windows.seen == ["consoleWindow"]


def test_a_view_that_is_made_anew_shows_the_same_picture(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small())
            await orchestrator_of(console).run(tab.run_id).finished()
            await at_rest(console)
            first = front(console)
            bars = [[first.timeline.model.bars(row).size for row in range(2)], first.timeline.model.lanes]
            assert first.canvas.graph.picture is not None
            arrays = [array.copy() for array in first.canvas.graph.picture.arrays()]
            console.documents.close(tab.key)
            console.documents.put_run(tab.run_id)
            await at_rest(console)
            again = front(console)
            assert again is not first
            assert again.canvas.graph.picture is not None
            for old, new in zip(arrays, again.canvas.graph.picture.arrays(), strict=True):
                assert np.array_equal(old, new)
            assert [[again.timeline.model.bars(row).size for row in range(2)], again.timeline.model.lanes] == bars

    desktop.run(main)


def test_what_is_selected_in_one_view_is_selected_in_all(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, small(seconds=LONG))
            await at_rest(console)
            view = front(console)
            number = view.canvas.search.find_task("b")
            assert number is not None
            await until(console.actions["hold"].isEnabled)
            await until(lambda: view.timeline.selected == {number})
            assert view.target.task_ids == ("b",)

    desktop.run(main)


def test_what_the_engine_refuses_is_said_over_the_canvas(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            console.commands.do(c.RetryTasks(run_id=tab.run_id, task_ids=("a",)))
            await at_rest(console)
            trouble = console.strip.shown
            assert trouble is not None
            assert trouble.what == "Retry"
            assert "a" in trouble.reason
            console.strip.dismiss()
            assert not console.strip.isVisible()

    desktop.run(main)


def test_closing_the_tab_of_a_run_leaves_the_run_alone(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await at_rest(console)
            console.documents.close(tab.key)
            assert orchestrator_of(console).run(tab.run_id).state is RunState.EXECUTING
            assert isinstance(console.documents.front, Document)
            console.documents.close(console.documents.front.key)
            assert console.window.is_welcoming

    desktop.run(main)


def test_a_plan_that_is_not_run_is_shown_and_its_verbs_say_why_not(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(small())
            await at_rest(console)
            view = front(console)
            assert view.canvas.graph.picture is not None
            assert len(view.canvas.graph.picture) == 3
            assert console.actions["start"].isEnabled()
            assert not console.actions["pause"].isEnabled()
            assert "Start it, or create a run of it." in console.actions["pause"].toolTip()

    desktop.run(main)


def test_a_plan_that_is_not_run_has_the_finish_and_the_bars_that_the_command_line_foresees(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            wanted = small(seconds=600.0)
            virtual = VirtualRun(wanted, wanted.devices)
            expected = project(virtual.fork(), virtual.run.run_id)
            console.documents.put_plan(wanted)
            await at_rest(console)
            view, line = front(console), console.window.header.line
            model = view.timeline.model
            await until(lambda: model.projection is not None)
            assert model.projection is not None
            assert model.projection.end == expected.end == 1800.0
            lanes = [model.foreseen(row) for row in range(len(model.lanes))]
            assert sorted(start for lane in lanes for start in lane.start[: lane.size]) == [0.0, 600.0, 1200.0]
            assert model.is_planned
            assert model.wall.text(600.0) == "+0:10:00"
            assert line.figures is not None
            assert finish_words(line.figures) == ("Takes", "30:00", "")
            facts = view.reader.facts()
            assert facts is not None
            view.source.editor.do(disconnect(facts, 0, 1))
            await until(lambda: model.projection is not None and model.projection.end == 1200.0)
            assert not orchestrator_of(console).runs

    desktop.run(main)


def test_a_plan_without_estimates_foresees_nothing_and_says_so(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(meant(seconds=1.0))
            await at_rest(console)
            view, line = front(console), console.window.header.line
            await until(lambda: view.timeline.model.projection is not None)
            assert view.timeline.model.is_empty
            assert line.figures is not None
            assert finish_words(line.figures) == ("Finish", "", "no estimate")

    desktop.run(main)


class Overheard(TimelineModel):
    """A model that notes whenever it is told to read anything."""

    def __init__(self, of: TimelineModel, told: list[str]) -> None:
        self._told = told
        super().__init__(of.run, of.runs[1:])

    @override
    def rebuild(self) -> None:
        self._told.append("rebuild")
        super().rebuild()

    @override
    def update(self, *given: Any) -> None:
        self._told.append("update")
        super().update(*given)


def test_a_pane_that_is_hidden_is_told_nothing_until_it_is_shown_again(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, small(seconds=LONG))
            await at_rest(console)
            told: list[str] = []
            view, model = front(console), Overheard(front(console).timeline.model, told)
            view.timeline.show_model(model)
            told.clear()
            console.window.workbench.turn_to("tasks")
            console.commands.do(c.PauseRun(run_id=view.source.run_id))
            await at_rest(console)
            assert orchestrator_of(console).run(view.source.run_id).state is RunState.PAUSED
            assert not told
            console.window.workbench.turn_to("timeline")
            await until(lambda: told)

    desktop.run(main)


def test_a_plan_that_is_meant_does_not_run_on_what_the_demo_only_acts_as_if(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.starter.run_demo()
            await until(lambda: len(orchestrator_of(console).fleet.devices) == 5)
            await until(lambda: console.documents.runs)
            demo = orchestrator_of(console).run(console.documents.runs[0].run_id)
            await until(lambda: demo.state is RunState.EXECUTING)
            work = meant(seconds=0.01)
            console.files.plan_verbs.trust(work)
            console.documents.put_plan(work)
            console.actions["start"].trigger()
            await until(lambda: console.strip.shown is not None)
            assert console.strip.shown is not None
            assert "only acts as if" in console.strip.shown.reason
            await demo.cancel()
            await demo.finished()
            await until(console.actions["start"].isEnabled)
            console.actions["start"].trigger()
            await until(lambda: len(orchestrator_of(console).runs) == 2)
            assert set(orchestrator_of(console).fleet.devices) == {"local"}

    desktop.run(main)


def test_after_its_end_the_timeline_shows_the_whole_run_once_and_its_chip_says_ended(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(plan([task("a", simulate=0.05), task("b", simulate=0.05)], ["a>b"]))
            await at_rest(console)
            console.actions["start"].trigger()
            await until(lambda: isinstance(console.documents.front, RunTab))
            tab = console.documents.front
            assert isinstance(tab, RunTab)
            await until(lambda: orchestrator_of(console).run(tab.run_id).state.has_ended)
            await at_rest(console)
            view = front(console)
            corner: Any = view.views["timeline"].corner
            timeline = view.timeline
            await until(lambda: corner.live.text() == "Ended")
            extent = timeline.model.extent(timeline.present())
            assert extent is not None
            begin, end = extent
            await until(lambda: timeline.span.x_of(begin) >= 0 and timeline.span.x_of(end) <= timeline.plot_width())
            timeline.pan_to(timeline.span.panned(500), 0)
            moved = timeline.span
            view.lanes.on_changes(Changes(run_id=view.source.run_id, everything=True))
            assert timeline.span == moved, "only once"

    desktop.run(main)


@pytest.mark.parametrize("by_hand", [False, True])
def test_what_runs_after_the_end_is_in_sight_unless_the_user_has_moved_the_timeline(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch, *, by_hand: bool
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(plan([task("a", simulate=0.05)]))
            await at_rest(console)
            console.actions["start"].trigger()
            await until(lambda: isinstance(console.documents.front, RunTab))
            tab = console.documents.front
            assert isinstance(tab, RunTab)
            run, view = orchestrator_of(console).run(tab.run_id), front(console)
            timeline = view.timeline
            corner: Any = view.views["timeline"].corner
            await until(lambda: corner.live.text() == "Ended")
            if by_hand:
                timeline.pan_to(timeline.span.panned(5), 0)
            fitted: list[float] = []
            monkeypatch.setattr(timeline, "fit", lambda: fitted.append(timeline.present()))
            console.window.workbench.show_pane("tasks")  # so that the timeline hears of it only when it has ended again
            await until(lambda: not timeline.isVisible())
            await run.rerun_from("a")
            await run.finished()
            console.window.workbench.show_pane("timeline")
            await until(lambda: timeline.isVisible() and timeline.model.run.tries[0] == 2)
            await at_rest(console)
            assert fitted == ([] if by_hand else [run.facts.run_ended_at])

    desktop.run(main)
