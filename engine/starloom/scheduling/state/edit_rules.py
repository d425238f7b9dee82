"""Edit rules that depend on the run: statuses of tasks, and conflicting edits of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starloom.constellation.transaction import Rules
from starloom.scheduling.state.codes import RUNNING, STATUS_OF, is_terminal

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts


def rules_for(run: RunFacts) -> Rules:
    """The edit rules of a run, beside those of its graph."""

    def changed_since(key: tuple[Any, ...], base: int, origin: str) -> tuple[int, str] | None:
        last = run.touched.get(key)
        return last if last is not None and last[0] > base and last[1] != origin else None

    def added_since(number: int, revision: int) -> bool:
        return run.touched.get(("added", number), (0, ""))[0] > revision

    return Rules(lambda number: why_frozen(run.status[number]), changed_since, added_since)


def why_frozen(code: int) -> str | None:
    """The reason why a task with this code may not change, as a half sentence; None: it may."""
    if code == RUNNING:
        return "is running"
    return f"has ended ({STATUS_OF[code]})" if is_terminal(code) else None
