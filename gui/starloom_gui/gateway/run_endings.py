"""The engine's runs for a console that is being closed: listed, cancelled, paused, or handed over to a server.

Runs of an engine elsewhere go on as they are, and nothing is asked about them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from starloom.journal.base import NullJournal
from starloom.orchestration.handover import interruptions
from starloom.scheduling.commands import CancelRun, PauseRun, ResumeRun
from starloom.scheduling.read.run_view import RunView
from starloom.server.handovers import hand_over_to_server
from starloom.server.server_lock import can_serve, is_served_elsewhere
from starloom.settings import journal_path
from starloom_gui.gateway.local_engine import LocalEngine
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.scheduling.instructions import StartTask
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.commands import Commands
    from starloom_gui.gateway.engine import Engine


class StagingViews(Protocol):
    """The protocol of the views in which changes of runs are staged."""

    def staged(self, run_id: str) -> int:
        """The count of changes that are staged for a run."""

    def discard_staged(self, run_id: str) -> None:
        """Drop what is staged for a run."""


class RunEndings:
    """Lists the runs of an engine, and ends, halts or hands them over.

    Args:
        engine: whose runs they are.
        bridge: knows their facts.
        commands: are asked.
        staging: gives who knows what is staged and not committed.
    """

    def __init__(self, engine: Engine, bridge: Bridge, commands: Commands, staging: Callable[[], StagingViews]) -> None:
        self._engine, self._bridge, self._commands, self._staging = engine, bridge, commands, staging
        self._own: Orchestrator | None = engine.orchestrator if isinstance(engine, LocalEngine) else None

    def runs(self) -> list[RunView]:
        """All runs, oldest first."""
        return [RunView(run) for run in self._bridge.all_runs()]

    def awaited(self) -> list[RunView]:
        """Those that end with the console, unless something is done about them."""
        return [] if self._own is None else self.runs()

    def cancel(self, run_id: str) -> None:
        """Cancel a run; returns at once."""
        reason = translate("Console", "the console was closed")
        self._commands.do(CancelRun(run_id=run_id, reason=reason))

    def pause(self, run_id: str) -> None:
        """Pause a run that this program is about to leave; returns at once."""
        reason = translate("Console", "the console is being closed")
        self._commands.do_for_program(PauseRun(run_id=run_id, reason=reason))

    def resume(self, run_id: str) -> None:
        """Resume a run that `pause` has paused; returns at once."""
        self._commands.do_for_program(ResumeRun(run_id=run_id))

    def staged(self, run_id: str) -> int:
        """The count of changes that are staged for a run and not committed."""
        return self._staging().staged(run_id)

    def discard_staged(self, run_id: str) -> None:
        """Drop what is staged for a run."""
        self._staging().discard_staged(run_id)

    def keeps_staged(self, run_id: str) -> bool:
        """Whether changes that are staged for a run are kept for the next session, if it has not ended."""
        return self._own is not None or self._engine.journal(run_id) is not None

    @property
    def can_go_on(self) -> bool:
        """Whether the runs can go on in a server, which would be started."""
        return self.keeps_runs and can_serve() and not is_served_elsewhere(journal_path())

    def interrupted_tasks(self) -> list[str]:
        """The names of running tasks that would be interrupted if the runs were handed over now, and where they run.

        One that waits for an answer ends only once that is given, which the name says.
        """
        orders = interruptions(self._own).attempts if self._own is not None else ()
        return [self._interrupted(order) for order in orders]

    def _interrupted(self, order: StartTask) -> str:
        run = self._bridge.run(order.run_id)
        number = run.number(order.task_id) if run is not None else None
        is_asking = run is not None and number in run.awaiting
        words = translate("Console", "%1 (%2, waits for your answer)") if is_asking else translate("Console", "%1 (%2)")
        return fill(words, order.task.name or order.task_id, order.device_id)

    def interrupted_agents(self) -> list[str]:
        """The names of the agents that would be detached then."""
        agents = interruptions(self._own).agents if self._own is not None else ()
        return list(dict.fromkeys(name for _, name in agents))

    async def hand_over(self, paused: Collection[str]) -> None:
        """Hand all runs over to a server; the engine decides nothing more then.

        Args:
            paused: those that were paused for that.

        Raises:
            ServerError: no server can be started; nothing has changed.
            CommandRefused: an attempt would end with this program; nothing has changed.
        """
        assert self._own is not None, "runs elsewhere go on by themselves"
        await hand_over_to_server(self._own, journal_path(), paused)

    async def leave(self) -> None:
        """Close the engine without cancelling anything: all runs are paused, and nothing runs."""
        if self._own is not None:
            await self._own.shutdown("drain")

    @property
    def keeps_runs(self) -> bool:
        """Whether runs have journals, from which they can be resumed."""
        return self._own is not None and not isinstance(self._own.pump.journal, NullJournal)
