"""What a console tells unasked: of its own runs, in its own window."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom.model.task import Simulate
from starloom_gui.shell.notice import OPTIONAL, NoticeKind
from starloom_gui.text.words import moment

if TYPE_CHECKING:
    from starloom.model.plan import Plan

pytestmark = pytest.mark.usefixtures("app")


def failing() -> Plan:
    steps = [task("good", simulate=0.01), task("bad", simulate=Simulate(duration=0.01, outcome="failed"))]
    return replace(plan(steps), name="failing", devices=(DeviceSpec(id="d", kind="simulated", slots=2),))


def test_a_failure_is_told_and_choosing_it_selects_the_task(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await orchestrator_of(console).start(failing())
            await run.finished()
            telling = console.notifications
            await until(lambda: telling.notices.unseen == 2)
            assert telling.bell.text() == "2"
            failed = next(notice for notice in telling.notices if notice.kind is NoticeKind.FAILED)
            telling.show(failed)
            await at_rest(console)
            view = console.views.front
            assert view is not None
            assert view.source.run_id == run.id
            assert view.target.task_ids == ("bad",)
            assert not console.window.is_welcoming

    desktop.run(main)


def test_the_verb_opens_the_list_and_the_list_opens_the_run(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await orchestrator_of(console).start(failing())
            await run.finished()
            await until(lambda: len(console.notifications.notices) == 2)
            popup = console.notifications.show_list()
            assert console.notifications.bell.text() == ""
            popup.rows.activated.emit(popup.rows.currentIndex())
            await until(lambda: console.documents.front is not None)
            assert [tab.run_id for tab in console.documents.runs] == [run.id]

    desktop.run(main)


def test_what_the_user_does_not_want_to_hear_of_is_remembered(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            popup = console.notifications.show_list()
            popup.kinds[NoticeKind.FAILED].trigger()
            popup.desktop.trigger()
            popup.close()
        async with desktop.console() as console:
            assert console.notifications.notices.hidden == {NoticeKind.FAILED, *OPTIONAL}
            assert not console.notifications.notifier.is_on

    desktop.run(main)


def test_all_that_shows_a_time_follows_the_choice_of_the_clock_at_once_and_for_good(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await orchestrator_of(console).start(failing())
            console.documents.put_run(run.id)
            await run.finished()
            await at_rest(console)
            assert "UTC" not in console.window.status.last.accessibleName()
            console.actions["utc"].trigger()
            await at_rest(console)
            assert " UTC " in console.window.status.last.accessibleName()
            await until(lambda: " UTC" in console.window.header.line.accessibleDescription())
        async with desktop.console() as console:
            assert console.actions["utc"].isChecked()
            assert moment(0.0).endswith(" UTC")
            console.actions["utc"].trigger()
            assert not moment(0.0).endswith(" UTC")

    desktop.run(main)
