"""How the last run of a file ended, as the welcome page tells it."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from starloom.scheduling.codes import FAILED

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.bridge.changes import Changes
    from starloom_gui.documents.desk import Desk
    from starloom_gui.shell.settings import Settings


class RecentRuns:
    """Remembers of each file how its last run ended.

    Args:
        desk: knows which run was started from which file.
        settings: where it is remembered.
        facts: gives the facts of a run.
        tell: called when something else is remembered.
    """

    def __init__(
        self, desk: Desk, settings: Settings, facts: Callable[[str], RunFacts | None], tell: Callable[[], None]
    ) -> None:
        self._desk, self._settings, self._facts, self._tell = desk, settings, facts, tell

    def take(self, changes: Changes) -> None:
        """Look whether a run has ended; to be connected to a feed of everything."""
        if not (changes.run or changes.everything):
            return
        run = self._facts(changes.run_id)
        tab = next((one for one in self._desk.runs if one.run_id == changes.run_id), None)
        if run is None or tab is None or tab.path is None or not run.state.has_ended:
            return
        known = next((one for one in self._settings.recent if one.path == str(tab.path)), None)
        failed = run.status.count(FAILED)
        if known is not None and (known.state, known.failed) != (str(run.state), failed):
            self._settings.remember(replace(known, state=str(run.state), failed=failed, at=time.time()))
            self._tell()
