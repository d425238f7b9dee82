"""The line of a run of a server."""

from __future__ import annotations

from tests.virtual_time import engine, run

from starloom import SimulatedDevice
from starloom.cli.remote import _line
from starloom.server.requests import listed
from starloom.testing import independent


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
