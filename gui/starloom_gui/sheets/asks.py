"""Whom the window's verbs go to: the engine, but a plan in front is started by making a run of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starloom_gui.bridge.verbs import OF_DEVICES, Target, Verb, Verdict
from starloom_gui.words import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.constellation.edits import EditBatch
    from starloom_gui.bridge.commands import Commands


class FrontAsks:
    """Answers like `Commands`, for whatever is in front.

    Args:
        commands: the engine's side.
        plan: gives the key of the plan in front; empty: a run is, or nothing.
        start: makes a run of a plan and starts it.
    """

    def __init__(self, commands: Commands, plan: Callable[[], str], start: Callable[[str], None]) -> None:
        self._commands, self._plan, self._start = commands, plan, start

    def can(self, verb: Verb, target: Target, **given: Any) -> Verdict:
        """Whether a verb would be carried out now and change something."""
        if not self._plan() or verb in OF_DEVICES or verb is Verb.SET_LIMITS:
            return self._commands.can(verb, target, **given)
        return Verdict(True) if verb is Verb.START else not_started()

    def do(self, verb: Verb, target: Target, **given: Any) -> int:
        """Ask for a verb; 0: a plan was started, which no ticket is for."""
        plan = self._plan()
        if plan and verb is Verb.START:
            self._start(plan)
            return 0
        return self._commands.do(verb, target, **given)

    def failed_tasks(self, run_id: str) -> tuple[str, ...]:
        """The tasks that "Retry failed" is about."""
        return () if self._plan() else self._commands.failed_tasks(run_id)

    def can_edit(self, run_id: str, batch: EditBatch) -> Verdict:
        """Whether a batch of edits would be applied now."""
        return not_started() if self._plan() else self._commands.can_edit(run_id, batch)

    def edit(self, run_id: str, batch: EditBatch) -> int:
        """Apply a batch of edits."""
        return self._commands.edit(run_id, batch)


def not_started() -> Verdict:
    """What is said of a plan that is not run."""
    return Verdict(False, translate("Actions", "This is a plan, not a run."), translate("Actions", "Start it first."))
