"""Tells over the graph what was assumed of the plan in front because its file does not say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom_gui.documents.document import Document
from starloom_gui.text.engine_words import said
from starloom_gui.text.words import plain
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from starloom_gui.documents.document import Item
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.widgets.message_bar import MessageBar

_Told = tuple[str, str, tuple[str, ...]]
"""The tab, the name of its file, and what was assumed."""
_LONGEST: Final = 600
"""Characters of one sentence, as it may name what a foreign file has."""


class AssumedNotice(QObject):
    """Shows a notice of what was assumed while its plan is in front, until the user puts it away.

    Args:
        documents: what is open.
        strip: shows the notice.
        parent: of the object.
    """

    def __init__(self, documents: OpenDocuments, strip: MessageBar, parent: QObject) -> None:
        super().__init__(parent)
        self._documents, self._strip = documents, strip
        self._shown: tuple[_Told, ErrorMessage] | None = None
        self._put_away: set[_Told] = set()
        documents.turned.connect(self._turned)

    def _turned(self, front: Item | None) -> None:
        """Show the notice of the plan that is in front now in place of the one before."""
        told = _told(front)
        if self._shown is not None:
            before, notice = self._shown
            if not self._strip.holds(notice):
                self._put_away.add(before)
                self._shown = None
            elif before == told:
                return
            else:
                self._strip.withdraw(notice)
                self._shown = None
        self._put_away = {one for one in self._put_away if self._documents.item(one[0]) is not None}
        if told is not None and told not in self._put_away:
            _, name, remarks = told
            reason = " ".join(plain(said(one), _LONGEST) for one in remarks)
            notice = ErrorMessage(name, reason, is_notice=True, can_wait=True, lasts=True)
            self._shown = told, notice
            self._strip.show_trouble(notice)


def _told(front: Item | None) -> _Told | None:
    """What is to be told of a tab; None: nothing."""
    if not isinstance(front, Document) or front.path is None or not front.remarks:
        return None
    return front.key, front.path.name, front.remarks
