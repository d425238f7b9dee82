"""Copy, cut and paste of tasks: between graphs, windows and programs, as our own type and as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtGui import QGuiApplication

from starloom.constellation.edits import RemoveTask
from starloom.errors import PlanError
from starloom_gui.documents.would_run import work_of
from starloom_gui.editing.awaiting import Awaiting
from starloom_gui.editing.base import Step
from starloom_gui.editing.snippets import Snippet, added_ids, pasted, read_snippet, snippet_of, write_snippet
from starloom_gui.text.words import fill, tasks

if TYPE_CHECKING:
    from collections.abc import Collection

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.base import Editor
    from starloom_gui.viewmodel.selection import Selection

EDITS_TYPE: Final = "application/vnd.starloom.edits+json"
"""Several tasks with their dependencies."""
TEMPLATE_TYPE: Final = "application/vnd.starloom.template+json"
"""One task, of which a new one is made."""
OWN_TYPES: Final = (TEMPLATE_TYPE, EDITS_TYPE)


def mime_of(snippet: Snippet, kind: str = EDITS_TYPE) -> QMimeData:
    """The MIME data of a snippet; that of several tasks is plain text, too.

    Raises:
        PlanError: a task holds a value that text cannot.
    """
    text, made = write_snippet(snippet), QMimeData()
    made.setData(kind, text.encode())
    if kind == EDITS_TYPE:
        made.setText(text)
    return made


def is_known(mime: QMimeData, *, or_text: bool = False) -> bool:
    """Whether MIME data has a type that may hold tasks; whether it does shows when it is read."""
    return any(mime.hasFormat(kind) for kind in OWN_TYPES) or (or_text and mime.hasText())


def snippet_in(mime: QMimeData) -> Snippet:
    """The tasks in MIME data from elsewhere, which is not trusted.

    Raises:
        PlanError: there are none, or something is wrong with them.
    """
    for kind in OWN_TYPES:
        if mime.hasFormat(kind):
            return read_snippet(bytes(mime.data(kind).data()))
    return read_snippet(mime.text())


class Clipboard(QObject):
    """Copies and cuts the selected tasks, and pastes tasks into the graph; each is one step of undo.

    What was pasted is selected once it is in the graph.

    Args:
        editor: of the graph.
        selection: of its views.
        parent: of the object.
        is_of_run: whether the graph is that of a run: there copies wait for what the originals wait for, as else they
            would start at once, past a gate or ahead of what they need.

    Signals:
        refused(str, str): what was not done, and why, as sentences.
        pasted(int): tasks are there now, and this is the number of the first of them.
    """

    refused = Signal(str, str)
    pasted = Signal(int)

    def __init__(
        self, editor: Editor, selection: Selection, parent: QObject | None = None, *, is_of_run: bool = False
    ) -> None:
        super().__init__(parent)
        self._editor, self._selection, self._is_of_run = editor, selection, is_of_run
        self._awaiting = Awaiting(editor, selection, self)
        self._awaiting.arrived.connect(self._tell)

    def _tell(self, ids: frozenset[str]) -> None:
        facts = self._editor.facts()
        found = [facts.graph.place[one] for one in ids if one in facts.graph.place] if facts is not None else []
        if found:
            self.pasted.emit(min(found))

    # ---- what is possible

    def can_copy(self) -> bool:
        """Whether any task is selected."""
        return bool(self._chosen())

    def can_paste(self) -> bool:
        """Whether the clipboard may hold tasks."""
        return is_known(_on_clipboard(), or_text=True)

    # ---- doing it

    def copy(self) -> bool:
        """Copy the selected tasks to the clipboard, with all their dependencies; returns whether that was done."""
        facts, chosen = self._editor.facts(), self._chosen()
        if facts is None or not chosen:
            return False
        try:
            QGuiApplication.clipboard().setMimeData(mime_of(snippet_of(facts, chosen)))
        except PlanError as error:
            self.refused.emit(self.tr("Nothing was copied"), _first(error))
            return False
        return True

    def cut(self) -> bool:
        """Copy the selected tasks to the clipboard and remove them; neither if they cannot be removed."""
        facts, chosen = self._editor.facts(), self._chosen()
        if facts is None or not chosen:
            return False
        edits = tuple(RemoveTask(facts.graph.ids[number]) for number in chosen)
        verdict = self._editor.verdict(edits)
        if not verdict.ok:
            self.refused.emit(self.tr("Nothing was cut"), f"{verdict.reason} {verdict.hint}".strip())
            return False
        if not self.copy():
            return False
        self._editor.do(Step(label=fill(self.tr("Cut %1"), _named(facts, chosen)), edits=edits))
        return True

    def paste(self, *, with_outside: bool = False) -> bool:
        """Add the tasks on the clipboard to the graph; returns whether that was asked for.

        Args:
            with_outside: connect the copies with the same tasks outside as the originals.
        """
        return self.put(_on_clipboard(), with_outside=with_outside)

    def put(self, mime: QMimeData, *, with_outside: bool = False) -> bool:
        """Add tasks from elsewhere to the graph, as `paste` does."""
        if not is_known(mime) and not mime.text().strip():
            self.refused.emit(self.tr("Nothing was pasted"), self.tr("The clipboard holds no tasks."))
            return False
        try:
            snippet = snippet_in(mime)
        except PlanError as error:
            self.refused.emit(self.tr("Nothing was pasted"), _first(error))
            return False
        return self._put(snippet, self.tr("Paste %1"), with_outside=with_outside)

    def duplicate(self, *, with_outside: bool = False) -> bool:
        """Add copies of the selected tasks to the graph, without the clipboard; returns whether that was asked for."""
        facts, chosen = self._editor.facts(), self._chosen()
        if facts is None or not chosen:
            return False
        return self._put(snippet_of(facts, chosen), self.tr("Duplicate %1"), with_outside=with_outside)

    def _put(self, snippet: Snippet, label: str, *, with_outside: bool) -> bool:
        facts = self._editor.facts()
        if facts is None or not snippet.tasks:
            return False
        edits = pasted(snippet, facts, with_outside=with_outside, waiting=self._is_of_run)
        verdict = self._editor.verdict(edits)
        if not verdict.ok:
            self.refused.emit(self.tr("Nothing was pasted"), f"{verdict.reason} {verdict.hint}".strip())
            return False
        what = snippet.tasks[0].title if len(snippet.tasks) == 1 else tasks(len(snippet.tasks))
        is_foreign = not _all_there(snippet, facts)
        self._editor.do(Step(label=fill(label, what), edits=edits, is_foreign=is_foreign))
        self._awaiting.select(added_ids(edits))
        return True

    def _chosen(self) -> list[int]:
        """The selected tasks that are still there."""
        facts = self._editor.facts()
        if facts is None:
            return []
        graph = facts.graph
        return [
            number
            for number in sorted(self._selection.now.numbers)
            if number < len(graph.tasks) and graph.tasks[number] is not None
        ]


def _all_there(snippet: Snippet, facts: RunFacts) -> bool:
    """Whether all that copied tasks would run is in a graph already."""
    there = [task for task in facts.graph.tasks if task is not None]
    return {work_of(task) for task in snippet.tasks} <= {work_of(task) for task in there}


def _named(facts: RunFacts, numbers: Collection[int]) -> str:
    """The title of a single task, or the number of several."""
    if len(numbers) > 1:
        return tasks(len(numbers))
    return facts.graph.names.title(next(iter(numbers)))


def _on_clipboard() -> QMimeData:
    """The content of the clipboard; some systems raise an error while it is empty."""
    found: QMimeData | None = QGuiApplication.clipboard().mimeData()
    return found if found is not None else QMimeData()


def _first(error: PlanError) -> str:
    """An error as one sentence or two; of several problems the first."""
    return str(error.problems[0])
