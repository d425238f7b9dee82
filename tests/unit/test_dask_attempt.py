"""An attempt on a Dask worker as it ends: what came of it is told or fetched, and the worker may go away meanwhile."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from tests.virtual_time import loop, run

from starloom import OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

pytest.importorskip("distributed")
from starloom.devices.dask.attempt import Attempt, Place
from starloom.devices.dask.orders import OUTCOME
from starloom.devices.output import Output

TOLD = '{"status":"completed","result":{"value":7}}'


class Fetching:
    """A Dask future whose result is never there, however long it is fetched."""

    status = "finished"

    def __init__(self, *, is_done: bool = True) -> None:
        self.is_done = is_done
        self.has_to_be_ended = False

    def __await__(self) -> Generator[Any, None, bytes]:
        return loop().create_future().__await__()

    async def exception(self) -> None:
        if not self.is_done:
            await loop().create_future()

    async def cancel(self, *, force: bool) -> None:
        self.has_to_be_ended = force

    def done(self) -> bool:
        return self.is_done

    def release(self) -> None:
        pass


class Submitting:
    """A link that gives one future to whoever submits, and lets the test say what the worker says."""

    def __init__(self, future: Fetching) -> None:
        self.client = SimpleNamespace(submit=lambda *_, **__: future)
        self.is_up = True
        self.left = SimpleNamespace(drop=lambda future: future.release())
        self.heard: dict[str, Callable[[Mapping[str, str]], None]] = {}

    def listen(self, order_id: str, heard: Callable[[Mapping[str, str]], None]) -> None:
        self.heard[order_id] = heard

    def ignore(self, order_id: str) -> None:
        del self.heard[order_id]


def attempt_of(link: Any, lost: asyncio.Future[None]) -> Attempt:
    return Attempt(link, Place("tcp://w", "r", lost), "1", Output(lambda *_: None, 0))


def test_that_the_worker_is_gone_is_said_at_once() -> None:
    async def main() -> None:
        lost: asyncio.Future[None] = loop().create_future()
        living = asyncio.ensure_future(attempt_of(Submitting(Fetching()), lost).live(lambda: b""))
        await asyncio.sleep(1)
        lost.set_result(None)
        outcome = await living
        assert outcome.status is OutcomeStatus.LOST
        assert loop().time() < 2

    run(main())


def test_an_outcome_that_was_told_is_not_fetched() -> None:
    async def main() -> None:
        link = Submitting(Fetching())
        living = asyncio.ensure_future(attempt_of(link, loop().create_future()).live(lambda: b""))
        loop().call_soon(lambda: link.heard["1"]({"order": "1", OUTCOME: TOLD}))
        outcome = await living
        assert (outcome.status, outcome.result.value) == (OutcomeStatus.COMPLETED, 7)
        assert not link.heard

    run(main())


def test_an_outcome_that_was_told_holds_though_the_worker_went_away_before_dask_heard_of_the_end() -> None:
    async def main() -> None:
        lost: asyncio.Future[None] = loop().create_future()
        future = Fetching(is_done=False)
        link = Submitting(future)
        living = asyncio.ensure_future(attempt_of(link, lost).live(lambda: b""))
        await asyncio.sleep(1)
        link.heard["1"]({"order": "1", OUTCOME: TOLD})
        lost.set_result(None)
        assert (await living).result.value == 7
        assert future.has_to_be_ended  # or another worker might be given it

    run(main())
