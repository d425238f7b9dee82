"""The protocol of devices that are probed when somebody tests their connection."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class ProbedDevice(Protocol):
    """A connected device that checks, for whoever tests the connection, what only work would show else."""

    async def probe(self) -> None:
        """Return if it would do work.

        Raises:
            DeviceError: it would not; the sentence says why.
        """
