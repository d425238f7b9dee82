"""Results in a checkpoint of the facts: the new ones, each so that it is decoded to an equal value."""

from __future__ import annotations

from itertools import compress
from operator import is_not
from typing import TYPE_CHECKING, Any, Final

import msgspec

from starloom.decodable import decodable
from starloom.journal.values import NOT_PLAIN, pack, unpack
from starloom.model.result import EMPTY_RESULT, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Kept = Result | int | None
"""A result in a checkpoint; the number 0 is the empty one."""
Odd = list[tuple[int, dict[str, Any]]]
"""Results that msgpack alone would not give back as they are: the place of each among the others, and its fields."""
_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(decodable(list[Kept]), ext_hook=unpack).decode


def to_kept(results: Iterable[Result | None]) -> tuple[list[Kept], Odd]:
    """The results as they are kept and, by index, those that plain values cannot hold."""
    kept: list[Kept] = [0 if result is EMPTY_RESULT else result for result in results]
    if _comes_back(kept):
        return kept, []
    odd: Odd = []
    for place, result in enumerate(kept):
        if isinstance(result, Result) and not _comes_back([result]):
            odd.append((place, _result_to_plain(result)))
            kept[place] = None
    return kept, odd


def _comes_back(kept: list[Kept]) -> bool:
    try:
        return _decode(_encode(kept)) == kept
    except (*NOT_PLAIN, msgspec.MsgspecError):
        return False


def _result_to_plain(result: Result) -> dict[str, Any]:
    plain = {name: pack(getattr(result, name)) for name in Result.__struct_fields__ if name != "error"}
    error = result.error
    plain["error"] = (
        None if error is None else {name: pack(value) for name, value in msgspec.structs.asdict(error).items()}
    )
    return plain


def from_kept(kept: list[Kept], odd: Odd) -> list[Result | None]:
    """The results from the values of `to_kept`.

    Raises:
        LookupError, msgspec.MsgspecError: they are not what that made.
    """
    results = [EMPTY_RESULT if isinstance(one, int) else one for one in kept]
    for place, plain in odd:
        results[place] = msgspec.convert(plain, decodable(Result))
    return results


def changed(now: Sequence[object], before: Sequence[object]) -> list[int]:
    """The indices, ascending, of entries that are not the same object as before."""
    return list(compress(range(len(now)), map(is_not, now, before)))
