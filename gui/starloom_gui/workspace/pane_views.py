"""The views of a document by pane, each made when its pane is first seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from PySide6.QtWidgets import QWidget

    from starloom_gui.gateway.changes import Changes


@dataclass(frozen=True, slots=True)
class View:
    """A view of a document.

    Attributes:
        widget: itself.
        on_changes: tells it what has changed.
        wanted: the runs, with the fleet, whose changes it is told; none: all of them.
        corner: what stands at the right of its pane's tab.
        has_others: whether it shows other runs, too, as they are now, also while the past of the document's is shown.
    """

    widget: Any
    on_changes: Callable[[Changes], None]
    wanted: tuple[str, ...] = ()
    corner: QWidget | None = None
    has_others: bool = False


class PaneViews:
    """The views of a document, made when they are first asked for: of many documents few panes are ever looked at.

    Args:
        makers: makes the view of each pane.
    """

    def __init__(self, makers: Mapping[str, Callable[[], View]]) -> None:
        self._makers = makers
        self._made: dict[str, View] = {}
        self._then: dict[str, list[Callable[[View], object]]] = {key: [] for key in makers}

    def __getitem__(self, key: str) -> View:
        """The view of a pane.

        Raises:
            KeyError: there is no such pane.
        """
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._makers[key]()
            for then in self._then.pop(key):
                then(made)
        return made

    @property
    def keys(self) -> Collection[str]:
        """The panes."""
        return self._makers.keys()

    @property
    def made(self) -> Mapping[str, View]:
        """The views there are, by pane."""
        return self._made

    def when_made(self, keys: Iterable[str], then: Callable[[View], object]) -> None:
        """Do something with the views of these panes: at once with those there are, else as soon as they are made."""
        for key in keys:
            if key in self._made:
                then(self._made[key])
            else:
                self._then[key].append(then)

    def is_visible(self, key: str) -> bool:
        """Whether the view of a pane can be seen."""
        return key in self._made and self._made[key].widget.isVisible()

    def has_keyboard(self, key: str) -> bool:
        """Whether the keyboard is in the view of a pane."""
        keyboard = QApplication.focusWidget()
        return keyboard is not None and key in self._made and self._made[key].widget.isAncestorOf(keyboard)
