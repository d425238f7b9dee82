"""The rows of a task's form: built as its parts unfold, and changed with the fields that the task has."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from starloom_gui.panels.field_rows import FieldRow, kind_of, labels_width
from starloom_gui.panels.scope_row import LABELS
from starloom_gui.viewmodel.task_specs import SPEC_OF, FormPart

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starloom_gui.panels.folding_part import FoldingPart
    from starloom_gui.viewmodel.task_fields import FieldValue
    from starloom_gui.viewmodel.task_specs import EditorKind

    Shape = tuple[tuple[str, EditorKind], ...]


class FormRows:
    """The rows of the fields in the unfolded parts of a form.

    A field in use is left alone. All others follow what the task is: one that it no longer has is removed, although
    the field by which that was chosen has the keyboard.

    Attributes:
        rows: by field.
        labels: the width of the column of labels in logical pixels.
        given_up: the fields that may go although something unsent is typed in them, as another choice replaces them.

    Args:
        parts: the parts of the form.
        make: makes the row of a field.
        width: gives the width of the form in logical pixels.
    """

    def __init__(
        self,
        parts: Mapping[FormPart, FoldingPart],
        make: Callable[[FieldValue], FieldRow],
        width: Callable[[], int],
    ) -> None:
        self._parts, self._make, self._width = parts, make, width
        self.rows: dict[str, FieldRow] = {}
        self.labels = LABELS
        self.given_up: frozenset[str] = frozenset()
        self._shapes: dict[FormPart, Shape] = {}
        self._meant: tuple[int, ...] = ()

    def fill(self, part: FormPart, fields: Sequence[FieldValue], revision: int) -> None:
        """Show the fields of a part.

        Args:
            part: of the form; while it is folded it has no rows.
            fields: of this part, from top to bottom.
            revision: of the run, as of which they are so.
        """
        if not self._parts[part].is_open:
            if part in self._shapes and not self.is_in_use(part):
                self.clear(part)
            return
        shape = tuple((one.name, kind_of(one)) for one in fields)
        if part not in self._shapes:
            self._build(part, fields, shape)
        elif self._shapes[part] != shape:
            self._reshape(part, fields, shape)
        for one in fields:
            if one.name in self.rows:
                self.rows[one.name].show_value(one, revision)

    def set_tasks(self, numbers: tuple[int, ...]) -> None:
        """Note the tasks that are changed by what is typed: what was sent for others before is no value of these."""
        if numbers != self._meant:
            self._meant = numbers
            for row in self.rows.values():
                row.draft.forget_sent()

    def clear(self, part: FormPart) -> None:
        """Remove the fields of a part; what was typed in one of them is sent as when it loses the focus."""
        if self._shapes.pop(part, None) is not None:
            self._parts[part].clear()
            for name in self._names(part):
                del self.rows[name]

    def is_in_use(self, part: FormPart | None = None) -> bool:
        """Whether a field of a part, None: of any, has the keyboard or holds what was typed and not sent."""
        return any(row.draft.is_in_use for row in self.rows.values() if part in {None, part_of(row.name)})

    def write_again(
        self, texts: Mapping[str, str], base: Mapping[str, str], before_told: Callable[[str], None]
    ) -> None:
        """Write what was typed earlier into its fields.

        Args:
            texts: by field.
            base: the values that its author saw then, by field.
            before_told: called with the name of each field before it tells what has become of its value since.
        """
        for name, words in texts.items():
            if (row := self.rows.get(name)) is not None:
                row.editor.write(words)
                before_told(name)
                row.draft.resume(base.get(name, row.draft.base))

    def _names(self, part: FormPart) -> list[str]:
        return [name for name in self.rows if part_of(name) is part]

    def _build(self, part: FormPart, fields: Sequence[FieldValue], shape: Shape) -> None:
        for one in fields:
            self.rows[one.name] = self._make(one)
        self._lay(part, [one.name for one in fields])
        self._shapes[part] = shape

    def _reshape(self, part: FormPart, fields: Sequence[FieldValue], shape: Shape) -> None:
        """Add and remove fields of a part beside those that stay, which keep their widgets, and so the keyboard."""
        wanted, before = dict(shape), self._names(part)
        for name in before:
            row = self.rows[name]
            if wanted.get(name) is not row.kind and (name in self.given_up or not row.draft.is_in_use):
                self.rows.pop(name).remove()
        for one in fields:
            if one.name not in self.rows:
                self.rows[one.name] = self._make(one)
        order = [one.name for one in fields]
        for name in before:  # what is in use although the task has it no longer stays behind the field it stood behind
            if name in self.rows and name not in order:
                order.insert(min(before.index(name), len(order)), name)
        self.given_up = frozenset()
        self._lay(part, order)
        self._shapes[part] = tuple((name, self.rows[name].kind) for name in order)

    def _lay(self, part: FormPart, order: Sequence[str]) -> None:
        """Put the rows of a part into its grid, from top to bottom, and let Tab go through them in this order."""
        grid, labels, at = self._parts[part].grid, labels_width(self._width()), 0
        self.labels = labels
        grid.setColumnMinimumWidth(0, labels)
        while grid.takeAt(0) is not None:
            pass
        before: QWidget | None = None
        for name in order:
            row = self.rows[name]
            is_new = row.editor.parentWidget() is None
            at = row.add_to(grid, at, labels)
            if is_new:
                row.editor.show()  # else Qt shows it later, and it cannot have the keyboard before
            stops = _tab_stops(row.editor)
            if is_new and before is not None:
                for first, second in pairwise((before, *stops)):
                    QWidget.setTabOrder(first, second)
            before = stops[-1] if stops else before


def _tab_stops(editor: QWidget) -> list[QWidget]:
    """Where Tab stops within an editor, in the order in which it was made; lists that pop up are none."""
    inside = (editor, *editor.findChildren(QWidget))
    return [one for one in inside if one.focusPolicy() & Qt.FocusPolicy.TabFocus and one.window() is editor.window()]


def part_of(name: str) -> FormPart:
    """The part of the form that holds a field."""
    return SPEC_OF[name].part if name in SPEC_OF else FormPart.ABOUT
