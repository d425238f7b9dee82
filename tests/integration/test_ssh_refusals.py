"""A machine that comes to refuse us is waited for as in an outage: a real sshd with another key or without a login."""

from __future__ import annotations

from typing import TYPE_CHECKING

import asyncssh
import pytest
from tests.integration.ssh_harness import alive, left_of
from tests.integration.ssh_harness import mortal_server as mortal_server
from tests.integration.test_ssh_outages import lines, run_through, scripts, until_silent
from tests.waiting import POLL, until

from starloom import Plan, RunState, Task
from starloom.devices.ssh import HostKeyChanged
from starloom.devices.ssh.trusting import replace_key
from starloom.events import DeviceConnected, DeviceLost, TaskRetryScheduled
from starloom.model.task import Retry

if TYPE_CHECKING:
    from tests.ssh_servers import OpensshServer

    from starloom import Orchestrator
    from starloom.orchestration.run import Run

REFUSALS = {"another key": "somebody may have come between", "no login": "does not let"}


class Guarded:
    """A server that comes to refuse us in one of the ways, and is mended."""

    def __init__(self, server: OpensshServer, how: str) -> None:
        self.server, self.how = server, how
        self._accepted = (server.folder / "authorized_keys").read_text()

    def refuse(self) -> None:
        """It goes away, and comes back so that it refuses us."""
        self.server.kill()
        self.spoil()
        self.server.start()

    def spoil(self) -> None:
        if self.how == "no login":
            (self.server.folder / "authorized_keys").write_text("")
        else:
            asyncssh.generate_private_key("ssh-ed25519").write_private_key(str(self.server.folder / "host_key"))

    def mend(self) -> None:
        """All is as it was, and nothing on this side shows it."""
        if self.how == "no login":
            (self.server.folder / "authorized_keys").write_text(self._accepted)
        else:
            self.server.kill()
            self.server.host_key.write_private_key(str(self.server.folder / "host_key"))
            self.server.start()


@pytest.fixture(params=REFUSALS)
def guarded(request: pytest.FixtureRequest, mortal_server: OpensshServer) -> Guarded:
    return Guarded(mortal_server, request.param)


@pytest.fixture
def _eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that refuses us is tried again soon."""
    monkeypatch.setattr("starloom.devices.ssh.link._REFUSED_PAUSES", (0.2, 0.4))


async def until_refused(orchestrator: Orchestrator) -> None:
    await until(lambda: orchestrator.fleet.devices["there"].status == "refused", every=POLL)


async def until_back(orchestrator: Orchestrator) -> None:
    await until(lambda: orchestrator.fleet.devices["there"].connected, every=POLL)


@pytest.mark.usefixtures("_eager")
def test_what_ends_while_its_machine_refuses_us_is_adopted_once_it_does_not(guarded: Guarded) -> None:
    server = guarded.server

    async def live(orchestrator: Orchestrator, run: Run) -> None:
        guarded.refuse()
        await until_refused(orchestrator)
        (reason,) = run.why("t0")
        assert reason.code == "unreachable"
        assert REFUSALS[guarded.how] in reason.text
        assert "waited for for another" in reason.text
        assert REFUSALS[guarded.how] in orchestrator.fleet.devices["there"].refusal
        (server.folder / "work" / "go").touch()
        await until(lambda: len(lines(server, "ended")) == 3, every=POLL)
        assert run.task("t0").status == "running"
        guarded.mend()
        assert (await run.finished()).state is RunState.COMPLETED
        await until_back(orchestrator)
        assert [len(run.task(f"t{n}").attempts) for n in range(3)] == [1, 1, 1]

    events = run_through(server, scripts(3, retry=Retry(2)), live)
    assert len(lines(server, "begun")) == 3
    assert not [event for event in events if isinstance(event, TaskRetryScheduled)]
    assert len([event for event in events if isinstance(event, DeviceConnected) and not event.run_id]) == 1


def test_what_runs_there_goes_on_when_somebody_has_it_tried_again_and_nothing_new_starts_before(
    guarded: Guarded,
) -> None:
    server = guarded.server

    async def live(orchestrator: Orchestrator, run: Run) -> None:
        guarded.refuse()
        await until_refused(orchestrator)
        another = await orchestrator.start(Plan(tasks=(Task(id="new", shell="true"),)))
        assert another.task("new").status == "pending"
        guarded.mend()
        await orchestrator.fleet.try_again("there")
        assert (await another.finished()).state is RunState.COMPLETED
        assert run.task("t0").status == "running"
        (server.folder / "work" / "go").touch()
        assert (await run.finished()).state is RunState.COMPLETED
        assert len(run.task("t0").attempts) == 1

    run_through(server, scripts(1), live)
    assert len(lines(server, "begun")) == 1


def test_a_changed_key_that_is_trusted_lets_the_attempts_go_on_at_once(mortal_server: OpensshServer) -> None:
    guarded = Guarded(mortal_server, "another key")

    async def live(orchestrator: Orchestrator, run: Run) -> None:
        guarded.refuse()
        await until_refused(orchestrator)
        changed = orchestrator.supervisor.refusal("there")
        assert isinstance(changed, HostKeyChanged)
        assert changed.known == (mortal_server.host_key.get_fingerprint(),)
        replace_key(changed)
        assert len(mortal_server.known_hosts.read_text().splitlines()) == 1
        await until_back(orchestrator)
        assert run.task("t0").status == "running"
        (mortal_server.folder / "work" / "go").touch()
        assert (await run.finished()).state is RunState.COMPLETED

    run_through(mortal_server, scripts(1), live)
    assert len(lines(mortal_server, "begun")) == 1


@pytest.mark.usefixtures("_eager")
def test_whose_machine_refuses_us_for_longer_than_lost_after_counts_as_lost(guarded: Guarded) -> None:
    server = guarded.server

    async def live(orchestrator: Orchestrator, run: Run) -> None:
        guarded.refuse()
        await until_refused(orchestrator)
        assert run.task("t0").status == "running"
        await until(lambda: run.task("t0").status == "pending", every=POLL)
        (first,) = map(int, lines(server, "begun"))
        assert alive(first)
        guarded.mend()
        await orchestrator.fleet.try_again("there")
        await until(lambda: len(lines(server, "begun")) == 2, every=POLL)
        assert not alive(first)
        (server.folder / "work" / "go").touch()
        assert (await run.finished()).state is RunState.COMPLETED
        assert [attempt.status for attempt in run.task("t0").attempts] == ["failed", "completed"]
        result = run.task("t0").attempts[0].result
        assert result is not None
        assert result.error is not None
        assert result.error.code == "device_lost"

    run_through(server, scripts(1, retry=Retry(2)), live, lost_after=1.5)
    assert left_of(server) == []


@pytest.mark.usefixtures("_eager")
def test_an_outage_that_turns_into_a_refusal_is_told_so_and_lasts_no_longer(guarded: Guarded) -> None:
    server = guarded.server

    async def live(orchestrator: Orchestrator, run: Run) -> None:
        device = orchestrator.fleet.devices["there"]
        server.kill()
        await until_silent(orchestrator)
        since, until_then = device.silent_since, device.waits_until
        assert not device.refusal
        guarded.spoil()
        server.start()
        await until_refused(orchestrator)
        assert device.silent_since == since
        assert device.waits_until == pytest.approx(until_then, abs=0.1)
        server.kill()
        await until(lambda: not device.refusal, every=POLL)
        assert device.silent_since == since
        assert device.waits_until == pytest.approx(until_then, abs=0.1)
        assert run.task("t0").status == "running"
        server.start()
        guarded.mend()
        (server.folder / "work" / "go").touch()
        assert (await run.finished()).state is RunState.COMPLETED

    events = run_through(server, scripts(1), live)
    told = [event.refused for event in events if isinstance(event, DeviceLost) and not event.run_id]
    turns = [refused for refused, before in zip(told, [None, *told], strict=False) if refused is not before]
    assert turns[:3] == [False, True, False]
    assert len(lines(server, "begun")) == 1
