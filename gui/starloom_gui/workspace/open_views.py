"""A sheet for whatever lies on the desk: made when it is first turned to, gone when its tab is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom_gui.editing.run_editor import RunEditor

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.documents.document import Item
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.workspace.document_view import DocumentView
    from starloom_gui.workspace.stacks import Stacks


class OpenViews(QObject):
    """Shows the sheet of what is in front in all panes.

    Args:
        desk: what is open.
        stacks: the panes.
        make: makes the sheet of an item.

    Attributes:
        front: the sheet in front; None: nothing is open.

    Signals:
        turned(Sheet | None): another sheet is in front.
    """

    turned = Signal(object)

    def __init__(
        self, desk: OpenDocuments, stacks: Stacks, make: Callable[[Item], DocumentView], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._desk, self._stacks, self._make = desk, stacks, make
        self._sheets: dict[str, DocumentView] = {}
        self.front: DocumentView | None = None
        desk.changed.connect(self._show)

    def sheet_of_run(self, run_id: str) -> DocumentView | None:
        """The sheet of a run; None: it has none."""
        return next((self._sheets.get(run.key) for run in self._desk.runs if run.run_id == run_id), None)

    def owns(self, ticket: int) -> bool:
        """Whether an editor asked for this, and says itself what was refused."""
        editors = (sheet.source.editor for sheet in self._sheets.values())
        return any(isinstance(editor, RunEditor) and editor.owns(ticket) for editor in editors)

    def close(self) -> None:
        """Let go of all sheets."""
        self.front = None
        self.turned.emit(None)
        for key in tuple(self._sheets):
            self._drop(key)

    def _show(self) -> None:
        """Be as the desk is."""
        front = self._desk.front
        sheet = self._brought(front) if front is not None else None
        if sheet is not self.front:
            self.front = sheet
            self.turned.emit(sheet)
        for key in [key for key in self._sheets if self._desk.item(key) is None]:
            self._drop(key)

    def _brought(self, item: Item) -> DocumentView:
        sheet = self._sheets.get(item.key)
        if sheet is None:
            sheet = self._sheets[item.key] = self._make(item)
        self._stacks.bring(sheet)
        return sheet

    def _drop(self, key: str) -> None:
        sheet = self._sheets.pop(key)
        self._stacks.drop(sheet)
        sheet.close()
