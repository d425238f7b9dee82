"""What is asked of a plan alone: engines know nothing of it, as they are given the plan when it starts."""

from __future__ import annotations

from starloom.scheduling.commands import RunCommand


class SetPlanGroupLimit(RunCommand, frozen=True, kw_only=True):
    """Limits how many tasks of a limit group run at once, as the plan says it; None: as many as want to.

    A fleet that limits the group already keeps its own number.
    """

    group: str
    limit: int | None
