"""A command and its arguments in one line, as people type it."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_VALUE: Final = re.compile(r"\$\{[\w.\[\]-]+\}")
"""A value of a task, put in before anything is run: no shell reads it, so that it needs no quotes."""


def command_text(arguments: Iterable[str]) -> str:
    """The words of a command as one line, which `shlex.split` takes apart again; only what needs quotes has them."""
    return " ".join(map(_quoted, arguments))


def _quoted(argument: str) -> str:
    plain = _VALUE.sub("x", argument)
    return argument if shlex.quote(plain) == plain else shlex.quote(argument)
