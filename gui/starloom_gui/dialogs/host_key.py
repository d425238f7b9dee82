"""Host keys of SSH devices that are not trusted, or not any more.

They need an extra that not everybody has, so they are imported only once such a device has said something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starloom.devices.ssh.errors import HostKeyChanged, HostKeyUnknown
    from starloom.errors import DeviceError


def unknown_key(error: DeviceError | None) -> HostKeyUnknown | None:
    """The host key that a device was refused for; None: it was refused for another reason."""
    if not _is_of_ssh(error):
        return None
    from starloom.devices.ssh.errors import HostKeyUnknown

    return error if isinstance(error, HostKeyUnknown) else None


def changed_key(error: DeviceError | None) -> HostKeyChanged | None:
    """The other host key that a device was refused for; None: for another reason, or the key was revoked."""
    if not _is_of_ssh(error):
        return None
    from starloom.devices.ssh.errors import HostKeyChanged

    return error if isinstance(error, HostKeyChanged) and error.known else None


def _is_of_ssh(error: DeviceError | None) -> bool:
    return error is not None and type(error).__module__.startswith("starloom.devices.ssh.")


def replace_key(key: HostKeyChanged) -> None:
    """Trust the other host key, which the user has compared, in place of the known one.

    Raises:
        DeviceError: the file of known hosts cannot be written.
    """
    from starloom.devices.ssh.trusting import replace_key as replace

    replace(key)


def trust_key(key: HostKeyUnknown) -> None:
    """Store a host key that the user has confirmed.

    Raises:
        DeviceError: the file of known hosts cannot be written.
    """
    from starloom.devices.ssh.host_keys import trust

    trust(key)
