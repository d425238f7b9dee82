"""What a window says of the runs of an engine elsewhere: those that begin there, are lost there, or go on again."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from starloom_gui.text.words import fill
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom_gui.documents.document import RunTab
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.remote_engine import RemoteEngine
    from starloom_gui.shell.without_tab import WithoutTab
    from starloom_gui.widgets.message_bar import MessageBar
    from starloom_gui.workspace.recorded import RecordedRuns
    from starloom_gui.workspace.unset import Unset


class RunsElsewhere(QObject):
    """Says which runs others begin, and closes the tabs of runs that the engine does not have any more.

    Whoever starts a server again without `--resume` leaves what ran there to the journals; a tab over nothing would go
    on to show it as it was.

    Args:
        engine: which has them or not.
        documents: with the tabs.
        recorded: opens what was recorded of them.
        without_tab: says which runs have begun.
        strip: says which are lost.
        unset: gives what is typed in the tabs of keys and not set.
        parent: of the object.
    """

    def __init__(
        self,
        engine: RemoteEngine,
        documents: OpenDocuments,
        recorded: RecordedRuns,
        without_tab: WithoutTab,
        strip: MessageBar,
        unset: Callable[..., list[Unset]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine, self._documents, self._recorded, self._strip = engine, documents, recorded, strip
        self._without_tab, self._unset = without_tab, unset
        self._ended: frozenset[str] = frozenset()
        """The ids of the runs that had ended when the connection was lost."""
        self._lost: dict[str, tuple[RunTab, ErrorMessage]] = {}
        engine.follower.link_changed.connect(self._look)
        engine.follower.run_begun.connect(self._tell_begun)

    # ---- runs that are lost

    def _look(self) -> None:
        engine = self._engine
        if engine.follower.lost_since is not None:
            self._ended = frozenset(engine.run_ids) - frozenset(engine.live)
            return
        there = set(engine.run_ids)
        gone = [tab for tab in self._documents.runs if tab.folder is None and tab.run_id not in there]
        typed = self._unset(*(tab.key for tab in gone))
        self._documents.close(*(tab.key for tab in gone))
        for tab in gone:
            if tab.run_id not in self._ended:
                self._tell_lost(tab)
        if ended := [fill(self.tr("“%1”"), tab.title) for tab in gone if tab.run_id in self._ended]:
            said = self.tr("%1 had ended, and the server was started anew since.")
            if not self._engine.archive.missing:
                said = self.tr(
                    "%1 had ended, and the server was started anew since. History has what was recorded of it."
                )
            notice = ErrorMessage("", fill(said, ", ".join(ended)), is_notice=True, can_wait=True)
            self._strip.show_trouble(notice)
        if typed:
            self._tell_typed(typed)

    def _tell_typed(self, typed: Sequence[Unset]) -> None:
        """Tell what was typed in tabs that are closed, so that it is not lost with them."""
        what, names = self.tr("What you typed there was not set"), "; ".join(one.words for one in typed)
        copy = partial(QGuiApplication.clipboard().setText, "\n".join(one.text for one in typed))
        self._strip.show_trouble(ErrorMessage(what, f"{names}.", self.tr("Copy what was typed"), copy))

    def _tell_lost(self, tab: RunTab) -> None:
        what = fill(self.tr("“%1” is not at the server any more"), tab.title)
        why = self.tr(
            "The server was started anew without it: without --resume, or the run could not go on, as the server has"
            " said where it was started."
        )
        if self._engine.archive.missing:
            said = ErrorMessage(what, why)
        else:
            show = partial(self._recorded.show_kept, tab.run_id, tab.title)
            said = ErrorMessage(what, why, self.tr("Show how it stood"), show)
        self._lost[tab.run_id] = tab, said
        self._strip.show_trouble(said)

    # ---- runs that begin, or go on

    def _tell_begun(self, run_id: str, origin: str) -> None:
        if (lost := self._lost.pop(run_id, None)) is not None:
            self._go_on(*lost)
        elif run_id not in self._engine.started:
            run = self._engine.facts(run_id)
            self._without_tab.tell_begun(run_id, origin, is_again=run is not None and len(run.sessions) > 1)

    def _go_on(self, tab: RunTab, said: ErrorMessage) -> None:
        """Have a run that was lost in its tab again, instead of its journal, and leave what is in front there."""
        self._strip.withdraw(said)
        front = self._documents.front
        shown = [one for one in self._documents.runs if one.run_id == tab.run_id]
        self._documents.put_again(tab)
        self._documents.close(*(one.key for one in shown))
        if front is not None and front not in shown:
            self._documents.turn_to(front.key)
