"""The list of notices, opened by a bell in the status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRectF, QSize, Qt
from PySide6.QtCore import Signal as QtSignal
from PySide6.QtGui import QAction, QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from starloom_gui.shell.notice import OPTIONAL, NoticeKind
from starloom_gui.shell.notice_words import detail_of, kind_word, title_of
from starloom_gui.text.words import fill, moment, tip
from starloom_gui.theme import glyphs
from starloom_gui.theme.chips import CHIP, paint_chip
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import GAPS, STATUS_BAR
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.status_forms import form_of_run
from starloom_gui.widgets.controls import button, sheet, text

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from starloom_gui.settings import Settings
    from starloom_gui.shell.notice import Notice
    from starloom_gui.shell.notices import Notices
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

WIDTH: Final = 360
_ROW: Final = 44
_SHOWN: Final = 8
_FORMS: Final = {
    NoticeKind.QUIET: StatusForm.RUNNING,
    NoticeKind.STALLED: StatusForm.PENDING,
    NoticeKind.WAITING: StatusForm.PENDING,
    NoticeKind.WARNED: StatusForm.WARNED,
}
_LEFT: Final = GAPS[2] + CHIP + GAPS[1]
Index = QModelIndex | QPersistentModelIndex


def form_of(notice: Notice) -> StatusForm:
    """The status whose mark a notice has."""
    if notice.kind is NoticeKind.ENDED:
        return form_of_run(notice.state, notice.cancelled) or StatusForm.COMPLETED
    return StatusForm.WARNED if notice.is_waited_for else _FORMS.get(notice.kind, StatusForm.FAILED)


class NoticeRows(QAbstractListModel):
    """The item model of the notices, newest first.

    Args:
        notices: what there is to tell.
    """

    def __init__(self, notices: Notices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._notices = notices
        self._shown: list[Notice] = []
        notices.changed.connect(self.rebuild)
        self.rebuild()

    def rebuild(self) -> None:
        """Rebuild all rows, which are few."""
        self.beginResetModel()
        self._shown = list(self._notices)[::-1]
        self.endResetModel()

    @override
    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._shown):
            return None
        notice = self._shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return title_of(notice)
        if role == Qt.ItemDataRole.UserRole:
            return notice
        if role == Qt.ItemDataRole.StatusTipRole:
            return moment(notice.at)
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            said = "\n".join((title_of(notice), detail_of(notice), moment(notice.at)))
            return tip(said) if role == Qt.ItemDataRole.ToolTipRole else said
        return None


class _Rows(QStyledItemDelegate):
    """Paints a notice: its mark, what happened and when, and below where and why."""

    def __init__(self, appearance: Appearance, parent: QObject) -> None:
        super().__init__(parent)
        self._appearance = appearance

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, _ROW)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        palette, notice = self._appearance.palette, index.data(Qt.ItemDataRole.UserRole)
        box, state = QRectF(option.rect), option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, colour(palette.selected))
            painter.fillRect(QRectF(box.left(), box.top(), 2, box.height()), colour(palette.text))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, colour(palette.raised))
        paint_chip(painter, QRectF(box.left() + GAPS[2], box.top() + 6, CHIP, CHIP), form_of(notice), palette)
        body, small = font(Role.BODY), font(Role.SMALL)
        when = index.data(Qt.ItemDataRole.StatusTipRole)
        first = QRectF(box.left() + _LEFT, box.top() + 4, box.width() - _LEFT - GAPS[2], 18)
        painter.setFont(small)
        painter.setPen(colour(palette.muted))
        painter.drawText(first, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, when)
        metrics = QFontMetricsF(small)
        second = first.translated(0, 17)
        painter.drawText(second, Qt.AlignmentFlag.AlignVCenter, elided(detail_of(notice), metrics, second.width()))
        room = first.width() - metrics.horizontalAdvance(when) - GAPS[1]
        painter.setFont(body)
        painter.setPen(colour(palette.text))
        title = elided(title_of(notice), QFontMetricsF(body), room)
        painter.drawText(first, Qt.AlignmentFlag.AlignVCenter, title)


class _List(QListView):
    """Rows that the keyboard can walk and choose."""

    @override
    def sizeHint(self) -> QSize:
        return QSize(WIDTH, min(_SHOWN, self.model().rowCount()) * _ROW)


class NoticePopup(QFrame):
    """The popup of the bell: the notices, newest first, and which kinds are shown.

    Args:
        notices: what there is to tell.
        settings: where the choice of kinds is remembered.
        appearance: the colours.
        parent: the window.

    Attributes:
        rows: the list.
        clear: forgets all.
        choice: opens the menu of the kinds.
        kinds: that menu's actions.
        desktop: whether the desktop shows them, too.
        channels: the action that asks which kinds the desktop shows, and which make a sound.

    Signals:
        chosen(object): the user wants to see what a `Notice` is about.
    """

    chosen = QtSignal(object)

    def __init__(
        self,
        notices: Notices,
        settings: Settings,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("pane")
        self.setAccessibleName(self.tr("Notifications"))
        self._notices, self._settings, self._appearance = notices, settings, appearance
        self._model = NoticeRows(notices, self)
        self.rows = self._new_rows()
        self._empty = text(self.tr("What fails, ends or gets stuck will be listed here."), Role.SMALL, "muted")
        self._empty.setContentsMargins(GAPS[2], GAPS[1], GAPS[2], GAPS[2])
        self.clear = button(self.tr("Clear"))
        self.clear.clicked.connect(notices.clear)
        self.choice = button(self.tr("Settings"))
        self.choice.setMenu(self._new_menu())
        self._build()
        self._model.modelReset.connect(self._fit)
        appearance.changed.connect(self._apply_theme)
        self._apply_theme(appearance.palette)
        self._fit()

    def _new_rows(self) -> _List:
        rows = _List(self)
        rows.setModel(self._model)
        rows.setItemDelegate(_Rows(self._appearance, rows))
        rows.setUniformItemSizes(True)
        rows.setMouseTracking(True)
        rows.setFrameShape(QFrame.Shape.NoFrame)
        rows.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        rows.setAccessibleName(self.tr("Notifications"))
        rows.clicked.connect(self._choose)
        rows.activated.connect(self._choose)
        return rows

    def _new_menu(self) -> QMenu:
        menu = QMenu(self)
        self.kinds: dict[NoticeKind, QAction] = {}
        for kind in NoticeKind:
            action = self.kinds[kind] = menu.addAction(kind_word(kind))
            action.setCheckable(True)
            action.setChecked(kind not in self._notices.hidden)
            action.toggled.connect(self._hide_kinds)
        menu.addSeparator()
        self.desktop = menu.addAction(self.tr("Also on the desktop, while this window is not in front"))
        self.desktop.setCheckable(True)
        self.desktop.setChecked(self._settings.tells_desktop)
        self.channels = menu.addAction(self.tr("Desktop and sound…"))
        return menu

    def _build(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(GAPS[2], GAPS[1], GAPS[2], GAPS[1])
        top.setSpacing(GAPS[1])
        top.addWidget(text(self.tr("Notifications"), Role.SECTION, wraps=False))
        top.addStretch(1)
        top.addWidget(self.choice)
        top.addWidget(self.clear)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, GAPS[0])
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self._empty)
        column.addWidget(self.rows)

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(
            sheet(palette) + f"QFrame#pane {{ background: {palette.panel}; border: 1px solid {palette.outline}; }}"
            "QPushButton::menu-indicator { width: 0; image: none; }"
        )

    def _fit(self) -> None:
        has_rows = self._model.rowCount() > 0
        self._empty.setVisible(not has_rows)
        self.rows.setVisible(has_rows)
        self.clear.setEnabled(has_rows)
        self.rows.setFixedHeight(self.rows.sizeHint().height())
        layout, corner = self.layout(), self.geometry().bottomLeft()
        if layout is not None:
            layout.activate()
            asks = layout.hasHeightForWidth()  # not while its only wrapping text is hidden
            self.setFixedSize(WIDTH, layout.totalHeightForWidth(WIDTH) if asks else layout.totalSizeHint().height())
        if self.isVisible():
            self.move(corner.x(), corner.y() - self.height() + 1)

    def _hide_kinds(self) -> None:
        hidden = [kind for kind, action in self.kinds.items() if not action.isChecked()]
        self._notices.hidden = frozenset(hidden)
        self._settings.hidden_notices = tuple(kind.value for kind in hidden if kind not in OPTIONAL)
        self._settings.wanted_notices = tuple(kind.value for kind in OPTIONAL if kind not in hidden)

    def _choose(self, index: QModelIndex) -> None:
        notice = index.data(Qt.ItemDataRole.UserRole)
        if notice is not None:
            self.close()
            self.chosen.emit(notice)

    def popup(self, corner: QPoint) -> None:
        """Show it with its lower right corner at a place on the screen; what it lists counts as seen."""
        self._notices.note_seen()
        self._fit()
        self.move(corner.x() - self.width(), corner.y() - self.height())
        self.show()
        first = self._model.index(0)
        self.rows.setCurrentIndex(first)
        (self.rows if first.isValid() else self.choice).setFocus(Qt.FocusReason.PopupFocusReason)


class Bell(QToolButton):
    """The button with the number of unread notices; a click opens the list.

    Args:
        notices: what there is to tell.
        appearance: the colours.
        parent: the status bar.
    """

    def __init__(self, notices: Notices, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notices, self._appearance = notices, appearance
        self.setFont(font(Role.SMALL))
        self.setFixedHeight(STATUS_BAR - 4)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        notices.changed.connect(self._show)
        appearance.changed.connect(self.update)
        self._show()

    def _show(self) -> None:
        count = self._notices.unseen
        self.setText(str(count) if count else "")
        name = self.tr("%n unread notification(s)", "", count) if count else self.tr("Notifications")
        self.setAccessibleName(name)
        self.setToolTip(fill("%1 (%2)", name, "Ctrl+Shift+N"))
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        words = QFontMetricsF(self.font()).horizontalAdvance(self.text())
        return QSize(24 + (round(words) + 6 if self.text() else 0), STATUS_BAR - 4)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self._appearance.palette
        painter = QPainter(self)
        if self.underMouse() or self.hasFocus():
            painter.fillRect(self.rect(), colour(palette.raised))
        ink = colour(palette.text if self.text() else palette.muted)
        glyphs.BELL.paint(painter, QRectF(5, (self.height() - 14) / 2, 14, 14), ink)
        painter.setPen(ink)
        painter.setFont(self.font())
        painter.drawText(QRectF(22, 0, self.width(), self.height()), Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.end()
