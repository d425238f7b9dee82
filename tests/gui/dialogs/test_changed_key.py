"""A host key that has changed: the dialog about it, the way to it from the device, and what trusting the key does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from tests.driver import Driver, plan, task
from tests.gui.dialogs.far_away import AddDeviceBench, FarAway
from tests.gui.panels.fleets import ByHand
from tests.virtual_time import run

from starloom.devices.ssh.errors import HostKeyChanged
from starloom.scheduling.read.run_view import TaskView
from starloom.scheduling.read.why import why
from starloom.scheduling.stimuli import DeviceLostNoticed
from starloom_gui.dialogs.changed_key import COMMAND, ChangedKeyDialog
from starloom_gui.models.device_table import DeviceTable
from starloom_gui.panels.device_figures import description, standing
from starloom_gui.panels.devices import DevicesPanel
from starloom_gui.panels.why_question import WhyQuestion
from starloom_gui.panels.why_rows import why_rows
from starloom_gui.widgets.offers import CompareKeyOffer

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance

NEW, OLD = "SHA256:" + "N" * 43, "SHA256:" + "O" * 43
OTHERS = "other.example ssh-ed25519 BBBB"


def changed(known_hosts: Path) -> HostKeyChanged:
    known_hosts.write_text(f"{OTHERS}\nlab.example ssh-ed25519 CCCC\n")
    line = "lab.example ssh-ed25519 AAAA"
    return HostKeyChanged("lab.example", 22, "ssh-ed25519", NEW, line, (OLD,), known_hosts)


def told(dialog: ChangedKeyDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


def opened(appearance: Appearance, key: HostKeyChanged, connected: list[str]) -> ChangedKeyDialog:
    dialog = ChangedKeyDialog(appearance, key, lambda: connected.append("again"))
    dialog.open()
    return dialog


def test_it_says_what_has_changed_and_how_to_compare_and_enter_trusts_nobody(
    app: QApplication, appearance: Appearance, tmp_path: Path
) -> None:
    key, connected = changed(tmp_path / "known_hosts"), list[str]()
    before = key.known_hosts.read_text()
    dialog = opened(appearance, key, connected)
    app.processEvents()
    for words in (NEW, OLD, "lab.example:22", "Somebody may have come between", COMMAND):
        assert words in told(dialog)
    assert (dialog.default.isEnabled(), dialog.reason) == (False, "Compare it first")
    assert dialog.focusWidget() is dialog.cancel
    dialog.copy.click()
    assert "--replace" in QGuiApplication.clipboard().text()
    dialog.compared.setChecked(True)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    assert (connected, key.known_hosts.read_text()) == ([], before)


def test_the_key_is_replaced_once_it_was_compared_and_the_device_is_connected(
    app: QApplication, appearance: Appearance, tmp_path: Path
) -> None:
    key, connected = changed(tmp_path / "known_hosts"), list[str]()
    dialog = opened(appearance, key, connected)
    dialog.compared.click()
    dialog.default.click()
    assert key.known_hosts.read_text() == f"{OTHERS}\nlab.example ssh-ed25519 AAAA\n"
    assert (connected, dialog.isVisible()) == (["again"], False)


def test_a_file_that_cannot_be_written_is_said_and_nothing_is_connected(
    app: QApplication, appearance: Appearance, tmp_path: Path
) -> None:
    key, connected = changed(tmp_path / "known_hosts"), list[str]()
    key.known_hosts.unlink()
    key.known_hosts.mkdir()
    dialog = opened(appearance, key, connected)
    dialog.compared.click()
    dialog.default.click()
    assert "Nothing was replaced." in dialog.reason
    assert (connected, dialog.isVisible()) == ([], True)
    dialog.close()


@pytest.mark.usefixtures("far_away")
def test_while_a_device_is_added_the_key_is_compared_in_that_dialog_and_the_try_goes_on(
    app: QApplication, appearance: Appearance, tmp_path: Path
) -> None:
    async def main() -> None:
        FarAway.answer = changed(tmp_path / "known_hosts")
        bench = AddDeviceBench(appearance, app)
        bench.fill("far", id="f", host="lab.example")
        bench.dialog.test.click()
        await bench.dialog.connection.settled()
        assert "another host key" in bench.reasons()["host"]
        assert bench.dialog.reason == "Compare the host key to go on"
        (compare,) = (
            one for one in bench.dialog.kinds.form.findChildren(QPushButton) if one.text() == "Compare and replace…"
        )
        compare.click()
        (dialog,) = bench.dialog.findChildren(ChangedKeyDialog)
        FarAway.answer = None
        dialog.compared.click()
        dialog.default.click()
        await bench.dialog.connection.settled()
        assert not bench.reasons()
        assert bench.dialog.reason.startswith("Reached in")
        bench.dialog.close()

    run(main())


def refused(*, other_key: bool) -> tuple[Driver, DeviceTable]:
    """A device that runs a task and has come to refuse us, for half a minute already."""
    driver = Driver(devices=())
    driver.add_device("lab", slots=1)
    driver.create(plan([task("a"), task("b")]))
    sentence = f"The machine lab.example port 22 shows the host key {NEW}, known by {OLD}: {'why ' * 60}the remedy"
    driver.turn(DeviceLostNoticed("lab", sentence, refused=True, lost_after=600.0))
    driver.advance(30)
    scheduler = driver.scheduler
    table = DeviceTable(
        lambda: scheduler.fleet,
        lambda: [index.run for index in scheduler.runs.values()],
        lambda: scheduler.now,
        other_key=lambda _: other_key,
    )
    return driver, table


@pytest.mark.parametrize("other_key", [True, False])
def test_the_menu_of_its_card_leads_there_if_the_key_can_be_trusted_here(
    app: QApplication, appearance: Appearance, other_key: bool
) -> None:
    driver, table = refused(other_key=other_key)
    (row,) = table.rows
    assert standing(row).startswith("Refused since ")
    assert standing(row).endswith("· lost in 9:30")
    assert "the remedy" in description(row)
    asks, wanted = ByHand(driver), list[str]()
    panel = DevicesPanel(table, appearance, lambda: asks)
    panel.host_key_requested.connect(wanted.append)
    menu = panel.cards.open_menu(panel.cards.model().index(0, 0), QPoint(0, 0))
    found = {action.text(): action for action in menu.actions()}
    assert "Try again now" in found
    assert ("Compare host key…" in found) is other_key
    if other_key:
        found["Compare host key…"].trigger()
        assert (wanted, asks.sent) == (["lab"], [])
    menu.close()


@pytest.mark.parametrize("name", ["a", "b"])
@pytest.mark.parametrize("other_key", [True, False])
def test_the_inspector_leads_there_or_has_the_whole_reason(app: QApplication, name: str, other_key: bool) -> None:
    driver, _ = refused(other_key=other_key)
    index = driver.scheduler.runs["r"]
    number = index.run.graph.place[name]
    asked = WhyQuestion(TaskView(index.run, number), driver.now, ByHand(driver), other_key=lambda _: other_key)
    found = why_rows(asked, why(driver.scheduler, index, number))[0]
    assert found.text == "lab is refused until somebody does something"
    if other_key:
        assert "somebody may have come between" in found.detail
        assert found.remedies[0] == CompareKeyOffer("Compare host key…", "lab")
    else:
        assert found.detail.endswith("the remedy")
        assert len(found.remedies) == 1
