"""Code that runs in a Dask scheduler: releases attempts that nobody has fetched.

Attempts of a program with a journal are kept for the next one, which is to take them up, by a client that never leaves
(as Dask does for `fire_and_forget`). If no program ever comes, whoever connects later has them swept.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from starloom.devices.dask.orders import begun_at

if TYPE_CHECKING:
    from distributed import Scheduler

KEEPER: Final = "starloom-keeper"
"""The client that wants what a later program may ask for."""
LONGEST_KEPT: Final = 14 * 86_400.0
"""Seconds after which an attempt that does not run any more is kept no longer."""


async def sweep(dask_scheduler: Scheduler, older_than: float = LONGEST_KEPT) -> int:
    """Release attempts that began longer ago than so many seconds and do not run; returns their number."""
    keeper = dask_scheduler.clients.get(KEEPER)
    if keeper is None:
        return 0
    before = time.time() - older_than
    old = [task.key for task in keeper.wants_what if task.state != "processing" and begun_at(str(task.key)) < before]
    dask_scheduler.client_releases_keys(keys=old, client=KEEPER)
    return len(old)
