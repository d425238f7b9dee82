"""Takes over what is typed in the form of tasks, before their plan is started, saved or closed, or their run closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.viewmodel.task_specs import SPEC_OF

if TYPE_CHECKING:
    from starloom_gui.panels.field_rows import FieldRow
    from starloom_gui.panels.fields import FieldsSection
    from starloom_gui.panels.inspector import Inspector


def settle(fields: FieldsSection) -> FieldRow | None:
    """Send what is typed, as leaving a field does; returns the first row that was refused and still holds it."""
    for name, row in tuple(fields.field_rows.items()):
        row.draft.finish()
        if fields.field_rows.get(name) is row and row.draft.is_edited:  # a sent one may have brought other rows
            return row
    return None


def leave(fields: FieldsSection) -> None:
    """Leave all fields: that sends what is typed, except where only Enter does, as for what a run executes."""
    for row in tuple(fields.field_rows.values()):
        row.draft.leave()


def reveal(inspector: Inspector, row: FieldRow) -> None:
    """Unfold the part of a field, scroll to it, and give it the keyboard."""
    inspector.fields.parts[SPEC_OF[row.name].part].unfold()
    row.editor.setFocus()
    inspector.ensureWidgetVisible(row.editor)
