"""The end that is foreseen in words: it is never told as a bound, and not at all where nothing tells it."""

from __future__ import annotations

from dataclasses import replace

from tests.gui.canvas.runs import NOW, firmware
from tests.gui.shell.test_header_and_status import WALL, counted, foreseen

from starloom.foresight.projection import Certainty
from starloom.model.status import RunState
from starloom.scheduling.read.run_view import RunView
from starloom_gui.viewmodel.figures import Figures, figures_of, finish_words


def test_a_paused_run_says_how_long_it_takes_from_when_it_goes_on_and_no_hour() -> None:
    figures = Figures(state=RunState.PAUSED, counts=counted(), finish=1090.0, wall=1000.0)
    assert finish_words(figures) == ("To go", "1:30", "")
    assert finish_words(replace(figures, is_least=True)) == ("To go about", "1:30", "or longer")
    figures = replace(figures, state=RunState.READY, is_least=True)
    assert finish_words(figures) == ("Takes about", "1:30", "or longer")


def test_an_end_at_once_is_not_told_where_what_has_no_estimate_counts_as_nothing() -> None:
    run = firmware()
    near = foreseen(certainty=Certainty.LOWER_BOUND, end=NOW + 0.5)
    assert finish_words(figures_of(RunView(run), NOW, WALL, near)) == ("Finish", "", "no estimate")
    passed = foreseen(certainty=Certainty.LOWER_BOUND, end=NOW + 2)
    assert finish_words(figures_of(RunView(run), NOW + 5, WALL + 5, passed)) == ("Finish", "", "no estimate")


def test_of_a_past_moment_no_finish_is_told_and_not_that_nobody_knew_it() -> None:
    run = firmware()
    past = figures_of(RunView(run), NOW, WALL, is_past=True)
    assert finish_words(past) == ("", "", "")
    assert finish_words(figures_of(RunView(run), NOW, WALL)) == ("Finish", "", "no estimate")
    assert finish_words(replace(past, state=RunState.COMPLETED, finish=WALL))[0] == "Ended", "what has happened by then"
