"""Makes types ready to be decoded, by one thread at a time."""

from __future__ import annotations

from threading import RLock
from typing import Final, TypeVar

import msgspec

_T = TypeVar("_T")
_BUILDING: Final = RLock()
_READY: Final[set[object]] = set()


def decodable(kind: type[_T]) -> type[_T]:
    """Return a type once it can be decoded; to be used for each type that is given to msgspec.

    At the first use of a struct msgspec keeps what it reads of its annotations at the class, and keeps it there
    before it is whole. A second thread that decodes the same struct meanwhile ends the process by a segmentation fault.

    Args:
        kind: a struct, or a collection of them.
    """
    if kind not in _READY:
        with _BUILDING:
            msgspec.json.Decoder(kind)
            _READY.add(kind)
    return kind
