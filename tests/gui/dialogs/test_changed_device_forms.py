"""The form of a device that is changed: it shows the device, and what no field shows stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from starloom.model.device import DeviceSpec
from starloom_gui.dialogs.device_forms import DeviceForm, device_forms
from starloom_gui.widgets.form import Form

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance

SPECS = (
    DeviceSpec(id="x", kind="local", slots=3, capabilities=frozenset({"gpu"}), options={"inherit_env": False}),
    DeviceSpec(id="x", kind="local", speed=2.5, trip_after=0, cool_down=90.0),
    DeviceSpec(id="x", kind="ssh", options={"host": "there", "port": 2222, "keys": ["a", "b"], "agent": False}),
    DeviceSpec(id="x", kind="ssh", slots=2, options={"host": "there", "env": {"LANG": "C"}}),
    DeviceSpec(id="x", kind="wrapped", options={"wrapper": "podman exec", "target": "box"}),
    DeviceSpec(id="x", kind="wrapped", options={"wrapper": ["adb", "-s", "my phone", "shell"]}),
    DeviceSpec(id="x", kind="dask", options={"address": "tcp://127.0.0.1:8786"}),
    DeviceSpec(id="x", kind="acp", options={"command": ["agent", "--acp"], "permissions": "reject"}),
    DeviceSpec(id="x", kind="llm", options={"model": "m", "url": "http://127.0.0.1:1/v1", "retries": 0}),
    DeviceSpec(id="x", kind="aip", options={"url": "ws://localhost:5000/ws", "token": "env:T"}),
    DeviceSpec(id="x", kind="simulated", slots=4, speed=3.0, options={"failure_rate": 0.5, "seed": 3}),
)


def form_of(kind: str) -> DeviceForm:
    return next(form for form in device_forms() if form.kind == kind)


def as_typed(spec: DeviceSpec, appearance: Appearance, **typed: object) -> DeviceSpec:
    """The device that its form gives once this is typed into it."""
    described = form_of(spec.kind)
    form = Form(described.fields, lambda: appearance.palette)
    form.fill(described.values(spec))
    form.fill(typed)
    values = form.values()
    assert values is not None
    return described.spec(values, spec)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.kind)
def test_a_form_in_which_nothing_is_typed_gives_the_same_device(
    app: QApplication, appearance: Appearance, spec: DeviceSpec
) -> None:
    assert as_typed(spec, appearance) == spec


def test_what_is_typed_takes_the_place_of_what_was_there(app: QApplication, appearance: Appearance) -> None:
    _, _, keys, env, *_ = SPECS
    assert as_typed(keys, appearance, keys="c").options == {**keys.options, "keys": "c"}
    moved = as_typed(env, appearance, host="elsewhere", port=22)
    assert moved.options == {"host": "elsewhere", "env": {"LANG": "C"}}
    assert "port" not in as_typed(keys, appearance, port=22).options, "which is the usual one"
    wrapped = as_typed(SPECS[5], appearance, program="adb shell")
    assert wrapped.options == {"wrapper": ["adb", "shell"]}
    assert as_typed(SPECS[5], appearance, wrapper="docker exec", program="", target="box").options == {
        "wrapper": "docker exec",
        "target": "box",
    }
