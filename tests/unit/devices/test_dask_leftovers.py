"""What a Dask cluster may forget is told it together: each message that goes before an order delays that order."""

from __future__ import annotations

import asyncio
from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from tests.virtual_time import loop, run

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

pytest.importorskip("distributed")
from starloom.devices.dask.leftovers import DaskLeftovers


class Told:
    """A link, and the client of a connection: both keep what the scheduler is told."""

    is_up = True
    status = "running"

    def __init__(self) -> None:
        self.id = "us"
        self.refcount: Counter[str] = Counter()
        self.futures: dict[str, Any] = {}
        self.messages: list[dict[str, Any]] = []
        self.released: list[list[str]] = []
        self.questions = 0

    def future(self, key: str, holders: int = 1) -> Any:
        self.refcount[key], self.futures[key] = holders, object()
        future = SimpleNamespace(key=key, client=self, _cleared=False)
        future.release = lambda: self.messages.append({"alone": key})
        return future

    def _send_to_scheduler(self, message: dict[str, Any]) -> None:
        self.messages.append(message)

    def release(self, order_ids: Iterable[str]) -> None:
        self.released.append(list(order_ids))

    async def known(self, _order_ids: Iterable[str]) -> dict[str, str]:
        self.questions += 1
        return {}


def test_attempts_that_end_one_after_the_other_are_let_go_of_in_one_message() -> None:
    async def main() -> None:
        told = Told()
        left = DaskLeftovers(told)  # type: ignore[arg-type]
        futures = [told.future(f"k{number}") for number in range(5)]
        for future in futures:
            left.drop(future)
            await asyncio.sleep(0.01)
        assert not told.messages
        await asyncio.sleep(1)
        (message,) = told.messages
        assert message == {"op": "client-releases-keys", "keys": ["k0", "k1", "k2", "k3", "k4"], "client": "us"}
        assert not told.refcount
        assert not told.futures
        assert all(future._cleared for future in futures)

    run(main())


def test_what_somebody_else_waits_for_too_is_not_let_go_of() -> None:
    async def main() -> None:
        told = Told()
        left = DaskLeftovers(told)  # type: ignore[arg-type]
        left.drop(told.future("shared", holders=2))
        await asyncio.sleep(1)
        assert told.messages == [{"alone": "shared"}]  # as Dask does it, which counts who waits
        assert "shared" in told.futures

    run(main())


def test_a_connection_that_has_ended_meanwhile_is_told_nothing() -> None:
    async def main() -> None:
        told = Told()
        left = DaskLeftovers(told)  # type: ignore[arg-type]
        left.drop(told.future("k"))
        told.status = "closed"
        await asyncio.sleep(1)
        assert not told.messages

    run(main())


def test_what_waits_to_be_let_go_of_is_when_the_link_closes() -> None:
    async def main() -> None:
        told = Told()
        left = DaskLeftovers(told)  # type: ignore[arg-type]
        left.drop(told.future("k"))
        await left.close()
        assert [message["keys"] for message in told.messages] == [["k"]]

    run(main())


def test_attempts_that_end_all_the_time_do_not_have_the_scheduler_asked_all_the_time(tmp_path: Path) -> None:
    async def main() -> None:
        told = Told()
        left = DaskLeftovers(told)  # type: ignore[arg-type]
        begun = loop().time()
        for number in range(200):
            left.release(f"{number}", tmp_path / f"{number}" if number % 2 else None)
            await asyncio.sleep(0.01)
        took = loop().time() - begun
        await asyncio.sleep(1)
        assert sum(map(len, told.released)) == 200
        assert told.questions <= took / 0.1 + 2

    run(main())
