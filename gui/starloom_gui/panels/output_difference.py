"""The dialog that shows the outputs of two attempts side by side, with what differs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy
from typing_extensions import override

from starloom_gui.event_loop import BackgroundTasks, async_slot
from starloom_gui.event_loop.background import in_background
from starloom_gui.panels.attempt_outputs import MOST_COMPARED, difference_of
from starloom_gui.panels.difference_text import DifferenceText
from starloom_gui.text.words import amount, fill, time_of_day
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import button, text
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.editor import FieldSpec, ValueType
from starloom_gui.widgets.editors import ChoiceEditor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from starloom_gui.panels.attempt_outputs import AttemptOutput, OutputDifference
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_WIDTH: Final = 880


class OutputDifferenceDialog(Dialog):
    """Two attempts of a task side by side; to be shown with `open()`.

    Attributes:
        sides: which attempts are compared.
        shown: the two outputs.
        next, previous, copy: the buttons.
        difference: what is shown; None: nothing yet.

    Args:
        appearance: the colours.
        outputs: of the attempts that can be compared.
        chosen: the places of the two that are compared first.
        parent: the window it stands over.
    """

    def __init__(
        self, appearance: Appearance, outputs: Sequence[AttemptOutput], chosen: tuple[int, int], parent: QWidget | None
    ) -> None:
        super().__init__(appearance, self.tr("Compare outputs"), "", width=_WIDTH, parent=parent)
        self._outputs = outputs
        self._asked = 0
        self.background_tasks = BackgroundTasks("console: difference of outputs")
        self.difference: OutputDifference | None = None
        choices = tuple((at, one.name) for at, one in enumerate(outputs))
        names = (("left", self.tr("Left")), ("right", self.tr("Right")))
        self.sides = tuple(
            ChoiceEditor(FieldSpec(name=key, label=name, sort=ValueType.CHOICE, choices=choices, is_long=True))
            for key, name in names
        )
        self.shown = DifferenceText(appearance)
        self._told = text(look="muted")
        self.previous, self.next, self.copy = button(""), button(""), button("")
        self._arrange_all()
        self._say()
        for side, place in zip(self.sides, chosen, strict=True):
            side.show_value(place)
            side.edited.connect(self.compare)
        self.apply_theme(appearance.palette)
        self.finished.connect(lambda _: self.background_tasks.cancel())
        self.compare()

    def _arrange_all(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(GAPS[2])
        for side in self.sides:
            top.addWidget(side, 1)
        self.body.addLayout(top)
        self._told.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._told.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.body.addWidget(self._told)
        self.body.addWidget(self.shown)
        for made, act in ((self.previous, -1), (self.next, 1)):
            made.clicked.connect(lambda *_, step=act: self.shown.go(step))
            self.aside.addWidget(made)
        self.copy.clicked.connect(self.copy_unified)
        self.aside.addWidget(self.copy)

    def _say(self) -> None:
        for made, words, key in (
            (self.previous, self.tr("Previous difference"), "Alt+Up"),
            (self.next, self.tr("Next difference"), "Alt+Down"),
            (self.copy, self.tr("Copy as unified diff"), "Ctrl+Shift+C"),
        ):
            made.setText(words)
            made.setShortcut(key)
            made.setToolTip(fill(self.tr("%1 (%2)"), words, made.shortcut().toString()))

    # ---- comparing

    @property
    def told(self) -> str:
        """The sentence over the two outputs."""
        return self._told.text()

    def compare(self) -> None:
        """Compare the chosen attempts, off the event loop; what was asked before is given up."""
        self._asked += 1
        self._wait()
        self._compare(self._asked)

    @async_slot()
    async def _compare(self, asked: int) -> None:
        before, after = (self._outputs[side.value()] for side in self.sides)
        try:
            found = await in_background(difference_of, before, after, lambda: asked != self._asked)
        except OSError as error:
            found, why = None, error.strerror or str(error)
        if asked != self._asked:
            return
        self.cancel.setText(self.tr("Close"))
        self.difference = found
        if found is None:
            self._told.setText(fill(self.tr("An output cannot be read: %1. Nothing is compared."), why))
            return
        left_out = self.shown.show_difference(found)
        self._told.setText(" ".join(self._sentences(found, left_out)))
        for made in (self.previous, self.next, self.copy):
            made.setEnabled(bool(found.spans))
        self.shown.setFocus()

    def _wait(self) -> None:
        self.difference = None
        self.shown.clear()
        self.cancel.setText(self.tr("Cancel"))
        self._told.setText(self.tr("Comparing…"))
        for made in (self.previous, self.next, self.copy):
            made.setEnabled(False)

    def _sentences(self, found: OutputDifference, left_out: int) -> list[str]:
        """The count of differences, and what was not compared or is not shown."""
        texts = (found.before, found.after)
        said = [self.tr("%n difference(s).", "", len(found.spans)) if found.spans else self.tr("Both are equal.")]
        if not any(one.lines for one in texts):
            said = [self.tr("Neither of the two has printed anything.")]
        if any(one.is_lost for one in texts):
            said.append(self.tr("A file is not there any more; of that output only its end was kept."))
        elif not all(one.is_whole for one in texts):
            said.append(
                fill(self.tr("Only the last %1 lines of each, at most 8 MiB, are compared."), amount(MOST_COMPARED))
            )
        if any(self._outputs[side.value()].is_running for side in self.sides):
            now = time_of_day(time.time())
            said.append(fill(self.tr("One of them still ran at %1; compare again to see what came since."), now))
        if left_out:
            said.append(fill(self.tr("%1 more rows are not shown; the copied diff has them."), amount(left_out)))
        return said

    def copy_unified(self) -> None:
        """Copy the difference as a unified diff."""
        if self.difference is not None:
            left, right = (self._outputs[side.value()].name for side in self.sides)
            QGuiApplication.clipboard().setText(self.difference.unified((left, right)))
            self.note(self.tr("Copied"))

    @override
    def done(self, result: int) -> None:
        self._asked += 1  # whatever is being compared is given up
        super().done(result)

    @override
    def apply_theme(self, palette: Palette) -> None:
        super().apply_theme(palette)
        for side in self.sides:
            side.apply_theme(palette)
        if self.difference is not None:
            self.shown.show_difference(self.difference)
