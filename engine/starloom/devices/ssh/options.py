"""The options of an SSH device: address, keys, and trusted host keys."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from starloom.devices.ssh.address import KNOWN_HOSTS, LAST_PORT, Address, parse_address
from starloom.errors import DeviceError
from starloom.model.quantities import parse_duration


class Route(NamedTuple):
    """The route to a machine."""

    address: Address
    jumps: tuple[Address, ...] = ()
    """The machines in between, the first one reached directly."""
    keys: tuple[str, ...] = ()
    """Files with private keys; none: the user's usual ones."""
    agent: bool = True
    """Whether the user's key agent is asked."""
    known_hosts: str = KNOWN_HOSTS
    keep_alive: float = 5.0
    """Seconds of silence after which the other side is asked whether it is there; the fourth time is the end."""
    timeout: float = 15.0
    """Seconds that a machine may take to answer, and again to let us in."""

    @property
    def known_hosts_path(self) -> Path:
        """The file with the trusted host keys."""
        return Path(self.known_hosts).expanduser()

    @property
    def key_files(self) -> list[str]:
        """The files with private keys."""
        return [str(Path(key).expanduser()) for key in self.keys]

    def evidence(self) -> tuple[tuple[int, int] | None, ...]:
        """Modification times and sizes of the files that decide whether we may log in."""
        found: list[tuple[int, int] | None] = []
        for path in (self.known_hosts_path, *map(Path, self.key_files)):
            try:
                status = path.stat()
                found.append((status.st_mtime_ns, status.st_size))
            except OSError:
                found.append(None)
        return tuple(found)

    def describe(self) -> dict[str, Any]:
        """The values by which two routes are equal, as options."""
        return {
            "host": self.address.host,
            "port": self.address.port,
            "user": self.address.user,
            "jump": [str(jump) for jump in self.jumps],
            "keys": list(self.keys),
            "agent": self.agent,
            "known_hosts": self.known_hosts,
            "heartbeat_interval": self.keep_alive,
            "timeout": self.timeout,
        }


def read_address(id: str, host: object, port: object, user: object) -> Address:
    """The address of the machine.

    Raises:
        DeviceError: an option cannot be used.
    """
    if user is not None and (not isinstance(user, str) or not user):
        raise bad_option(id, "user", user, "a name")
    if isinstance(port, bool) or not isinstance(port, int) or not 0 < port <= LAST_PORT:
        raise bad_option(id, "port", port, "a number from 1 to 65535")
    text = f"[{host}]" if isinstance(host, str) and ":" in host else host
    try:
        found = parse_address(f"{text}:{port}") if isinstance(text, str) else None
    except ValueError:
        found = None
    if found is None or found.user is not None:
        raise bad_option(id, "host", host, "the name or address of a machine; user and port are options of their own")
    return Address(found.host, found.port, user)


def read_jumps(id: str, jump: object) -> tuple[Address, ...]:
    """The jump hosts: one `user@host:port` or a list of them.

    Raises:
        DeviceError: the option cannot be used.
    """
    try:
        return tuple(parse_address(text) for text in read_strings(id, "jump", jump))
    except ValueError as error:
        raise DeviceError(f"Device {id!r}: jump: {error}.") from error


def read_strings(id: str, option: str, value: object) -> tuple[str, ...]:
    """One string or a list of them.

    Raises:
        DeviceError: the option cannot be used.
    """
    strings = (value,) if isinstance(value, str) else value
    if strings is None:
        return ()
    if not isinstance(strings, Sequence) or not all(isinstance(text, str) and text for text in strings):
        raise bad_option(id, option, value, "a text or a list of texts")
    return tuple(strings)


def read_number(id: str, option: str, value: object, least: float, most: float) -> float:
    """A number within bounds.

    Raises:
        DeviceError: the option cannot be used.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise bad_option(id, option, value, f"a number from {least:g} to {most:g}")
    return float(value)


def read_text(id: str, option: str, value: object, wanted: str) -> str:
    """A text that is not empty.

    Raises:
        DeviceError: the option cannot be used.
    """
    if not isinstance(value, str) or not value or "\0" in value:
        raise bad_option(id, option, value, wanted)
    return value


def read_flag(id: str, option: str, value: object) -> bool:
    """True or false.

    Raises:
        DeviceError: the option cannot be used.
    """
    if not isinstance(value, bool):
        raise bad_option(id, option, value, "true or false")
    return value


def bad_option(id: str, option: str, value: object, wanted: str) -> DeviceError:
    """The error that an option cannot be used."""
    return DeviceError(f"Device {id!r}: {option} cannot be {value!r}; give it {wanted}.")


def expanded(path: str) -> str:
    """The path, relative to the home directory there if it says so."""
    return "" if path == "~" else path.removeprefix("~/")


def read_duration(id: str, option: str, value: float | str) -> float:
    """Seconds, from a number or a text like `10m`.

    Raises:
        DeviceError: it is no duration.
    """
    try:
        return parse_duration(value)
    except ValueError as error:
        raise DeviceError(f"Device {id!r}: {option}: {error}.") from error


def read_path(id: str, option: str, value: str | None) -> str | None:
    """A path, if there is one.

    Raises:
        DeviceError: it is no text.
    """
    return None if value is None else read_text(id, option, value, "a path")
