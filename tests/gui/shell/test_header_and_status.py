"""The run's header and the status bar: what they say follows from values alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QToolButton
from tests.gui.canvas.runs import NOW, firmware
from typing_extensions import override

from starloom.foresight.projection import Certainty, Projection
from starloom.model.status import RunState
from starloom_gui.bridge.health import Health
from starloom_gui.shell.figures import Figures, elapsed_words, figures_of, finish_words
from starloom_gui.shell.run_header import CHIP_OF, RunHeader, Tab, said
from starloom_gui.shell.status_bar import ConsoleStatusBar
from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.chips import ORDER, segments
from starloom_gui.words import time_of_day

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget

    from starloom_gui.theme.appearance import Appearance

WALL = 1_800_000_000.0


def foreseen(**fields: object) -> Projection:
    known = {"run_id": "r", "at": NOW, "certainty": Certainty.EXPECTED, "end": NOW + 600, "p50": NOW + 620}
    known |= {"p90": NOW + 680, "samples": 50, "tasks": {}, "devices": {}, "path": (), "skipped": (), "failing": ()}
    return Projection(**(known | {"unestimated": 0, "unforeseen": 0, "remarks": ()} | fields))  # type: ignore[arg-type]


def drawn(widget: QWidget, ratio: float = 1.0) -> QImage:
    image = QImage(widget.size() * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(0xFF00FF)
    widget.render(image)
    return image


class Requests(QObject):
    """How often a widget was to be laid out anew."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


def test_figures_are_read_from_the_facts_and_the_projection():
    run = firmware()
    figures = figures_of(run, NOW, WALL, foreseen())
    assert sum(figures.counts) == len(run.graph)
    assert figures.counts[CHIP_OF[RunState.EXECUTING]] == 5
    assert figures.finish == WALL + 620
    assert figures.spread == 60
    assert finish_words(figures) == ("Finish", time_of_day(WALL + 620)[:5], "± 1 min")


def test_an_end_nobody_knows_is_not_made_up():
    run = firmware()
    unknown = figures_of(run, NOW, WALL, foreseen(certainty=Certainty.UNKNOWN, end=None, p50=None, p90=None))
    assert finish_words(unknown) == finish_words(figures_of(run, NOW, WALL)) == ("Finish", "", "no estimate")
    least = figures_of(run, NOW, WALL, foreseen(certainty=Certainty.LOWER_BOUND))
    assert finish_words(least)[0] == "Not before"


def test_a_run_that_is_over_says_when_it_ended_and_its_time_stands_still():
    run = firmware()
    run.run_started_at, run.run_ended_at, run.state = 100.0, 400.0, RunState.COMPLETED
    figures = figures_of(run, NOW, WALL)
    assert elapsed_words(figures) == elapsed_words(figures_of(run, NOW + 9, WALL + 9)) == ("Elapsed", "5:00")
    assert finish_words(figures) == ("Ended", time_of_day(WALL + 400 - NOW)[:5], "")


@given(st.lists(st.integers(0, 10_000), min_size=7, max_size=7), st.floats(60, 400))
def test_a_stacked_bar_leaves_no_status_out_and_fills_its_width(counts: list[int], width: float):
    parts = segments(counts, width)
    assert {code for code, _, _ in parts} == {code for code in ORDER if counts[code]}
    if parts:
        assert sum(wide for _, _, wide in parts) == pytest.approx(width)
        assert min(wide for _, _, wide in parts) >= 3
        assert [left for _, left, _ in parts][1:] == pytest.approx([left + wide for _, left, wide in parts][:-1])


def header(appearance: Appearance, figures: Figures, width: int = 1440) -> RunHeader:
    made = RunHeader(appearance)
    made.resize(width, 32)
    made.tabs.show_tabs([Tab("f", "firmware", is_dirty=True), Tab("r", "Run 12", is_run=True)], "r")
    made.line.show_figures(figures)
    made.show()
    return made


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_a_new_header_paints_the_same_picture(appearance: Appearance, theme: Theme, ratio: float):
    appearance.choose(theme)
    figures = figures_of(firmware(), NOW, WALL, foreseen())
    old = header(appearance, replace(figures, state=RunState.PAUSED))
    before = drawn(old.line, ratio)
    old.line.show_figures(figures)
    assert drawn(old.line, ratio) != before
    new = header(appearance, figures)
    assert drawn(old.line, ratio) == drawn(new.line, ratio)


def test_a_change_of_theme_repaints_the_header(appearance: Appearance):
    made = header(appearance, figures_of(firmware(), NOW, WALL))
    light = drawn(made)
    appearance.choose(Theme.DARK)
    assert drawn(made) != light
    appearance.choose(Theme.LIGHT)
    assert drawn(made) == light


def test_the_header_says_everything_in_words(appearance: Appearance):
    figures = figures_of(firmware(), NOW, WALL, foreseen())
    made = header(appearance, figures)
    text = made.line.accessibleDescription()
    assert text == said(figures)
    assert "5 running" in text
    assert "1 failed" in text


def test_tabs_leave_room_for_the_run_however_many_and_long_they_are(appearance: Appearance):
    made = header(appearance, figures_of(firmware(), NOW, WALL), width=1000)
    many = [Tab("f", "f" * 200), *(Tab(f"{n}", f"nightly build {n}") for n in range(12))]
    made.tabs.show_tabs(many, "f")
    layout = made.layout()
    assert layout is not None
    layout.activate()
    assert made.tabs.tabRect(0).width() <= 240
    assert made.line.width() >= made.line.minimumSizeHint().width()
    assert made.tabs.width() + made.line.width() == 1000


def test_tabs_tell_what_the_user_chose_and_nothing_else(appearance: Appearance):
    made = header(appearance, figures_of(firmware(), NOW, WALL))
    chosen: list[str] = []
    closing: list[str] = []
    made.tabs.chosen.connect(chosen.append)
    made.tabs.close_asked.connect(closing.append)
    made.tabs.show_tabs([Tab("f", "firmware"), Tab("r", "Run 12", is_run=True), Tab("s", "Run 13", is_run=True)], "s")
    assert (made.tabs.currentIndex(), chosen) == (2, [])
    made.tabs.setCurrentIndex(0)
    close = made.tabs.tabButton(1, made.tabs.ButtonPosition.RightSide)
    assert isinstance(close, QToolButton)
    close.click()
    assert (chosen, closing, made.tabs.count()) == (["f"], ["r"], 3)
    made.tabs.show_tabs([Tab("f", "firmware", is_dirty=True)], "f")
    assert [made.tabs.tabText(index) for index in range(made.tabs.count())] == ["firmware *"]


def test_the_status_bar_shows_what_the_bridge_measures(appearance: Appearance):
    bar = ConsoleStatusBar(appearance)
    bar.show()
    assert not any(label.isVisible() for label in bar._figures)
    bar.show_health(Health(backlog=12_345, frame=0.0064, lag=0.0021))
    assert [label.text() for label in bar._figures] == ["backlog 12,345", "frame 6 ms", "loop 2 ms"]
    bar.show_event("a failed", WALL)
    assert bar.last.accessibleName() == f"{time_of_day(WALL)} a failed"


def test_figures_that_change_lay_nothing_out(appearance: Appearance, app: QApplication):
    bar = ConsoleStatusBar(appearance)
    bar.show()
    bar.show_health(Health(backlog=12_345, frame=0.0064))
    app.processEvents()
    asked, wide = Requests(bar), [label.width() for label in bar._figures]
    bar.show_health(Health(backlog=7, frame=0.0164, lag=0.001))
    app.processEvents()
    assert asked.count == 1, "12 to 16 ms needs more room than 6 did"
    bar.show_health(Health(backlog=8, frame=0.0121))
    app.processEvents()
    assert asked.count == 1
    assert bar._figures[0].width() == wide[0]


def test_problems_are_there_only_while_there_are_any(appearance: Appearance):
    bar = ConsoleStatusBar(appearance)
    bar.show()
    asked: list[bool] = []
    bar.problems_asked.connect(lambda: asked.append(True))
    assert not bar.problems.isVisible()
    bar.show_problems(2)
    assert bar.problems.isVisible()
    assert bar.problems.accessibleName().startswith("2 ")
    bar.problems.click()
    assert asked == [True]
    bar.show_problems(0)
    assert not bar.problems.isVisible()
