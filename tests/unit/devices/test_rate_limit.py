"""The limited rate of a language model: how long it is left alone, and what a person who will not wait may do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.waiting import until

from starloom.devices.llm.rate_limit import RateLimit

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

Told = list[float]


def limited(scenario: Callable[[RateLimit, Told], Awaitable[None]]) -> Told:
    """What is told of a limit that holds for an hour, in this scenario."""
    told: Told = []

    async def within_bound() -> None:
        async with asyncio.timeout(10):
            limit = RateLimit(lambda seconds, _: told.append(seconds))
            limit.hold(3600.0)
            await scenario(limit, told)

    asyncio.run(within_bound())
    return told


def test_of_those_that_wait_one_asks_at_once_when_a_person_wants_that_and_all_once_it_was_answered() -> None:
    async def scenario(limit: RateLimit, _: Told) -> None:
        waiting = [asyncio.ensure_future(limit.passed()) for _ in range(3)]
        await asyncio.sleep(0)
        limit.hurry()
        done, others = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.sleep(0.05)
        assert (len(done), [one.done() for one in others]) == (1, [False, False])
        assert done.pop().result(), "it is a trial"
        limit.works(is_trial=True)
        assert [await one for one in others] == [False, False]

    assert limited(scenario) == [3600.0]


def test_where_nobody_waits_the_next_one_asks_at_once() -> None:
    async def scenario(limit: RateLimit, _: Told) -> None:
        limit.hurry()
        limit.hurry()
        assert await limit.passed()
        second = asyncio.ensure_future(limit.passed())
        await asyncio.sleep(0.05)
        assert not second.done()
        second.cancel()

    limited(scenario)


def test_a_trial_that_is_refused_tells_the_new_time_also_an_earlier_one() -> None:
    async def scenario(limit: RateLimit, _: Told) -> None:
        waiting = asyncio.ensure_future(limit.passed())
        limit.hurry()
        assert await limit.passed()
        limit.hold(0.2, is_trial=True)
        assert not await waiting

    assert limited(scenario) == [3600.0, 0.2]


def test_an_answer_that_was_under_way_does_not_end_it() -> None:
    async def scenario(limit: RateLimit, _: Told) -> None:
        waiting = asyncio.ensure_future(limit.passed())
        limit.works(is_trial=False)
        await asyncio.sleep(0.05)
        assert not waiting.done()
        waiting.cancel()
        await until(waiting.cancelled)

    limited(scenario)
