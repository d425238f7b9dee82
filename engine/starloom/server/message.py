"""The base class of the messages of the wire."""

from __future__ import annotations

import msgspec


class WireMessage(msgspec.Struct, frozen=True, array_like=True):
    """A message; unknown fields at its end are those of a later version."""
