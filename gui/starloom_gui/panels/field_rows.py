"""One field of a task's form: its label, its editor, and the messages below it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QHBoxLayout, QWidget

from starloom_gui.panels.scope_row import LABELS
from starloom_gui.text.words import translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.viewmodel.task_field_words import choices_of, heads_of, label_of, switch_word
from starloom_gui.viewmodel.task_specs import SEVERAL_LINES, SPEC_OF, SPECS, EditorKind
from starloom_gui.widgets.choice_field import ChoiceField, SwitchField
from starloom_gui.widgets.controls import Elided, text
from starloom_gui.widgets.field_draft import FieldDraft
from starloom_gui.widgets.field_error import ErrorRemedy, FieldErrorLabel
from starloom_gui.widgets.list_completer import NameCompleter
from starloom_gui.widgets.names_field import NamesField
from starloom_gui.widgets.script_editor import ScriptEditor
from starloom_gui.widgets.table_editors import list_editor, table_editor, value_editor, values_editor, variables_editor
from starloom_gui.widgets.typed_editor import TypedEditor
from starloom_gui.widgets.value_editor import Value, ValueHint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from PySide6.QtWidgets import QGridLayout

    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.task_fields import FieldValue
    from starloom_gui.widgets.template_completer import TemplateName
    from starloom_gui.widgets.typed_editor import EditorFault

    Names = Callable[[str], Sequence[str]]
    Templates = Callable[[str], Sequence[TemplateName]]

WITH_CTRL: Final = frozenset({EditorKind.SCRIPT, EditorKind.PROSE})
"""The kinds of editors of several lines, in which Ctrl+Enter sends what is typed."""
_WITH_ROWS: Final = frozenset(
    {EditorKind.CODES, EditorKind.FILES, EditorKind.VARIABLES, EditorKind.VALUES, EditorKind.VALUE, EditorKind.LIST}
)
"""The kinds of editors of several rows, in which Enter goes to the next one and Ctrl+Enter confirms them all."""
_HIGH: Final = 24
_WIDEST_LABELS: Final = 92
_ROOMY: Final = 280
_TABLES: Final = frozenset({EditorKind.CODES, EditorKind.FILES})
_HAS_TEMPLATES: Final = frozenset({"command", "shell", "prompt", "inputs", "env"})


def kind_of(one: FieldValue) -> EditorKind:
    """The kind of editor for a field with its present value."""
    spec = SPEC_OF.get(one.name)
    kind = spec.kind if spec is not None else EditorKind.LINE
    if kind is EditorKind.WORK:
        return EditorKind.SCRIPT if "\n" in one.text else EditorKind.LINE
    return kind


def sending_key(kinds: Iterable[EditorKind]) -> str:
    """The name of a key that sends what is typed in any editor of these kinds: in some Enter begins a line or a row."""
    has_lines = not (WITH_CTRL | _WITH_ROWS).isdisjoint(kinds)
    return translate("Inspector", "Ctrl+Enter") if has_lines else translate("Inspector", "Enter")


def labels_width(room: int) -> int:
    """The width of the column of labels, in logical pixels; a label that is too long stands above its editor.

    Args:
        room: the width of the form.
    """
    metrics = QFontMetricsF(font(Role.BODY))
    words = (label_of(one.name) for one in SPECS if one.kind not in SEVERAL_LINES)
    widest = math.ceil(max(map(metrics.horizontalAdvance, words), default=0)) + 2
    return max(LABELS, min(widest, _WIDEST_LABELS if room >= _ROOMY else LABELS))


class FieldRow:
    """The widgets of one field, and the draft of its value.

    Attributes:
        name: of the field.
        label: the text of its label.
        is_code: whether its value is code, in a monospaced font.
        kind: the kind of its editor.
        editor: the editor of its value.
        draft: the text that was typed and not sent.
        error: shows why a new value was refused.
        beside: shows that others have changed the value.
        note: shows a remark on what is typed.

    Args:
        one: the field.
        palette: the colours.
        known: gives the names that complete a field, by its name.
        templates: gives the names for `${…}` in a field, by its name.
    """

    def __init__(self, one: FieldValue, palette: Palette, known: Names, templates: Templates) -> None:
        self.name, self.label, self.is_code, self.kind = one.name, one.label, one.code, kind_of(one)
        self.editor = _editor_of(one, self.kind, known, templates)
        self.error = FieldErrorLabel(lambda: palette)
        self.beside, self.note = ValueHint(), text(role=Role.SMALL, look="muted")
        self.note.hide()
        self._head: QWidget | None = None
        self._shown, self._reported = "", ""
        if isinstance(self.editor, Value):
            self.draft = self.editor.draft
        else:
            self.draft = FieldDraft(self.editor, self.editor)
            self._wire(self.editor, palette)
        self.beside.taken.connect(self.draft.take)
        self.beside.wanted.connect(self.draft.enter)

    def _wire(self, editor: TypedEditor, palette: Palette) -> None:
        editor.apply_theme(palette)
        is_script = isinstance(editor, ScriptEditor)
        self.draft.reminder = translate("Inspector", "not set yet")
        if is_script:
            self.draft.reminder = translate("Inspector", "Ctrl+Enter: change")
        self.draft.key = sending_key((self.kind,))
        editor.waits = lambda: self.draft.is_edited and (self.draft.runs_again or self.draft.waits)
        editor.confirmed.connect(self.draft.enter)
        editor.edited.connect(self.draft.edited)
        editor.entered.connect(self.draft.enter if is_script else self.draft.settle)
        editor.escaped.connect(self.draft.escape)
        editor.left.connect(self.draft.leave)

    def show_value(self, one: FieldValue, revision: int) -> None:
        """Show a value of the field, as of a revision of the run; a report about the value before it goes."""
        if self._reported and self._shown == self._reported != one.text:
            self._reported = ""
            self.beside.say("")
        self._shown = one.text
        self.draft.show_value(one, revision)

    def report(self, value: str, said: str) -> None:
        """Show below the field what its new value has done, for as long as it is the value."""
        self._reported = value
        self.beside.report(said)

    def say_note(self, said: str) -> None:
        """Show a remark on what is typed; empty: none."""
        self.note.setText(said)
        self.note.setVisible(bool(said))
        self.editor.setAccessibleDescription(said)

    def add_to(self, grid: QGridLayout, at: int, labels: int) -> int:
        """Add the widgets to a grid from row `at` on, beside a label of `labels` pixels; returns the next free row."""
        is_wide = self.kind in SEVERAL_LINES or QFontMetricsF(font(Role.BODY)).horizontalAdvance(self.label) > labels
        if self._head is None:
            self._head = self._made_head(labels, is_wide=is_wide)
        if is_wide:
            grid.addWidget(self._head, at, 0, 1, 2)
            grid.addWidget(self.editor, at + 1, 0, 1, 2)
        else:
            grid.addWidget(self._head, at, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self.editor, at, 1)
        for step, one in enumerate((self.beside, self.error, self.note)):
            grid.addWidget(one, at + 2 + step, 0 if is_wide else 1, 1, 2 if is_wide else 1)
        return at + 5

    def remove(self) -> None:
        """Delete the widgets."""
        for one in (self._head, self.editor, self.beside, self.error, self.note):
            if one is not None:
                one.hide()
                one.deleteLater()

    def _made_head(self, labels: int, *, is_wide: bool) -> QWidget:
        """Make the label, which stands above a wide editor and beside another one."""
        label = Elided(self.label, Role.BODY, "muted", ends=True)
        label.setBuddy(self.editor)
        if is_wide:
            return self._above(label)
        label.setFixedSize(labels, _HIGH)
        return label

    def _above(self, label: Elided) -> QWidget:
        """Return the label above a wide editor, with the key that opens it larger."""
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 2, 0, 0)
        row.addWidget(label, 1)
        if self.kind in WITH_CTRL:
            row.addWidget(text(translate("Inspector", "Ctrl+E: larger"), Role.SMALL, "muted", wraps=False))
        return made

    def want_room(self, open_larger: Callable[[FieldRow], None]) -> None:
        """Register a callback for when the text is to be edited in a larger window."""
        if isinstance(self.editor, ScriptEditor | Value):
            self.editor.room_wanted.connect(lambda: open_larger(self))

    @property
    def fault(self) -> EditorFault | None:
        """Why what stands in the editor is no value; None: only who is given its text can say."""
        return self.editor.fault() if isinstance(self.editor, TypedEditor) else None

    def say_wrong(self, words: str, is_wrong: Callable[[str], bool] | None = None) -> None:
        """Show why the new value was refused, with what mends it.

        Args:
            words: the sentence; empty: it was not refused.
            is_wrong: judges texts of the field, by which the wrong part of its value is found; None: it has no parts.
        """
        fault = self.fault
        back = ErrorRemedy(translate("Inspector", "Put back"), self._put_back)
        self.error.show_trouble(words, remedies=(fault.remedy if fault is not None else back,) if words else ())
        self.editor.set_wrong(bool(words))
        if words and is_wrong is not None and isinstance(self.editor, TypedEditor):
            self.editor.outline_part(is_wrong, words)
        self.editor.setAccessibleDescription(words)

    def _put_back(self) -> None:
        """Discard what was refused, as Escape does, and go on in the field."""
        self.editor.setFocus()
        self.draft.take()


def _editor_of(one: FieldValue, kind: EditorKind, known: Names, templates: Templates) -> Value | TypedEditor:
    name = one.name
    fills = (lambda: templates(name)) if name in _HAS_TEMPLATES else None
    if kind is EditorKind.CHOICE:
        return ChoiceField(choices_of(name))
    if kind is EditorKind.SWITCH:
        return SwitchField(switch_word(name))
    if kind in WITH_CTRL:
        return ScriptEditor(code=kind is EditorKind.SCRIPT and name != "gate", known=fills)
    if kind in _TABLES:
        return table_editor(heads_of(name), fills)
    if kind is EditorKind.VARIABLES:
        return variables_editor(fills)
    if kind in {EditorKind.VALUES, EditorKind.VALUE}:
        return values_editor(fills) if kind is EditorKind.VALUES else value_editor(fills)
    if kind is EditorKind.LIST:
        return list_editor(fills)
    if kind is EditorKind.NAMES:
        return NamesField(lambda: known(name), _HIGH)
    made = Value(code=one.code)
    if kind is EditorKind.DEVICE:
        made.offers = NameCompleter(made, lambda: known(name))
    return made
