"""Opening the console, if a package that brings one is installed."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from starloom.cli.screen import Screen

ENTRY_POINT_GROUP: Final = "starloom.console"


def open_console(screen: Screen, help_text: str) -> int:
    """Open the console; without one, say so and show the help.

    Args:
        screen: where to say so.
        help_text: the help.

    Returns:
        The exit code: the console's own where it gives one.
    """
    found = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda entry: entry.name)
    if not found:
        screen.result("The console is not part of this version of Starloom; what can be done without it:\n")
        return screen.result(help_text)
    entry = found[0]
    try:
        start = entry.load()
    except Exception as error:  # noqa: BLE001 - another package's code, it may raise anything; it is named
        screen.error(
            f"The console ({entry.value}) cannot be loaded: {type(error).__name__}: {error}. "
            "Repair or remove the package that brings it."
        )
        return 1
    code = start()
    return code if isinstance(code, int) else 0
