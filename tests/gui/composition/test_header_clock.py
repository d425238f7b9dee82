"""The finish in the header is that of the panes, to the second, whichever way the clock of the machine was moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.waiting import until

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")


def finish(console: Console) -> float | None:
    figures = console.window.header.line.figures
    return None if figures is None else figures.finish


def test_the_header_counts_by_the_clock_of_the_run(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            wall = console.bridge.wall
            monkeypatch.setattr(console.bridge, "wall", lambda at: wall(at) + 0.6)
            await started(console, small(seconds=LONG))
            await until(lambda: finish(console) is not None)
            await at_rest(console)
            run, projection = front(console).reader.view(), front(console).outlook.now.projection
            assert run is not None
            assert projection is not None
            assert projection.end is not None
            assert finish(console) == pytest.approx(run.wall(projection.end), abs=0.1)

    desktop.run(main)
