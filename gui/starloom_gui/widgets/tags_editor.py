"""The editor of a field for several words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from starloom_gui.theme.metrics import CONTROL
from starloom_gui.widgets.editor import FieldEditor, FieldSpec
from starloom_gui.widgets.tag_box import TagBox

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLineEdit

    from starloom_gui.theme.palette import Palette


class TagsEditor(FieldEditor):
    """Edits several words: Return, a comma or a space ends one, Backspace removes the last one."""

    def __init__(self, spec: FieldSpec) -> None:
        super().__init__(spec)
        self.box = TagBox(lambda words: words.replace(",", " ").split(), ", ", CONTROL)
        self.box.set_hint(spec.hint)
        self.line.setAccessibleName(spec.label)
        self.line.setAccessibleDescription(spec.help)
        self.row.addWidget(self.box)
        self.setFocusProxy(self.line)
        self.box.edited.connect(self.edited)

    @property
    def line(self) -> QLineEdit:
        """Where the next word is typed."""
        return self.box.line

    @property
    def tags(self) -> tuple[str, ...]:
        """The words, in their order."""
        return self.box.tags

    @override
    def value(self) -> frozenset[str]:
        return frozenset(self.box.words)

    @override
    def show_value(self, value: Any) -> None:
        self.box.put(sorted(value or ()))

    @override
    def apply_theme(self, palette: Palette) -> None:
        self.box.apply_theme(palette)
