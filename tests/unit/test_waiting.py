"""The function by which tests wait costs little, as others need the processor to bring about what is waited for."""

from __future__ import annotations

import asyncio
import time

import pytest
from tests.waiting import until


def test_a_long_wait_spins_only_at_first() -> None:
    looks: list[float] = []

    async def scenario() -> None:
        begun = time.monotonic()

        def look() -> bool:
            looks.append(time.monotonic() - begun)
            return looks[-1] > 0.7

        await until(look)

    asyncio.run(scenario())
    assert sum(at > 0.2 for at in looks) <= 260, "half a second"


def test_what_comes_about_in_this_process_is_seen_in_the_iteration_in_which_it_does() -> None:
    async def scenario() -> int:
        seen = 0

        def pass_by(left: int) -> None:
            nonlocal seen
            seen = left
            if left:
                asyncio.get_running_loop().call_soon(pass_by, left - 1)

        pass_by(9)
        return await until(lambda: seen if seen < 5 else 0) or seen

    assert asyncio.run(scenario()) == 4


def test_what_does_not_come_about_fails() -> None:
    with pytest.raises(AssertionError, match=r"within 0\.05 s"):
        asyncio.run(until(lambda: False, within=0.05))
