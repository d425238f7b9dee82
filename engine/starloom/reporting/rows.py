"""The rows of a report's documents, in words; see `report_presenter`."""

from __future__ import annotations

from typing import NamedTuple


class Number(NamedTuple):
    """One of the six figures: name, value, and remark."""

    name: str
    value: str
    note: str
    is_bad: bool = False


class InterventionRow(NamedTuple):
    """One intervention, as a row.

    Attributes:
        finish: what it did to the end that was foreseen, as a sentence; empty: nothing is known of that.
    """

    at: str
    who: str
    what: str
    why: str
    finish: str = ""

    @property
    def remarks(self) -> str:
        """The reason, and the effect on the finish."""
        return " · ".join(filter(None, (self.why, self.finish)))


class PathRow(NamedTuple):
    """One step of the critical path, as a row.

    Attributes:
        share: how long it took, of what the longest one took.
        took: how long.
        waited: what it had to wait for; empty: nothing.
    """

    name: str
    share: float
    took: str
    waited: str


class FailureRow(NamedTuple):
    """A failed task, as a row.

    Attributes:
        about: where and when its last attempt ran, and how it ended.
        output: the end of what it printed, in lines.
        skipped: what was skipped because of it; empty: nothing.
        ran: what ran because of it, likewise.
        alike: how many tasks failed like this, with itself.
    """

    name: str
    about: str
    message: str
    output: str
    skipped: str
    ran: str = ""
    alike: int = 1

    @property
    def consequences(self) -> str:
        """The consequences, in sentences; empty: none."""
        told = [f"Skipped because of it: {self.skipped}."] if self.skipped else []
        told += [f"Ran because of it: {self.ran}."] if self.ran else []
        return " ".join(told)


class DeviceUsageRow(NamedTuple):
    """The use of a device, as a row.

    Attributes:
        share: of its time that its slots were busy, 0 to 1.
        failed: how many attempts failed there.
    """

    name: str
    slots: str
    share: float
    busy: str
    attempts: str
    failed: int
    wait: str


class AttemptRow(NamedTuple):
    """An attempt with a notable time, as a row."""

    name: str
    device: str
    took: str
    at: str


class AgentRow(NamedTuple):
    """An agent: its questions and answers, and the results of its proposals."""

    name: str
    asked: str
    answered: str
    applied: str
    refused: str
    approval: str
    longest: str
