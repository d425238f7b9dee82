"""The window of the program: a page for each engine that it shows, and their tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.shell.engine_tabs import EngineTabs
from starloom_gui.shell.main_window import FIRST

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent

    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.theme.appearance import Appearance


class ProgramWindow(QWidget):
    """A window with the consoles of several engines, one of which is in front. It is hidden with the last of them.

    Closing it asks them one after another, and closes them once each may be closed: whoever stays keeps all of them.
    The program's own engine comes last, as what is chosen for its runs is done with the answer.

    Args:
        appearance: the colours of the program; this owns it.

    Attributes:
        appearance: as given.
        tabs: one for each engine.

    Signals:
        emptied(): the last page is closed.
    """

    emptied = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.appearance = appearance
        appearance.setParent(self)
        self.setObjectName("program")
        self.resize(*FIRST)
        self.tabs = EngineTabs(appearance, self)
        self._stack = QStackedWidget(self)
        self._pages: list[MainWindow] = []
        self._own: MainWindow | None = None
        self._is_closing = False
        self._agreed: set[MainWindow] = set()
        """The pages that may be closed, while the window is being closed."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(self._stack)
        self.tabs.currentChanged.connect(lambda index: self.show_page(self._pages[index]))
        self.tabs.close_asked.connect(lambda index: self.close_page(self._pages[index]))

    def add(self, page: MainWindow, *, is_own: bool) -> None:
        """Add the page of an engine, behind those that are shown already.

        Args:
            page: its console.
            is_own: whether the engine is this program's, so that it stays as long as the window does.
        """
        self._pages.append(page)
        if is_own:
            self._own = page
        self._stack.addWidget(page)
        self.tabs.add(closable=not is_own)
        page.windowTitleChanged.connect(self._show_title)
        page.agreed.connect(lambda: self._note_agreed(page))
        page.closed.connect(lambda: self._drop(page))
        page.engine_turned.connect(lambda places: self._turn(page, places))
        page.disconnect_asked.connect(lambda: self.close_page(page))
        self._allow()
        self._show_title()

    @property
    def front(self) -> MainWindow | None:
        """The page in front; None: all are closed."""
        at = self._stack.currentIndex()
        return self._pages[at] if at >= 0 else None

    def show_page(self, page: MainWindow) -> None:
        """Turn to a page, with the windows of its panes instead of those of the page before."""
        before = self.front
        if before is page:
            return
        if before is not None:
            before.pane_windows.show_all(shown=False)
        index = self._pages.index(page)
        self._stack.setCurrentIndex(index)
        self.tabs.setCurrentIndex(index)
        page.look.read()
        page.note_window_state()
        page.pane_windows.show_all(shown=not page.is_welcoming)
        had: QWidget | None = page.focusWidget()  # None where nothing had the keyboard, which the stubs don't know
        (had if had is not None else page.ground).setFocus()
        self._show_title()

    def say(self, page: MainWindow, name: str, tip: str) -> None:
        """Say in the tab of a page, and in its tooltip, what engine it is."""
        self.tabs.say(self._pages.index(page), name, tip)

    def show_unread(self, page: MainWindow, count: int) -> None:
        """Show in the tab of a page how many notifications are unread."""
        if page in self._pages:
            self.tabs.show_unread(self._pages.index(page), count)

    def close_page(self, page: MainWindow) -> None:
        """Close a page that is no longer wanted, while the others stay."""
        self._is_closing = False
        if page is self._own:
            return
        self.show_page(page)  # which may ask
        page.save_layout()
        page.close()

    def _turn(self, page: MainWindow, places: int) -> None:
        at = self._pages.index(page) + places
        self.show_page(self._pages[at % len(self._pages)])

    def _drop(self, page: MainWindow) -> None:
        """Forget a page that is closed."""
        index = self._pages.index(page)
        del self._pages[index]
        self.tabs.drop(index)
        self._stack.removeWidget(page)
        page.setParent(None)  # whoever has made it deletes it
        if page is self._own:
            self._own = None
        if not self._pages:
            self.hide()
            self.emptied.emit()
            return
        self.tabs.setCurrentIndex(self._stack.currentIndex())
        self._allow()
        self._show_title()

    def _ask_next(self) -> None:
        """Ask the next page whether it may be closed; close all of them once each may be."""
        pages = sorted(self._pages, key=lambda page: page is self._own)
        page = next((one for one in pages if one not in self._agreed), None)
        if page is not None:
            self.show_page(page)
            page.close() if page.asks_before_closing else self._note_agreed(page)
            return
        self._is_closing = False
        for one in pages:
            _close(one)

    def _note_agreed(self, page: MainWindow) -> None:
        """Note that a page may be closed, and close it unless others are to be asked first."""
        if self._is_closing:
            self._agreed.add(page)
            self._ask_next()
        else:
            _close(page)

    def _allow(self) -> None:
        for page in self._pages:
            page.allow_engines(len(self._pages), is_closable=page is not self._own and len(self._pages) > 1)

    def _show_title(self) -> None:
        if self.front is not None:
            self.setWindowTitle(self.front.windowTitle())

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()  # it is hidden with its last page
        if self.front is not None:
            self.front.save_layout()
            self._agreed, self._is_closing = set(), True  # who stayed before may have changed something since
            self._ask_next()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.WindowStateChange and self.front is not None:
            self.front.note_window_state()
        super().changeEvent(event)


def leave(page: MainWindow) -> None:
    """Close a page of which nothing is to be asked any more; the program's window closes its pages once all may be."""
    if page.isWindow():
        _close(page)
    else:
        page.agreed.emit()


def _close(page: MainWindow) -> None:
    page.asks_before_closing = False
    page.close()
