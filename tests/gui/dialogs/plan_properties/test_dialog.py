"""Plan properties: whatever the schema of a plan has besides tasks is set, cleared and refused in words, and saved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.documents.plans import loaded

from starloom.formats import load_plan, save_plan
from starloom.formats.schema import plan_schema
from starloom.model.status import OnInterrupt, PermissionPolicy
from starloom_gui.dialogs.plan_properties.dialog import PlanPropertiesDialog
from starloom_gui.dialogs.plan_properties.list_section import ListSection
from starloom_gui.dialogs.plan_properties.raw_form import RawForm
from starloom_gui.documents.change import PROPERTIES, change_of_properties
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.documents.properties import properties_of, read_properties
from starloom_gui.editing.plan_editor import PlanEditor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom.model.plan import Plan
    from starloom_gui.theme.appearance import Appearance

RULE = {
    "name": "check every file",
    "on": {"task": ["list-*"], "status": "completed", "when": "size(value.files) > 0"},
    "for_each": "${task.value.files}",
    "most": 20,
    "do": [
        {
            "add_task": {
                "id": "check-${index}",
                "command": ["check", "${item.path}"],
                "needs": ["${task.id}", {"task": "fetch", "kind": "always"}, {"task": "b", "condition": "value > 1"}],
                "before": ["report"],
                "retry": 2,
            }
        },
        {"remove_task": "old-*"},
        {"update_task": {"task": "b", "priority": "high", "timeout": "10m"}},
        {"add_dependency": {"parent": "a", "child": "b", "kind": "always"}},
        {"update_dependency": {"parent": "a", "child": "b", "condition": "value > 1"}},
        {"remove_dependency": {"parent": "a", "child": "b"}},
    ],
}
SET: dict[str, Any] = {
    "name": "firmware",
    "description": "Two boards,\none queue.",
    "metadata": {"owner": "lab", "board": {"rev": 2}, "count": 3, "text": "3", "list": [1, None]},
    "limits": {"max_concurrency": 3, "groups": {"db": 1, "licences": 0}},
    "placement": "critical_path",
    "overdue_factor": "none",
    "fence": "descendants",
    "modification_timeout": "10m",
    "devices": [
        {"id": "here", "slots": 4, "capabilities": ["gpu"]},
        {"id": "box", "kind": "ssh", "host": "example.org", "port": 2222},
        {"id": "pod", "kind": "wrapped", "wrapper": ["kubectl", "exec", "a b", "--"]},
        {"id": "odd", "kind": "plugged-in", "answer": 42},
    ],
    "rules": [RULE],
    "agents": [
        {"name": "rules", "on": {"task": "list-*", "status": "failed", "when": "attempts > 1"}},
        {"name": "reviewer", "on": {"task": ["a", "b-*"]}, "scope": "descendants"},
        {"name": "m:f", "scope": {"tasks": ["build-*", "a, b"]}},
        {"name": "other", "scope": {"group": "gpu"}},
    ],
    "notes": [{"text": "Mind\nthe gap", "task": "a", "x": 4.5, "width": 200.0}],
}
WRONG: dict[str, tuple[str, Any]] = {
    "name": ("name", "x" * 501),
    "metadata": ("metadata", {"": 1}),
    "limits": ("limits.max_concurrency", -1),
    "placement": ("placement", "best"),
    "overdue_factor": ("overdue_factor", 0.5),
    "fence": ("fence", "all"),
    "modification_timeout": ("modification_timeout", "soon"),
}
WRONG_ENTRIES: dict[str, list[tuple[str, Any]]] = {
    "devices": [("id", "x" * 501), ("slots", 0), ("trip_after", -1)],
    "rules": [("on.task", None), ("on.when", "1 +"), ("for_each", "${files}"), ("most", 0), ("times", 0), ("do", [])],
    "agents": [("on.when", "1 +"), ("scope", {"group": []})],
    "notes": [("text", " "), ("width", 1)],
}
DEFAULTS: dict[str, tuple[Any, Any]] = {
    "name": ("Step", None),
    "description": ("What it is\nfor.", None),
    "tips": (["Look first", "then leap"], None),
    "inputs": ({"n": 3, "path": "a b", "flag": True}, None),
    "env": ({"A": "b", "TOKEN": {"secret": "env:TOKEN"}}, {"TOKEN": {"secret": "nowhere"}}),
    "cwd": ("/work", None),
    "upstream": (True, None),
    "files": ({"send": ["a", {"from": "b", "to": "c"}], "fetch": ["log"]}, {"send": [{"from": "", "to": "c"}]}),
    "priority": ("high", 101),
    "requires": (["gpu", "usb"], None),
    "device": ({"prefer": "box"}, "x" * 501),
    "groups": (["db", "licences"], ["x" * 501]),
    "timeout": ("10m", "soon"),
    "retry": (
        {"attempts": 3, "delay": "5s", "backoff": "linear", "cap": "1m"},
        {"attempts": 0, "delay": "soon", "cap": "soon"},
    ),
    "severity": ({"2": "warning", "else": "critical"}, {"2": "bad"}),
    "join": ("any", None),
    "on_interrupt": ("rerun", None),
    "estimate": ("90s", "soon"),
    "breakpoint": (True, None),
    "bypass": (True, None),
    "permissions": ("allow_reads", None),
    "expects": ({"type": "object", "required": ["a"]}, {"type": "objekt"}),
    "metadata": ({"k": [1, 2]}, None),
}


class Shown:
    """The dialog over a plan that is open, and what becomes of the plan."""

    def __init__(self, appearance: Appearance, made: Plan, file: Path) -> None:
        self.documents, self.file, self.appearance = OpenDocuments(), file, appearance
        self.key = self.documents.put_loaded(loaded(made, file)).key
        self.editor = PlanEditor(self.documents, self.key)
        self.refusals: list[tuple[str, str]] = []
        self.editor.refused.connect(lambda what, why: self.refusals.append((what, why)))
        self.open()

    def open(self) -> None:
        self.dialog = PlanPropertiesDialog(self.appearance, self.editor)
        self.is_open = True
        self.dialog.finished.connect(self._note_closed)
        self.dialog.open()

    def _note_closed(self) -> None:
        self.is_open = False

    def form(self, field: str) -> RawForm | ListSection:
        return next(form for form in self.dialog.sections.values() if field in form.names)

    def write(self, field: str, value: Any) -> None:
        """Have a value stand in a field as if it had been typed."""
        form = self.form(field)
        editor = form.entries if isinstance(form, ListSection) else form.form.editor(field)
        editor.show_value(value)
        editor.edited.emit()

    def reason(self, field: str) -> str:
        form = self.form(field)
        assert isinstance(form, RawForm)
        return form.form.reason(field)

    def press_ok(self) -> None:
        assert self.is_right(), self.dialog.reason
        self.dialog.do()
        assert not self.refusals

    def is_right(self) -> bool:
        """Whether nothing is said to be wrong."""
        return "wrong" not in self.dialog.reason

    def saved(self) -> Plan:
        """The plan as its file has it, after saving."""
        save_plan(self.editor.plan, self.file)
        return load_plan(self.file)


@pytest.fixture
def shown(app: QApplication, appearance: Appearance, tmp_path: Path) -> Iterator[Shown]:
    made = Shown(appearance, plan([task("a"), task("b", retry=3)], ["a>b"]), tmp_path / "firmware.yaml")
    yield made
    if made.is_open:
        made.dialog.reject()


def fields_of(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """The fields in which a value is written, with what stands in each."""
    if place in {"limits", "defaults.retry", "defaults.files"}:
        for name, part in value.items():
            yield f"{place}.{name}", part
    else:
        yield place, value


def test_every_property_of_the_schema_has_fields(shown: Shown) -> None:
    names = {name.partition(".")[0] for form in shown.dialog.sections.values() for name in form.names}
    of_the_canvas = {"starloom", "tasks", "dependencies", "layout"}
    assert names == set(PROPERTIES) == set(plan_schema()["properties"]) - of_the_canvas
    assert set(SET) | {"defaults"} == names
    assert set(WRONG) | set(WRONG_ENTRIES) | {"description", "defaults"} == names, "no description is wrong"
    assert set(DEFAULTS) == set(plan_schema()["$defs"]["defaults"]["properties"])


@pytest.mark.parametrize("name", sorted(SET))
def test_each_property_is_set_saved_shown_again_and_cleared(shown: Shown, name: str):
    before = shown.editor.plan
    for field, value in fields_of(SET[name], name):
        shown.write(field, value)
    shown.press_ok()
    assert properties_of(shown.editor.plan)[name] == SET[name]
    assert shown.saved() == shown.editor.plan
    shown.open()
    assert shown.dialog.said() == properties_of(shown.editor.plan)
    for field, _ in fields_of(SET[name], name):
        shown.write(field, None)
    shown.press_ok()
    assert name == "name" or name not in properties_of(shown.editor.plan)
    assert shown.saved() == shown.editor.plan
    shown.editor.undo()
    shown.editor.undo()
    assert shown.editor.plan == before


@pytest.mark.parametrize("name", sorted(DEFAULTS))
def test_each_default_is_set_saved_shown_again_and_cleared(shown: Shown, name: str):
    before, value = shown.editor.plan, DEFAULTS[name][0]
    for field, part in fields_of(value, f"defaults.{name}"):
        shown.write(field, part)
    shown.press_ok()
    assert properties_of(shown.editor.plan)["defaults"] == {name: value}
    assert shown.saved() == shown.editor.plan
    shown.open()
    assert shown.dialog.said() == properties_of(shown.editor.plan)
    for field, _ in fields_of(value, f"defaults.{name}"):
        shown.write(field, None)
    shown.press_ok()
    assert shown.editor.plan == before == shown.saved()


@pytest.mark.parametrize(
    "default",
    [
        {"bypass": {"value": {"a": [1, None, 2**70]}}},
        {"bypass": {"value": None}},
        *({"on_interrupt": str(one)} for one in OnInterrupt),
        *({"permissions": str(one)} for one in PermissionPolicy),
    ],
)
def test_what_a_file_has_as_default_is_kept_and_can_be_taken_away(shown: Shown, default: dict[str, Any]) -> None:
    shown.dialog.reject()
    said = {**properties_of(shown.editor.plan), "defaults": default}
    shown.editor.apply(change_of_properties(shown.editor.plan, read_properties(said)), "set")
    shown.open()
    shown.write("description", "Another one.")
    shown.press_ok()
    assert properties_of(shown.editor.plan)["defaults"] == default
    (name,) = default
    shown.open()
    shown.write(f"defaults.{name}", None)
    shown.press_ok()
    assert "defaults" not in properties_of(shown.editor.plan)


@pytest.mark.parametrize("name", sorted(WRONG))
def test_a_wrong_value_is_refused_in_a_sentence_below_its_field(shown: Shown, name: str):
    field, value = WRONG[name]
    form = shown.form(field)
    assert isinstance(form, RawForm)
    editor: Any = form.form.editor(field)
    shown.write(field, {} if name == "metadata" else value)
    if name == "metadata":
        editor.typed.write("\t1")
    assert shown.reason(field).endswith("."), shown.reason(field)
    assert not shown.is_right()
    before = shown.editor.plan
    QTest.mouseClick(shown.dialog.default, Qt.MouseButton.LeftButton)
    QTest.keyClick(shown.dialog, Qt.Key.Key_Return)
    assert shown.is_open
    assert shown.editor.plan is before


@pytest.mark.parametrize("name", sorted(name for name, (_, wrong) in DEFAULTS.items() if wrong is not None))
def test_a_wrong_default_is_refused_in_a_sentence_below_its_field(shown: Shown, name: str):
    for field, part in fields_of(DEFAULTS[name][1], f"defaults.{name}"):
        shown.write(field, part)
        assert shown.reason(field).endswith("."), shown.reason(field)
    assert not shown.is_right()


def entry(shown: Shown, name: str, at: int = 0) -> Any:
    """The form of an entry of a list."""
    section = shown.form(name)
    assert isinstance(section, ListSection)
    section.entries.list.setCurrentRow(at)
    form = section.entries.entry_form
    return form._current if name == "devices" else form


@pytest.mark.parametrize(
    ("name", "field", "value"), [(n, *wrong) for n, all_ in WRONG_ENTRIES.items() for wrong in all_]
)
def test_a_wrong_value_in_a_list_is_refused_below_its_field_and_its_entry_is_marked(
    shown: Shown, name: str, field: str, value: Any
):
    shown.write(name, [SET[name][0], SET[name][0] | ({"id": "other"} if name == "devices" else {})])
    form = entry(shown, name, 1)
    before = form.form.editor(field).spec
    form.form.editor(field).show_value(value)
    form.form.editor(field).edited.emit()
    if value is None:  # a rule without tasks is about all of them
        assert shown.is_right()
        return
    assert form.form.reason(field).endswith("."), before
    assert not shown.is_right()
    assert not entry(shown, name, 0).form.reason(field), "the other entry is right"


def test_a_rule_is_written_by_hand_and_its_condition_judged_while_it_is_typed(shown: Shown):
    shown.dialog.turn_to("rules")
    section = shown.form("rules")
    assert isinstance(section, ListSection)
    section.entries.add.click()
    form = entry(shown, "rules")
    when, edits = form.form.editor("on.when"), form.form.editor("do")
    QTest.keyClicks(when.line, "value.score >")
    assert "ends too early" in form.form.reason("on.when")
    QTest.keyClicks(when.line, " 1")
    assert form.form.reason("on.when") == ""
    row = edits.rows[0]
    assert row.content.form.reason("id"), "a task to be added has an id"
    QTest.keyClicks(row.content.form.editor("id").line, "again")
    QTest.keyClicks(row.content.form.editor("command").line, "echo 'a b")
    assert "quotation mark" in row.content.form.reason("command")
    QTest.keyClicks(row.content.form.editor("command").line, "'")
    assert shown.is_right(), shown.dialog.reason
    edits.add.click()
    edits.rows[1].kind.show_value("remove_task")
    QTest.keyClicks(edits.rows[1].content.form.editor("task").line, "old-*")
    shown.press_ok()
    assert shown.editor.plan.rules == (
        {
            "on": {"task": "*", "when": "value.score > 1"},
            "do": [{"add_task": {"id": "again", "command": ["echo", "a b"]}}, {"remove_task": "old-*"}],
        },
    )


def test_entries_are_added_moved_and_removed_and_the_form_follows(shown: Shown):
    section = shown.form("notes")
    assert isinstance(section, ListSection)
    entries = section.entries
    for words in ("one", "two"):
        entries.add.click()
        editor = entry(shown, "notes", entries.list.count() - 1).form.editor("text")
        editor.typed.write(words)
    assert [entries.list.item(at).text() for at in range(2)] == ["one", "two"]
    entries.up.click()
    assert [one["text"] for one in shown.dialog.said()["notes"]] == ["two", "one"]
    entries.remove.click()
    assert [one["text"] for one in shown.dialog.said()["notes"]] == ["one"]
    entries.remove.click()
    assert "notes" not in shown.dialog.said()
    assert shown.dialog.reason == "Nothing is changed yet"


def test_a_device_of_another_kind_keeps_its_name_and_slots(shown: Shown):
    shown.write("devices", [{"id": "box", "slots": 3}])
    section = shown.form("devices")
    assert isinstance(section, ListSection)
    kind = section.entries.entry_form.kind.form.editor("kind")
    kind.show_value("simulated")
    assert shown.dialog.said()["devices"] == [{"id": "box", "kind": "simulated", "slots": 3}]
    kind.show_value("local")
    assert shown.dialog.said()["devices"] == [{"id": "box", "slots": 3}]


def test_an_option_without_which_a_device_cannot_be_made_is_kept_at_its_default(shown: Shown):
    device = {"id": "pod", "kind": "wrapped", "wrapper": "docker exec", "target": "a"}
    shown.write("devices", [device])
    entry(shown, "devices").form.editor("target").line.setText("b")
    assert shown.dialog.said()["devices"] == [{**device, "target": "b"}]


def test_an_edit_of_another_kind_keeps_the_fields_that_both_have(shown: Shown):
    work = {"shell": "make", "retry": 2, "gate": {"message": "Ready?", "after": "10m"}, "files": {"send": ["a"]}}
    shown.write("rules", [{"on": {"task": "*"}, "do": [{"add_task": {"id": "a", "needs": ["b"], **work}}]}])
    rows = entry(shown, "rules").form.editor("do").rows
    rows[0].kind.show_value("update_task")
    assert rows[0].value() == {"update_task": work}
