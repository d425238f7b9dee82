"""Calls that may take long and cannot be cancelled, in daemon threads."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")


async def in_background(call: Callable[..., _T], *given: object) -> _T:
    """Run a call in its own thread; returns or raises what the call does.

    Whoever is cancelled goes on at once; the call runs to its end, and what came of it is dropped. `asyncio.to_thread`
    would have the end of the loop, and so that of the program, wait for it. It must therefore change nothing.

    Args:
        call: what is to be done.
        given: its arguments.
    """
    loop = asyncio.get_running_loop()
    over: asyncio.Future[Callable[[], _T]] = loop.create_future()

    def work() -> None:
        end = _end_of(call, given)
        with contextlib.suppress(RuntimeError):  # the loop has been closed meanwhile: nobody waits any more
            loop.call_soon_threadsafe(tell, end)

    def tell(end: Callable[[], _T]) -> None:
        if not over.done():
            over.set_result(end)

    threading.Thread(target=work, name="console: background", daemon=True).start()
    return (await over)()


def _end_of(call: Callable[..., _T], given: tuple[object, ...]) -> Callable[[], _T]:
    """Make a function that returns, or raises, the outcome of a call."""
    try:
        value = call(*given)
    except Exception as error:  # noqa: BLE001 - whoever awaits it is told
        failure = error
    else:
        return lambda: value

    def fail() -> _T:
        raise failure

    return fail
