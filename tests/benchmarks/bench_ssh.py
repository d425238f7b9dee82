"""Commands on another machine through the engine, over the same commands by asyncssh's `run` alone, on loopback.

And how long one that is cancelled goes on, where the link is slow and full of output.
"""

from __future__ import annotations

import asyncio
import gc
import shlex
import shutil
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import asyncssh

sys.path.insert(0, str(Path(__file__).parents[2]))  # `tests` is found from wherever this is started

from tests.benchmarks import ssh_cancel_rows
from tests.benchmarks.measuring import Row, interleaved, row
from tests.benchmarks.one_device import main, milliseconds, through_engine
from tests.ssh_servers import SERVERS

from starloom.devices.ssh import SshDevice
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.ssh_servers import SshServer

AT_ONCE: Final = 8
PROGRAMS: Final[dict[str, tuple[str, ...]]] = {
    "nothing": (shutil.which("true") or "true",),
    "0.1 s of waiting": (shutil.which("sleep") or "sleep", "0.1"),
}
PEER: Final = "asyncssh's conn.run, as many at once; it keeps nothing, and cancelled leaves the command running"


async def _by_engine(server: SshServer, command: tuple[str, ...], count: int) -> float:
    return await through_engine(
        SshDevice("there", slots=AT_ONCE, **server.options()), Task(id="t", command=command), count
    )


async def by_client(server: SshServer, command: tuple[str, ...], count: int) -> float:
    """Seconds for as many of the same commands over one connection, each begun when an earlier one has ended."""
    async with asyncssh.connect(
        "127.0.0.1",
        server.port,
        username=server.user,
        client_keys=[str(server.key_file)],
        known_hosts=str(server.known_hosts),
        config=None,
        agent_path=None,
    ) as link:
        left = iter(range(count))
        gc.collect()
        begun = time.perf_counter()
        await asyncio.gather(*(_one_after_the_other(link, shlex.join(command), left) for _ in range(AT_ONCE)))
        return time.perf_counter() - begun


async def _one_after_the_other(link: asyncssh.SSHClientConnection, line: str, left: Iterator[int]) -> None:
    for _ in left:
        ended = await link.run(line, stdin=asyncssh.DEVNULL)
        assert ended.exit_status == 0


def rows(count: int, rounds: int) -> list[Row]:
    """For each server there is, a row for each program; then those of cancelling."""
    found = []
    for kind, make in SERVERS.items():
        with tempfile.TemporaryDirectory() as folder, make(Path(folder) / "ssh") as server:
            for name, command in PROGRAMS.items():
                ours, floor = interleaved(
                    rounds,
                    partial(milliseconds, partial(_by_engine, server, command), count),
                    partial(milliseconds, partial(by_client, server, command), count),
                )
                title = f"{count} commands doing {name}, {AT_ONCE} at once, on {kind}"
                found.append(row("ssh", title, "ms", ours, floor, peer=PEER))
    return found + ssh_cancel_rows.rows(rounds)


if __name__ == "__main__":
    main(
        "ssh",
        "Measure the SSH device against asyncssh alone, without a budget, as that does less; and cancelling.",
        rows,
        count=40,
        rounds=2,
    )
