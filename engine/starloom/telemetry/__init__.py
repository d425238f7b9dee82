"""Metrics of a running engine, and the endpoint that serves them. They observe and decide nothing."""

from starloom.telemetry.endpoint import MetricsEndpoint
from starloom.telemetry.reading import Reading
from starloom.telemetry.watch import EngineWatch

__all__ = ["EngineWatch", "MetricsEndpoint", "Reading"]
