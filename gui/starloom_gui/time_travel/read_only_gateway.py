"""Between panes and engine: while the past is shown nothing is asked for, and every verb says why."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from starloom.scheduling.commands import OPERATOR
from starloom_gui.gateway.commands import Refusal
from starloom_gui.gateway.verbs import Verdict
from starloom_gui.text.words import translate, verb_word

if TYPE_CHECKING:
    from starloom.constellation.edits import EditBatch
    from starloom_gui.gateway.commands import Commands
    from starloom_gui.gateway.verbs import Target, Verb
    from starloom_gui.time_travel.vantage import Vantage


def refusal_of(vantage: Vantage) -> Verdict | None:
    """Why nothing can be asked for from where a run is seen; None: it can."""
    if not vantage.is_past:
        return None
    if vantage.has_present:
        return Verdict(False, translate("Past", "The past is shown."), translate("Past", "Go back to live first."))
    reason = translate("Past", "This run is shown from its journal, and nothing of it can be changed any more.")
    return Verdict(False, reason, translate("Past", "Save its graph as a plan to run it again."))


class ReadOnlyGateway(QObject):
    """Answers like `Commands`, and asks them unless the past is shown.

    Args:
        commands: the engine's side; None: there is no engine.
        vantage: from where the run is seen.
        parent: of the object.

    Signals:
        done(Done), refused(Refusal): as of `Commands`; what is refused here has a ticket below 0.
    """

    done = Signal(object)
    refused = Signal(object)

    def __init__(self, commands: Commands | None, vantage: Vantage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._commands, self._vantage = commands, vantage
        self._last = 0
        self.origin = commands.origin if commands is not None else OPERATOR
        if commands is not None:
            commands.done.connect(self.done)
            commands.refused.connect(self.refused)

    def can(self, verb: Verb, target: Target, **given: Any) -> Verdict:
        """Whether a verb would be carried out now and change something."""
        return self._why_not() or self._asked().can(verb, target, **given)

    def can_edit(self, run_id: str, batch: EditBatch) -> Verdict:
        """Whether a batch of edits would be applied now."""
        return self._why_not() or self._asked().can_edit(run_id, batch)

    def do(self, verb: Verb, target: Target, **given: Any) -> int:
        """Ask for a verb."""
        why = self._why_not()
        return self._asked().do(verb, target, **given) if why is None else self._refuse(verb_word(verb), why)

    def edit(self, run_id: str, batch: EditBatch) -> int:
        """Apply a batch of edits."""
        why = self._why_not()
        return self._asked().edit(run_id, batch) if why is None else self._refuse(verb_word("edit"), why)

    def failed_tasks(self, run_id: str) -> tuple[str, ...]:
        """The tasks that "Retry failed" is about."""
        return () if self._why_not() is not None else self._asked().failed_tasks(run_id)

    def _why_not(self) -> Verdict | None:
        return refusal_of(self._vantage)

    def _asked(self) -> Commands:
        assert self._commands is not None, "without an engine everything is refused"
        return self._commands

    def _refuse(self, what: str, why: Verdict) -> int:
        """Say no, once whoever asked knows the ticket."""
        self._last -= 1
        refusal = Refusal(ticket=self._last, who=self.origin, what=what, reason=why.reason, hint=why.hint)
        asyncio.get_running_loop().call_soon(self.refused.emit, refusal)
        return self._last
