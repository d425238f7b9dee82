"""What the window does about many tasks of the graph in front at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.bridge.verbs import Verdict
from starloom_gui.dialogs.find_replace import FindReplaceDialog
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.editing.seeking import Wanted

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.app import Console


class Reworking(QObject):
    """Carries out the verbs of `shell.graph_verbs`.

    Args:
        console: whose window it is.

    Attributes:
        verbs: what is done, by the keys of the verbs.
    """

    def __init__(self, console: Console) -> None:
        super().__init__(console.window)
        self._console = console
        self._wanted = Wanted()
        self.verbs: dict[str, Callable[[], object]] = {"replace": self.replace}

    def allow(self) -> None:
        """Say which verbs are possible now."""
        sheet = self._console.keeper.front
        nothing = Verdict(False, self.tr("Nothing is open."))
        open_to = nothing if sheet is None else sheet.source.barred or Verdict(True)
        self._console.actions.allow("replace", open_to)

    # ---- texts

    def replace(self) -> None:
        """Ask what is sought in the tasks in front, and what it is to be replaced by."""
        console, sheet = self._console, self._console.keeper.front
        if sheet is None or sheet.source.is_past:
            return
        source = sheet.source
        dialog = FindReplaceDialog(
            console.appearance,
            source.editor.facts,
            sheet.selection.now.numbers,
            source.asks,
            self._wanted,
            console.window,
        )
        if isinstance(source.editor, PlanEditor):
            source.editor.applied.connect(dialog.take)
        elif source.feed is not None:
            feed = source.feed(source.run_id, parent=dialog)
            feed.changed.connect(dialog.take)
            dialog.finished.connect(feed.close)
        dialog.finished.connect(lambda: self._note(dialog.wanted))
        dialog.open()

    def _note(self, wanted: Wanted) -> None:
        """What was sought last stands there the next time."""
        self._wanted = wanted
