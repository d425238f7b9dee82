"""Editors of mappings, lists and JSON values, as small editable tables and trees."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout
from typing_extensions import override

from starloom_gui.text.cell_text import text_of_cell
from starloom_gui.text.value_nodes import VARIABLES, ValueKind
from starloom_gui.text.words import translate
from starloom_gui.theme.fonts import Role
from starloom_gui.widgets.cell_table import CellTable
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.field_error import ErrorRemedy
from starloom_gui.widgets.typed_editor import EditorFault, TypedEditor
from starloom_gui.widgets.value_rows import NAME, VALUE
from starloom_gui.widgets.value_tree import ValueTree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom_gui.text.value_nodes import NodeFault
    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.template_completer import TemplateName

    Known = Callable[[], Sequence[TemplateName]] | None


class TableEditor(TypedEditor):
    """Edits rows of cells, such as `From | To`; `text` is its rows as lines with cells separated by tabs.

    `cell_text.rows_of` and `lines_of` read and write such a text, and the other functions there what stands in a cell.

    Attributes:
        table: what is typed into.

    Args:
        table: see above; becomes a child.
    """

    def __init__(self, table: CellTable | ValueTree) -> None:
        super().__init__()
        self._is_wrong, self._hint = False, ""
        self._palette: Palette | None = None
        self.table = table
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
        return self.table.text()

    @override
    def put(self, words: str) -> None:
        if words != self.text():
            self.table.put_text(words)

    @override
    def set_hint(self, words: str) -> None:
        self._hint = words
        self.table.set_hint(words)
        self.remind("")

    @override
    def remind(self, words: str) -> None:
        said = words or ("" if self.table.says_hint else self._hint)
        self._note.setText(said)
        self._note.setVisible(bool(said))

    @override
    def lock(self, reason: str) -> None:
        super().lock(reason)
        self.table.lock(bool(reason))
        self._restyle()

    # ---- what is wrong

    @override
    def set_wrong(self, wrong: bool) -> None:
        self.table.outline_row(-1, ())
        self._turn_wrong(wrong)

    def _turn_wrong(self, wrong: bool) -> None:
        """Outline the table as a whole, or not."""
        self._is_wrong = wrong
        self._restyle()

    @override
    def fault(self) -> EditorFault | None:
        found = self.table.fault() if isinstance(self.table, ValueTree) else None
        if found is None:
            return None
        label = translate("Forms", "Remove its row") if found.of_name else translate("Forms", "Make it a text")
        return EditorFault(found.words, ErrorRemedy(label, partial(self._mend, found)))

    def _mend(self, found: NodeFault) -> None:
        """Remove the row of an error, or make its value a text."""
        assert isinstance(self.table, ValueTree), "no other table finds errors"
        rows = self.table.rows
        for row in list(rows.of(found.node)):
            if found.of_name:
                rows.remove(row)
            else:
                rows.choose_kind(row, ValueKind.TEXT)

    @override
    def outline_part(self, is_wrong: Callable[[str], bool], words: str) -> None:
        found = self.table.fault() if isinstance(self.table, ValueTree) else None
        if found is not None and isinstance(self.table, ValueTree):
            self.table.outline(found.node, (NAME,) if found.of_name else (VALUE,))
            self._turn_wrong(False)
            return
        lines = self.text().split("\n")
        wrong = bisect_left(range(len(lines)), True, key=lambda at: is_wrong("\n".join(lines[: at + 1])))
        if wrong < len(lines):
            self.table.outline_row(wrong, _cells_meant(lines[wrong].split("\t"), words))
            self._turn_wrong(False)

    @override
    def apply_theme(self, palette: Palette) -> None:
        self._palette = palette
        self._restyle()

    def _restyle(self) -> None:
        if self._palette is not None:
            self.table.apply_theme(self._palette, wrong=self._is_wrong)


def _cells_meant(cells: Sequence[str], words: str) -> Sequence[int]:
    """The cells of a row that a sentence is about: an empty name, what it quotes, what it names; else all of them."""
    if len(cells) > 1 and not cells[0]:
        return (0,)
    for around in (r"['“„]{}['”“]", r"(?<!\w){}(?!\w)"):
        named = [around.format(re.escape(text_of_cell(cell))) for cell in cells]
        found = [at for at, cell in enumerate(cells) if cell and re.search(named[at], words)]
        if found:
            return found
    return range(max(2, len(cells)))


def table_editor(heads: Sequence[str], known: Known = None) -> TableEditor:
    """Make an editor of rows of texts.

    Args:
        heads: what stands over the columns.
        known: gives the names that may stand in `${…}` in a cell; None: none are offered.
    """
    return TableEditor(CellTable(heads, known))


def variables_editor(known: Known = None) -> TableEditor:
    """Make an editor of environment variables, `Name | Kind | Value`: each is a text or a secret.

    Pasted lines `KEY=VALUE` become rows.

    Args:
        known: see `table_editor`.
    """
    return TableEditor(ValueTree(known, notation=VARIABLES))


def list_editor(known: Known = None) -> TableEditor:
    """Make an editor of a list of texts, one in each row.

    Args:
        known: see `table_editor`.
    """
    return table_editor(("",), known)


def values_editor(known: Known = None) -> TableEditor:
    """Make an editor of a mapping of JSON values, as a tree `Name | Kind | Value`.

    Args:
        known: see `table_editor`.
    """
    return TableEditor(ValueTree(known))


def value_editor(known: Known = None) -> TableEditor:
    """Make an editor of one JSON value, which may be nothing; its text is the cell of the value, or empty.

    Args:
        known: see `table_editor`.
    """
    return TableEditor(ValueTree(known, translate("Forms", "Value")))
