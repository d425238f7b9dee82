"""A served engine that is followed as a whole, and a run of it that had ended before."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

import pytest
from tests.integration.served import runtime, served
from tests.integration.test_resume import Gated, abc
from tests.integration.test_server_engine import caught_up, check_same, following

from starloom.server import row_sender

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects")

__all__ = ["runtime"]


def test_of_a_run_that_had_ended_before_nothing_is_told_until_it_is_reopened_and_then_all(tmp_path: Path) -> None:
    async def main() -> None:
        device = Gated()
        async with served(tmp_path, device) as engine, engine.client() as client:
            run = await engine.orchestrator.start(abc())
            device.open("a", "b", "c")
            await run.finished()
            async with following(client) as (found, turns):
                await run.set_limit(2)
                await engine.orchestrator.set_limits(max_concurrency=3)
                await caught_up(found, turns, engine.orchestrator)
                assert not found.replica.runs
                await run.rerun_from("a")
                await caught_up(found, turns, engine.orchestrator)
                check_same(found.replica, engine.orchestrator)

    asyncio.run(main())


def test_a_client_that_comes_back_far_behind_is_told_all_of_a_run_that_had_ended_and_is_reopened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins with the fleet's facts then, and lets go of what had ended."""
    monkeypatch.setattr(row_sender, "FAR", 3)

    async def main() -> None:
        device = Gated()
        async with served(tmp_path, device) as engine, engine.client() as client:
            run = await engine.orchestrator.start(abc())
            async with following(client) as (found, turns):
                device.open("a", "b", "c")
                await run.finished()
                await caught_up(found, turns, engine.orchestrator)
                while not found.replica.runs[run.id].state.has_ended:
                    await anext(turns)
                for session in list(engine.server._sessions.values()):
                    session.abort()
                await run.set_limit(2)
                for limit in range(1, 6):
                    await engine.orchestrator.set_limits(max_concurrency=limit)
                await caught_up(found, turns, engine.orchestrator)
                await run.rerun_from("a")
                await caught_up(found, turns, engine.orchestrator)
                check_same(found.replica, engine.orchestrator)

    asyncio.run(main())
