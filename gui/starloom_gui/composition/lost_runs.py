"""Runs that a server lost as it was started anew: their tabs are closed, and a message says so."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.text.words import fill
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.remote_engine import RemoteEngine
    from starloom_gui.widgets.message_bar import MessageBar
    from starloom_gui.workspace.recorded import RecordedRuns


class LostRuns(QObject):
    """Closes the tabs of runs that an engine elsewhere does not have any more.

    Whoever starts a server again without `--resume` leaves what ran there to the journals; a tab over nothing would go
    on to show it as it was.

    Args:
        engine: which has them or not; asked whenever the connection to it is there again.
        documents: with the tabs.
        recorded: opens journals, where these are on this computer.
        strip: says it.
        parent: of the object.
    """

    def __init__(
        self,
        engine: RemoteEngine,
        documents: OpenDocuments,
        recorded: RecordedRuns,
        strip: MessageBar,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine, self._documents, self._recorded, self._strip = engine, documents, recorded, strip
        engine.follower.link_changed.connect(self._close_tabs)

    def _close_tabs(self) -> None:
        if self._engine.follower.lost_since is not None:
            return
        there = set(self._engine.run_ids)
        for tab in self._documents.runs:
            if tab.folder is None and tab.run_id not in there:
                self._documents.close(tab.key)
                self._say(tab.run_id, tab.title)

    def _say(self, run_id: str, title: str) -> None:
        what = fill(self.tr("“%1” is not at the server any more"), title)
        why = self.tr("The server was started anew without it. Started with --resume, it would go on with it.")
        journal = self._engine.journal(run_id)
        if journal is None:
            self._strip.show_trouble(ErrorMessage(what, why))
        else:
            show = partial(self._recorded.open, journal.parent, title)
            self._strip.show_trouble(ErrorMessage(what, why, self.tr("Show how it stood"), show))
