"""Agents that speak the Agent Client Protocol, as devices."""

from starloom.devices.acp.device import AcpDevice

__all__ = ["AcpDevice"]
