"""An attempt on a Dask worker that goes away just as it ends, with Dask trying to fetch what came of it."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from tests.virtual_time import loop, run

from starloom import OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import Generator

pytest.importorskip("distributed")
from starloom.devices.dask.attempt import Attempt, Place


class Fetching:
    """A Dask future that has ended, and whose result is never there."""

    def __await__(self) -> Generator[Any, None, bytes]:
        never: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        return never.__await__()

    async def cancel(self, *, force: bool) -> None:
        assert force

    def done(self) -> bool:
        return True

    def release(self) -> None:
        pass


def test_that_the_worker_is_gone_is_said_at_once() -> None:
    async def main() -> None:
        lost: asyncio.Future[None] = loop().create_future()
        link: Any = SimpleNamespace(client=SimpleNamespace(submit=lambda *_, **__: Fetching()))
        living = asyncio.ensure_future(Attempt(link, Place("tcp://w", "r", lost), "1", b"").live())
        await asyncio.sleep(1)
        lost.set_result(None)
        outcome = await living
        assert outcome.status is OutcomeStatus.LOST
        assert loop().time() < 2

    run(main())
