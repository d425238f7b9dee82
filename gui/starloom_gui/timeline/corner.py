"""The timeline's buttons, for the corner of its tabs: Compare, Live, smaller, larger, fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import RADIUS
from starloom_gui.viewmodel.keys import Scope, shown
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.timeline.view import TimelineView

_ICON = 16
_HEIGHT = 20


class TimelineCorner(QWidget):
    """The buttons of the Timeline; Live is pressed while the present is followed.

    Signals:
        compare_toggled(): the user wants to compare the run with an earlier one, or to stop that.

    Args:
        view: what they act on.
        appearance: the colours.
        parent: the widget it lies in.
    """

    compare_toggled = Signal()

    def __init__(self, view: TimelineView, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(4)
        self._icons: list[tuple[QToolButton, Icon]] = []
        self.compare = self._button(Icon.COMPARE, self.tr("Compare"), "", self._compare)
        self.compare.setCheckable(True)
        self.show_compared(on=False)
        view.compared.connect(lambda on: self.show_compared(on=on))
        self.live = self._button(Icon.LIVE, self.tr("Live"), "", self._toggle)
        self.show_ended(ended=view.model.run.state.has_ended)
        view.ended_changed.connect(lambda ended: self.show_ended(ended=ended))
        self.live.setCheckable(True)
        self._show_live()
        self._button(Icon.ZOOM_OUT, self.tr("Smaller"), self._hint(self.tr("Show more time"), "longer"), view.zoom_out)
        self._button(Icon.ZOOM_IN, self.tr("Larger"), self._hint(self.tr("Show less time"), "shorter"), view.zoom_in)
        self._button(Icon.FIT, self.tr("Fit"), self._hint(self.tr("Show the whole run"), "whole"), view.fit)
        view.following_changed.connect(self._show_live)
        view.movement.present_changed.connect(self._show_present)
        Restyling(self, appearance, self._apply_theme)

    def show_compared(self, *, on: bool) -> None:
        """Set whether an earlier run is shown."""
        self.compare.setChecked(on)
        tip = self.tr("Stop comparing") if on else self.tr("Compare with an earlier run (Ctrl+Shift+D)")
        self.compare.setToolTip(tip)

    def _compare(self) -> None:
        self.compare.setChecked(not self.compare.isChecked())  # until there is a run to compare with it is not so
        self.compare_toggled.emit()

    def show_ended(self, *, ended: bool) -> None:
        """Set whether there is a present to follow."""
        self._has_ended = ended
        self.live.setText(self.tr("Ended") if ended else self.tr("Live"))
        self.live.setAccessibleName(self.live.text())
        hint = self._hint(self.tr("Follow the present"), "follow")
        self.live.setToolTip(self.tr("The run has ended. Show all of it") if ended else hint)
        self._show_begun()

    def _show_begun(self) -> None:
        """Before the run has begun the button is disabled, and does not say that anything is live."""
        begun = self._view.model.run.run_started_at is not None
        style = Qt.ToolButtonStyle
        self.live.setEnabled(begun)
        self.live.setToolButtonStyle(style.ToolButtonTextBesideIcon if begun else style.ToolButtonIconOnly)
        if not begun:
            self.live.setToolTip(self.tr("Nothing has run yet. Once it has started, the present can be followed here."))

    def _hint(self, words: str, name: str) -> str:
        """The tooltip of a button, with its key."""
        return fill(self.tr("%1 (%2)"), words, shown(Scope.TIMELINE, name))

    def _toggle(self) -> None:
        """Live cannot be switched off here: moving the timeline does that."""
        (self._view.fit if self._has_ended else self._view.go_live)()
        self._show_live()

    def _show_present(self, *_: object) -> None:
        self.show_ended(ended=self._has_ended)
        self._show_live()

    def _show_live(self, *_: object) -> None:
        self.live.setChecked(self._view.movement.is_following and self._view.movement.has_present)

    def _button(self, verb: Icon, name: str, hint: str, act: Callable[[], None]) -> QToolButton:
        button = QToolButton(self)
        button.setText(name)
        button.setToolTip(hint)
        button.setAccessibleName(name)
        button.setFont(font(Role.SMALL))
        button.setIconSize(QSize(_ICON, _ICON))
        button.setFixedHeight(_HEIGHT)
        button.setAutoRaise(True)
        button.clicked.connect(act)
        self.layout().addWidget(button)  # type: ignore[union-attr]
        self._icons.append((button, verb))
        return button

    def _apply_theme(self, palette: Palette) -> None:
        for button, verb in self._icons:
            button.setIcon(icon(verb, palette))
        self.setStyleSheet(
            f"QToolButton {{ border: 1px solid transparent; border-radius: {RADIUS}px; color: {palette.text};"
            " padding: 0 3px; }"
            f"QToolButton:hover {{ background: {palette.raised}; }}"
            f"QToolButton:checked {{ background: {palette.selected}; border-color: {palette.outline}; }}"
            f"QToolButton:focus {{ border: 1px dashed {palette.text}; }}"
        )
