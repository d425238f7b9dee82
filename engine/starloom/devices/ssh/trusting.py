"""Trusting the host key of a machine after a person has compared its fingerprint: fetching it, writing it."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import os
import tempfile
from typing import TYPE_CHECKING, NamedTuple

import asyncssh

from starloom.devices.ssh.address import Address
from starloom.devices.ssh.host_keys import read_known_hosts
from starloom.devices.unreached import connection_reason
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.devices.ssh.errors import HostKeyChanged

_HASHED = "|1|"


class HostKey(NamedTuple):
    """The key that a machine shows.

    Attributes:
        line: what says in a known_hosts file that it is the machine's.
        is_trusted: whether the file says so already.
        others: the fingerprints by which the file knows the machine besides.
    """

    algorithm: str
    fingerprint: str
    line: str
    is_trusted: bool
    others: tuple[str, ...]


async def ask_for_key(address: Address, known_hosts: Path, patience: float) -> HostKey:
    """The key that a machine shows now. Nobody logs in, and nothing is written.

    Args:
        address: the machine.
        known_hosts: the file that says which keys are trusted.
        patience: seconds for which it is waited for.

    Raises:
        DeviceError: it does not answer, or the file cannot be read.
    """
    known = _known(address, known_hosts)
    try:
        async with asyncio.timeout(patience):
            # The algorithms that `connect` asks for, so that it is the same key that is shown then.
            key = await asyncssh.get_server_host_key(address.host, address.port, config=None)
    except TimeoutError:
        raise DeviceError(f"The machine {address} does not answer within {patience:g} s.") from None
    except (asyncssh.Error, OSError) as error:
        raise DeviceError(f"The machine {address} cannot be reached: {connection_reason(error)}.") from None
    if key is None:
        raise DeviceError(f"The machine {address} shows no host key.")
    words = key.export_public_key().decode("ascii").split()[:2]
    fingerprints = [each.get_fingerprint() for each in known]
    mine = key.get_fingerprint()
    return HostKey(
        key.get_algorithm(),
        mine,
        " ".join((address.known_as, *words)),
        mine in fingerprints,
        tuple(each for each in fingerprints if each != mine),
    )


def write_key(key: HostKey, address: Address, known_hosts: Path, *, replace: bool) -> None:
    """Add the key of the machine to a known_hosts file, which is written whole or not at all.

    Args:
        key: what a person has said is the machine's.
        address: the machine.
        known_hosts: the file; made if there is none.
        replace: whether what it says of other keys of this machine goes.

    Raises:
        DeviceError: the file cannot be read or written.
    """
    path = known_hosts.resolve()  # a link stays one
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        kept = [_without(line, address.known_as) if replace else line for line in text.splitlines()]
        lines = [line for line in kept if line is not None]
        _write_whole(path, "\n".join([*lines, key.line, ""]))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DeviceError(f"The host key cannot be written to {str(known_hosts)!r}: {reason}.") from error


def replace_key(changed: HostKeyChanged) -> None:
    """Trust the key that a machine has shown in place of those it is known by. Only to be called on a person's word.

    Raises:
        DeviceError: the file of known hosts cannot be read or written.
    """
    shown = HostKey(changed.algorithm, changed.fingerprint, changed.line, is_trusted=False, others=changed.known)
    write_key(shown, Address(changed.host, changed.port, None), changed.known_hosts, replace=True)


def _write_whole(path: Path, text: str) -> None:
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            if path.exists():
                os.chmod(file.name, path.stat().st_mode & 0o777)
            os.replace(file.name, path)
        except OSError:
            os.unlink(file.name)
            raise


def _without(line: str, name: str) -> str | None:
    """A line of the file without this machine; None: nothing is left of it."""
    fields = line.split()
    if len(fields) < 3 or line.lstrip().startswith(("#", "@")):  # a comment, an authority, a key that was revoked
        return line
    names = [each for each in fields[0].split(",") if not _is_named(each, name)]
    if not names:
        return None
    return line if len(names) == len(fields[0].split(",")) else " ".join((",".join(names), *fields[1:]))


def _is_named(entry: str, name: str) -> bool:
    if not entry.startswith(_HASHED):
        return entry == name
    try:
        salt, digest = (base64.b64decode(part) for part in entry.removeprefix(_HASHED).split("|"))
    except ValueError:
        return False
    return hmac.compare_digest(hmac.new(salt, name.encode(), hashlib.sha1).digest(), digest)


def _known(address: Address, path: Path) -> list[asyncssh.SSHKey]:
    found, *_ = read_known_hosts(path).match(address.known_as, "", None)
    return list(found)
