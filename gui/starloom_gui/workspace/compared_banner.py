"""The banner over the canvas' top that shows the baseline of the graph, and the distance of the two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from starloom_gui.diff.plan_difference_words import counted, same_words
from starloom_gui.text.words import fill
from starloom_gui.widgets.banner import Banner

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.diff.plan_diff import PlanDiff
    from starloom_gui.editing.run_editor import RunEditor
    from starloom_gui.theme.appearance import Appearance


class ComparedBanner(Banner):
    """The banner of a comparison with a plan, hidden while edits are staged; its button ends the comparison.

    Args:
        over: the widget over whose top it lies.
        against: the comparison.
        editor: of the run.
        appearance: the colours.
    """

    def __init__(self, over: QWidget, against: PlanDiff, editor: RunEditor, appearance: Appearance) -> None:
        super().__init__(over, appearance)
        self._against, self._editor = against, editor
        self.back.clicked.connect(against.stop)
        against.changed.connect(self.refresh)
        editor.changed.connect(self.refresh)

    @override
    def refresh(self, *_: object) -> None:
        """Update the whole banner."""
        beside, apart = self._against.beside, self._against.apart
        if beside is None or self._editor.steps:
            self.hide()
            return
        title = fill(self.tr("Compared with “%1”"), beside.title)
        said = (counted(apart.found) or same_words()) if apart is not None else self.tr("Comparing…")
        self.say(title, said, self.tr("Done"), self.tr("Compare no more (Escape)"))
