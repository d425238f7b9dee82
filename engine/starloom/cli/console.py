"""Opening the console, if a package that provides one is installed."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.metadata import EntryPoint

    from starloom.cli.screen import Screen

ENTRY_POINT_GROUP: Final = "starloom.console"
"""An entry point of this group is called with the arguments of `starloom console` and returns the exit code."""


def open_console(screen: Screen, help_text: str) -> int:
    """Open the console; without one, say so and show the help.

    Args:
        screen: where to say so.
        help_text: the help.

    Returns:
        The exit code: the console's own where it gives one.
    """
    entry = _installed()
    if entry is None:
        screen.result("The console is not part of this version of Starloom; what can be done without it:\n")
        return screen.result(help_text)
    return _open(entry, (), screen)


def open_console_with(arguments: Sequence[str], screen: Screen) -> int:
    """Open the console with these arguments, those of `starloom console`; without one, that is an error."""
    entry = _installed()
    if entry is None:
        screen.error("The console is not part of this version of Starloom; `starloom run` runs plans without it.")
        return 1
    return _open(entry, arguments, screen)


def _installed() -> EntryPoint | None:
    """The first console by name, if several are installed."""
    return min(entry_points(group=ENTRY_POINT_GROUP), key=lambda entry: entry.name, default=None)


def _open(entry: EntryPoint, arguments: Sequence[str], screen: Screen) -> int:
    try:
        start = entry.load()
    except Exception as error:  # noqa: BLE001 - another package's code, it may raise anything; it is named
        screen.error(
            f"The console ({entry.value}) cannot be loaded: {type(error).__name__}: {error}. "
            "Repair or remove the package that brings it."
        )
        return 1
    code = start(list(arguments))
    return code if isinstance(code, int) else 0
