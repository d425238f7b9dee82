"""Exporting a run: its report in a format, made in a process of its own, from the journal alone.

So a run that goes on is told as it stands, and no frame waits for it.
"""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom.errors import StarloomError
from starloom.journal.bundle import ENDING
from starloom.journal.names import JOURNAL
from starloom.reporting import export_child
from starloom_gui.documents.document import stamp_of
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.event_loop.background import in_background
from starloom_gui.shell.child import carried_out
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill
from starloom_gui.widgets.choosing import chosen, dialog_to_write
from starloom_gui.widgets.message_bar import ErrorMessage
from starloom_gui.widgets.question import Choice, ChoiceDialog, answer_to

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from typing import Any

    from PySide6.QtWidgets import QFileDialog, QWidget

    from starloom_gui.gateway.run_archive import RunArchive
    from starloom_gui.settings import Settings
    from starloom_gui.shell.written import WrittenStrip
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.loading import LoadingStrip

REPLACE: Final = "replace"
SHORT: Final = ("htm", "png", "svg", "tasks.csv", "junit.xml", "script.json", "script.yml")
"""Endings besides those of the dialog's filters that are known."""
_UNFIT: Final = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+')
_LONGEST: Final = 80
_SHARES: Final = {"reading": 0.1, "packing": 0.1, "drawing": 0.5, "writing": 0.95}
"""How far an export is when a stage begins."""


class Exporting(QObject):
    """Asks for a file and exports the report of a run into it, one at a time.

    To be used where the loop runs.

    Args:
        archive: the runs; one that is on another machine is copied from there first.
        folder_of: gives the folder of a run of the engine; None: it cannot be had on this computer.
        loading: what is shown while it takes a while.
        written: what is shown afterwards.
        report: is told what went wrong.
        settle: is told what is well again, by the words in which it was reported.
        settings: remember folder and format of the last export.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.
        command: what starts the process; None: `export_child` of the engine.
    """

    def __init__(
        self,
        archive: RunArchive,
        folder_of: Callable[[str], Path | None],
        loading: LoadingStrip,
        written: WrittenStrip,
        report: Callable[[ErrorMessage], None],
        settle: Callable[[str], None],
        settings: Settings,
        appearance: Appearance,
        window: QWidget,
        command: Sequence[str] | None = None,
    ) -> None:
        super().__init__(window)
        self._archive, self._folder_of, self._command = archive, folder_of, command
        self._loading, self._written = loading, written
        self._report, self._settle = report, settle
        self._appearance, self._window = appearance, window
        self._settings = settings
        self._busy = ""
        self._refusals: set[str] = set()
        self.background_tasks = BackgroundTasks("console: export a run")
        loading.cancel_asked.connect(self.cancel)

    def export(self, run_id: str, title: str, folder: Path | None = None) -> None:
        """Ask for a file, and export a run to it; returns at once. One at a time.

        Args:
            run_id: of the run.
            title: its name.
            folder: of a run that only its journal tells of; None: it is the engine's.
        """
        folder = folder or self._folder_of(run_id)
        if self.background_tasks:
            reason = self._why_not_now(title)
        elif folder is not None:
            reason = self.export_folder(folder, title)
        else:
            reason = self.tr("There is no journal of it on this computer; where it is, `starloom report` makes one.")
        if reason:
            self._refuse(fill(self.tr("“%1” was not exported"), title), reason)

    def export_folder(
        self, folder: Path, title: str, over: QWidget | None = None, begins: Callable[[], object] = lambda: None
    ) -> str:
        """Ask for a file, and export the run in a folder to it; returns at once the reason why not, if any.

        Args:
            folder: of the run.
            title: its name.
            over: what dialogs stand over; None: the window.
            begins: called once it is known where to.
        """
        if self.background_tasks:
            return self._why_not_now(title)
        self._begin(title, self._exported(folder, title, over or self._window, begins))
        return ""

    def export_made(self, title: str, kinds: dict[str, str], made: Callable[[str], bytes]) -> None:
        """Ask for a file, and write content of the console to it; returns at once. One at a time.

        Args:
            title: what it is, over the dialog.
            kinds: what can be written, and the ending of each without its point.
            made: gives the bytes for an ending; called in another thread.
        """
        if self.background_tasks:
            self._refuse(self.tr("Nothing was exported"), self._why_not_now(title))
        else:
            self._begin(title, self._exported_made(title, kinds, made))

    def cancel(self) -> None:
        """Cancel the export; an existing file is unchanged."""
        self.background_tasks.cancel()

    async def settled(self) -> None:
        """Return once nothing is being exported."""
        await self.background_tasks.settled()

    # ---- one at a time

    def _begin(self, title: str, doing: Coroutine[Any, Any, None]) -> None:
        self._busy = title
        self.background_tasks.begin(doing).add_done_callback(self._end)

    def _end(self, _: object) -> None:
        """Withdraw what was refused while something was exported, for it speaks of that."""
        for what in self._refusals:
            self._settle(what)
        self._refusals.clear()

    def _why_not_now(self, title: str) -> str:
        if title == self._busy:
            return self.tr("It is being exported already. Wait until that is done, or cancel it.")
        return fill(self.tr("“%1” is being exported. Wait until that is done, or cancel it."), self._busy)

    def _refuse(self, what: str, reason: str) -> None:
        self._refusals.add(what)
        remedy = self.tr("Cancel the export")
        self._report(ErrorMessage(what, reason, remedy, self.cancel, of_tab=True, is_refusal=True))

    # ---- doing it

    async def _exported(self, folder: Path, title: str, over: QWidget, begins: Callable[[], object]) -> None:
        if not self._archive.where and not await asyncio.to_thread((folder / JOURNAL).is_file):
            reason = self.tr(
                "This run has no journal to tell it from, as the journals could not be written when it began."
            )
            self._report(ErrorMessage(self.tr("Nothing was exported"), reason))
            return
        filters = self._filters()
        path = await chosen(self._dialog(title, filters, over), (*filters.values(), *SHORT))
        if path is None or not await self._may_replace(path, over):
            return
        begins()
        self._settings.export_folder = str(path.parent)
        self._settings.export_format = format_of(path.name, tuple(filters.values()))
        self._written.hide()
        what = fill(self.tr("%1 was not written"), path.name)
        lost = ""
        try:
            reason, lost = await self._write(folder, path)
        except OSError as error:
            reason = fill(self.tr("What writes it could not be started: %1."), error.strerror or error)
        except ValueError as error:  # a line that is longer than any of ours
            reason = fill(self.tr("What writes it cannot be understood: %1."), error)
        finally:
            self._loading.end()
        if reason:
            self._report(ErrorMessage(what, reason))
        else:
            self._settle(what)
            self._written.tell(path)
        if lost:
            self._report(ErrorMessage(fill(self.tr("%1 has not all of the run"), path.name), lost))

    async def _exported_made(self, title: str, kinds: dict[str, str], made: Callable[[str], bytes]) -> None:
        dialog = dialog_to_write(self._window, title, kinds)
        dialog.setDirectory(self._folder())
        path = await chosen(dialog, kinds.values())
        if path is None or not await self._may_replace(path, self._window):
            return
        self._settings.export_folder = str(path.parent)
        self._written.hide()
        what = fill(self.tr("%1 was not written"), path.name)
        self._loading.begin(fill(self.tr("Exporting %1"), path.name))
        try:
            await in_background(_put, path, made)
        except (OSError, MemoryError) as error:
            self._report(ErrorMessage(what, getattr(error, "strerror", None) or str(error)))
        else:
            self._settle(what)
            self._written.tell(path)
        finally:
            self._loading.end()

    async def _write(self, folder: Path, path: Path) -> tuple[str, str]:
        """The reason why the file was not written, and the fault of the journal; empty: there is none."""
        copied = fill(self.tr("Exporting %1: the run is copied from %2"), path.name, self._archive.where)
        try:
            outputs = path.suffix.lower() == ENDING
            goes_on_at = await self._archive.goes_on_at(folder)
            await self._archive.fetch(folder, lambda share: self._loading.begin(copied, share), outputs=outputs)
        except StarloomError as error:
            return why_not(error), ""
        self._loading.begin(fill(self.tr("Exporting %1: the journal is read"), path.name))
        moment = () if goes_on_at is None else (str(goes_on_at),)
        command = (*(self._command or export_child.command_line()), str(folder), str(path), *moment)
        ended = await carried_out(command, lambda stage, percent: self._tell(stage, percent, path))
        if not ended.code:
            return "", ""
        said = ended.said or fill(self.tr("What writes it ended with %1."), ended.code)
        return ("", said) if ended.code == export_child.DAMAGED else (said, "")

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
        """The file formats, each with its ending."""
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
        dialog.setDirectory(self._folder())
        last = next((kind for kind, ending in filters.items() if ending == self._settings.export_format), None)
        if last is not None:
            dialog.selectNameFilter(last)
            dialog.setDefaultSuffix(filters[last])
        dialog.selectFile(_UNFIT.sub("-", title).strip(" .-")[:_LONGEST] or "run")
        return dialog

    def _folder(self) -> str:
        """The folder of the last export, if it still exists."""
        last = Path(self._settings.export_folder or Path.home())
        return str(last if last.is_dir() else Path.home())

    async def _may_replace(self, path: Path, over: QWidget) -> bool:
        """Whether no file would be overwritten, or the user has agreed to that."""
        if await asyncio.to_thread(stamp_of, path) is None:
            return True
        question = ChoiceDialog(
            self._appearance,
            fill(self.tr("Replace %1?"), path.name),
            fill(self.tr("There is a file %1 already; what is in it would be lost."), path.name),
            [Choice(REPLACE, self.tr("Replace"), is_apart=True), Choice("", self.tr("Cancel"), is_default=True)],
            parent=over,
        )
        return await answer_to(question) == REPLACE


def format_of(name: str, endings: Sequence[str]) -> str:
    """The ending of these that a file's name has, or that begins with what it has: `timeline.png` for `x.png`."""
    exact = [ending for ending in endings if name.lower().endswith(f".{ending}")]
    last = name.lower().rpartition(".")[2]
    return max(exact, key=len, default="") or next((one for one in endings if one.endswith(f".{last}")), "")


def _put(path: Path, made: Callable[[str], bytes]) -> None:
    """Write a file wholly or not at all.

    Raises:
        OSError: it was not written; the file is as it was.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        beside.write_bytes(made(path.suffix.removeprefix(".").lower()))
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
