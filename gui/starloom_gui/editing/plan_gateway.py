"""The command gateway of a plan: its editor carries out what the engine would of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from typing_extensions import override

from starloom.constellation.validation import task_ids
from starloom.scheduling import commands as c
from starloom.scheduling.reservation_commands import ReservationCommand
from starloom_gui.editing.base import Step
from starloom_gui.gateway.command_gateway import CommandGateway
from starloom_gui.gateway.verbs import command_word
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.editing.plan_editor import PlanEditor

_OF_FLEET: Final = (c.DeviceCommand, c.SetLimits, ReservationCommand)


class _Words(QObject):
    """The default labels of edits without a name."""

    def of(self, ids: set[str]) -> str:
        """Of an edit about these tasks."""
        if len(ids) == 1:
            return fill(self.tr("Edit %1"), next(iter(ids)))
        return self.tr("Edit %n task(s)", "", len(ids))


class PlanGateway(CommandGateway):
    """The gateway of commands for a plan, which carries them out at once, so that the ticket is 0.

    Args:
        editor: of the plan.
        engine: is asked about devices and the limits of the fleet.
        start: makes a run of the plan of this key and starts it.
    """

    def __init__(self, editor: PlanEditor, engine: CommandGateway, start: Callable[[str], None]) -> None:
        self._editor, self._engine, self._start = editor, engine, start

    @override
    def can(self, command: c.Command) -> Verdict:
        """Whether a command would be carried out now and change something."""
        if isinstance(command, _OF_FLEET):
            return self._engine.can(command)
        if isinstance(command, c.EditConstellation):
            return self._editor.verdict(command.batch.edits)
        return self._can_start() if isinstance(command, c.StartRun) else self._editor.can(command)

    @override
    def do(self, command: c.Command) -> int:
        """Start the plan, change it as one step, or ask the engine about devices."""
        if isinstance(command, _OF_FLEET):
            return self._engine.do(command)
        if isinstance(command, c.EditConstellation):
            ids = {id for edit in command.batch.edits for id in task_ids(edit)}
            self._editor.do(Step(label=command.batch.reason or _Words().of(ids), edits=command.batch.edits))
        elif not isinstance(command, c.StartRun):
            self._editor.steer(command, command_word(command))
        elif (verdict := self._can_start()).ok:
            self._start(self._editor.key)
        else:
            self._editor.refused.emit(command_word(command), f"{verdict.reason} {verdict.hint}")
        return 0

    def _can_start(self) -> Verdict:
        facts = self._editor.facts()
        if facts is None or facts.graph.place:
            return Verdict(True)
        reason = translate("Editing", "The plan has no tasks.")
        return Verdict(False, reason, translate("Editing", "Add one before you start it."))
