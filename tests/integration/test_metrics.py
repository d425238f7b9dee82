"""`GET /metrics` over real sockets: what it says, and what it costs when nobody asks."""

from __future__ import annotations

import asyncio
import json
import sys
import time
import urllib.request
from typing import Any

import pytest
from tests.driver import task as make
from tests.integration.metrics_client import WITHIN, engine, get, here, values
from tests.virtual_time import engine as virtual_engine
from tests.virtual_time import loop, pass_time, run
from tests.waiting import until

from starloom import Dependency, MemoryJournal, Plan, SimulatedDevice
from starloom.errors import QueueFull
from starloom.journal.base import JournalError
from starloom.scheduling.commands import StartRun
from starloom.telemetry import EngineWatch, MetricsEndpoint
from starloom.testing import chain, independent

# ---- what it says


def test_the_figures_are_those_of_the_engine_as_json_and_as_prometheus_text() -> None:
    async def main() -> None:
        released = asyncio.Event()

        async def handler(task: Any, _context: Any) -> None:
            if task.id == "stays":
                await released.wait()
            if task.id == "breaks":
                raise ValueError("on purpose")

        names = ("good", "breaks", "stays", "queued", "never")
        plan = Plan(tasks=[make(name) for name in names], dependencies=[Dependency(parent="stays", child="never")])
        async with engine(here(handler), max_concurrency=1) as orchestrator, MetricsEndpoint(orchestrator) as endpoint:
            handle = await orchestrator.start(plan)

            async def is_there() -> bool:
                return handle.task("stays").status == "running"

            await until(is_there)
            status, fields, body = await get(endpoint, "/metrics.json")
            assert (status, fields["Content-Type"]) == (200, "application/json")
            found = json.loads(body)
            assert found["scheduler"]["activeCount"] == 1
            assert found["scheduler"]["queuedCount"] == 1
            assert found["scheduler"]["totalSubmitted"] == 5
            assert found["scheduler"]["totalCompleted"] == 2
            assert found["scheduler"]["starvationPromotions"] == 0
            assert found["taskEndings"] == {"completed": 1, "failed": 1, "cancelled": 0, "skipped": 0}
            assert (found["queueWait"]["count"], found["halted"], found["journal"]) == (3, None, None)

            status, fields, body = await get(endpoint)
            assert status == 200
            assert fields["Content-Type"].startswith("text/plain; version=")
            assert int(fields["Content-Length"]) == len(body.encode())
            sample = values(body)
            assert sample["starloom_tasks{running}"] == sample["starloom_tasks{queued}"] == 1
            assert sample["starloom_tasks{failed}"] == sample["starloom_task_endings_total{failed}"] == 1
            assert sample["starloom_queue_wait_seconds_count"] == 3
            assert sample["starloom_loop_lag_seconds_count"] >= 2

            await handle.cancel_tasks("queued")
            released.set()
            await handle.finished()
            sample = values((await get(endpoint))[2])
            assert sample["starloom_tasks{cancelled}"] == sample["starloom_task_endings_total{cancelled}"] == 1
            assert sample["starloom_queue_wait_seconds_count"] == sample["starloom_attempts_total"] == 4

    asyncio.run(main())


def test_a_client_that_names_json_gets_json_and_any_other_prometheus_text() -> None:
    async def main() -> None:
        async with engine(here()) as orchestrator, MetricsEndpoint(orchestrator) as endpoint:
            for accept in ("application/json", "text/html, Application/JSON;q=0.9"):
                assert json.loads((await get(endpoint, Accept=accept))[2])["scheduler"]["enabled"] is False
            for accept in ("*/*", "text/plain", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"):
                assert values((await get(endpoint, Accept=accept))[2])["starloom_scheduler_enabled"] == 0
            assert json.loads((await get(endpoint, "/metrics.json?pretty", Accept="text/plain"))[2])["retries"] == 0

    asyncio.run(main())


def test_without_the_extra_there_is_json_and_who_wants_text_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "prometheus_client"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "starloom.telemetry.prometheus", raising=False)
    monkeypatch.setitem(sys.modules, "prometheus_client", None)

    async def main() -> None:
        async with engine(here()) as orchestrator, MetricsEndpoint(orchestrator) as endpoint:
            for fields in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}):
                assert json.loads((await get(endpoint, **fields))[2])["scheduler"]["enabled"] is False
            status, _, body = await get(endpoint, Accept="application/openmetrics-text;version=1.0.0,text/plain;q=0.5")
            assert status == 406
            assert "pip install 'starloom[metrics]'" in body
            assert "/metrics.json" in body

    asyncio.run(main())


def test_an_ordinary_client_can_ask() -> None:
    def fetch(url: str) -> str:
        with urllib.request.urlopen(url, timeout=WITHIN) as answer:
            text: str = answer.read().decode()
        return text

    async def main() -> None:
        async with engine(here()) as orchestrator, MetricsEndpoint(orchestrator) as endpoint:
            await (await orchestrator.start(independent(20))).finished()
            text = await asyncio.to_thread(fetch, endpoint.url)
            assert values(text)["starloom_tasks{completed}"] == 20

    asyncio.run(main())


def test_refused_runs_are_counted() -> None:
    async def main() -> None:
        async with engine(here(slots=1), max_queue=2) as orchestrator, MetricsEndpoint(orchestrator) as endpoint:
            full = await orchestrator.start(independent(50))
            with pytest.raises(QueueFull):
                await orchestrator.start(independent(1))
            assert values((await get(endpoint))[2])["starloom_rejected_total"] == 1
            await full.finished()

    asyncio.run(main())


def test_the_time_of_commits_shows_where_a_journal_is_kept() -> None:
    async def main() -> None:
        journal = MemoryJournal()
        async with engine(here(), journal=journal) as orchestrator, MetricsEndpoint(orchestrator) as endpoint:
            before = len(journal.turns)
            await (await orchestrator.start(chain(5))).finished()
            _, _, body = await get(endpoint, "/metrics.json")
            found = json.loads(body)["journal"]
            assert found["count"] == len(journal.turns) - before > 0
            assert 0 < found["p50"] <= found["p99"] <= found["max"] <= found["sum"]
            sample = values((await get(endpoint))[2])
            assert sample["starloom_journal_commit_seconds_count"] == found["count"]
            assert sample["starloom_journal_lag_seconds{last}"] > 0

    asyncio.run(main())


@pytest.mark.expects_log
def test_a_halt_shows_and_the_engine_can_still_go_on_from_the_journal() -> None:
    async def main() -> None:
        journal = MemoryJournal()
        async with engine(here(), journal=journal) as orchestrator, MetricsEndpoint(orchestrator) as endpoint:
            handle = await orchestrator.start(independent(3), paused=True)
            journal.failure = "the disk is full"
            orchestrator.pump.post(StartRun(run_id=handle.id))

            async def halted() -> Any:
                return json.loads((await get(endpoint, "/metrics.json"))[2])["halted"]

            assert "disk is full" in await until(halted)
            with pytest.raises(JournalError):
                await handle.finished()
            journal.failure = None
            orchestrator.retry_commit()
            await handle.finished()
            assert await halted() is None

    asyncio.run(main())


def test_a_loop_that_was_held_up_shows() -> None:
    held_up = 0.2

    async def blocks(_task: Any, _context: Any) -> None:
        await asyncio.sleep(0.01)  # the probe is set when the start has been told
        until = time.perf_counter() + held_up
        while time.perf_counter() < until:
            pass

    async def main() -> None:
        async with engine(here(blocks)) as orchestrator:
            with EngineWatch(orchestrator) as watch:
                await (await orchestrator.start(independent(1))).finished()

                async def late() -> bool:
                    return ((await watch.reading()).loop_lag.max or 0.0) > held_up / 3

                await until(late)

    asyncio.run(main())


# ---- what it costs


def test_nothing_is_measured_unless_somebody_asks_for_it() -> None:
    async def main() -> None:
        journal = MemoryJournal()
        async with engine(here(), journal=journal) as orchestrator:
            assert orchestrator.pump.journal is journal
            async with MetricsEndpoint(orchestrator):
                assert orchestrator.pump.journal is not journal
            assert orchestrator.pump.journal is journal
            await (await orchestrator.start(independent(3))).finished()
            assert not orchestrator.events.is_busy

    asyncio.run(main())


def test_an_open_endpoint_wakes_nobody_in_ten_thousand_idle_seconds() -> None:
    async def main() -> None:
        async with (
            virtual_engine(SimulatedDevice("d", slots=2), journal=MemoryJournal()) as orchestrator,
            MetricsEndpoint(orchestrator),
        ):
            await (await orchestrator.start(independent(20, simulate=1.0))).finished()
            paused = await orchestrator.start(independent(5, simulate=1.0), paused=True)
            await pass_time(5)
            before = loop().wakeups
            await pass_time(10_000)
            assert loop().wakeups - before <= 2, "only this test's own timer rang"
            await paused.cancel()

    run(main())


def test_a_shut_down_engine_can_still_be_read() -> None:
    async def main() -> None:
        orchestrator = engine(here())
        async with orchestrator:
            endpoint = MetricsEndpoint(orchestrator)
            await endpoint.open()
            await (await orchestrator.start(independent(4))).finished()
        assert values((await get(endpoint))[2])["starloom_tasks{completed}"] == 4
        await endpoint.close()

    asyncio.run(main())
