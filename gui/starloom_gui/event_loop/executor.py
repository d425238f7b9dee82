"""qasync's `QThreadExecutor` as the default executor of a loop of asyncio's."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future


class DefaultQThreadExecutor:
    """The default executor of a loop, with the shutdown that asyncio expects.

    asyncio may shut its executor down twice, which `QThreadExecutor` refuses. And it need not wait for the threads,
    but Qt aborts the program when the object of a thread that runs is deleted; so this one always waits.

    Args:
        executor: a `qasync.QThreadExecutor`.
    """

    def __init__(self, executor: Any) -> None:
        self._executor = executor

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Call a function in a thread.

        Args:
            function: what to call.
            args: its positional arguments.
        """
        future: Future[Any] = self._executor.submit(function, *args)
        return future

    def shutdown(self, wait: bool = True) -> None:  # noqa: ARG002 - see above
        """Return once all threads have ended; a second time, at once."""
        with contextlib.suppress(RuntimeError):
            self._executor.shutdown()
