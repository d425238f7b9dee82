"""The dialog of a plan's properties: all it holds besides its tasks, in sections; OK is one step of undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtWidgets import QAbstractItemView, QApplication, QButtonGroup, QLineEdit, QStackedWidget, QWidget
from typing_extensions import override

from starloom_gui.dialogs.plan_properties.list_section import ListSection
from starloom_gui.dialogs.plan_properties.lists import agents_field, devices_field, notes_field, rules_field
from starloom_gui.dialogs.plan_properties.raw_form import RawForm, fault_of, keys_of, scrolled
from starloom_gui.dialogs.plan_properties.sections import defaults_fields, general_fields, running_fields
from starloom_gui.dialogs.plan_properties.shorthands import collapsed, expanded
from starloom_gui.documents.change import change_of_properties
from starloom_gui.documents.properties import problems_of, properties_of, read_properties
from starloom_gui.text.words import fill
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.choice_row import choice_row
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.typed_guard import TypedGuard

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.editing.plan_editor import PlanEditor
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

WIDTH: Final = 760
HIGH: Final = 396
"""Pixels of the fields; more is scrolled to."""


class PlanPropertiesDialog(Dialog):
    """Edits the properties of a plan; to be shown with `open()`.

    Attributes:
        sections: the forms, by the name of their section.
        buttons: those that turn to a section, each under its place.

    Args:
        appearance: the colours.
        editor: of the plan.
        parent: the window it stands over.
    """

    def __init__(self, appearance: Appearance, editor: PlanEditor, parent: QWidget | None = None) -> None:
        super().__init__(appearance, "", "", width=WIDTH, parent=parent)
        self._editor = editor
        self.retitle(self.tr("Plan properties"), self.tr("OK"))
        self._said, self._wrong = properties_of(editor.plan), ""
        self._names = {
            "general": self.tr("General"),
            "running": self.tr("Execution"),
            "defaults": self.tr("Defaults"),
            "devices": self.tr("Devices"),
            "rules": self.tr("Rules"),
            "agents": self.tr("Agents"),
            "notes": self.tr("Notes"),
        }
        general = RawForm(general_fields(), lambda: appearance.palette)
        self.sections = {"general": general, **self._other_sections(lambda: appearance.palette)}
        self.buttons, self._pages = QButtonGroup(self), QStackedWidget()
        self.typed = TypedGuard(self, self._is_changed)
        self._furnish()
        self.apply_theme(appearance.palette)
        self._check()
        self._unread = self._faults()
        self._pages.setFocusProxy(general.form.editor("name"))
        self._pages.setFocus()

    def _known(self, field: str) -> list[str]:
        """The names that are offered in a field of a task: those of the plan's limits, devices and tasks."""
        said, tasks = self.said(), self._editor.plan.tasks
        found = {name for one in tasks for name in getattr(one, field)}
        if field == "groups":
            found |= said.get("limits", {}).get("groups", {}).keys()
        else:
            found |= {name for one in said.get("devices", ()) for name in one.get("capabilities", ())}
        return sorted(found, key=str.casefold)

    def _other_sections(self, colours: Callable[[], Palette]) -> dict[str, RawForm | ListSection]:
        return {
            "running": RawForm(running_fields(), colours),
            "defaults": RawForm(defaults_fields(self._known), colours),
            "devices": ListSection(devices_field(colours)),
            "rules": ListSection(rules_field(colours, self._known)),
            "agents": ListSection(agents_field(colours)),
            "notes": ListSection(notes_field(colours)),
        }

    def _furnish(self) -> None:
        row = choice_row(self.buttons, self.tr("Section"), [(words, "") for words in self._names.values()])
        self.body.addWidget(row)
        self.body.addSpacing(GAPS[1])
        self._pages.setFixedHeight(HIGH)
        for form in self.sections.values():
            self._pages.addWidget(scrolled(form) if isinstance(form, RawForm) else form)
            form.fill(_shown(self._said))
            form.edited.connect(self._check)
        self.body.addWidget(self._pages)
        self.buttons.idToggled.connect(lambda at, chosen: self._pages.setCurrentIndex(at) if chosen else None)

    def turn_to(self, section: str) -> None:
        """Show a section.

        Raises:
            ValueError: there is no such section.
        """
        self.buttons.button(list(self.sections).index(section)).setChecked(True)

    # ---- values

    def said(self) -> dict[str, Any]:
        """The properties that stand in the forms, as a plan file has them."""
        made: dict[str, Any] = {}
        for form in self.sections.values():
            own = keys_of(form.names)
            made |= {name: value for name, value in form.value().items() if name in own}
        if "defaults" in made:
            made["defaults"] = collapsed(made["defaults"])
        return made

    def _is_changed(self) -> bool:
        return self._is_typing_in_cell() or self.said() != self._said or self._faults() != self._unread

    def _is_typing_in_cell(self) -> bool:
        """Whether something was typed into a cell of a table, which counts only once the keyboard has left it."""
        typed = QApplication.focusWidget()
        if not isinstance(typed, QLineEdit) or not self.isAncestorOf(typed) or not typed.isModified():
            return False
        around = typed.parentWidget()  # the viewport of its table, if it is in one
        return around is not None and isinstance(around.parentWidget(), QAbstractItemView)

    def _faults(self) -> list[dict[str, str]]:
        """What cannot be read in each section, once `said` has read them."""
        return [dict(form.faults) for form in self.sections.values()]

    def _check(self) -> None:
        """Show the errors below their fields, and beside OK their section.

        OK is never disabled: what is typed into a cell of a table counts only once the keyboard has left it for OK.
        """
        self.typed.go_on()
        said = self.said()
        problems, self._wrong = problems_of(said), ""
        for name, form in self.sections.items():
            own = keys_of(form.names)
            faults = [fault_of(one) for key, found in problems.items() if key in own for one in found]
            form.explain(faults)
            if (faults or form.faults) and not self._wrong:
                self._wrong = name
        if self._wrong:
            self.note(fill(self.tr("Something is wrong under “%1”"), self._names[self._wrong]))
        else:
            self.note(self.tr("Nothing is changed yet") if said == self._said else "")

    @override
    def do(self) -> None:
        typed = QApplication.focusWidget()
        if isinstance(typed, QLineEdit) and self.isAncestorOf(typed):
            typed.clearFocus()  # which has it taken from its cell
        if self._wrong:
            self.turn_to(self._wrong)
            return
        change = change_of_properties(self._editor.plan, read_properties(self.said()))
        if change:
            self._editor.apply(change, self.tr("Plan properties"))
        self.accept()

    @override
    def apply_theme(self, palette: Palette) -> None:
        super().apply_theme(palette)
        for form in self.sections.values():
            form.apply_theme(palette)


def _shown(said: dict[str, Any]) -> dict[str, Any]:
    """The properties of a plan as the forms show them."""
    return {**said, "defaults": expanded(said["defaults"])} if "defaults" in said else said
