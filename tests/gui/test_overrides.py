"""An error in a Python override of one of Qt's methods is an error, and not the end of the process."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import starloom_gui
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget

class Mixed:
    def event(self, event):
        if event.type() == QEvent.Type.User:
            gone = QLabel()
            shiboken6.delete(gone)
            {what}
        return super().event(event)

class Failing(Mixed, QWidget):
    pass

application = QApplication([])
failing = Failing()
try:
    QCoreApplication.sendEvent(failing, QEvent(QEvent.Type.User))
except Exception as error:
    print(f"raised {{type(error).__name__}}")
print("alive")
"""


@pytest.mark.parametrize(
    ("what", "error"),
    [
        ("gone.text()", "RuntimeError"),
        ("[].index(1)", "ValueError"),
        ("QLabel().setText(3)", "TypeError"),
        ("next(iter(()))", "StopIteration"),
        ("raise LookupError('here')", "LookupError"),
    ],
)
def test_what_an_override_raises_is_told_and_ends_nothing(what: str, error: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(what=what)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "alive"
    assert error in done.stdout + done.stderr
