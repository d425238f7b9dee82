"""The tab order of the window: all its parts in reading order.

Qt goes through widgets as they were made, and follows focus proxies on its way: from the stack of the graph to the
graph in front, which was made last, past every room between the two.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QScrollArea

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QWidget

_LINE: Final = 8
"""Pixels by which the middles of widgets of one line may differ."""


def turn_to_next(window: QWidget, rooms: Sequence[QWidget], *, forward: bool) -> bool:
    """Move the keyboard focus to the next stop of Tab in a window; False: there is none.

    Args:
        window: whose stops they are.
        rooms: its parts in the order they are walked through; what lies in none of them comes first.
        forward: whether Tab was pressed, and not Shift+Tab.
    """
    now: Any = window.focusWidget()  # None where nothing has the keyboard, which the stubs don't know
    found = stops(window, rooms, now)
    others = [stop for stop in found if stop is not now]
    if not others:
        return False
    place = found.index(now) if now in found else -1 if forward else 0
    following = found[(place + (1 if forward else -1)) % len(found)]
    following.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    return True


def focus_fallback(gone: QWidget, ground: QWidget) -> QWidget | None:
    """The widget that gets the focus of one that was hidden or disabled; None: there is none, or it has not gone.

    Qt asks for the next stop of Tab then, e.g. the button of a notice, and the next key would act there unawares.

    Args:
        gone: the widget that has the focus.
        ground: gets it where no pane around that widget takes it.
    """
    if gone.isVisible() and gone.isEnabled():
        return None
    around: Any = gone.parentWidget()
    while around is not None and not around.isWindow():
        taker: QWidget = around
        while (proxy := taker.focusProxy()) is not None:
            taker = proxy
        takes = taker is not around or around.focusPolicy() != Qt.FocusPolicy.NoFocus
        if takes and taker.isVisible() and taker.isEnabled():
            return taker
        around = around.parentWidget()
    return ground if ground.isVisible() else None


def stops(window: QWidget, rooms: Sequence[QWidget], now: QWidget | None = None) -> list[QWidget]:
    """The widgets Tab stops at in a window, in this order, with the present one, from which Tab continues."""
    found = [one for one in _chain(window) if one is now or _is_stop(one, window)]
    found.sort(key=lambda one: _room(one, rooms))
    ordered: list[QWidget] = []
    for page, group in groupby(found, key=_page):
        together = list(group)
        ordered += together if page is None else _in_reading_order(page, together)
    return ordered


def _page(one: QWidget) -> QWidget | None:
    """The content of the scroll area that a widget lies in; None: it lies in none, or is what scrolls."""
    around = one.parentWidget()
    while around is not None and not around.isWindow():
        above = around.parentWidget()
        area = above.parentWidget() if above is not None else None
        if isinstance(area, QScrollArea) and area.widget() is around:
            return around
        around = above
    return None


def _in_reading_order(page: QWidget, those: Iterable[QWidget]) -> list[QWidget]:
    """The widgets of a page from top to bottom, and those of a line from left to right.

    Its parts are made in another order: a form's headings before its fields, and buttons whenever they are offered.
    """
    placed = sorted(((one.mapTo(page, one.rect().center()), one) for one in those), key=lambda pair: pair[0].y())
    lines: list[list[tuple[QPoint, QWidget]]] = []
    for at, one in placed:
        if lines and at.y() - lines[-1][0][0].y() <= _LINE:
            lines[-1].append((at, one))
        else:
            lines.append([(at, one)])
    return [one for line in lines for _, one in sorted(line, key=lambda pair: pair[0].x())]


def _chain(window: QWidget) -> Iterator[QWidget]:
    """All widgets of a window as they were made."""
    one = window.nextInFocusChain()
    while one is not None and one is not window:
        if one.window() is window.window() and window.isAncestorOf(one):
            yield one
        one = one.nextInFocusChain()


def _is_stop(one: QWidget, window: QWidget) -> bool:
    every = QApplication.styleHints().tabFocusBehavior() == Qt.TabFocusBehavior.TabFocusAllControls
    wanted = Qt.FocusPolicy.TabFocus if every else Qt.FocusPolicy.StrongFocus
    takes = (one.focusPolicy() & wanted) == wanted and one.focusProxy() is None
    return takes and one.isEnabled() and one.isVisibleTo(window)


def _room(one: QWidget, rooms: Sequence[QWidget]) -> int:
    """The place of the innermost room a widget lies in; -1: in none."""
    around: Any = one
    while around is not None:
        if around in rooms:
            return rooms.index(around)
        around = around.parentWidget()
    return -1
