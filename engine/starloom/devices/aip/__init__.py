"""UFO's device agents, reached through their server by the Agent Interaction Protocol, as devices."""

from starloom.devices.aip.device import AipDevice

__all__ = ["AipDevice"]
