"""Host keys of SSH devices that are not trusted yet.

They need an extra that not everybody has, so they are imported only once such a device has said something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starloom.devices.ssh.errors import HostKeyUnknown
    from starloom.errors import DeviceError


def unknown_key(error: DeviceError | None) -> HostKeyUnknown | None:
    """The host key that a device was refused for; None: it was refused for another reason."""
    if error is None or not type(error).__module__.startswith("starloom.devices.ssh."):
        return None
    from starloom.devices.ssh.errors import HostKeyUnknown

    return error if isinstance(error, HostKeyUnknown) else None


def trust_key(key: HostKeyUnknown) -> None:
    """Store a host key that the user has confirmed.

    Raises:
        DeviceError: the file of known hosts cannot be written.
    """
    from starloom.devices.ssh.host_keys import trust

    trust(key)
