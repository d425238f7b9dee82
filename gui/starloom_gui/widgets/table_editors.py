"""Editors of mappings and lists, as small editable tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout
from typing_extensions import override

from starloom_gui.text.cell_text import lines_of, rows_of
from starloom_gui.text.words import translate
from starloom_gui.theme.fonts import Role
from starloom_gui.widgets.cell_table import CellTable
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.typed_editor import TypedEditor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.template_completer import TemplateName


class TableEditor(TypedEditor):
    """Edits rows of cells, such as `Name | Value`; `text` is its rows as lines with cells separated by tabs.

    `cell_text.rows_of` and `lines_of` read and write such a text, and the other functions there what stands in a cell.

    Attributes:
        table: what is typed into.

    Args:
        heads: what stands over the columns.
        known: gives the names that may stand in `${…}` in a cell; None: none are offered.
    """

    def __init__(self, heads: Sequence[str], known: Callable[[], Sequence[TemplateName]] | None = None) -> None:
        super().__init__()
        self._columns, self._is_wrong, self._hint = len(heads), False, ""
        self._palette: Palette | None = None
        self.table = CellTable(heads, known)
        self._note = text(role=Role.SMALL, look="muted")
        self._note.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.table)
        column.addWidget(self._note)
        self.setFocusProxy(self.table)
        self.table.changed.connect(self.edited)
        self.table.row_ended.connect(self.entered)
        self.table.escaped.connect(self.escaped)

    @override
    def text(self) -> str:
        return lines_of(self.table.rows())

    @override
    def put(self, words: str) -> None:
        if words != self.text():
            self.table.put_rows(rows_of(words, self._columns))

    @override
    def set_hint(self, words: str) -> None:
        self._hint = words
        self.remind("")

    @override
    def remind(self, words: str) -> None:
        self._note.setText(words or self._hint)
        self._note.setVisible(bool(words or self._hint))

    @override
    def lock(self, reason: str) -> None:
        super().lock(reason)
        self.table.lock(bool(reason))
        self._restyle()

    @override
    def set_wrong(self, wrong: bool) -> None:
        self._is_wrong = wrong
        self._restyle()

    @override
    def apply_theme(self, palette: Palette) -> None:
        self._palette = palette
        self._restyle()

    def _restyle(self) -> None:
        if self._palette is not None:
            self.table.apply_theme(self._palette, wrong=self._is_wrong)


def name_value_table(known: Callable[[], Sequence[TemplateName]] | None = None) -> TableEditor:
    """Make an editor of a mapping, `Name | Value`; pasted lines `KEY=VALUE` become rows.

    Args:
        known: gives the names that may stand in `${…}` in a cell; None: none are offered.
    """
    return TableEditor((translate("Forms", "Name"), translate("Forms", "Value")), known)


def list_editor(known: Callable[[], Sequence[TemplateName]] | None = None) -> TableEditor:
    """Make an editor of a list of texts, one in each row.

    Args:
        known: gives the names that may stand in `${…}` in an entry; None: none are offered.
    """
    return TableEditor(("",), known)
