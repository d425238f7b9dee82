"""Machines reached over SSH, as devices. Needs the extra `ssh` (asyncssh)."""

from starloom.devices.ssh.device import SshDevice
from starloom.devices.ssh.errors import HostKeyChanged, HostKeyUnknown, LoginRefused
from starloom.devices.ssh.host_keys import trust

__all__ = ["HostKeyChanged", "HostKeyUnknown", "LoginRefused", "SshDevice", "trust"]
