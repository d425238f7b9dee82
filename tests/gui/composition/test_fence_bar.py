"""The pane of what waits: the bar over its agents in small windows, and its sentence where there is nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel, QPushButton
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_agents import lab, pane_of, readied

from starloom.model.status import Fence

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop


def test_what_waits_for_agents_is_said_whole_in_small_windows(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await readied(console, lab())
            for size in (QSize(1100, 700), QSize(1000, 600)):
                console.window.resize(size)
                for fence in Fence:
                    await run.set_fence(fence=fence)
                    await at_rest(console)
                    bar = pane_of(console).fence
                    words = [*bar.findChildren(QLabel), *bar.findChildren(QPushButton)]
                    assert all(one.width() >= one.sizeHint().width() for one in words if one.isVisible())
                    assert bar.approval.geometry().right() <= bar.width()

    desktop.run(main)


def test_where_nothing_waits_the_pane_says_so_and_not_that_there_are_no_agents(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await readied(console, lab())
            assert pane_of(console)._sentence.text().startswith("Nothing here waits for you.")

    desktop.run(main)
