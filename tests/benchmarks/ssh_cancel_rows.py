"""How long a cancelled command goes on on another machine, over a slow link that its own output fills."""

from __future__ import annotations

import asyncio
import itertools
import statistics
import tempfile
import time
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import psutil
from tests.benchmarks.measuring import Budget, Row, interleaved, row
from tests.benchmarks.workloads import engine
from tests.proxies import Proxy
from tests.ssh_servers import SSHD, OpensshServer
from tests.waiting import POLL, until

from starloom.devices.ssh import SshDevice
from starloom.model.plan import Plan
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.ssh_servers import SshServer

    from starloom.orchestration.run import Run

RATES: Final = (250_000, 30_000)
"""Bytes a second that the link carries, to the machine and from it."""
ALLOWED: Final = 2.0
"""Seconds that the end may take besides a round trip."""
_AHEAD: Final = 5.0
"""Seconds for which the link has been full of output before a command is cancelled."""
_PINGS: Final = 5
AT_ONCE: Final = (1, 8)
"""How many such commands run at once; one of them is cancelled."""
_PRINTED: Final = 20_000_000
"""Bytes that each command prints at once; the link would be full of them for minutes."""
_PRINT: Final = f"head -c {_PRINTED} /dev/zero | tr '\\0' x; exec sleep 1000"
_FLOOD: Final = f"echo $$ >flooding; {_PRINT}"
PEER: Final = "a round trip over the same link at that moment: a question to its SFTP server, and the answer"


class Figures(NamedTuple):
    """Milliseconds of one round."""

    ended: float
    round_trip: float


@asynccontextmanager
async def _flooded(
    server: SshServer, rate: float, at_once: int
) -> AsyncIterator[tuple[SshDevice, Run, psutil.Process]]:
    """A run whose commands print more than the link to their machine carries, and the process of the first."""
    known = server.known_hosts.read_text()
    async with Proxy(server.port, rate=rate, rate_up=rate) as proxy, engine(None) as orchestrator:
        server.known_hosts.write_text(known + known.replace(str(server.port), str(proxy.port)))
        device = SshDevice("there", slots=at_once, **server.options(port=proxy.port))
        await orchestrator.fleet.add(device)
        others = tuple(Task(id=f"other {number}", shell=_PRINT) for number in range(1, at_once))
        run = await orchestrator.start(Plan(name="flood", tasks=(Task(id="flood", shell=_FLOOD), *others)))
        told = server.folder / "work" / "flooding"
        await until(lambda: told.exists() and told.read_text().endswith("\n"), every=POLL)
        process = psutil.Process(int(told.read_text()))
        told.unlink()
        full = proxy.down + rate * _AHEAD
        await until(lambda: proxy.down >= full, every=POLL)
        try:
            yield device, run, process
        finally:
            await run.cancel()
            await run.finished()


def _cancelled(server: SshServer, rate: float, at_once: int) -> Figures:
    return asyncio.run(_time_cancel(server, rate, at_once))


async def _time_cancel(server: SshServer, rate: float, at_once: int) -> Figures:
    async with _flooded(server, rate, at_once) as (device, run, process):
        trips = [await _timed_ping(device) for _ in range(_PINGS)]
        begun = time.perf_counter()
        await run.cancel_tasks("flood")
        await until(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE, every=POLL / 2)
        return Figures((time.perf_counter() - begun) * 1e3, statistics.median(trips))


async def _timed_ping(device: SshDevice) -> float:
    begun = time.perf_counter()
    await device.ping()
    return (time.perf_counter() - begun) * 1e3


def rows(rounds: int) -> list[Row]:
    """A row for each speed of the link and number of commands, on OpenSSH's server; none where that is not there."""
    if SSHD is None:
        return []
    found = []
    with tempfile.TemporaryDirectory() as folder, OpensshServer(Path(folder) / "ssh") as server:
        for rate, at_once in itertools.product(RATES, AT_ONCE):
            (figures,) = interleaved(rounds, partial(_cancelled, server, rate, at_once), warm_up=False)
            ended, trips = zip(*figures, strict=True)
            allowed = Budget(ALLOWED * 1e3 + statistics.median(trips), absolute=True)
            title = f"from `cancel` to the end of one of {at_once} whose output fills a link of {rate // 1000} KB/s"
            found.append(row("ssh", title, "ms", ended, trips, peer=PEER, budget=allowed))
    return found
