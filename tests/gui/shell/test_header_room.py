"""What of a run there is in its header where there is little room."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QToolButton
from tests.gui.canvas.runs import NOW, firmware
from tests.gui.shell.test_header_and_status import WALL, counted, drawn, foreseen, header
from typing_extensions import override

from starloom.model.status import RunState
from starloom.scheduling.read.run_view import RunView
from starloom_gui.shell import run_header
from starloom_gui.shell.run_header import RunHeader
from starloom_gui.shell.tab_bar import Tab
from starloom_gui.text.words import time_of_day
from starloom_gui.theme.chips import ORDER
from starloom_gui.viewmodel.figures import Figures, elapsed_words, figures_of, finish_words
from starloom_gui.viewmodel.status_forms import form_word

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance


def test_counts_are_there_before_times_and_bar_where_tabs_leave_little_room(appearance: Appearance):
    figures = figures_of(RunView(firmware()), NOW, WALL, foreseen())
    made = header(appearance, figures, width=1000)
    made.tabs.show_tabs([Tab(f"{n}", f"nightly build {n}", is_run=True) for n in range(12)], "3")
    layout = made.layout()
    assert layout is not None
    layout.activate()
    drawn(made)
    counts = {form_word(code): figures.counts[code] for code in ORDER if figures.counts[code]}
    shown = dict(text.split(": ") for _, text in made.line._spots if text.split(": ")[0] in counts)
    assert {word: int(count) for word, count in shown.items()} == counts


@pytest.mark.parametrize(("width", "has_elapsed"), [(1440, True), (1100, False)])
def test_many_tabs_leave_room_for_the_times(
    appearance: Appearance, monkeypatch: pytest.MonkeyPatch, width: int, has_elapsed: bool
) -> None:
    figures = figures_of(RunView(firmware()), NOW, WALL, foreseen())
    texts: list[str] = []

    class Recorded(QPainter):
        @override
        def drawText(self, *what: Any) -> None:  # type: ignore[override]
            texts.append(what[-1])

    made = header(appearance, figures, width=width)
    made.tabs.show_tabs([Tab(f"{n}", f"nightly build {n}", is_run=True) for n in range(12)], "3")
    layout = made.layout()
    assert layout is not None
    layout.activate()
    monkeypatch.setattr(run_header, "QPainter", Recorded)
    drawn(made)
    assert finish_words(figures)[1] in texts
    assert (elapsed_words(figures)[1] in texts) is has_elapsed, "seven counts, and tabs, need the room"


def test_how_sure_the_finish_is_never_stands_without_the_finish(
    appearance: Appearance, monkeypatch: pytest.MonkeyPatch
):
    figures = figures_of(RunView(firmware()), NOW, WALL, foreseen())
    label, finish, spread = finish_words(figures)
    about = finish_words(figures, short=True)[0]
    passed, elapsed = elapsed_words(figures)
    assert spread
    texts: list[str] = []

    class Recorded(QPainter):
        @override
        def drawText(self, *what: Any) -> None:  # type: ignore[override]
            texts.append(what[-1])

    monkeypatch.setattr(run_header, "QPainter", Recorded)
    seen: set[tuple[str, ...]] = set()
    for width in range(200, 1000, 5):
        texts.clear()
        drawn(header(appearance, figures, width=width))
        seen.add(tuple(text for text in texts if text in (spread, finish, label, about, elapsed, passed)))
    whole = (spread, finish, label, elapsed, passed)
    both = (finish, about, elapsed, passed)
    assert seen == {(), (finish, about), both, whole}, "how uncertain it is goes before the time that has passed"


def test_a_finish_that_is_sure_is_told_as_sure_where_there_is_little_room() -> None:
    figures = figures_of(RunView(firmware()), NOW, WALL, foreseen(p90=NOW + 600))
    assert finish_words(figures, short=True) == finish_words(figures) == ("Finish", time_of_day(WALL + 600)[:5], "")
    least = replace(figures, is_least=True)
    assert finish_words(least, short=True) == ("Finish about", time_of_day(WALL + 600)[:5] + "+", "")
    paused = replace(figures, state=RunState.PAUSED, spread=80.0)
    assert finish_words(paused, short=True)[0] == "To go about"


def test_tabs_for_which_there_is_room_do_not_scroll(appearance: Appearance, qtbot: QtBot):
    made = RunHeader(appearance)
    made.resize(1200, made.height())
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    for names in (["mine"], ["mine", "crit"], ["mine", "crit", "a", "il"]):
        made.tabs.show_tabs([Tab(name, name) for name in names], names[-1])
        qtbot.waitUntil(lambda: made.tabs.width() >= made.tabs.sizeHint().width())
        arrows = [button for button in made.tabs.findChildren(QToolButton) if "Scroll" in button.objectName()]
        assert arrows
        assert not any(button.isVisible() for button in arrows)


@pytest.mark.parametrize(("spread", "said_as"), [(0.4, ""), (8, "± 8 s"), (59, "± 59 s"), (80, "± 1 min")])
def test_an_end_is_told_to_the_second_where_its_uncertainty_is(spread: float, said_as: str) -> None:
    figures = Figures(state=RunState.EXECUTING, counts=counted(), finish=WALL + 600, spread=spread, wall=WALL)
    _, at, about = finish_words(figures)
    assert about == said_as
    assert at == time_of_day(WALL + 600)[: 8 if said_as.endswith(" s") else 5]


def test_that_a_run_has_not_begun_is_said_once(app: QApplication) -> None:
    run = firmware()
    run.run_started_at, run.state = None, RunState.READY
    figures = figures_of(RunView(run), NOW, WALL)
    assert elapsed_words(figures) == ("", "")
    assert run_header.said(figures).count("Not started") == 1
