"""The tabs of the header: the open plans and runs, with unique titles."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom_gui.documents.document import Document, RunTab
from starloom_gui.shell.tab_bar import Tab, Tabs
from starloom_gui.text.words import end_words, fill, lowered, run_word, straight, translate
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.fence_words import answer_words, awaited_agents
from starloom_gui.viewmodel.figures import is_stalled, stalled_words, stands_still
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
    if _stands_still(tab, run):
        awaited, form = awaited_agents(run), StatusForm.PENDING
        why = answer_words(awaited) if awaited else stalled_words(run) if is_stalled(run) else run_word(run.state)
        return Tab(tab.key, title, is_run=True, form=form, says=lowered(why))
    state = "interrupted" if tab.folder is not None and not run.state.has_ended else run.state
    says = end_words(state, counts["failed"], counts["cancelled"], is_any_done=counts["completed"] > 0)
    return Tab(tab.key, title, is_run=True, form=form_of_run(state, counts["cancelled"]), says=lowered(says))


def _stands_still(tab: RunTab, run: RunView) -> bool:
    return tab.folder is None and stands_still(run)


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
        self._still: set[str] = set()
        """The keys of the tabs whose runs stand still, as far as is shown."""
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
        if changes.run or changes.everything or self._standing_still() != self._still:
            self._show()

    def _standing_still(self) -> set[str]:
        runs = ((tab, self._run_of(tab)) for tab in self._documents.runs)
        return {tab.key for tab, run in runs if run is not None and _stands_still(tab, run)}

    def _show(self) -> None:
        self._still = self._standing_still()
        front = self._documents.front
        self._tabs.show_tabs(tabs_of(self._documents, self._run_of), front.key if front is not None else "")
