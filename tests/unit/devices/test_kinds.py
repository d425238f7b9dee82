"""The registry of device kinds: built-in ones, plug-ins, and the sentences for what cannot be made."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from starloom.devices.inprocess import InProcessDevice
from starloom.devices.kinds import device_kinds, make_device
from starloom.devices.simulated import SimulatedDevice
from starloom.errors import DeviceError
from starloom.model.device import DeviceSpec

if TYPE_CHECKING:
    from pathlib import Path

PLUGIN = """
from starloom.devices.base import Device
from starloom.model.result import DONE

class Moon(Device):
    kind = "moon"

    def __init__(self, id, *, slots=2, capabilities=frozenset(), speed=1.0, phase="full"):
        super().__init__(id, slots=slots, capabilities=capabilities, speed=speed)
        self.phase = phase

    async def run(self, task, context):
        return DONE

class Open(Moon):
    def __init__(self, id, **options):
        self.given = options

not_a_device = dict
"""
ENTRIES = """[starloom.devices]
moon = moon_plugin:Moon
open = moon_plugin:Open
broken = moon_broken:Device
missing = moon_plugin:Missing
wrong = moon_plugin:not_a_device
simulated = moon_plugin:Moon
"""


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution whose plug-ins are good, open to any option, broken in three ways, and one posing as built-in."""
    (tmp_path / "moon_plugin.py").write_text(PLUGIN)
    (tmp_path / "moon_broken.py").write_text("raise RuntimeError('no moon tonight')")
    metadata = tmp_path / "moon-1.5.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: moon\nVersion: 1.5\n")
    (metadata / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("moon_plugin", "moon_broken"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def test_the_built_in_kinds_are_known() -> None:
    kinds = device_kinds()
    assert {"inprocess", "local", "simulated"} <= set(kinds)
    assert kinds["inprocess"] is InProcessDevice
    assert kinds["simulated"] is SimulatedDevice


def test_the_built_in_kinds_are_known_without_metadata_which_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def nothing(group: str) -> tuple[()]:
        read.append(group)
        return ()

    monkeypatch.syspath_prepend(tmp_path)  # whatever else was read was of another path
    monkeypatch.setattr("starloom.devices.kinds.entry_points", nothing)
    for _ in range(3):
        kinds = ["acp", "aip", "dask", "inprocess", "llm", "local", "simulated", "ssh", "wrapped"]
        assert list(device_kinds()) == kinds
    assert read == ["starloom.devices"]


def test_a_spec_becomes_a_device_of_its_kind() -> None:
    spec = DeviceSpec(
        id="sim", kind="simulated", slots=3, speed=2.0, capabilities=frozenset({"gpu"}), options={"seed": 5}
    )
    device = make_device(spec)
    assert isinstance(device, SimulatedDevice)
    assert (device.id, device.slots, device.speed, device.capabilities) == ("sim", 3, 2.0, frozenset({"gpu"}))
    assert device.seed == 5


def test_an_unknown_kind_names_the_nearest_and_all_known_ones() -> None:
    with pytest.raises(DeviceError) as caught:
        make_device(DeviceSpec(id="x", kind="simulatd"))
    sentence = str(caught.value)
    assert "Device 'x' has the unknown kind 'simulatd'" in sentence
    assert "Did you mean 'simulated'?" in sentence
    assert "inprocess, llm, local" in sentence


def test_an_unknown_option_names_the_nearest_and_all_known_ones() -> None:
    with pytest.raises(DeviceError) as caught:
        make_device(DeviceSpec(id="x", kind="simulated", options={"failure_rat": 0.5}))
    sentence = str(caught.value)
    assert "has no option 'failure_rat'" in sentence
    assert "Did you mean 'failure_rate'?" in sentence
    assert "connect_failures, failure_rate, heartbeat_interval, seed" in sentence


@pytest.mark.parametrize("field", ["id", "slots", "speed", "capabilities", "self"])
def test_a_field_of_the_spec_is_not_an_option(field: str) -> None:
    with pytest.raises(DeviceError, match=f"has no option '{field}'"):
        make_device(DeviceSpec(id="x", kind="simulated", options={field: 1}))


def test_an_in_process_device_of_a_plan_takes_no_options() -> None:
    with pytest.raises(DeviceError, match="takes no options"):
        make_device(DeviceSpec(id="x", kind="inprocess", options={"grace": 1}))


@pytest.mark.usefixtures("plugins")
def test_the_kind_of_a_plug_in_can_be_made() -> None:
    assert device_kinds()["moon"].kind == "moon"
    device = make_device(DeviceSpec(id="m", kind="moon", options={"phase": "new"}))
    assert (device.describe()["kind"], device.slots) == ("moon", 2)
    with pytest.raises(DeviceError, match="Its options: phase"):
        make_device(DeviceSpec(id="m", kind="moon", options={"size": 1}))


@pytest.mark.usefixtures("plugins")
def test_a_kind_with_open_options_gets_all_of_them() -> None:
    device = make_device(DeviceSpec(id="m", kind="open", options={"anything": 1}))
    assert device.given["anything"] == 1  # type: ignore[attr-defined]


@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize(
    ("kind", "cause"),
    [("broken", "RuntimeError: no moon tonight"), ("missing", "AttributeError"), ("wrong", "not a subclass")],
)
def test_a_broken_plug_in_is_named_and_the_others_still_work(kind: str, cause: str) -> None:
    with pytest.raises(DeviceError) as caught:
        make_device(DeviceSpec(id="m", kind=kind))
    assert f"'{kind}'" in str(caught.value)
    assert "from moon 1.5" in str(caught.value)
    assert cause in str(caught.value)
    assert kind in device_kinds()
    assert make_device(DeviceSpec(id="m", kind="moon")).id == "m"


def test_of_two_plug_ins_for_one_kind_the_first_on_the_path_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("second", "first"):  # each is put in front of the path
        metadata = tmp_path / name / f"{name}-1.0.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(f"[starloom.devices]\ntwin = nowhere_{name}:Device\n")
        monkeypatch.syspath_prepend(tmp_path / name)
    with pytest.raises(DeviceError, match=r"from first 1\.0"):
        make_device(DeviceSpec(id="t", kind="twin"))


@pytest.mark.usefixtures("plugins")
def test_a_plug_in_cannot_replace_a_built_in_kind() -> None:
    assert device_kinds()["simulated"] is SimulatedDevice


def test_making_other_devices_loads_no_psutil_and_no_local_device() -> None:
    script = (
        "import json, sys; from starloom.devices.kinds import *; from starloom.model.device import DeviceSpec;"
        "list(device_kinds()); make_device(DeviceSpec(id='s', kind='simulated'));"
        "print(json.dumps([n for n in ('psutil', 'starloom.devices.local') if n in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(done.stdout) == []


def test_without_the_extra_dask_the_kind_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("starloom.devices.dask", "distributed"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(DeviceError, match=r"need the package 'distributed'.*pip install 'starloom\[dask\]'"):
        make_device(DeviceSpec(id="c", kind="dask"))
