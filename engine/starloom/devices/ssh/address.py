"""The address of a machine: user, host and port."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from typing_extensions import override

DEFAULT_PORT: Final = 22
KNOWN_HOSTS: Final = "~/.ssh/known_hosts"
_FORM: Final = re.compile(
    r"(?:(?P<user>[^\s@:\[\]]+)@)?(?:\[(?P<literal>[0-9A-Fa-f:.%\w]+)\]|(?P<host>[^\s@:\[\]]+))(?::(?P<port>\d{1,5}))?"
)
LAST_PORT: Final = 65535


class Address(NamedTuple):
    """A machine to log in to."""

    host: str
    port: int = DEFAULT_PORT
    user: str | None = None
    """None: the name of the user who runs this program."""

    @override
    def __str__(self) -> str:
        """As people write it: `user@host:port`, without what goes without saying."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        user = f"{self.user}@" if self.user else ""
        return f"{user}{host}" + (f":{self.port}" if self.port != DEFAULT_PORT else "")

    @property
    def known_as(self) -> str:
        """Its name in known_hosts files."""
        return self.host if self.port == DEFAULT_PORT else f"[{self.host}]:{self.port}"


def parse_address(text: str) -> Address:
    """Read `user@host:port`; user and port may be left out, an IPv6 address stands in brackets.

    Raises:
        ValueError: it is not of that form.
    """
    found = _FORM.fullmatch(text.strip())
    port = int(found["port"] or DEFAULT_PORT) if found else 0
    if found is None or not 0 < port <= LAST_PORT or text.strip().startswith("-"):
        raise ValueError(f"{text!r} is not of the form user@host:port")
    return Address(found["literal"] or found["host"], port, found["user"])
