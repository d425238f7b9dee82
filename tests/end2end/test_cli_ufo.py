"""A constellation of UFO beside its `devices.yaml`: `starloom validate` and `starloom run` as people call them."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING, Any

from tests.aip_server import UfoServer
from tests.end2end.shell import posix, until

if TYPE_CHECKING:
    from tests.end2end.shell import Shell

TOKEN = "k3y-of-the-server"


def task(task_id: str, description: str, device: str, **more: Any) -> dict[str, Any]:
    return {"task_id": task_id, "description": description, "target_device_id": device, **more}


def line(parent: str, child: str, kind: str = "success_only") -> dict[str, Any]:
    return {"from_task_id": parent, "to_task_id": child, "dependency_type": kind}


TASKS = [
    task("logs", 'say "3 errors"', "linux_agent_1", device_type="linux"),
    task("mail", "fail", "linux_agent_2"),
    task("gone", "die", "linux_agent_2"),
    task("noise", "garbage", "linux_agent_1"),
    task("report", "Sum up what was found.", "linux_agent_1", tips=["Be short."]),
    task("never", "say 1", "linux_agent_2"),
]
LINES = [line("logs", "report"), line("mail", "report", "completion_only"), line("mail", "never")]


def write(shell: Shell, url: str, token: str = "env:UFO_KEY") -> str:
    agents = "".join(
        f"  - device_id: linux_agent_{number}\n    server_url: {url}\n    os: linux\n    capabilities: [server]\n"
        f"    auto_connect: true\n    max_retries: 5\n    token: {token}\n"
        for number in (1, 2)
    )
    shell.plan(f"devices:\n{agents}", "devices.yaml")
    return shell.plan(json.dumps({"constellation_id": "night", "tasks": TASKS, "dependencies": LINES}), "night.json")


def test_a_constellation_runs_on_the_agents_of_its_devices_file_and_each_fault_is_told(shell: Shell) -> None:
    with UfoServer(token=TOKEN, agents=("linux_agent_1", "linux_agent_2")) as server:
        path = write(shell, server.url)
        checked = shell.run("validate", path)
        assert "There is no secret env:UFO_KEY" in checked.stderr
        assert "Devices 'linux_agent_1', 'linux_agent_2' would not be reached." in checked.stderr
        assert (checked.returncode, "6 tasks, 3 dependencies, 2 devices" in checked.stdout) == (0, True), checked.stderr
        done = shell.run("run", path, UFO_KEY=TOKEN)
        targets = {one["request"].partition("\n")[0]: one["target_id"] for one in server.of("task")}
    assert done.returncode == 1, done.stderr
    assert "partially failed: night" in done.stdout
    assert "2 of 6" in done.stdout or "2 completed" in done.stdout, done.stdout
    for told in ("it is meant to fail", "The agent may still work", "what is no message of the protocol"):
        assert told in done.stdout
    started = {one["task_id"]: one for one in TASKS if one["task_id"] != "never"}
    assert targets == {one["description"]: one["target_device_id"] for one in started.values()}
    request = next(one["request"] for one in server.of("task") if one["request"].startswith("Sum up"))
    assert "Tips for Completion:\n - Be short." in request
    assert "begins: value of 'logs' (text/plain)\n3 errors\n" in request
    written = [path.read_bytes() for path in shell.folder.rglob("*") if path.is_file()]
    assert len(written) > 3
    assert not [data for data in written if TOKEN.encode() in data]
    assert TOKEN not in done.stdout + done.stderr


def test_what_is_wrong_with_the_devices_is_said_before_anything_starts(shell: Shell) -> None:
    path = write(shell, "ws://box.example:5000/ws")
    for command in ("validate", "run"):
        done = shell.run(command, path)
        assert done.returncode == 2
        assert "what is said to box.example can be read and changed by others" in done.stderr
    path = write(shell, "ws://box.example:5000/ws?token=s3cret")
    done = shell.run("run", path)
    assert done.returncode == 2
    assert "devices.yaml: line 3" in done.stderr
    assert "s3cret" not in done.stderr


@posix
def test_after_a_kill_the_server_cancels_the_task_and_a_person_is_asked_before_it_runs_again(shell: Shell) -> None:
    with UfoServer(agents=("night",)) as server:
        shell.plan(f"devices: [{{device_id: night, server_url: '{server.url}'}}]\n", "devices.yaml")
        value = {
            "constellation_id": "night",
            "tasks": [task(name, "wait", "night") for name in "ab"],
            "dependencies": [],
        }
        with shell.started("run", shell.plan(json.dumps(value), "night.json")) as program:
            until(lambda: server.of("task"), "the agent has its task")
            program.kill()
            program.wait()
        until(lambda: server.cancelled, "the server cancels it")
        with shell.started("resume") as program:
            until(lambda: len(server.of("task")) == 2, "the agent has the task that waited")
            program.send_signal(signal.SIGINT)
            told, _ = program.communicate(timeout=60)
        assert [said["task_name"] for said in server.of("task")] == ["starloom-a-1", "starloom-b-1"]
        assert server.cancelled == ["wait", "wait"]
    assert "2 cancelled" in told
