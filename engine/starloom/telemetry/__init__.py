"""What is measured about a running engine, and where it can be asked for. It watches and decides nothing."""

from starloom.telemetry.endpoint import MetricsEndpoint
from starloom.telemetry.reading import Reading
from starloom.telemetry.watch import EngineWatch

__all__ = ["EngineWatch", "MetricsEndpoint", "Reading"]
