"""The menu of kinds of events: a check mark each, and it stays open while they are set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from typing_extensions import override

from starloom_gui.specs.event_spec import EventSort
from starloom_gui.theme.fonts import Role, font
from starloom_gui.viewmodel.event_words import kind_word, kinds_of, sort_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.viewmodel.event_words import Kind


class _StayingMenu(QMenu):
    """A menu in which a click or Space sets a check mark without closing it."""

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action: QAction | None = self.activeAction()
        if action is not None and action.isCheckable():
            action.trigger()
        else:
            super().mouseReleaseEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        action: QAction | None = self.activeAction()
        if event.key() == Qt.Key.Key_Space and action is not None and action.isCheckable():
            action.trigger()
        else:
            super().keyPressEvent(event)


class EventKindsMenu(_StayingMenu):
    """The menu that filters events by kind: a submenu for each sort, with all of its kinds at its top.

    Args:
        hidden: the kinds that are hidden now.
        choose: is told all kinds that are hidden, whenever that changes.
        parent: the widget it belongs to.
    """

    def __init__(self, hidden: Iterable[Kind], choose: Callable[[frozenset[Kind]], object], parent: QWidget) -> None:
        super().__init__(parent)
        self.hidden = frozenset(hidden)
        self._choose = choose
        self._marks: list[Callable[[], None]] = []
        self.setAccessibleName(self.tr("Kinds of events"))
        self.setFont(font(Role.BODY))
        self._entry(self, self.tr("Everything"), frozenset(kind for sort in EventSort for kind in kinds_of(sort)))
        self.addSeparator()
        for sort in EventSort:
            self._sort(sort)
        self._mark()

    def _sort(self, sort: EventSort) -> None:
        below = _StayingMenu(sort_word(sort), self)
        below.setFont(font(Role.BODY))
        self.addMenu(below)
        kinds = kinds_of(sort)
        self._entry(below, self.tr("All of these"), frozenset(kinds))
        below.addSeparator()
        for kind in kinds:
            self._entry(below, kind_word(kind), frozenset((kind,)))

    def _entry(self, menu: QMenu, words: str, kinds: frozenset[Kind]) -> None:
        action = menu.addAction(words.replace("&", "&&"))
        action.setCheckable(True)
        action.triggered.connect(lambda shown: self._set(kinds, shown=shown))
        self._marks.append(lambda: action.setChecked(not kinds & self.hidden))

    def _set(self, kinds: frozenset[Kind], *, shown: bool) -> None:
        self.hidden = self.hidden - kinds if shown else self.hidden | kinds
        self._mark()
        self._choose(self.hidden)

    def _mark(self) -> None:
        for mark in self._marks:
            mark()
