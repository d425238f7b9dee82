"""The line of a run of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.driver import plan, task
from tests.virtual_time import engine, run

from starloom import SimulatedDevice
from starloom.cli.remote import _line
from starloom.journal.library import Library
from starloom.server.listings import ListedRun
from starloom.server.requests import listed
from starloom.testing import independent

if TYPE_CHECKING:
    from pathlib import Path


def test_what_was_cancelled_is_named_while_the_run_goes_on_and_once_it_has_ended() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("s", slots=1)) as orchestrator:
            made = await orchestrator.start(independent(3, simulate=9), paused=True)
            await made.cancel_tasks("t1", "t2")
            (one,) = listed(orchestrator)
            assert "0 of 3 tasks done, 2 cancelled" in _line(one)
            await made.start()
            await made.finished()
            (one,) = listed(orchestrator)
            assert "1 of 3 tasks done, 2 cancelled" in _line(one)

    run(main())


@pytest.mark.parametrize("most", [1, 0])
def test_what_was_only_simulated_is_named_also_once_the_run_is_let_go_of(tmp_path: Path, most: int) -> None:
    async def main() -> None:
        with Library(tmp_path) as journal:
            async with engine(SimulatedDevice("s"), journal=journal, runs_in_memory=most) as orchestrator:
                made = await orchestrator.start(plan([task("build", shell="make"), task("wait", simulate="3s")]))
                await made.finished()
                assert (made.id in orchestrator.ended_runs.released) == (most == 0)
                (one,) = listed(orchestrator)
                assert "2 of 2 tasks done, 1 only simulated" in _line(one)

    run(main())


def test_a_server_of_an_earlier_version_tells_nothing_of_what_was_only_simulated() -> None:
    plain = ("run", "name", "completed", 3, 3, 0, 0, 0, (), 0, 0)
    one = msgspec.msgpack.decode(msgspec.msgpack.encode(plain), type=ListedRun)
    assert "3 of 3 tasks done  name" in _line(one)
