"""A gate in the inspector: it takes no device, no slot and no files, so nothing of these is offered of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QLabel, QPushButton
from tests.driver import Driver, plan, task
from tests.gui.panels.fleets import ByHand

from starloom.scheduling.read.run_view import RunView
from starloom_gui.panels.inspector import Inspector
from starloom_gui.viewmodel.selection import Selection
from starloom_gui.viewmodel.task_fields import fields_of
from starloom_gui.viewmodel.task_specs import FormPart

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance


def gated() -> Driver:
    driver = Driver(slots=1)
    driver.create(plan(["a", task("ship", gate="Ship it?"), "b"], ["a>ship", "ship>b"]))
    return driver


def shown(driver: Driver, appearance: Appearance, app: QApplication, *ids: str) -> Inspector:
    selection = Selection()
    read, now = (lambda: RunView(driver.run())), (lambda: driver.scheduler.now)
    made = Inspector(appearance, selection, read, now, ByHand(driver), lambda _, task_id: driver.why(task_id))
    made.resize(296, 752)
    QCursor.setPos(790, 790)  # it holds still under a pointer
    made.show()
    selection.select_all(driver.run().graph.place[one] for one in ids)
    app.processEvents()
    return made


def test_neither_a_device_nor_a_place_in_line_is_offered_of_a_gate(app: QApplication, appearance: Appearance) -> None:
    inspector = shown(gated(), appearance, app, "ship")
    labels = [one.text() for one in inspector.head.findChildren(QPushButton) if one.isVisible()]
    assert "Prioritise" not in labels
    assert labels[:2] == ["Hold", "Skip"]
    menu = inspector.head.open_menu(QPoint(0, 0))
    found = {action.text(): action for action in menu.actions()}
    assert not any(text.startswith("Only on") for text in found)
    assert not found["Prioritise"].isEnabled()
    assert found["Prioritise"].toolTip() == "A gate stands in no line: it asks as soon as it is ready."
    menu.close()


def test_of_a_gate_no_device_is_said_to_fit(app: QApplication, appearance: Appearance) -> None:
    driver = gated()
    driver.end("a")
    inspector = shown(driver, appearance, app, "ship")
    said = [one.text() for one in inspector.why.findChildren(QLabel) if one.isVisible()]
    assert any("Ship it?" in text for text in said)
    assert not any("fits" in text for text in said)


def test_the_form_of_a_gate_has_what_means_something_to_it(app: QApplication, appearance: Appearance) -> None:
    driver = gated()
    run = RunView(driver.run())
    gate, other = (run.task(driver.run().graph.place[one]) for one in ("ship", "a"))
    names = {one.name for one in fields_of(gate, tuple(FormPart))}
    assert {
        "gate",
        "gate.after",
        "gate.then",
        "priority",
        "join",
        "groups",
        "severity",
        "bypass",
        "description",
    } <= names
    nothing = {"device", "requires", "cwd", "files.send", "timeout", "retry", "inputs", "env", "upstream"}
    assert not names & nothing
    assert nothing <= {one.name for one in fields_of(other, tuple(FormPart))}
    fields = shown(driver, appearance, app, "ship").fields
    assert [part for part in FormPart if fields.parts[part].isVisible()] == [
        *(FormPart.WHAT, FormPart.WHERE, FormPart.WHEN, FormPart.RETRY, FormPart.ABOUT)
    ]
    fields = shown(driver, appearance, app, "a", "b").fields
    assert all(part.isVisible() for part in fields.parts.values())
