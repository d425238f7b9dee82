"""The command gateway of a run: edits and the steering of tasks go through its editor, so that both can be undone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from starloom.constellation.edits import UpdateTask
from starloom.constellation.validation import task_ids
from starloom.scheduling import commands as c
from starloom.scheduling.reservation_commands import ReservationCommand
from starloom_gui.editing.base import Mode, Step
from starloom_gui.editing.reservation_steps import target_of
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.editing.steering import OF_FLEET, given_limits, tasks_of
from starloom_gui.gateway.command_gateway import CommandGateway
from starloom_gui.gateway.verbs import command_word
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.field_words import field_word
from starloom_gui.text.limit_words import placement_word
from starloom_gui.text.reservation_words import target_words
from starloom_gui.text.words import amount, fill, noun, tasks, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from starloom.constellation.edits import EditBatch
    from starloom.scheduling.decide.required_statuses import AnyCommand
    from starloom_gui.editing.base import Editor


class RunGateway(CommandGateway):
    """The gateway of commands for a run, whose edits pass through an editor, live or staged.

    What the editor is given has no ticket, which is 0: it says itself what was refused.

    Args:
        editor: of the run.
        engine: is asked for everything else.

    Attributes:
        retry_typed: retries tasks with what is typed for them and not set; false: nothing is.
        settle_typed: sets what is typed for tasks before they are released; false: it was refused, which is shown.
    """

    def __init__(self, editor: Editor, engine: CommandGateway) -> None:
        self._editor, self._engine = editor, engine
        self.retry_typed: Callable[[Collection[str]], bool] = lambda _: False
        self.settle_typed: Callable[[Collection[str]], bool] = lambda _: True

    @override
    def can(self, command: c.Command) -> Verdict:
        """Whether a command would be carried out now and change something; edits on top of what is staged."""
        if isinstance(command, c.EditConstellation):
            return self._editor.verdict(command.batch.edits)
        if isinstance(command, c.RetryTasks) and command.fields and self._editor.mode is Mode.STAGED:
            # an edit like any other to whoever types it, who would not expect it to act before the commit
            return Verdict(
                False,
                translate("Editing", "A change with a retry takes effect at once and cannot be staged."),
                translate("Editing", "Turn to Live to change this task and run it again."),
            )
        staged = self._editor.verdict_of_staged(command) if isinstance(self._editor, RunEditor) else None
        if staged is not None:
            return staged
        verdict = self._engine.can(command)
        acts_at_once = verdict.ok and self._editor.mode is Mode.STAGED and bool(tasks_of(command))
        return replace(verdict, caution=_at_once(verdict.caution)) if acts_at_once else verdict

    @override
    def possible_part(self, command: AnyCommand) -> AnyCommand:
        """The command for those of its tasks only whose status it may be given for; all or none of them: as it is."""
        return self._engine.possible_part(command)

    @override
    def do(self, command: c.Command) -> int:
        """Send a command: edits are applied or staged, and commands that can be undone become a step of undo."""
        if isinstance(command, c.EditConstellation):
            batch = command.batch
            self._editor.do(Step(label=batch.reason or self._edit_label(batch), edits=batch.edits))
        elif self._is_taken_with_what_is_typed(command):
            return 0
        elif label := self._label(command):
            self._editor.steer(command, label)
        else:
            return self._engine.do(command)
        return 0

    def _is_taken_with_what_is_typed(self, command: c.Command) -> bool:
        """Whether nothing is left to send: what is typed went with the retry, or was refused, which is shown."""
        if isinstance(command, c.RetryTasks):
            return not command.fields and self.retry_typed(command.task_ids)
        is_live_release = isinstance(command, c.ReleaseTasks) and self._editor.mode is Mode.LIVE
        return is_live_release and not self.settle_typed(tasks_of(command))

    def _label(self, command: c.Command) -> str:
        """The label of a step about tasks, devices or limits; empty: the command is about something else."""
        if isinstance(command, c.SetRunLimit):
            return self._limit_label(command.max_concurrency)
        if isinstance(command, c.SetLimits):
            return _limits_label(command)
        if isinstance(command, c.SetSlots):
            return fill(translate("Editing", "Slots of %1: %2"), command.device_id, amount(command.slots))
        if isinstance(command, ReservationCommand):
            named = target_words(target_of(command), self._title())
            return fill(translate("Editing", "%1: %2"), command_word(command), named)
        if isinstance(command, c.CancelRun):
            return fill(translate("Editing", "%1: %2"), command_word(command), self._title())
        if isinstance(command, c.RemoveDevice) or type(command) in OF_FLEET:
            assert isinstance(command, c.DeviceCommand), "limits have a label of their own"
            return fill(translate("Editing", "%1: %2"), command_word(command), command.device_id)
        ids = tasks_of(command)
        if isinstance(command, c.RetryTasks) and command.fields:
            return fill(translate("Editing", "Change and retry %1"), self._named(ids))
        return fill(translate("Editing", "%1: %2"), command_word(command), self._named(ids)) if ids else ""

    def _title(self) -> str:
        facts = self._editor.facts()
        return facts.name if facts is not None else ""

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
        """The title of a single task, or the number of several."""
        if len(ids) != 1:
            return tasks(len(ids))
        facts, id = self._editor.facts(), next(iter(ids))
        return facts.graph.task(id).title if facts is not None and id in facts.graph else id


def _at_once(caution: str) -> str:
    """What is to be known of a command that acts at once while edits are staged."""
    return " ".join(filter(None, (caution, translate("Editing", "It acts at once: only edits are staged."))))


def _limits_label(command: c.SetLimits) -> str:
    given = given_limits(command)
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
