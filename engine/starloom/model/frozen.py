"""An immutable empty mapping that many values can share."""

from __future__ import annotations

from typing import Any, NoReturn

from typing_extensions import override


class FrozenDict(dict[str, Any]):
    """A dict that refuses to change; used as the shared default of mapping fields."""

    __slots__ = ()

    def _refuse(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise TypeError("this mapping belongs to a frozen value and cannot change; make a new one")

    __setitem__ = __delitem__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    @override
    def __hash__(self) -> int:  # type: ignore[override]  # dict says None; a frozen one may be a default value
        """Equal frozen mappings hash alike by their keys."""
        return hash(frozenset(self))


EMPTY: FrozenDict = FrozenDict()
