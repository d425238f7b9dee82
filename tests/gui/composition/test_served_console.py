"""A console's engine is reached by other programs of its user: lists, commands, plans; one console of a folder."""

from __future__ import annotations

import socket
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, small
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom import CommandRefused, RunState, connect
from starloom.server.handovers import take_over_from_server
from starloom.settings import journal_path
from starloom_gui.documents.document import RunTab

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.usefixtures("app"),
    pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects"),
]


def test_other_programs_list_steer_and_submit_and_the_console_says_so(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console, connect(name="ada") as client:
            own = orchestrator_of(console).run(await console.starter.start(small(seconds=LONG), None, ""))
            assert [run.run_id for run in await client.runs()] == [own.id]
            await client.command(own.id, "pause")
            assert own.state is RunState.PAUSED
            run_id = await client.submit(small(seconds=LONG))
            await until(lambda: console.strip.shown is not None)
            shown = console.strip.shown
            assert shown is not None
            assert shown.act is not None
            assert shown.reason == "ada has submitted “small”, which runs here."
            assert [tab.run_id for tab in console.documents.runs] == [own.id], "nothing comes over what is looked at"
            async with connect() as other, aclosing(other.follow(run_id)) as following:
                replica, _ = await anext(following)
                assert replica.view.run.state is RunState.EXECUTING
            shown.act()
            assert isinstance(console.documents.front, RunTab)
            assert console.documents.front.run_id == run_id
            await at_rest(console)
            with pytest.raises(CommandRefused, match="Close its window"):
                await client.stop()
            assert not (await take_over_from_server(journal_path())).runs, "it is handed over to nobody"

    desktop.run(main)


def test_a_second_console_of_a_folder_is_as_good_and_not_reached(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as first, desktop.console() as second:
            run = orchestrator_of(second).run(await second.starter.start(small(seconds=LONG), None, ""))
            async with connect(tmp_path / "journal") as client:
                assert await client.runs() == ()
            assert not first.bridge.all_runs()
            assert run.state is RunState.EXECUTING

    desktop.run(main)
