"""The link to a machine: whom it trusts, what it says when it cannot be made, and attempts without it."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess

import asyncssh
import psutil
import pytest
from tests.integration.ssh_harness import (
    BOUND,
    COMPLETED,
    LOST,
    STOPPED,
    Attempt,
    alive,
    device_on,
    folders_of,
    left_of,
    on_device,
    shell,
)
from tests.integration.ssh_harness import one_server as one_server
from tests.integration.ssh_harness import server as server
from tests.ssh_servers import AsyncsshServer
from tests.waiting import POLL, until

from starloom.devices.kinds import make_device
from starloom.devices.ssh import HostKeyChanged, HostKeyUnknown, LoginRefused, trust
from starloom.devices.ssh import session as session_module
from starloom.errors import DeviceError
from starloom.model.device import DeviceSpec
from starloom.model.plan import Plan
from starloom.model.result import ErrorCode
from starloom.orchestration.orchestrator import Orchestrator


def refused(server, expected: type[DeviceError] = DeviceError, **options) -> DeviceError:
    """Why a device cannot be connected."""

    async def scenario() -> None:
        device = device_on(server, **options)
        try:
            await asyncio.wait_for(device.connect(), BOUND)
        finally:
            await device.disconnect()

    with pytest.raises(expected) as caught:
        asyncio.run(scenario())
    return caught.value


# ---- trust


def test_at_first_contact_nobody_is_trusted_until_somebody_says_so(server):
    server.known_hosts.unlink()
    unknown = refused(server, HostKeyUnknown)
    assert unknown.fingerprint == server.host_key.get_fingerprint()
    assert (unknown.host, unknown.port, unknown.algorithm) == ("127.0.0.1", server.port, "ssh-ed25519")
    for words in (unknown.fingerprint, unknown.line, str(server.known_hosts), "ssh-keygen"):
        assert words in str(unknown)
    assert not server.known_hosts.exists()
    refused(server, HostKeyUnknown)
    trust(unknown)
    assert server.known_hosts.stat().st_mode & 0o077 == 0
    on_device(server, lambda device: device.ping())


def test_trusting_one_machine_leaves_what_is_said_of_others_alone(one_server):
    one_server.known_hosts.write_text("other.example ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGFh")
    before = one_server.known_hosts.read_text()
    one_server.known_hosts.write_text(f"# mine\n{before.replace('AAAAC3NzaC1lZDI1NTE5AAAAIGFh', _public_key())}")
    trust(refused(one_server, HostKeyUnknown))
    first, second, third = one_server.known_hosts.read_text().splitlines()
    assert (first, second.split()[0]) == ("# mine", "other.example")
    assert third.startswith(f"[127.0.0.1]:{one_server.port} ssh-ed25519 ")
    on_device(one_server, lambda device: device.ping())


def test_another_host_key_is_refused_and_said_to_be_another(server):
    stranger = asyncssh.generate_private_key("ssh-ed25519")
    server.know(stranger)
    changed = refused(server, HostKeyChanged)
    assert changed.fingerprint == server.host_key.get_fingerprint()
    assert changed.known == (stranger.get_fingerprint(),)
    assert "between" in str(changed)


def test_a_revoked_host_key_is_refused(one_server):
    text = one_server.known_hosts.read_text()
    one_server.known_hosts.write_text(f"@revoked {text}{text}")
    assert type(refused(one_server)) is not HostKeyUnknown


def test_a_file_of_known_hosts_that_cannot_be_read_trusts_nobody(one_server):
    one_server.known_hosts.unlink()
    one_server.known_hosts.mkdir()
    assert "known hosts cannot be read" in str(refused(one_server))


def test_of_a_jump_host_the_key_is_checked_too(server, tmp_path):
    with AsyncsshServer(tmp_path / "jump") as jump:
        (jump.folder / "authorized_keys").write_text((server.folder / "authorized_keys").read_text())
        through = f"{jump.user}@127.0.0.1:{jump.port}"
        assert refused(server, HostKeyUnknown, jump=through).port == jump.port
        with server.known_hosts.open("a") as file:
            file.write(jump.known_hosts.read_text())
        jump.stop()
        jump.start()  # it reads who is let in when it starts
        outcome = on_device(server, lambda device: Attempt(device, shell("echo there")).run(), jump=through)
        assert outcome.result.output == "there\n"


# ---- what cannot be reached


def test_a_key_that_is_not_accepted_says_whom_and_where(server):
    stranger = server.folder / "stranger"
    asyncssh.generate_private_key("ssh-ed25519").write_private_key(str(stranger))
    error = refused(server, LoginRefused, keys=str(stranger))
    assert repr(server.user) in str(error)
    assert str(stranger) in str(error)
    assert "authorized_keys" in str(error)


@pytest.mark.parametrize("kind", ["absent", "spoilt", "with a passphrase"])
def test_a_key_that_cannot_be_used_is_named(one_server, kind):
    path = one_server.folder / "key"
    if kind == "spoilt":
        path.write_text("this is no key")
    elif kind == "with a passphrase":
        asyncssh.generate_private_key("ssh-ed25519").write_private_key(str(path), "pkcs8-pem", "secret")
    assert "key" in str(refused(one_server, LoginRefused, keys=[str(path)]))


def test_the_key_agent_is_asked_when_it_may_be(one_server, monkeypatch):
    if not (shutil.which("ssh-agent") and shutil.which("ssh-add")):
        pytest.skip("OpenSSH's key agent is not installed")
    address = str(one_server.folder / "agent")
    agent = subprocess.Popen([shutil.which("ssh-agent"), "-D", "-a", address], stdout=subprocess.DEVNULL)
    try:
        asyncio.run(until(lambda: _listens(address), every=POLL))
        monkeypatch.setenv("SSH_AUTH_SOCK", address)
        subprocess.run(["ssh-add", "-q", one_server.key_file], check=True, stderr=subprocess.DEVNULL)
        monkeypatch.setenv("HOME", str(one_server.folder))  # where there are no keys
        on_device(one_server, lambda device: device.ping(), keys=(), agent=True)
        refused(one_server, LoginRefused, keys=(), agent=False)
    finally:
        agent.terminate()
        agent.wait(BOUND)


def test_a_server_that_is_not_there_is_said_not_to_be(one_server):
    one_server.stop()
    error = refused(one_server)
    assert "cannot be reached" in str(error)
    assert f"127.0.0.1:{one_server.port}" in str(error)


def test_a_server_that_says_nothing_is_given_up(one_server):
    with socket.create_server(("127.0.0.1", 0)) as mute:
        error = refused(one_server, port=mute.getsockname()[1], timeout=0.2)
    assert "cannot be reached" in str(error) or "does not answer" in str(error)


def test_a_folder_that_cannot_be_made_is_named(one_server):
    assert "state_directory" in str(refused(one_server, state_directory="/proc/nowhere"))


# ---- a link that breaks


def test_a_link_that_breaks_is_made_anew_and_the_task_goes_on_unharmed(server):
    async def scenario(device):
        attempt = Attempt(device, shell("echo $$ >>began; echo ready; read -r word <go; echo $word; exit 4"))
        running = await attempt.started()
        for _ in range(3):
            server.cut()
            await device.ping()
        _say(server, "gone on\n")
        return await running

    os.mkfifo(server.folder / "work" / "go")
    outcome = on_device(server, scenario)
    assert outcome.result.exit_code == 4
    assert outcome.result.output == "ready\ngone on\n"
    assert len((server.folder / "work" / "began").read_text().split()) == 1


def test_a_task_that_ended_while_the_link_was_down_has_ended_as_its_marker_says(server):
    async def scenario(device):
        attempt = Attempt(device, shell("echo ready; read -r word <go; echo $word; exit 4"))
        running = await attempt.started()
        server.stop()
        _say(server, "gone on\n")
        marker = next((server.folder / "state").glob("attempts/*/marker"))
        await until(lambda: "end" in marker.read_text(), every=POLL)
        assert not running.done()
        server.start()
        return await running

    os.mkfifo(server.folder / "work" / "go")
    outcome = on_device(server, scenario)
    assert (outcome.result.exit_code, outcome.result.output) == (4, "ready\ngone on\n")


def test_stopping_over_a_link_that_has_just_broken_stops_all_the_same(server):
    async def scenario(device):
        attempt = Attempt(device, shell("echo ready; sleep 1000"))
        running = await attempt.started()
        server.cut()
        running.cancel()
        return await running, left_of(server)

    outcome, left = on_device(server, scenario)
    assert (outcome.status, left) == (STOPPED, [])


def test_while_the_link_is_down_a_ping_waits_and_metrics_are_not_told(one_server):
    async def scenario(device):
        one_server.stop()
        ping = asyncio.ensure_future(device.ping())
        await until(lambda: not device._link.is_up, every=POLL)
        told = await device.metrics()
        assert not ping.done()
        one_server.start()
        await ping
        return told

    assert on_device(one_server, scenario) is None


def test_that_a_machine_comes_back_with_another_key_is_said_at_once(one_server):
    async def scenario(device):
        one_server.stop()
        asyncssh.generate_private_key("ssh-ed25519").write_private_key(str(one_server.folder / "host_key"))
        one_server.start()
        await device.ping()

    with pytest.raises(HostKeyChanged):
        on_device(one_server, scenario)


@pytest.mark.expects_log
def test_a_defect_while_logging_in_anew_is_reported_and_told_to_who_waits(one_server, monkeypatch, caplog):
    async def defect(route):
        raise TypeError("made up")

    async def scenario(device):
        monkeypatch.setattr(session_module.SshSession, "open", defect)
        one_server.cut()
        await device.ping()

    with pytest.raises(DeviceError, match="TypeError: made up"):
        on_device(one_server, scenario)
    assert "failed" in caplog.text


def test_an_attempt_on_a_machine_that_stays_away_is_lost_and_ended_before_the_device_is_used_again(server, monkeypatch):
    monkeypatch.setattr("starloom.devices.ssh.remote_steps.PATIENCE", 0.05)

    async def scenario(device):
        attempt = Attempt(device, shell("echo pid $$; sleep 1000"))
        running = await attempt.started("pid")
        server.stop()
        running.cancel()
        outcome = await running
        lived = [alive(pid) for pid in attempt.pids()]
        await device.disconnect()
        server.start()
        await device.connect()
        await until(lambda: not folders_of(server), every=POLL)
        return outcome, lived, left_of(server)

    outcome, lived, left = on_device(server, scenario)
    assert (outcome.status, outcome.result.error.code) == (LOST, ErrorCode.DEVICE_LOST)
    assert (lived, left) == ([True], [])


def test_disconnecting_tells_attempts_that_wait_for_a_link(one_server):
    async def scenario(device):
        running = await Attempt(device, shell("echo ready; sleep 1000")).started()
        one_server.stop()
        await device.disconnect()
        outcome = await running
        one_server.start()
        await device.connect()  # ends what is left
        return outcome

    assert on_device(one_server, scenario).status is LOST
    assert left_of(one_server) == []


@pytest.mark.parametrize("is_done", [False, True])
def test_a_link_that_breaks_while_a_task_is_being_started_starts_it_once(one_server, monkeypatch, is_done):
    """Whether the request arrived is not known then; the marker knows."""
    ask = session_module.SshSession.ask
    broken = []

    async def breaking(self, text):
        if b'find_program "$program"' not in text or broken:
            return await ask(self, text)
        broken.append(text)
        if is_done:
            await ask(self, text)
        with self.links():
            raise asyncssh.ConnectionLost("made up")

    monkeypatch.setattr(session_module.SshSession, "ask", breaking)
    outcome = on_device(one_server, lambda device: Attempt(device, shell("echo once >>began")).run())
    assert broken
    began = one_server.folder / "work" / "began"
    assert outcome.status is COMPLETED
    assert began.read_text() == "once\n"


def test_a_mute_link_is_noticed_by_keeping_it_alive(server):
    """The other side is stopped, not ended: only that nobody answers says so."""

    async def scenario(device):
        attempt = Attempt(device, shell("echo ready; read -r word <go; echo $word"))
        running = await attempt.started()
        mute = _freeze(server)
        await until(lambda: not device._link.is_up, every=POLL)
        _say(server, "gone on\n")
        outcome = await running
        for process in mute:
            process.kill()
        return outcome

    if isinstance(server, AsyncsshServer):
        pytest.skip("its server cannot be stopped without stopping us")
    os.mkfifo(server.folder / "work" / "go")
    outcome = on_device(server, scenario, heartbeat_interval=0.1, timeout=5.0)
    assert outcome.result.output == "ready\ngone on\n"


def test_an_engine_whose_machine_goes_away_tries_the_task_again_when_it_is_back(one_server):
    async def scenario():
        spec = DeviceSpec(
            id="there", kind="ssh", slots=1, options=one_server.options(heartbeat_interval=0.2, lost_after=0.1)
        )
        async with Orchestrator([make_device(spec)]) as orchestrator:
            task = shell("echo $$ >>began; test -e ready && exit 0; sleep 1000", retry=1)
            run = await orchestrator.start(Plan(name="p", tasks=(task,)))
            began = one_server.folder / "work" / "began"
            await until(lambda: began.exists() and bool(began.read_text()), every=POLL)
            one_server.stop()
            await until(lambda: not orchestrator.fleet.devices["there"].connected, every=POLL)
            (one_server.folder / "work" / "ready").touch()
            await until(lambda: not run.facts.running, every=POLL)  # it is given up
            one_server.start()
            await run.finished()
            return run.results[task.id], began.read_text().split()

    result, began = asyncio.run(asyncio.wait_for(scenario(), 2 * BOUND))
    assert len(began) == 2
    assert not [pid for pid in began if alive(int(pid))]
    assert result.exit_code == 0


def _public_key() -> str:
    return asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode().split()[1]


def _listens(address: str) -> bool:
    """Whether somebody accepts connections there: a socket has a name before it does."""
    with socket.socket(socket.AF_UNIX) as asking:
        return asking.connect_ex(address) == 0


def _say(server, text: str) -> None:
    """Tell a task that waits for it; returns when it has been read."""
    (server.folder / "work" / "go").write_text(text)


def _freeze(server) -> list[psutil.Process]:
    processes = [
        each for each in psutil.Process(server._process.pid).children(recursive=True) if each.name().startswith("sshd")
    ]
    for each in processes:
        each.send_signal(signal.SIGSTOP)
    return processes
