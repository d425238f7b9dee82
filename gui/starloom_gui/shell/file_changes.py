"""Notices that another program has changed the file of the plan in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from typing_extensions import override

from starloom_gui.documents.document import Document, stamp_of
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.event_loop.background import in_background
from starloom_gui.text.words import fill
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from starloom_gui.documents.document import Item, Stamp
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.widgets.message_bar import MessageBar


class FileChanges(QObject):
    """Shows a notice when the file of the plan in front has changed, with a button that reloads it.

    It asks the disk, in a thread, when a plan comes to the front and when the window is activated: that is when people
    come back from an editor. To be used where the loop runs.

    Args:
        documents: what is open.
        reload: reloads a document, asking first if that would lose changes.
        strip: shows the notice.
        window: is watched; it owns this.
    """

    def __init__(
        self, documents: OpenDocuments, reload: Callable[[str], None], strip: MessageBar, window: QWidget
    ) -> None:
        super().__init__(window)
        self._documents, self._reload, self._strip = documents, reload, strip
        self._front = ""
        self._told: tuple[Stamp, Stamp | None, ErrorMessage] | None = None
        """Of the notice about the plan in front: what the file was like, and the plan's own stamp; one that was closed
        stays so."""
        self.background_tasks = BackgroundTasks("console: look for changed files")
        documents.turned.connect(self._turned)
        window.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate:
            self._look()
        return False

    def cancel(self) -> None:
        """Look no more."""
        self.background_tasks.cancel()

    async def settled(self) -> None:
        """Return once no file is looked at."""
        await self.background_tasks.settled()

    def _turned(self, front: Item | None) -> None:
        """Look at another plan that comes to the front; withdraw the notice of what was read or written since."""
        key = front.key if front is not None else ""
        if key != self._front:
            self._front, self._told = key, None
            self._look()
        elif self._told is not None and isinstance(front, Document) and front.stamp != self._told[1]:
            self._strip.withdraw(self._told[2])
            self._told = None

    def _look(self) -> None:
        front = self._documents.front
        if isinstance(front, Document) and front.path is not None:
            self.background_tasks.begin(self._compare(front.key))

    async def _compare(self, key: str) -> None:
        document = self._documents.document(key)
        if document is None or document.path is None:
            return
        before = document.stamp
        stamp = await in_background(stamp_of, document.path)
        document = self._documents.document(key)
        if document is not None and document.stamp != before:  # it was saved or read meanwhile
            self._look()
            return
        is_told = self._told is not None and self._told[0] == stamp
        if document is None or key != self._front or stamp is None or is_told or stamp == document.stamp:
            return
        assert document.path is not None
        said = self.tr("%1 has changed on disk since it was opened.")
        notice = ErrorMessage(
            "",
            fill(said, document.path.name),
            self.tr("Reload"),
            lambda: self._reload(key),
            is_notice=True,
            of_tab=True,
        )
        if self._told is not None:  # it has changed once more
            self._strip.withdraw(self._told[2])
        self._told = stamp, document.stamp, notice
        self._strip.show_trouble(notice)
