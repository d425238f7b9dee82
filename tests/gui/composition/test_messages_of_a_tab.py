"""What was refused in one tab is not said over another one."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import small
from tests.waiting import until

from starloom.errors import CommandRefused
from starloom_gui.widgets.message_bar import ErrorMessage

pytestmark = pytest.mark.usefixtures("app")


def test_what_was_refused_in_a_tab_goes_when_another_is_in_front_and_what_concerns_all_stays(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            first = console.documents.put_plan(small())
            console.documents.put_plan(small())
            await at_rest(console)
            console.strip.show_trouble(general := ErrorMessage("The devices are not kept", "The disk is full."))
            assert console.views.front is not None
            console.views.front.refused.emit("Remove one", "The past is shown.")
            assert console.strip.shown is not None
            assert console.strip.shown.what == "Remove one"
            console.documents.turn_to(first.key)
            await at_rest(console)
            assert console.strip.shown == general

    desktop.run(main)


def test_a_refused_start_is_not_said_over_another_tab(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object, **_how: object) -> None:
        raise CommandRefused("acting_device", "A device of this plan only acts as if it worked.")

    async def main() -> None:
        async with desktop.console() as console:
            other = console.documents.put_plan(small())
            refused = console.documents.put_plan(small())
            console.documents.turn_to(refused.key)
            monkeypatch.setattr(console.starter, "start", refuse)
            console.files.plan_verbs.trust(refused.plan)
            console.starter.start_plan(refused.key)
            await until(lambda: console.strip.shown is not None)
            assert console.strip.shown is not None
            assert console.strip.shown.what == "Not started"
            console.documents.turn_to(other.key)
            assert console.strip.shown is None

    desktop.run(main)


def test_why_a_key_does_nothing_is_not_said_over_another_tab(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            first = console.documents.put_plan(small())
            console.documents.put_plan(small())
            await at_rest(console)
            assert not console.actions["undo"].isEnabled()
            assert console.views.front is not None
            QTest.keyClick(console.views.front.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
            assert console.strip.shown is not None
            assert console.strip.shown.text == console.actions["undo"].statusTip()
            console.documents.turn_to(first.key)
            assert console.strip.shown is None

    desktop.run(main)


def test_what_the_engine_refused_of_a_run_is_not_said_over_another_tab(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            first = console.documents.put_plan(small())
            console.documents.put_plan(small())
            await at_rest(console)
            console.say_not_done("Agent not attached", "It could not be started.")
            assert console.strip.shown is not None
            console.documents.turn_to(first.key)
            assert console.strip.shown is None

    desktop.run(main)
