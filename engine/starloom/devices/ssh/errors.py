"""Errors of SSH devices that a program may want to handle."""

from __future__ import annotations

import shlex
from pathlib import Path

from starloom.devices.ssh.address import DEFAULT_PORT, KNOWN_HOSTS
from starloom.errors import DeviceError, DeviceRefused


def trust_command(host: str, port: int, fingerprint: str, known_hosts: Path) -> str:
    """The command that trusts a host key.

    Args:
        host: the machine.
        port: of its SSH server.
        fingerprint: of the key it shows.
        known_hosts: the file that says which keys are trusted.
    """
    words = ["starloom", "trust", host, *(["--port", str(port)] if port != DEFAULT_PORT else [])]
    if known_hosts != Path(KNOWN_HOSTS).expanduser():
        words += ["--known-hosts", str(known_hosts)]
    return shlex.join([*words, "--fingerprint", fingerprint])


class HostKeyUnknown(DeviceRefused):
    """The host key of this machine is not trusted yet. Show a person the fingerprint; then `trust` it.

    Attributes:
        host, port: where the key was shown.
        algorithm: e.g. `ssh-ed25519`.
        fingerprint: what to compare, e.g. `SHA256:…`.
        line: what says in a known_hosts file that the key is the machine's.
        known_hosts: the file.
    """

    def __init__(self, host: str, port: int, algorithm: str, fingerprint: str, line: str, known_hosts: Path) -> None:
        self.host = host
        self.port = port
        self.algorithm = algorithm
        self.fingerprint = fingerprint
        self.line = line
        self.known_hosts = known_hosts
        super().__init__(
            f"The machine {host} port {port} is met for the first time. Its host key is {algorithm} {fingerprint}. "
            "Compare that with what `ssh-keygen -lf` says of the key in /etc/ssh on that machine itself. "
            f"If it is the same, have it trusted: {trust_command(host, port, fingerprint, known_hosts)} "
            f"(or add this line to {known_hosts}: {line})"
        )


class HostKeyChanged(DeviceRefused):
    """A machine shows another host key than the known one: it was set up anew, or it is another machine.

    Attributes:
        host, port: where the key was shown.
        algorithm, fingerprint: those of the key it shows now.
        line: what would say in a known_hosts file that this key is the machine's.
        known: the fingerprints it is known by; empty if that key was revoked.
        known_hosts: the file that says so.
    """

    def __init__(
        self,
        host: str,
        port: int,
        algorithm: str,
        fingerprint: str,
        line: str,
        known: tuple[str, ...],
        known_hosts: Path,
    ) -> None:
        self.host = host
        self.port = port
        self.algorithm = algorithm
        self.fingerprint = fingerprint
        self.line = line
        self.known = known
        self.known_hosts = known_hosts
        instead = f"known by {', '.join(known)}" if known else "that was revoked"
        super().__init__(
            f"The machine {host} port {port} shows the host key {fingerprint}, {instead}: somebody may have come "
            "between. Nothing was sent to it. If its key was changed on purpose, "
            f"compare the fingerprint there and replace the old one: "
            f"{trust_command(host, port, fingerprint, known_hosts)} --replace"
        )


class LoginRefused(DeviceRefused):
    """The machine is the right one, but accepts none of our keys for this user."""


class LinkLost(DeviceError):  # noqa: N818 - as above
    """The link broke before a request was answered; whether it was carried out is unknown."""


class LinkGone(DeviceError):  # noqa: N818 - as above
    """Raised if the link is down and is not reconnected, or no longer needed."""
