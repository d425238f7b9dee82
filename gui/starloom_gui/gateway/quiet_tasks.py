"""Finds running tasks that have printed nothing for long, on devices that are known to tell output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom.model.status import TaskStatus
from starloom.scheduling.read.run_view import RunView

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.read.run_view import TaskView
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.output import Key, OutputHub, Printed
    from starloom_gui.gateway.run_reader import RunReader


def quiet_in(reader: RunReader, hub: OutputHub) -> dict[int, float]:
    """The quiet tasks of the run that a reader shows, by number, with the time since when, in seconds since 1970.

    While a past moment is shown there are none.
    """
    run = reader.view() if hub.quiet and not reader.is_past else None
    if run is None:
        return {}
    quiet = {run.number(task_id): since for (run_id, task_id), since in hub.quiet.items() if run_id == run.run_id}
    return {number: since for number, since in quiet.items() if number is not None}


class QuietTasks(QObject):
    """Keeps `OutputHub.quiet` up to date. To be told of changes: there is one with every second of a run.

    A device counts as telling output once any attempt on it has printed something: of others nobody knows whether
    silence means anything.

    Args:
        hub: what tasks print.
        facts: gives the facts of a run; None: there is no such run.
        wall: gives the seconds since 1970 at a moment on the engine's clock.
        parent: of the object.

    Attributes:
        after: seconds without output after which a task is quiet; 0: none ever is.

    Signals:
        fell_quiet(str, str): a task of a run is quiet now.
    """

    fell_quiet = Signal(str, str)

    def __init__(
        self,
        hub: OutputHub,
        facts: Callable[[str], RunFacts | None],
        wall: Callable[[float], float],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._hub, self._facts, self._wall = hub, facts, wall
        self.after = 0.0
        self._printed: dict[Key, tuple[int, float]] = {}
        self._fresh: set[Key] = set()
        self._telling: set[str] = set()
        hub.printed.connect(self._hear)

    def on_changes(self, changes: Changes) -> None:
        """Look for quiet tasks in the run whose second has passed; more often only while there are some."""
        may_end = bool(changes.tasks and self._hub.quiet)
        if not changes.run_id or not (changes.second or changes.run or changes.everything or may_end):
            return
        run_id, facts = changes.run_id, self._facts(changes.run_id)
        self._note_devices(run_id, facts)
        before = {key: since for key, since in self._hub.quiet.items() if key[0] == run_id}
        now: dict[Key, float] = {}
        if facts is not None and self.after:
            for task in RunView(facts).with_status(TaskStatus.RUNNING):
                since = self._silent_since(task)
                if since is not None:
                    now[run_id, task.id] = since
        if facts is None or facts.state.has_ended:
            self._printed = {key: last for key, last in self._printed.items() if key[0] != run_id}
        for key in before.keys() - now.keys():
            del self._hub.quiet[key]
        self._hub.quiet.update(now)
        for key in now.keys() - before.keys():
            self.fell_quiet.emit(*key)

    def _silent_since(self, task: TaskView) -> float | None:
        """Since when an attempt has printed nothing, in seconds since 1970; None: not for long, or nobody knows."""
        if task.device not in self._telling or task.is_stopping:
            return None
        since = max(self._wall(task.started_at), self._hub.since)  # what was printed before is not known
        attempt, last = self._printed.get((task.run.run_id, task.id), (0, 0.0))
        if attempt == task.attempt:
            since = max(since, last)
        return since if self._hub.now() - since >= self.after else None

    def _hear(self, printed: Printed) -> None:
        for key, pieces in printed.pieces.items():
            self._printed[key] = pieces[-1].attempt, pieces[-1].at
            self._hub.quiet.pop(key, None)
        self._fresh |= printed.pieces.keys()

    def _note_devices(self, run_id: str, facts: RunFacts | None) -> None:
        """Note on which devices tasks of a run have printed since the last look."""
        own = {key for key in self._fresh if key[0] == run_id}
        self._fresh -= own
        if facts is not None:
            run = RunView(facts)
            numbers = (run.number(task_id) for _, task_id in own)
            self._telling |= {
                device for number in numbers if number is not None and (device := run.task(number).device)
            }
