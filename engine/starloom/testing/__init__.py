"""Helpers for tests of Starloom and of programs built on it: a clock, an unreliable device, plans of known shape."""

from starloom.devices.simulated import SimulatedDevice
from starloom.testing.builders import chain, diamond, independent, layered, noop
from starloom.testing.clock import FakeClock

__all__ = ["FakeClock", "SimulatedDevice", "chain", "diamond", "independent", "layered", "noop"]
