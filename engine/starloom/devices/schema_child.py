"""The process that checks whether JSON fits a schema: that may take for ever, and cannot be broken off in this one.

Its standard input has the schema's text and the value, as JSON; its standard output why the value does not fit.
"""

from __future__ import annotations

import json
import sys

_FROZEN = "--starloom-child"
"""A packaged program is no interpreter; with this it runs a file of its own: `packaging/frozen_entry.py`."""


def command_line() -> tuple[str, ...]:
    """Its command line."""
    if getattr(sys, "frozen", False):
        return (sys.executable, _FROZEN, __file__)
    return (sys.executable, "-P", "-m", __name__)


def main() -> int:
    """Check; returns the exit code."""
    from starloom.model.expected import JsonSchema  # here, as whoever only starts the process needs none of it

    text, value = json.load(sys.stdin.buffer)
    sys.stdout.write(json.dumps(JsonSchema(text).misfit(value)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
