"""The guards of tests/gui catch what they are there for: pytest-qt as pyproject.toml sets it up, and the conftest."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
OFFENDERS = """
import pytest
from PySide6.QtCore import QModelIndex, QObject, QStringListModel, QThread, QTimer, QVariantAnimation, Signal
from PySide6.QtCore import qCritical, qDebug, qWarning
from PySide6.QtWidgets import QWidget

kept = []

class Sender(QObject):
    sent = Signal()

class Unhappy(QWidget):
    def paintEvent(self, event):
        raise RuntimeError("cannot paint")

def fail():
    raise RuntimeError("cannot go on")

@pytest.fixture
def complaining_at_first(qapp):
    qWarning("something is odd at first")

@pytest.fixture
def complaining_in_the_end(qapp):
    yield
    qWarning("something is odd in the end")

@pytest.fixture
def failing_in_the_end(qapp):
    yield
    QTimer.singleShot(0, fail)

def test_warning(qapp):
    qWarning("something is odd")

def test_critical(qapp):
    qCritical("something is very odd")

def test_warning_at_first(complaining_at_first):
    pass

def test_warning_in_the_end(complaining_in_the_end):
    pass

def test_nearly_excused(qapp):
    qWarning("This plugin does not support raise() of the dead")

def test_slot(qapp):
    sender = Sender()
    sender.sent.connect(fail)
    sender.sent.emit()

def test_virtual_method(qtbot):
    widget = Unhappy()
    qtbot.addWidget(widget)
    widget.grab()

def test_slot_after_the_test(qapp):
    QTimer.singleShot(0, fail)

def test_slot_in_the_end(failing_in_the_end):
    pass

def test_model(qtmodeltester):
    model = QStringListModel(["a"])
    qtmodeltester.check(model)
    model.beginInsertRows(QModelIndex(), 1, 1)
    model.endInsertRows()

def test_good_model(qtmodeltester):
    model = QStringListModel(["a"])
    qtmodeltester.check(model)
    model.setStringList(["b", "c"])

def test_excused(qapp):
    qWarning("This plugin does not support propagateSizeHints()")
    qDebug("nothing is odd")

def test_leaving_a_window(qapp):
    kept.append(QWidget())

def test_leaving_a_timer(qapp):
    kept.append(QTimer())
    kept[-1].start(60_000)

def test_leaving_a_thread(qapp):
    kept.append(QThread())
    kept[-1].start()

def test_after_the_thread():
    kept[-1].quit()
    kept[-1].wait()

def test_leaving_an_animation(qapp):
    kept.append(QVariantAnimation(startValue=0, endValue=1, duration=60_000))
    kept[-1].start()

def test_ending_all(qtbot):
    kept.append(QTimer(singleShot=True, interval=100))  # about to fire
    kept[-1].start()
    owner = QWidget()
    qtbot.addWidget(owner)
    QTimer(owner).start(60_000)
    alone = QTimer()
    alone.me = alone  # only it refers to itself
    alone.start(60_000)
    thread = QThread()
    thread.start()
    thread.quit()
    kept.append(thread)

def test_window(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitUntil(widget.isVisible)
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """How pytest ended each of the offenders, and what it said of it: one run for all of them."""
    folder = tmp_path_factory.mktemp("guards")
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "tests" / "gui").mkdir(parents=True)
    for guard in ("conftest.py", "gui/conftest.py", "gui/leftovers.py"):
        said = (ROOT / "tests" / guard).read_text()
        (folder / "tests" / guard).write_text(re.sub(r"(SETTLING_SECONDS.*) = 2.0", r"\1 = 0.3", said))
    (folder / "tests" / "gui" / "test_offenders.py").write_text(OFFENDERS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "--junit-xml=said.xml"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    found: dict[str, str] = {}
    for case in ElementTree.parse(folder / "said.xml").iter("testcase"):
        said = "".join(part.text or "" for kind in ("failure", "error") for part in case.findall(kind))
        found[case.attrib["name"]] = found.get(case.attrib["name"], "") + said
    assert len(found) == OFFENDERS.count("def test_"), done.stdout + done.stderr
    return found


@pytest.mark.parametrize(
    ("test", "reason"),
    [
        ("test_warning", "QtWarningMsg: something is odd"),
        ("test_critical", "QtCriticalMsg: something is very odd"),
        ("test_warning_at_first", "QtWarningMsg: something is odd at first"),
        ("test_warning_in_the_end", "something is odd in the end"),
        ("test_nearly_excused", "raise() of the dead"),
        ("test_model", "Qt modeltester errors"),
        ("test_slot", "RuntimeError: cannot go on"),
        ("test_virtual_method", "QWidget::paintEvent(): cannot paint"),
        ("test_slot_after_the_test", "RuntimeError: cannot go on"),
        ("test_slot_in_the_end", "RuntimeError: cannot go on"),
    ],
)
def test_what_qt_complains_about_or_hides_fails_a_test(outcomes: dict[str, str], test: str, reason: str) -> None:
    assert reason in outcomes[test]


@pytest.mark.parametrize(
    ("test", "what"),
    [
        ("test_leaving_a_window", "window PySide6.QtWidgets.QWidget"),
        ("test_leaving_a_timer", "running PySide6.QtCore.QTimer"),
        ("test_leaving_a_thread", "running PySide6.QtCore.QThread"),
        ("test_leaving_an_animation", "running PySide6.QtCore.QVariantAnimation"),
    ],
)
def test_what_is_left_behind_fails_a_test_and_is_said_to_be_made_there(
    outcomes: dict[str, str], test: str, what: str
) -> None:
    assert what in outcomes[test]
    assert f"({test})" in outcomes[test]


@pytest.mark.parametrize(
    "test", ["test_excused", "test_good_model", "test_window", "test_after_the_thread", "test_ending_all"]
)
def test_what_is_clean_passes(outcomes: dict[str, str], test: str) -> None:
    assert outcomes[test] == ""
