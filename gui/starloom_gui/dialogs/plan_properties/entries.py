"""The editor of a list of entries, such as rules: one is selected at the left and edited at the right."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Protocol

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout
from typing_extensions import override

from starloom_gui.dialogs.plan_properties.raw_form import scrolled
from starloom_gui.text.words import translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import GAPS, ROW
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.widgets.controls import button, mark, text
from starloom_gui.widgets.editor import FieldEditor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from PySide6.QtCore import SignalInstance
    from PySide6.QtWidgets import QPushButton

    from starloom_gui.dialogs.plan_properties.raw_form import Fault
    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.editor import FieldSpec

LIST: Final = 168


class EntryForm(Protocol):
    """The protocol of the form of one entry: a `RawForm`, or what is used like it."""

    @property
    def edited(self) -> SignalInstance:
        """Emitted when the value of a field has changed."""

    @property
    def faults(self) -> Mapping[str, str]:
        """The errors of values that cannot be parsed, by field."""

    def fill(self, raw: Mapping[str, Any]) -> None:
        """Fill the form with an entry."""

    def value(self) -> dict[str, Any]:
        """The entry in the form."""

    def explain(self, faults: Iterable[Fault]) -> None:
        """Show the errors below their fields."""

    def apply_theme(self, palette: Palette) -> None:
        """Show other colours."""


class EntriesEditor(FieldEditor):
    """The field of a list of mappings.

    Attributes:
        list: the entries by name.
        add, remove, up, down: the buttons below it.

    Args:
        spec: the field; its hint is said while there are none.
        form: makes the form of an entry, a widget.
        title: what an entry is called, by its place.
        new: gives the entry that is added, by those there are.
        id_of: what problems name an entry by instead of its place; empty: by its place.
    """

    def __init__(
        self,
        spec: FieldSpec,
        form: Callable[[], Any],
        title: Callable[[int, Mapping[str, Any]], str],
        new: Callable[[Sequence[Mapping[str, Any]]], dict[str, Any]],
        id_of: Callable[[Mapping[str, Any]], str] = lambda _: "",
    ) -> None:
        super().__init__(spec)
        self._title, self._new, self._id_of = title, new, id_of
        self._raws: list[dict[str, Any]] = []
        self._unread: dict[int, dict[str, str]] = {}
        self._parts: list[Fault] = []
        self._palette: Palette | None = None
        self.list = QListWidget()
        made = form()
        self.entry_form: EntryForm = made
        self._nothing = text(spec.hint, look="muted")
        self.add, self.remove, self.up, self.down = (self._button() for _ in range(4))
        self._room = scrolled(made)
        self._arrange()
        self._say()
        self.list.currentRowChanged.connect(self._turn)
        self.entry_form.edited.connect(self._take)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.up.clicked.connect(lambda _=False: self._move(-1))
        self.down.clicked.connect(lambda _=False: self._move(1))

    @staticmethod
    def _button() -> QPushButton:
        made = button("", height=24)
        made.setFixedWidth(28)
        mark(made, "flat")
        return made

    def _arrange(self) -> None:
        self.list.setFont(font(Role.BODY))
        self.list.setFixedWidth(LIST)
        self.list.setAccessibleName(self.spec.label)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        left, right, both = QVBoxLayout(), QVBoxLayout(), QHBoxLayout()
        buttons = QHBoxLayout()
        buttons.setSpacing(GAPS[0])
        for each in (self.add, self.remove, self.up, self.down):
            buttons.addWidget(each)
        buttons.addStretch(1)
        left.addWidget(self.list, 1)
        left.addLayout(buttons)
        right.addWidget(self._nothing, 0, Qt.AlignmentFlag.AlignTop)
        right.addWidget(self._room, 1)
        both.setSpacing(GAPS[2])
        both.addLayout(left)
        both.addLayout(right, 1)
        self.row.addLayout(both)
        self.setFocusProxy(self.list)

    def _say(self) -> None:
        names = {
            self.add: translate("PlanProperties", "Add"),
            self.remove: translate("PlanProperties", "Remove"),
            self.up: translate("PlanProperties", "Move up"),
            self.down: translate("PlanProperties", "Move down"),
        }
        for each, name in names.items():
            each.setToolTip(name)
            each.setAccessibleName(f"{name}, {self.spec.label}")

    # ---- values

    @override
    def value(self) -> Any:
        return [dict(raw) for raw in self._raws]

    @override
    def show_value(self, value: Any) -> None:
        self._raws, self._unread, self._parts = [dict(raw) for raw in value or ()], {}, []
        self._list(0 if self._raws else -1)

    def _list(self, current: int) -> None:
        """Rebuild the list of entries, with this one selected."""
        with QSignalBlocker(self.list):
            self.list.clear()
            for at, raw in enumerate(self._raws):
                item = QListWidgetItem(self._title(at, raw), self.list)
                item.setSizeHint(QSize(0, ROW))
            self.list.setCurrentRow(current)
        self._turn(current)

    def _turn(self, current: int) -> None:
        there = 0 <= current < len(self._raws)
        self._nothing.setVisible(not there)
        self._room.setVisible(there)
        self._room.verticalScrollBar().setValue(0)
        self.remove.setEnabled(there)
        self.up.setEnabled(there and current > 0)
        self.down.setEnabled(there and current < len(self._raws) - 1)
        if there:
            self.entry_form.fill(self._raws[current])
            self.explain_parts(self._parts)

    def _take(self) -> None:
        at = self.list.currentRow()
        if 0 <= at < len(self._raws):
            self._raws[at] = self.entry_form.value()
            self._unread[at] = dict(self.entry_form.faults)
            self.list.item(at).setText(self._title(at, self._raws[at]))
            self.edited.emit()

    def _add(self, _checked: bool = False) -> None:
        self._raws.append(self._new(self._raws))
        self._list(len(self._raws) - 1)
        self.edited.emit()

    def _remove(self, _checked: bool = False) -> None:
        at = self.list.currentRow()
        del self._raws[at]
        self._unread = {}
        self._list(min(at, len(self._raws) - 1))
        self.edited.emit()

    def _move(self, by: int) -> None:
        at = self.list.currentRow()
        self._raws[at], self._raws[at + by] = self._raws[at + by], self._raws[at]
        self._unread = {}
        self._list(at + by)
        self.edited.emit()

    # ---- what is wrong

    def unread(self) -> list[Fault]:
        """The errors of values that cannot be parsed, of all entries."""
        name = self.spec.name
        return [(f"{name}[{at}].{field}", words) for at, one in self._unread.items() for field, words in one.items()]

    def explain_parts(self, faults: Sequence[Fault]) -> None:
        """Mark the invalid entries, and show the errors of the selected one under its fields."""
        self._parts = list(faults)
        by_entry: dict[int, list[Fault]] = {}
        for where, words in faults:
            at, rest = self._entry_at(where)
            by_entry.setdefault(at, []).append((rest, words))
        for at in range(self.list.count()):
            item, wrong = self.list.item(at), bool(by_entry.get(at))
            palette = self._palette
            if palette is not None:
                item.setForeground(colour(palette.status[StatusForm.FAILED].text if wrong else palette.text))
            item.setToolTip(" ".join(words for _, words in by_entry.get(at, ())))
        self.entry_form.explain(by_entry.get(self.list.currentRow(), ()))

    def _entry_at(self, where: str) -> tuple[int, str]:
        """The entry a place is in, and the place within it."""
        rest = where.removeprefix(self.spec.name)
        found = re.match(r"\[(\d+)\]\.?", rest)
        if found is not None:
            return int(found[1]), rest[found.end() :]
        for at, raw in enumerate(self._raws):
            named = f".{self._id_of(raw)}"
            if named != "." and (rest == named or rest.startswith(f"{named}.")):
                return at, rest.removeprefix(named).lstrip(".")
        return self.list.currentRow(), rest.lstrip(".")

    @override
    def apply_theme(self, palette: Palette) -> None:
        self._palette = palette
        for each, shape in (
            (self.add, Icon.ADD),
            (self.remove, Icon.REMOVE),
            (self.up, Icon.PREVIOUS),
            (self.down, Icon.NEXT),
        ):
            each.setIcon(icon(shape, palette))
        self.entry_form.apply_theme(palette)
        self.explain_parts(self._parts)
