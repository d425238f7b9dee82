"""The specification of a field of a form, and the base of its editors."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import CONTROL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.field_error import ErrorRemedy


class ValueType(StrEnum):
    """The type of a field's value."""

    TEXT = "text"
    WHOLE = "whole"
    NUMBER = "number"
    SWITCH = "switch"
    CHOICE = "choice"
    TAGS = "tags"


class FieldError(Exception):
    """Raised for an invalid value of a field.

    Attributes:
        name: of the field.
    """

    def __init__(self, name: str, words: str) -> None:
        super().__init__(words)
        self.name = name


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec:
    """The specification of one field of a form.

    Attributes:
        name: of the value in the program.
        label: what is read before it.
        default: what it holds at first, and what an empty one means; None: nothing.
        help: what is said under it.
        unit: what is read behind it.
        hint: what stands in it while it is empty.
        required: whether it may not stay empty.
        choices: of a choice, the values with their words.
        beside: whether it stands in the row of the field before it.
        is_long: whether it takes the whole width.
        is_rare: whether it stands below the others, and is only shown to who asks for more.
        make: makes its editor; None: the one of its sort.
    """

    name: str
    label: str
    sort: ValueType = ValueType.TEXT
    default: Any = None
    help: str = ""
    unit: str = ""
    hint: str = ""
    required: bool = False
    choices: tuple[tuple[Any, str], ...] = ()
    beside: bool = False
    is_long: bool = False
    is_rare: bool = False
    make: Callable[[FieldSpec], FieldEditor] | None = None


class FieldEditor(QWidget):
    """The widget that edits one field of a form.

    Signals:
        edited: something else stands there.
    """

    edited = Signal()

    def __init__(self, spec: FieldSpec) -> None:
        super().__init__()
        self.spec = spec
        self.row = QVBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.setAccessibleName(spec.label)

    def value(self) -> Any:
        """The value in the editor; None: it is empty.

        Raises:
            ValueError: it cannot be read, with a sentence for people.
        """
        raise NotImplementedError

    def show_value(self, value: Any) -> None:
        """Set the value in the editor."""
        raise NotImplementedError

    def set_wrong(self, wrong: bool) -> None:
        """Outline the editor as invalid, or as usual."""

    @property
    def remedies(self) -> Sequence[ErrorRemedy]:
        """What mends what stands there; nothing where only its author can."""
        return ()

    def apply_theme(self, palette: Palette) -> None:
        """Set the colours."""

    def adopt(self, widget: QWidget, width: int | None) -> None:
        """Add the widget in which the value is edited.

        Args:
            widget: becomes a child.
            width: logical pixels; None: as wide as there is room.
        """
        widget.setFont(font(Role.BODY))
        widget.setFixedHeight(CONTROL)
        widget.setAccessibleName(self.spec.label)
        widget.setAccessibleDescription(self.spec.help)
        if width is not None:
            widget.setFixedWidth(width)
        self.row.addWidget(widget)
        self.setFocusProxy(widget)
