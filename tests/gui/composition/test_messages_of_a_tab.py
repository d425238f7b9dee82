"""What was refused in one tab is not said over another one."""

from __future__ import annotations

import pytest
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import small

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
