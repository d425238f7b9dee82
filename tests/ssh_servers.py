"""SSH servers on loopback for tests: asyncssh's own, in a thread of this process, and OpenSSH's, where it is installed.

Both let the user who runs the tests in by a key made for the test, with a host key made for the test, on a free port.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import threading
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import asyncssh
import psutil
import pytest
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from types import TracebackType

SSHD = next((path for path in (shutil.which("sshd"), "/usr/sbin/sshd") if path and os.path.exists(path)), None)
"""OpenSSH's server. It wants to be called by its absolute path."""
BOUND = 30.0
"""Seconds in which a server has begun or ended, on a slow machine too."""
_TRIES = 20


class SshServer(ABC):
    """A server for the duration of a context.

    Attributes:
        port: where it listens on loopback; the same after `start` and `stop`.
        folder: where its keys are, and what is done by its devices.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.user = pwd.getpwuid(os.getuid()).pw_name
        self.client_key = asyncssh.generate_private_key("ssh-ed25519")
        self.host_key = asyncssh.generate_private_key("ssh-ed25519")

    @property
    def key_file(self) -> Path:
        return self.folder / "client_key"

    @property
    def known_hosts(self) -> Path:
        return self.folder / "known_hosts"

    def options(self, **others: Any) -> dict[str, Any]:
        """The options of a device that connects to this server, and keeps everything in its folder."""
        return {
            "host": "127.0.0.1",
            "port": self.port,
            "user": self.user,
            "keys": [str(self.key_file)],
            "agent": False,
            "known_hosts": str(self.known_hosts),
            "state_directory": str(self.folder / "state"),
            "working_directory": str(self.folder / "work"),
            "files_directory": str(self.folder / "here"),
            **others,
        }

    def know(self, key: asyncssh.SSHKey | None = None) -> None:
        """Write this key, or the server's own, for the server into the known_hosts file."""
        text = (key or self.host_key).export_public_key().decode()
        self.known_hosts.write_text(f"[127.0.0.1]:{self.port} {text}")

    def __enter__(self) -> Self:
        for name in ("work", "here"):
            (self.folder / name).mkdir(parents=True)
        for name, key in (("client_key", self.client_key), ("host_key", self.host_key)):
            key.write_private_key(str(self.folder / name))
            (self.folder / name).chmod(0o600)
        self.client_key.write_public_key(str(self.folder / "authorized_keys"))
        self.start()
        self.know()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.stop()

    @abstractmethod
    def start(self) -> None:
        """Listen, on the earlier port if there was one."""

    @abstractmethod
    def cut(self) -> None:
        """Break every link, but continue to listen."""

    @abstractmethod
    def stop(self) -> None:
        """Break every link, and stop listening."""


class AsyncsshServer(SshServer):
    """asyncssh's server in a thread."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._links: set[asyncssh.SSHServerConnection] = set()
        self._acceptor: asyncssh.SSHAcceptor | None = None
        self._children: set[asyncio.subprocess.Process] = set()
        self._files: list[Any] = []

    @override
    def start(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, args=(self._loop,))
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(BOUND)

    @override
    def cut(self) -> None:
        assert self._loop is not None
        asyncio.run_coroutine_threadsafe(self._cut(), self._loop).result(BOUND)

    @override
    def stop(self) -> None:
        if self._loop is None or self._thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(BOUND)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop = self._thread = None

    @staticmethod
    def _serve(loop: asyncio.AbstractEventLoop) -> None:
        try:
            loop.run_forever()
        finally:
            loop.close()

    async def _listen(self) -> None:
        links, files = self._links, self._files

        class Files(asyncssh.SFTPServer):
            @override
            def open(self, path: bytes, pflags: int, attrs: asyncssh.SFTPAttrs) -> Any:
                files.append(super().open(path, pflags, attrs))
                return files[-1]

        class Login(asyncssh.SSHServer):
            @override
            def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
                links.add(conn)

            @override
            def connection_requested(self, dest_host: str, dest_port: int, orig_host: str, orig_port: int) -> bool:
                return True

        self._acceptor = await asyncssh.listen(
            "127.0.0.1",
            self.port,
            server_factory=Login,
            server_host_keys=[str(self.folder / "host_key")],
            authorized_client_keys=str(self.folder / "authorized_keys"),
            process_factory=self._run,
            sftp_factory=Files,
            encoding=None,
        )
        self.port = self._acceptor.get_port()

    async def _run(self, process: asyncssh.SSHServerProcess[bytes]) -> None:
        child = await asyncio.create_subprocess_exec(
            "/bin/sh", "-c", process.command or "", stdin=-1, stdout=-1, stderr=-1
        )
        self._children.add(child)
        try:
            stdout, stderr = await child.communicate(await process.stdin.read())
        finally:
            self._children.discard(child)
        process.stdout.write(stdout)
        process.stderr.write(stderr)
        process.exit(child.returncode or 0)

    async def _cut(self) -> None:
        links, self._links = self._links, set()
        for link in links:
            link.abort()
        for link in links:
            with contextlib.suppress(asyncssh.Error, OSError):
                await link.wait_closed()

    async def _end(self) -> None:
        assert self._acceptor is not None
        self._acceptor.close()
        await self._acceptor.wait_closed()
        await self._cut()
        while self._files:  # also what was asked for as the link was cut, and opened after that
            self._files.pop().close()
        for child in list(self._children):
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.get_running_loop().shutdown_default_executor()


class OpensshServer(SshServer):
    """OpenSSH's server as a process."""

    def __init__(self, folder: Path, **config: str) -> None:
        if SSHD is None:
            pytest.skip("OpenSSH's server is not installed")
        super().__init__(folder)
        self._config = config
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The id of the process that listens."""
        assert self._process is not None
        return self._process.pid

    @override
    def start(self) -> None:
        if os.getuid() == 0:  # what a service manager would make
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
        for _ in range(_TRIES):  # another program may have taken the port since
            port = self.port or _free_port()
            if self._listens(port):
                self.port = port
                return
        pytest.fail(f"sshd does not start: {(self.folder / 'sshd.log').read_text()}")

    @override
    def cut(self) -> None:
        assert self._process is not None
        for each in psutil.Process(self._process.pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if each.name().startswith("sshd"):
                    each.kill()

    @override
    def stop(self) -> None:
        if self._process is None:
            return
        self.cut()
        self._process.terminate()
        self._process.wait(BOUND)
        self._process = None

    def kill(self) -> None:
        """Kill it and every link without notice, as a loss of power does."""
        assert self._process is not None
        links = psutil.Process(self._process.pid).children(recursive=True)
        self._process.kill()
        for each in links:
            with contextlib.suppress(psutil.Error):
                if each.name().startswith("sshd"):
                    each.kill()
        self._process.wait(BOUND)
        self._process = None

    def _listens(self, port: int) -> bool:
        assert SSHD is not None
        config = {
            "Port": str(port),
            "ListenAddress": "127.0.0.1",
            "HostKey": str(self.folder / "host_key"),
            "AuthorizedKeysFile": str(self.folder / "authorized_keys"),
            "PidFile": "none",
            "UsePAM": "no",
            "StrictModes": "no",
            "PasswordAuthentication": "no",
            "KbdInteractiveAuthentication": "no",
            "PermitRootLogin": "prohibit-password",
            "Subsystem": "sftp internal-sftp",
            "MaxStartups": "100",
            **self._config,
        }
        path = self.folder / "sshd_config"
        path.write_text("".join(f"{name} {value}\n" for name, value in config.items()))
        with open(self.folder / "sshd.log", "ab") as log:
            self._process = subprocess.Popen([SSHD, "-D", "-e", "-f", path], stdin=-3, stdout=log, stderr=log)
        deadline = time.monotonic() + BOUND
        while time.monotonic() < deadline and self._process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0) as probe:
                if probe.recv(4) == b"SSH-":
                    return True
            time.sleep(0.01)
        self._process.kill()
        self._process.wait()
        return False


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


SERVERS: dict[str, type[AsyncsshServer] | type[OpensshServer]] = {"asyncssh": AsyncsshServer, "OpenSSH": OpensshServer}


class Served:
    """The server that the present test uses; None: it needs none."""

    server: SshServer | None = None

    @classmethod
    def by(cls, name: str) -> Callable[[Path], AbstractContextManager[None]]:
        """What has such a server serve, given a folder."""

        @contextlib.contextmanager
        def around(folder: Path) -> Iterator[None]:
            with SERVERS[name](folder / "ssh") as cls.server:
                yield

        return around

    @classmethod
    def options(cls) -> Mapping[str, Any]:
        return cls.server.options() if cls.server is not None else {}
