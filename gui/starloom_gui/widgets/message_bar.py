"""The bar over the canvas' top that shows errors and notices, instead of a dialog over a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QWidget
from typing_extensions import override

from starloom_gui.text.words import fill, tip
from starloom_gui.theme import glyphs
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import CONTROL, GAPS, RADIUS
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.widgets.click_guard import ClickGuard, guard_appeared
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.lying_over import lie_again, lie_over

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent, QShowEvent

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

MOST: Final = 50
"""Troubles that are kept; the oldest go first."""


@dataclass(frozen=True, slots=True)
class ErrorMessage:
    """The content of a message bar: an error, or a notice.

    Attributes:
        what: was not done, in a few words; empty: the reason says it all.
        reason: why, as sentences.
        remedy: what the one button says; empty: there is none.
        act: what it does.
        stays: whether it cannot be put away, for it goes on being wrong.
        is_notice: whether nothing went wrong, so that it is shown without the cross and the red of a failure.
        of_tab: whether it is about the tab in front, and goes when another one is.
        is_refusal: whether it only answers what was just asked for: the next message takes its place.
        can_wait: whether it stands behind what went wrong, as it answers nothing that was just asked for.
        lasts: whether no other notice takes its place, as it is true until it is withdrawn or put away.
        put_away: called once the user has put it away.
    """

    what: str
    reason: str
    remedy: str = ""
    act: Callable[[], None] | None = None
    stays: bool = False
    is_notice: bool = False
    of_tab: bool = False
    is_refusal: bool = False
    can_wait: bool = False
    lasts: bool = False
    put_away: Callable[[], object] | None = None

    @property
    def text(self) -> str:
        """The whole message, as it is copied."""
        return f"{self.what}: {self.reason}" if self.what else self.reason


class _Mark(QWidget):
    """The cross before an error."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setFixedSize(16, 16)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink = colour(self._appearance.palette.status[StatusForm.FAILED].text)
        glyphs.STATUS[StatusForm.FAILED].paint(painter, QRectF(1, 1, 14, 14), ink)
        painter.end()


class MessageBar(QFrame):
    """Shows the latest error or notice over the top of another widget until it is closed.

    Args:
        over: the widget it lies over; its parent, too.
        appearance: the colours.

    Signals:
        closed(): no trouble is shown any more.
    """

    closed = Signal()

    def __init__(self, over: QWidget, appearance: Appearance) -> None:
        super().__init__(over)
        self._appearance = appearance
        self._troubles: list[ErrorMessage] = []
        self._seen: ErrorMessage | None = None
        """The one that was shown last, while the bar is there."""
        self.setObjectName("strip")
        self.setAutoFillBackground(True)
        self._text = text()
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._remedy, self._copy = self._button(), self._button()
        self._close = QToolButton(self)
        self._close.setFixedSize(CONTROL, CONTROL)
        self._close.setIconSize(QSize(16, 16))
        self._close.setAutoRaise(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAPS[2], 0, GAPS[1], 0)
        row.setSpacing(GAPS[1])
        self._mark = _Mark(appearance, self)
        row.addWidget(self._mark)
        row.addWidget(self._text, 1)
        for control in (self._remedy, self._copy, self._close):
            row.addWidget(control)
        self._remedy.clicked.connect(self._act)
        self._copy.clicked.connect(self._copy_text)
        self._close.clicked.connect(self.dismiss)
        over.installEventFilter(self)
        self._over = over
        appearance.changed.connect(self._apply_theme)
        self._say()
        self._apply_theme(appearance.palette)
        self.hide()

    def _button(self) -> QPushButton:
        button = QPushButton(self)
        button.setFont(font(Role.BODY))
        button.setFixedHeight(CONTROL)
        return button

    # ---- what it says

    @property
    def shown(self) -> ErrorMessage | None:
        """The message that is shown."""
        return self._troubles[-1] if self._troubles else None

    def holds(self, trouble: ErrorMessage) -> bool:
        """Whether a message is shown, or stands behind the one that is."""
        return any(one is trouble for one in self._troubles)

    def show_trouble(self, trouble: ErrorMessage) -> None:
        """Show a message in front of earlier ones, but behind those that stay, and behind problems if it can wait.

        A notice takes the place of the notice before it unless one of them lasts, and whatever comes that of a refusal.
        """
        passes = trouble.is_notice and not trouble.lasts
        others = [
            one
            for one in self._troubles
            if one.text != trouble.text and not one.is_refusal and not (passes and one.is_notice and not one.lasts)
        ]
        others = others[1 - MOST :]
        self._troubles = sorted([*others, trouble], key=lambda one: (one.stays, not one.can_wait))
        self._show()

    def settle(self, what: str) -> None:
        """Remove the messages about something that works again."""
        self._troubles = [one for one in self._troubles if one.what != what]
        self._show()

    def withdraw(self, trouble: ErrorMessage) -> None:
        """Remove one message, if it is still there."""
        self._troubles = [one for one in self._troubles if one is not trouble]
        self._show()

    def forget_refusals(self) -> None:
        """Remove what was refused, as its reason no longer holds."""
        self._troubles = [one for one in self._troubles if not one.is_refusal]
        self._show()

    def turn(self) -> None:
        """Remove the messages about the tab that was in front until now."""
        self._troubles = [one for one in self._troubles if not one.of_tab]
        self._show()

    def dismiss(self) -> None:
        """Remove the message that is shown, unless it stays, and show the one behind it."""
        gone = self._troubles.pop() if self._troubles and not self._troubles[-1].stays else None
        self._show()
        if gone is not None and gone.put_away is not None:
            gone.put_away()

    def _show(self) -> None:
        trouble = self.shown
        if self._seen is not None and trouble is not None and trouble is not self._seen:
            ClickGuard(self._remedy)  # a click is meant for the button that stood there
        self._seen = trouble
        if trouble is None:
            if not self.isHidden():  # though nobody may see it, as when the welcome page is in front
                self.hide()
                lie_again()
                self.closed.emit()
            return
        others, words = self._troubles[:-1], trouble.text
        errors = sum(not one.is_notice for one in others)
        more = [self.tr("%n problem(s)", "", errors)] if errors else []
        if len(others) > errors:
            more.append(self.tr("%n notice(s)", "", len(others) - errors))
        rest = fill(self.tr("%n more message(s): %1", "", len(others)), ", ".join(more))
        self._text.setText(fill(self.tr("%1 (%2)"), words, rest) if more else words)
        self._text.setToolTip(tip("\n".join(one.text for one in reversed(self._troubles))))
        self._remedy.setText(trouble.remedy)
        self._remedy.setVisible(bool(trouble.remedy and trouble.act))
        self._close.setVisible(not trouble.stays)
        self._mark.setVisible(not trouble.is_notice)
        self._say()
        self._apply_theme(self._appearance.palette)
        self.setAccessibleName(words)
        self._place()
        self.show()
        self.raise_()
        lie_again()

    def _say(self) -> None:
        self._copy.setText(self.tr("Copy"))
        is_notice = self.shown is not None and self.shown.is_notice
        self._copy.setToolTip(self.tr("Copy this as text") if is_notice else self.tr("Copy what went wrong as text"))
        self._close.setToolTip(self.tr("Put this away"))
        self._close.setAccessibleName(self.tr("Put this away"))

    def _act(self) -> None:
        trouble = self.shown
        if trouble is not None and trouble.act is not None:
            trouble.act()

    def _copy_text(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(one.text for one in reversed(self._troubles)))

    # ---- where it is

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        guard_appeared(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._over:
            self._place()
        return False

    def lie_over(self, over: QWidget) -> None:
        """Move the bar over another widget."""
        if over is not self._over:
            self._over.removeEventFilter(self)
            self._over = over
            self.setParent(over)  # which hides it
            over.installEventFilter(self)
            self._show()

    def _place(self) -> None:
        lie_over(self, self._over)

    def _apply_theme(self, palette: Palette) -> None:
        is_notice = self.shown is not None and self.shown.is_notice
        line = f"1px solid {palette.outline}" if is_notice else f"2px solid {palette.status[StatusForm.FAILED].shape}"
        self._close.setIcon(icon(Icon.CLOSE, palette))
        self.setStyleSheet(
            f"QFrame#strip {{ background: {palette.panel}; border: none; border-bottom: {line}; }}"
            f"QLabel {{ color: {palette.text}; background: transparent; }}"
            f"QPushButton {{ border: 1px solid {palette.outline}; border-radius: {RADIUS}px; padding: 0 {GAPS[2]}px;"
            f" color: {palette.text}; background: {palette.panel}; }}"
            f"QPushButton:hover, QToolButton:hover {{ background: {palette.raised}; }}"
            f"QPushButton:focus, QToolButton:focus {{ border: 2px dashed {palette.text}; }}"
            f"QToolButton {{ border: none; border-radius: {RADIUS}px; }}"
        )

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
            self._show()
        super().changeEvent(event)
