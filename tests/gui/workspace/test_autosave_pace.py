"""How soon after a change it is kept, and how often where that takes long."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tests.gui.documents.plans import small
from tests.gui.workspace.test_autosave import folder as folder
from tests.gui.workspace.test_autosave import with_bench

from starloom_gui.workspace.autosave import PAUSE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gui.workspace.test_autosave import Bench


def test_a_change_is_kept_within_a_second_but_not_without_end_where_keeping_takes_long(folder: Path) -> None:
    assert PAUSE < 1.0

    async def main(bench: Bench) -> None:
        keep = bench.autosave._kept.keep

        def slow(document: Any, at: float) -> None:
            begun = time.monotonic()
            keep(document, at)
            while time.monotonic() - begun < 0.02:
                time.sleep(0.005)

        bench.autosave._kept.keep = slow  # type: ignore[method-assign]
        bench.documents.put_plan(small())
        await bench.kept(1)
        assert bench.autosave._timer.interval() >= 4 * 20

    with_bench(folder, main, pause=0.0)
