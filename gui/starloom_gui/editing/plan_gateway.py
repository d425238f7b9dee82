"""Whom the panes of a plan ask: its editor, where those of a run ask the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from typing_extensions import override

from starloom.constellation.validation import task_ids
from starloom_gui.editing.base import Step
from starloom_gui.gateway.command_gateway import CommandGateway
from starloom_gui.gateway.verbs import OF_DEVICES, Target, Verb, Verdict
from starloom_gui.text.words import fill, translate, verb_word

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.constellation.edits import EditBatch
    from starloom_gui.editing.plan_editor import PlanEditor


class _Words(QObject):
    """What edits are called that came without a name."""

    def of(self, ids: set[str]) -> str:
        """Of an edit about these tasks."""
        if len(ids) == 1:
            return fill(self.tr("Edit %1"), next(iter(ids)))
        return self.tr("Edit %n task(s)", "", len(ids))


class PlanGateway(CommandGateway):
    """Answers like `Commands` for a plan. What is done is done at once, so that no ticket is given: it is 0.

    Args:
        editor: of the plan.
        engine: is asked about devices and the limits of the fleet.
        start: makes a run of the plan of this key and starts it.
    """

    def __init__(self, editor: PlanEditor, engine: CommandGateway, start: Callable[[str], None]) -> None:
        self._editor, self._engine, self._start = editor, engine, start

    @override
    def can(self, verb: Verb, target: Target, **given: Any) -> Verdict:
        """Whether a verb would be carried out now and change something."""
        if _is_of_fleet(verb):
            return self._engine.can(verb, target, **given)
        return self._can_start() if verb is Verb.START else self._editor.can(verb, target, **given)

    @override
    def do(self, verb: Verb, target: Target, **given: Any) -> int:
        """Start the plan, change its fields, or ask the engine about devices."""
        if _is_of_fleet(verb):
            return self._engine.do(verb, target, **given)
        if verb is Verb.START:
            if (verdict := self._can_start()).ok:
                self._start(self._editor.key)
            else:
                self._editor.refused.emit(verb_word(verb), f"{verdict.reason} {verdict.hint}")
        else:
            self._editor.steer(verb, target, verb_word(verb), **given)
        return 0

    def _can_start(self) -> Verdict:
        facts = self._editor.facts()
        if facts is None or facts.graph.place:
            return Verdict(True)
        reason = translate("Editing", "The plan has no tasks.")
        return Verdict(False, reason, translate("Editing", "Add one before you start it."))

    @override
    def can_edit(self, run_id: str, batch: EditBatch) -> Verdict:
        """Whether the plan would take these edits."""
        return self._editor.verdict(batch.edits)

    @override
    def edit(self, run_id: str, batch: EditBatch) -> int:
        """Apply edits to the plan, as one step."""
        ids = {id for edit in batch.edits for id in task_ids(edit)}
        self._editor.do(Step(label=batch.reason or _Words().of(ids), edits=batch.edits))
        return 0

    @override
    def failed_tasks(self, run_id: str) -> tuple[str, ...]:
        """The tasks that "Retry failed" is about: nothing of a plan has run."""
        return ()


def _is_of_fleet(verb: Verb) -> bool:
    return verb in OF_DEVICES or verb is Verb.SET_LIMITS
