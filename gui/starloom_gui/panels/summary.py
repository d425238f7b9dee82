"""The inspector's summary where no single task is selected: counts by status of the run or the selection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout

from starloom.scheduling.read.summary import elapsed
from starloom_gui.panels.figure_rows import Figure, rows_in
from starloom_gui.panels.sections import Section
from starloom_gui.panels.waiting import count_of
from starloom_gui.text.words import amount, clock, fill, translate
from starloom_gui.theme.metrics import ROW
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.figures import figures_of, finish_words, state_words
from starloom_gui.viewmodel.status_forms import form_word
from starloom_gui.widgets.controls import Elided, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QLabel

    from starloom.foresight.projection import Projection
    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.theme.palette import Palette

_ORDER: Final = (
    StatusForm.COMPLETED,
    StatusForm.RUNNING,
    StatusForm.PENDING,
    StatusForm.WAITING,
    StatusForm.FAILED,
    StatusForm.WARNED,
    StatusForm.CANCELLED,
    StatusForm.SKIPPED,
)
"""Forms from top to bottom."""


def run_standing(run: RunView, now: float) -> str:
    """The run's state and its elapsed time: `Executing · 3:36`."""
    word = state_words(figures_of(run, now, 0.0, waits=count_of(run)))
    passed = elapsed(run.facts, now)
    return word if passed is None else fill(translate("Inspector", "%1 · %2"), word, clock(passed))


def finish_of(run: RunView, projection: Projection | None, now: float) -> tuple[str, str] | None:
    """The label and time of the projected end, as the header has both; None: it is unknown.

    Args:
        run: the run.
        projection: what is foreseen; None: nothing.
        now: seconds on the run's clock.
    """
    if projection is None or run.state.has_ended:
        return None
    figures = figures_of(run, now, run.wall(now), projection)
    name, hour, spread = finish_words(figures)
    return (name, f"{hour} {spread}".rstrip()) if hour else None


class CountsSection(Section):
    """The counts by status of a run, or of the selected tasks.

    While a run goes on they change with every frame: rows stay as they are, and only say something else. A status that
    no task has any more keeps its row, so that nothing moves.

    Signals:
        picked(StatusForm): the user wants to select the tasks of this status.
    """

    picked = Signal(object)

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__(colours)
        self._about: object = None
        self._seen: set[StatusForm] = set()
        self._forms: tuple[StatusForm, ...] = ()
        self.figures = rows_in(self)
        self.figures.chosen.connect(lambda at: self.picked.emit(self._forms[at]))

    def show_counts(self, title: str, counts: Sequence[int], about: object = None) -> None:
        """Show the counts by form; statuses that no task has had are left out.

        Args:
            title: the heading.
            counts: by form.
            about: what is counted; of something else no row is kept.
        """
        self.title(title)
        if about != self._about:
            self._about, self._seen = about, set()
        self._seen |= {form for form in _ORDER if counts[form]}
        self._forms = tuple(form for form in _ORDER if form in self._seen)
        most = max((counts[form] for form in self._forms), default=0) or 1
        hint = self.tr("Select these tasks")
        self.figures.show_figures(
            [
                Figure(
                    name=form_word(form),
                    value=amount(counts[form]),
                    form=form,
                    share=counts[form] / most,
                    hint=hint,
                    refused="" if counts[form] else self.tr("No task stands so."),
                )
                for form in self._forms
            ]
        )


class FactsSection(Section):
    """Further figures of a run in rows of a name and a value each."""

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__(colours)
        self._said: list[QLabel] = []

    def show_facts(self, title: str, facts: Sequence[tuple[str, str]]) -> None:
        """Show names and values; the rows stay while only the values are others."""
        self.title(title)
        if self.has_new(tuple(label for label, _ in facts)):
            self._said = []
            for label, _ in facts:
                self._add_row(Elided(label, look="muted", ends=True))
        for said, (_, value) in zip(self._said, facts, strict=True):
            said.setText(value)

    def _add_row(self, name: QLabel) -> None:
        """A row with a place for what it will say; what it takes of the width is no other row's."""
        row = QHBoxLayout()
        row.addStrut(ROW)
        row.setSpacing(8)
        row.addWidget(name, 1)
        self._said.append(text(wraps=False))
        row.addWidget(self._said[-1])
        self.rows.addLayout(row)
