"""Looking back into a run that goes on, and into one that has ended: what stays, what is forbidden, what comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.gui.composition.test_history import directory, shown
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.constellation.edits import AddTask, EditBatch
from starloom.model.status import RunState
from starloom.scheduling.commands import EditConstellation
from starloom.scheduling.state.codes import COMPLETED, RUNNING, WAITING
from starloom_gui.dialogs.attach_agent import AttachAgentDialog
from starloom_gui.editing.base import Mode, Step
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.gateway.changes import Changes
from starloom_gui.gateway.run_reader import Availability
from starloom_gui.panels.agent_corner import AgentsCorner
from starloom_gui.panels.agents import AgentsPane
from starloom_gui.time_travel.travelling import VERBS
from starloom_gui.viewmodel.figures import finish_words

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console
    from starloom_gui.time_travel.travel import Travel
    from starloom_gui.workspace.document_view import DocumentView

pytestmark = pytest.mark.usefixtures("app")
__all__ = ["directory"]
EARLIER = ("to_begin", "step_back")


async def looking_back(console: Console) -> Travel:
    """Time travel in the run in front, ready to go."""
    console.actions["time_travel"].trigger()
    travel = front(console).source.travel
    assert travel is not None
    await until(lambda: travel.availability is Availability.READY)
    await travel.settled()
    return travel


def standing(view: DocumentView) -> tuple[object, ...]:
    """What only the user may change."""
    return view.canvas.pan_zoom.place, view.timeline.span, view.selection.now


async def settled(console: Console, travel: Travel) -> None:
    await travel.settled()
    await at_rest(console)
    await until(lambda: front(console).drawing._task is None)


def test_every_pane_shows_the_moment_while_the_run_goes_on(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await at_rest(console)
            run = orchestrator_of(console).run(tab.run_id)
            await until(lambda: run.state is RunState.EXECUTING)
            await run.hold("c")
            view = front(console)
            await until(lambda: view.timeline.model.outlook is not None)  # with the first one it shows all of the run
            travel = await looking_back(console)
            view.selection.select(0)
            await at_rest(console)
            before = standing(view)
            travel.go_to_begin()
            await settled(console, travel)
            facts = view.reader.facts()
            assert facts is not None
            assert facts is not run.facts
            assert facts.state is RunState.READY
            assert facts.status[1] == WAITING
            assert view.canvas.graph.picture is not None
            assert view.canvas.graph.picture.facts is facts
            assert view.timeline.model.run is facts
            assert view.views["tasks"].widget._run().facts is facts
            assert console.monitor.reader.fleet() is not console.bridge.fleet
            assert standing(view) == before
            await run.edit(AddTask(task("new")))
            await at_rest(console)
            assert "new" in run.facts.graph
            assert view.reader.facts() is facts
            assert view.canvas.graph.picture.facts is facts
            console.actions["present"].trigger()
            await settled(console, travel)
            assert view.reader.facts() is run.facts
            assert view.timeline.model.run is run.facts
            await until(lambda: view.canvas.graph.picture is not None and view.canvas.graph.picture.facts is run.facts)
            assert len(view.canvas.graph.picture.numbers) == 4
            assert view.selection.now.numbers == {0}
            assert not view.banner.isVisible()

    desktop.run(main)


def test_in_the_past_every_verb_is_forbidden_and_says_why(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await until(lambda: orchestrator_of(console).run(tab.run_id).state is RunState.EXECUTING)
            travel = await looking_back(console)
            view = front(console)
            view.selection.select(0)
            travel.go_to_begin()
            await settled(console, travel)
            console.actions.refresh(thoroughly=True)
            for key in ("pause", "cancel_run", "cancel", "hold", "pin", "limit", "staged", "undo", "add_device"):
                assert not console.actions[key].isEnabled(), key
            assert not console.actions["attach_agent"].isEnabled()
            assert "The past is shown. Go back to live first." in console.actions["cancel"].toolTip()
            assert not console.devices.add_button.isEnabled()
            assert "The past is shown." in console.devices.add_button.toolTip()
            assert view.banner.isVisible()
            refused: list[tuple[str, str]] = []
            view.refused.connect(lambda *said: refused.append(said))
            revision = orchestrator_of(console).run(tab.run_id).facts.revision
            view.source.editor.do(Step(label="Add new", edits=(AddTask(task("new")),)))
            batch = EditBatch(edits=(AddTask(task("newer")),))
            view.source.gateway.do(EditConstellation(run_id=tab.run_id, batch=batch))
            await until(lambda: len(refused) == 2)
            assert refused[0][0] == "Add new"
            assert "The past is shown." in refused[0][1]
            assert orchestrator_of(console).run(tab.run_id).facts.revision == revision
            view.banner.back.click()
            await settled(console, travel)
            await until(console.actions["cancel"].isEnabled)
            assert console.devices.add_button.isEnabled()

    desktop.run(main)


def test_no_agent_is_attached_to_the_past_by_any_button(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await until(lambda: orchestrator_of(console).run(tab.run_id).state is RunState.EXECUTING)
            console.window.workbench.show_pane("agents")
            travel = await looking_back(console)
            pane = front(console).pane("agents")
            assert isinstance(pane, AgentsPane)
            corner = front(console).views["agents"].corner
            assert isinstance(corner, AgentsCorner)
            travel.go_to_begin()
            await settled(console, travel)
            for made in (pane.attach, corner.attach, pane.accept_all, pane.reject_all):
                assert not made.isEnabled()
                assert "The past is shown." in made.toolTip()
            pane.attach_asked.emit()
            assert not console.window.findChildren(AttachAgentDialog)
            assert console.strip.shown is not None
            assert "The past is shown." in console.strip.shown.reason
            travel.go_live()
            await settled(console, travel)
            assert console.strip.isHidden(), "it no longer holds"
            assert pane.attach.isEnabled()
            corner.attach.click()
            assert len(console.window.findChildren(AttachAgentDialog)) == 1

    desktop.run(main)


def test_what_is_staged_has_to_be_settled_before_one_looks_back(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await until(lambda: orchestrator_of(console).run(tab.run_id).state is RunState.EXECUTING)
            travel = await looking_back(console)
            editor = front(console).source.editor
            assert isinstance(editor, RunEditor)
            editor.set_mode(Mode.STAGED)
            editor.do(Step(label="Add new", edits=(AddTask(task("new")),)))
            travel.go_to_begin()
            await travel.settled()
            assert not travel.reader.is_past
            assert console.strip.shown is not None
            assert "Commit or discard first." in console.strip.shown.reason
            editor.staging.discard()
            travel.go_to_begin()
            await settled(console, travel)
            assert travel.reader.is_past

    desktop.run(main)


def test_a_run_from_its_journal_is_gone_through_by_keys(desktop: Desktop, directory: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            dialog = await shown(console)
            dialog.search.setText("r1")
            dialog.do()
            await console.recorded.settled()
            await at_rest(console)
            view = front(console)
            travel = view.source.travel
            assert travel is not None
            assert console.actions["time_travel"].isChecked()
            assert not console.actions["step_forth"].isEnabled()
            assert "the end" in console.actions["step_forth"].toolTip()
            scrubber = console.window.time_bar.scrubber
            scrubber.setFocus()
            counts, facts = [], view.reader.facts()
            assert facts is not None
            whole = len(facts.status)
            for _ in range(4):
                QTest.keyClick(scrubber, Qt.Key.Key_Left)
                await settled(console, travel)
                facts = view.reader.facts()
                assert facts is not None
                counts.append((travel.position, facts.status.count(COMPLETED), facts.status.count(RUNNING)))
            assert [position for position, *_ in counts] == [
                len(travel.recording or ()) - back for back in (1, 2, 3, 4)
            ]
            assert counts[-1][1] < whole
            QTest.keyClick(scrubber, Qt.Key.Key_Home)
            await settled(console, travel)
            console.actions.refresh()
            assert not any(console.actions[key].isEnabled() for key in EARLIER)
            await until(
                lambda: view.canvas.graph.picture is not None and COMPLETED not in view.canvas.graph.picture.status
            )
            QTest.keyClick(scrubber, Qt.Key.Key_End)
            await settled(console, travel)
            facts = view.reader.facts()
            assert facts is not None
            assert facts.state is RunState.COMPLETED

    desktop.run(main)


def test_the_bar_goes_with_runs_only_and_is_turned_off_again(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            bar = console.window.time_bar
            tab = await started(console, small(seconds=LONG))
            await at_rest(console)
            assert not bar.isVisible()
            assert not console.actions["play_past"].isEnabled()
            travel = await looking_back(console)
            travel.go_to_begin()
            await settled(console, travel)
            plan = next(item.key for item in console.documents if item.key != tab.key)
            console.documents.turn_to(plan)
            assert not bar.isVisible()
            assert not console.actions["time_travel"].isEnabled()
            console.documents.turn_to(tab.key)
            assert bar.isVisible()
            assert travel.reader.is_past
            console.actions["time_travel"].trigger()
            assert not bar.isVisible()
            assert not travel.reader.is_past

    desktop.run(main)


def test_a_run_from_its_journal_leaves_no_wish_for_the_bar_behind(desktop: Desktop, directory: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            bar, wish = console.window.time_bar, console.actions["time_travel"]
            live = await started(console, small(seconds=LONG))
            await at_rest(console)
            console.recorded.open(directory / "runs" / "r1", "r1")
            await console.recorded.settled()
            recorded = console.documents.front
            assert recorded is not None
            assert wish.isChecked()
            assert bar.isVisible()
            console.documents.turn_to(live.key)
            assert not wish.isChecked()
            assert not bar.isVisible()
            wish.trigger()
            console.documents.turn_to(recorded.key)
            wish.trigger()
            assert not bar.isVisible(), "of that run alone"
            console.documents.turn_to(live.key)
            assert wish.isChecked()
            assert bar.isVisible()
            console.documents.close(live.key)
            console.documents.turn_to(recorded.key)
            assert bar.isVisible()

    desktop.run(main)


def test_what_had_not_begun_had_printed_nothing(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await until(lambda: orchestrator_of(console).run(tab.run_id).state is RunState.EXECUTING)
            console.window.workbench.show_pane("output")
            view = front(console)
            pane = view.views["output"].widget
            view.selection.select(0)
            await until(lambda: "has printed nothing yet" in pane._sentence.text())
            assert pane._moment() is None
            travel = await looking_back(console)
            travel.go_to_begin()
            await settled(console, travel)
            assert "has not begun" in pane._sentence.text()
            assert pane._moment() == travel.reader.wall(travel.reader.now())

    desktop.run(main)


def test_every_verb_of_time_has_keys(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            for key in ("time_travel", *VERBS):
                assert not console.actions[key].shortcut().isEmpty(), key
            known = [console.actions[key].shortcut().toString() for key in console.actions.keys]
            taken = [one for one in known if one]
            assert len(taken) == len(set(taken))

    desktop.run(main)


def test_the_past_of_a_run_that_has_ended_does_not_say_that_it_goes_on(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small())
            await until(lambda: orchestrator_of(console).run(tab.run_id).state.has_ended)
            await at_rest(console)
            travel = await looking_back(console)
            travel.go_to_begin()
            await settled(console, travel)
            assert front(console).banner._sentence.text() == "Nothing can be changed from here. The run has ended."

    desktop.run(main)


def test_the_header_foresees_nothing_in_the_past(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await until(lambda: orchestrator_of(console).run(tab.run_id).state is RunState.EXECUTING)
            travel = await looking_back(console)
            line = console.window.header.line
            travel.step(-1)
            await settled(console, travel)
            assert line.figures is not None
            assert finish_words(line.figures) == ("", "", "")
            assert not line.accessibleDescription().endswith(", "), "nor is a gap read out"
            console.actions["present"].trigger()
            await settled(console, travel)
            await until(lambda: line.figures is not None and finish_words(line.figures)[0] == "Finish")

    desktop.run(main)


def test_the_moment_that_is_looked_back_to_stays_in_sight_in_the_timeline(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=0.2))
            await until(lambda: orchestrator_of(console).run(tab.run_id).state.has_ended)
            await at_rest(console)
            timeline = front(console).timeline
            travel = await looking_back(console)
            assert travel.recording is not None
            timeline.fit()
            for _ in range(20):  # to a hundredth of it
                timeline.zoom_in()
            begun = orchestrator_of(console).run(tab.run_id).facts.run_started_at
            assert begun is not None
            assert timeline.span.time_at(timeline.plot_width()) - timeline.span.left < 0.2
            seen = []
            for position in reversed(range(len(travel.recording))):
                travel.go_to_position(position)
                await settled(console, travel)
                if timeline.model.run.run_started_at is not None:
                    seen.append(timeline.span.x_of(travel.at) / timeline.plot_width())
            assert len(seen) > 5
            assert all(0 <= share <= 1 for share in seen), seen
            held = timeline.span
            is_right = held.x_of(travel.at) > timeline.plot_width() / 2
            travel.show_moment(travel.at + (-0.001 if is_right else 0.001))  # towards the middle
            await settled(console, travel)
            assert timeline.span == held, "it moves only if it has to"
            travel.show_moment(travel.end)
            await settled(console, travel)
            assert 0 <= timeline.span.x_of(travel.at) <= timeline.plot_width(), "forth, too, as while it plays"
            timeline.pan_to(timeline.span.panned(-3000), 0)
            moved = timeline.span
            front(console).lanes.on_changes(Changes(run_id=tab.run_id, everything=True))
            assert timeline.span == moved, "the user may look elsewhere"

    desktop.run(main)
