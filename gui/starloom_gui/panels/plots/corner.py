"""The buttons of the plots, for the corner of their tab: Linked, Live, smaller, larger, fit, and the menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from typing_extensions import override

from starloom_gui.panels.output_buttons import ButtonRow, name_button
from starloom_gui.text.words import fill
from starloom_gui.theme.icons import Icon
from starloom_gui.theme.metrics import GAPS
from starloom_gui.viewmodel.keys import Scope, shown

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.panels.plots.pane import PlotsPane
    from starloom_gui.theme.appearance import Appearance


class PlotsCorner(ButtonRow):
    """The buttons of the Plots pane.

    Args:
        pane: what they act on.
        appearance: the colours.
        parent: the widget it lies in.
    """

    def __init__(self, pane: PlotsPane, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, (0, GAPS[1]), parent)
        self._pane = pane
        self.linked = self.add(Icon.LINKED, self._link, checkable=True, words=True)
        self.live = self.add(Icon.LIVE, self._go_live, checkable=True, words=True)
        self.smaller = self.add(Icon.ZOOM_OUT, lambda: pane.zoom(-1))
        self.larger = self.add(Icon.ZOOM_IN, lambda: pane.zoom(1))
        self.fit = self.add(Icon.FIT, pane.fit)
        self.more = self.add(Icon.MORE, self._open_menu)
        self.linked.setChecked(True)
        self._show_live()
        pane.linked_changed.connect(self.linked.setChecked)
        pane.following_changed.connect(self._show_live)
        pane.ended_changed.connect(self._name_live)
        self._say()

    def _link(self) -> None:
        self._pane.set_linked(self.linked.isChecked())

    def _go_live(self) -> None:
        """Live cannot be switched off here: moving the plots does that."""
        (self._pane.fit if self._pane.has_ended else self._pane.go_live)()
        self._show_live()

    def _show_live(self, *_: object) -> None:
        self.live.setChecked(self._pane.is_live)

    def _name_live(self, *_: object) -> None:
        if self._pane.has_ended:
            name_button(self.live, self.tr("Ended"), self.tr("The run has ended. Show all of it"))
        else:
            name_button(self.live, self.tr("Live"), _hint(self.tr("Follow the present"), "follow"))

    def _open_menu(self) -> None:
        self._pane.open_menu(self.more.mapToGlobal(QPoint(0, self.more.height())))

    @override
    def _say(self) -> None:
        name_button(self.linked, self.tr("Linked"), _hint(self.tr("Show the same time as the Timeline"), "link"))
        self._name_live()
        name_button(self.smaller, self.tr("Smaller"), _hint(self.tr("Show more time"), "longer"))
        name_button(self.larger, self.tr("Larger"), _hint(self.tr("Show less time"), "shorter"))
        name_button(self.fit, self.tr("Fit"), _hint(self.tr("Show the whole run"), "whole"))
        name_button(self.more, self.tr("Copy and export"), self.tr("Copy and export (Menu, Shift+F10)"))


def _hint(words: str, name: str) -> str:
    """A tooltip with the key that does the same."""
    return fill("%1 (%2)", words, shown(Scope.PLOTS, name))
