"""Opening files: chosen, named, dropped or recent ones; read in threads, one after the other."""

from __future__ import annotations

import logging
import time
from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog
from typing_extensions import override

from starloom.errors import PlanError
from starloom.formats import READABLE
from starloom.journal.bundle import ENDING, is_bundle
from starloom_gui.dialogs.problems import RETRY, ProblemPlurals, ProblemsDialog
from starloom_gui.documents.document import Document, RunTab, stamp_of
from starloom_gui.documents.files import ENDINGS, located, read
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.event_loop.background import in_background
from starloom_gui.event_loop.garbage_collection import note_loaded
from starloom_gui.settings import RecentFile
from starloom_gui.text.words import fill, plain
from starloom_gui.widgets.file_dialog import FileDialog
from starloom_gui.widgets.message_bar import ErrorMessage
from starloom_gui.widgets.question import Choice, ChoiceDialog, answer_to

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from starloom_gui.documents.document import Loaded
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.settings import Settings
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.loading import LoadingStrip

_log = logging.getLogger(__name__)
RELOAD, START = "reload", "start"
_MEGABYTE: Final = 1_000_000


class Opening(QObject):
    """Opens files as plans, bundle files as runs. A file that cannot be read changes nothing.

    To be used where the loop runs.

    Args:
        documents: where documents are put.
        settings: what recent files are remembered in.
        loading: what is shown while it takes a while.
        report: is told what went wrong while a run is in front.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.
        reads: gives what is in a file; called in a thread.
        settled: is told what is well again, by the words in which it was reported.
        take_in: has the run in a file that is a whole run, and shows it; None: such files are read as plans.

    Signals:
        opened(Document): a file was opened.
    """

    opened = Signal(object)

    def __init__(
        self,
        documents: OpenDocuments,
        settings: Settings,
        loading: LoadingStrip,
        report: Callable[[ErrorMessage], None],
        appearance: Appearance,
        window: QWidget,
        reads: Callable[[Path], Loaded] = read,
        settled: Callable[[str], None] = lambda _: None,
        take_in: Callable[[Path], Awaitable[None]] | None = None,
    ) -> None:
        super().__init__(window)
        self._settled, self._take_in = settled, take_in
        self._documents, self._settings, self._loading, self._report = documents, settings, loading, report
        self._appearance, self._window, self._reads = appearance, window, reads
        self._waiting: deque[tuple[Path, bool]] = deque()
        self._taken, self._reading = 0, ""
        self._reloading: set[Path] = set()
        self._task: asyncio.Task[None] | None = None
        self.background_tasks = BackgroundTasks("console: open files")
        loading.cancel_asked.connect(self.cancel)

    # ---- asking for files

    def ask(self) -> None:
        """Open the dialog that chooses files."""
        dialog = FileDialog(self._window, self.tr("Open a plan or a run"), self._folder())
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        endings = " ".join(ending for name in READABLE for ending in ENDINGS[name])
        runs = fill(self.tr("Runs (%1)"), f"*{ENDING}")
        both = fill(self.tr("Plans and runs (%1)"), f"{endings} *{ENDING}")
        dialog.setNameFilters([both, fill(self.tr("Plans (%1)"), endings), runs, self.tr("All files (*)")])
        dialog.filesSelected.connect(self.open_all)
        dialog.open()

    def _folder(self) -> str:
        front = self._documents.front
        plan = self._documents.document_of(front) if isinstance(front, RunTab) else front
        if plan is not None and plan.path is not None:
            return str(plan.path.parent)
        recent = self._settings.recent
        return str(Path(recent[0].path).parent) if recent else ""

    def open(self, path: str | Path) -> None:
        """Open a file; returns at once."""
        self.open_all((path,))

    def open_all(self, paths: Sequence[str | Path], *, is_behind: bool = False) -> None:
        """Open files one after the other; returns at once.

        Args:
            paths: of the files.
            is_behind: whether what is in front stays there; else each comes to the front.
        """
        self._waiting.extend((Path(path), is_behind) for path in paths)
        self._go_on()

    def cancel(self) -> None:
        """Open none of the files that are not open yet; what a thread has begun to read is dropped."""
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()
            self._rest()

    @property
    def awaited(self) -> str:
        """Why nothing is in front yet, as a sentence: a file is being read; empty: something is, or none is read."""
        name = self._reading or (self._waiting[0][0].name if self._waiting else "")
        if self._documents.front is not None or not name:
            return ""
        return fill(self.tr("%1 is still being opened. Press the key again once it is there."), name)

    async def settled(self) -> None:
        """Return once no file is being opened."""
        await self.background_tasks.settled()

    # ---- opening them

    def _go_on(self) -> None:
        if self._task is None and self._waiting:
            self._task = self.background_tasks.begin(self._work())
            self._task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Handle the end of an opening task, which may have been cancelled before it began."""
        if self._task is task:
            self._rest()
            if not task.cancelled():
                self._go_on()  # with what was asked for since it looked last

    def _rest(self) -> None:
        self._task, self._taken, self._reading = None, 0, ""
        self._loading.end()

    async def _work(self) -> None:
        while self._waiting:
            path, is_behind = self._waiting.popleft()
            self._taken, self._reading = self._taken + 1, path.name
            await self._open(path, is_behind=is_behind)

    async def _open(self, path: Path, *, is_behind: bool) -> None:
        try:
            path = await in_background(located, path)
            if self._take_in is not None and await in_background(is_bundle, path):
                await self._take_in(path)
                return
            known = self._documents.at(path)
            if known is None or path in self._reloading or await self._is_reloaded(known, path):
                self._reloading.discard(path)
                await self._load(path, is_behind=is_behind)
        except PlanError as error:
            self._fail(path, error)
        except Exception as error:  # noqa: BLE001 - the border to what reads files: whoever asked is told
            _log.exception("%s was to be opened", path)
            reason = fill(self.tr("%1: %2. This is a defect."), type(error).__name__, error)
            self._report(ErrorMessage(self._not_opened(path), reason))

    async def _load(self, path: Path, *, is_behind: bool) -> None:
        stamp = await in_background(stamp_of, path)
        count = self._taken + len(self._waiting)
        self._loading.begin(self._what(path, stamp.size if stamp is not None else 0, count), (self._taken - 1) / count)
        loaded = await in_background(self._reads, path)
        note_loaded(len(loaded.plan.tasks))
        is_seen = loaded.digest in self._settings.looked_at
        document = self._documents.put_loaded(loaded, is_seen=is_seen, is_behind=is_behind)
        self._remember(document)
        self._settled(self._not_opened(path))
        self.opened.emit(document)

    def _what(self, path: Path, size: int, count: int) -> str:
        amount = fill(self.tr("%1 MB"), f"{size / _MEGABYTE:.1f}")
        if count == 1:
            return fill(self.tr("Opening %1 · %2"), path.name, amount)
        return fill(self.tr("Opening %1 · %2 · file %3 of %4"), path.name, amount, self._taken, count)

    def _remember(self, document: Document) -> None:
        path, plan = str(document.path), document.plan
        known = next((one for one in self._settings.recent if one.path == path), RecentFile(path=path))
        self._settings.remember(replace(known, tasks=len(plan.tasks), at=time.time(), name=plan.name))

    # ---- a file that is open already

    def reload(self, path: Path) -> None:
        """Read the file of an open document again, which loses what is not saved; returns at once."""
        self._reloading.add(path)
        self.open(path)

    def ask_reload(self, key: str) -> None:
        """Reload an open document, after asking if that would lose what is not saved; returns at once."""
        document = self._documents.document(key)
        if document is not None and document.path is not None:
            self.background_tasks.begin(self._reload_if_wanted(document, document.path))

    async def _reload_if_wanted(self, document: Document, path: Path) -> None:
        if not document.is_dirty or await self._wants_reload(document, self.tr("The file %1 is read again.%2")):
            self.reload(path)

    async def may_start(self, document: Document) -> bool:
        """Whether an open plan may start although its file has changed since; asks the user."""
        path = document.path
        stamp = await in_background(stamp_of, path) if path is not None else None
        if path is None or stamp is None or stamp == document.stamp:
            return True
        lost = self.tr(" Reload would lose the changes you have not saved.") if document.is_dirty else ""
        sentence = self.tr("%1 has changed on disk since it was opened. What would run is what is shown here.%2")
        question = ChoiceDialog(
            self._appearance,
            fill(self.tr("Start “%1” as it is here?"), document.title),
            fill(sentence, path.name, lost),
            [
                Choice(START, self.tr("Start as shown"), is_apart=True),
                Choice("", self.tr("Cancel"), is_default=bool(lost)),
                Choice(RELOAD, self.tr("Reload"), is_default=not lost),
            ],
            parent=self._window,
        )
        answer = await answer_to(question)
        if answer == RELOAD:
            self.reload(path)
        return answer == START

    async def _is_reloaded(self, known: Document, path: Path) -> bool:
        """Turn to the open document; returns whether the user wants to reload it."""
        self._documents.turn_to(known.key)
        stamp = await in_background(stamp_of, path)
        if stamp is None or stamp == known.stamp:
            return False
        self._loading.end()
        if await self._wants_reload(known, self.tr("%1 has changed on disk since it was opened.%2")):
            return True
        self._documents.note_stamp(known.key, stamp)
        return False

    async def _wants_reload(self, known: Document, sentence: str) -> bool:
        """Ask whether an open document is to be reloaded.

        Args:
            known: it has a path.
            sentence: why that is asked, with places for the name of the file and for what would be lost.
        """
        assert known.path is not None
        lost = self.tr(" The changes you have not saved would be lost.") if known.is_dirty else ""
        question = ChoiceDialog(
            self._appearance,
            fill(self.tr("Reload “%1”?"), known.title),
            fill(sentence, known.path.name, lost),
            [Choice("", self.tr("Keep what is open")), Choice(RELOAD, self.tr("Reload"), is_default=not lost)],
            parent=self._window,
        )
        return await answer_to(question) == RELOAD

    # ---- a file that is no good

    def _fail(self, path: Path, error: PlanError) -> None:
        """Show the problems of a file: in a list, or in the message bar while a run is in front."""
        if not isinstance(self._documents.front, RunTab):
            self._show_problems(path, error)
            return
        first = plain(error.problems[0], 160)
        count = len(error.problems)
        reason = first if count == 1 else fill(self.tr("%1, first of all %2"), ProblemPlurals().problems(count), first)
        remedy = self.tr("Show problems")
        self._report(ErrorMessage(self._not_opened(path), reason, remedy, lambda: self._show_problems(path, error)))

    def _not_opened(self, path: Path) -> str:
        return fill(self.tr("%1 was not opened"), path.name)

    def _show_problems(self, path: Path, error: PlanError) -> None:
        count = ProblemPlurals().problems(len(error.problems))
        sentence = fill(self.tr("%1 in %2. Nothing was opened, and nothing has changed."), count, path)
        title = self._not_opened(path)
        dialog = ProblemsDialog(self._appearance, title, sentence, error.problems, self._window, retries=True)
        dialog.choices.answered.connect(lambda answer: self.open(path) if answer == RETRY else None)
        dialog.finished.connect(lambda _: self._settled(title))  # who has read the list needs no bar about it
        dialog.open()


class FileDrops(QObject):
    """Accepts files that are dropped anywhere on a window.

    Args:
        window: owns this.

    Signals:
        dropped(list): the paths, as texts.
    """

    dropped = Signal(list)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDropEvent | QDragEnterEvent | QDragMoveEvent) and event.type() in _OF_DROPS:
            paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
            if paths:
                event.acceptProposedAction()
                if event.type() == QEvent.Type.Drop:
                    self.dropped.emit(paths)
                return True
        return False


_OF_DROPS: Final = {QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop}
