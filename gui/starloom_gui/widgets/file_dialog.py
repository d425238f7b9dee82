"""A dialog that asks for a file and opens none of those that it lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QFileInfo, Qt
from PySide6.QtGui import QAbstractFileIconProvider, QIcon
from PySide6.QtWidgets import QFileDialog, QStyle
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class _NameIcons(QAbstractFileIconProvider):
    """The icons of files by what they are, rather than by what they hold.

    Qt reads the beginning of each file to tell its type: 5,000 files stop the window for a third of a second, and one
    that gives nothing, as `/proc/kmsg`, for ever.
    """

    def __init__(self, style: QStyle) -> None:
        super().__init__()
        self._file = style.standardIcon(QStyle.StandardPixmap.SP_FileIcon)
        self._folder = style.standardIcon(QStyle.StandardPixmap.SP_DirIcon)

    @override
    def icon(self, about: QFileInfo | QAbstractFileIconProvider.IconType) -> QIcon:
        folders = (self.IconType.Folder, self.IconType.Drive, self.IconType.Computer)
        is_folder = about.isDir() if isinstance(about, QFileInfo) else about in folders
        return self._folder if is_folder else self._file

    @override
    def type(self, info: QFileInfo) -> str:
        return "" if info.isDir() else info.suffix()


class FileDialog(QFileDialog):
    """A file dialog, deleted once it is closed.

    Args:
        parent: what it stands over.
        title: what is asked for.
        folder: where it begins; empty: where it was last.
    """

    def __init__(self, parent: QWidget, title: str, folder: str = "") -> None:
        super().__init__(parent, title, folder)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._icons = _NameIcons(self.style())
        self.setIconProvider(self._icons)
