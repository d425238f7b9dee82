"""A run in which nothing goes on without the answer of an agent says so wherever it says how it stands."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from tests.driver import Driver, plan, task
from tests.gui.panels.fleets import ByHand
from tests.gui.timeline.scenes import projection

from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import RunView
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.gateway.changes import Changes
from starloom_gui.panels.overview import Overview
from starloom_gui.panels.summary import finish_of, run_standing
from starloom_gui.shell.document_tabs import DocumentTabs, tabs_of
from starloom_gui.shell.tab_bar import Tabs
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.figures import chip_of, figures_of, finish_words, state_words
from starloom_gui.viewmodel.selection import Selection

pytestmark = pytest.mark.usefixtures("app")
WAITS = "Waits for the answer of careful"


@pytest.fixture
def driver() -> Driver:
    """A run with two tasks that run at once, and an agent that is asked as they end."""
    driver = Driver(slots=2)
    driver.do(c.CreateRun(run_id="r", plan=plan([task("a", simulate=9.0), task("b", simulate=9.0)])))
    driver.do(c.AttachAgent(run_id="r", agent="careful"))
    driver.advance(1)
    return driver


def test_the_header_says_so_once_no_task_runs(driver: Driver) -> None:
    driver.end("a")
    run = RunView(driver.run())
    figures = figures_of(run, driver.now, 0.0, projection(driver.run(), {}, end=driver.now))
    assert state_words(figures) == "Executing", "b goes on"
    driver.end("b")
    figures = figures_of(run, driver.now, 0.0, projection(driver.run(), {}, end=driver.now))
    assert state_words(figures) == WAITS
    assert chip_of(figures) is StatusForm.PENDING
    assert finish_words(figures) == ("Finish", "", "no estimate")
    assert run_standing(run, driver.now).startswith(WAITS)
    assert finish_of(run, projection(driver.run(), {}, end=driver.now), driver.now) is None


def test_the_tab_says_so(driver: Driver) -> None:
    documents = OpenDocuments()
    documents.put_run("r", title="Run")
    for task_id, said in (("a", "executing"), ("b", "waits for the answer of careful")):
        driver.end(task_id)
        (tab,) = tabs_of(documents, lambda _: RunView(driver.run()))
        assert tab.says == said
    assert tab.form is StatusForm.PENDING


def test_the_tab_of_a_run_that_stands_still_has_the_glyph_of_its_header(appearance) -> None:
    driver = Driver()
    driver.create(plan([task("a", breakpoint=True), task("b", device="d")]))
    documents, run = OpenDocuments(), RunView(driver.run())
    documents.put_run("r", title="Run")
    bar = Tabs(appearance)
    shown = DocumentTabs(documents, bar, bar.chosen, lambda _: run)

    def told() -> tuple[str, StatusForm | None]:
        shown.on_changes(Changes(run_id="r", tasks=frozenset({0}), run=run.state.has_ended))
        assert bar._tabs[0].form is chip_of(figures_of(run, driver.now, 0.0))
        return bar._tabs[0].says, bar._tabs[0].form

    assert told() == ("executing", StatusForm.RUNNING)
    driver.end("b")
    said, form = told()
    assert said.startswith("at a breakpoint: ")
    assert form is StatusForm.PENDING
    driver.ask(c.ReleaseTasks, "a")
    assert told() == ("executing", StatusForm.RUNNING)
    driver.end("a")
    assert told()[1] is StatusForm.COMPLETED


def test_the_overview_says_so_in_place_of_what_decides_the_finish(driver: Driver, appearance) -> None:
    overview = Overview(lambda: appearance.palette, Selection(), ByHand(driver))
    around = QWidget()
    overview.speedups.setParent(around)
    for task_id in ("a", "b"):
        driver.end(task_id)
    overview.show_run(RunView(driver.run()), driver.now, projection(driver.run(), {}, end=driver.now), None)
    assert overview.speedups in overview.shown
    assert overview.speedups.none.text() == f"{WAITS}."
