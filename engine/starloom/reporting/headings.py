"""Texts common to all documents of a report: titles, column headings, remarks.

What a run has to say for itself is in `telling`. A page and pages on paper name the same things the same way from here.
"""

from __future__ import annotations

from typing import Final

DOCUMENT: Final = "Starloom run report"

WHEN: Final = "When and where"
FAILED: Final = "What failed"
DECIDED: Final = "What decided the finish"
STEERED: Final = "Who steered"
DEVICES: Final = "Devices"
BUSY: Final = "How busy it was"
WAITED: Final = "How many waited"
GRAPH: Final = "The graph"
FAILED_BESIDES: Final = "What failed besides"
FAILED_IN_FULL: Final = "What failed, in full"
SLOWEST: Final = "Slowest"
WAITED_LONGEST: Final = "Waited longest before they started"
INTERVENTIONS: Final = "Edits and interventions"
REFUSALS: Final = "Refused edits"
AGENTS: Final = "Agents"
WARNINGS: Final = "Warnings"
ALL_DEVICES: Final = "All devices"
ALL_TASKS: Final = "All tasks"
ENVIRONMENT: Final = "Environment"

WAITED_NOTE: Final = "attempts that were ready and had not started: for want of a slot, held, or with the run paused"
WARNINGS_NOTE: Final = "what tasks warned of while they ran, and which ran far longer than expected"
REFUSALS_NOTE: Final = "asked for, and not done"
AGENTS_NOTE: Final = "edits are applied, refused, or wait for a person"
NOTHING_RAN: Final = "Nothing has run."
NOBODY_STEERED: Final = "Nobody: the run went as it was planned."
NONE_WAITED: Final = "None had to wait."
NO_INTERVENTIONS: Final = "There were none."

OF_DEVICES: Final = ("Device", "Slots", "Busy", "Attempts", "Failed", "Longest wait to start")
OF_INTERVENTIONS: Final = ("When", "Who", "What", "Why")
OF_WARNINGS: Final = ("When", "Task", "What")
OF_AGENTS: Final = ("Agent", "Asked", "Answered", "Applied", "Refused", "Approval", "Longest answer")


def busy_note(peak: int) -> str:
    """The caption of a busy run's chart."""
    return f"attempts at once, on average, at most {peak:,}"


def more_failed(left: int) -> str:
    """The remark that so many failed besides those on the first page."""
    return f"{left:,} more failed; see below."


def more_below(left: int) -> str:
    """The remark that so many lines follow further down."""
    return f"{left:,} more below."


def busiest(left: int) -> str:
    """The remark that not all devices are shown."""
    return f"The busiest ones; {left:,} more below."


def more_failed_elsewhere(left: int) -> str:
    """The remark that so many failed that this document does not name."""
    return f"{left:,} more failed; the CSV and JSON reports have all of them."


def more_elsewhere(left: int) -> str:
    """The remark that so many lines are in no document for people."""
    return f"{left:,} more are in the JSON report."
