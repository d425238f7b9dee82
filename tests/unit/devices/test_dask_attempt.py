"""An attempt on a Dask worker as it ends: what came of it is told or fetched, and the worker may go away meanwhile."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from tests.virtual_time import loop, run
from typing_extensions import override

from starloom import OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

pytest.importorskip("distributed")
from starloom.devices.base import TaskContext
from starloom.devices.dask.attempt import DaskAttempt, DaskPlace
from starloom.devices.dask.orders import BEGUN, OUTCOME
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


def attempt_of(link: Any, lost: asyncio.Future[None]) -> DaskAttempt:
    return DaskAttempt(
        link, DaskPlace("tcp://w", "r", lost), "1", Output(lambda *_: None, 0), TaskContext("r", "t", 1, "d", 0)
    )


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


# ---- one that waits for a thread


class Ending(Fetching):
    """A Dask future that is there once the test says so."""

    def __init__(self) -> None:
        super().__init__(is_done=False)
        self._end = asyncio.Event()

    @override
    async def exception(self) -> None:
        await self._end.wait()

    def end(self) -> None:
        self.is_done = True
        self._end.set()


class Begins(TaskContext):
    """A context that keeps what it is told of the begin."""

    __slots__ = ("told",)

    def __init__(self) -> None:
        super().__init__("r", "t", 1, "d", 0)
        self.told: list[Any] = []

    @override
    def waits(self) -> None:
        self.told.append("waits")

    @override
    def begins(self, *, is_seen: bool = True, ago: float = 0.0) -> None:
        assert is_seen
        self.told.append(ago)


class Taken(Submitting):
    """A link to a cluster that knows the attempt already, and what its worker says of it when it is asked."""

    def __init__(self, future: Fetching, begun_ago: float | None) -> None:
        super().__init__(future)
        self.topic = "us"
        self.future_of = lambda _order: future
        self._read = {"pieces": [], "offset": 0, "is_all": True, "trouble": "", "ended_ago": None}
        self._read["begun_ago"] = begun_ago

    async def known(self, order_ids: tuple[str]) -> dict[str, str]:
        return dict.fromkeys(order_ids, "processing")

    async def ask(self, *_: Any, **__: Any) -> dict[str, Any]:
        return self._read


def waiting_on(link: Any, context: TaskContext, *, waits: bool, has_timeout: bool = True) -> DaskAttempt:
    place = DaskPlace("tcp://w", "r", loop().create_future())
    return DaskAttempt(
        link, place, "1", Output(lambda *_: None, 0), context, kept=True, has_timeout=has_timeout, waits=waits
    )


def test_one_that_waits_for_a_thread_begins_when_its_worker_says_so() -> None:
    async def main() -> None:
        future, context = Ending(), Begins()
        link = Submitting(future)
        link.keep = lambda _order: None  # type: ignore[attr-defined]
        living = asyncio.ensure_future(waiting_on(link, context, waits=True).live(lambda: b""))
        await asyncio.sleep(1)
        assert context.told == ["waits"]
        link.heard["1"]({"order": "1", BEGUN: "0.25"})
        link.heard["1"]({"order": "1", BEGUN: "0.25"})
        assert context.told == ["waits", 0.25]
        link.heard["1"]({"order": "1", OUTCOME: TOLD})
        future.end()
        assert (await living).status is OutcomeStatus.COMPLETED

    run(main())


@pytest.mark.parametrize(("begun_ago", "told"), [(3.0, []), (None, ["waits", 0.25])])
def test_one_that_is_taken_up_waits_only_if_it_has_not_begun(begun_ago: float | None, told: list[Any]) -> None:
    async def main() -> None:
        future, context = Ending(), Begins()
        link = Taken(future, begun_ago)
        living = asyncio.ensure_future(waiting_on(link, context, waits=False).go_on())
        await asyncio.sleep(1)
        link.heard["1"]({"order": "1", BEGUN: "0.25"})
        assert context.told == told
        link.heard["1"]({"order": "1", OUTCOME: TOLD})
        future.end()
        await living

    run(main())


def test_one_that_began_while_the_link_was_down_began_as_long_ago_as_its_worker_says() -> None:
    async def main() -> None:
        future, context = Ending(), Begins()
        link = Taken(future, 3.0)
        attempt = waiting_on(link, context, waits=True)
        living = asyncio.ensure_future(attempt.go_on())
        await asyncio.sleep(1)
        assert context.told == [3.0]
        link.heard["1"]({"order": "1", OUTCOME: TOLD})
        future.end()
        await living

    run(main())


@pytest.mark.parametrize(("waited", "told"), [(0.1, []), (5.0, [0.25])])
def test_without_a_timeout_only_a_long_wait_is_told(waited: float, told: list[Any], monkeypatch: Any) -> None:
    async def main() -> None:
        monkeypatch.setattr("starloom.devices.dask.worker_reports.time.monotonic", loop().time)
        future, context = Ending(), Begins()
        link = Submitting(future)
        link.keep = lambda _order: None  # type: ignore[attr-defined]
        living = asyncio.ensure_future(waiting_on(link, context, waits=True, has_timeout=False).live(lambda: b""))
        await asyncio.sleep(waited + 0.25)
        link.heard["1"]({"order": "1", OUTCOME: TOLD, BEGUN: "0.25"})
        future.end()
        await living
        assert context.told == told

    run(main())
