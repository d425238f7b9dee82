"""A small window out of which a file can be dragged, as out of a file manager. Its arguments: the file, x and y."""

from __future__ import annotations

import sys

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel
from typing_extensions import override


class Source(QLabel):
    """A label that is its file."""

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        drag, mime = QDrag(self), QMimeData()
        mime.setUrls([QUrl.fromLocalFile(sys.argv[1])])
        drag.setMimeData(mime)
        drag.exec(Qt.DropAction.CopyAction)


if __name__ == "__main__":
    application = QApplication(["files"])
    source = Source("file")
    source.setWindowTitle("Files")
    source.setGeometry(int(sys.argv[2]), int(sys.argv[3]), 120, 60)
    source.show()
    sys.exit(application.exec())
