"""A task that prints, and the pane in which it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication
from tests.gui.panels.fleets import coverage

from starloom.orchestration.channel import Channel, OutputChunk
from starloom_gui.gateway.changes import Changes
from starloom_gui.gateway.output import OutputHub
from starloom_gui.panels.output import OutputPane
from starloom_gui.viewmodel.run_views import run_view
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.theme.appearance import Appearance


class Printing:
    """`fuzz` runs, `coverage` waits, and what is printed by hand is heard.

    Attributes:
        opened: files that were to be shown outside.
        moment: that is looked back to; None: the present is shown.
        clock: seconds since 1970 at which what is printed is heard.
        hears: whether what is printed is heard, and not only in its file.
    """

    def __init__(self, appearance: Appearance, folder: Path | None = None, *, hears: bool = True) -> None:
        self.driver, self.run = coverage()
        self.channel, self.folder = Channel(), folder
        self.moment: float | None = None
        self.clock = 1000.0
        self.hub = OutputHub(self.channel, now=lambda: self.clock)
        self.selection = Selection()
        self.opened: list[Path] = []
        self._appearance = appearance
        self.hears = hears
        self.pane = self.made_anew()

    def made_anew(self) -> OutputPane:
        """Another pane about the same."""
        pane = OutputPane(
            self._appearance,
            self.selection,
            lambda: run_view(self.driver.run()),
            lambda: self.driver.scheduler.now,
            self.hub,
            self.file_of,
            self._open,
            lambda: self.moment,
        )
        pane.resize(700, 252)
        pane.show()
        QApplication.processEvents()
        return pane

    def _open(self, path: Path) -> bool:
        self.opened.append(path)
        return True

    def file_of(self, run_id: str, task_id: str, attempt: int) -> Path | None:
        return None if self.folder is None else self.folder / f"{task_id}-{attempt}.log"

    def select(self, name: str) -> None:
        self.selection.select(self.run.graph.place[name])
        QApplication.processEvents()

    def say(self, text: str, *, task: str = "fuzz", attempt: int = 1, stream: str = "stdout") -> None:
        """Print as a task does: into its file and, if anybody hears it, live."""
        path = self.file_of(self.run.run_id, task, attempt)
        if path is not None:
            with path.open("a", encoding="utf-8") as file:
                file.write(text)
        if self.hears:
            self.channel.send(OutputChunk(self.run.run_id, task, attempt, text, stream))
        self.hub.flush()
        QApplication.processEvents()

    def changed(self, *names: str) -> None:
        """Tell the pane of these tasks."""
        numbers = frozenset(self.run.graph.place[name] for name in names)
        self.pane.on_changes(Changes(run_id=self.run.run_id, tasks=numbers))
        QApplication.processEvents()

    def look_back(self, moment: float | None) -> None:
        """Look at another moment, or at the present again."""
        self.moment = moment
        self.pane.on_changes(Changes(run_id=self.run.run_id, everything=True))
        QApplication.processEvents()

    def shown(self, pane: OutputPane | None = None) -> list[str]:
        return [line.text for line in (pane or self.pane).lines.lines()]

    def __enter__(self) -> Printing:
        return self

    def __exit__(self, *_: object) -> None:
        self.hub.close()
