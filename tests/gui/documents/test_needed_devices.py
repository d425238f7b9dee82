"""Tests of the devices that a plan needs and does not name: only what the user has added is one of them."""

from __future__ import annotations

from dataclasses import replace

from tests.driver import plan, task

from starloom.model.device import DeviceSpec
from starloom_gui.documents.needed_devices import NeededDevices, needed_devices, with_devices

LAB = DeviceSpec(id="lab", kind="ssh", capabilities=frozenset({"gpu"}), options={"host": "lab", "api_token": "x"})
HERE = DeviceSpec(id="here")
PINNED = task("a", shell="make", device="lab")
WANTS = task("b", shell="train", requires=frozenset({"gpu"}))


def test_devices_that_tasks_are_pinned_to_or_whose_capabilities_they_need_are_found() -> None:
    made = plan([PINNED, WANTS, task("c", shell="ls"), task("d", shell="x", device="elsewhere")])
    assert needed_devices(made, [HERE, LAB]) == NeededDevices(("lab",), 2)
    assert needed_devices(made, [HERE]) == NeededDevices()
    assert needed_devices(replace(made, devices=(LAB,)), [HERE, LAB]) == NeededDevices()
    gpu = DeviceSpec(id="other", capabilities=frozenset({"gpu"}))
    assert needed_devices(replace(made, devices=(gpu,)), [LAB]) == NeededDevices(("lab",), 1)


def test_they_are_put_into_the_plan_without_secrets_and_the_rest_still_runs_here() -> None:
    made, told = with_devices(plan([PINNED, "c"]), [HERE, LAB], ["lab"])
    assert made.devices == (HERE, replace(LAB, options={"host": "lab"}))
    assert told == ("The option 'api_token' of device 'lab' is a secret and was left out.",)
    assert needed_devices(made, [HERE, LAB]) == NeededDevices()
    made, _ = with_devices(replace(plan([PINNED]), devices=(DeviceSpec(id="one"),)), [HERE, LAB], ["lab"])
    assert [spec.id for spec in made.devices] == ["one", "lab"]


def test_a_worker_is_traced_to_the_cluster_that_brings_it_and_nothing_else_is() -> None:
    cluster = DeviceSpec(id="lab", kind="dask", options={"address": "tcp://lab:8786"})
    inner = replace(cluster, id="lab-gpu")
    made = plan([task("a", shell="make", device="lab-alice"), task("b", shell="x", device="lab-gpu-bob")])
    assert needed_devices(made, [HERE, cluster]) == NeededDevices(("lab",), 2)
    assert needed_devices(made, [cluster, inner]) == NeededDevices(("lab", "lab-gpu"), 2), "the longest name is meant"
    assert needed_devices(replace(made, devices=(inner,)), [cluster, inner]) == NeededDevices(("lab",), 1)
    assert needed_devices(replace(made, devices=(cluster, inner)), [cluster, inner]) == NeededDevices()
    own_worker = DeviceSpec(id="lab-alice")
    assert needed_devices(replace(made, devices=(own_worker, inner)), [cluster]) == NeededDevices()
    assert needed_devices(made, [LAB]) == NeededDevices(), "a device of another kind brings none"
    unknown = replace(cluster, kind="nowhere")
    assert needed_devices(made, [unknown]) == NeededDevices(), "a kind that is not installed brings none"
