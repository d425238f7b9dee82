"""A stack of views of one kind, one of which is visible."""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from weakref import ReferenceType, ref

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QStackedWidget, QWidget
from shiboken6 import isValid
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtGui import QShowEvent


FRAME: Final = 16
"""Milliseconds between two steps of making views."""


class _Making:
    """Makes the views of stacks one after the other, with a frame and input between two steps.

    Each is made in one step, styled in the next and then shown, up to 40 ms each; all of a window at once would stop it
    for long.
    """

    def __init__(self) -> None:
        self._waiting: deque[ReferenceType[ViewStack]] = deque()
        self.is_spreading = False

    @property
    def is_done(self) -> bool:
        """Whether no stack waits for its view."""
        return not self._waiting

    def add(self, stack: ViewStack) -> None:
        """Have a stack make its view soon."""
        self._waiting.append(ref(stack))
        if len(self._waiting) == 1:
            QTimer.singleShot(FRAME, self._go_on)

    def _go_on(self) -> None:
        stack = self._waiting[0]()
        has_more = False
        try:
            has_more = stack is not None and isValid(stack) and stack.make_next()
        finally:
            if not has_more:
                self._waiting.popleft()
            if self._waiting:
                QTimer.singleShot(FRAME, self._go_on)


class ViewStack(QStackedWidget):
    """A stack of views of one kind, one of which is visible and gets the keyboard focus.

    A new view is made and added once the stack is seen: Qt then works out the style of all that is in it, which takes 5
    to 40 ms, and many a view is never looked at.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(0, 0)
        self._next: tuple[object, Callable[[], QWidget]] | None = None

    def bring(self, view: QWidget) -> None:
        """Show a view, which is added if it is new: once the stack is seen."""
        if self.indexOf(view) < 0 and not self.isVisible():
            # until it is added, it has no parent
            self.destroyed.connect(view.deleteLater, Qt.ConnectionType.UniqueConnection)
            self._next = view, lambda: view
            return
        self._next = None
        if self.indexOf(view) < 0:
            self.addWidget(view)
        self.setCurrentWidget(view)
        has_keyboard = self.hasFocus()  # since it was empty
        self.setFocusProxy(view)
        if has_keyboard:
            view.setFocus()

    def bring_made(self, owner: object, make: Callable[[], QWidget]) -> None:
        """Show the view of an owner, which a function makes or has made before; it is called once the stack is seen."""
        if self.isVisible():
            self.bring(make())
        else:
            self._next = owner, make

    def forget(self, owner: object) -> None:
        """Make no view of this owner any more."""
        if self._next is not None and self._next[0] is owner:
            self._next = None

    def drop(self, view: QWidget) -> None:
        """Remove a view."""
        self.forget(view)
        if self.focusProxy() is view:
            self.setFocusProxy(None)  # type: ignore[arg-type]  # None takes the proxy away, which the stubs don't know
        self.removeWidget(view)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._next is None:
            return
        owner = self._next[0]
        if isinstance(owner, QWidget):
            self._show_made(owner)
        elif _making.is_spreading:
            _making.add(self)
        else:
            self._show_made(self._next[1]())

    def make_next(self) -> bool:
        """Make the view that was waited with, then style it, then show it; returns whether it is to be shown yet."""
        if self._next is None or not self.isVisible():
            return False
        owner, make = self._next
        view = make()
        if owner is not view:
            self._next = view, make
            return True
        if view.parentWidget() is None:
            view.setParent(self)  # not added yet: a stack shows its first view at once
            for each in (view, *view.findChildren(QWidget)):
                each.ensurePolished()
            return True
        self._show_made(view)
        return False

    def _show_made(self, view: QWidget) -> None:
        self.bring(view)
        view.setGeometry(self.contentsRect())  # at once, not with the next event

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    @override
    def sizeHint(self) -> QSize:
        shown = self.currentWidget()
        return shown.sizeHint() if shown is not None else QSize(0, 0)


_making: Final = _Making()


@contextmanager
def one_after_another() -> Iterator[None]:
    """Have the views of all stacks that are shown within it made soon afterwards, one after the other."""
    _making.is_spreading = True
    try:
        yield
    finally:
        _making.is_spreading = False


def all_made() -> bool:
    """Whether the views of all stacks that are seen are made."""
    return _making.is_done
