"""A task that starts while a change of it is typed and not set: that is told, and what was typed stays in its field."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.panels.test_task_form import FormBench

from starloom.scheduling import commands as c

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.panels.kept_drafts import Overtaken
    from starloom_gui.theme.appearance import Appearance


@pytest.fixture
def bench(app: QApplication, appearance: Appearance) -> FormBench:
    return FormBench("shell", appearance)


@pytest.fixture
def heard(bench: FormBench) -> list[Overtaken]:
    heard: list[Overtaken] = []
    bench.inspector.fields.drafts.overtaken.connect(heard.append)
    return heard


def typed(bench: FormBench, words: str) -> None:
    editor = bench.inspector.fields.value("shell")
    editor.setFocus()
    editor.area.selectAll()
    QTest.keyClicks(editor.area, words)


def begun(bench: FormBench) -> None:
    bench.driver.end("first")
    assert bench.view.is_running
    bench.told()


def test_a_task_that_starts_with_its_old_command_is_told_once_wherever_one_looks(
    bench: FormBench, heard: list[Overtaken]
) -> None:
    typed(bench, "make half")
    bench.select("u")
    begun(bench)
    (one,) = heard
    assert ([task.id for task in one.started], one.fields) == (["t"], ("shell",))
    assert one.numbers == (bench.view.number,)
    bench.told()
    assert len(heard) == 1


def test_what_was_typed_is_still_in_its_field_when_one_comes_back_and_can_be_copied(bench: FormBench) -> None:
    typed(bench, "make half")
    bench.select("u")
    begun(bench)
    for _ in range(2):
        bench.select("t")
        assert bench.inspector.fields.value("shell").text() == "make half"
        assert bench.inspector.fields.told("shell") == "Not while it runs. What you typed was not set."
        bench.select("u")


def test_what_was_set_in_time_is_not_told(bench: FormBench, heard: list[Overtaken]) -> None:
    typed(bench, "make all")
    area = bench.inspector.fields.value("shell").area
    QTest.keyClick(area, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    begun(bench)
    assert bench.task.shell == "make all"
    assert heard == []


def test_what_was_taken_back_is_not_told(bench: FormBench, heard: list[Overtaken]) -> None:
    typed(bench, "make half")
    QTest.keyClick(bench.inspector.fields.value("shell").area, Qt.Key.Key_Escape)
    begun(bench)
    assert heard == []


def test_a_retry_by_others_of_a_task_that_is_being_changed_is_told(bench: FormBench, heard: list[Overtaken]) -> None:
    begun(bench)
    bench.driver.fail("t")
    bench.told()
    typed(bench, "make half")
    bench.inspector.fields.value("timeout").write("5m")
    bench.driver.end("u")
    bench.driver.do(c.RetryTasks(run_id="r", task_ids=("t",)))
    bench.told()
    assert bench.view.attempt == 2
    assert [([task.id for task in one.started], one.fields) for one in heard] == [(["t"], ("shell", "timeout"))]
    bench.select("u")
    bench.select("t")
    assert bench.inspector.fields.value("timeout").text() == "5m"


def test_of_several_tasks_those_are_told_that_have_started(bench: FormBench, heard: list[Overtaken]) -> None:
    bench.select("t", "u")
    typed(bench, "make half")
    bench.inspector.fields.value("timeout").setFocus()
    assert bench.asks.sent == [], "what a run that goes on executes is not sent half typed"
    begun(bench)
    (one,) = heard
    assert ([task.id for task in one.started], len(one.numbers)) == (["t"], 2)


def test_what_was_not_set_is_still_said_not_to_be_once_the_task_has_ended(bench: FormBench) -> None:
    typed(bench, "make half")
    bench.select("u")
    begun(bench)
    bench.select("t")
    assert bench.inspector.fields.told("shell") == "Not while it runs. What you typed was not set."
    bench.driver.fail("t")
    bench.told()
    assert bench.inspector.fields.value("shell").text() == "make half"
    said = bench.inspector.fields.told("shell")
    bench.select("u")
    bench.select("t")
    assert said == bench.inspector.fields.told("shell") != ""
