"""Reverts an edit of the event log, whoever made it: its inverse is applied as a step of undo."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starloom.constellation.edits import EditBatch, RemoveTask
from starloom.constellation.validation import keys
from starloom.scheduling.commands import EditConstellation
from starloom_gui.editing.change_words import names
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from starloom.events import ConstellationModified
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.undoing import Undoing
    from starloom_gui.gateway.command_gateway import TicketGateway
    from starloom_gui.viewmodel.roles import Facts


class Reverting:
    """Reverts edits of one run.

    Args:
        run_id: of the run.
        facts: gives its facts.
        engine: says whether it would be taken.
        undoing: sends it, and keeps what takes it back in turn.
    """

    def __init__(self, run_id: str, facts: Facts, engine: TicketGateway, undoing: Undoing) -> None:
        self._run_id, self._facts, self._engine, self._undoing = run_id, facts, engine, undoing

    def verdict(self, event: ConstellationModified) -> Verdict:
        """Whether an edit could be reverted now; if not, the later change that prevents it."""
        run = self._facts()
        if run is None or event.run_id != self._run_id:
            return Verdict(False, translate("Editing", "It is an edit of another run."))
        gone = [
            edit.task_id for edit in event.inverse if isinstance(edit, RemoveTask) and edit.task_id not in run.graph
        ]
        if gone:
            return Verdict(False, fill(translate("Editing", "%1 is no longer there."), names(gone)))
        later = _changed_since(run, event)
        if later is not None:
            revision, origin = later
            reason = translate("Editing", "The same was changed again since, in revision %1 by %2.")
            return Verdict(False, fill(reason, revision, origin), translate("Editing", "Revert that first."))
        verdict = self._engine.can(EditConstellation(run_id=self._run_id, batch=self._batch(event)))
        return replace(verdict, reason=verdict.reason[:1].upper() + verdict.reason[1:])

    def revert(self, event: ConstellationModified) -> None:
        """Revert an edit; if it is refused, nothing changes and the editor emits the reason."""
        self._undoing.edit(self._batch(event), label_of(event))

    def _batch(self, event: ConstellationModified) -> EditBatch:
        return EditBatch(
            edits=event.inverse, base_revision=event.revision, origin=self._engine.origin, reason=label_of(event)
        )


def label_of(event: ConstellationModified) -> str:
    """The label of the step that reverts an edit."""
    return fill(translate("Editing", "Revert revision %1 by %2"), event.revision, event.origin)


def _changed_since(run: RunFacts, event: ConstellationModified) -> tuple[int, str] | None:
    """The last batch, by any author, that has changed something the edit changed; None: there is none.

    The engine lets one overwrite what one has changed oneself; but a click far away in a list is not meant so.
    """
    touched = [run.touched[key] for edit in event.inverse for key in keys(run.graph, edit) if key in run.touched]
    return max((last for last in touched if last[0] > event.revision), default=None)
