"""The dialog that adds or changes a device: its kind, the options of that kind, and a test of the connection."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtGui import QGuiApplication
from typing_extensions import override

from starloom.devices.kinds import make_device
from starloom.errors import DeviceError
from starloom_gui.dialogs.changed_key import ChangedKeyDialog
from starloom_gui.dialogs.connection import ConnectionResult, ConnectionTest
from starloom_gui.dialogs.device_forms import COMMON, DeviceForm, device_forms, taken
from starloom_gui.dialogs.host_key import changed_key, trust_key, unknown_key
from starloom_gui.dialogs.kind_forms import KindForms
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import button
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.editor import FieldError
from starloom_gui.widgets.field_error import ErrorRemedy
from starloom_gui.widgets.form import first_named
from starloom_gui.widgets.typed_guard import TypedGuard

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from PySide6.QtWidgets import QWidget

    from starloom.devices.base import Device
    from starloom.devices.ssh.errors import HostKeyChanged, HostKeyUnknown
    from starloom.model.device import DeviceSpec
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.form import Form

WIDTH: Final = 520


class AddDeviceDialog(Dialog):
    """Asks for a device and adds it, or changes one; to be shown with `open()`.

    Attributes:
        kinds: the forms of the kinds on offer.
        test: the button that tries to reach the device.
        connection: the try itself.

    Args:
        appearance: the colours.
        add: puts a device into the fleet, as `Commands.add_device`, or there in the place of the one that is changed.
        known: gives the names of the devices there are.
        forms: of the kinds on offer; None: of all that are installed.
        connection: tries to reach a device; None: an own one.
        group: gives what the group of a name was made from, if there is one; an equal one may be added again.
        wanted: the values that a task needs, by the names of fields; empty ones: any will do.
        simulates: gives how many real tasks a device could only simulate as soon as it is added.
        changed: the device that is changed; its kind and its name stay. None: one is added.
        barred: gives why that cannot be changed now; empty: it can.
        parent: the window it stands over.
    """

    def __init__(
        self,
        appearance: Appearance,
        add: Callable[[Device], object],
        known: Callable[[], Collection[str]],
        *,
        forms: Sequence[DeviceForm] | None = None,
        connection: ConnectionTest | None = None,
        group: Callable[[str], DeviceSpec | None] = lambda _: None,
        wanted: Mapping[str, Any] = MappingProxyType({}),
        simulates: Callable[[Device], int] = lambda _: 0,
        changed: DeviceSpec | None = None,
        barred: Callable[[], str] = str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, "", "", width=WIDTH, parent=parent)
        self._add, self._known, self._group, self._simulates = add, known, group, simulates
        self._changed, self._barred = changed, barred
        kinds = device_forms() if forms is None else forms
        kinds = kinds if changed is None else [one for one in kinds if one.kind == changed.kind]
        self.kinds = KindForms(kinds, lambda: appearance.palette, self)
        self.connection = connection or ConnectionTest(parent=self)
        self.test = button("")
        self.typed = TypedGuard(self, lambda: self.kinds.is_changed)
        self._furnish()
        self.connection.ended.connect(self._tried)
        self.finished.connect(self.connection.cancel)
        self.apply_theme(appearance.palette)
        self._turn(self.kinds.form)
        if changed is not None:
            self._show_changed(changed)
        elif "id" in self.kinds.form.names and any(wanted.values()):
            self.kinds.form.fill({name: value for name, value in wanted.items() if value})
            self._look()

    def _show_changed(self, spec: DeviceSpec) -> None:
        form, name = self.kinds.form, self.kinds.form.editor("id")
        form.fill(self.kinds.chosen.values(spec))
        name.setEnabled(False)
        name.setToolTip(self.tr("Its name stays: tasks and limits name it."))
        if any(getattr(spec, one.name, one.default) != one.default for one in self.kinds.chosen.fields if one.is_rare):
            form.show_more()
        self._look()

    def _furnish(self) -> None:
        self.retitle(self.tr("Add device"), self.tr("Add device"))
        if self._changed is not None:
            self.retitle(fill(self.tr("Change %1"), self._changed.id), self.tr("Change"))
        self.test.setText(self.tr("Test connection"))
        self.test.clicked.connect(self.try_it)
        self.aside.addWidget(self.test)
        row = self.kinds.row(self.tr("Kind of device"), lambda one: one.trouble or one.label)
        row.setVisible(self._changed is None)
        self.body.addWidget(row)
        self.body.addSpacing(GAPS[1])
        self.body.addLayout(self.kinds.pages())
        self.kinds.turned.connect(self._turn)
        self.kinds.edited.connect(self._look)

    def _turn(self, before: Form) -> None:
        """Fill the form of another kind with the values that both kinds have in common."""
        values, form = before.values() or {}, self.kinds.form
        if "id" in form.names:
            form.fill({name: values[name] for name in ("id", "capabilities") if values.get(name)})
            form.editor("id").setFocus()
        self._look()

    def _look(self) -> None:
        """Discard the result of a connection test, as the values have changed."""
        self.typed.go_on()
        self.connection.cancel()
        self._show_trying()
        trouble = self.kinds.chosen.trouble
        missing = trouble or self.kinds.form.missing()
        self.test.setEnabled(not missing)
        self.test.setToolTip(missing)
        self.allow(missing)

    # ---- doing

    @override
    def do(self) -> None:
        device = self._made()
        if device is None:
            return
        if barred := self._barred():  # it is in use by now
            self.kinds.form.explain("id", self._not_done(barred))
        elif count := self._simulates(device):
            words = self.tr(
                "%n task(s) of runs that go on could be given to it now, and would count as done without having run.",
                "",
                count,
            )
            remedy = ErrorRemedy(self.tr("Add it all the same"), partial(self._add_made, device))
            self.kinds.form.explain("id", self._not_done(words), remedies=(remedy,))
        else:
            self._add_made(device)

    def _add_made(self, device: Device) -> None:
        self._add(device)
        self.accept()

    def try_it(self) -> None:
        """Test whether the device can be reached; while a test runs, cancel it."""
        if self.connection.is_trying:
            self._look()
            return
        device = self._made()
        if device is not None:
            self.connection.start(device)
            self._show_trying()
            self.note(self.tr("Connecting…"))

    def _made(self) -> Device | None:
        """The device of the form; None: some values are invalid, and have their errors under them."""
        form, described = self.kinds.form, self.kinds.chosen
        form.clear()
        values = form.values()
        if values is None:
            return None
        if self._changed is None and values["id"] in self._known():
            form.explain("id", taken(values["id"]))
            return None
        try:
            spec = described.spec(values, self._changed)
            if self._changed is None and self._group(spec.id) not in (None, spec):
                form.explain("id", taken(spec.id))
                return None
            return make_device(spec)
        except FieldError as error:
            form.explain(error.name, self._not_done(str(error)))
        except DeviceError as error:
            options = [name for name in form.names if name not in COMMON]
            form.explain(first_named(str(error), options) or "id", self._not_done(why_not(error)))
        return None

    def _not_done(self, words: str) -> str:
        nothing = self.tr("%1 Nothing was added.") if self._changed is None else self.tr("%1 Nothing was changed.")
        return fill(nothing, words)

    def _tried(self, tried: ConnectionResult) -> None:
        self._show_trying()
        self.note(tried.words if tried.ok else "")
        if tried.ok:
            return
        place, key = self.kinds.chosen.place, unknown_key(tried.error)
        if (changed := changed_key(tried.error)) is not None:
            self._explain_changed(place, changed)
            return
        if key is None:
            self.kinds.form.explain(place, tried.words)
            return
        words = fill(self.tr("The host key of %1 is not in known_hosts. Nothing was sent."), key.host)
        remedies = (
            ErrorRemedy(self.tr("Trust this key"), lambda: self._trust(key)),
            ErrorRemedy(self.tr("Copy text"), lambda: QGuiApplication.clipboard().setText(str(key))),
        )
        self.kinds.form.explain(place, words, f"{key.algorithm}\n{key.fingerprint}", remedies)
        self.allow(self.tr("Trust the key to go on"))

    def _explain_changed(self, place: str, key: HostKeyChanged) -> None:
        words = self.tr("%1 shows another host key than the one that is trusted. Nothing was sent to it.")
        remedies = (
            ErrorRemedy(self.tr("Compare and replace…"), lambda: self._compare(key)),
            ErrorRemedy(self.tr("Copy text"), lambda: QGuiApplication.clipboard().setText(str(key))),
        )
        self.kinds.form.explain(place, fill(words, key.host), f"{key.algorithm}\n{key.fingerprint}", remedies)
        self.allow(self.tr("Compare the host key to go on"))

    def _compare(self, key: HostKeyChanged) -> None:
        ChangedKeyDialog(self.appearance, key, self._go_on, self).open()

    def _trust(self, key: HostKeyUnknown) -> None:
        """Store a host key that the user has confirmed, and test the connection again."""
        try:
            trust_key(key)
        except DeviceError as error:
            self.kinds.form.explain(self.kinds.chosen.place, fill(self.tr("%1 Nothing was noted."), why_not(error)))
            return
        self._go_on()

    def _go_on(self) -> None:
        """Test the connection again, as a host key is trusted now."""
        self._look()
        self.default.setFocus()  # it does what Enter does; else Qt goes on from the button that is gone to Cancel
        self.try_it()

    def _show_trying(self) -> None:
        trying = self.connection.is_trying
        self.test.setText(self.tr("Stop testing") if trying else self.tr("Test connection"))

    @override
    def apply_theme(self, palette: Palette) -> None:
        super().apply_theme(palette)
        self.kinds.apply_theme(palette)
