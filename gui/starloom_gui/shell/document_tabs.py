"""The tabs of the header: the open plans and runs, with unique titles."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom_gui.documents.document import Document
from starloom_gui.shell.tab_bar import Tab, Tabs
from starloom_gui.text.words import fill, straight, translate

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from starloom_gui.documents.document import Item
    from starloom_gui.documents.open_documents import OpenDocuments


TURNS: Final = {"next_tab": 1, "previous_tab": -1}
"""How many tabs further each of these actions turns."""


def tabs_of(documents: OpenDocuments) -> list[Tab]:
    """The tabs, from left to right; plans of one title have the names of their folders behind it."""
    titles = Counter(document.title for document in documents.documents)
    return [
        Tab(
            item.key,
            _title(item, is_alone=titles[item.title] == 1),
            is_run=not isinstance(item, Document),
            is_dirty=isinstance(item, Document) and item.is_dirty,
        )
        for item in documents
    ]


def _title(item: Item, *, is_alone: bool) -> str:
    if is_alone or not isinstance(item, Document) or item.path is None:
        return straight(item.title)
    return fill(translate("Tabs", "%1 (%2)"), item.title, item.path.parent.name)


class DocumentTabs(QObject):
    """Synchronizes the header's tabs with the open documents. Closing one is left to others, as they may ask first.

    Args:
        documents: the truth.
        tabs: what shows it; it owns this.
        wanted: emitted with the key of an action; two turn to the tabs beside.
    """

    def __init__(self, documents: OpenDocuments, tabs: Tabs, wanted: SignalInstance) -> None:
        super().__init__(tabs)
        self._documents, self._tabs = documents, tabs
        documents.changed.connect(self._show)
        tabs.chosen.connect(documents.turn_to)
        wanted.connect(self._turn)
        self._show()

    def _turn(self, key: str) -> None:
        front = self._documents.front
        if key in TURNS and front is not None:  # round the end
            keys = [item.key for item in self._documents]
            self._documents.turn_to(keys[(keys.index(front.key) + TURNS[key]) % len(keys)])

    def _show(self) -> None:
        front = self._documents.front
        self._tabs.show_tabs(tabs_of(self._documents), front.key if front is not None else "")
