"""The run's header and the status bar: what they say follows from values alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from tests.driver import Driver, plan, task
from tests.gui.canvas.runs import NOW, firmware
from typing_extensions import override

from starloom.foresight.projection import Certainty, Projection
from starloom.model.status import RunState
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.state.codes import CANCELLED, COMPLETED, PENDING, RUNNING
from starloom_gui.gateway.health import Health
from starloom_gui.panels.summary import finish_of, run_standing
from starloom_gui.shell.run_header import RunHeader, RunLine, said
from starloom_gui.shell.status_bar import ConsoleStatusBar
from starloom_gui.shell.tab_bar import Tab
from starloom_gui.shell.tool_bar import load_words
from starloom_gui.text.words import hour, time_of_day
from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.chips import ORDER, segments
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.figures import (
    Figures,
    Halt,
    chip_of,
    elapsed_words,
    figures_of,
    finish_words,
    state_words,
)

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
    figures = figures_of(RunView(run), NOW, WALL, foreseen())
    assert sum(figures.counts) == len(run.graph)
    assert figures.counts[StatusForm.RUNNING] == 5
    assert figures.finish == WALL + 600, "where the timeline's line stands"
    assert figures.spread == 80
    assert finish_words(figures) == ("Finish", time_of_day(WALL + 600)[:5], "± 1 min")


def test_an_end_nobody_knows_is_not_made_up():
    run = firmware()
    unknown = figures_of(RunView(run), NOW, WALL, foreseen(certainty=Certainty.UNKNOWN, end=None, p50=None, p90=None))
    assert finish_words(unknown) == finish_words(figures_of(RunView(run), NOW, WALL)) == ("Finish", "", "no estimate")
    least = figures_of(RunView(run), NOW, WALL, foreseen(certainty=Certainty.LOWER_BOUND))
    assert finish_words(least)[::2] == ("Finish about", "or later"), "what tasks took before is no bound of what comes"


def test_a_run_that_is_over_says_when_it_ended_and_its_time_stands_still():
    run = firmware()
    run.run_started_at, run.run_ended_at, run.state = 100.0, 400.0, RunState.COMPLETED
    figures = figures_of(RunView(run), NOW, WALL)
    assert elapsed_words(figures) == elapsed_words(figures_of(RunView(run), NOW + 9, WALL + 9)) == ("Elapsed", "5:00")
    assert finish_words(figures) == ("Ended", time_of_day(WALL + 400 - NOW)[:5], "")


def reopened() -> Driver:
    """A run that ended after 5 s, was idle for 1,000 s and has gone on for 2 s since."""
    driver = Driver()
    driver.create(plan("a"))
    driver.advance(5.0)
    driver.fail("a")
    driver.advance(1000.0)
    driver.ask(c.RetryTasks, "a")
    driver.advance(2.0)
    return driver


def test_what_has_elapsed_leaves_out_the_time_between_an_end_and_a_retry():
    driver = reopened()
    assert elapsed_words(figures_of(RunView(driver.run()), driver.now, WALL)) == ("Elapsed", "0:07")
    assert run_standing(RunView(driver.run()), driver.now) == "Executing · 0:07"


@pytest.mark.parametrize("state", [RunState.READY, RunState.PAUSED])
def test_a_forecast_of_what_stands_still_does_not_slide(state: RunState):
    run = firmware()
    run.state = state
    first = finish_words(figures_of(RunView(run), NOW, WALL, foreseen()))
    assert first[1] == "10:00"
    assert finish_words(figures_of(RunView(run), NOW + 300, WALL + 300, foreseen())) == first


@example(
    state=RunState.EXECUTING,
    certainty=Certainty.LOWER_BOUND,
    end=1.0,
    p50=None,
    spread=None,
    is_overdue=False,
    later=0.5,
)
@given(
    state=st.sampled_from([state for state in RunState if not state.has_ended]),
    certainty=st.sampled_from(Certainty),
    end=st.none() | st.floats(1, 1e6),
    p50=st.none() | st.floats(1, 1e6),
    spread=st.none() | st.floats(0, 1e5),
    is_overdue=st.booleans(),
    later=st.floats(0, 30),
)
def test_header_and_inspector_say_the_same_of_a_projection(
    state: RunState,
    certainty: Certainty,
    end: float | None,
    p50: float | None,
    spread: float | None,
    is_overdue: bool,
    later: float,
):
    run = firmware()
    run.state, run.sessions = state, [(NOW, WALL)]
    run.overdue = {0: 1.0} if is_overdue else {}
    p90 = None if p50 is None or spread is None else NOW + p50 + spread
    times = {"end": None if end is None else NOW + end, "p50": None if p50 is None else NOW + p50, "p90": p90}
    projection = foreseen(certainty=certainty, **times)
    name, hour_of_it, about = finish_words(figures_of(RunView(run), NOW + later, WALL + later, projection))
    shown = finish_of(RunView(run), projection, NOW + later)
    if shown is None:
        assert (name, hour_of_it, about) == ("Finish", "", "no estimate")
    else:
        assert shown == (name, f"{hour_of_it} {about}".rstrip())


@given(st.lists(st.integers(0, 10_000), min_size=len(StatusForm), max_size=len(StatusForm)), st.floats(60, 400))
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
    figures = figures_of(RunView(firmware()), NOW, WALL, foreseen())
    old = header(appearance, replace(figures, state=RunState.PAUSED))
    before = drawn(old.line, ratio)
    old.line.show_figures(figures)
    assert drawn(old.line, ratio) != before
    new = header(appearance, figures)
    assert drawn(old.line, ratio) == drawn(new.line, ratio)


def test_a_change_of_theme_repaints_the_header(appearance: Appearance):
    made = header(appearance, figures_of(RunView(firmware()), NOW, WALL))
    light = drawn(made)
    appearance.choose(Theme.DARK)
    assert drawn(made) != light
    appearance.choose(Theme.LIGHT)
    assert drawn(made) == light


def test_the_header_says_everything_in_words(appearance: Appearance):
    figures = figures_of(RunView(firmware()), NOW, WALL, foreseen())
    made = header(appearance, figures)
    text = made.line.accessibleDescription()
    assert text == said(figures)
    assert "5 running" in text
    assert "1 failed" in text


def test_tabs_leave_room_for_the_run_however_many_and_long_they_are(appearance: Appearance):
    made = header(appearance, figures_of(RunView(firmware()), NOW, WALL), width=1000)
    many = [Tab("f", "f" * 200), *(Tab(f"{n}", f"nightly build {n}") for n in range(12))]
    made.tabs.show_tabs(many, "f")
    layout = made.layout()
    assert layout is not None
    layout.activate()
    assert made.tabs.tabRect(0).width() <= 240
    assert made.line.width() >= made.line.minimumSizeHint().width()
    assert made.tabs.geometry().right() < made.line.x()
    assert made.line.geometry().right() == 999


def test_tabs_tell_what_the_user_chose_and_nothing_else(appearance: Appearance):
    made = header(appearance, figures_of(RunView(firmware()), NOW, WALL))
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
    bar.show_health(Health(backlog=12_345, frame=0.0064, lag=0.0021))
    assert not any(label.isVisible() for label in bar._figures), "only who asks for them sees them"
    bar.want_health(True)
    assert all(label.isVisible() for label in bar._figures)
    assert [label.text() for label in bar._figures] == ["backlog 12,345", "frame 6 ms", "loop 2 ms"]
    bar.show_event("a failed", WALL)
    assert bar.last.accessibleName() == f"{time_of_day(WALL)} a failed"


def test_figures_that_change_lay_nothing_out(appearance: Appearance, app: QApplication):
    bar = ConsoleStatusBar(appearance)
    bar.show()
    bar.want_health(True)
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


# ---- words and numbers that hold


@pytest.mark.parametrize(
    ("days", "said_as"),
    [(0, "14:02"), (1, "Tue 14:02"), (6, "Sun 14:02"), (7, "in 7 d"), (8, "in 8 d"), (-1, "Sun 14:02")],
)
def test_an_end_that_is_not_today_says_which_day_or_how_far_it_is(days: int, said_as: str) -> None:
    wall = datetime(2026, 11, 23, 14, 2).timestamp()  # noqa: DTZ001  # a Monday by the clock on the wall here
    assert hour(wall + days * 86_400, wall) == said_as
    figures = Figures(state=RunState.EXECUTING, counts=counted(), finish=wall + days * 86_400, wall=wall)
    assert finish_words(figures)[1] == said_as


def counted(**codes: int) -> tuple[int, ...]:
    names = ("waiting", "pending", "running", "completed", "failed", "cancelled", "skipped", "removed", "warned")
    return tuple(codes.get(name, 0) for name in names)


@pytest.mark.parametrize(
    ("figures", "words", "chip"),
    [
        (Figures(state=RunState.COMPLETED, counts=counted(completed=3, warned=1)), "Done, 1 warning(s)", COMPLETED),
        (Figures(state=RunState.COMPLETED, counts=counted(completed=3, cancelled=1)), "Done, 1 cancelled", CANCELLED),
        (Figures(state=RunState.EXECUTING, counts=counted(pending=1), waits=1), "Waits for you", PENDING),
        (Figures(state=RunState.EXECUTING, counts=counted(running=1), waits=1), "Executing, waits for you", RUNNING),
        (Figures(state=RunState.PAUSED, counts=counted(pending=1), waits=1), "Paused, waits for you", PENDING),
        (
            Figures(state=RunState.EXECUTING, counts=counted(pending=1), stalled="'a' is held", halt=Halt.HELD),
            "Waits for a release: 'a' is held",
            PENDING,
        ),
        (
            Figures(state=RunState.EXECUTING, counts=counted(pending=1), stalled="no device accepts"),
            "Nothing can start: no device accepts",
            PENDING,
        ),
    ],
)
def test_the_state_says_what_is_so_and_its_mark_is_neither_running_nor_done_where_that_is_not_so(
    figures: Figures, words: str, chip: int
) -> None:
    assert (state_words(figures), chip_of(figures)) == (words, chip)


def test_held_and_stopped_tasks_are_told_from_the_facts() -> None:
    for command, halt in (
        (c.HoldTasks(run_id="r", task_ids=("b",)), Halt.HELD),
        (c.SetBreakpoints(run_id="r", task_ids=("b",)), Halt.BREAKPOINT),
    ):
        driver = Driver(checked=False)
        run = driver.create(plan(["a", "b"], ["a>b"]))
        driver.do(command)
        assert figures_of(RunView(run), driver.now, WALL).halt is None, "a runs"
        driver.end("a")
        figures = figures_of(RunView(run), driver.now, WALL)
        assert (figures.halt, "'b'" in figures.stalled) == (halt, True)


@pytest.mark.parametrize("kind", [c.HoldTasks, c.SetBreakpoints])
def test_a_run_of_which_one_task_is_held_and_one_fits_no_device_is_not_called_held(kind: type[c.TasksCommand]) -> None:
    driver = Driver(checked=False)
    run = driver.create(plan([task("a"), task("b", requires=frozenset({"gpu"}))]), start=False)
    driver.do(kind(run_id="r", task_ids=("a",)))
    driver.do(c.StartRun(run_id="r"))
    words = state_words(figures_of(RunView(run), driver.now, WALL))
    assert words.startswith("Nothing can start: ")
    assert "; " in words


def test_drained_devices_are_told_as_the_reason_only_where_they_are() -> None:
    driver = Driver(checked=False, devices=("d", "e"))
    run = driver.create(plan([task("a"), task("b", device="d")], ["a>b"]))
    driver.do(c.DrainDevice(device_id="d"))
    driver.end("a")
    figures = figures_of(RunView(run), driver.now, WALL)
    assert state_words(figures) == f"Drained: {figures.stalled}"
    assert chip_of(figures) == PENDING
    driver.do(c.DisableDevice(device_id="d"))
    assert figures_of(RunView(run), driver.now, WALL).halt is None, "a disabled device takes nothing, drained or not"


def test_a_click_on_a_state_that_waits_asks_for_what_waits(appearance: Appearance) -> None:
    line, asked = RunLine(appearance), []
    line.waiting_asked.connect(lambda: asked.append(True))
    line.resize(700, 32)
    for waits in (0, 1):
        line.show_figures(Figures(state=RunState.EXECUTING, counts=counted(pending=1), waits=waits))
        line.grab()
        QTest.mouseClick(line, Qt.MouseButton.LeftButton, pos=QPoint(60, 16))
        assert len(asked) == waits


@pytest.mark.parametrize(
    ("running", "most", "said"), [(1, 2, "1 of 2"), (2, 2, "2 of 2"), (4, 2, "4, limit now 2"), (3, None, "3")]
)
def test_more_running_than_may_is_no_share(running: int, most: int | None, said: str) -> None:
    assert load_words(running, most) == said
