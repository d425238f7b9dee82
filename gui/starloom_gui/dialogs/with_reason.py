"""The dialog that gives a command with a reason, which events and reports show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from starloom_gui.gateway.verbs import OF_DEVICES, OF_TASKS
from starloom_gui.specs.action_list import word_of
from starloom_gui.specs.action_spec import Verb
from starloom_gui.text.words import fill, plain
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.editor import FieldSpec, ValueType
from starloom_gui.widgets.form import Form

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.specs.action_spec import ActionSpec, Target
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.actions import Actions

_ACT, _REASON = "act", "reason"


class ReasonDialog(Dialog):
    """Asks for an action on the selection, and its reason; to be shown with `open()`.

    Attributes:
        form: the fields `act` and `reason`.

    Args:
        appearance: the colours.
        actions: what can be done; it is asked for there.
        target: what is selected.
        named: what the selected tasks are called.
        parent: the window it stands over.
    """

    def __init__(
        self, appearance: Appearance, actions: Actions, target: Target, named: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance, "", "", parent=parent)
        self._actions, self._target, self._named = actions, target, named
        self._entries = {entry.key: entry for entry in actions.reasoned()}
        self.retitle(self.tr("Do with a reason"), self.tr("Do it"))
        acts = tuple((key, self._words(entry)) for key, entry in self._entries.items())
        fields = (
            FieldSpec(name=_ACT, label=self.tr("What"), sort=ValueType.CHOICE, choices=acts, is_long=True),
            FieldSpec(
                name=_REASON,
                label=self.tr("Reason"),
                help=self.tr("Events and reports tell it."),
                required=True,
                is_long=True,
            ),
        )
        self.form = Form(fields, lambda: self.appearance.palette)
        self.form.edited.connect(self._look)
        self.body.addWidget(self.form)
        self.apply_theme(appearance.palette)
        self.form.editor(_REASON if len(acts) == 1 else _ACT).setFocus()
        self._look()

    def _words(self, entry: ActionSpec) -> str:
        what = fill("%1, %2", word_of(entry.verb), entry.text()) if entry.verb is Verb.PRIORITISE else entry.text()
        about = self._named if entry.verb in OF_TASKS else self._target.device_id if entry.verb in OF_DEVICES else ""
        return fill(self.tr("%1: %2"), what, plain(about, 60)) if about else what

    def _look(self) -> None:
        self.allow(self.form.missing())

    @override
    def do(self) -> None:
        values = self.form.values()
        if values is not None:
            self._actions.do(self._entries[values[_ACT]], self._target, reason=values[_REASON])
            self.accept()
