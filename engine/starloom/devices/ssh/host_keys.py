"""Host keys: checking them, the sentences about untrusted ones, and trusting one on a person's word."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import asyncssh
from typing_extensions import override

from starloom.devices.ssh.errors import HostKeyChanged, HostKeyUnknown
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from starloom.devices.ssh.address import Address


class KeyCheck(asyncssh.SSHClient):
    """Trusts the keys of a known_hosts file, and notes why a host key was not trusted.

    Attributes:
        refusal: why the key that was shown is not trusted; None: it is, or none was shown.
    """

    def __init__(self, address: Address, known_hosts: Path) -> None:
        """Checks one connection.

        Raises:
            DeviceError: the file cannot be read.
        """
        self.refusal: DeviceError | None = None
        self._address = address
        self._path = known_hosts
        self._known = read_known_hosts(known_hosts)

    @property
    def trusted(self) -> Callable[[str, str, int | None], object]:
        """The trusted keys, as asyncssh asks for them."""
        return self._known.match

    @override
    def validate_host_public_key(self, host: str, addr: str, port: int, key: asyncssh.SSHKey) -> bool:
        """Refuse the key: this is asked only about keys that the file does not have. Notes the error."""
        # With a port of its own, a machine is known by a line of its own; asyncssh also takes lines without a port.
        known, _, revoked, *_ = self._known.match(self._address.known_as, "", None)
        line = " ".join((self._address.known_as, *key.export_public_key().decode("ascii").split()[:2]))
        shown = host, port, key.get_algorithm(), key.get_fingerprint(), line
        if known or key in revoked:
            names = tuple(each.get_fingerprint() for each in known)
            self.refusal = HostKeyChanged(*shown, names, self._path)
        else:
            self.refusal = HostKeyUnknown(*shown, self._path)
        return False


def trust(unknown: HostKeyUnknown) -> None:
    """Add the key that was met to the known_hosts file. Only to be called on a person's word.

    Raises:
        DeviceError: the file cannot be written.
    """
    path = unknown.known_hosts
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        before = path.read_bytes() if path.exists() else b""
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with open(fd, "ab") as file:
            file.write((b"" if before.endswith(b"\n") or not before else b"\n") + unknown.line.encode() + b"\n")
    except OSError as error:
        raise DeviceError(f"The host key cannot be added to {str(path)!r}: {error.strerror or error}.") from error


def read_known_hosts(path: Path) -> asyncssh.SSHKnownHosts:
    """The content of a known_hosts file; one that does not exist is empty.

    Raises:
        DeviceError: it cannot be read.
    """
    try:
        return asyncssh.import_known_hosts(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return asyncssh.import_known_hosts("")
    except (OSError, ValueError, asyncssh.Error) as error:
        raise DeviceError(f"The file {str(path)!r} of known hosts cannot be read: {error}. Repair it.") from error
