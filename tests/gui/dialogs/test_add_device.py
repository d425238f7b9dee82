"""Adding a device: forms made of descriptions, and what is wrong under its field."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from tests.gui.dialogs.far_away import KINDS, AddDeviceBench, Broken, FarAway
from tests.virtual_time import engine, run

from starloom.devices import kinds
from starloom.devices.simulated import SimulatedDevice
from starloom.formats import load_fleet, save_fleet
from starloom.model.device import COOL_DOWN, TRIP_AFTER
from starloom_gui.dialogs.add_device import AddDeviceDialog
from starloom_gui.dialogs.device_forms import DeviceForm, device_forms, option_fields
from starloom_gui.gateway.commands import Commands
from starloom_gui.gateway.local_engine import LocalEngine
from starloom_gui.theme.appearance import Theme
from starloom_gui.widgets.editor import FieldSpec, ValueType
from starloom_gui.widgets.form import Form
from starloom_gui.widgets.tags_editor import TagsEditor

pytestmark = pytest.mark.usefixtures("far_away")


# ---- descriptions


def test_forms_stand_in_the_usual_order_and_leave_out_what_only_a_program_can_furnish():
    assert [form.label for form in device_forms(KINDS)] == ["This computer", "Simulated", "Far"]
    assert {form.kind for form in device_forms()} >= {"local", "simulated"}


def test_an_undescribed_kind_gets_a_field_for_each_of_its_options():
    fields = {field.name: (field.label, field.sort, field.default, field.required) for field in option_fields(FarAway)}
    assert fields == {
        "host": ("Host", ValueType.TEXT, None, True),
        "port": ("Port", ValueType.WHOLE, 22, False),
        "agent": ("Agent", ValueType.SWITCH, True, False),
        "ratio": ("Ratio", ValueType.NUMBER, None, False),
    }


@pytest.mark.parametrize("form", device_forms(), ids=lambda form: form.kind)
def test_every_form_describes_a_device_of_its_kind_as_it_is_at_first(form, app, appearance):
    filled = Form(form.fields, lambda: appearance.palette)
    filled.fill({field.name: "x" for field in form.fields if field.required})
    values = filled.values()
    assert values is not None
    spec = form.spec(values)
    assert (spec.id, spec.kind) == ("x", form.kind)
    assert all(name in {field.name for field in form.fields if field.required} for name in spec.options)


def test_a_kind_that_cannot_be_loaded_says_so_instead_of_a_form(app, appearance):
    broken = next(form for form in device_forms(Broken({**KINDS, "broken": None})) if form.kind == "broken")
    assert broken.trouble == "The device kind 'broken' cannot be loaded."
    dialog = AddDeviceDialog(appearance, print, tuple, forms=[broken])
    assert dialog.reason == broken.trouble
    assert not dialog.default.isEnabled()
    assert not dialog.test.isEnabled()


def test_a_package_that_is_not_installed_is_said_as_soon_as_the_kind_is_chosen(app, appearance, monkeypatch):
    monkeypatch.setattr(kinds, "find_spec", lambda package: None if package == "asyncssh" else package)
    dialog = AddDeviceDialog(appearance, print, tuple)
    assert "package" not in dialog.reason
    dialog.kinds.choose("ssh")
    dialog.kinds.form.fill({"id": "box", "host": "box.example"})
    assert dialog.reason == (
        "Devices of the kind 'ssh' need the package 'asyncssh', which is not installed here. "
        "Install it with: pip install 'starloom[ssh]'."
    )
    assert not dialog.default.isEnabled()
    assert not dialog.test.isEnabled()


# ---- adding


def test_a_described_device_is_added_with_what_was_given(app, appearance):
    bench = AddDeviceBench(appearance, app)
    bench.fill("simulated", id="sim", speed=2.5, failure_rate=0.1, slots=3, capabilities=["gpu"])
    QTest.keyClick(bench.dialog, Qt.Key.Key_Return)
    (device,) = bench.added
    assert isinstance(device, SimulatedDevice)
    assert (device.id, device.speed, device.failure_rate, device.slots) == ("sim", 2.5, 0.1, 3)
    assert device.capabilities == {"gpu"}


def test_an_undescribed_device_is_added_too(app, appearance):
    bench = AddDeviceBench(appearance, app)
    bench.fill("far", id="f", host="example", port=2222, agent=False)
    bench.dialog.default.click()
    (device,) = bench.added
    assert isinstance(device, FarAway)
    assert (device.host, device.port, device.agent, device.ratio) == ("example", 2222, False, None)


def fold_of(bench):
    return next(one for one in bench.dialog.kinds.form.findChildren(QPushButton) if one.isCheckable())


def test_when_a_device_is_suspended_is_asked_of_who_wants_to_know_and_goes_into_the_fleet(app, appearance, tmp_path):
    bench = AddDeviceBench(appearance, app)
    bench.fill("simulated", id="sim")
    editor = bench.dialog.kinds.form.editor("trip_after")
    assert not editor.isVisible()
    high = bench.dialog.height()
    fold_of(bench).setFocus()
    QTest.keyClick(fold_of(bench), Qt.Key.Key_Space)
    app.processEvents()
    assert editor.isVisible()
    assert bench.dialog.height() > high
    assert (editor.value(), bench.dialog.kinds.form.editor("cool_down").value()) == (TRIP_AFTER, COOL_DOWN)
    bench.fill("simulated", trip_after=2, cool_down=5.5)
    QTest.keyClick(fold_of(bench), Qt.Key.Key_Space)
    for _ in range(3):  # each of the layouts within each other tells the next one
        app.processEvents()
    assert (editor.isVisible(), bench.dialog.height()) == (False, high)
    bench.dialog.default.click()
    (device,) = bench.added
    assert (device.trip_after, device.cool_down) == (2, 5.5)
    save_fleet([device.spec], tmp_path / "fleet.yaml")
    (spec,), _limits = load_fleet(tmp_path / "fleet.yaml")
    assert (spec.trip_after, spec.cool_down) == (2, 5.5)


def test_a_device_that_is_suspended_as_usual_says_nothing_of_it(app, appearance):
    bench = AddDeviceBench(appearance, app)
    bench.fill("simulated", id="sim")
    bench.dialog.default.click()
    (device,) = bench.added
    assert (device.trip_after, device.cool_down) == (TRIP_AFTER, COOL_DOWN)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [("trip_after", -1, "Give 0 or more."), ("cool_down", 0, "Give more than 0."), ("cool_down", "x", "“x”")],
)
def test_what_is_wrong_with_a_field_that_is_folded_away_is_shown(app, appearance, field, value, words):
    bench = AddDeviceBench(appearance, app)
    bench.fill("simulated", id="sim", **{field: value})
    bench.dialog.default.click()
    assert not bench.added
    assert list(bench.reasons()) == [field]
    assert words in bench.reasons()[field]
    assert bench.dialog.kinds.form.editor(field).isVisible()


def test_a_form_without_rare_fields_offers_none(app, appearance):
    form = Form([FieldSpec(name="host", label="Host")], lambda: appearance.palette)
    form.show()
    assert not form.findChildren(QPushButton)
    form.apply_theme(appearance.palette)


def test_what_is_missing_stands_beside_the_disabled_button(app, appearance):
    bench = AddDeviceBench(appearance, app)
    assert bench.dialog.reason == "Name is missing"
    assert not bench.dialog.default.isEnabled()
    bench.fill("far", id="f")
    assert bench.dialog.reason == "Host is missing"
    bench.fill("far", host="h")
    assert bench.dialog.default.isEnabled()
    assert bench.dialog.reason == ""


@pytest.mark.parametrize(
    ("values", "field", "words"),
    [
        ({"id": "taken"}, "id", "There is a device taken already."),
        ({"id": "x" * 2000}, "id", "."),
        ({"port": "many"}, "port", "“many” is no whole number."),
        ({"port": "0"}, "port", "port cannot be 0"),
        ({"ratio": "half"}, "ratio", "“half” is no number."),
        ({"slots": "0"}, "slots", "Give 1 or more. Nothing was added."),
    ],
)
def test_what_is_wrong_stands_under_its_field_and_nothing_is_added(app, appearance, values, field, words):
    bench = AddDeviceBench(appearance, app, "taken")
    bench.fill("far", **({"id": "f", "host": "h"} | values))
    bench.dialog.default.click()
    assert not bench.added
    assert bench.dialog.isVisible()
    assert list(bench.reasons()) == [field]
    assert words in bench.reasons()[field]
    bench.dialog.kinds.form.editor(field).edited.emit()
    assert not bench.reasons()


def test_nothing_moves_under_the_pointer_as_a_message_comes_or_goes(app, appearance):
    bench = AddDeviceBench(appearance, app)
    bench.fill("simulated", id="sim", slots="many")
    app.processEvents()
    high = bench.dialog.height()
    QTest.mouseClick(bench.dialog.default, Qt.MouseButton.LeftButton)
    app.processEvents()
    assert list(bench.reasons()) == ["slots"]
    assert bench.dialog.height() == high
    bench.dialog.kinds.form.explain("id", "It is taken by another one. " * 9)
    app.processEvents()
    higher = bench.dialog.height()
    assert higher > high
    QTest.keyClick(bench.dialog.kinds.form.editor("id").focusProxy(), Qt.Key.Key_X)
    bench.dialog.kinds.form.clear()
    app.processEvents()
    assert bench.dialog.height() == higher


def test_another_kind_keeps_the_name(app, appearance):
    bench = AddDeviceBench(appearance, app)
    bench.fill("far", id="lab", capabilities=["jtag"])
    bench.dialog.kinds.choose("simulated")
    assert bench.dialog.kinds.form.editor("id").value() == "lab"
    assert bench.dialog.kinds.form.editor("capabilities").value() == {"jtag"}


def test_escape_adds_nothing(app, appearance):
    bench = AddDeviceBench(appearance, app)
    bench.fill("far", id="f", host="h")
    QTest.keyClick(bench.dialog, Qt.Key.Key_Escape)
    assert not bench.dialog.isVisible()
    assert not bench.added


def test_it_stands_in_nobodys_way_and_adds_to_a_running_fleet(app, appearance):
    async def main() -> None:
        async with engine() as orchestrator:
            commands = Commands(LocalEngine(orchestrator))
            dialog = AddDeviceDialog(appearance, commands.add_device, lambda: tuple(orchestrator.fleet.devices))
            dialog.open()
            dialog.kinds.choose("simulated")
            dialog.kinds.form.fill({"id": "sim"})
            dialog.default.click()
            await commands.answered()
            assert orchestrator.fleet.devices["sim"].connected

    run(main())


# ---- fields


def test_words_are_gathered_one_by_one_and_taken_out_again(app, appearance):
    editor = TagsEditor(FieldSpec(name="c", label="Capabilities", sort=ValueType.TAGS))
    editor.apply_theme(appearance.palette)
    editor.show()
    QTest.keyClicks(editor.line, "gpu,jtag flash")
    assert editor.tags == ("gpu", "jtag")
    assert editor.value() == {"gpu", "jtag", "flash"}
    QTest.keyClick(editor.line, Qt.Key.Key_Return)
    assert editor.tags == ("gpu", "jtag", "flash")
    QTest.keyClick(editor.line, Qt.Key.Key_Backspace)
    assert editor.tags == ("gpu", "jtag")
    editor.box.buttons[0].click()
    assert editor.value() == {"jtag"}


def test_many_words_do_not_widen_the_dialog(app, appearance):
    bench = AddDeviceBench(appearance, app)
    bench.fill("far", id="f", host="h")
    app.processEvents()
    wide, high = bench.dialog.width(), bench.dialog.height()
    for count in range(1, 13):
        bench.fill("far", capabilities=[f"capability-{number}" for number in range(count)])
        app.processEvents()
        assert bench.dialog.width() == wide
    assert bench.dialog.height() > high


def test_every_field_has_a_name_for_screen_readers_and_is_reached_by_tab(app, appearance):
    bench = AddDeviceBench(appearance, app)
    bench.fill("far", id="f", host="h")
    reached = []
    for _ in range(20):
        focused = app.focusWidget()
        if focused is not None and focused.accessibleName() not in reached:
            reached.append(focused.accessibleName())
        bench.dialog.focusNextChild()
    assert {"Name", "Host", "Port", "Agent", "Ratio", "Slots", "Capabilities"} <= set(reached)


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_another_theme_is_worn_at_once(app, appearance, theme):
    bench = AddDeviceBench(appearance, app)
    appearance.choose(theme)
    app.processEvents()
    middle = bench.dialog.grab().toImage().pixelColor(bench.dialog.width() // 2, bench.dialog.height() - 24)
    assert middle.name().upper() == appearance.palette.panel


def test_the_place_of_a_device_is_where_it_says_why_it_cannot_be_reached():
    host = FieldSpec(name="host", label="Host")
    assert DeviceForm(kind="a", label="A", fields=(host,)).place == "host"
    assert DeviceForm(kind="a", label="A").place == "id"


def test_the_name_and_the_capabilities_that_a_task_needs_are_there_already(app, appearance):
    wanted = {"id": "lab", "capabilities": frozenset({"tpu"})}
    dialog = AddDeviceDialog(appearance, print, tuple, forms=device_forms(KINDS), wanted=wanted)
    values = dialog.kinds.form.values() or {}
    assert {name: values[name] for name in wanted} == wanted
