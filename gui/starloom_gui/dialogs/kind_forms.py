"""The forms of a dialog for an object of one of several kinds, e.g. a device over SSH or a simulated one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtWidgets import QButtonGroup, QStackedLayout, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.widgets.choice_row import choice_row
from starloom_gui.widgets.form import Form

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QFrame

    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.editor import FieldSpec


class KindForm(Protocol):
    """The protocol of the description of one kind's form."""

    @property
    def kind(self) -> str:
        """Its name in the program."""

    @property
    def label(self) -> str:
        """The name that users read."""

    @property
    def fields(self) -> tuple[FieldSpec, ...]:
        """From top to bottom."""


_K = TypeVar("_K", bound=KindForm)
_MESSAGE: Final = 34
"""The room for a message of one or two lines below a field, in logical pixels."""
_HIGH_SCREEN: Final = 720
"""Lower screens have no room to spare."""


class KindForms(QObject, Generic[_K]):
    """The forms of all kinds, one of which is chosen and shown: the first, to begin with.

    Args:
        descriptions: those of the kinds, at least one.
        palette: gives the colours that hold.
        parent: the dialog.

    Attributes:
        descriptions: as given.
        forms: of each kind, in the same order.
        buttons: those of the row, each under its place in it.

    Signals:
        turned(Form): another kind is chosen; this form was shown before.
        edited(): a value of a form is another one.
    """

    turned = Signal(object)
    edited = Signal()

    def __init__(self, descriptions: Sequence[_K], palette: Callable[[], Palette], parent: QWidget) -> None:
        super().__init__(parent)
        self.descriptions = tuple(descriptions)
        self.forms = [Form(one.fields, palette) for one in self.descriptions]
        self.buttons = QButtonGroup(self)
        self._parent, self._stack, self._at = parent, QStackedLayout(), 0
        self.buttons.idToggled.connect(lambda at, chosen: self._turn(at) if chosen else None)

    @property
    def form(self) -> Form:
        """The form of the chosen kind."""
        return self.forms[self._at]

    @property
    def is_changed(self) -> bool:
        """Whether something was typed into any of the forms."""
        return any(form.is_changed for form in self.forms)

    @property
    def chosen(self) -> _K:
        """The description of the chosen kind."""
        return self.descriptions[self._at]

    def row(self, name: str, tip: Callable[[_K], str]) -> QFrame:
        """The row of buttons that chooses the kind; to be made once.

        Args:
            name: what a screen reader calls the row.
            tip: gives the tooltip of a kind's button.
        """
        return choice_row(self.buttons, name, [(one.label, tip(one)) for one in self.descriptions])

    def pages(self) -> QStackedLayout:
        """The layout that shows the form of the chosen kind; to be made once, after the row, for the tab order."""
        for form in self.forms:
            page = _Page(form)
            page.setParent(self._parent)  # a stack without a parent yet would show it as a window
            self._stack.addWidget(page)
            form.edited.connect(self.edited)
        return self._stack

    def choose(self, kind: str) -> None:
        """Choose a kind.

        Raises:
            StopIteration: there is no such kind.
        """
        at = next(at for at, one in enumerate(self.descriptions) if one.kind == kind)
        self.buttons.button(at).setChecked(True)

    def apply_theme(self, palette: Palette) -> None:
        """Apply the colours of a theme."""
        for form in self.forms:
            form.apply_theme(palette)

    def _turn(self, at: int) -> None:
        before, self._at = self.form, at
        self._stack.setCurrentIndex(at)
        self.turned.emit(before)


class _Page(QWidget):
    """A form at the top of its page, with room for a message below a field, and for as many as there ever were.

    So nothing moves away under the pointer as one comes, or goes again while its field is mended.
    """

    def __init__(self, form: Form) -> None:
        super().__init__()
        self._form = form
        self._kept = _MESSAGE if self.screen().availableGeometry().height() >= _HIGH_SCREEN else 0
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(form)
        column.addStretch(1)

    def _roomy(self, wanted: int) -> int:
        """The height of the page whose contents want so much, in logical pixels."""
        errors = self._form.errors_height
        self._kept = max(self._kept, errors)
        return wanted - errors + self._kept

    @override
    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width(), self._roomy(hint.height()))

    @override
    def heightForWidth(self, width: int) -> int:
        return self._roomy(super().heightForWidth(width))
