"""Runs driven by hand, in a console that is being closed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.driver import Driver
from tests.gui.documents.plans import small

from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import RunView
from starloom_gui.shell.leaving import Leaving

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from PySide6.QtWidgets import QWidget

    from starloom.errors import StarloomError
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.theme.appearance import Appearance


class Engine:
    """Runs driven by hand."""

    def __init__(self) -> None:
        self.driver = Driver(devices=("d",), slots=1)
        self.cancelled: list[str] = []
        self.keeps_runs = self.keeps_staging = True
        self.can_go_on = False
        self.interrupted: list[str] = []
        self.agents: list[str] = []
        self.refusals: list[StarloomError] = []
        self.handed_over: list[frozenset[str]] = []
        self.may_hand_over = asyncio.Event()
        self.counts: dict[str, int] = {}

    def start(self, run_id: str) -> None:
        self.driver.create(small("a", "b"), run_id)

    def runs(self) -> Iterable[RunView]:
        return [RunView(index.run) for index in self.driver.scheduler.runs.values()]

    def cancel(self, run_id: str) -> None:
        self.cancelled.append(run_id)
        self.driver.do(c.CancelRun(run_id=run_id))

    def staged(self, run_id: str) -> int:
        return self.counts.get(run_id, 0)

    def discard_staged(self, run_id: str) -> None:
        self.counts.pop(run_id)

    def pause(self, run_id: str) -> None:
        self.driver.do(c.PauseRun(run_id=run_id))

    def resume(self, run_id: str) -> None:
        self.driver.do(c.ResumeRun(run_id=run_id))

    def awaited(self) -> Iterable[RunView]:
        return self.runs()

    def keeps_staged(self, _run_id: str) -> bool:
        return self.keeps_staging

    def interrupted_tasks(self) -> list[str]:
        return list(self.interrupted)

    def interrupted_agents(self) -> list[str]:
        return list(self.agents)

    async def hand_over(self, paused: Collection[str]) -> None:
        await self.may_hand_over.wait()
        if self.refusals:
            raise self.refusals.pop(0)
        self.handed_over.append(frozenset(paused))


class Saves:
    """Saves, or fails to."""

    def __init__(self, documents: OpenDocuments) -> None:
        self.documents, self.works = documents, True

    async def saved(self, key: str) -> bool:
        if self.works:
            self.documents.close(key)
        return self.works


class Bench:
    def __init__(self, documents: OpenDocuments, appearance: Appearance, parent: QWidget) -> None:
        self.documents, self.window = documents, parent
        self.engine, self.saves = Engine(), Saves(documents)
        self.leaving = Leaving(documents, self.saves, self.engine, appearance, parent)
        self.agreed: list[bool] = []
        self.leaving.agreed.connect(lambda: self.agreed.append(True))


@pytest.fixture
def bench(documents: OpenDocuments, appearance: Appearance, parent: QWidget) -> Bench:
    return Bench(documents, appearance, parent)
