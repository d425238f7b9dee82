"""The effect of staged edits: on the finish, on the critical path, and what was checked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.panels.changes_rows import ARROW
from starloom_gui.panels.sections import BLOCKED, DrawnMark, Section
from starloom_gui.text.words import ago, amount, fill, tip
from starloom_gui.theme import glyphs
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import ROW
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.widgets.controls import Elided, ElidedButton, button, mark, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QLabel

    from starloom_gui.editing.effect_words import EffectCheck, EffectFigure
    from starloom_gui.theme.palette import Palette

_LEAST_AGO: Final = 2.0
_MOST_STEPS: Final = 8
_MORE_STEPS: Final = 40
"""So many steps are listed at first, and so many more each time somebody asks for more."""


class Arrow(QWidget):
    """An arrow between the value now and the value after the edits."""

    def __init__(self, colours: Callable[[], Palette], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colours = colours
        self.setFixedSize(16, 16)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ARROW.paint(painter, QRectF(self.rect()), colour(self._colours().muted))
        painter.end()


class EffectSection(Section):
    """The figures before and after the staged edits."""

    def show_figures(self, figures: Sequence[EffectFigure], age: float | None, *, is_known: bool) -> None:
        """Show these.

        Args:
            figures: what changes.
            age: seconds since that was foreseen; None: it is being foreseen.
            is_known: whether anything can be foreseen at all.
        """
        aside = "" if age is None else self._age(age)
        self.title(self.tr("Effect"), aside)
        if not self.has_new(tuple(figures), is_known):
            return
        if not figures:
            note = self.tr("Foreseeing…") if is_known else self.tr("Nothing can be foreseen of these changes.")
            self.rows.addWidget(text(note, Role.SMALL, "muted"))
            return
        afters = [text(figure.after, wraps=not figure.before) for figure in figures]
        wide = max((after.sizeHint().width() for after in afters if not after.wordWrap()), default=0)
        for figure, after in zip(figures, afters, strict=True):
            self._row(figure, after, wide)

    def _age(self, age: float) -> str:
        return fill(self.tr("Projected %1 ago"), ago(age)) if age >= _LEAST_AGO else self.tr("Projected just now")

    def _row(self, figure: EffectFigure, after: QLabel, wide: int) -> None:
        """A row whose arrow stands above that of the next one, and whose name has all that its own figures leave."""
        row = QHBoxLayout()
        row.addStrut(ROW + 2)
        row.setSpacing(4)
        row.addWidget(Elided(figure.name, look="muted", ends=True), 1)
        after.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if figure.before:
            row.addWidget(text(figure.before, look="muted", wraps=False))
            row.addWidget(Arrow(self.colours))
            after.setMinimumWidth(wide)
        row.addWidget(after, 0 if figure.before else 2)
        self.rows.addLayout(row)


class PathSection(Section):
    """The critical path before and after the staged edits."""

    def show_paths(self, before: Sequence[str], after: Sequence[str]) -> None:
        """Show these; the part is hidden where neither is known."""
        self.setVisible(bool(before or after))
        self.title(self.tr("Critical path"))
        if not self.has_new(tuple(before), tuple(after)):
            return
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, 44)
        for at, (name, path, look) in enumerate(((self.tr("Before"), before, "muted"), (self.tr("After"), after, ""))):
            grid.addWidget(text(name, Role.SMALL, "muted", wraps=False), at, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(text(_cut(path) or self.tr("unknown"), Role.SMALL, look), at, 1)
        self.rows.addLayout(grid)


def _cut(steps: Sequence[str]) -> str:
    """A path with its middle left out, if it has too many tasks."""
    if len(steps) <= _MOST_STEPS:
        return ", ".join(steps)
    half = _MOST_STEPS // 2
    return ", ".join([*steps[:half], "…", *steps[-half:]])


class ChecksSection(Section):
    """The results of the checks of the staged edits."""

    def show_checks(self, checks: Sequence[EffectCheck]) -> None:
        """Show these."""
        self.title(self.tr("Checks"))
        if not self.has_new(tuple(checks)):
            return
        palette = self.colours()
        for check in checks:
            row = QHBoxLayout()
            row.setContentsMargins(0, 3, 0, 3)
            row.setSpacing(8)
            tick = glyphs.STATUS[StatusForm.COMPLETED], palette.status[StatusForm.COMPLETED].text
            sign = DrawnMark(*(tick if check.ok else (BLOCKED, palette.text)))
            sign.setAccessibleName(self.tr("Fine") if check.ok else self.tr("Wrong"))
            row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(text(check.text), 1)
            self.rows.addLayout(row)


class HistorySection(Section):
    """The undo history, newest first; a click undoes or redoes up to there, past what cannot be undone.

    Signals:
        asked(int): how many steps are to hold.
    """

    asked = Signal(int)

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__(colours)
        self._most = _MOST_STEPS

    def show_history(self, steps: Sequence[tuple[str, str]], index: int, clean: int | None) -> None:
        """Show the last steps; a button shows more.

        Args:
            steps: the labels of all of them, oldest first, each with the reason why nothing takes it back, if so.
            index: how many of them hold; what nothing takes back holds, though undo has passed it.
            clean: how many held when everything was saved; None: that can't be come back to.
        """
        while index < len(steps) and steps[index][1]:
            index += 1
        self.setVisible(bool(steps))
        self.title(self.tr("History"))
        if not self.has_new(tuple(steps), index, clean, self._most):
            return
        first = max(0, len(steps) - self._most)
        for at in range(len(steps), first, -1):
            self.rows.addWidget(self._step(*steps[at - 1], at, index, saved=at == clean))
        if first:
            more = button(fill(self.tr("%1 earlier…"), amount(first)), height=24)
            mark(more, "verb")
            more.clicked.connect(partial(self._show_more, steps, index, clean))
            self.rows.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)
        self.rows.addWidget(self._step(self.tr("As it was at first"), "", 0, index, saved=clean == 0))

    def _show_more(self, steps: Sequence[tuple[str, str]], index: int, clean: int | None, _on: bool = False) -> None:
        self._most += _MORE_STEPS
        self.show_history(steps, index, clean)

    def _step(self, label: str, lasting: str, at: int, index: int, *, saved: bool) -> ElidedButton:
        said = fill(self.tr("%1 · saved"), label) if saved and at else label
        words = fill(self.tr("%1 · stays"), said) if lasting else said
        made = ElidedButton(ROW + 2)
        made.say(words)
        made.setAccessibleName(words)
        made.setIconSize(QSize(16, 16))
        mark(made, "here" if at == index else "undone" if at > index or lasting else "step")
        if at == index:
            made.setAccessibleDescription(self.tr("This is how things are now."))
        why = fill(self.tr("It cannot be taken back: %1.\nGo back or forth to here"), lasting)
        said = why if lasting else self.tr("Go back or forth to here")
        made.setToolTip(tip(f"{words}\n{said}"))
        made.clicked.connect(partial(self._ask, at))
        return made

    def _ask(self, at: int, _checked: bool = False) -> None:
        self.asked.emit(at)
