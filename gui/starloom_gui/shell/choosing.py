"""The file that the user names in a dialog, without an event loop of the dialog's own."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from shiboken6 import isValid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QWidget


def dialog_to_write(parent: QWidget, title: str, filters: Mapping[str, str]) -> QFileDialog:
    """A dialog that asks where to write, gone once it is closed; it does not ask about files that are there.

    Args:
        parent: what it stands over.
        title: what is to be written.
        filters: what can be chosen, and for each the ending without its point that a name gets that has none.
    """
    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # it would ask in an event loop of its own
    dialog.setNameFilters(list(filters))
    dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(filters[chosen]))
    dialog.setDefaultSuffix(next(iter(filters.values())))
    return dialog


async def chosen(dialog: QFileDialog, endings: tuple[str, ...] = ()) -> Path | None:
    """The file the user names, once the dialog is closed; None: none.

    Args:
        dialog: where it is named.
        endings: without their points; a name that has none of them gets that of the filter chosen. None: any will do.
    """
    name: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def take(result: int) -> None:
        if not name.done():
            named = dialog.selectedFiles()[0] if result and dialog.selectedFiles() else ""
            fits = not endings or named.lower().endswith(tuple(f".{ending}" for ending in endings))
            name.set_result(named if fits or not named else f"{named}.{dialog.defaultSuffix()}")

    dialog.finished.connect(take)
    dialog.open()
    try:
        return Path(found) if (found := await name) else None
    except asyncio.CancelledError:
        if isValid(dialog):  # else it was closed in the same moment
            dialog.reject()
        raise
