"""Templates the user has saved: a folder with a file for each; the files are not trusted."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QIODevice, QObject, QSaveFile, Signal

from starloom.errors import PlanError, Problem
from starloom_gui.editing.snippets import Snippet, only_task, read_snippet, write_snippet
from starloom_gui.editing.templates import FreeIds, TaskTemplate
from starloom_gui.theme.icons import Icon

if TYPE_CHECKING:
    from starloom.model.task import Task

MOST_FILES: Final = 500
MOST_BYTES: Final = 1_000_000
ICONS: Final = {
    "command": Icon.COMMAND,
    "shell": Icon.SHELL,
    "python": Icon.PYTHON,
    "call": Icon.CALL,
    "prompt": Icon.PROMPT,
    "simulate": Icon.SIMULATE,
    "gate": Icon.GATE,
}
"""By the action of a task."""
_ENDING: Final = ".json"
_UNFIT: Final = re.compile(r"[^\w-]+")


class TemplateShelf(QObject):
    """The user's own templates. A file that cannot be read is skipped and left alone, and a sentence says why.

    Args:
        folder: where the files are; it need not exist.
        parent: of the object.

    Attributes:
        own: the templates, by title.
        problems: a sentence for each file that was passed over.

    Signals:
        changed: there are others now.
    """

    changed = Signal()

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self.own: tuple[TaskTemplate, ...] = ()
        self.problems: tuple[str, ...] = ()
        self.read()

    def read(self) -> None:
        """Read the folder again."""
        found: list[TaskTemplate] = []
        problems: list[str] = []
        for path in self._files():
            try:
                found.append(_template(path))
            except PlanError as error:
                problems.append(f"{path.name}: {error.problems[0]}")
        self.own = tuple(sorted(found, key=lambda one: (one.title.casefold(), one.name)))
        self.problems = tuple(problems)
        self.changed.emit()

    def _files(self) -> list[Path]:
        try:
            every = (path for path in self._folder.iterdir() if path.suffix == _ENDING and path.is_file())
            return sorted(islice(every, MOST_FILES))
        except OSError:
            return []  # nothing was ever saved

    def save(self, task: Task) -> str:
        """Keep a task as a template, with its fields and without its dependencies; the template's name.

        Raises:
            PlanError: it cannot be written.
        """
        text = write_snippet(Snippet(tasks=(task,)))
        path = self._folder / self._free_name(task.title)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritten(path, error.strerror or str(error)) from None
        file = QSaveFile(str(path))
        if not (file.open(QIODevice.OpenModeFlag.WriteOnly) and file.write(text.encode()) >= 0 and file.commit()):
            raise _unwritten(path, file.errorString())
        self.read()
        return path.name

    def remove(self, name: str) -> None:
        """Forget a template, and delete its file.

        Raises:
            PlanError: the file cannot be deleted.
        """
        path = self._folder / Path(name).name
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise _unwritten(path, error.strerror or str(error)) from None
        self.read()

    def _free_name(self, title: str) -> str:
        words = _UNFIT.sub("-", title)[:60].strip("-").lower() or "task"
        taken = {path.stem for path in self._files()}
        return FreeIds(taken).free(words) + _ENDING


def _template(path: Path) -> TaskTemplate:
    """The template in a file.

    Raises:
        PlanError: there is none in it.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        problem = Problem(code="file", message=f"it cannot be read: {error.strerror or error}.")
        raise PlanError([problem]) from None
    if len(data) > MOST_BYTES:
        problem = Problem(code="too_large", message="it is larger than 1 MB.", hint="A template is one task.")
        raise PlanError([problem])
    task = only_task(read_snippet(data))
    return TaskTemplate(
        name=path.name,
        title=task.title,
        icon=ICONS[task.action],
        make=lambda: task,
        about=task.description,
    )


def _unwritten(path: Path, why: str) -> PlanError:
    hint = "Check the folder's permissions and the space on the disk."
    message = f"{path.name} cannot be written into {path.parent}: {why.rstrip('.')}."
    return PlanError([Problem(code="file", message=message, hint=hint)])
