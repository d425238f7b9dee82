"""Exporting a run: its report in a format, made by the command line in a process of its own, from the journal alone.

So a run that goes on is told as it stands, and no frame waits for it.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom.journal.bundle import ENDING
from starloom.journal.library import JOURNAL, folder_name
from starloom.reporting.drawers import program
from starloom_gui.dialogs.question import Choice, Question, answer_to
from starloom_gui.documents.chores import Chores
from starloom_gui.documents.document import stamp_of
from starloom_gui.shell.child import carried_out
from starloom_gui.shell.choosing import chosen, dialog_to_write
from starloom_gui.shell.strip import Trouble
from starloom_gui.words import fill

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QFileDialog, QWidget

    from starloom_gui.shell.loading import LoadingStrip
    from starloom_gui.shell.written import WrittenStrip
    from starloom_gui.theme.appearance import Appearance

REPLACE: Final = "replace"
_UNFIT: Final = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+')
_LONGEST: Final = 80
_SHARES: Final = {"reading": 0.1, "packing": 0.1, "drawing": 0.5, "writing": 0.95}
"""How far an export is when a stage begins."""


class Exporting(QObject):
    """Asks for a file and has the report of a run written there, one at a time.

    To be used where the loop runs.

    Args:
        directory: of the journals.
        loading: what is shown while it takes a while.
        written: what is shown afterwards.
        report: is told what went wrong.
        settle: is told what is well again, by the words in which it was reported.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.
        command: what starts the command line.
    """

    def __init__(
        self,
        directory: Path,
        loading: LoadingStrip,
        written: WrittenStrip,
        report: Callable[[Trouble], None],
        settle: Callable[[str], None],
        appearance: Appearance,
        window: QWidget,
        command: Sequence[str] | None = None,
    ) -> None:
        super().__init__(window)
        self._directory, self._command = directory, command
        self._loading, self._written = loading, written
        self._report, self._settle = report, settle
        self._appearance, self._window = appearance, window
        self._folder = Path.home()
        self._chores = Chores("console: export a run")
        loading.cancel_asked.connect(self.cancel)

    def export(self, run_id: str, title: str) -> None:
        """Ask where to and write what a run of the journals has come to so far; returns at once. One at a time."""
        reason = self.export_folder(self._directory / "runs" / folder_name(run_id), title)
        if reason:
            self._report(Trouble(fill(self.tr("“%1” was not exported"), title), reason))

    def export_folder(
        self, folder: Path, title: str, over: QWidget | None = None, begins: Callable[[], object] = lambda: None
    ) -> str:
        """Ask where to and write what the run in a folder has come to so far; returns at once why not, if so.

        Args:
            folder: of the run.
            title: its name.
            over: what dialogs stand over; None: the window.
            begins: called once it is known where to.
        """
        if self._chores:
            return self.tr("Another run is being exported. Wait until that is done, or cancel it.")
        self._chores.begin(self._exported(folder, title, over or self._window, begins))
        return ""

    def cancel(self) -> None:
        """Write nothing; what is there stays as it is."""
        self._chores.cancel()

    async def settled(self) -> None:
        """Return once nothing is being exported."""
        await self._chores.settled()

    # ---- doing it

    async def _exported(self, folder: Path, title: str, over: QWidget, begins: Callable[[], object]) -> None:
        if not await asyncio.to_thread((folder / JOURNAL).is_file):
            reason = self.tr(
                "This run has no journal to tell it from, as the journals could not be written when it began."
            )
            self._report(Trouble(self.tr("Nothing was exported"), reason))
            return
        filters = self._filters()
        path = await chosen(self._dialog(title, filters, over), tuple(filters.values()))
        if path is None or not await self._may_replace(path, over):
            return
        begins()
        self._folder = path.parent
        self._written.hide()
        what = fill(self.tr("%1 was not written"), path.name)
        try:
            reason = await self._write(folder, path)
        except OSError as error:
            reason = fill(self.tr("What writes it could not be started: %1."), error.strerror or error)
        except ValueError as error:  # a line that is longer than any of ours
            reason = fill(self.tr("What writes it cannot be understood: %1."), error)
        finally:
            self._loading.end()
        if reason:
            self._report(Trouble(what, reason))
        else:
            self._settle(what)
            self._written.tell(path)

    async def _write(self, folder: Path, path: Path) -> str:
        """Why it was not written; empty: it was."""
        self._loading.begin(fill(self.tr("Exporting %1: the journal is read"), path.name))
        command = (*(self._command or program()), *_asked(folder, path))
        ended = await carried_out(command, lambda stage, percent: self._tell(stage, percent, path))
        if not ended.code:
            return ""
        return ended.said or fill(self.tr("What writes it ended with %1."), ended.code)

    def _tell(self, stage: str, percent: int, path: Path) -> None:
        words = {
            "reading": self.tr("Exporting %1: the journal is read"),
            "packing": self.tr("Exporting %1: the run is packed"),
            "drawing": self.tr("Exporting %1: the report is made"),
            "writing": self.tr("Exporting %1: it is written"),
        }
        if stage in words:
            begun = _SHARES[stage]
            self._loading.begin(fill(words[stage], path.name), begun + (1 - begun) * percent / 100)

    # ---- what is asked

    def _filters(self) -> dict[str, str]:
        """What can be written, and the ending of each."""
        named = {
            "html": self.tr("Report as a web page"),
            "pdf": self.tr("Report as pages"),
            "starloom": self.tr("The whole run in one file"),
            "json": self.tr("Report for programs"),
            "xml": self.tr("Tests for a build server (JUnit)"),
            "csv": self.tr("Table of tasks"),
            "attempts.csv": self.tr("Table of attempts"),
            "events.csv": self.tr("Table of events"),
            "trace.json": self.tr("Trace for Perfetto"),
            "script.yaml": self.tr("What people did to it, as a script"),
            "timeline.png": self.tr("Timeline as a picture"),
            "timeline.svg": self.tr("Timeline as a drawing"),
            "graph.png": self.tr("Graph as a picture"),
            "graph.svg": self.tr("Graph as a drawing"),
        }
        return {f"{name} (*.{ending})": ending for ending, name in named.items()}

    def _dialog(self, title: str, filters: dict[str, str], over: QWidget) -> QFileDialog:
        dialog = dialog_to_write(over, fill(self.tr("Export “%1” as"), title), filters)
        dialog.setDirectory(str(self._folder))
        dialog.selectFile(_UNFIT.sub("-", title).strip(" .-")[:_LONGEST] or "run")
        return dialog

    async def _may_replace(self, path: Path, over: QWidget) -> bool:
        """Whether nothing is lost by writing there, or the user has agreed to that."""
        if await asyncio.to_thread(stamp_of, path) is None:
            return True
        question = Question(
            self._appearance,
            fill(self.tr("Replace %1?"), path.name),
            fill(self.tr("There is a file %1 already; what is in it would be lost."), path.name),
            [Choice(REPLACE, self.tr("Replace"), is_apart=True), Choice("", self.tr("Cancel"), is_default=True)],
            parent=over,
        )
        return await answer_to(question) == REPLACE


def _asked(folder: Path, path: Path) -> tuple[str, ...]:
    verb = "export" if path.name.lower().endswith(ENDING) else "report"
    return (verb, str(folder), "--output", str(path.absolute()), "--stages")
