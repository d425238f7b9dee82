"""Documents of a report that only the console can draw: found by an entry point, drawn in a child process.

The child is `starloom draw KIND`, with the report as JSON on stdin and the document on stdout. So Qt is never in a
process that runs tasks, and whatever goes wrong there, a sentence comes of it.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from io import BytesIO
from typing import TYPE_CHECKING, Final

from starloom.errors import StarloomError
from starloom.reporting import json

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from starloom.reporting.report import Report

ENTRY_POINT_GROUP: Final = "starloom.reports"
"""An entry point of this group is named like a kind, and is called with the kind, a report, where the tasks of its
graph stand or None, whose clock to show, and how many pixels there are for a unit; it returns the document."""
PDF: Final = "pdf"
TIMELINE: Final = "timeline.png"
GRAPH: Final = "graph.png"
STAGE: Final = "stage: "
"""What lines on stderr begin with that say to a program that waits what is being done."""
DAMAGED: Final = 1
"""The exit code of `starloom report` where the document is written, but a part of the journal is lost."""
PATIENCE_S: Final = 120.0
MISSING: Final = (
    "PDF and PNG are drawn by the console, which is not part of this version of Starloom. "
    "Install starloom with its console (PySide6-Essentials), or end the name in .html or .svg."
)


def drawn(kind: str, report: Report, scale: float = 2.0) -> bytes:
    """A document of a report, drawn in a child process.

    Args:
        kind: `pdf`, `timeline.png` or `graph.png`.
        report: what is told.
        scale: pixels for each unit of a picture.

    Raises:
        StarloomError: there is nobody who draws it, it failed, or it took longer than `PATIENCE_S`.
    """
    if drawer(kind) is None:
        raise StarloomError(MISSING)
    told = BytesIO()
    json.write(report, told)
    command = [*program(), "draw", kind, "--scale", f"{scale:g}"]
    try:
        done = subprocess.run(command, input=told.getvalue(), capture_output=True, timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired:
        raise StarloomError(
            f"Drawing took longer than {PATIENCE_S:g} s and was stopped. End the name in .html, which needs less."
        ) from None
    except OSError as error:
        raise StarloomError(f"The process that draws could not be started: {error.strerror or error}.") from None
    if done.returncode or not done.stdout:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = lines[-1] if lines else f"it ended with {done.returncode}"
        raise StarloomError(f"It could not be drawn: {why.rstrip('.')}. An .html or .svg needs no drawing.")
    return done.stdout


def program() -> list[str]:
    """What starts the command line in a process of its own; a packaged program is no interpreter."""
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-P", "-m", "starloom.cli"]


def drawer(kind: str) -> EntryPoint | None:
    """Who draws documents of a kind; None: nobody."""
    return next((entry for entry in entry_points(group=ENTRY_POINT_GROUP) if entry.name == kind), None)
