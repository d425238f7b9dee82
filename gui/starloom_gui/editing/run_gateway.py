"""Whom the panes of a run ask: its editor for edits and for steering tasks, so that both can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from starloom.constellation.edits import UpdateTask
from starloom.constellation.validation import task_ids
from starloom_gui.editing.base import Step
from starloom_gui.editing.steering import OF_FLEET
from starloom_gui.gateway.command_gateway import CommandGateway
from starloom_gui.gateway.verbs import OF_TASKS, Target, Verb, Verdict
from starloom_gui.text.field_words import field_word
from starloom_gui.text.limit_words import placement_word
from starloom_gui.text.words import amount, fill, noun, tasks, translate, verb_word

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from starloom.constellation.edits import EditBatch
    from starloom_gui.editing.base import Editor


class RunGateway(CommandGateway):
    """Answers like `Commands` for a run whose edits go by way of an editor, live or staged.

    What the editor is given has no ticket, which is 0: it says itself what was refused.

    Args:
        editor: of the run.
        engine: is asked for everything else.
    """

    def __init__(self, editor: Editor, engine: CommandGateway) -> None:
        self._editor, self._engine = editor, engine

    @override
    def can(self, verb: Verb, target: Target, **given: Any) -> Verdict:
        """Whether a verb would be carried out now and change something."""
        return self._engine.can(verb, target, **given)

    @override
    def do(self, verb: Verb, target: Target, **given: Any) -> int:
        """Ask for a verb; one about tasks, devices or limits is a step of undo where it can be taken back."""
        if verb is Verb.LIMIT_RUN:
            self._editor.steer(verb, target, self._limit_label(**given), **given)
        elif verb in OF_FLEET:
            self._editor.steer(verb, target, _fleet_label(verb, target, given), **given)
        elif verb in OF_TASKS:
            self._editor.steer(verb, target, self._verb_label(verb, target, given), **given)
        else:
            return self._engine.do(verb, target, **given)
        return 0

    @override
    def can_edit(self, run_id: str, batch: EditBatch) -> Verdict:
        """Whether the run would take these edits, on top of what is staged."""
        return self._editor.verdict(batch.edits)

    @override
    def edit(self, run_id: str, batch: EditBatch) -> int:
        """Apply or stage edits, as one step."""
        self._editor.do(Step(label=batch.reason or self._edit_label(batch), edits=batch.edits))
        return 0

    @override
    def failed_tasks(self, run_id: str) -> tuple[str, ...]:
        """The tasks that "Retry failed" is about."""
        return self._engine.failed_tasks(run_id)

    def _verb_label(self, verb: Verb, target: Target, given: Mapping[str, Any]) -> str:
        if verb is Verb.RETRY and given.get("fields"):
            return fill(translate("Editing", "Change and retry %1"), self._named(target.task_ids))
        return fill(translate("Editing", "%1: %2"), verb_word(verb), self._named(target.task_ids))

    def _limit_label(self, max_concurrency: int | None) -> str:
        if max_concurrency is None:
            return translate("Editing", "Limit of this run: none")
        return fill(translate("Editing", "Limit of this run: %1"), amount(max_concurrency))

    def _edit_label(self, batch: EditBatch) -> str:
        about = dict.fromkeys(id for edit in batch.edits for id in task_ids(edit))
        fields = {name for edit in batch.edits if isinstance(edit, UpdateTask) for name in edit.fields}
        if len(fields) == 1:
            word = noun(field_word(next(iter(fields))))
            return fill(translate("Editing", "Change %1 of %2"), word, self._named(tuple(about)))
        return fill(translate("Editing", "Change %1"), self._named(tuple(about)))

    def _named(self, ids: Collection[str]) -> str:
        """One task by its title, several as a count."""
        if len(ids) != 1:
            return tasks(len(ids))
        facts, id = self._editor.facts(), next(iter(ids))
        return facts.graph.task(id).title if facts is not None and id in facts.graph else id


def _fleet_label(verb: Verb, target: Target, given: Mapping[str, Any]) -> str:
    """What a step about a device, or about the limits of all runs, is called."""
    if verb is Verb.SET_SLOTS:
        return fill(translate("Editing", "Slots of %1: %2"), target.device_id, amount(given["slots"]))
    if verb is not Verb.SET_LIMITS:
        return fill(translate("Editing", "%1: %2"), verb_word(verb), target.device_id)
    names = {
        "max_concurrency": translate("Editing", "Limit of all runs: %1"),
        "placement": translate("Editing", "Placement: %1"),
        "starvation_timeout": translate("Editing", "Starvation time-out: %1 s"),
        "max_queue": translate("Editing", "Longest queue: %1"),
        "overdue_factor": translate("Editing", "Overdue factor: %1"),
        "modification_timeout": translate("Editing", "Agents may take: %1 s"),
    }
    said = [fill(names[name], _limit(name, value)) for name, value in given.items() if name in names]
    of_group = translate("Editing", "Limit of group %1: %2")
    said += [fill(of_group, name, _limit(name, most)) for name, most in given.get("groups", {}).items()]
    return "; ".join(said)


def _limit(name: str, value: Any) -> str:
    if value is None:
        return translate("Editing", "none")
    return placement_word(value) if name == "placement" else f"{value:g}"
