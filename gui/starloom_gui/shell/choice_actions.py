"""The actions on runs, tasks and devices that ask for a number, a device or a reason before the command is sent."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect, Qt
from shiboken6 import isValid

from starloom.scheduling.commands import RemoveDevice, TryDeviceAgain
from starloom.scheduling.read.pretence import count_takeable
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.read.tasks_to_do import left_to_start
from starloom_gui.canvas.menu_target import tasks_title
from starloom_gui.dialogs.add_device import AddDeviceDialog
from starloom_gui.dialogs.changed_key import ChangedKeyDialog
from starloom_gui.dialogs.host_key import changed_key
from starloom_gui.dialogs.pin import PinDialog
from starloom_gui.dialogs.plan_properties.dialog import PlanPropertiesDialog
from starloom_gui.dialogs.set_number import SlotsDialog
from starloom_gui.dialogs.with_reason import ReasonDialog
from starloom_gui.documents.document import RunTab
from starloom_gui.editing.base import Mode
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.gateway.changes import FLEET
from starloom_gui.panels.limit_popover import LimitPopover
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill
from starloom_gui.viewmodel.selection import there

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.devices.base import Device
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.gateway.commands import Commands, Done
    from starloom_gui.shell.fleet_file_actions import FleetFileActions
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.specs.action_spec import Target
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.actions import Actions
    from starloom_gui.workspace.open_views import OpenViews


class ChoiceActions(QObject):
    """Opens the dialogs and popups that ask, and says which of them are possible.

    Args:
        documents: what is open.
        views: of that.
        bridge: tells of runs and the fleet.
        commands: asks the engine.
        gateway: gives who answers for what is in front.
        actions: those of the window.
        target: gives what is selected.
        fleet: notes a device that the user adds, and changes one.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.

    Attributes:
        verbs: what is done, by the keys of the verbs.
    """

    def __init__(
        self,
        documents: OpenDocuments,
        views: OpenViews,
        bridge: Bridge,
        commands: Commands,
        gateway: Callable[[], CommandGateway],
        actions: Actions,
        target: Callable[[], Target],
        fleet: FleetFileActions,
        appearance: Appearance,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._documents, self._views, self._bridge, self._commands = documents, views, bridge, commands
        self._gateway, self._actions, self._target, self._fleet = gateway, actions, target, fleet
        self._appearance, self._window = appearance, window
        self._adding: dict[int, tuple[Device, RunEditor | None]] = {}
        """The devices that were asked for, by ticket, and the runs that were in front then."""
        bridge.feed(FLEET, parent=self).changed.connect(fleet.removed.on_changes)
        commands.done.connect(self._note_added)
        commands.refused.connect(lambda refusal: self._adding.pop(refusal.ticket, None))
        self.verbs: dict[str, Callable[[], object]] = {
            "limit": self._limit,
            "pin": self._pin,
            "with_reason": self._ask_reason,
            "set_slots": lambda: self.set_slots(target().device_id),
            "add_device": self.add_device,
            "change_device": lambda: self.change_device(target().device_id),
            "plan_properties": self._plan_properties,
        }
        actions.disable_while("unpin", self._why_not_unpin)

    def allow(self) -> None:
        """Update which actions are possible; in the past none is."""
        actions, view, target = self._actions, self._views.front, self._target()
        past = view.source.barred if view is not None else None
        chosen = Verdict(True) if target.task_ids else Verdict(False, self.tr("No task is selected."))
        actions.allow("pin", past or chosen)
        possible = Verdict(bool(actions.reasoned()), self.tr("Nothing that keeps a reason can be done now."))
        actions.allow("with_reason", past or possible)
        device = Verdict(True) if target.device_id else Verdict(False, self.tr("No device is selected."))
        actions.allow("set_slots", past or device)
        actions.allow("change_device", past or (self._can_change(target.device_id) if device.ok else device))
        is_plan = self._plan_editor() is not None
        actions.allow("plan_properties", Verdict(is_plan, "" if is_plan else self.tr("No plan is in front.")))
        for key in ("limit", "add_device"):
            actions.allow(key, past or self._commands.barred() or Verdict(True))

    def _why_not_unpin(self) -> str:
        """The reason why nothing is to be unpinned; in a run what a plan has said of a device stays, in Live mode."""
        run, view = self._shown(), self._views.front
        if run is None or view is None:
            return ""
        editor, tasks = view.source.editor, run.tasks(there(run, view.selection.now.numbers))
        is_live = isinstance(editor, RunEditor) and editor.mode is Mode.LIVE
        is_any_pinned = any((task.steered_to if is_live else task.pin) is not None for task in tasks)
        return "" if is_any_pinned else self.tr("No selected task is pinned to a device.")

    def _shown(self) -> RunView | None:
        view = self._views.front
        return view.reader.view() if view is not None else None

    def _run(self) -> RunView | None:
        return self._shown() if isinstance(self._documents.front, RunTab) else None

    def _plan_editor(self) -> PlanEditor | None:
        view = self._views.front
        editor = view.source.editor if view is not None else None
        return editor if isinstance(editor, PlanEditor) else None

    def _plan_properties(self) -> None:
        editor = self._plan_editor()
        if editor is not None:
            PlanPropertiesDialog(self._appearance, editor, self._window).open()

    def _limit(self) -> None:
        """Open the limits of this run and of all runs, below the button that shows them."""
        button = self._window.tool_bar.limit
        popover = LimitPopover(self._appearance, lambda: self._bridge.fleet, self._run, self._gateway(), self._window)
        popover.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        feed = self._bridge.feed(parent=self)
        feed.changed.connect(popover.on_changes)
        self._commands.refused.connect(popover.refuse)
        popover.closed.connect(feed.close)
        popover.closed.connect(feed.deleteLater)
        place = button if button.isVisible() else self._window.tool_bar
        popover.popup(QRect(place.mapToGlobal(QPoint()), place.size()))

    def _pin(self) -> None:
        run, view = self._shown(), self._views.front
        if run is not None and view is not None and view.selection.now.numbers:
            numbers, fleet = view.selection.now.numbers, self._bridge.fleet
            PinDialog(self._appearance, run, numbers, fleet, self._gateway(), self._bridge.feed(), self._window).open()

    def _ask_reason(self) -> None:
        view = self._views.front
        self._actions.refresh(thoroughly=True)
        named = tasks_title(view.reader.facts(), view.selection.now.numbers) if view is not None else ""
        if self._actions.reasoned():
            ReasonDialog(self._appearance, self._actions, self._target(), named, self._window).open()

    def set_slots(self, device_id: str) -> None:
        """Ask for the number of slots of a device."""
        if device_id in self._bridge.fleet.devices:
            device, feed = lambda: self._bridge.fleet.devices.get(device_id), self._bridge.feed()
            SlotsDialog(self._appearance, device, self._gateway(), feed, self._window).open()

    def compare_key(self, device_id: str) -> None:
        """Show the host key of a device that has changed; one that is trusted then is connected at once."""
        key = changed_key(self._bridge.refusal(device_id))
        if key is not None:
            again = partial(self._gateway().do, TryDeviceAgain(device_id=device_id))
            ChangedKeyDialog(self._appearance, key, again, self._window).open()

    def _add(self, device: Device) -> int:
        """Add a device to the fleet; once that is done it is a step of the run in front, which undo does not pass."""
        editor = self._views.front.source.editor if self._views.front is not None else None
        ticket = self._commands.add_device(device)
        self._adding[ticket] = device, editor if isinstance(editor, RunEditor) else None
        return ticket

    def _note_added(self, done: Done) -> None:
        device, editor = self._adding.pop(done.ticket, (None, None))
        if device is not None:
            self._fleet.added(device)
        if device is not None and editor is not None and isValid(editor):
            label = fill(self.tr("Add device: %1"), device.id)
            editor.note_lasting(label, self.tr("tasks may have started there; remove the device instead"))

    def change_device(self, device_id: str) -> None:
        """Ask for the options of a device anew, and change it; of a member of a group, those of the group."""
        spec = self._fleet.changes.spec_of(device_id)
        if spec is None:
            self._fleet.changes.tell_unknown(device_id)
            return
        AddDeviceDialog(
            self._appearance,
            lambda device: self._fleet.changes.change(spec, device.spec or spec),
            tuple,
            changed=spec,
            barred=partial(self._why_not_change, device_id),
            parent=self._window,
        ).open()

    def _can_change(self, device_id: str) -> Verdict:
        """Whether a device can be changed now: nothing may run on it, nor on the others of its group."""
        spec = self._fleet.changes.spec_of(device_id)
        if spec is None:
            return Verdict(False, *self._fleet.changes.unknown(device_id))
        verdicts = (self._commands.can(RemoveDevice(device_id=id)) for id in self._fleet.changes.ids_of(spec))
        return next((one for one in verdicts if not one.ok), Verdict(True))

    def _why_not_change(self, device_id: str) -> str:
        verdict = self._can_change(device_id)
        return "" if verdict.ok else f"{verdict.reason} {verdict.hint}".strip()

    def add_device(self, wanted: str = "", capabilities: frozenset[str] = frozenset()) -> None:
        """Ask for a device, of this name and with these capabilities if they are known, and add it to the fleet."""
        AddDeviceDialog(
            self._appearance,
            self._add,
            lambda: tuple(self._bridge.fleet.devices),
            group=self._fleet.changes.group,
            wanted={"id": wanted, "capabilities": capabilities},
            simulates=partial(_simulates, self._bridge),
            parent=self._window,
        ).open()


def _simulates(bridge: Bridge, device: Device) -> int:
    """The number of real tasks of runs that go on that a device could only simulate as soon as it is added.

    Runs of which such devices have taken tasks are left out: the user knows.
    """
    if device.kind != "simulated":
        return 0
    going = [run for run in bridge.all_runs() if not run.state.has_ended and not run.simulated]
    return sum(count_takeable(left_to_start(RunView(run)), device.id, device.capabilities) for run in going)
