"""The reason why a connection failed, in the system's own words and not in those of a library."""

from __future__ import annotations

import os
import re
import socket
import ssl
from typing import Final

_NUMBER: Final = re.compile(r"\[Errno (\d+)\]")
"""What asyncio says of each of several addresses that it has tried."""


def connection_reason(error: BaseException) -> str:
    """The reason as a part of a sentence, without its full stop: `Connection refused`.

    asyncio puts `Connect call failed ('127.0.0.1', 9)` in its place, and the errors of several addresses into one text.
    """
    if isinstance(error, ssl.SSLError) and error.reason:
        return error.reason.replace("_", " ").lower()
    number = _errno(error) if isinstance(error, OSError) and not isinstance(error, socket.gaierror) else None
    if number:
        return os.strerror(number)
    return str(getattr(error, "strerror", None) or error).rstrip(".") or type(error).__name__


def _errno(error: OSError) -> int | None:
    found = _NUMBER.search(str(error))
    return error.errno or (int(found[1]) if found is not None else None)
