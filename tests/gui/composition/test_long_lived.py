"""A console that stays open for months: what is not open is let go of, also by the engine; its figures over HTTP."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QGuiApplication
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front, small
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.scheduling.state.run_facts import RunFacts
from starloom_gui.composition.console import Console
from starloom_gui.documents.document import RunTab
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.models.event_table import EventTable
from starloom_gui.models.outline import Outline
from starloom_gui.models.queue_table import QueueTable
from starloom_gui.models.task_table import TaskTable
from starloom_gui.viewmodel.selection import Selection
from starloom_gui.workspace.document_view import DocumentView

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


async def ended(console: Console, name: str) -> None:
    run = await orchestrator_of(console).start(small(), run_id=name)
    await run.finished()
    await at_rest(console)


def facts() -> int:
    gc.collect()
    return sum(isinstance(one, RunFacts) for one in gc.get_objects())


def test_only_what_is_open_is_held(desktop: Desktop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STARLOOM_SCHEDULER_RUNS_IN_MEMORY", "2")

    async def main() -> None:
        async with desktop.console() as console:
            await ended(console, "shown")
            console.documents.put_run("shown")
            await at_rest(console)
            for number in range(4):
                await ended(console, f"warm-{number}")
            before = facts()
            for number in range(12):
                await ended(console, f"r{number}")
            assert facts() <= before + 3, "a view may show what it read last until it reads again"
            assert set(console.bridge.runs) == {"shown", "r10", "r11"}
            tab = console.documents.front
            assert isinstance(tab, RunTab)
            console.documents.close(tab.key)
            await until(lambda: set(console.bridge.runs) == {"r10", "r11"})
            console.recorded.open(tmp_path / "journal" / "runs" / "shown", "shown")
            await console.recorded.settled()
            assert console.documents.front is not None
            assert console.views.front is not None
            shown = console.views.front.reader.facts()
            assert shown is not None
            assert shown.counts()["completed"] == len(small().tasks)

    desktop.run(main)


# ---- figures over HTTP


async def get(port: int, path: str) -> tuple[int, Any]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    return int(head.split()[1]), body


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def test_the_console_serves_its_metrics_where_the_setting_says(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    monkeypatch.setenv("STARLOOM_SCHEDULER_METRICS_PORT", str(port))

    async def main() -> None:
        async with desktop.console() as console:
            await ended(console, "r")
            status, body = await get(port, "/metrics.json")
            assert status == 200
            assert json.loads(body)["scheduler"]["totalCompleted"] == len(small().tasks)
            shown, address = console.window.status.metrics, f"http://127.0.0.1:{port}/metrics"
            assert not shown.isHidden()
            assert address in shown.toolTip()
            shown.click()
            assert QGuiApplication.clipboard().text() == address

    desktop.run(main)


def test_without_the_setting_nothing_listens(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            import psutil

            assert console.window.status.metrics.isHidden()

            assert not [one for one in psutil.Process().net_connections("tcp") if one.status == "LISTEN"]

    desktop.run(main)


def test_a_port_in_use_is_said_and_the_console_opens_all_the_same(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setenv("STARLOOM_SCHEDULER_METRICS_PORT", str(port))

        async def main() -> None:
            async with desktop.console() as console:
                assert console.strip.shown is not None
                said = f"{console.strip.shown.what} {console.strip.shown.reason}"
                assert str(port) in said
                assert "something else listens there" in said
                await ended(console, "r")

        desktop.run(main)


def alive(*kinds: type) -> int:
    gc.collect()
    return sum(isinstance(one, kinds) for one in gc.get_objects())


def test_a_closed_console_is_let_go_of(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(small())
            await at_rest(console)

    before = alive(Console)
    desktop.run(main)
    assert alive(Console) == before


def test_a_closed_plan_is_let_go_of_with_all_that_its_panes_were_made_of(desktop: Desktop) -> None:
    kinds = DocumentView, Selection, Outline, TaskTable, EventTable, QueueTable, PlanEditor

    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_new()  # the last tab is not closed, so that a first view stays
            await at_rest(console)
            for key in front(console).views.keys:
                front(console).pane(key)
            before = alive(*kinds)
            plan = console.documents.put_plan(small())
            await at_rest(console)
            for key in front(console).views.keys:
                console.window.workbench.show_pane(key)  # each is made once it is seen
            await at_rest(console)
            assert alive(*kinds) == before + len(kinds)
            console.documents.close(plan.key)
            await until(lambda: alive(*kinds) == before)

    desktop.run(main)
