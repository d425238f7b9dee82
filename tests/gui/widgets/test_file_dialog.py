"""Dialogs that ask for files tell what these are by their names, as to look into one may take for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QFileInfo, QSize
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtWidgets import QTreeView, QWidget

from starloom_gui.widgets.file_dialog import FileDialog

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot


def test_what_a_file_is_is_told_by_its_name_alone(qtbot: QtBot, tmp_path: Path) -> None:
    picture = QPixmap(QSize(4, 4))
    picture.fill(QColor("red"))
    assert picture.save(str(tmp_path / "plan"), "PNG")
    (tmp_path / "notes.txt").write_bytes((tmp_path / "plan").read_bytes())
    (tmp_path / "folder").mkdir()
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = FileDialog(parent, "Open", str(tmp_path))
    dialog.open()
    view = dialog.findChild(QTreeView)
    assert view is not None
    model = view.model()
    qtbot.waitUntil(lambda: model.rowCount(view.rootIndex()) == 3)
    icons = dialog.iconProvider()
    assert [icons.type(QFileInfo(str(tmp_path / name))) for name in ("plan", "notes.txt", "folder")] == ["", "txt", ""]
    keys = [icons.icon(QFileInfo(str(tmp_path / name))).cacheKey() for name in ("plan", "notes.txt", "folder")]
    assert keys[0] == keys[1] != keys[2]
    dialog.reject()
