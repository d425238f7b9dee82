"""The machines of a soak: three SSH servers and a Dask cluster, each behind a bad link."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final

import psutil
from distributed import Client, Security
from tests.dask_clusters import PROGRAM
from tests.soak.links import BadLink, troubles
from tests.soak.plans import MARK
from tests.soak.work import LEDGER, MODULE
from tests.ssh_servers import OpensshServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping
    from pathlib import Path

BOXES: Final = ("box1", "box2", "box3")
_LOST_AFTER: Final = {"box3": 40.0}
"""Seconds; the others wait for as long as is usual."""
_SLOTS: Final = 6
_WORKERS: Final = 2
_THREADS: Final = 4
SLOTS: Final = len(BOXES) * _SLOTS + _WORKERS * _THREADS
_FARM: Final = "farm"
_END_SECONDS: Final = 60.0


class Machines:
    """All machines while they stand.

    Attributes:
        links: by the names of the machines.
        environment: what a program needs in its environment to be let into the cluster.
    """

    def __init__(self, folder: Path) -> None:
        self.links: dict[str, BadLink] = {}
        self.environment: dict[str, str] = {}
        self._folder = folder
        self._servers: dict[str, OpensshServer] = {}
        self._security = Security.temporary()
        self._troubles: list[asyncio.Task[None]] = []

    @contextlib.asynccontextmanager
    async def stand(self) -> AsyncIterator[None]:
        """Have them serve meanwhile."""
        async with contextlib.AsyncExitStack() as stack:
            for name in BOXES:
                server = stack.enter_context(OpensshServer(self._folder / name))
                link = self.links[name] = await stack.enter_async_context(BadLink(server.port, MARK.encode()))
                key = server.host_key.export_public_key().decode()
                server.known_hosts.write_text(f"[127.0.0.1]:{link.port} {key}")
                (self._folder / name / "work" / "soak_work.py").write_text(MODULE)
                self._servers[name] = server
            port = stack.enter_context(self._cluster())
            self.links[_FARM] = await stack.enter_async_context(BadLink(port, MARK.encode()))
            try:
                yield
            finally:
                await self.calm()

    @contextlib.contextmanager
    def _cluster(self) -> Iterator[int]:
        """The port of the scheduler of a cluster that lets in who has the key."""
        folder = self._folder / _FARM
        (folder / "work").mkdir(parents=True)
        (folder / "work" / "soak_work.py").write_text(MODULE)
        self.environment = _environment(self._security, folder)
        with (
            open(folder / "log", "wb") as log,
            subprocess.Popen(
                (sys.executable, "-c", PROGRAM, str(_WORKERS), str(_THREADS), "tls"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=folder / "work",
                env={**os.environ, **self.environment},
            ) as process,
        ):
            assert process.stdin is not None
            assert process.stdout is not None
            address = process.stdout.readline().decode().strip()
            assert address.startswith("tls://"), f"the cluster has not started: see {folder / 'log'}"
            try:
                yield int(address.rpartition(":")[2])
            finally:
                process.stdin.close()
                process.wait(_END_SECONDS)

    def devices(self) -> list[dict[str, Any]]:
        """The machines as devices of a plan."""
        boxes = [
            {
                "id": name,
                "kind": "ssh",
                "slots": _SLOTS,
                "options": server.options(
                    port=self.links[name].port,
                    python=sys.executable,
                    **({"lost_after": _LOST_AFTER[name]} if name in _LOST_AFTER else {}),
                ),
            }
            for name, server in self._servers.items()
        ]
        return [*boxes, {"id": _FARM, "kind": "dask", "options": {"address": self._address}}]

    @property
    def _address(self) -> str:
        return f"tls://127.0.0.1:{self.links[_FARM].port}"

    def trouble(self, seed: int, minutes: float) -> None:
        """Have troubles come over the links from now on."""
        self._troubles = [
            asyncio.create_task(link.live(troubles(seed, name, minutes))) for name, link in self.links.items()
        ]

    async def calm(self) -> None:
        """Let nothing be wrong with them any more."""
        for each in self._troubles:
            each.cancel()
        for end in await asyncio.gather(*self._troubles, return_exceptions=True):
            if isinstance(end, Exception):
                raise end
        self._troubles = []

    # ---- what is found on them

    def ledgers(self) -> Mapping[str, str]:
        """The text of each machine's ledger."""
        paths = {name: self._folder / name / "work" / LEDGER for name in self.links}
        return {name: path.read_text() for name, path in paths.items() if path.exists()}

    def folders(self) -> list[str]:
        """What is there of attempts on the boxes, and in the cluster of what they have printed."""
        return [str(path) for name in BOXES for path in (self._folder / name / "state" / "attempts").glob("*")]

    def strangers(self) -> list[str]:
        """The processes below the SSH servers that are no links of theirs."""
        found = []
        for server in self._servers.values():
            for process in psutil.Process(server.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    if not process.name().startswith("sshd") and process.status() != psutil.STATUS_ZOMBIE:
                        found.append(" ".join(process.cmdline()))
        return found

    async def keys(self) -> list[str]:
        """The tasks that the cluster's scheduler knows."""
        async with Client(self._address, security=self._security, asynchronous=True) as client:
            found = await client.run_on_scheduler(lambda dask_scheduler: sorted(map(str, dask_scheduler.tasks)))
        return list(found)


def _environment(security: Security, folder: Path) -> dict[str, str]:
    """What Dask reads from the environment to be let in, with the keys in files."""
    found = {"DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION": "True"}
    for role in ("client", "scheduler", "worker"):
        config = security.get_tls_config_for_role(role)
        for what, name in (("ca_file", "CA_FILE"), ("cert", f"{role.upper()}__CERT"), ("key", f"{role.upper()}__KEY")):
            path = folder / f"{what}-{role}.pem"
            path.write_text(config[what])
            path.chmod(0o600)
            found[f"DASK_DISTRIBUTED__COMM__TLS__{name}"] = str(path)
    return found
