"""Closing a dialog in which something was typed: it asks, wherever the keyboard is, and goes on where it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from tests.driver import plan, task
from tests.gui.dialogs.far_away import KINDS
from tests.gui.dialogs.test_attach_agent import Engine
from tests.gui.documents.plans import loaded

from starloom_gui.dialogs.add_device import AddDeviceDialog
from starloom_gui.dialogs.agent_forms import MODEL
from starloom_gui.dialogs.attach_agent import AttachAgentDialog
from starloom_gui.dialogs.device_forms import device_forms
from starloom_gui.dialogs.plan_properties.dialog import PlanPropertiesDialog
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.widgets.cell_table import CellTable
from starloom_gui.widgets.script_editor import ScriptArea
from starloom_gui.widgets.tag_box import TagLine
from starloom_gui.widgets.value_tree import ValueTree

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.dialog import Dialog

pytestmark = pytest.mark.usefixtures("far_away")
KEEPS = "What you typed is not kept yet."


def adding(appearance: Appearance, _folder: Path) -> Dialog:
    made = AddDeviceDialog(appearance, lambda _: None, lambda: (), forms=device_forms(KINDS))
    made.kinds.choose("far")
    return made


def attaching(appearance: Appearance, _folder: Path) -> Dialog:
    made = AttachAgentDialog(appearance, "r", Engine())
    made.kinds.choose(MODEL)
    return made


def properties(appearance: Appearance, folder: Path) -> PlanPropertiesDialog:
    documents = OpenDocuments()
    key = documents.put_loaded(loaded(plan([task("a")]), folder / "firmware.yaml")).key
    return PlanPropertiesDialog(appearance, PlanEditor(documents, key))


@pytest.fixture(params=[adding, attaching, properties])
def dialog(request: pytest.FixtureRequest, app: QApplication, appearance: Appearance, tmp_path: Path) -> Dialog:
    made: Dialog = request.param(appearance, tmp_path)
    opened(made)
    return made


def opened(dialog: Dialog) -> None:
    dialog.open()
    dialog.activateWindow()
    assert QTest.qWaitForWindowActive(dialog)


def field_of(dialog: Dialog) -> QLineEdit:
    return next(one for one in dialog.findChildren(QLineEdit) if one.isVisible() and one.isEnabled())


def escape(dialog: Dialog) -> None:
    """Press Escape where the keyboard is."""
    focused = QApplication.focusWidget()
    assert focused is not None
    assert dialog.isAncestorOf(focused)
    QTest.keyClick(focused, Qt.Key.Key_Escape)


def buttons(dialog: Any) -> tuple[bool, str]:
    return dialog.typed.discard.isVisible(), dialog.cancel.text()


def test_what_is_untouched_closes_at_once(dialog: Dialog) -> None:
    escape(dialog)
    assert not dialog.isVisible()


def test_what_is_filled_in_asks_first_and_goes_on_at_a_second_escape(dialog: Any) -> None:
    field = field_of(dialog)
    field.setFocus()
    QTest.keyClicks(field, "lab")
    before = dialog.reason
    escape(dialog)
    assert dialog.isVisible()
    assert (dialog.reason, *buttons(dialog)) == (KEEPS, True, "Go on")
    escape(dialog)
    assert dialog.isVisible()
    assert (dialog.reason, *buttons(dialog)) == (before, False, "Cancel")
    assert QApplication.focusWidget() is field
    assert field.text().endswith("lab")
    escape(dialog)
    QTest.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Return)
    assert dialog.isVisible(), "Enter loses nothing"
    assert QApplication.focusWidget() is field
    escape(dialog)
    dialog.typed.discard.setFocus()
    QTest.keyClick(dialog.typed.discard, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    assert dialog.result() == dialog.DialogCode.Rejected


@pytest.mark.parametrize("closes", ["_close", "cancel"])
def test_its_buttons_ask_too_and_editing_on_asks_no_more(dialog: Any, closes: str) -> None:
    field = field_of(dialog)
    field.setFocus()
    QTest.keyClicks(field, "lab")
    QTest.mouseClick(getattr(dialog, closes), Qt.MouseButton.LeftButton)
    assert dialog.isVisible()
    assert buttons(dialog) == (True, "Go on")
    QTest.keyClicks(field, "2")
    assert buttons(dialog) == (False, "Cancel")
    assert dialog.reason != KEEPS
    dialog.close_anyway()


def test_what_was_taken_out_again_closes_at_once(dialog: Any) -> None:
    field = field_of(dialog)
    field.setFocus()
    field.end(False)
    QTest.keyClicks(field, "x")
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    escape(dialog)
    assert not dialog.isVisible()


@pytest.mark.parametrize(
    ("section", "kind"),
    [("general", ScriptArea), ("general", ValueTree), ("running", CellTable), ("defaults", TagLine)],
)
def test_escape_is_heard_in_every_kind_of_field(
    app: QApplication, appearance: Appearance, tmp_path: Path, section: str, kind: type[QWidget]
) -> None:
    made = properties(appearance, tmp_path)
    opened(made)
    made.turn_to(section)
    app.processEvents()
    field = next(one for one in made.findChildren(kind) if one.isVisible())
    field.setFocus()
    escape(made)
    assert not made.isVisible()


def test_text_of_several_lines_is_asked_about(app: QApplication, appearance: Appearance, tmp_path: Path) -> None:
    made = properties(appearance, tmp_path)
    opened(made)
    area = next(one for one in made.findChildren(ScriptArea) if one.isVisible())
    area.setFocus()
    QTest.keyClicks(area, "Two boards")
    escape(made)
    assert (made.isVisible(), *buttons(made)) == (True, True, "Go on")
    escape(made)
    assert area.hasFocus()
    made.close_anyway()
