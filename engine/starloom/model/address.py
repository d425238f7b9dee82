"""What the address of a server tells: whether it holds a secret, and whether it is of this computer."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

if TYPE_CHECKING:
    from urllib.parse import SplitResult

_NAMES: Final = frozenset({"token", "api_key", "apikey", "key", "password", "access_token"})


def holds_secret(parts: SplitResult) -> bool:
    """Whether an address holds a token or a password."""
    return "@" in parts.netloc or any(
        name.lower() in _NAMES for name, _ in parse_qsl(parts.query, keep_blank_values=True)
    )


def is_loopback(host: str) -> bool:
    """Whether what is sent to a host does not leave this computer."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
