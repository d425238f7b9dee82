"""The editor of several names, such as limit groups: those that are known are offered, and others can be typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout
from typing_extensions import override

from starloom_gui.text.cell_text import names_of, names_text
from starloom_gui.theme.fonts import Role
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.list_completer import NameCompleter
from starloom_gui.widgets.tag_box import TagBox
from starloom_gui.widgets.typed_editor import TypedEditor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom_gui.theme.palette import Palette


class NamesField(TypedEditor):
    """Edits several names, each with a button that removes it; `text` is a line with commas between them.

    A comma ends a name, and Return has all of them hold; Down shows the names that are known. A name that holds a
    comma is typed in quotes.

    Attributes:
        box: what is typed in.
        offers: the list of known names.

    Args:
        known: gives the names that are offered.
        least: pixels that it is high at least.
    """

    def __init__(self, known: Callable[[], Sequence[str]], least: int) -> None:
        super().__init__()
        self.box = TagBox(names_of, ",", least)
        left = lambda: [_quoted(name) for name in known() if name not in self.box.tags]  # noqa: E731
        self.offers = self.box.line.offers = NameCompleter(self.box.line, left, self._take)
        self.offers.setFilterMode(Qt.MatchFlag.MatchContains)
        self._note = text(role=Role.SMALL, look="muted")
        self._note.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.box)
        column.addWidget(self._note)
        self.setFocusProxy(self.box.line)
        for name in ("edited", "entered", "confirmed", "escaped"):
            getattr(self.box, name).connect(getattr(self, name))

    def _take(self, words: str) -> None:
        """Make names of a line with a chosen one."""
        self.box.line.setText(words)
        self.box.end_word()

    @override
    def text(self) -> str:
        return names_text(self.box.words)

    @override
    def put(self, words: str) -> None:
        if words != self.text():
            self.box.put(names_of(words))

    @override
    def write(self, words: str) -> None:
        self.box.put(())
        self.box.line.setText(words)
        self.edited.emit()

    @override
    def set_hint(self, words: str) -> None:
        self.box.set_hint(words)

    @override
    def remind(self, words: str) -> None:
        self._note.setText(words)
        self._note.setVisible(bool(words))

    @override
    def set_wrong(self, wrong: bool) -> None:
        self.box.set_wrong(wrong)

    @override
    def lock(self, reason: str) -> None:
        super().lock(reason)
        self.box.lock(bool(reason))

    @override
    def apply_theme(self, palette: Palette) -> None:
        self.box.apply_theme(palette)


def _quoted(name: str) -> str:
    """A name as it is typed: in quotes if it holds a comma."""
    return names_text([name])
