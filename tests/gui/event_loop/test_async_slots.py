"""Slots that await belong to their object: it ends them, and is told what they raise."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from PySide6.QtCore import QObject, QTimer, Signal
from tests.gui.event_loop.loops import OURS, run_on
from tests.waiting import until

from starloom_gui.event_loop import BackgroundTasks, async_slot


@pytest.fixture(params=OURS)
def factory(app, request):
    return OURS[request.param]


class Owner(QObject):
    """Has slots that await."""

    asked = Signal(int, str)

    def __init__(self, tells: bool | None = None) -> None:
        super().__init__()
        self.told: list[Exception] = []
        self.seen: list[Any] = []
        self.background_tasks = BackgroundTasks("owner", None if tells is None else self._tell)
        self._tells = bool(tells)

    def _tell(self, error: Exception) -> bool:
        self.told.append(error)
        return self._tells

    @async_slot(int)
    async def work(self, number: int) -> None:
        self.seen.append(number)
        try:
            await asyncio.sleep(0.001 if number else 3600)
        finally:
            self.seen.append("ended")

    @async_slot(int, str)
    async def both(self, number: int, text: str) -> None:
        task = asyncio.current_task()
        self.seen.append((number, text, task.get_name() if task is not None else ""))

    @async_slot()
    async def fail(self) -> None:
        raise ValueError("in a slot")


def test_a_signal_begins_them_with_the_arguments_they_take(factory):
    async def main() -> list[Any]:
        owner = Owner()
        owner.asked.connect(owner.work)
        owner.asked.connect(owner.both)
        QTimer.singleShot(0, lambda: owner.asked.emit(7, "x"))
        await until(lambda: "ended" in owner.seen)
        return owner.seen

    assert run_on(factory, main) == [7, (7, "x", "owner"), "ended"]


def test_their_object_knows_that_they_go_on_and_ends_them(factory):
    async def main() -> list[Any]:
        owner = Owner()
        owner.work(0)
        assert owner.background_tasks
        await until(lambda: owner.seen)
        owner.background_tasks.cancel()
        await owner.background_tasks.settled()
        assert not owner.background_tasks
        return owner.seen

    assert run_on(factory, main) == [0, "ended"]


def test_one_that_is_ended_before_its_first_step_does_nothing(factory):
    async def main() -> list[Any]:
        owner = Owner()
        owner.work(0)
        owner.background_tasks.cancel()
        await owner.background_tasks.settled()
        return owner.seen

    assert run_on(factory, main) == []


@pytest.mark.parametrize("tells", [None, False, True], ids=["", "does_not_tell_the_user", "tells_the_user"])
@pytest.mark.parametrize("way", ["slot", "begin"])
def test_what_they_raise_is_told_to_their_object_or_else_to_the_loop(factory, tells, way):
    async def main() -> tuple[list[str], list[str]]:
        reports: list[str] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(
            lambda _loop, context: reports.append(f"{context['message']}: {context['exception']}")
        )
        owner = Owner(tells)
        if way == "slot":
            owner.fail()
        else:
            owner.background_tasks.begin(fail())
        await owner.background_tasks.settled()
        await asyncio.sleep(0)
        return [str(error) for error in owner.told], reports

    async def fail() -> None:
        raise ValueError("in a slot")

    told, reports = run_on(factory, main)
    assert told == ([] if tells is None else ["in a slot"])
    assert reports == ([] if tells else ["A task failed: owner: in a slot"])
