"""Editing and painting the cells of a table of values: the line editor of a cell, and the delegate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRectF
from PySide6.QtGui import QGuiApplication, QKeySequence, QPen
from PySide6.QtWidgets import QLineEdit, QStyledItemDelegate
from typing_extensions import override

from starloom_gui.text.cell_text import pasted_rows
from starloom_gui.text.words import translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import RADIUS
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.widgets.list_completer import OF_LIST
from starloom_gui.widgets.template_completer import TemplateCompleter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QKeyEvent, QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.template_completer import TemplateName

Index = QModelIndex | QPersistentModelIndex
_WRONG: Final = 2
"""Pixels of the outline of a wrong cell."""


class CellHost(Protocol):
    """The protocol of a view whose cells are edited; it is a widget.

    Attributes:
        known: gives the names that may stand in `${…}` in a cell; None: none are offered.
        colours: what is painted with; None: not known yet.
    """

    known: Callable[[], Sequence[TemplateName]] | None
    colours: Palette | None

    def columnCount(self) -> int:  # noqa: N802 - Qt's
        """The number of columns."""

    def currentColumn(self) -> int:  # noqa: N802 - Qt's
        """The column of the current cell."""

    def accessibleName(self) -> str:  # noqa: N802 - Qt's
        """The accessible name."""

    def paste(self) -> bool:
        """Add the rows on the clipboard; returns whether there are any."""

    def is_wrong(self, index: Index, /) -> bool:
        """Whether a cell is outlined as invalid."""


class CellDelegate(QStyledItemDelegate):
    """The delegate of cells: it makes their line editors, outlines those that are wrong, and paints "Add…".

    Args:
        host: the view of the cells.
        parent: the same view.
    """

    def __init__(self, host: CellHost, parent: QWidget) -> None:
        super().__init__(parent)
        self._host = host

    def is_adding(self, index: Index) -> bool:
        """Whether a cell is the empty one in which a row is added."""
        raise NotImplementedError

    @override
    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if self.is_adding(index):
            option.text = translate("Forms", "Add…")
            option.font = font(Role.BODY)
            muted = option.palette.color(option.palette.ColorRole.PlaceholderText)
            option.palette.setColor(option.palette.ColorRole.Text, muted)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        palette = self._host.colours
        if palette is not None and self._host.is_wrong(index):
            painter.setPen(QPen(colour(palette.status[StatusForm.FAILED].shape), _WRONG))
            painter.drawRect(QRectF(option.rect).adjusted(1, 1, -1, -1))

    @override
    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        made = CellLine(parent, self._host)
        made.setFont(font(Role.MONOSPACE))
        made.setAccessibleName(self._host.accessibleName())
        return made

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_key = event.type() == QEvent.Type.KeyPress and isinstance(watched, CellLine)
        if is_key and watched.offers is not None and watched.offers.is_open and event.key() in OF_LIST:  # type: ignore[attr-defined]  # it is a key
            return False
        return super().eventFilter(watched, event)


class CellLine(QLineEdit):
    """The line editor of a cell; pasted lines become rows.

    Args:
        parent: the widget it lies in.
        host: the view of the cell.

    Attributes:
        offers: what completes what is typed; None: nothing does.
    """

    def __init__(self, parent: QWidget, host: CellHost) -> None:
        super().__init__(parent)
        self._host = host
        self.offers = TemplateCompleter(self, host.known) if host.known is not None else None

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_list = self.offers is not None and self.offers.is_open and event.key() in OF_LIST
        if is_list:
            event.ignore()
            return
        words = QGuiApplication.clipboard().text() if event.matches(QKeySequence.StandardKey.Paste) else ""
        are_rows = "\n" in words.strip() or ("=" in words and not self.text() and self._host.currentColumn() == 0)
        if are_rows and self._host.columnCount() > 1 and pasted_rows(words, 2):
            self._host.paste()
            return
        super().keyPressEvent(event)


def cells_sheet(view: str, palette: Palette, edge: str, ink: str) -> str:
    """The style sheet of a view of cells.

    Args:
        view: the name of its class.
        palette: the colours.
        edge: its border while it has no focus.
        ink: the colour of its texts.
    """
    return (
        f"{view} {{ border: {edge}; border-radius: {RADIUS}px; background: {palette.panel};"
        f" gridline-color: {palette.border}; color: {ink};"
        f" selection-background-color: {palette.selected}; selection-color: {palette.text}; outline: none; }}"
        f"{view}:focus {{ border: {edge if edge.startswith(str(_WRONG)) else '1px solid ' + palette.text}; }}"
        f"QHeaderView, QHeaderView::section {{ background: {palette.raised}; color: {palette.muted};"
        f" border: none; }}"
        f"QHeaderView::section {{ border-right: 1px solid {palette.border}; padding-left: 6px; }}"
        f"QLineEdit {{ border: 1px solid {palette.text}; border-radius: 0; padding: 0 4px;"
        f" background: {palette.panel}; color: {palette.text}; }}"
    )


def cells_edge(palette: Palette, *, wrong: bool) -> str:
    """The border of a view of cells, in the failed colour while all of it is wrong."""
    return f"{_WRONG}px solid {palette.status[StatusForm.FAILED].shape}" if wrong else f"1px solid {palette.border}"
