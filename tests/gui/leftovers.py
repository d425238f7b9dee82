"""Detects windows, timers, animations and threads that a test of the console has left, with their origin."""

from __future__ import annotations

import functools
import gc
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

import shiboken6
from PySide6 import QtWidgets
from PySide6.QtCore import (
    QAbstractAnimation,
    QEvent,
    QEventLoop,
    QObject,
    QPropertyAnimation,
    QThread,
    QTimer,
    QVariantAnimation,
)
from PySide6.QtWidgets import QApplication, QWidget

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType

    Place = tuple[str, int, str]
    """File, line and function."""

SETTLING_SECONDS: Final = 2.0
"""How long a thread may take that is just ending, or a timer that is about to fire once."""
_POLLING_MILLISECONDS: Final = 5
_MOST_PLACES: Final = 5
_ROOT: Final = Path(__file__).parents[2]
_WIDGETS: Final = [kind for kind in vars(QtWidgets).values() if isinstance(kind, type) and issubclass(kind, QWidget)]
_RUNNING: Final = [QTimer, QThread, QVariantAnimation, QPropertyAnimation]
_QTS_OWN: Final = frozenset({"QTipLabel"})
"""Windows that Qt makes once and keeps: that of tooltips."""


class Watch:
    """Records which timers, threads, animations and widgets are created, and where, which Qt cannot tell later."""

    def __init__(self) -> None:
        self._made: WeakKeyDictionary[QObject, list[Place]] = WeakKeyDictionary()
        self._before: list[QWidget] = []
        for kind in (*_RUNNING, *_WIDGETS):
            self._watch(kind)

    def _watch(self, kind: Any) -> None:
        make = kind.__init__

        @functools.wraps(make)
        def make_and_note(this: QObject, *args: Any, **options: Any) -> None:
            make(this, *args, **options)
            self._made[this] = _callers()

        kind.__init__ = make_and_note

    def begin(self) -> None:
        """Forget what was created so far, and ignore the present windows."""
        self._made.clear()
        self._before = QApplication.topLevelWidgets()

    def left(self) -> list[str]:
        """The remaining objects created since, each as a line with its origin."""
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        if self._there():
            gc.unfreeze()  # the console takes what was made in bulk for old, such as many widgets between two turns
            gc.collect()  # what only refers to itself is not left behind
            gc.freeze()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        deadline = time.monotonic() + SETTLING_SECONDS
        while any(map(_is_ending, self._there())) and time.monotonic() < deadline:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, _POLLING_MILLISECONDS)
        return [_described(one, self._made.get(one, [])) for one in self._there()]

    def _there(self) -> list[QObject]:
        windows: Iterable[QObject] = (one for one in QApplication.topLevelWidgets() if self._is_new(one))
        return [*windows, *(one for one in list(self._made) if shiboken6.isValid(one) and _is_running(one))]

    def _is_new(self, window: QWidget) -> bool:
        return window not in self._before and window.metaObject().className() not in _QTS_OWN


def _is_running(one: QObject) -> bool:
    if isinstance(one, QTimer):
        return one.isActive()
    if isinstance(one, QThread):
        return one.isRunning()
    return isinstance(one, QAbstractAnimation) and one.state() == QAbstractAnimation.State.Running


def _is_ending(one: QObject) -> bool:
    """Whether it ends by itself soon."""
    if isinstance(one, QTimer):
        return one.isSingleShot() and one.remainingTime() <= SETTLING_SECONDS * 1000
    if isinstance(one, QAbstractAnimation):
        return 0 <= one.totalDuration() - one.currentTime() <= SETTLING_SECONDS * 1000
    return isinstance(one, QThread)


def _callers() -> list[Place]:
    """The callers of the constructor in our code, innermost first."""
    found: list[Place] = []
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and len(found) < _MOST_PLACES:
        code = frame.f_code
        if "site-packages" not in code.co_filename:
            found.append((code.co_filename, frame.f_lineno, code.co_name))
        frame = frame.f_back
    return found


def _described(one: QObject, places: Iterable[Place]) -> str:
    what = "window" if isinstance(one, QWidget) else "running"
    name = f"{what} {type(one).__module__}.{type(one).__qualname__} {one.objectName()!r}"
    where = ", from ".join(f"{_short(file)}:{line} ({function})" for file, line, function in places)
    return f"{name}, made in {where}" if where else f"{name}, made by Qt"


def _short(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(_ROOT)) if path.is_relative_to(_ROOT) else file
