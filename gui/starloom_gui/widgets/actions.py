"""The actions of a window, used by toolbar, menus and context menus; a disabled action shows the reason."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction, QIcon, QKeySequence

from starloom_gui.gateway.command_gateway import judged, label_with_part
from starloom_gui.gateway.verbs import OF_TASKS, command_for, missing_selection, takes_reason
from starloom_gui.specs.action_list import ACTIONS
from starloom_gui.specs.action_spec import Target, Verb, Verdict
from starloom_gui.text.words import fill, tip, translate
from starloom_gui.theme.icons import icon
from starloom_gui.viewmodel.keys import Scope, sequences, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.commands import Command
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.specs.action_spec import ActionSpec
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

SETTLE_MS: Final = 50
"""What has changed within so many milliseconds is looked at once."""
MOST_ASKED: Final = 1_000
"""Tasks for which the engine is asked each time, some 3 ms for all verbs; for more only when a menu is opened."""
_TIP_WIDTH: Final = 96
"""Characters; a longer line of a tooltip would cover much of the window."""
RETRY_FAILED: Final = "retry_failed"


class Actions(QObject):
    """All actions of a window.

    Args:
        appearance: the colours of the icons.
        target: gives what is selected now.
        gateway: gives who answers for what is in front; None until `serve`.
        failed: gives the ids of the failed tasks of a run.
        parent: of the object and of its actions; a widget, so that shortcuts work in it.

    Signals:
        wanted(str): the key of an action that the window carries out, or for which something has to be chosen first.
        refreshed(): what is possible has been looked at anew.
    """

    wanted = Signal(str)
    refreshed = Signal()

    def __init__(
        self,
        appearance: Appearance,
        target: Callable[[], Target],
        gateway: Callable[[], CommandGateway] | None = None,
        failed: Callable[[str], tuple[str, ...]] = lambda _: (),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._target, self._gateway, self._failed = target, gateway, failed
        self._entries: dict[str, ActionSpec] = {}
        self._actions: dict[str, QAction] = {}
        self._possible: dict[str, Verdict] = {}
        self._first: dict[str, Callable[[Target, Callable[[], object]], None]] = {}
        self._needless: dict[str, Callable[[], str]] = {}
        self._shown: dict[str, tuple[ActionSpec, Verdict]] = {}
        self._palette = appearance.palette
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE_MS)
        self._timer.timeout.connect(lambda: self.refresh())
        for entry in ACTIONS.values():
            if entry.menus:
                self._add(entry)
        self.apply_theme(appearance.palette)
        self.refresh()
        appearance.changed.connect(self.apply_theme)

    def __getitem__(self, key: str) -> QAction:
        """The action of a key of `ACTIONS` that is in a menu.

        Raises:
            KeyError: there is no such action.
        """
        return self._actions[key]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all actions."""
        return tuple(self._actions)

    def serve(
        self,
        gateway: Callable[[], CommandGateway],
        target: Callable[[], Target],
        failed: Callable[[str], tuple[str, ...]],
    ) -> None:
        """Connect the actions to an engine.

        Args:
            gateway: gives the gateway of the tab in front.
            target: gives the current selection.
            failed: gives the ids of the failed tasks of a run.
        """
        self._gateway, self._target, self._failed = gateway, target, failed
        self.refresh()

    # ---- how they look

    def apply_theme(self, palette: Palette) -> None:
        """Redraw the icons in the colours of a palette."""
        self._palette = palette
        for key, entry in self._entries.items():
            self._actions[key].setIcon(icon(entry.icon, palette) if entry.icon is not None else QIcon())

    def rename(self) -> None:
        """Translate all texts into the current language."""
        self._shown.clear()
        for key, action in self._actions.items():
            self._entries[key] = ACTIONS[key]
            action.setText(_label(key, ACTIONS[key].text()))
            action.setData(ACTIONS[key].also())
        self.refresh()

    # ---- what is possible

    def allow(self, key: str, verdict: Verdict) -> None:
        """Enable or disable an action of the window itself.

        Args:
            key: of the action.
            verdict: whether it is possible, and if not, why.

        Raises:
            KeyError: there is no such action.
        """
        self._possible[self._entries[key].key] = verdict
        self._show(self._entries[key], verdict)

    def call(self, key: str, text: str) -> None:
        """Rename an action whose effect has changed.

        Args:
            key: of the action.
            text: its new text.

        Raises:
            KeyError: there is no such action.
        """
        self._entries[key] = replace(self._entries[key], text=lambda: text)
        self._actions[key].setText(_label(key, text))

    def verdict(self, key: str) -> Verdict:
        """The verdict on an action at present.

        Raises:
            KeyError: there is no such action.
        """
        return self._verdict(self._entries[key], self._target(), thoroughly=True)

    def _verdict(self, entry: ActionSpec, selected: Target, *, thoroughly: bool) -> Verdict:
        if entry.verb is None:
            return self._possible.get(entry.key, Verdict(True))
        if self._gateway is None:
            return Verdict(False, translate("Actions", "There is no run."))
        target = self._target_of(entry, selected)
        if entry.key == RETRY_FAILED and target.run_id and not target.task_ids:
            return Verdict(False, translate("Actions", "No task has failed."))
        unselected = missing_selection(entry.verb, target)
        if unselected:
            return Verdict(False, unselected)
        if len(target.task_ids) > MOST_ASKED and entry.verb in OF_TASKS and not thoroughly:
            return Verdict(True)
        gateway = self._gateway()
        _, verdict = judged(gateway, _command(gateway, entry.verb, target, **entry.given))
        needless = self._needless[entry.key]() if verdict.ok and entry.key in self._needless else ""
        return Verdict(False, needless) if needless else verdict

    def ask_refresh(self, *_: object) -> None:
        """Schedule a refresh; to be connected to the selection and to a feed."""
        if not self._timer.isActive():
            self._timer.start()

    def refresh(self, *, thoroughly: bool = False) -> None:
        """Update all actions now; with more than `MOST_ASKED` tasks the engine is asked only if `thoroughly`."""
        self._timer.stop()
        selected = self._target()
        for entry in self._entries.values():
            self._show(entry, self._verdict(entry, selected, thoroughly=thoroughly))
        self.refreshed.emit()

    def _show(self, entry: ActionSpec, verdict: Verdict) -> None:
        known = self._shown.get(entry.key)
        if known is not None and known[0] is entry and known[1] == verdict:  # each change is told to every menu
            return
        self._shown[entry.key] = entry, verdict
        action = self._actions[entry.key]
        said = (
            _sentences(entry.tip(), verdict.caution)
            if verdict.ok
            else " ".join(part for part in (verdict.reason, verdict.hint) if part)
        )
        shortcut = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        text = label_with_part(entry.text(), verdict)
        title = fill(translate("Actions", "%1 (%2)"), text, shortcut) if shortcut else text
        action.setText(_label(entry.key, text))
        action.setEnabled(verdict.ok)
        action.setToolTip(tip("\n".join([title, *wrap(said, _TIP_WIDTH)])))
        action.setStatusTip(said)

    def reasoned(self) -> list[ActionSpec]:
        """The enabled actions that accept a reason."""
        return [
            entry
            for key, entry in self._entries.items()
            if entry.verb is not None and takes_reason(entry.verb) and self._actions[key].isEnabled()
        ]

    # ---- doing it

    def _add(self, entry: ActionSpec) -> None:
        action = QAction(_label(entry.key, entry.text()), self)
        action.setObjectName(entry.key)
        action.setCheckable(entry.checkable)
        action.setData(entry.also())
        action.setShortcuts(sequences(Scope.WINDOW, entry.key))
        action.triggered.connect(lambda _=False, key=entry.key: self._do(key))
        self._entries[entry.key], self._actions[entry.key] = entry, action

    def _do(self, key: str) -> None:
        entry = self._entries[key]
        if entry.verb is None:
            self.wanted.emit(key)
        else:
            self.do(entry, self._target())

    def do(self, entry: ActionSpec, selected: Target, **given: Any) -> None:
        """Send the command of an action of the engine.

        Args:
            entry: the action.
            selected: the selection to act on.
            given: further fields of the command.
        """
        if entry.verb is not None and self._gateway is not None:
            gateway, target, first = self._gateway(), self._target_of(entry, selected), self._first.get(entry.key)
            command = _command(gateway, entry.verb, target, **entry.given, **given)
            act = partial(gateway.do, gateway.possible_part(command))
            if first is not None:
                first(target, act)
            else:
                act()
            self.ask_refresh()

    def ask_first(self, key: str, ask: Callable[[Target, Callable[[], object]], None]) -> None:
        """Register a function that asks the user before an action of the engine is carried out.

        Args:
            key: of the action.
            ask: is given what the action is about, and what carries it out.
        """
        self._first[key] = ask

    def disable_while(self, key: str, needless: Callable[[], str]) -> None:
        """Register a function that says why an action of the engine would change nothing.

        Args:
            key: of the action.
            needless: gives the reason, as a sentence; empty: it would change something.
        """
        self._needless[key] = needless

    def _target_of(self, entry: ActionSpec, selected: Target) -> Target:
        if entry.key != RETRY_FAILED:
            return selected
        return Target(selected.run_id, self._failed(selected.run_id), selected.device_id)


def _label(key: str, text: str) -> str:
    """The label of an action in menus, with its keys if these are shortcuts of the canvas only."""
    keys = "" if sequences(Scope.WINDOW, key) else shown(Scope.GRAPH, key)
    return fill("%1\t%2", text, keys) if keys else text


def _sentences(does: str, caution: str) -> str:
    """What an action does and what is to be known before; the former alone ends without a full stop, as in menus."""
    return fill("%1. %2", does, caution) if caution else does


def _command(gateway: CommandGateway, verb: Verb, target: Target, **given: Any) -> Command:
    """The command of a verb at present; a step takes the one selected task if that can start, else the next."""
    if verb is Verb.STEP and len(target.task_ids) == 1:
        step = command_for(verb, target, task_id=target.task_ids[0])
        if gateway.can(step).ok:
            return step
    return command_for(verb, target, **given)
