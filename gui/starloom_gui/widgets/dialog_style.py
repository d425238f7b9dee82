"""The style of dialogs: outlined fields, and one default button filled with the colour of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.theme.metrics import RADIUS
from starloom_gui.theme.palette import blended
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.widgets.controls import sheet
from starloom_gui.widgets.number_field import number_sheet

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette


def dialog_sheet(palette: Palette) -> str:
    """The style sheet of a dialog; special widgets have a property named `look`."""
    return sheet(palette) + number_sheet(palette) + _fields(palette) + _buttons(palette) + _choices(palette)


def _fields(palette: Palette) -> str:
    wrong = palette.status[StatusForm.FAILED].shape
    return (
        f"QLineEdit {{ border: 1px solid {palette.outline}; background: {palette.panel}; padding: 0 7px; }}"
        f"QLineEdit:disabled {{ color: {palette.muted}; border-color: {palette.border}; }}"
        f"QLineEdit:focus {{ border: 2px dashed {palette.text}; padding: 0 6px; }}"
        f"QLineEdit[look='wrong'] {{ border: 2px solid {wrong}; padding: 0 6px; }}"
        "QLineEdit[look='inner'], QLineEdit[look='inner']:focus { border: none; background: transparent; padding: 0; }"
        f"QPlainTextEdit {{ border: 1px solid {palette.outline}; background: {palette.panel}; }}"
        f"QPlainTextEdit:focus {{ border: 2px dashed {palette.text}; }}"
        f"QFrame[look='tags'] {{ border: 1px solid {palette.outline}; border-radius: {RADIUS}px;"
        f" background: {palette.panel}; }}"
        f"QFrame[look='tags-focused'] {{ border: 2px dashed {palette.text}; border-radius: {RADIUS}px;"
        f" background: {palette.panel}; }}"
        f"QFrame[look='tags-wrong'] {{ background: {palette.panel}; }}"
        f"QComboBox {{ border: 1px solid {palette.outline}; border-radius: {RADIUS}px; padding: 0 7px;"
        f" color: {palette.text}; background: {palette.panel}; }}"
        f"QComboBox:focus {{ border: 2px dashed {palette.text}; padding: 0 6px; }}"
        "QComboBox::drop-down { border: none; width: 24px; } QComboBox::down-arrow { image: none; }"
        f"QComboBox QAbstractItemView {{ background: {palette.panel}; color: {palette.text};"
        f" border: 1px solid {palette.border}; selection-background-color: {palette.selected};"
        f" selection-color: {palette.text}; }}"
        f"QScrollArea, QWidget#fields {{ background: {palette.panel}; }}"
        "QScrollArea#body { background: transparent; }"  # the frame of the dialog is painted below it
        "QScrollArea#body > QWidget > QScrollBar:vertical { margin-right: 1px; }"  # beside which its scroll bar stands
    )


def _buttons(palette: Palette) -> str:
    near = blended(palette.text, palette.panel, 0.85)
    return (
        f"QPushButton[look='default'] {{ background: {palette.text}; color: {palette.panel};"
        f" border: 1px solid {palette.text}; padding: 0 15px; }}"
        f"QPushButton[look='default']:hover {{ background: {near}; }}"
        f"QPushButton[look='default']:disabled {{ background: {blended(palette.text, palette.panel, 0.4)};"
        f" color: {palette.panel}; border-color: transparent; }}"
        f"QPushButton[look='tag'] {{ border: none; background: {palette.raised}; padding: 0 4px 0 6px; }}"
        f"QPushButton[look='tag']:hover {{ background: {palette.selected}; }}"
        f"QPushButton[look='tag']:focus {{ border: 1px dashed {palette.text}; padding: 0 3px 0 5px; }}"
    )


def _choices(palette: Palette) -> str:
    return (
        f"QFrame[look='choice'] {{ border: 1px solid {palette.outline}; border-radius: {RADIUS}px;"
        f" background: {palette.raised}; }}"
        "QPushButton[look='kind'] { border: none; background: transparent; padding: 0 12px; }"
        f"QPushButton[look='kind']:hover {{ background: {palette.selected}; }}"
        f"QPushButton[look='kind']:checked {{ background: {palette.text}; color: {palette.panel}; }}"
        f"QPushButton[look='kind']:focus {{ border: 2px dashed {palette.text}; padding: 0 10px; }}"
        f"QPushButton[look='kind']:checked:focus {{ border: 3px double {palette.panel}; padding: 0 9px; }}"
        f"QListWidget {{ border: 1px solid {palette.outline}; border-radius: {RADIUS}px;"
        f" background: {palette.panel}; outline: none; }}"
    )
