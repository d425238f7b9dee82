"""The desk's plans and runs as the tabs of the header, each told from the others by its title."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.documents.document import Document
from starloom_gui.shell.run_header import Tab, Tabs
from starloom_gui.text.words import fill, straight, translate

if TYPE_CHECKING:
    from starloom_gui.documents.document import Item
    from starloom_gui.documents.open_documents import OpenDocuments


def tabs_of(desk: OpenDocuments) -> list[Tab]:
    """The tabs, from left to right; plans of one title have the names of their folders behind it."""
    titles = Counter(document.title for document in desk.documents)
    return [
        Tab(
            item.key,
            _title(item, is_alone=titles[item.title] == 1),
            is_run=not isinstance(item, Document),
            is_dirty=isinstance(item, Document) and item.is_dirty,
        )
        for item in desk
    ]


def _title(item: Item, *, is_alone: bool) -> str:
    if is_alone or not isinstance(item, Document) or item.path is None:
        return straight(item.title)
    return fill(translate("Tabs", "%1 (%2)"), item.title, item.path.parent.name)


class DeskTabs(QObject):
    """Shows a desk in the header's tabs and turns to what is chosen there. It closes nothing: somebody may have to ask.

    Args:
        desk: the truth.
        tabs: what shows it; it owns this.
    """

    def __init__(self, desk: OpenDocuments, tabs: Tabs) -> None:
        super().__init__(tabs)
        self._desk, self._tabs = desk, tabs
        desk.changed.connect(self._show)
        tabs.chosen.connect(desk.turn_to)
        self._show()

    def _show(self) -> None:
        front = self._desk.front
        self._tabs.show_tabs(tabs_of(self._desk), front.key if front is not None else "")
