"""Connecting to the engine of a server: asked for in a dialog, shown in a tab of the window or a window of its own."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QProcess

from starloom_gui.dialogs.connect import ConnectDialog
from starloom_gui.gateway.attaching import address_of
from starloom_gui.text.words import fill
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from starloom_gui.attachment import Attachment
    from starloom_gui.settings import Settings
    from starloom_gui.theme.appearance import Appearance


def start_console(arguments: Sequence[str]) -> bool:
    """Start another console, which goes on without this one; whether it was started.

    Args:
        arguments: of `starloom console`.
    """
    started, _ = QProcess.startDetached(sys.executable, ["-m", "starloom_gui", *arguments])
    return started


class ConnectActions(QObject):
    """Asks for a server and has its engine shown: beside the engines that the window shows, or by another program.

    Args:
        settings: the machines that were connected to are remembered there.
        report: is told what was not done.
        show: shows an engine in the same window.
        appearance: the colours of the dialog.
        window: what it stands over; it owns this.
        start: starts a console with arguments.
    """

    def __init__(
        self,
        settings: Settings,
        report: Callable[[ErrorMessage], None],
        show: Callable[[Attachment], None],
        appearance: Appearance,
        window: QWidget,
        start: Callable[[Sequence[str]], bool] = start_console,
    ) -> None:
        super().__init__(window)
        self._settings, self._report, self._show_here, self._start = settings, report, show, start
        self._appearance, self._window = appearance, window

    def ask(self) -> None:
        """Ask for a server."""
        dialog = ConnectDialog(self._appearance, self._settings.machines, parent=self._window)
        dialog.reached.connect(self._show)
        dialog.open()

    def _show(self, wanted: Attachment, is_apart: bool) -> None:
        if address_of(wanted.address).folder is None:
            self._settings.note_machine(wanted.address)
        if not is_apart:
            self._show_here(wanted)
        elif not self._start(wanted.arguments()):
            what = fill(self.tr("%1 is not shown"), wanted.address)
            self._report(ErrorMessage(what, self.tr("No other window could be opened.")))
