"""What is kept around the panes: filters, menus, flags, the toolbar, how the last run of a file ended, the demo."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.driver import task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, meant, small, started
from tests.gui.composition.test_what_goes_wrong import asked, left_behind
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.formats import save_plan
from starloom.model.device import DeviceSpec
from starloom.model.status import RunState
from starloom.scheduling.state.codes import FAILED
from starloom_gui.canvas.menu import GraphMenu
from starloom_gui.documents.document import Document, RunTab
from starloom_gui.gateway.changes import Changes
from starloom_gui.panels.plots.corner import PlotsCorner
from starloom_gui.settings import Settings
from starloom_gui.shell.filter_menu import FilterMenu
from starloom_gui.shell.resuming import RESUME, ResumeDialog
from starloom_gui.timeline.corner import TimelineCorner
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QSize

    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")


def test_how_the_last_run_of_a_file_ended_is_remembered(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    save_plan(small(), path)

    async def main() -> None:
        async with desktop.console() as console:
            console.files.opening.open(path)
            await until(lambda: isinstance(console.documents.front, Document))
            console.actions["start"].trigger()
            await until(lambda: isinstance(console.documents.front, RunTab))
            await until(lambda: Settings(desktop.store).recent[0].state == RunState.COMPLETED)

    desktop.run(main)


def filter_menu(console: Console) -> FilterMenu:
    """What the button of the filter opens."""
    console.actions["filter"].trigger()
    (menu,) = console.window.findChildren(FilterMenu)
    assert isinstance(menu, FilterMenu)
    return menu


def test_a_filter_is_gone_with_its_tab(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await at_rest(console)
            button = console.actions["filter"]
            menu = filter_menu(console)
            assert not button.isChecked()
            next(action for action in menu.actions() if action.isCheckable()).toggle()
            menu.close()
            assert button.isChecked()
            console.documents.close(tab.key)
            console.documents.put_run(tab.run_id)
            assert not front(console).canvas.highlights.filter
            assert not button.isChecked()

    desktop.run(main)


def test_turning_from_tab_to_tab_leaves_no_menus_behind(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, small(seconds=LONG))
            keys = [item.key for item in console.documents]
            for key in keys * 3:
                console.documents.turn_to(key)
            await until(lambda: len(console.window.findChildren(GraphMenu)) == 1)

    desktop.run(main)


def test_a_pause_that_comes_with_a_second_turns_the_button_over(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await until(lambda: orchestrator_of(console).run(tab.run_id).state is RunState.EXECUTING)
            button = console.window.tool_bar.main
            await until(lambda: button.defaultAction() is console.actions["pause"])
            console.front._feed.blockSignals(True)
            front(console).outlook.blockSignals(True)  # what is foreseen of the paused run would turn it over, too
            await orchestrator_of(console).run(tab.run_id).pause()
            await at_rest(console)
            assert button.defaultAction() is console.actions["pause"]
            console.front._feed.blockSignals(False)
            front(console).outlook.blockSignals(False)
            console.front._feed.changed.emit(Changes(run_id=tab.run_id, run=True, second=True))
            assert button.defaultAction() is console.actions["resume"]

    desktop.run(main)


def test_what_was_done_to_a_run_is_flagged_when_its_tab_is_opened_again(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await until(lambda: orchestrator_of(console).run(tab.run_id).state is RunState.EXECUTING)
            await orchestrator_of(console).run(tab.run_id).pause()
            await until(lambda: bool(front(console).timeline.flags))
            console.documents.close(tab.key)
            console.documents.put_run(tab.run_id)
            assert [flag.text for flag in front(console).timeline.flags] == ["The run was paused"]

    desktop.run(main)


def test_the_demo_does_not_begin_while_a_run_goes_on_that_is_meant(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await orchestrator_of(console).start(replace(meant(seconds=60), devices=(DeviceSpec(id="here"),)))
            await until(lambda: run.state is RunState.EXECUTING)
            console.starter.run_demo()
            await until(lambda: console.strip.shown is not None)
            assert console.strip.shown is not None
            assert "only acts as if" in console.strip.shown.reason
            assert set(orchestrator_of(console).fleet.devices) == {"here"}


def test_the_demo_begins_beside_a_run_that_only_acts_as_if_too(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, small(seconds=LONG))
            console.starter.run_demo()
            await until(lambda: len(orchestrator_of(console).runs) == 2)

    desktop.run(main)


def test_an_interrupted_run_does_not_go_on_on_what_the_demo_only_acts_as_if(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        await left_behind(tmp_path)
        async with desktop.console() as console:
            console.starter.run_demo()
            await until(lambda: len(orchestrator_of(console).runs) == 1)
            (demo,) = orchestrator_of(console).runs.values()
            await demo.cancel()
            await demo.finished()
            console.files.resuming.ask()
            dialog = await asked(ResumeDialog)
            assert isinstance(dialog, ResumeDialog)
            dialog.choices.choose(RESUME)
            await until(lambda: len(orchestrator_of(console).runs) == 2)
            assert set(orchestrator_of(console).fleet.devices) == {"d"}, "nothing of the demo is left"

    desktop.run(main)


def test_a_trouble_is_seen_on_the_welcome_page_and_goes_with_the_page(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            assert console.window.is_welcoming
            console.strip.show_trouble(ErrorMessage("a", "It was not done."))
            assert console.strip.isVisible()
            console.documents.put_plan(small())
            await until(lambda: not console.window.is_welcoming)
            assert console.strip.isVisible()
            over = console.strip.parentWidget()
            assert over is not None
            assert over is not console.window.welcome
            assert console.strip.width() == over.width()
            console.strip.dismiss()
            assert not console.strip.isVisible()

    desktop.run(main)


def test_a_trouble_that_is_well_again_while_nobody_sees_it_is_not_shown_later(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            assert console.window.is_welcoming
            console.strip.show_trouble(ErrorMessage("a", "It was not done."))
            console.strip.settle("a")
            console.documents.put_plan(small())
            assert not console.strip.isVisible()

    desktop.run(main)


def test_the_status_line_tells_of_the_run_in_front_only(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            said = console.window.status.last
            tab = await started(console, small(seconds=LONG))
            await at_rest(console)
            await orchestrator_of(console).run(tab.run_id).pause()
            await until(lambda: "paused" in said.accessibleName())
            other = await orchestrator_of(console).start(meant(seconds=0.01))
            await other.finished()
            await at_rest(console)
            assert "paused" in said.accessibleName(), "it is of the run in front"
            console.documents.put_plan(small())
            await at_rest(console)
            assert said.accessibleName() == "", "nothing has happened in a plan"
            console.documents.turn_to(tab.key)
            await until(lambda: "paused" in said.accessibleName())

    desktop.run(main)


def test_a_click_on_problems_brings_the_tasks_that_failed_forward_and_moves_nothing(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, small(seconds=LONG))
            await at_rest(console)
            bench = console.window.workbench
            bench.turn_to("timeline")

            def arranged() -> dict[str, tuple[tuple[str, ...], bool, QSize]]:
                return {key: (one.keys, one.isVisible(), one.size()) for key, one in bench.docks.items()}

            before = arranged()
            others = {key: one.front for key, one in bench.docks.items() if "tasks" not in one.keys}
            console.window.status.problems.click()
            assert arranged() == before
            assert bench.dock_of("tasks").front == "tasks"
            assert {key: one.front for key, one in bench.docks.items() if key in others} == others
            assert FAILED in front(console).views["tasks"].widget.bar._filter.forms

    desktop.run(main)


def test_problems_go_with_the_run_that_has_them(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            bad = task("bad", simulate={"duration": 0.01, "outcome": "failed"})
            tab = await started(console, replace(small(), tasks=(bad,), dependencies=()))
            problems = console.window.status.problems
            await until(lambda: not problems.isHidden())
            for document in console.documents.documents:
                console.documents.close(document.key)
            console.documents.close(tab.key)
            await at_rest(console)
            assert console.window.is_welcoming
            assert problems.isHidden()

    desktop.run(main)


def test_live_is_lit_only_where_there_is_a_present(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:

            def lit() -> tuple[bool, bool]:
                timeline, plots = (front(console).views[key].corner for key in ("timeline", "plots"))
                assert isinstance(timeline, TimelineCorner)
                assert isinstance(plots, PlotsCorner)
                return timeline.live.isChecked(), plots.live.isChecked()

            console.documents.put_plan(small(seconds=LONG))
            await at_rest(console)
            assert lit() == (False, False), "a plan"
            tab = await started(console, small(seconds=LONG))
            await until(lambda: lit() == (True, True))
            travel = front(console).source.travel
            assert travel is not None
            travel.open()
            await travel.settled()
            travel.go_to_begin()
            await travel.settled()
            assert lit() == (False, False), "a moment of its journal"
            travel.reader.show_present()
            await until(lambda: lit() == (True, True))
            await orchestrator_of(console).run(tab.run_id).cancel()
            await until(lambda: lit() == (False, False))

    desktop.run(main)
