"""Names a file in the dialog that asks for one, whatever its list of files has come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QFileDialog


async def name_file(dialog: QFileDialog, path: Path) -> None:
    """Write the path of a file into a dialog and accept it.

    The row of the file that was offered has precedence over what is written, as soon as the folder has been read; so
    the path is written until the dialog has taken it. `selectFile` would leave a field that has the focus.
    """
    line = dialog.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(line, QLineEdit)

    def is_taken() -> bool:
        line.clear()
        line.setText(str(path))
        return [name.startswith(str(path)) for name in dialog.selectedFiles()] == [True]  # an ending may be added

    await until(is_taken)
    dialog.accept()
