"""Whether a step can be undone or redone now: the engine is asked, and what steering has overtaken is not undone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.constellation.edits import EditBatch
from starloom.scheduling.commands import EditConstellation
from starloom.scheduling.reservation_commands import ReservationCommand
from starloom_gui.editing.base import Lasting, Rearranged
from starloom_gui.editing.reservation_steps import reservation_overtaken
from starloom_gui.editing.steering import Steering, overtaken
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom_gui.editing.sending import Sender
    from starloom_gui.gateway.command_gateway import TicketGateway
    from starloom_gui.viewmodel.roles import Facts

Act = EditBatch | Steering | Rearranged | Lasting


class UndoVerdicts(QObject):
    """Judges the steps of one run.

    Args:
        run_id: of the run.
        facts: gives its facts.
        engine: is asked.
        sender: knows whose answers are awaited.
        fleet: gives the facts of the devices and of the limits of all runs; None: nobody knows them.
        clock: gives seconds on the engine's clock.
        parent: of the object.
    """

    def __init__(
        self,
        run_id: str,
        facts: Facts,
        engine: TicketGateway,
        sender: Sender,
        fleet: Callable[[], FleetFacts | None],
        clock: Callable[[], float],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._run_id, self._facts, self._fleet, self._engine, self._sender = run_id, facts, fleet, engine, sender
        self._clock = clock

    def of(self, act: Act | None, label: str) -> Verdict:
        """The verdict on an act.

        Args:
            act: undoes a step, or redoes it; None: only the answer that is awaited tells.
            label: what the step is called.
        """
        if act is None or self._sender.is_busy:
            return Verdict(False, self.tr("The last step is still under way."))
        if isinstance(act, Lasting):
            return self._of_lasting(act, label)
        if isinstance(act, Rearranged):
            return Verdict(True)
        if isinstance(act, EditBatch):
            return self._engine.can(self.command(act))
        verdicts = [self.overtaken(act), *map(self._engine.can, act.at(self._clock()))]
        return next((verdict for verdict in verdicts if not verdict.ok), Verdict(True))

    def _of_lasting(self, act: Lasting, label: str) -> Verdict:
        """The verdict on what could not be undone, with its name: the user may think of another, which is no step."""
        now = Verdict(False, act.reason) if act.refused is None else self.of(act.refused, label)
        if now.ok:
            return now
        words = translate("Undoing", "“%1” cannot be taken back: %2.")
        return replace(now, reason=fill(words, label, now.reason.rstrip(".")))

    def overtaken(self, act: EditBatch | Steering) -> Verdict:
        """Whether something else has been done since about what a command would undo, of which the engine knows not."""
        run = self._facts()
        if run is None:
            return Verdict(False, self.tr("The run is gone."))
        if isinstance(act, Steering) and issubclass(act.kind, ReservationCommand):
            return reservation_overtaken(self._fleet(), act, self._clock())
        return overtaken(run, self._fleet(), act) if isinstance(act, Steering) else Verdict(True)

    def command(self, batch: EditBatch, reason: str = "") -> EditConstellation:
        """A batch as a command, for a reason; empty: its own."""
        return EditConstellation(run_id=self._run_id, batch=replace(batch, reason=reason) if reason else batch)
