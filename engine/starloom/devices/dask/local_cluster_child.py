"""The program that is a Dask cluster of this machine: says its scheduler's address, and ends when nobody listens.

A process of its own keeps Dask's scheduler off the console's event loop, and its threads and signal handlers too.
"""

from __future__ import annotations

import asyncio
import sys

from distributed import LocalCluster


async def main(workers: int, threads: int) -> None:
    """Be a cluster until standard input ends, which it does at the latest with whoever started us."""
    async with LocalCluster(
        n_workers=workers,
        threads_per_worker=threads,
        processes=True,
        asynchronous=True,
        host="127.0.0.1",
        scheduler_port=0,
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
    ) as cluster:
        print(cluster.scheduler_address, flush=True)  # noqa: T201 - it is what we are asked for
        await asyncio.to_thread(sys.stdin.buffer.read)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
