"""The dialog about the program: its version and those of its libraries."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import PySide6
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout

from starloom_gui.text.words import fill, translate
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import button, text
from starloom_gui.widgets.dialog import Dialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.appearance import Appearance


def own_version() -> str:
    """The version of the program."""
    try:
        return version("starloom")
    except PackageNotFoundError:  # run from its sources, without having been installed
        return translate("About", "not installed")


def facts() -> tuple[tuple[str, str], ...]:
    """The lines of the dialog, as label and value."""
    return (
        ("Starloom", own_version()),
        ("Python", platform.python_version()),
        ("Qt", fill(translate("About", "%1, PySide %2"), qVersion(), PySide6.__version__)),
        (translate("About", "System"), platform.platform(terse=True)),
    )


class AboutDialog(Dialog):
    """The dialog about the program, whose text can be copied; to be shown with `open()`."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, "Starloom", "", width=380, parent=parent)
        self.body.addWidget(text(self.tr("Watch and steer graphs of tasks that run on many devices."), look="muted"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(GAPS[3])
        grid.setVerticalSpacing(GAPS[0])
        grid.setColumnStretch(1, 1)
        for at, (label, value) in enumerate(facts()):
            grid.addWidget(text(label, look="muted", wraps=False), at, 0)
            told = text(value)
            told.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(told, at, 1)
        self.body.addLayout(grid)
        licence = self.tr("MIT licence. Qt and PySide are used under the LGPL.")
        self.body.addWidget(text(licence, Role.SMALL, "muted"))
        self.copy = button(self.tr("Copy text"))
        self.copy.clicked.connect(self._copy)
        self.aside.addWidget(self.copy)
        self.apply_theme(appearance.palette)
        self.cancel.setFocus()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(f"{label} {value}" for label, value in facts()))
        self.note(self.tr("Copied"))
