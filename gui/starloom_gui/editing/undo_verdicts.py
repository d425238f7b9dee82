"""Whether a step can be undone or redone now: the engine is asked, and what steering has overtaken is not undone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject

from starloom import events as ev
from starloom.constellation.edits import EditBatch
from starloom.scheduling import commands as c
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
    from starloom_gui.gateway.event_log import Log
    from starloom_gui.viewmodel.roles import Facts

_HELD: Final = frozenset({ev.TasksHeld, ev.TasksReleased})
_DRAINED: Final = frozenset({ev.DeviceDrained, ev.DeviceResumed})
_ENABLED: Final = frozenset({ev.DeviceEnabled, ev.DeviceDisabled})
_EVENTS_OF: Final[dict[type[c.Command], frozenset[type[ev.Event]]]] = {
    c.HoldTasks: _HELD,
    c.ReleaseTasks: _HELD,
    c.DrainDevice: _DRAINED,
    c.ResumeDevice: _DRAINED,
    c.EnableDevice: _ENABLED,
    c.DisableDevice: _ENABLED,
    c.SetSlots: frozenset({ev.DeviceSlotsSet}),
    c.SetPriority: frozenset({ev.TasksPrioritised}),
    c.PinTasks: frozenset({ev.TasksPinned}),
}
"""The events that tell of what a command, or its opposite, has steered."""
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
        log: the event log; None: there is none.
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
        log: Log | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._run_id, self._facts, self._fleet, self._engine, self._sender = run_id, facts, fleet, engine, sender
        self._clock, self._log = clock, log
        self._searched: tuple[Steering | None, int, str] = (None, 0, "")
        """The act asked about last, the number up to which the log was searched for it, what others have steered."""

    def from_now(self, act: Act) -> Act:
        """An act that takes back what has just been done, with what the log has by then; see `Steering.since`."""
        return replace(act, since=self._log.end) if isinstance(act, Steering) and self._log is not None else act

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
        """Whether what a command would undo has been changed since by others, which the engine does not check."""
        run = self._facts()
        if run is None:
            return Verdict(False, self.tr("The run is gone."))
        if isinstance(act, Steering) and issubclass(act.kind, ReservationCommand):
            return reservation_overtaken(self._fleet(), act, self._clock())
        if not isinstance(act, Steering):
            return Verdict(True)
        verdict = overtaken(run, self._fleet(), act)
        return verdict if not verdict.ok else self._by_others(act)

    def _by_others(self, act: Steering) -> Verdict:
        """Whether nobody else has steered the same since, though all is as it was left: they may mean it so."""
        if self._log is None or act.since is None:
            return Verdict(True)
        known, begin, found = self._searched
        if known is not act:
            begin, found = act.since, ""
        for _, event in self._log.since(begin) if not found else ():  # this is asked with each change of the run
            found = found or self._steered_by_others(act, event)
        self._searched = act, self._log.end, found
        if not found:
            return Verdict(True)
        reason = fill(translate("Editing", "“%1” has been steered otherwise since."), found)
        return Verdict(False, reason, translate("Editing", "Steer it by hand if that is not what you want."))

    def _steered_by_others(self, act: Steering, event: Any) -> str:
        """The task or device of an act that somebody else has steered by an event; empty: none."""
        if type(event) not in _EVENTS_OF.get(act.kind, ()) or event.origin in ("", self._engine.origin):
            return ""
        task_ids = getattr(event, "task_ids", None)
        ids = (event.device_id,) if task_ids is None else task_ids if event.run_id == self._run_id else ()
        return next((id for id in act.expects if id in ids), "")

    def command(self, batch: EditBatch, reason: str = "") -> EditConstellation:
        """A batch as a command, for a reason; empty: its own."""
        return EditConstellation(run_id=self._run_id, batch=replace(batch, reason=reason) if reason else batch)
