"""Asks for a file in a dialog without a nested event loop."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog
from shiboken6 import isValid

from starloom_gui.widgets.file_dialog import FileDialog

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from PySide6.QtWidgets import QWidget


def dialog_to_write(parent: QWidget, title: str, filters: Mapping[str, str]) -> QFileDialog:
    """Make a dialog that asks for a file to write, deleted once closed; it does not ask before overwriting.

    Args:
        parent: what it stands over.
        title: what is to be written.
        filters: what can be chosen, and for each the ending without its point that a name gets that has none.
    """
    dialog = FileDialog(parent, title)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # it would ask in an event loop of its own
    dialog.setNameFilters(list(filters))
    dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(filters[chosen]))
    dialog.setDefaultSuffix(next(iter(filters.values())))
    return dialog


def with_ending(name: str, suffix: str, endings: Iterable[str]) -> str:
    """Complete a typed file name with an ending: that of the name has precedence over that of the filter.

    Args:
        name: as it was typed.
        suffix: the ending of the filter that is chosen, without its point, e.g. `graph.png`.
        endings: all that are known, without their points.

    Returns:
        The name with one of the endings: its own if it has one, or the longer one of the filter, where that ends with
        it, or that of the filter, if it has none.
    """
    known = [ending for ending in {suffix, *endings} if name.lower().endswith(f".{ending}")]
    typed = max(known, key=len, default="")
    if not typed:
        return f"{name}.{suffix}"
    return f"{name[: -len(typed)]}{suffix}" if suffix.endswith(f".{typed}") else name


async def chosen(dialog: QFileDialog, endings: Iterable[str] = ()) -> Path | None:
    """Wait for the user to choose a file, and return its path; None: the dialog was cancelled.

    Args:
        dialog: where it is named.
        endings: that a name may have, without their points; see `with_ending`. None: any will do.
    """
    known = tuple(endings)
    name: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def take(result: int) -> None:
        if not name.done():
            named = dialog.selectedFiles()[0] if result and dialog.selectedFiles() else ""
            name.set_result(with_ending(named, dialog.defaultSuffix(), known) if named and known else named)

    dialog.finished.connect(take)
    dialog.open()
    try:
        return Path(found) if (found := await name) else None
    except asyncio.CancelledError:
        if isValid(dialog):  # else it was closed in the same moment
            dialog.reject()
        raise
