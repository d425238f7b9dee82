"""Importing runs that were exported elsewhere, in a child process; then they are shown.

Such a file comes from anywhere. What unpacks and checks it is not this program, and no frame waits for it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.journal import import_child
from starloom.journal.records import record
from starloom_gui.event_loop.background import in_background
from starloom_gui.shell.child import carried_out
from starloom_gui.text.words import amount, fill
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from starloom.journal.records import RunRecord
    from starloom_gui.widgets.loading import LoadingStrip


class Importing(QObject):
    """Imports the run of a bundle file into the journals, and shows it. To be used where the loop runs.

    Args:
        directory: of the journals.
        loading: what is shown while it takes a while.
        report: is told what went wrong.
        settle: is told what is well again, by the words in which it was reported.
        show: shows a run, and returns once it is shown.
        parent: of the object.
        command: what starts the process; None: `import_child` of the engine.
    """

    def __init__(
        self,
        directory: Path,
        loading: LoadingStrip,
        report: Callable[[ErrorMessage], None],
        settle: Callable[[str], None],
        show: Callable[[RunRecord], Awaitable[None]],
        parent: QObject | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        super().__init__(parent)
        self._directory, self._loading, self._command = directory, loading, command
        self._report, self._settle, self._show = report, settle, show

    async def take_in(self, path: Path) -> None:
        """Import the run of a bundle file and show it; a run that is here already is only shown.

        Whoever is cancelled leaves nothing of it behind.
        """
        what = fill(self.tr("The run in %1 was not taken in"), path.name)
        folder, reason = await self._taken(path)
        if folder is not None:
            await self._show(await in_background(record, folder))
        if not reason:
            self._settle(what)
            return
        if folder is not None:
            what = fill(self.tr("The run in %1 is here already, and that one is shown"), path.name)
            reason = fill(
                self.tr("It may have come to something else than the one in the file. To see that, delete it in %1."),
                self.tr("History"),
            )
        self._report(ErrorMessage(what, reason))

    async def _taken(self, path: Path) -> tuple[Path | None, str]:
        """The folder of the run, and why it is not the one in the file; nothing: it is."""
        words = self.tr("Taking in %1 · %2 %")
        self._loading.begin(fill(self.tr("Taking in %1"), path.name))

        def tell(_stage: str, percent: int) -> None:
            self._loading.begin(fill(words, path.name, amount(percent)), percent / 100)

        command = (*(self._command or import_child.command_line()), str(path), str(self._directory))
        try:
            ended = await carried_out(command, tell)
        except OSError as error:
            return None, fill(self.tr("What unpacks it could not be started: %1."), error.strerror or error)
        except ValueError as error:  # a line that is longer than any of ours
            return None, fill(self.tr("What unpacks it cannot be understood: %1."), error)
        finally:
            self._loading.end()
        reason = "" if not ended.code else ended.said or fill(self.tr("What unpacks it ended with %1."), ended.code)
        folder = _folder_in(ended.printed)
        if folder is None and not reason:
            reason = fill(self.tr("What unpacks it cannot be understood: %1."), self.tr("it named no run"))
        return folder, reason


def _folder_in(printed: bytes) -> Path | None:
    """The folder of the run that was printed; None: none was."""
    try:
        return Path(json.loads(printed))
    except (ValueError, TypeError):
        return None
