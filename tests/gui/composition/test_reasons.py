"""Whatever is done may be given a reason, which events tell and reports keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.waiting import until

from starloom import events as ev
from starloom.scheduling.state.codes import RUNNING
from starloom_gui.dialogs.pin import PinDialog
from starloom_gui.dialogs.with_reason import ReasonDialog
from starloom_gui.viewmodel.event_causes import event_cause

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")


def asked(console: Console) -> ReasonDialog:
    console.actions.refresh()
    console.actions["with_reason"].trigger()
    (found,) = [one for one in console.window.findChildren(ReasonDialog) if one.isVisible()]
    return found


def offered(console: Console) -> dict[str, str]:
    """What could be done with a reason now, and how it reads."""
    dialog = asked(console)
    words = dict(dialog.form.editor("act").spec.choices)
    dialog.reject()
    return words


async def done(console: Console, kind: type[ev.Event], act: str, why: str) -> ev.Event:
    """What was done with a reason, as the console's log has it."""
    dialog = asked(console)
    assert not dialog.default.isEnabled()
    dialog.form.fill({"act": act, "reason": why})
    reason = dialog.form.editor("reason").focusProxy()
    assert isinstance(reason, QWidget)
    QTest.keyClick(reason, Qt.Key.Key_Return)
    return await told(console, kind)


async def told(console: Console, kind: type[ev.Event]) -> ev.Event:
    log = console.bridge.log
    await until(lambda: any(isinstance(event, kind) for _, event in log.since(log.begin)))
    return [event for _, event in log.since(log.begin) if isinstance(event, kind)][-1]


def test_what_is_possible_is_done_with_a_reason_that_the_events_tell(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, small(seconds=LONG))
            view = front(console)
            facts = view.reader.facts()
            assert facts is not None
            await until(lambda: facts.status[0] == RUNNING)
            await at_rest(console)
            view.selection.select(1)
            words = offered(console)
            assert [words["hold"], words["priority_high"], words["pause"]] == [
                "Hold: b",
                "Set priority, 80 high: b",
                "Pause",
            ]
            assert not {"release", "retry", "start"} & set(words)
            assert "drain" not in words
            held = await done(console, ev.TasksHeld, "hold", "the board\tis away")
            assert event_cause(held) == "by hand: the board is away"
            await at_rest(console)
            assert "release" in offered(console)
            await done(console, ev.TasksReleased, "release", "it is back")
            await done(console, ev.TasksPrioritised, "priority_high", "it is urgent")
            paused = await done(console, ev.RunPaused, "pause", "lunch")
            assert event_cause(paused) == "by hand: lunch"
            reasons = {type(event): getattr(event, "reason", "") for _, event in console.bridge.log.since(0)}
            assert reasons[ev.TasksReleased] == "it is back"
            assert reasons[ev.TasksPrioritised] == "it is urgent"

    desktop.run(main)


def test_a_pin_may_have_a_reason(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, small(seconds=LONG))
            await at_rest(console)
            front(console).selection.select(1)
            console.actions.refresh()
            console.actions["pin"].trigger()
            (dialog,) = console.window.findChildren(PinDialog)
            dialog.list.setCurrentRow(1)
            dialog.why.fill({"reason": "only there is the board"})
            dialog.default.click()
            pinned = await told(console, ev.TasksPinned)
            assert event_cause(pinned) == "by hand: only there is the board"

    desktop.run(main)


def test_where_nothing_can_be_done_nothing_is_asked(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(small())
            await at_rest(console)
            console.actions.refresh()
            assert not console.actions["with_reason"].isEnabled()

    desktop.run(main)
