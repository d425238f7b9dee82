"""The inspector's part about files that plans of earlier versions name in the metadata of a task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.model.files import NO_FILES
from starloom_gui.panels.sections import Section
from starloom_gui.text.words import plain
from starloom_gui.theme.fonts import Role
from starloom_gui.widgets.controls import Elided, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.model.files import FileCopy, Files
    from starloom.model.task import Task

MOST_FILES: Final = 10
"""Of each list."""


def files_of(task: Task | None) -> Files:
    """The files that the metadata of earlier versions say of a task, where its own field says nothing."""
    try:
        return NO_FILES if task is None or task.files != NO_FILES else task.copied
    except ValueError:
        return NO_FILES


class FilesSection(Section):
    """The files that the metadata of a task name, read-only; hidden where there are none."""

    hides_when_empty = True

    def show_files(self, files: Files) -> None:
        """Show these."""
        self.setVisible(files != NO_FILES)
        self.title(self.tr("Files"))
        if self.has_new(files):
            self._list(self.tr("Sent before it begins"), files.send)
            self._list(self.tr("Fetched once it has completed"), files.fetch)

    def _list(self, heading: str, copies: Sequence[FileCopy]) -> None:
        if not copies:
            return
        self.rows.addWidget(text(heading, Role.SMALL, "muted"))
        for copy in copies[:MOST_FILES]:
            self.rows.addWidget(Elided(plain(str(copy)), Role.MONOSPACE))
        if len(copies) > MOST_FILES:
            self.rows.addWidget(text(self.tr("%n more file(s)", "", len(copies) - MOST_FILES), Role.SMALL, "muted"))
        self.rows.addSpacing(4)
