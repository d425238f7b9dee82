"""What must not stand in the address of a server."""

from __future__ import annotations

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
