"""What a console is attached to instead of an engine of its own. Loaded before the window is shown."""

from __future__ import annotations

from typing import NamedTuple


class Attachment(NamedTuple):
    """A connection to the engine of a server.

    Attributes:
        address: of the server; see `gateway.attaching.address_of`.
        name: in whose name is asked; empty: the login.
        watches: whether nothing is to be changed over it.
    """

    address: str
    name: str = ""
    watches: bool = False

    def arguments(self) -> list[str]:
        """The arguments of `starloom console` for it."""
        named = ["--as", self.name] if self.name else []
        return ["--attach", self.address, *named, *(["--watch"] if self.watches else [])]
