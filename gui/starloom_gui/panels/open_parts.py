"""The unfolded parts of the inspector's form, which all inspectors share and the settings keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from starloom_gui.viewmodel.task_specs import FormPart

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

AT_FIRST: Final = frozenset({FormPart.WHAT, FormPart.WHEN})
"""The parts that are unfolded until somebody folds or unfolds one."""


class OpenParts(QObject):
    """The parts that the user has left unfolded, also in earlier sessions.

    Args:
        kept: the names that an earlier session kept; None: none were, and names that are unknown are ignored.
        keep: keeps the names of the unfolded parts.
        parent: of the object.

    Attributes:
        now: the unfolded parts.

    Signals:
        changed(FormPart, bool): a part was unfolded, or folded.
    """

    changed = Signal(object, bool)

    def __init__(
        self,
        kept: Collection[str] | None = None,
        keep: Callable[[Collection[str]], None] = lambda _: None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._keep = keep
        self.now = AT_FIRST if kept is None else frozenset(part for part in FormPart if part.value in kept)

    def turn(self, part: FormPart, is_open: bool) -> None:
        """Record that the user has unfolded or folded a part."""
        self.now = self.now | {part} if is_open else self.now - {part}
        self._keep([one.value for one in FormPart if one in self.now])
        self.changed.emit(part, is_open)
