"""Runs that an earlier program left behind when it died: offered at the start, and whenever somebody asks for them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from PySide6.QtCore import QObject

from starloom.errors import StarloomError
from starloom.journal.base import JournalError
from starloom.journal.records import records
from starloom_gui.dialogs.ticks import TickList
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.event_loop.background import in_background
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill, hour, share
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.message_bar import ErrorMessage
from starloom_gui.widgets.question import WIDTH, Choice, Choices, answer_to
from starloom_gui.widgets.rows import ListRow, RowList

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from starloom.journal.records import RunRecord
    from starloom_gui.settings import Settings
    from starloom_gui.theme.appearance import Appearance

RESUME, NEVER = "resume", "never"


class ResumablePlurals(QObject):
    """Counts of runs that were interrupted."""

    def title(self, count: int, *, paused: bool) -> str:
        """The question's title; `paused`: all of them were paused, and none was interrupted."""
        if paused:
            return self.tr("Open %n paused run(s) again?", "", count)
        return self.tr("Go on with %n interrupted run(s)?", "", count)

    def resume(self, count: int, *, paused: bool) -> str:
        """The label of the button that resumes runs, or opens them if all are paused."""
        return self.tr("Open %n run(s)", "", count) if paused else self.tr("Go on with %n run(s)", "", count)

    def running(self, count: int) -> str:
        """The number of tasks of a run that were running when its program ended, as text."""
        return self.tr("%n task(s) ran when Starloom ended", "", count)


class ResumeDialog(Dialog):
    """Asks what to do about interrupted runs; the answer is `resume`, `never`, or none: ask the next time.

    Args:
        appearance: the colours.
        found: the runs, at least one.
        now: seconds since 1970.
        parent: a widget of the window.

    Attributes:
        rows: of several runs, a tick for each.
        chosen: the runs that the answer is about; still there when the dialog is gone.
    """

    def __init__(self, appearance: Appearance, found: Sequence[RunRecord], now: float, parent: QWidget) -> None:
        self._found, self._words, self.chosen = tuple(found), ResumablePlurals(), list(found)
        paused = all(one.is_paused for one in found)
        sentence = self.tr("What has ended meanwhile counts and is not run again; the rest goes on.")
        if paused:
            sentence = self.tr("What has ended meanwhile counts and is not run again.")
        if any(one.took is None for one in found):
            sentence += " " + self.tr("What was not started stays so until you start it.")
        if any(one.is_paused for one in found):
            sentence += " " + self.tr("What was paused stays so until you resume it.")
        choices = [
            Choice(NEVER, self.tr("Don't ask again"), is_apart=True),
            Choice("", self.tr("Not now")),
            Choice(RESUME, self._words.resume(len(found), paused=paused), is_default=True),
        ]
        title = self._words.title(len(found), paused=paused)
        lines = [self._line(one, now) for one in found]
        self.rows = TickList(appearance, lines, title) if len(found) > 1 else RowList(appearance, lines, title)
        super().__init__(appearance, title, "", width=WIDTH, parent=parent)
        self.choices = Choices(self, sentence, choices, self.rows)
        if isinstance(self.rows, TickList):
            self.rows.ticked.connect(self._count)

    def _count(self) -> None:
        assert isinstance(self.rows, TickList), "there are several"
        self.chosen = [self._found[place] for place in self.rows.chosen]
        count = len(self.chosen)
        paused = count > 0 and all(one.is_paused for one in self.chosen)
        self.choices.buttons[RESUME].setText(self._words.resume(count, paused=paused))
        for key in (RESUME, NEVER):
            self.choices.buttons[key].setEnabled(count > 0)

    def _line(self, record: RunRecord, now: float) -> ListRow:
        changed = fill(self.tr("last change: %1"), hour(record.updated, now))
        return ListRow("", record.name or record.run_id, (" · ".join((*self._standing(record), changed)),))

    def _standing(self, record: RunRecord) -> tuple[str, ...]:
        """The progress of a run."""
        done = fill(self.tr("%1 tasks done"), share(record.done, record.total))
        if record.took is None:
            return (self.tr("not started"), done)
        if record.is_paused:
            return (self.tr("paused"), done)
        running = record.counts.get("running", 0)
        return (done, self._words.running(running) if running else self.tr("no task ran when Starloom ended"))


class Resuming(QObject):
    """Finds interrupted runs, asks about them and resumes them.

    To be used where the loop runs.

    Args:
        directory: of the journals.
        settings: what is not to be asked about again.
        resume: goes on with runs, and returns what came of each: an error, if it does not go on.
        report: is told what cannot be gone on with.
        appearance: the colours of the dialog.
        window: what the dialog stands over; it owns this.
        name_of: gives what a run is called, by its id and the name of its plan.
    """

    def __init__(
        self,
        directory: Path,
        settings: Settings,
        resume: Callable[[Sequence[RunRecord]], Awaitable[Sequence[object]]],
        report: Callable[[ErrorMessage], None],
        appearance: Appearance,
        window: QWidget,
        name_of: Callable[[str, str], str],
    ) -> None:
        super().__init__(window)
        self._directory, self._settings, self._resume, self._report = directory, settings, resume, report
        self._appearance, self._window, self._name_of = appearance, window, name_of
        self._expected: frozenset[str] = frozenset()
        self.background_tasks = BackgroundTasks("console: interrupted runs")

    def expect(self, run_ids: Iterable[str]) -> None:
        """Do not offer these at the start: they are gone on with without asking."""
        self._expected = frozenset(run_ids)

    def offer(self) -> None:
        """Ask about interrupted runs, except those that the user has declined; returns at once."""
        self._start(self._offer(self._expected.union(self._settings.declined_runs)))

    def ask(self) -> None:
        """Ask about all interrupted runs, or show that there are none; returns at once."""
        self._start(self._offer(frozenset(), says_none=True))

    def go_on(self, record: RunRecord) -> None:
        """Resume a run; returns at once."""
        self._start(self._go_on((record,)))

    def cancel(self) -> None:
        """Close the open question."""
        self.background_tasks.cancel()

    async def settled(self) -> None:
        """Return once no question is open."""
        await self.background_tasks.settled()

    def _start(self, doing: Coroutine[Any, Any, None]) -> None:
        """Start an action unless another one is running, in which case it is dropped."""
        if self.background_tasks:
            doing.close()
        else:
            self.background_tasks.begin(doing)

    async def _offer(self, without: frozenset[str], *, says_none: bool = False) -> None:
        try:
            known = await in_background(records, self._directory)
        except JournalError as error:
            self._report(ErrorMessage("", why_not(error)))
            return
        found = [one for one in known if one.can_resume and one.run_id not in without]
        found = [replace(one, name=self._name_of(one.run_id, one.name)) for one in found]
        if not found:
            if says_none:
                nothing = self.tr("No run was interrupted. There is nothing to go on with.")
                self._report(ErrorMessage("", nothing, is_notice=True))
            return
        dialog = ResumeDialog(self._appearance, found, time.time(), self._window)
        answer, chosen = await answer_to(dialog), dialog.chosen
        if answer == NEVER:
            self._settings.declined_runs = (*self._settings.declined_runs, *(one.run_id for one in chosen))
        elif answer == RESUME:
            await self._go_on(chosen)

    async def _go_on(self, chosen: Sequence[RunRecord]) -> None:
        for record, came in zip(chosen, await self._resume(chosen), strict=True):
            if isinstance(came, StarloomError):
                what = fill(self.tr("“%1” does not go on"), record.name or record.run_id)
                self._report(ErrorMessage(what, why_not(came)))
