"""Logging in to a machine, also through jump hosts, with each host key checked; and sentences on why it failed."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Final

import asyncssh

from starloom.devices.ssh.errors import LoginRefused
from starloom.devices.ssh.host_keys import KeyCheck
from starloom.devices.unreached import connection_reason
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from starloom.devices.ssh.address import Address
    from starloom.devices.ssh.options import Route

Connections = tuple[asyncssh.SSHClientConnection, ...]
_MISSED_KEEP_ALIVES: Final = 3


async def log_in(route: Route) -> Connections:
    """Connections to the machines on the route, each through the one before it; the last is to its destination.

    Raises:
        HostKeyUnknown, HostKeyChanged: the key of it, or of one in between, is not trusted.
        LoginRefused: it, or one in between, does not let us in.
        DeviceError: it cannot be reached.
    """
    made: Connections = ()
    try:
        for address in (*route.jumps, route.address):
            made += (await _one_step(address, route, made[-1] if made else None),)
    except BaseException:
        cut(made)
        raise
    return made


def cut(connections: Connections) -> None:
    """Abort connections at once; the other side may not be there."""
    for connection in reversed(connections):
        connection.abort()


async def all_closed(connections: Connections) -> None:
    """Return when these connections are closed."""
    for connection in connections:
        with contextlib.suppress(asyncssh.Error, OSError):
            await connection.wait_closed()


async def _one_step(
    address: Address, route: Route, tunnel: asyncssh.SSHClientConnection | None
) -> asyncssh.SSHClientConnection:
    check = KeyCheck(address, route.known_hosts_path)
    agent = os.environ.get("SSH_AUTH_SOCK") if route.agent else None
    try:
        return await asyncssh.connect(
            address.host,
            address.port,
            tunnel=tunnel or (),
            config=None,  # what ~/.ssh/config says would make a fleet file mean different things to different users
            client_factory=lambda: check,
            known_hosts=check.trusted,
            username=address.user or (),
            client_keys=route.key_files or (),
            agent_path=agent,
            # Nobody is there to be asked, and secrets are in agents and key files only.
            password_auth=False,
            kbdint_auth=False,
            host_based_auth=False,
            gss_auth=False,
            gss_kex=False,
            agent_forwarding=False,
            keepalive_interval=route.keep_alive,
            keepalive_count_max=_MISSED_KEEP_ALIVES,
            connect_timeout=route.timeout,
            login_timeout=route.timeout,
        )
    except (asyncssh.Error, OSError, ValueError) as error:
        raise check.refusal or _why(error, address, route) from error


def _why(error: Exception, address: Address, route: Route) -> DeviceError:
    """A sentence on why a machine cannot be used."""
    where = f"The machine {address}"
    if isinstance(error, asyncssh.PermissionDenied):
        keys = f"the keys {', '.join(route.keys)}" if route.keys else "the usual keys in ~/.ssh"
        agent = " and those of the key agent" if route.agent and os.environ.get("SSH_AUTH_SOCK") else ""
        user = repr(address.user) if address.user else "this user"
        return LoginRefused(
            f"{where} does not let {user} in: it accepts none of {keys}{agent}. Add the public key to the user's "
            "~/.ssh/authorized_keys there, or name another key or user."
        )
    if isinstance(error, asyncssh.KeyEncryptionError | asyncssh.KeyImportError):
        return LoginRefused(
            f"A key for {address} cannot be used: {error}. If it has a passphrase, add it to the key agent (`ssh-add`)."
        )
    if isinstance(error, TimeoutError):
        return DeviceError(f"{where} does not answer within {route.timeout:g} s; check its name, port and firewall.")
    if isinstance(error, asyncssh.KeyExchangeFailed):
        return DeviceError(
            f"{where} and this program know no common way to talk, or it has no host key of the kind it is known by "
            f"in {route.known_hosts_path}: {error}."
        )
    if isinstance(error, FileNotFoundError | PermissionError) and error.filename:
        return LoginRefused(f"The key {error.filename!r} for {address} cannot be read: {error.strerror}.")
    return DeviceError(
        f"{where} cannot be reached: {connection_reason(error)}. Check its name and port, and that its SSH server runs."
    )
