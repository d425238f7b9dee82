"""A constellation of UFO that is opened in the console has the devices of the file beside it, and keeps them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from starloom_gui.documents import files

if TYPE_CHECKING:
    from pathlib import Path


def test_a_constellation_has_the_devices_beside_it_and_is_saved_without_a_loss(tmp_path: Path) -> None:
    path = tmp_path / "night.json"
    tasks = {"a": {"task_id": "a", "description": "do it", "target_device_id": "agent"}}
    path.write_text(json.dumps({"constellation_id": "night", "tasks": tasks, "dependencies": {}}), encoding="utf-8")
    beside = path.with_name("devices.yaml")
    beside.write_text("devices: [{device_id: agent, server_url: 'ws://localhost:5001/ws'}]\n", encoding="utf-8")
    loaded = files.read(path)
    assert [(device.id, device.kind) for device in loaded.plan.devices] == [("agent", "aip")]
    assert not [remark for remark in loaded.remarks if "agent" in remark]
    assert files.left_out(loaded.plan, path, "ufo") == []
    files.write(loaded.plan, path, "ufo")
    assert files.read(path).plan == loaded.plan
