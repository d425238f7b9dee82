"""Agents that speak the Agent Client Protocol, as devices."""

from starloom.devices.acp.device import AcpDevice
from starloom.devices.acp.permissions import PermissionPolicy

__all__ = ["AcpDevice", "PermissionPolicy"]
