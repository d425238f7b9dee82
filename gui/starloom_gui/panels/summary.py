"""The inspector's summary where no single task is selected: counts by status of the run or the selection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from starloom.scheduling.read.summary import elapsed
from starloom_gui.panels.sections import Section
from starloom_gui.panels.waiting import count_of
from starloom_gui.text.words import amount, clock, fill, translate
from starloom_gui.theme.forms import HOLLOW, hatch, ink_of
from starloom_gui.theme.metrics import ROW
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.figures import figures_of, finish_words, state_words
from starloom_gui.viewmodel.status_forms import form_word
from starloom_gui.widgets.controls import Elided, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QLabel

    from starloom.foresight.projection import Projection
    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.theme.palette import Palette

_ORDER: Final = (
    StatusForm.COMPLETED,
    StatusForm.FAILED,
    StatusForm.WARNED,
    StatusForm.CANCELLED,
    StatusForm.SKIPPED,
    StatusForm.RUNNING,
    StatusForm.PENDING,
    StatusForm.WAITING,
)
"""Forms as a stacked bar has them: what has ended at the left."""


def run_standing(run: RunView, now: float) -> str:
    """The run's state and its elapsed time: `Executing · 3:36`."""
    word = state_words(figures_of(run, now, 0.0, waits=count_of(run)))
    passed = elapsed(run.facts, now)
    return word if passed is None else fill(translate("Inspector", "%1 · %2"), word, clock(passed))


def finish_of(run: RunView, projection: Projection | None) -> tuple[str, str] | None:
    """The label and time of the projected end, as the header has both; None: it is unknown."""
    if projection is None or run.state.has_ended:
        return None
    figures = figures_of(run, projection.at, run.wall(projection.at), projection)
    name, hour, spread = finish_words(figures)
    return (name, f"{hour} {spread}".rstrip()) if hour else None


class StackedBar(QWidget):
    """Counts by status side by side; each status that occurs is at least two pixels wide."""

    def __init__(self, counts: Sequence[int], colours: Callable[[], Palette]) -> None:
        super().__init__()
        self._counts, self._colours = tuple(counts), colours
        self.setFixedHeight(6)

    def show_counts(self, counts: Sequence[int]) -> None:
        """Show other counts."""
        if tuple(counts) != self._counts:
            self._counts = tuple(counts)
            self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        palette, total = self._colours(), sum(self._counts)
        painter.fillRect(self.rect(), colour(palette.raised))
        left, room = 0.0, self.width() - 2.0 * sum(count > 0 for count in self._counts)
        for form in _ORDER:
            count = self._counts[form]
            if not count:
                continue
            wide = 2 + room * count / total
            part, ink = QRectF(left, 0, wide, self.height()), ink_of(form, palette).shape
            if form in HOLLOW:
                hatch(painter, part, palette.raised if form == StatusForm.WAITING else ink, 1.0, 4.0)
            else:
                painter.fillRect(part, colour(ink))
            left += wide
        painter.end()


class CountsSection(Section):
    """The counts by status and further figures of a run.

    While a run goes on they change with every frame: rows stay as they are, and only say something else.
    """

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__(colours)
        self._bar: StackedBar | None = None
        self._said: list[QLabel] = []

    def show_counts(self, title: str, counts: Sequence[int], facts: Sequence[tuple[str, str]] = ()) -> None:
        """Show the counts by form; zeros are left out."""
        self.title(title)
        forms = tuple(form for form in _ORDER if counts[form])
        if self.has_new(forms, tuple(label for label, _ in facts)):
            self._make_rows(counts, forms, facts)
        if self._bar is not None:
            self._bar.show_counts(counts)
        words = [*(amount(counts[form]) for form in forms), *(value for _, value in facts)]
        for label, said in zip(self._said, words, strict=True):
            label.setText(said)

    def _make_rows(self, counts: Sequence[int], forms: Sequence[StatusForm], facts: Sequence[tuple[str, str]]) -> None:
        self._bar, self._said = None, []
        if forms:
            self._bar = StackedBar(counts, self.colours)
            self.rows.addSpacing(2)
            self.rows.addWidget(self._bar)
            self.rows.addSpacing(6)
        column = QVBoxLayout()
        column.setSpacing(0)
        for form in forms:
            self._add_row(column, self.status_mark(form), Elided(form_word(form), ends=True))
        for label, _ in facts:
            self._add_row(column, None, Elided(label, look="muted", ends=True))
        self.rows.addLayout(column)

    def _add_row(self, column: QVBoxLayout, mark: QWidget | None, name: QLabel) -> None:
        """A row with a place for what it will say; what it takes of the width is no other row's."""
        row = QHBoxLayout()
        row.addStrut(ROW)
        row.setSpacing(8)
        if mark is not None:
            row.addWidget(mark)
        row.addWidget(name, 1)
        self._said.append(text(wraps=False))
        row.addWidget(self._said[-1])
        column.addLayout(row)
