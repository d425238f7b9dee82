"""The head of the inspector: the selection, its status, and the buttons of its verbs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout
from typing_extensions import override

from starloom_gui.gateway.verbs import verb_of
from starloom_gui.panels.sections import Section, StatusMark
from starloom_gui.specs.action_spec import Verb
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import CONTROL
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.widgets.click_guard import ClickGuard, is_pointed_at
from starloom_gui.widgets.controls import MARGIN, Elided, button, empty, mark
from starloom_gui.widgets.offers import Offered, menu_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QMenu

    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.offers import Offer

_GAP = 6
_ENDING: Final = {Verb.SKIP, Verb.CANCEL}


def _ends(one: Offered) -> bool:
    """Whether an action ends what a task does, or keeps it from being done."""
    return verb_of(one.offer.command) in _ENDING


class Head(Section):
    """The head of the inspector: name, status and buttons; a button for which there is no room is in the menu alone."""

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__(colours)
        self._buttons: list[QPushButton] = []
        self._in_menu: tuple[Offered, ...] = ()
        self._of_last = ""
        """The name of the selection whose actions are shown."""
        self.mark = StatusMark(CONTROL, colours)
        self.name = Elided(role=Role.TITLE)
        self.standing = Elided(role=Role.SMALL, look="muted", ends=True)
        self.hairline.hide()
        self.heading.hide()
        self.aside.hide()
        top = QHBoxLayout()
        top.setSpacing(10)
        lines = QVBoxLayout()
        lines.setSpacing(1)
        lines.addWidget(self.name)
        lines.addWidget(self.standing)
        top.addWidget(self.mark)
        top.addLayout(lines, 1)
        self._verbs = QHBoxLayout()
        self._verbs.setSpacing(_GAP)
        inner = self.rows
        inner.addLayout(top)
        inner.addSpacing(10)
        inner.addLayout(self._verbs)

    def show_head(self, form: StatusForm, name: str, standing: str) -> None:
        """Show the selection; the form `StatusForm.REMOVED`: it has no status."""
        self.mark.form = form
        self.mark.setVisible(form != StatusForm.REMOVED)
        self.mark.update()
        self.name.setText(name)
        self.standing.setText(standing)
        self.setAccessibleName(name)
        self.setAccessibleDescription(standing)

    def show_verbs(self, shown: Sequence[Offered], in_menu: Sequence[Offered]) -> None:
        """Show the first actions as buttons, and all of them in the menu.

        Those that end what a task does are on the right: where another state had a harmless one, none of them comes.
        """
        shown = sorted(shown, key=_ends)
        value = (self.colours().name, self.locale().name(), tuple(shown), tuple(in_menu))
        if value == self._shown:
            return
        self._shown, self._in_menu = value, tuple(in_menu)
        held = self._with_keys()
        pointed_at = next((one.text() for one in self._buttons if is_pointed_at(one)), None)
        before, self._of_last = self._of_last, self.name.text()
        known = {one.text() for one in self._buttons} if before == self._of_last else None
        empty(self._verbs)
        kept = sum(not _ends(one) for one in shown)
        self._buttons = [self._verb(one) for one in shown[:kept]]
        self._verbs.addStretch(1)
        self._buttons += [self._verb(one) for one in shown[kept:]]
        for one in self._buttons:
            is_new = known is not None and one.text() not in known
            if is_new or (pointed_at is not None and one.text() != pointed_at):
                ClickGuard(one)  # a hand may be on its way to what stood there before
        if in_menu:
            self._verbs.addWidget(self._more())
        self._fit()
        if held is not None:
            self._give_keys(held)

    def _with_keys(self) -> str | None:
        """The label of the button that has the keyboard; None: none of these has it."""
        places = (self._verbs.itemAt(place) for place in range(self._verbs.count()))
        widgets = (place.widget() for place in places if place is not None)
        return next((one.text() for one in widgets if isinstance(one, QPushButton) and one.hasFocus()), None)

    def _give_keys(self, label: str) -> None:
        """Restore the focus to the button of the same action, else to the menu."""
        last = self._verbs.itemAt(self._verbs.count() - 1)
        menu = last.widget() if last is not None and self._in_menu else None
        fit = (one for one in self._buttons if one.isEnabled() and not one.isHidden())
        wanted = next((one for one in fit if one.text() == label), menu)
        if wanted is not None:
            wanted.setFocus(Qt.FocusReason.OtherFocusReason)

    def _verb(self, one: Offered) -> QPushButton:
        made = self.action(one.offer.label, one, CONTROL)
        made.setIcon(icon(one.offer.icon, self.colours()))
        mark(made, "verb")
        self._verbs.addWidget(made)
        return made

    def _more(self) -> QPushButton:
        made = button("")
        made.setFixedWidth(CONTROL)
        mark(made, "verb")
        made.setIcon(icon(Icon.MORE, self.colours()))
        made.setIconSize(QSize(16, 16))
        made.setToolTip(self.tr("More verbs"))
        made.setAccessibleName(self.tr("More verbs"))
        made.clicked.connect(lambda: self.open_menu(made.mapToGlobal(QPoint(0, made.height()))))
        return made

    def open_menu(self, at: QPoint) -> QMenu:
        """Show all actions at a screen position."""
        shown = tuple(self._in_menu)  # the task may change while the menu is open: what is chosen is still asked for

        def choose(offer: Offer) -> None:
            self.chosen.emit(next(one for one in shown if one.offer is offer))

        menu = menu_of(self, shown, self.colours(), choose, self.tr("Verbs"))
        menu.popup(at)
        return menu

    def _fit(self) -> None:
        """Hide the last buttons that do not fit, as all actions are in the menu."""
        room = self.width() - 2 * MARGIN - CONTROL
        for one in self._buttons:
            one.ensurePolished()  # before that its hint knows nothing of the style sheet
            room -= _GAP + one.sizeHint().width()
            one.setVisible(room >= 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
