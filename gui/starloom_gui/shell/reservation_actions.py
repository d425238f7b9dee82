"""Reserves the run in front, the device that is selected or the fleet, and breaks reservations of others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject

from starloom.scheduling.reservation_commands import BreakReservation, ReservationCommand, Reserve
from starloom.scheduling.state.reservations import FLEET_TARGET
from starloom_gui.dialogs.reserve import BreakReservationDialog, ReserveDialog
from starloom_gui.editing.reservation_steps import target_of
from starloom_gui.gateway.verbs import command_for, missing_selection
from starloom_gui.shell.menus import context_menu
from starloom_gui.specs.action_list import ACTIONS, rows_of
from starloom_gui.specs.action_spec import Menu, Verb, Verdict
from starloom_gui.text.reservation_words import break_words, words_of
from starloom_gui.text.words import fill, straight

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPoint

    from starloom.scheduling.state.reservations import Reservation, ReservationTarget
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.gateway.commands import Commands, Refusal
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.specs.action_spec import Target
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.actions import Actions

_RESERVE: Final = (Verb.RESERVE_RUN, Verb.RESERVE_DEVICE, Verb.RESERVE_FLEET)
_BREAK: Final = (Verb.BREAK_RUN_RESERVATION, Verb.BREAK_DEVICE_RESERVATION, Verb.BREAK_FLEET_RESERVATION)


class Remedy(NamedTuple):
    """A way out of what a reservation forbids, as a button: `Break Ada's reservation…`.

    Attributes:
        label: what is read on it; empty: there is none.
        act: what it does.
    """

    label: str = ""
    act: Callable[[], None] | None = None


class ReservationActions(QObject):
    """Opens the dialogs of reservations, and says which of their actions are possible.

    Args:
        documents: what is open.
        bridge: tells of the fleet.
        commands: tell what was refused.
        gateway: gives who answers for what is in front.
        target: gives what is selected.
        actions: those of the window.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.

    Attributes:
        verbs: what is done, by the keys of the verbs.
    """

    def __init__(
        self,
        documents: OpenDocuments,
        bridge: Bridge,
        commands: Commands,
        gateway: Callable[[], CommandGateway],
        target: Callable[[], Target],
        actions: Actions,
        appearance: Appearance,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._documents, self._bridge, self._gateway, self._origin = documents, bridge, gateway, commands.origin
        self._target, self._actions, self._appearance, self._window = target, actions, appearance, window
        self._refused = "", FLEET_TARGET
        self.verbs: dict[str, Callable[[], object]] = {
            verb: partial(self._ask_verb, verb) for verb in (*_RESERVE, *_BREAK)
        }
        commands.refused.connect(self._note_refused)
        window.header.line.reservation_asked.connect(partial(self._show_menu, Menu.RUN_RESERVATION))
        key = window.status.reserved
        key.clicked.connect(lambda: self._show_menu(Menu.FLEET_RESERVATION, key.mapToGlobal(key.rect().topLeft())))

    # ---- what is possible

    def allow(self) -> None:
        """Update which actions are possible, and what they are called."""
        gateway, selected = self._gateway(), self._target()
        for verb in _RESERVE:
            made = self._made(target_of(self._command(verb, selected)))
            is_mine = made is not None and made.holder == self._origin
            self._call(verb, self.tr("Change my reservation…") if is_mine else ACTIONS[verb].text())
            self._actions.allow(verb, self._verdict(gateway, verb, selected))
        for verb in _BREAK:
            made = self._made(target_of(self._command(verb, selected)))
            is_mine = made is not None and made.holder == self._origin
            self._call(verb, break_words(made.holder) if made is not None and not is_mine else ACTIONS[verb].text())
            own = Verdict(False, self.tr("You have reserved it yourself."), self.tr("End your reservation instead."))
            self._actions.allow(verb, own if is_mine else self._verdict(gateway, verb, selected))

    def _verdict(self, gateway: CommandGateway, verb: Verb, selected: Target) -> Verdict:
        missing = missing_selection(verb, selected)
        return Verdict(False, missing) if missing else gateway.can(self._command(verb, selected))

    def _call(self, verb: Verb, text: str) -> None:
        if self._actions[verb].text() != text:  # each change is told to every menu
            self._actions.call(verb, text)

    def _command(self, verb: Verb, selected: Target) -> ReservationCommand:
        command = command_for(verb, selected)
        assert isinstance(command, ReservationCommand)
        return command

    def _made(self, target: ReservationTarget) -> Reservation | None:
        return self._bridge.fleet.reservations.get(target)

    # ---- asking

    def _ask_verb(self, verb: Verb) -> None:
        self.ask(self._command(verb, self._target()))

    def ask(self, command: ReservationCommand) -> None:
        """Open the dialog that asks what a command about a reservation lacks: its reason, and for how long."""
        target, look = target_of(command), self._appearance
        titles = {run.run_id: straight(run.title) for run in self._documents.runs}
        title, made = titles.get(target.run_id, ""), self._made(target)
        if isinstance(command, Reserve):
            own = made if made is not None and made.holder == self._origin else None
            ReserveDialog(look, target, title, own, self._gateway(), self._window).open()
        elif isinstance(command, BreakReservation) and made is not None:
            told = words_of(self._bridge.fleet, target, self._bridge.now(), self._origin)
            BreakReservationDialog(
                look, target, title, fill("%1.", told.rstrip(".")), made.holder, self._gateway(), self._window
            ).open()

    def _show_menu(self, which: Menu, at: QPoint) -> None:
        """Show what can be done about a reservation, at a screen position or above it, where the screen ends."""
        context_menu(self._actions, rows_of(which), self._window).popup(at)

    # ---- what was refused

    def _note_refused(self, refusal: Refusal) -> None:
        """Note a refusal by a reservation, so that a message with its reason offers the remedy."""
        if refusal.reserved is not None:
            self._refused = f"{refusal.reason} {refusal.hint}".strip(), refusal.reserved

    def remedy_of_refusal(self, why: str) -> Remedy:
        """The remedy for the refusal of a command, by its reason and remedy as the message has them."""
        reason, target = self._refused
        return self.remedy_for(target) if reason and reason == why else Remedy()

    def remedy_for(self, target: ReservationTarget | None) -> Remedy:
        """The remedy for what a reservation of somebody else forbids; None: it is no reservation that forbids it."""
        made = self._made(target) if target is not None else None
        if target is None or made is None:
            return Remedy()
        command = BreakReservation(**target._asdict(), reason="?")
        if not self._gateway().can(command).ok:
            return Remedy()
        return Remedy(break_words(made.holder), partial(self.ask, command))
