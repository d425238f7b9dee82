"""The engine's runs for a console that is being closed: listed, cancelled or paused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.journal.base import NullJournal
from starloom.scheduling.commands import CancelRun, PauseRun
from starloom.scheduling.read.run_view import RunView
from starloom_gui.text.words import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.orchestration.orchestrator import Orchestrator
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.commands import Commands


class RunEndings:
    """Lists the runs of an engine, and ends or halts them.

    Args:
        engine: whose runs they are.
        bridge: knows their facts.
        commands: are asked.
        staged: gives how many changes are staged for the run of an id and not committed.
    """

    def __init__(self, engine: Orchestrator, bridge: Bridge, commands: Commands, staged: Callable[[str], int]) -> None:
        self._engine, self._bridge, self._commands, self.staged = engine, bridge, commands, staged

    def runs(self) -> list[RunView]:
        """All runs, oldest first."""
        return [RunView(run) for run in self._bridge.all_runs()]

    def cancel(self, run_id: str) -> None:
        """Cancel a run; returns at once."""
        reason = translate("Console", "the console was closed")
        self._commands.do(CancelRun(run_id=run_id, reason=reason))

    def pause(self, run_id: str) -> None:
        """Pause a run; returns at once."""
        self._commands.do(PauseRun(run_id=run_id))

    @property
    def keeps_runs(self) -> bool:
        """Whether runs have journals, from which they can be resumed."""
        return not isinstance(self._engine.pump.journal, NullJournal)
