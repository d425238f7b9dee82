"""A run that another one is compared with, and that goes on: what it came to then is compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gui.composition.test_comparing import another, compared, ran
from tests.gui.composition.test_console import front
from tests.gui.engines import orchestrator_of
from tests.waiting import until

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

pytestmark = pytest.mark.usefixtures("app")


def test_a_baseline_whose_run_is_taken_up_again_is_read_again_once_it_ends(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            old = await ran(console)
            await another(console)
            await compared(console)
            view = front(console)
            read, earlier = view.compared, view.compared.earlier
            assert earlier is not None
            (first, *_) = earlier.run.graph.ids
            assert (earlier.has_ended, earlier.told(first).attempts) == (True, 1)  # type: ignore[union-attr]
            run = orchestrator_of(console).run(old)
            await run.rerun_from(first)
            await until(lambda: read.earlier is not None and read.earlier.told(first).attempts == 2)  # type: ignore[union-attr]
            await run.finished()
            await until(lambda: read.earlier is not None and read.earlier.has_ended)
            again = read.earlier
            assert again is not None
            assert again.took > earlier.took
            assert again.title == earlier.title
            assert view.timeline.model.earlier is again, "every view shows what was read last"

    desktop.run(main)
