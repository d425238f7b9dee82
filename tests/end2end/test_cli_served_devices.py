"""Where a served engine runs what it is sent: its folder, its devices, and what the next server takes up of that."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import TYPE_CHECKING

from tests.end2end.shell import Shell, is_gone, numbers, until
from tests.end2end.test_cli_served import do, effects, log, pytestmark, served, serving, submitted

from starloom.model.device import DeviceSpec
from starloom.server.client import EngineClient

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["pytestmark", "served"]


def test_where_paths_of_a_plan_begin_is_said_where_that_is_not_here(served: Shell, tmp_path: Path) -> None:
    plan = served.plan(
        """
        starloom: 1
        name: paths
        tasks:
          a: {shell: 'true', cwd: sub, files: {send: [{from: data.csv, to: in.csv}], fetch: [{from: /x, to: out.csv}]}}
          b: {shell: 'true', cwd: /}
        """
    )
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with serving(served):
        here = served.run("submit", plan)
        assert "Paths begin there" not in here.stderr
        served.folder, before = elsewhere, served.folder
        there = served.run("submit", plan)
        served.folder = before
        assert there.returncode == 0, there.stderr
        assert "Paths begin there, not here: sub, data.csv, out.csv." in there.stderr


def test_a_suspended_device_of_a_served_engine_is_tried_again_at_once(served: Shell) -> None:
    """Where nobody listens its connection is refused at once, until it is suspended for an hour."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    fleet = served.plan(
        f"""
        starloom: 1
        devices:
          - id: far
            kind: ssh
            trip_after: 1
            cool_down: 1h
            options: {{host: 127.0.0.1, port: {port}}}
        """,
        "fleet.yaml",
    )
    with serving(served, "--fleet", fleet):
        until(lambda: "suspended" in served.run("devices").stdout, "it is suspended")
        with socket.create_server(("127.0.0.1", port)) as listening:
            listening.settimeout(30)
            done = served.run("devices", "try-again", "far")
            assert done.returncode == 0, done.stderr
            assert "far is tried again" in done.stdout
            listening.accept()[0].close()


def test_a_run_of_a_plan_without_devices_is_taken_up_on_what_it_ran_on(served: Shell) -> None:
    """Its server had other devices than one that is started without a fleet file, and was killed."""
    fleet = served.plan("starloom: 1\ndevices: [{id: bench, kind: local, slots: 2}]\n", "fleet.yaml")
    with serving(served, "--fleet", fleet) as server:
        run_id = submitted(served)
        (pid,) = numbers(served.folder / "pid")
        server.kill()
        server.wait()
    with serving(served, "--resume"):
        assert not is_gone(pid), "the attempt is taken over"
        (served.folder / "go").touch()
        told = served.run("watch", run_id)
        assert told.returncode == 0, told.stderr
    assert effects(served) == ["first", "second", "third"]


def test_that_simulated_devices_may_take_real_tasks_is_said_of_a_plan_that_is_submitted(served: Shell) -> None:
    devices = "[{id: here, kind: local}, {id: bench, kind: simulated}, {id: lab, kind: simulated}]"
    fleet = served.plan(f"starloom: 1\ndevices: {devices}\n", "fleet.yaml")
    head = "starloom: 1\nname: x\ntasks:\n"
    plans = {
        "real": f"{head}  a: {{shell: 'true'}}\n",
        "bound": f"{head}  a: {{shell: 'true', device: here}}\n",
        "played": f"{head}  a: {{simulate: 1s}}\n",
    }
    said = "Simulated devices bench, lab of this engine may take its tasks, which would then only count as done"
    with serving(served, "--fleet", fleet):
        for name, text in plans.items():
            done = served.run("submit", served.plan(text, f"{name}.yaml"))
            assert done.returncode == 0, done.stderr
            assert (said in done.stderr) == (name == "real"), done.stderr
            assert done.stdout.strip() in served.run("ps").stdout
        for device in ("bench", "lab"):
            assert served.run("do", "fleet", "drain-device", device).returncode == 0
        assert "Simulated device" not in served.run("submit", served.plan(plans["real"], "real.yaml")).stderr


def test_that_simulated_devices_that_have_joined_may_take_tasks_that_run_again_is_said_first(served: Shell) -> None:
    fleet = served.plan("starloom: 1\ndevices: [{id: here, kind: local}]\n", "fleet.yaml")
    tasks = "tasks: {free: {shell: exit 3}, bound: {shell: exit 3, device: here}}"
    plan = served.plan(f"starloom: 1\nname: again\n{tasks}\n")
    brings = "starloom: 1\nname: play\ndevices: [{id: bench, kind: simulated}]\ntasks: {a: {simulate: 10ms}}\n"
    said = "Simulated device bench of this engine may take what runs again, which would then only count as done"
    with serving(served, "--fleet", fleet):
        run_id = served.run("submit", plan).stdout.strip()
        assert served.run("watch", run_id).returncode == 1
        again = served.run("do", run_id, "rerun-from", "free")
        assert (again.returncode, again.stderr) == (0, "")
        assert served.run("watch", run_id).returncode == 1
        assert served.run("submit", served.plan(brings, "brings.yaml")).returncode == 0
        bound = served.run("do", run_id, "retry", "bound")
        assert (bound.returncode, bound.stderr) == (0, "")
        assert served.run("watch", run_id).returncode == 1
        free = served.run("do", run_id, "retry", "free")
        assert (free.returncode, said in free.stderr) == (0, True), free.stderr


def test_nothing_of_a_plan_that_is_submitted_paused_starts_before_it_is_started(served: Shell) -> None:
    plan = served.plan("starloom: 1\nname: later\ntasks: {a: {shell: echo ran >> effects}}\n")
    with serving(served):
        done = served.run("submit", plan, "--paused")
        run_id = done.stdout.strip()
        assert f"Nothing of it starts before `starloom do {run_id} start`" in done.stderr
        assert "0 of 1 tasks done" in served.run("ps").stdout
        assert not (served.folder / "effects").exists()
        assert served.run("do", run_id, "start").returncode == 0
        assert served.run("watch", run_id).returncode == 0
    assert effects(served) == ["ran"]


def add_devices(shell: Shell, *specs: DeviceSpec) -> None:
    """Add devices as a console does that is connected to the server."""

    async def main() -> None:
        async with EngineClient(shell.journal, "ada") as client:
            await client.add_devices(specs)

    asyncio.run(main())


def remove_devices(shell: Shell, *ids: str) -> None:
    """Remove devices as a console does that is connected to the server."""

    async def main() -> None:
        async with EngineClient(shell.journal, "ada") as client:
            for id in ids:
                await client.command("", {"remove_device": id})

    asyncio.run(main())


def listed_devices(shell: Shell) -> list[str]:
    """The names of the devices of the server."""
    return sorted(one["id"] for one in json.loads(shell.run("devices", "--json").stdout))


def told_since(shell: Shell, what: str) -> str:
    """What the servers have said since they last said this."""
    return log(shell).rpartition(what)[2]


def test_what_clients_have_added_is_there_again_in_the_next_server_and_what_they_removed_is_not(served: Shell) -> None:
    with serving(served) as server:
        options = {"host": "127.0.0.1", "port": 1, "user": "ada"}
        add_devices(served, DeviceSpec(id="bench", slots=2), DeviceSpec(id="far", kind="ssh", options=options))
        add_devices(served, DeviceSpec(id="gone"), DeviceSpec(id="secret", kind="simulated"))
        remove_devices(served, "gone")
        assert served.run("stop").returncode == 0
        server.wait()
    with serving(served) as server:
        assert listed_devices(served) == ["bench", "far", "local", "secret"]
        assert "here again: bench, far, secret." in log(served)
        remove_devices(served, "bench", "far", "secret")
        assert served.run("stop").returncode == 0
        server.wait()
    assert not (served.journal / "added-devices.yaml").exists()
    with serving(served):
        assert listed_devices(served) == ["local"]


def test_devices_of_a_server_that_was_killed_are_there_again_and_its_fleet_file_comes_first(served: Shell) -> None:
    with serving(served) as server:
        remove_devices(served, "local")
        add_devices(served, DeviceSpec(id="local", slots=7), DeviceSpec(id="bench", slots=2), DeviceSpec(id="lab"))
        server.kill()
        server.wait()
    with serving(served) as server:
        assert listed_devices(served) == ["bench", "lab", "local"]
        assert "'local' is as it was given" not in log(served), "this one is as it was made"
        server.kill()
        server.wait()
    fleet = served.plan("starloom: 1\ndevices: [{id: bench, slots: 3}]\n", "fleet.yaml")
    with serving(served, "--fleet", fleet):
        assert listed_devices(served) == ["bench", "lab", "local"]
        assert "'bench' is as it was given to this server" in log(served)


def test_what_cannot_be_kept_or_brought_back_is_told_and_not_lost(served: Shell) -> None:
    path = served.journal / "added-devices.yaml"
    with serving(served) as server:
        add_devices(served, DeviceSpec(id="bench"))
        assert served.run("stop").returncode == 0
        server.wait()
    kept = path.read_text()
    path.write_text(f"{kept}- {{id: odd, kind: nowhere}}\n")
    with serving(served) as server:
        assert listed_devices(served) == ["bench", "local"]
        assert "'odd', which was added to an earlier server, is not brought back" in log(served)
        add_devices(served, DeviceSpec(id="lab"))
        assert "nowhere" in path.read_text()
        assert served.run("stop").returncode == 0
        server.wait()
    path.write_text("devices: [")
    with serving(served):
        assert listed_devices(served) == ["local"]
        assert "are not brought back" in told_since(served, "Draining")
        add_devices(served, DeviceSpec(id="more"))
        assert path.read_text() == "devices: [", "nobody's work is overwritten"
        assert "The next server will not know of what was done to more" in told_since(served, "Draining")


def test_limits_that_people_have_set_outlive_a_server_that_has_others_in_its_fleet_file(served: Shell) -> None:
    text = "starloom: 1\ndevices: [{id: bench, slots: 3}]\nlimits: {max_concurrency: 8, groups: {db: 2, lab: 1}}\n"
    fleet = served.plan(text, "fleet.yaml")

    def limits() -> tuple[str, ...]:
        return tuple(line for line in log(served).splitlines() if line.startswith("The limit of "))

    with serving(served, "--fleet", fleet) as server:
        assert limits() == ()
        (served.folder / "set.json").write_text('{"set_limits": {"max_concurrency": 3, "groups": {"db": 5}}}')
        do(served, "fleet", "--json", "set.json")
        server.kill()
        server.wait()
    with serving(served, "--fleet", fleet) as server:
        assert limits() == (
            "The limit of all runs is 3, as it was set before; the fleet file says 8.",
            "The limit of group 'db' is 5, as it was set before; the fleet file says 2.",
        )
        (served.folder / "set.json").write_text('{"set_limits": {"max_concurrency": 8, "groups": {"db": 2}}}')
        do(served, "fleet", "--json", "set.json")
        assert served.run("stop").returncode == 0
        server.wait()
    with serving(served, "--fleet", fleet):
        assert len(limits()) == 2, "they are as the file says again"
