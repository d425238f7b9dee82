"""A console beside another one of the same folder: once that has gone, other programs reach this one."""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from tests.driver import plan, task
from tests.gui.composition.conftest import at_rest
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom_gui.gateway.own_engine import own_engine

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop


async def listed() -> str:
    """What `starloom ps` prints."""
    words = [sys.executable, "-m", "starloom.cli", "ps"]
    done = await asyncio.create_subprocess_exec(
        *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    return (await done.communicate())[0].decode()


def test_a_second_console_is_served_once_the_first_one_has_gone_and_says_so(desktop: Desktop) -> None:
    async def main() -> None:
        async with AsyncExitStack() as first:
            await first.enter_async_context(own_engine())
            async with desktop.console() as console:
                assert console.strip.shown is not None
                assert "Another Starloom is open" in console.strip.shown.text
                run = await orchestrator_of(console).start(plan([task("a", simulate=3600.0)]))
                assert run.id not in await listed()
                await first.aclose()
                await until(lambda: console.strip.shown is not None and "has ended" in console.strip.shown.text)
                assert run.id in await listed()
                await run.cancel()
                await at_rest(console)

    desktop.run(main)
