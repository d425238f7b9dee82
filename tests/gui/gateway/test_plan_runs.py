"""The runs of a plan are read once for all who ask, in a process that can be given up, and its troubles are told."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.unit.reporting.plan_runs import column

from starloom_gui.gateway.plan_runs import PlanRuns
from starloom_gui.gateway.run_archive import LocalArchive

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HERE = Path("journals")


class Process:
    """Stands in for the process: says these columns, then ends so, or never."""

    def __init__(self, *numbers: int, ends: Exception | tuple[int, str] | None = (0, "")) -> None:
        self.lines = [msgspec.json.encode(column(number, {"a": 1.0})) for number in numbers]
        self.ends, self.asked = ends, 0

    async def __call__(
        self, command: Sequence[str], tell: Callable[[str, int], None], take: Callable[[bytes], None]
    ) -> Any:
        self.asked += 1
        for number, line in enumerate(self.lines):
            tell(str(number), 10 * number)
            take(line)
            await asyncio.sleep(0)
        if isinstance(self.ends, Exception):
            raise self.ends
        if self.ends is None:
            await asyncio.Event().wait()
        code, said = self.ends or (0, "")
        return SimpleNamespace(code=code, said=said)


def read(process: Process, then: Callable[[PlanRuns], None] = lambda _: None, *, begun: bool = True) -> PlanRuns:
    async def main() -> PlanRuns:
        store = PlanRuns(LocalArchive(HERE), process)
        store.ask("nightly")
        if begun:
            await asyncio.sleep(0)
        then(store)
        await store.settled()
        return store

    return asyncio.run(main())


@pytest.mark.usefixtures("app")
def test_runs_are_read_once_and_again_only_if_that_is_asked_for() -> None:
    process = Process(1, 2)
    store = read(process, lambda store: store.ask("nightly"))
    reading = store.of("nightly")
    assert reading is not None
    assert ([one.run_id for one in reading.columns], reading.found, reading.share) == (["r1", "r2"], 1, 0.1)
    assert (reading.is_over, reading.is_whole, process.asked) == (True, True, 1)

    async def again() -> None:
        store.ask("nightly")
        store.ask("nightly", again=True)
        await store.settled()

    asyncio.run(again())
    assert process.asked == 2
    found = store.of("nightly")
    assert found is not None
    assert [one.run_id for one in found.columns] == ["r1", "r2"], "no run stands there twice"


@pytest.mark.usefixtures("app")
def test_what_was_read_before_it_is_given_up_is_kept() -> None:
    heard: list[str] = []

    def give_up(store: PlanRuns) -> None:
        store.changed.connect(heard.append)
        store.cancel("nightly")

    for begun in (True, False):
        reading = read(Process(1, ends=None), give_up, begun=begun).of("nightly")
        assert reading is not None
        assert (reading.is_over, reading.is_whole, reading.trouble) == (True, False, "")
        assert len(reading.columns) == begun
        assert heard.pop() == "nightly"


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    ("ends", "said"),
    [((2, "It leads nowhere."), "It leads nowhere."), (OSError(2, "No such program"), "No such program")],
    ids=["refused", "not started"],
)
def test_what_goes_wrong_is_told(ends: Exception | tuple[int, str], said: str) -> None:
    reading = read(Process(1, ends=ends)).of("nightly")
    assert reading is not None
    assert (len(reading.columns), reading.is_over, reading.is_whole, reading.trouble) == (1, True, False, said)


@pytest.mark.usefixtures("app")
def test_what_is_no_column_is_told() -> None:
    process = Process(1)
    process.lines.append(b"{}")
    reading = read(process).of("nightly")
    assert reading is not None
    assert "run_id" in reading.trouble


@pytest.mark.usefixtures("app")
def test_without_a_directory_nothing_is_read() -> None:
    store = PlanRuns()
    store.ask("nightly")
    assert store.of("nightly") is None


@pytest.mark.usefixtures("app")
def test_once_closed_nothing_is_read_for_a_view_that_still_asks() -> None:
    process = Process(1)

    async def main() -> None:
        store = PlanRuns(LocalArchive(HERE), process)
        await store.close()
        store.ask("nightly")
        assert not store.background_tasks
        await store.settled()

    asyncio.run(main())
    assert process.asked == 0
