"""The base of dialogs: a title, fields, and a last row with the reason why its default button is disabled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.text.words import tip
from starloom_gui.theme.compositing import blends, rounded
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import CONTROL, DIALOG_RADIUS, GAPS
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.controls import button, line, mark, text
from starloom_gui.widgets.dialog_body import DialogBody, height_of
from starloom_gui.widgets.dialog_style import dialog_sheet
from starloom_gui.widgets.dialog_title import DialogTitle

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QMouseEvent, QMoveEvent, QPaintEvent, QResizeEvent, QShowEvent
    from PySide6.QtWidgets import QLabel

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

SHADOW: Final = 12
"""Pixels around a dialog in which its shadow lies."""
_CORNER: Final = QPoint(0, 0)
_TITLE: Final = 44
_WIDEST_TITLE: Final = 960
"""Pixels that a title may widen its dialog to."""


class DefaultButton(QPushButton):
    """The default button: filled, with a dashed ring inside while it has the focus."""

    def __init__(self, words: str, appearance: Appearance) -> None:
        super().__init__(words)
        self._appearance = appearance
        self.setFont(font(Role.BODY))
        self.setFixedHeight(CONTROL)
        self.setAutoDefault(False)  # it stays the default one wherever the keys go
        self.setDefault(True)
        mark(self, "default")
        appearance.changed.connect(self._apply_theme)
        self._apply_theme(appearance.palette)

    def _apply_theme(self, palette: Palette) -> None:
        # of its own sheet, for that of a dialog that is set before its first polish does not always reach it
        self.setStyleSheet(f"QPushButton:focus {{ border: 1px solid {palette.text}; padding: 0 15px; }}")

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(QPen(colour(self._appearance.palette.panel), 1.0, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(3.5, 3.5, -3.5, -3.5), 2, 2)
            painter.end()


class Dialog(QDialog):
    """A dialog to be shown with `open()`; Escape, its close button and Cancel close it, which deletes it.

    Attributes:
        body: where its fields go.
        default: the button that does it.
        cancel: the button that does nothing.
        aside: where buttons for what can be tried before go.
        lets_close: asked before it is rejected; whether that may be.

    Args:
        appearance: the colours.
        title: what it is for.
        does: what stands on its default button; empty: it only tells something, and Cancel closes it.
        width: of the dialog, on a screen that has it.
        parent: the window it stands over.
    """

    def __init__(
        self, appearance: Appearance, title: str, does: str, *, width: int = 460, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.appearance = appearance
        self.lets_close: Callable[[], bool] = lambda: True
        self._place = _CORNER  # where it stands, as far as it can be trusted
        self._close = QToolButton()
        self.default, self.cancel = DefaultButton(does, appearance), button("")
        self._reason = text(role=Role.SMALL, look="muted")
        self._room = DialogBody(self._most_room)
        self.body, self.aside = self._room.column, QHBoxLayout()
        self._head = DialogTitle(_TITLE - GAPS[2], _WIDEST_TITLE)
        self._arrange(width)
        self.retitle(title, does)
        self.default.clicked.connect(self.do)
        self.cancel.clicked.connect(self.reject)
        self._close.clicked.connect(self.reject)
        appearance.changed.connect(self.apply_theme)

    def _arrange(self, width: int) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(SHADOW, SHADOW, SHADOW, SHADOW)
        column.setSpacing(0)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)
        top = QHBoxLayout()
        top.setContentsMargins(GAPS[4], GAPS[2], GAPS[2], 0)
        top.addWidget(self._head, 1, Qt.AlignmentFlag.AlignLeft)
        self._close.setAutoRaise(True)
        self._close.setIconSize(QSize(16, 16))
        self._close.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Escape does the same
        self._close.setToolTip(self.tr("Close"))
        self._close.setAccessibleName(self.tr("Close"))
        corner = QVBoxLayout()  # it stays beside the first line of a title of two
        corner.setContentsMargins(0, GAPS[0], 0, 0)
        corner.addWidget(self._close)
        corner.addStretch(1)
        top.addLayout(corner)
        column.addLayout(top)
        self.body.setContentsMargins(GAPS[4], GAPS[2], GAPS[4], GAPS[3])
        self.body.setSpacing(GAPS[1])
        column.addWidget(self._room)
        column.addWidget(line())
        column.addLayout(self._last_row())
        column.addStrut(min(width, self.screen().availableGeometry().width()))

    def _last_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(GAPS[4], GAPS[2], GAPS[4], GAPS[2])
        row.setSpacing(GAPS[1])
        self.aside.setSpacing(GAPS[1])
        row.addLayout(self.aside)
        self._reason.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._reason, 1)
        row.addWidget(self.cancel)
        row.addWidget(self.default)
        for each in (self.cancel, self.default):
            each.setMinimumWidth(72)
        return row

    # ---- for the dialogs

    def retitle(self, title: str, does: str) -> None:
        """Set the title and the label of the default button.

        Args:
            title: of the window.
            does: the label; empty: the button is hidden.
        """
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self._head.setText(title)
        self.default.setText(does)
        self.default.setVisible(bool(does))
        self.cancel.setText(self.tr("Cancel") if does else self.tr("Close"))
        self._room.updateGeometry()  # a title of two lines leaves it less

    @property
    def reason(self) -> str:
        """The text beside the buttons: why the default one is disabled, else the last note."""
        return self._reason.text()

    def note(self, words: str) -> None:
        """Show a note beside the buttons, unless the default one is disabled."""
        if self.default.isEnabled():
            self.give_reason(words)

    def allow(self, reason: str) -> None:
        """Enable the default button, or disable it with a reason; to be called whenever that may have changed."""
        self.give_reason(reason)
        self.default.setEnabled(not reason)
        self.default.setToolTip(tip(reason))
        self.default.setAccessibleDescription(reason)

    def give_reason(self, words: str) -> None:
        """Show a text beside the buttons."""
        self._reason.setText(words)
        self._room.updateGeometry()  # one of several lines leaves it less

    def clear_last_row(self) -> None:
        """Hide default button, Cancel and reason, so that only `aside` is in the last row."""
        self.cancel.hide()
        self.cancel.setAutoDefault(False)
        self.default.setDefault(False)
        self._reason.hide()

    def do(self) -> None:
        """Carry out what the default button is for; subclasses override this."""
        self.accept()

    @override
    def reject(self) -> None:
        """Close the dialog, unless something has to be asked first."""
        if self.lets_close():
            self.close_anyway()

    def close_anyway(self) -> None:
        """Close the dialog, and lose what was typed."""
        super().reject()

    def apply_theme(self, palette: Palette) -> None:
        """Set the colours; to be called once when the dialog is complete."""
        self.setStyleSheet(dialog_sheet(palette))
        self._close.setIcon(icon(Icon.CLOSE, palette))
        self.update()

    # ---- how high it is, and where it stands

    def _most_room(self) -> int:
        """The height that its title and its last row leave to its fields on its screen; its shadow may hang over."""
        column = self.layout()
        if column is None:
            return 0
        inner = max(self.width(), self.minimumWidth()) - 2 * SHADOW
        rows = filter(None, map(column.itemAt, range(column.count())))
        taken = sum(height_of(row, inner) for row in rows if row.widget() is not self._room)
        return self.screen().availableGeometry().height() - taken

    @override
    def showEvent(self, event: QShowEvent) -> None:
        # Not left to the window manager: Qt may not hear where that puts a window without a frame, and takes it for the
        # screen's corner, into which the dialog would jump with the next change of its size.
        over = self.parentWidget()
        if over is not None and not event.spontaneous() and not self.testAttribute(Qt.WidgetAttribute.WA_Moved):
            self._place = self._place_over(over.window().frameGeometry())
            self.move(self._place)
        super().showEvent(event)

    @override
    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        if event.pos() != _CORNER:
            self._place = event.pos()

    def keep_place(self) -> None:
        """Correct the place if Qt takes it for the screen's corner; to be called before the size is changed.

        In 2 of 5 trials Qt heard so of the window manager, although the dialog was placed over its window before: the
        next change of its size would carry the dialog into that corner.
        """
        if self.isVisible() and self.pos() == _CORNER != self._place:
            self.move(self._place)

    def _place_over(self, window: QRect) -> QPoint:
        """The place in the middle of a window from which no more hangs over the screen's edge than the shadow."""
        return self._on_screen(QRect(window.center() - self.rect().center(), self.size()))

    def _on_screen(self, place: QRect) -> QPoint:
        """The nearest place from which no more hangs over the screen's edge than the shadow."""
        screen = self.screen().availableGeometry().adjusted(-SHADOW, -SHADOW, SHADOW, SHADOW)
        place.moveBottomRight(QPoint(min(place.right(), screen.right()), min(place.bottom(), screen.bottom())))
        return QPoint(max(place.left(), screen.left()), max(place.top(), screen.top()))  # title and Close before all

    def _stay_on_screen(self) -> None:
        """Move a dialog that has grown back onto the screen."""
        place = self._on_screen(QRect(self._place, self.size()))
        if place != self._place:
            self.move(place)

    # ---- how it looks

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._room.scroll_if_needed()
        if self.isVisible() and event.oldSize().height() < event.size().height():
            self._stay_on_screen()
        if not blends():
            self.setMask(rounded(self.rect().adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW), DIALOG_RADIUS))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.appearance.palette
        painter = QPainter(self)
        edge = SHADOW + DIALOG_RADIUS
        if self.rect().adjusted(edge, edge, -edge, -edge).contains(event.rect()):  # a field of it is painted anew
            painter.fillRect(event.rect(), colour(palette.panel))
            painter.end()
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW)
        if not blends():
            painter.fillRect(box, colour(palette.outline))  # else what the mask leaves at the corners would be black
        painter.setPen(Qt.PenStyle.NoPen)
        for spread in range(SHADOW - 2, 0, -1):  # rings upon rings: dark at the edge, nothing further out
            painter.setBrush(colour("#000000", 0.012 if not palette.dark else 0.03))
            ring = box.adjusted(-spread, 2 - spread, spread, 2 + spread)
            painter.drawRoundedRect(ring, DIALOG_RADIUS + spread, DIALOG_RADIUS + spread)
        painter.setBrush(colour(palette.panel))
        painter.setPen(QPen(colour(palette.outline), 1.0))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), DIALOG_RADIUS, DIALOG_RADIUS)
        painter.end()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        handle = self.windowHandle()
        is_title = event.position().y() <= self._head.geometry().bottom()
        if event.button() == Qt.MouseButton.LeftButton and is_title and handle is not None:
            handle.startSystemMove()
        else:
            super().mousePressEvent(event)


def as_wide_as_there_is_room(label: QLabel) -> None:
    """Let a label wrap at the width of the dialog instead of widening it."""
    policy = label.sizePolicy()
    policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
    label.setSizePolicy(policy)
