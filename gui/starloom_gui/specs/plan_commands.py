"""Commands for plans alone: engines do not know them, as they get the plan when it starts."""

from __future__ import annotations

from starloom.scheduling.commands import RunCommand


class SetPlanGroupLimit(RunCommand, frozen=True, kw_only=True):
    """Sets a limit group's number of tasks at once in the plan; None: no limit.

    A fleet that limits the group already keeps its own number.
    """

    group: str
    limit: int | None
