"""The notices, folded from the event log: failures, ends, stalls, lost devices. A burst is one notice."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal

from starloom import events as ev
from starloom.model.result import ErrorCode
from starloom.model.status import Severity, TaskStatus
from starloom.scheduling.read.naming import title_of as title_of_task
from starloom.scheduling.read.simulated import simulations
from starloom_gui.shell.notice import OF_TASKS, Notice, NoticeKind
from starloom_gui.shell.notice_causes import still_holds
from starloom_gui.text.engine_words import error_sentence, said
from starloom_gui.text.words import fill, plain, remaining, translate
from starloom_gui.viewmodel.run_views import run_view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.event_log import EventLog
    from starloom_gui.viewmodel.roles import FactsOf

MOST: Final = 200
"""Notices that are kept; the oldest go."""
BURST: Final = 10.0
"""Seconds after the last failure of a run in which another one joins its notice."""
STANDSTILL: Final = 60.0
"""Seconds in which a run that cannot go on for the same reason again is not told of anew."""
_NAMED: Final = 3
"""Tasks of a burst that are named."""


@dataclass(frozen=True, slots=True)
class _TaskNews:
    """What is told of a task that is no event of the engine: which, and when on the engine's clock."""

    run_id: str
    task_id: str
    at: float


class Notices(QObject):
    """The list of notices, newest last, made from the changes of a feed.

    Args:
        log: the event log; only what comes from now on is told.
        facts: gives the facts of a run.
        fleet: gives those of the fleet.
        name_of: gives what a run is called.
        wall: gives the seconds since 1970 at a moment on the engine's clock.
        hidden: the kinds that are not told.

    Signals:
        changed(): there are others, or they say something else.
        came(object): with a `Notice` that is new, or that has grown.
    """

    changed = Signal()
    came = Signal(object)

    def __init__(
        self,
        log: EventLog,
        facts: FactsOf,
        fleet: Callable[[], FleetFacts],
        name_of: Callable[[str], str],
        wall: Callable[[float], float],
        hidden: Iterable[NoticeKind] = (),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._log, self._facts, self._fleet, self._name_of, self._wall = log, facts, fleet, name_of, wall
        self.hidden = frozenset(hidden)
        self._read = log.end
        self._next = 0
        self._kept: deque[Notice] = deque(maxlen=MOST)
        self._tell: dict[type[ev.Event], Callable[[Any], None]] = {
            ev.TaskFailed: self._failed,
            ev.TaskRetryScheduled: self._lost,
            ev.DeviceLost: self._out_of_reach,
            ev.TaskWarned: self._warned,
            ev.TaskOverdue: self._overdue,
            ev.RunStalled: self._stalled,
            ev.RunEnded: self._ended,
            ev.ProposalStaged: self._staged,
            ev.GateOpened: self._asked,
            ev.QuestionAsked: self._questioned,
        }

    def __iter__(self) -> Any:
        """The notices, oldest first."""
        return iter(tuple(self._kept))

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def unseen(self) -> int:
        """The number of notices since the user last looked."""
        return sum(not notice.is_seen for notice in self._kept)

    def on_changes(self, changes: Changes) -> None:
        """Read what is new in the log."""
        if not (changes.log or changes.everything):
            return
        before = list(self._kept)
        for _, event in self._log.since(self._read):
            tell = self._tell.get(type(event))
            if tell is not None:
                tell(event)
        self._read = self._log.end
        for place, known in enumerate(self._kept):
            if known.goes_on and not still_holds(known, run_view(self._facts(known.run_id)), self._fleet()):
                self._kept[place] = replace(known, is_over=True)
        if before != list(self._kept):  # not only at its end: an earlier burst may have grown
            self.changed.emit()

    def note_seen(self) -> None:
        """Mark all of them as seen."""
        if self.unseen:
            self._kept = deque((replace(notice, is_seen=True) for notice in self._kept), maxlen=MOST)
            self.changed.emit()

    def clear(self) -> None:
        """Forget all of them."""
        self._kept.clear()
        self.changed.emit()

    def note_quiet(self, run_id: str, task_id: str, at: float, minutes: int) -> None:
        """Tell that a task has printed nothing for so many minutes; `at` in seconds on the engine's clock."""
        words = fill(translate("Notices", "no output for %1 min"), minutes)
        self._burst(NoticeKind.QUIET, _TaskNews(run_id, task_id, at), task_id, words)
        self.changed.emit()

    # ---- what deserves telling

    def _failed(self, event: ev.TaskFailed) -> None:
        self._lost(event)
        why = plain(error_sentence(event.result.error)) if event.result.error is not None else ""
        kind = NoticeKind.WARNED if event.severity is Severity.WARNING else NoticeKind.FAILED
        self._burst(kind, event, event.task_id, why)

    def _warned(self, event: ev.TaskWarned) -> None:
        self._burst(NoticeKind.WARNED, event, event.task_id, plain(said(event.message)))

    def _overdue(self, event: ev.TaskOverdue) -> None:
        text = translate("Notices", "overdue on %1: it was expected to take %2")
        self._burst(NoticeKind.WARNED, event, event.task_id, fill(text, event.device_id, remaining(event.expected)))

    def _lost(self, event: ev.TaskFailed | ev.TaskRetryScheduled) -> None:
        """An attempt that went down with its device: so that device was used when it was lost."""
        error, run = event.result.error, run_view(self._facts(event.run_id))
        if error is None or error.code != ErrorCode.DEVICE_LOST or run is None:
            return
        number = run.number(event.task_id)
        attempts = run.task(number).attempts if number is not None else []
        device = next((one.device_id for one in attempts if one.number == event.attempt), "")
        if device:
            self._burst(NoticeKind.LOST, event, device, "")

    def _out_of_reach(self, event: ev.DeviceLost) -> None:
        """A device on which tasks run, which are waited for; of each further try to reach it nothing is told."""
        device = self._fleet().devices.get(event.device_id)
        if device is not None and device.used and device.waits_until and device.silent_since == event.at:
            name = (event.device_id,)
            self._add(NoticeKind.LOST, event, ids=name, names=name, count=device.used, is_waited_for=True)

    def _stalled(self, event: ev.RunStalled) -> None:
        if not event.reasons:
            return  # its tasks can start again
        run = run_view(self._facts(event.run_id))
        if run is not None and (run.open_gates() or (run.cycles is not None and run.cycles.approvals)):
            return  # that somebody is waited for has been told
        why, at = plain(said(event.reasons[0])), self._wall(event.at)
        for place, known in enumerate(reversed(self._kept), 1):
            is_same = known.kind is NoticeKind.STALLED and known.run_id == event.run_id and known.why == why
            if is_same and at - known.at <= STANDSTILL:  # each edit of a run that stands still ends in that again
                self._kept[-place] = replace(known, at=at, is_over=False)
                return
        self._add(NoticeKind.STALLED, event, why=why)

    def _ended(self, event: ev.RunEnded) -> None:
        run = run_view(self._facts(event.run_id))
        counted = (TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.CANCELLED)
        done, failed, cancelled = map(run.count, counted) if run is not None else (0, 0, 0)
        ends = {"done": done, "failed": failed, "cancelled": cancelled}
        simulated = simulations(run.facts) if run is not None else 0
        self._add(NoticeKind.ENDED, event, state=event.state, simulated=simulated, **ends)

    def _staged(self, event: ev.ProposalStaged) -> None:
        self._burst(NoticeKind.WAITING, event, event.agent, plain(event.reason))

    def _asked(self, event: ev.GateOpened) -> None:
        self._burst(NoticeKind.WAITING, event, event.task_id, "")

    def _questioned(self, event: ev.QuestionAsked) -> None:
        self._burst(NoticeKind.WAITING, event, event.task_id, plain(event.text))

    def _burst(self, kind: NoticeKind, event: ev.Event | _TaskNews, about: str, why: str) -> None:
        """Add to the notice of the same burst, if there is one, else begin one.

        Args:
            kind: of the notice.
            event: what happened.
            about: the id of a task, a device or an agent.
            why: the reason, if this begins a notice.
        """
        name, at = self._called(event, about), self._wall(event.at)
        for place, known in enumerate(reversed(self._kept), 1):
            if at - known.at > BURST:
                continue  # an earlier one may have grown since
            is_same = known.kind is kind and (known.run_id == event.run_id or kind is NoticeKind.LOST)
            if known.is_waited_for or known.is_over:
                continue
            if is_same and (kind in OF_TASKS or known.ids == (about,)):
                ids, names = known.ids, known.names
                if kind in OF_TASKS and about not in ids and len(ids) < _NAMED:
                    ids, names = (*ids, about), (*names, name)
                grown = replace(known, at=at, ids=ids, names=names, count=known.count + 1, is_seen=False)
                self._kept[-place] = grown
                self.came.emit(grown)
                return
        self._add(kind, event, ids=(about,), names=(name,), why=why)

    def _called(self, event: ev.Event | _TaskNews, about: str) -> str:
        """The name of the subject of an event: a task's name, or the id of a device or an agent."""
        run = run_view(self._facts(event.run_id))
        is_task = run is not None and about == getattr(event, "task_id", None)
        return (title_of_task(run, about) or about) if run is not None and is_task else about

    def _add(self, kind: NoticeKind, event: ev.Event | _TaskNews, **said: Any) -> None:
        if kind in self.hidden:
            return
        at, run = self._wall(event.at), self._name_of(event.run_id)
        made = Notice(number=self._next, kind=kind, at=at, run_id=event.run_id, run=run, **said)
        self._next += 1
        self._kept.append(made)
        self.came.emit(made)
