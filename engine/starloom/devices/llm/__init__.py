"""Language models at endpoints that speak the wire format of chat completions, as devices."""

from starloom.devices.llm.device import LlmDevice

__all__ = ["LlmDevice"]
