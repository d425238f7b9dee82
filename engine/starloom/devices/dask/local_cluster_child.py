"""The program that is a Dask cluster of this machine: prints its address, and ends when its standard input does.

Whoever reaches a Dask scheduler runs what he likes in its workers: so only who has the key that is made for this one
cluster, and that is told to whoever started it, can speak with it.

A process of its own keeps Dask's scheduler off the console's event loop, and its threads and signal handlers too.
"""

from __future__ import annotations

import asyncio
import json
import sys

from distributed import LocalCluster, Security


async def main(workers: int, threads: int) -> None:
    """Run a cluster until standard input ends, at the latest with the parent process."""
    security = Security.temporary()
    async with LocalCluster(
        security=security,
        n_workers=workers,
        threads_per_worker=threads,
        processes=True,
        asynchronous=True,
        host="127.0.0.1",
        scheduler_port=0,
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
    ) as cluster:
        keys = {name: getattr(security, name) for name in ("tls_ca_file", "tls_client_cert", "tls_client_key")}
        told = json.dumps({"address": cluster.scheduler_address, **keys})
        print(told, flush=True)  # noqa: T201 - it is what we are asked for
        await asyncio.to_thread(sys.stdin.buffer.read)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
