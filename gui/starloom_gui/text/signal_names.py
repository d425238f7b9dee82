"""The names of the signals that end processes."""

from __future__ import annotations

import signal


def signal_name(exit_code: int) -> str:
    """The name of the signal that ended a process, by its negative exit code: `SIGKILL` of -9."""
    try:
        return signal.Signals(-exit_code).name
    except ValueError:  # another system's
        return str(-exit_code)
