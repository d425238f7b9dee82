"""The scope of a new value: the selected tasks, or with them all before or all behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QPainter
from PySide6.QtWidgets import QHBoxLayout, QMenu, QStyle, QStyleOptionButton, QStylePainter, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.panels.bulk import again_of, free_of
from starloom_gui.text.words import fill, tasks, translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, drawing
from starloom_gui.theme.metrics import GAPS
from starloom_gui.theme.palette import colour
from starloom_gui.viewmodel.reach import TaskScope, within
from starloom_gui.widgets.controls import ElidedButton, text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from PySide6.QtGui import QPaintEvent

    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.theme.palette import Palette

_HIGH = 24
_PAD, _ARROW = 8, 14
"""Pixels before the word and around the arrow, and the size of that; as of the choices among the fields."""
LABELS: Final = 72
"""How wide labels are at least, in logical pixels."""


class ScopePlurals(QObject):
    """Counts of tasks; an object only as the tool that gathers texts knows plurals from `self.tr` alone."""

    def fixed(self, count: int) -> str:
        """The number of tasks that keep their value."""
        return self.tr("%n can no longer be changed", "", count)


def scope_word(scope: TaskScope) -> str:
    """The name of a scope."""
    return {
        TaskScope.THESE: translate("Inspector", "Selection"),
        TaskScope.UPSTREAM: translate("Inspector", "With all upstream"),
        TaskScope.DOWNSTREAM: translate("Inspector", "With all downstream"),
    }[scope]


def about_words(count: int, fixed: int) -> str:
    """The numbers of tasks in scope and of those that cannot be changed: `12 tasks, 3 can no longer be changed`."""
    if not fixed:
        return tasks(count)
    return fill(translate("Inspector", "%1, %2"), tasks(count), ScopePlurals().fixed(fixed))


class _ScopeButton(ElidedButton):
    """A button with a menu that looks like the choices among the fields below it: its word at the left, their arrow."""

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__(_HIGH)
        self._colours = colours

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option, palette = QStylePainter(self), QStyleOptionButton(), self._colours()
        self.initStyleOption(option)
        words, option.text = option.text.replace("&&", "&"), ""
        option.features &= ~QStyleOptionButton.ButtonFeature.HasMenu
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        ink = colour(palette.text if self.isEnabled() else palette.muted)
        painter.setPen(ink)
        room = QRectF(self.rect()).adjusted(_PAD, 0, -2 * _PAD - _ARROW, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, words)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = QRectF(self.width() - _PAD + 2 - _ARROW, (self.height() - _ARROW) / 2, _ARROW, _ARROW)
        drawing(Icon.EXPANDED).paint(painter, place, ink)
        painter.end()


class ScopeRow(QWidget):
    """The button that chooses which tasks a new value is for, and their number below it.

    Args:
        colours: gives the colours.

    Attributes:
        button: opens the menu.
        menu: the scopes, each with how many tasks it is; filled whenever it is about to be seen.
        about: how many tasks are meant.

    Signals:
        chosen(TaskScope): another scope is wanted.
    """

    chosen = Signal(object)

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__()
        self._run: RunView | None = None
        self._numbers: Collection[int] = ()
        self._scope = TaskScope.THESE
        self._label = text(look="muted", wraps=False)
        self.button = _ScopeButton(colours)
        self.about = text(role=Role.SMALL, look="muted")
        self.menu = QMenu(self)
        self.menu.setFont(font(Role.BODY))
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self._fill)
        self.button.setMenu(self.menu)
        self._label.setBuddy(self.button)
        row = QHBoxLayout()
        row.setSpacing(GAPS[1])
        row.addWidget(self._label)
        row.addWidget(self.button, 1)
        self._below = QHBoxLayout()
        self._below.addWidget(self.about, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, GAPS[1])
        column.setSpacing(2)
        column.addLayout(row)
        column.addLayout(self._below)
        self.align(LABELS)
        self._say()

    def align(self, labels: int) -> None:
        """Align with values whose labels are so many pixels wide."""
        self._label.setFixedWidth(labels)
        self._below.setContentsMargins(labels + GAPS[1], 0, 0, 0)

    def show_scope(self, run: RunView, numbers: Collection[int], scope: TaskScope, meant: Collection[int]) -> None:
        """Show the scope.

        Args:
            run: the one that is shown.
            numbers: of the selected tasks.
            scope: which tasks with them.
            meant: these.
        """
        self._run, self._numbers, self._scope = run, numbers, scope
        self.button.say(scope_word(scope))
        changed = free_of(run, meant) or again_of(run, meant)
        words = about_words(len(meant), len(meant) - len(changed)) if len(meant) > 1 else ""
        self.about.setText(words)
        self.about.setVisible(bool(words))
        self.button.setAccessibleDescription(words)

    def _fill(self) -> None:
        self.menu.clear()
        group = QActionGroup(self.menu)
        run = self._run
        for scope in TaskScope:
            count = len(within(run.graph, self._numbers, scope)) if run is not None else 0
            words = fill(translate("Inspector", "%1 (%2)"), scope_word(scope), tasks(count))
            action = QAction(words, group)
            action.setCheckable(True)
            action.setChecked(scope is self._scope)
            if scope is not TaskScope.THESE and count == len(self._numbers):
                action.setEnabled(False)
                nothing = translate("Inspector", "Nothing else is upstream.")
                if scope is TaskScope.DOWNSTREAM:
                    nothing = translate("Inspector", "Nothing else is downstream.")
                action.setToolTip(nothing)
            action.triggered.connect(lambda _=False, wanted=scope: self.chosen.emit(wanted))
            self.menu.addAction(action)

    def _say(self) -> None:
        self._label.setText(translate("Inspector", "Apply to"))
        self.button.setAccessibleName(translate("Inspector", "Apply to"))
        self.button.setToolTip(translate("Inspector", "For which tasks the values below are meant; one step of undo"))

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
        super().changeEvent(event)
