"""The tab bar of plans and runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QTabBar, QToolButton
from typing_extensions import override

from starloom_gui.shell.tab_list import ListedTab
from starloom_gui.text.words import fill
from starloom_gui.theme.icons import Icon, glyph_icon, icon
from starloom_gui.theme.metrics import RUN_HEADER
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.widgets.click_guard import ClickGuard
from starloom_gui.widgets.window_style import tab_style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QIcon, QResizeEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_WIDEST_TAB: Final = 240
_NARROWEST_TAB: Final = 132


@dataclass(frozen=True, slots=True)
class Tab:
    """The title and state of one tab.

    Attributes:
        key: its name in the program.
        title: its name on the screen.
        is_run: a run, or else a plan.
        form: the form of the run's state; None: it is not known, or a plan.
        says: what has become of the run, in words.
        is_dirty: whether the plan differs from its file; a run is never dirty.
    """

    key: str
    title: str
    is_run: bool = False
    form: StatusForm | None = None
    says: str = ""
    is_dirty: bool = False


class Tabs(QTabBar):
    """The tab bar of plans and runs.

    Signals:
        chosen(str): the user wants this tab in front.
        close_asked(str): the user wants this tab closed; a run goes on without one.
        crowded(bool): from now on some tab is elided or out of sight, or none is.
    """

    chosen = Signal(str)
    close_asked = Signal(str)
    crowded = Signal(bool)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tabs: tuple[Tab, ...] = ()
        self._is_crowded = False
        self._sized_for = 0
        """How many tabs there were when the bar got its size."""
        self._waiting: frozenset[str] = frozenset()
        self._appearance = appearance
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUsesScrollButtons(True)
        self.setIconSize(QSize(16, 16))
        self.setFixedHeight(RUN_HEADER)
        self.setAccessibleName(self.tr("Plans and runs"))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.currentChanged.connect(self._choose)
        appearance.changed.connect(self._apply_theme)
        self._apply_theme(appearance.palette)

    def show_tabs(self, tabs: Sequence[Tab], front: str) -> None:
        """Show these tabs with one in front; what is shown so already stays as it is. Emits nothing."""
        if tuple(tabs) == self._tabs and self._key_in_front() == front:
            return
        self.blockSignals(True)
        while self.count() > len(tabs):
            self.removeTab(self.count() - 1)
        for index, tab in enumerate(tabs):
            if index >= self.count():
                self.addTab("")
                self.setTabButton(index, QTabBar.ButtonPosition.RightSide, self._close_button())
            self.setTabText(index, self._shown_text(tab))
            self.setTabToolTip(index, self._tip(tab))
        self._tabs = tuple(tabs)
        for index, tab in enumerate(tabs):
            if tab.key == front:
                self.setCurrentIndex(index)
        self.blockSignals(False)
        self._apply_theme(self._appearance.palette)
        self._look()

    @override
    def tabSizeHint(self, index: int) -> QSize:
        return super().tabSizeHint(index).boundedTo(QSize(_WIDEST_TAB, RUN_HEADER))

    @override
    def minimumTabSizeHint(self, index: int) -> QSize:
        # Qt elides "plan" to "p…n", which is wider; it would scroll, with its arrows over the last tab's cross. Of many
        # tabs it would leave two letters each: rather some are out of sight, and in the list.
        least = super().minimumTabSizeHint(index).expandedTo(QSize(_NARROWEST_TAB, 0))
        return least.boundedTo(self.tabSizeHint(index))

    def _key_in_front(self) -> str:
        at = self.currentIndex()
        return self._tabs[at].key if 0 <= at < len(self._tabs) else ""

    def listed(self) -> list[ListedTab]:
        """The tabs, from left to right, with their whole titles."""
        return [
            ListedTab(
                tab.key,
                self._icon(tab),
                self.whole_text(tab),
                is_front=at == self.currentIndex(),
            )
            for at, tab in enumerate(self._tabs)
        ]

    def _look(self) -> None:
        """Notice whether each tab is whole and in sight."""
        if self.signalsBlocked():
            return  # it will be told
        is_crowded = sum(self._whole_width(at) for at in range(self.count())) > self.width()
        if is_crowded is not self._is_crowded:
            self._is_crowded = is_crowded
            self._show_texts()
            self.crowded.emit(is_crowded)

    def _whole_width(self, at: int) -> int:
        """The width of a tab with its whole text."""
        advance = self.fontMetrics().horizontalAdvance
        missing = advance(self.whole_text(self._tabs[at])) - advance(self.tabText(at).replace("&&", "&"))
        return min(self.tabSizeHint(at).width() + missing, _WIDEST_TAB)

    def _show_texts(self) -> None:
        for index, tab in enumerate(self._tabs):
            self.setTabText(index, self._shown_text(tab))

    def _shown_text(self, tab: Tab) -> str:
        """The text of a tab: where there is no room for all of them, what it waits for gives way to its name."""
        shown = tab.title if self._is_crowded and tab.key in self._waiting else self.whole_text(tab)
        return shown.replace("&", "&&")

    @override
    def tabLayoutChange(self) -> None:
        super().tabLayoutChange()
        self._look()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.count() and event.size().width() > event.oldSize().width():
            front = self.currentIndex()
            with QSignalBlocker(self):  # Qt leaves the room empty by which the bar has grown behind the last tab
                self.setCurrentIndex(0)
                self.setCurrentIndex(front)
        if self.count() == self._sized_for:  # what stands beside it has taken room, or given it back
            self._guard_crosses()
        self._sized_for = self.count()
        self._look()

    def _guard_crosses(self) -> None:
        """Close no tab by a click that was meant for what stood there before the tabs were shifted."""
        for at in range(self.count()):
            if isinstance(button := self.tabButton(at, QTabBar.ButtonPosition.RightSide), QToolButton):
                ClickGuard(button)

    def show_waiting(self, keys: frozenset[str]) -> None:
        """Mark the tabs of runs that wait for the user."""
        if keys != self._waiting:
            self._waiting = keys
            self._show_texts()
            self._apply_theme(self._appearance.palette)
            self._look()

    def _icon(self, tab: Tab) -> QIcon:
        """A sheet for a plan; for a run the glyph of its state, as in the header and in lists of runs."""
        palette = self._appearance.palette
        form = StatusForm.PENDING if tab.key in self._waiting else tab.form
        if form is not None:
            return glyph_icon(form, palette)
        return icon(Icon.RUN if tab.is_run else Icon.FILE, palette)

    def whole_text(self, tab: Tab) -> str:
        """The title of a tab, with what it is marked by."""
        if tab.key in self._waiting:
            return fill(self.tr("%1: waits for you"), tab.title)
        return fill(self.tr("%1 *"), tab.title) if tab.is_dirty else tab.title

    def _tip(self, tab: Tab) -> str:
        if tab.is_run:
            said = fill(self.tr("Run: %1"), tab.title)
            return fill(self.tr("%1, %2"), said, tab.says) if tab.says else said
        return fill(self.tr("Plan with unsaved changes: %1") if tab.is_dirty else self.tr("Plan: %1"), tab.title)

    def _close_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setFixedSize(18, 18)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setAccessibleName(self.tr("Close tab"))
        button.setToolTip(self.tr("Close tab"))
        button.clicked.connect(lambda: self._ask_close(button))
        return button

    def _ask_close(self, button: QToolButton) -> None:
        for index, tab in enumerate(self._tabs):
            if self.tabButton(index, QTabBar.ButtonPosition.RightSide) is button:
                self.close_asked.emit(tab.key)
                return

    def _choose(self, index: int) -> None:
        if 0 <= index < len(self._tabs):
            self.chosen.emit(self._tabs[index].key)

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(tab_style(palette, RUN_HEADER - 1, palette.window, 8, 2))
        cross = icon(Icon.CLOSE, palette)
        for index, tab in enumerate(self._tabs):
            self.setTabIcon(index, self._icon(tab))
            button = self.tabButton(index, QTabBar.ButtonPosition.RightSide)
            if isinstance(button, QToolButton):
                button.setIcon(cross)
                button.setIconSize(QSize(14, 14))
