"""The gateway of panes that refuses commands, with the reason, while the past is shown."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom.scheduling.commands import OPERATOR, Command
from starloom_gui.gateway.commands import Refusal
from starloom_gui.gateway.verbs import command_word
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import translate

if TYPE_CHECKING:
    from starloom.scheduling.decide.required_statuses import AnyCommand
    from starloom_gui.gateway.command_gateway import TicketGateway
    from starloom_gui.time_travel.time_travel_reader import TimeTravelReader


def refusal_of(reader: TimeTravelReader) -> Verdict | None:
    """The reason why commands are refused while the past is shown; None: they are not."""
    if not reader.is_past:
        return None
    if reader.has_present:
        return Verdict(False, translate("Past", "The past is shown."), translate("Past", "Go back to live first."))
    reason = translate("Past", "This run is shown from its journal, where nothing of it can be changed.")
    run = reader.view()
    if run is not None and run.state.has_ended:
        return Verdict(False, reason, translate("Past", "Reopen it first (Shift+F8)."))
    return Verdict(False, reason, translate("Past", "Save its graph as a plan to run it again."))


class ReadOnlyGateway(QObject):
    """Forwards commands to `Commands`, and refuses them while the past is shown.

    Args:
        commands: the engine's side; None: there is no engine.
        reader: from where the run is seen.
        parent: of the object.

    Signals:
        done(Done), refused(Refusal): as of `Commands`; what is refused here has a ticket below 0.
    """

    done = Signal(object)
    refused = Signal(object)

    def __init__(self, commands: TicketGateway | None, reader: TimeTravelReader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._commands, self._reader = commands, reader
        self._last = 0
        self.origin = commands.origin if commands is not None else OPERATOR
        if commands is not None:
            commands.done.connect(self.done)
            commands.refused.connect(self.refused)

    def can(self, command: Command) -> Verdict:
        """Whether a command would be carried out now and change something."""
        return self._why_not() or self._asked().can(command)

    def possible_part(self, command: AnyCommand) -> AnyCommand:
        """The command for those of its tasks only whose status it may be given for; all or none of them: as it is."""
        return command if self._why_not() is not None else self._asked().possible_part(command)

    def do(self, command: Command) -> int:
        """Refuse a command of the past, or send one of the present."""
        why = self._why_not()
        return self._asked().do(command) if why is None else self._refuse(command_word(command), why)

    def _why_not(self) -> Verdict | None:
        return refusal_of(self._reader)

    def _asked(self) -> TicketGateway:
        assert self._commands is not None, "without an engine everything is refused"
        return self._commands

    def _refuse(self, what: str, why: Verdict) -> int:
        """Emit the refusal, once the caller has the ticket."""
        self._last -= 1
        refusal = Refusal(ticket=self._last, who=self.origin, what=what, reason=why.reason, hint=why.hint)
        asyncio.get_running_loop().call_soon(self.refused.emit, refusal)
        return self._last
