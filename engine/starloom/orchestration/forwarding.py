"""Methods of an object that a part of it carries out."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_Owner = TypeVar("_Owner")
_Part = TypeVar("_Part")
_P = ParamSpec("_P")
_R = TypeVar("_R")


def forwarded(
    part: Callable[[_Owner], _Part], method: Callable[Concatenate[_Part, _P], _R]
) -> Callable[Concatenate[_Owner, _P], _R]:
    """A method that calls the same one of a part; its name, arguments and docstring are those of the part's.

    Args:
        part: gives the part of the object whose method this is.
        method: of the part.
    """

    @wraps(method)
    def call(owner: _Owner, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        return method(part(owner), *args, **kwargs)

    return call
