"""`starloom trust`: a person confirms that a host key is the machine's, so that unattended runs may use it."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Final

from starloom.errors import DeviceError, StarloomError

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.cli.screen import Screen
    from starloom.devices.ssh.address import Address

_PATIENCE: Final = 15.0


def trust_host(
    host: str, port: int | None, fingerprint: str | None, known_hosts: Path, screen: Screen, *, replace: bool
) -> int:
    """Trust the host key that a machine shows; returns 0 if it is trusted, 1 if a person said no.

    Args:
        host: as in `user@host:port`.
        port: of its SSH server; None: as `host` says, else the usual one.
        fingerprint: what the key must have; None: a person at the terminal is asked.
        known_hosts: the file that is written.
        screen: where it is told.
        replace: whether another key by which the machine is known goes.

    Raises:
        StarloomError: it cannot be asked, shows another key, or nobody is there to be asked.
    """
    try:
        from starloom.devices.ssh.address import parse_address
        from starloom.devices.ssh.trusting import ask_for_key, write_key
    except ImportError:
        raise StarloomError("SSH needs the package asyncssh: pip install 'starloom[ssh]'.") from None
    try:
        address = parse_address(host)
    except ValueError as error:
        raise StarloomError(f"{error}.") from None
    if port is not None:
        address = address._replace(port=port)
    path = known_hosts.expanduser()
    key = asyncio.run(ask_for_key(address, path, _PATIENCE))
    if fingerprint is not None and fingerprint.removeprefix("SHA256:").rstrip("=") != key.fingerprint.removeprefix(
        "SHA256:"
    ):
        raise DeviceError(
            f"The machine {address} shows {key.algorithm} {key.fingerprint}, not {fingerprint}: nothing was trusted. "
            "Somebody may have come between, or it has several keys; compare with `ssh-keygen -lf` there."
        )
    if key.is_trusted and not (replace and key.others):
        return screen.result(f"{address} is trusted already: {key.algorithm} {key.fingerprint}.")
    if key.others and not replace:
        raise DeviceError(
            f"The machine {address} shows {key.algorithm} {key.fingerprint}, but is known by {', '.join(key.others)} "
            f"in {path}. If its key was changed on purpose, say so with --replace."
        )
    if fingerprint is None and not _is_agreed(address, f"{key.algorithm} {key.fingerprint}", screen):
        screen.note("Nothing was trusted.")
        return 1
    write_key(key, address, path, replace=replace)
    return screen.result(f"{address} is trusted: {key.algorithm} {key.fingerprint}, in {path}.")


def _is_agreed(address: Address, shown: str, screen: Screen) -> bool:
    if not sys.stdin.isatty():
        raise StarloomError(
            f"The machine {address} shows {shown}. Nobody is there to be asked; compare it with `ssh-keygen -lf` of "
            "the key in /etc/ssh on that machine, and say it with --fingerprint."
        )
    screen.ask(
        f"The machine {address} shows the host key {shown}.\n"
        "Compare it with what `ssh-keygen -lf` says of the key in /etc/ssh on that machine. Is it the same? (y/N)"
    )
    return sys.stdin.readline().strip().lower() in {"y", "yes"}
