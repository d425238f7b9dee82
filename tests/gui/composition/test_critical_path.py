"""The critical path on the screen: what is foreseen while a run goes on, and once it has ended the one that was."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front, started
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.journal.recording import Recording
from starloom.model.device import DeviceSpec
from starloom.reporting.folding import build
from starloom_gui.timeline.card import card_of
from starloom_gui.timeline.spots import spot_of
from starloom_gui.workspace import looking_back

if TYPE_CHECKING:
    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console


def shaped() -> Plan:
    """Whichever of `a` and `b` ends last decides when `long` starts, and so the finish; the other one does not."""
    device = DeviceSpec(id="d", kind="simulated", slots=4)
    tasks = [task(name, simulate=0.02) for name in ("a", "b", "long", "end")]
    return replace(plan(tasks, ["a>long", "b>long", "long>end"]), name="shaped", devices=(device,))


def is_path(found: list[str]) -> bool:
    """Whether these tasks can have decided the finish."""
    return found in (["a", "long", "end"], ["b", "long", "end"])


def path_on_canvas(console: Console) -> list[str]:
    view = front(console)
    picture, run = view.canvas.graph.picture, view.reader.facts()
    if picture is None or run is None:
        return []
    return [run.graph.ids[int(picture.numbers[row])] for row in picture.path]


SIZES = pytest.mark.parametrize("many", [1, looking_back.MANY], ids=["in a thread", "at once"])


@SIZES
def test_after_the_end_the_path_that_was_is_shown_everywhere_and_is_the_report_s(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr(looking_back, "MANY", many)

    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, shaped())
            await until(lambda: orchestrator_of(console).run(tab.run_id).state.has_ended)
            await until(lambda: front(console).outlook.now.made is not None)
            await at_rest(console)
            assert is_path(path_on_canvas(console))
            path = path_on_canvas(console)
            view = front(console)
            run = view.reader.facts()
            assert run is not None
            model = view.timeline.model
            told = {}
            for number, _ in run.graph.present():
                spot = spot_of(model, number)
                assert spot is not None
                told[run.graph.ids[number]] = "On the critical path" in card_of(model, spot, view.reader.now())
            assert told == {name: name in path for name in ("a", "b", "long", "end")}
            inspector = view.views["inspector"].widget
            inspector.refresh()
            assert "Critical path, with slots" in [label.text() for label in inspector.findChildren(QLabel)]
            view.selection.select(run.graph.place["long"])
            await until(lambda: any("on the critical path" in one.text() for one in inspector.findChildren(QLabel)))
            travel = view.source.travel
            assert travel is not None
            travel.open()
            await travel.settled()
            recording = travel.recording
            assert isinstance(recording, Recording)
            report = build(tab.run_id, recording.events)
            assert [report.tasks[step.task].id for step in report.critical_path] == path

    desktop.run(main)


@SIZES
def test_a_moment_before_the_end_has_no_such_path_and_the_end_of_a_journal_has(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr(looking_back, "MANY", many)

    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, shaped())
            await until(lambda: orchestrator_of(console).run(tab.run_id).state.has_ended)
            travel = front(console).source.travel
            assert travel is not None
            travel.open()
            await travel.settled()
            travel.go_to_begin()
            await travel.settled()
            await until(lambda: path_on_canvas(console) == [])
            travel.go_to_end()
            await travel.settled()
            await until(lambda: is_path(path_on_canvas(console)))

    desktop.run(main)
