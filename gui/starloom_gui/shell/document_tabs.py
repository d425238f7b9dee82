"""The tabs of the header: the open plans and runs, with unique titles."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom_gui.documents.document import Document, RunTab
from starloom_gui.shell.tab_bar import Tab, Tabs
from starloom_gui.text.words import end_words, fill, lowered, straight, translate
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.fence_words import answer_words, awaited_agents
from starloom_gui.viewmodel.status_forms import form_of_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import SignalInstance

    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.changes import Changes


TURNS: Final = {"next_tab": 1, "previous_tab": -1}
"""How many tabs further each of these actions turns."""


def tabs_of(documents: OpenDocuments, run_of: Callable[[RunTab], RunView | None]) -> list[Tab]:
    """The tabs, from left to right; plans of one title have the names of their folders behind it.

    Args:
        documents: what is open.
        run_of: gives the run of a tab; None: it is not known yet.
    """
    titles = Counter(document.title for document in documents.documents)
    return [
        _of_run(item, run_of(item))
        if isinstance(item, RunTab)
        else Tab(item.key, _title(item, is_alone=titles[item.title] == 1), is_dirty=item.is_dirty)
        for item in documents
    ]


def _of_run(tab: RunTab, run: RunView | None) -> Tab:
    title = straight(tab.title)
    if run is None:
        return Tab(tab.key, title, is_run=True)
    counts = run.counts()
    if tab.folder is None and (awaited := awaited_agents(run)):
        return Tab(tab.key, title, is_run=True, form=StatusForm.PENDING, says=lowered(answer_words(awaited)))
    state = "interrupted" if tab.folder is not None and not run.state.has_ended else run.state
    says = end_words(state, counts["failed"], counts["cancelled"], is_any_done=counts["completed"] > 0)
    return Tab(tab.key, title, is_run=True, form=form_of_run(state, counts["cancelled"]), says=lowered(says))


def _title(item: Document, *, is_alone: bool) -> str:
    if is_alone or item.path is None:
        return straight(item.title)
    return fill(translate("Tabs", "%1 (%2)"), item.title, item.path.parent.name)


class DocumentTabs(QObject):
    """Synchronizes the header's tabs with the open documents. Closing one is left to others, as they may ask first.

    Args:
        documents: the truth.
        tabs: what shows it; it owns this.
        wanted: emitted with the key of an action; two turn to the tabs beside.
        run_of: gives the run of a tab; None: it is not known yet.
    """

    def __init__(
        self, documents: OpenDocuments, tabs: Tabs, wanted: SignalInstance, run_of: Callable[[RunTab], RunView | None]
    ) -> None:
        super().__init__(tabs)
        self._documents, self._tabs, self._run_of = documents, tabs, run_of
        documents.changed.connect(self._show)
        tabs.chosen.connect(documents.turn_to)
        wanted.connect(self._turn)
        self._show()

    def _turn(self, key: str) -> None:
        front = self._documents.front
        if key in TURNS and front is not None:  # round the end
            keys = [item.key for item in self._documents]
            self._documents.turn_to(keys[(keys.index(front.key) + TURNS[key]) % len(keys)])

    def on_changes(self, changes: Changes) -> None:
        """Show what has become of the runs."""
        if changes.run or changes.everything:
            self._show()

    def _show(self) -> None:
        front = self._documents.front
        self._tabs.show_tabs(tabs_of(self._documents, self._run_of), front.key if front is not None else "")
