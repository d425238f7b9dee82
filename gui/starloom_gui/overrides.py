"""Keeps an error in a Python override of one of Qt's methods from ending the process, before Python 3.12.

PySide6 6.11 puts "Error calling Python override of …" before the message of such an error. Up to Python 3.11 an error
that C code has raised may not have been made an instance yet, which PySide6 does not expect: it reads the text as if it
were one, and the process dies of a segmentation fault. An error that has passed an `except` is an instance.
"""

from __future__ import annotations

import sys
from functools import wraps
from inspect import getattr_static
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakSet

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from collections.abc import Callable

_BASE: Any = QObject.__mro__[-2]
"""The base of all classes of Qt, as Python has them."""
_guarded: Final[WeakSet[Callable[..., Any]]] = WeakSet()


def _made(cls: type[Any], /, **given: Any) -> None:
    super(_BASE, cls).__init_subclass__(**given)
    of_qt = [base for base in cls.__mro__ if base.__module__.startswith("PySide6.")]
    ours = [base for base in cls.__mro__ if base not in of_qt]
    for name in {name for base in ours for name in vars(base)}:
        made = getattr_static(cls, name)
        if type(made) is FunctionType and made not in _guarded and any(name in vars(base) for base in of_qt):
            setattr(cls, name, _raising_instances(made))


def _raising_instances(override: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(override)
    def guarded(*given: Any, **named: Any) -> Any:
        try:
            return override(*given, **named)
        except BaseException:  # noqa: TRY203 - which makes it an instance
            raise

    _guarded.add(guarded)
    return guarded


if sys.version_info < (3, 12):
    _BASE.__init_subclass__ = classmethod(_made)  # for all classes that are made from now on
