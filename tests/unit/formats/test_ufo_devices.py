"""UFO's file of devices: read beside a constellation and as a fleet file; saving loses none of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from starloom.errors import PlanError
from starloom.formats import load_fleet, load_plan, save_plan
from starloom.formats.files import without_secrets
from starloom.formats.losses import assumptions, losses
from starloom.model.device import DeviceSpec
from starloom.model.plan import NO_LIMITS

if TYPE_CHECKING:
    from pathlib import Path

DEVICES = """\
# Device Configuration - YAML Format
devices:
  - device_id: "linux_agent_1"
    server_url: "ws://localhost:5001/ws"
    os: "Linux"
    capabilities:
      - "server"
      - "send emails"
    metadata:
      os: "linux"
      description: "the first"
      error_log_pattern: "ERROR or FATAL"
    auto_connect: true
    max_retries: 5
  - device_id: far
    server_url: wss://box.example/ws
    token: keyring:ufo
"""
FIRST = DeviceSpec(
    id="linux_agent_1",
    kind="aip",
    capabilities=frozenset({"server", "send emails", "linux"}),
    options={
        "url": "ws://localhost:5001/ws",
        "metadata": {"os": "linux", "description": "the first", "error_log_pattern": "ERROR or FATAL"},
    },
)
FAR = DeviceSpec(id="far", kind="aip", options={"url": "wss://box.example/ws", "token": "keyring:ufo"})
TASKS = {"a": {"task_id": "a", "description": "do it", "target_device_id": "far"}}


def constellation(folder: Path, devices: str = DEVICES) -> Path:
    (folder / "devices.yaml").write_text(devices, encoding="utf-8")
    path = folder / "c.json"
    path.write_text(json.dumps({"constellation_id": "c", "tasks": TASKS, "dependencies": {}}), encoding="utf-8")
    return path


def test_the_devices_beside_a_constellation_are_those_of_its_plan(tmp_path: Path) -> None:
    plan = load_plan(constellation(tmp_path))
    assert plan.devices == (FIRST, FAR)
    assert plan.tasks[0].pin == "far"
    assert not [said for said in assumptions(plan, "ufo") if "far" in said]


def test_they_are_a_fleet_file_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(DEVICES, encoding="utf-8")
    assert load_fleet(path) == ((FIRST, FAR), NO_LIMITS)


def test_a_constellation_saved_again_loses_none_of_them(tmp_path: Path) -> None:
    path = constellation(tmp_path)
    plan = load_plan(path)
    assert losses(plan, "ufo") == []
    save_plan(plan, path, "ufo")
    assert load_plan(path) == plan
    assert "devices" not in json.loads(path.read_text(encoding="utf-8"))
    assert losses(plan, "dot"), "which has no place for them"


@pytest.mark.parametrize("other", ["", "[]", "starloom: 1\ndevices: [{id: x}]\n", "devices: [{name: x}]\n"])
def test_another_file_of_that_name_is_left_alone(tmp_path: Path, other: str) -> None:
    path = constellation(tmp_path, other or "# nothing\nx: 1\n")
    assert load_plan(path).devices == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("devices:\n  - device_id: a\n", "devices.yaml: line 2: devices[0]: the field 'server_url' is missing."),
        ("devices:\n  - device_id: a\n    server_url: ws://h/ws?token=s3cret\n", "holds a token or password"),
        ("devices:\n  - device_id: a\n    server_url: ws://me:s3cret@h/ws\n", "token: keyring:NAME"),
        ("devices:\n  - {device_id: a, server_url: 'ws://h/'}\n  - x\n", "must be a mapping of fields, not 'x'"),
        ("devices:\n" + "  - {device_id: a, server_url: 'ws://h/'}\n" * 2, "there is a device 'a' already"),
        ("devices:\n  - {device_id: a, server_url: 'ws://h/', capabilities: [1]}\n", "capabilities"),
        ("devices:\n  - {device_id: [a], server_url: 'ws://h/'}\n", "device_id"),
    ],
)
def test_what_cannot_be_used_is_said_with_its_line_and_without_the_token(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(PlanError) as caught:
        load_plan(constellation(tmp_path, text))
    assert words in str(caught.value)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(("value", "is_kept"), [("keyring:ufo", True), ("env:UFO", True), ("s3cret", False)])
def test_where_a_token_is_kept_is_saved_and_a_token_is_not(value: Any, is_kept: bool) -> None:
    told: list[str] = []
    kept = without_secrets(DeviceSpec(id="d", kind="aip", options={"token": value}), told)
    assert ("token" in kept.options, bool(told)) == (is_kept, not is_kept)
