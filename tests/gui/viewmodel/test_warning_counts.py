"""A failure that is a warning is counted as one wherever counts are shown, and painted as one wherever it is marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication
from tests.driver import Driver, plan, task
from tests.gui.gateway.driven_bridge import DrivenBridge
from tests.gui.looks import looks
from tests.gui.panels.shown_tasks import Shown

from starloom.scheduling.read.run_view import RunView, TaskView
from starloom_gui.gateway.event_log import EventLog
from starloom_gui.models.event_table import EventTable
from starloom_gui.models.task_filter import TaskFilter
from starloom_gui.panels.events import EventsPane
from starloom_gui.panels.summary import CountsSection
from starloom_gui.panels.task_facts import attempts_of
from starloom_gui.shell.run_header import RunLine, said
from starloom_gui.shell.status_bar import ConsoleStatusBar
from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.figures import figures_of, state_words
from starloom_gui.viewmodel.selection import Selection
from starloom_gui.viewmodel.status_forms import form_counts
from starloom_gui.viewmodel.task_fields import fields_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.appearance import Appearance

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture(params=[Theme.DARK, Theme.LIGHT])
def appearance(app: QApplication, request: pytest.FixtureRequest) -> Iterator[Appearance]:
    with looks(app, request.param) as made:
        yield made


def failing(*severities: str) -> Driver:
    """As many tasks that have failed as there are severities, and one that is done."""
    made = Driver()
    made.create(plan([task("fine"), *(task(f"t{at}", severity=one) for at, one in enumerate(severities))]))
    made.advance(1.0)
    made.end("fine")
    for at in range(len(severities)):
        made.fail(f"t{at}")
    return made


def is_red(widget: QWidget, appearance: Appearance) -> bool:
    """Whether anything of it is painted in the hue of a failure."""
    widget.ensurePolished()
    image, ink = widget.grab().toImage(), appearance.palette.status[StatusForm.FAILED]
    reds = {colour(ink.shape).rgb(), colour(ink.text).rgb()}
    return any(image.pixel(x, y) in reds for x in range(image.width()) for y in range(image.height()))


def test_counts_tell_both_apart_in_a_run_and_among_some_of_its_tasks() -> None:
    run = failing("warning", "error", "warning").run()
    counts = form_counts(RunView(run))
    assert (counts[StatusForm.COMPLETED], counts[StatusForm.FAILED], counts[StatusForm.WARNED]) == (1, 1, 2)
    some = form_counts(RunView(run), [0, 1, 3])
    assert (some[StatusForm.COMPLETED], some[StatusForm.FAILED], some[StatusForm.WARNED]) == (1, 0, 2)


def test_the_header_says_and_paints_them_apart(appearance: Appearance) -> None:
    for severities, is_loud in ((("warning", "warning"), False), (("warning", "error"), True)):
        made = failing(*severities)
        figures = figures_of(RunView(made.run()), made.now, 0.0)
        line = RunLine(appearance)
        line.resize(900, line.height())
        line.show_figures(figures)
        assert is_red(line, appearance) is is_loud
        assert ("failed, a warning" in said(figures), "1 failed" in said(figures)) == (True, is_loud)
    assert state_words(figures_of(RunView(failing("warning").run()), 2.0, 0.0)).startswith("Done, 1 ")


@pytest.mark.parametrize(("severities", "rows"), [(("warning",), 2), (("warning", "error"), 3)])
def test_the_inspector_counts_them_in_a_row_of_their_own(
    appearance: Appearance, severities: tuple[str, ...], rows: int
) -> None:
    section = CountsSection(lambda: appearance.palette)
    section.show_counts("Tasks by status", form_counts(RunView(failing(*severities).run())))
    section.show()
    assert [row.figure.value for row in section.figures.shown] == ["1"] * rows
    assert is_red(section, appearance) is ("error" in severities)


def test_the_tasks_pane_counts_and_filters_what_it_shows(appearance: Appearance, app: QApplication) -> None:
    shown = Shown(appearance, app, failing("warning", "error"))
    chips = shown.bar.chips
    assert (chips[StatusForm.FAILED].count, chips[StatusForm.WARNED].count) == (1, 1)
    assert not is_red(chips[StatusForm.WARNED], appearance)
    assert "Failed, a warning" in chips[StatusForm.WARNED].accessibleName()
    for code, id in ((StatusForm.FAILED, "t1"), (StatusForm.WARNED, "t0")):
        shown.panel.show_filter(TaskFilter(forms=frozenset({code})))
        numbers = list(shown.table.numbers())
        assert [shown.driver.run().graph.ids[number] for number in numbers] == [id]
    shown.panel.show_failed()
    assert shown.table.rowCount() == 2, "all that failed, however bad it was"


def test_the_failed_task_one_looks_at_stays_and_else_the_first_that_is_no_warning_is_selected(
    appearance: Appearance, app: QApplication
) -> None:
    shown = Shown(appearance, app, failing("warning", "error", "error"))
    place = shown.driver.run().graph.place
    shown.selection.select(place["fine"])
    shown.panel.select_failed()
    assert shown.selection.now.numbers == {place["t1"]}
    shown.selection.select(place["t0"])
    shown.panel.select_failed()
    assert shown.selection.now.numbers == {place["t0"]}


def test_no_chip_is_there_for_warnings_where_there_are_none(appearance: Appearance, app: QApplication) -> None:
    shown = Shown(appearance, app, failing("error"))
    assert shown.bar.chips[StatusForm.FAILED].isVisible()
    assert not shown.bar.chips[StatusForm.WARNED].isVisible()


def test_an_attempt_of_the_inspector_is_marked_as_what_its_failure_was() -> None:
    run = failing("warning", "error").run()
    assert [attempts_of(TaskView(run, number), 2.0)[0][0].form for number in (0, 1, 2)] == [
        StatusForm.COMPLETED,
        StatusForm.WARNED,
        StatusForm.FAILED,
    ]


def test_the_event_of_a_warning_is_not_painted_as_a_failure(appearance: Appearance) -> None:
    for severity, is_loud in (("warning", False), ("error", True)):
        made = failing(severity)
        bridge = DrivenBridge(made)
        list(bridge.news())
        log = EventLog()
        for _, event in bridge.log.since(0):
            log.add(event)
        pane = EventsPane(appearance, Selection(), made.run, EventTable(log, lambda at: at, bridge.facts), "r")
        pane.resize(900, 300)
        pane.show()
        QApplication.processEvents()
        assert is_red(pane, appearance) is is_loud


def test_the_status_bar_calls_warnings_alone_no_problem(appearance: Appearance) -> None:
    bar = ConsoleStatusBar(appearance)
    bar.show()
    bar.show_problems(0, 2)
    assert bar.problems.isVisible()
    assert bar.problems.text().startswith("2 warning")
    assert not is_red(bar.problems, appearance)
    bar.show_problems(1, 2)
    assert bar.problems.text().startswith("1 problem")
    assert is_red(bar.problems, appearance)
    bar.show_problems(0, 0)
    assert not bar.problems.isVisible()


def test_the_inspector_says_what_a_failure_of_a_task_means() -> None:
    run = failing("warning", "error", "critical").run()
    said = [
        {one.label: one.text for one in fields_of(TaskView(run, number))}.get("A failure is") for number in range(4)
    ]
    assert said == ["error", "warning", "error", "critical"]
