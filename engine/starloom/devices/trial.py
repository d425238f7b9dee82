"""What devices have that can be tried by more than connecting them."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class TriableDevice(Protocol):
    """A connected device that checks, for whoever tests the connection, what only work would show else."""

    async def try_out(self) -> None:
        """Return if it would do work.

        Raises:
            DeviceError: it would not; the sentence says why.
        """
