"""A program that follows a served engine whose server is killed with `kill -9`, again and again: it misses nothing."""

from __future__ import annotations

import asyncio
import socket
from contextlib import aclosing
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from tests.end2end.shell import until
from tests.end2end.test_cli_served import GATED, effects, served, serving, submitted
from typing_extensions import override

from starloom.events import RunRecovered
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.server.client import EngineClient

if TYPE_CHECKING:
    from pathlib import Path

    from tests.end2end.shell import Shell

    from starloom.events import Event
    from starloom.server.engine_replica import EngineReplica

pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects")

__all__ = ["served"]


class Follower(Thread):
    """Follows the engine of a folder in a thread, until a run has ended.

    Attributes:
        begun: the numbers of the events after which it follows the run and the fleet.
        events: all that were told since.
        servers: the process of each server that it has spoken to.
    """

    def __init__(self, journals: Path, run_id: str) -> None:
        super().__init__(name="follower", daemon=True)
        self.begun: tuple[int, int] | None = None
        self.events: list[Event] = []
        self.servers: set[int] = set()
        self.replica: EngineReplica
        self._journals, self._run_id = journals, run_id

    @override
    def run(self) -> None:
        asyncio.run(self._follow())

    async def _follow(self) -> None:
        async with EngineClient(self._journals, "ada", patience=60) as client:
            following = client.follow_engine()
            self.replica = replica = following.replica
            async with aclosing(following.turns()) as turns:
                async for events in turns:
                    self.servers.add(client.welcome.pid)
                    self.events += events
                    if self.begun is None:
                        self.begun = replica.runs[self._run_id].seq, replica.fleet.seq
                    if self._run_id in replica.runs and replica.runs[self._run_id].state.has_ended:
                        return


def recoveries(follower: Follower) -> int:
    return sum(type(event) is RunRecovered for event in follower.events)


def test_who_follows_an_engine_misses_nothing_over_servers_that_are_killed(served: Shell) -> None:
    with serving(served) as server:
        run_id = submitted(served, GATED.replace("name: gated", "name: gated\ndefaults: {on_interrupt: rerun}"))
        follower = Follower(served.journal, run_id)
        follower.start()
        until(lambda: follower.begun is not None, "it follows")
        server.kill()
        server.wait()
    for number in (2, 3):
        with serving(served, "--resume") as server:
            until(lambda: len(follower.servers) == number, "it goes on with the next server")  # noqa: B023
            until(lambda: recoveries(follower) == number - 1, "the run goes on")  # noqa: B023
            if number == 3:
                (served.folder / "go").touch()
                follower.join(60)
                assert not follower.is_alive()
            server.kill()
            server.wait()
    assert effects(served)[-1] == "third"
    assert follower.begun is not None
    with StreamFile(served.journal / "runs" / run_id / JOURNAL, read_only=True) as file:
        kept = list(file.committed())
        assert [event for event in follower.events if event.run_id] == kept[follower.begun[0] :]
        assert follower.replica.runs[run_id].canonical() == file.view().view.run.canonical()
    with StreamFile(served.journal / "fleet.db", read_only=True) as file:
        told = [event for event in follower.events if not event.run_id]
        assert told == list(file.committed())[follower.begun[1] :][: len(told)]
