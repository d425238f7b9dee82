"""`starloom draw`: the child process in which the console draws a document of a report."""

from __future__ import annotations

import sys

from starloom.cli.arranging import arranged
from starloom.errors import StarloomError
from starloom.reporting import json
from starloom.reporting.drawers import MISSING, TIMELINE, drawer
from starloom.reporting.text import here


def draw_here(kind: str, scale: float) -> int:
    """Draw the report that comes on stdin to stdout, in this process; returns the exit code.

    Raises:
        StarloomError: there is nobody who draws it, or it cannot be drawn.
    """
    entry = drawer(kind)
    if entry is None:
        raise StarloomError(MISSING)
    try:
        draw = entry.load()
        report = json.read(sys.stdin.buffer.read())
        arrangement = None if kind == TIMELINE else arranged(report)
        data = draw(kind, report, arrangement, here(), scale)
    except StarloomError:
        raise
    except Exception as error:
        raise StarloomError(f"{entry.value} failed: {type(error).__name__}: {error}") from error
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
    return 0
