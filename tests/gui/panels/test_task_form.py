"""The form of a task has an editor for all that a plan file may say of it: nothing is left to be written by hand."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from tests.driver import Driver, edge, task
from tests.gui.panels.fleets import ByHand

from starloom.formats.files import parse_plan
from starloom.formats.native_writer import write_plan
from starloom.formats.schema import plan_schema
from starloom.model.plan import Plan
from starloom.model.task import Gate, Retry, Simulate, Task
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom_gui.gateway.changes import Changes
from starloom_gui.panels.inspector import Inspector
from starloom_gui.viewmodel.selection import Selection
from starloom_gui.viewmodel.task_field_words import label_of, part_word, summary_of
from starloom_gui.viewmodel.task_fields import change, fields_of
from starloom_gui.viewmodel.task_kinds import as_kind
from starloom_gui.viewmodel.task_specs import SPEC_OF, SPECS, EditorKind, FormPart
from starloom_gui.widgets.value_rows import VALUE

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.panels.open_parts import OpenParts
    from starloom_gui.theme.appearance import Appearance

LONG = "x" * 1_000_001
"""Longer than any text of a task may be."""


class Try(NamedTuple):
    """A value to write into a field, what the task then says, and what is refused."""

    text: str
    value: Any
    wrong: str


TRIES = {
    "name": Try("Unit tests", "Unit tests", LONG),
    "kind": Try("prompt", "prompt", "dance"),
    "command": Try("make 'all of it'", ("make", "all of it"), "make 'all"),
    "shell": Try("set -eu\nmake", "set -eu\nmake", ""),
    "python": Try("json:dumps", "json:dumps", "no function"),
    "call": Try("host", "host", ""),
    "prompt": Try("Say\nhello to ${first.value}", "Say\nhello to ${first.value}", ""),
    "permissions": Try("reject", "reject", "everything"),
    "expects": Try("json", "json", "yaml"),
    "expects.schema": Try('{\n  "type": "object"\n}', {"type": "object"}, '{"type": "objekt"}'),
    "simulate": Try("90s", 90, "soon"),
    "simulate.outcome": Try("failed", "failed", "perhaps"),
    "simulate.fail_attempts": Try("2", 2, "some"),
    "simulate.value": Try('{"a": [1, null]}', {"a": [1, None]}, "{a: 1}"),
    "gate": Try("Ship it?\nReally?", "Ship it?\nReally?", LONG),
    "gate.after": Try("10m", 600, "soon"),
    "gate.then": Try("proceed", "proceed", "dance"),
    "device": Try("local", "local", "nowhere"),
    "device.prefer": Try("local", "local", "x" * 501),
    "requires": Try('gpu, "a, b"', frozenset({"gpu", "a, b"}), LONG),
    "groups": Try('licences, "a, b"', ("licences", "a, b"), "x" * 501),
    "cwd": Try("build/a b", "build/a b", LONG),
    "files.send": Try(
        "model.bin\nin.csv\tdata/in.csv", [("model.bin", "model.bin"), ("in.csv", "data/in.csv")], "/etc/x"
    ),
    "files.fetch": Try("out.csv\tresults/out.csv", [("out.csv", "results/out.csv")], "folder/"),
    "priority": Try("80", 80, "urgentest"),
    "timeout": Try("1h30m", 5400, "soon"),
    "estimate": Try("90s", 90, "soon"),
    "join": Try("any", "any", "some"),
    "breakpoint": Try("true", True, "perhaps"),
    "bypass": Try("true", True, "perhaps"),
    "bypass.value": Try('{"a": 1}', {"a": 1}, "[1"),
    "retry": Try("2", 3, "often"),
    "retry.backoff": Try("exponential", "exponential", "wild"),
    "retry.delay": Try("5s", 5, "soon"),
    "retry.cap": Try("1m", 60, "soon"),
    "severity": Try("warning", "warning", "bad"),
    "severity.codes": Try("75\twarning\n-9\tcritical", {75: "warning", -9: "critical"}, "0\twarning"),
    "on_interrupt": Try("ask", "ask", "sleep"),
    "inputs": Try(
        'a\t5\nb\ttext\nc\t"5"\nd\t${first.value}', {"a": 5, "b": "text", "c": "5", "d": "${first.value}"}, "a\t[1"
    ),
    "env": Try("A\tb c\nB\t{secret: env:X}", {"A": "b c", "B": "secret env:X"}, "LAB PORT\t7021"),
    "upstream": Try("true", True, "perhaps"),
    "description": Try("First line\nsecond", "First line\nsecond", LONG),
    "tips": Try('one\n"two\\nlines"', ("one", "two\nlines"), LONG),
    "metadata": Try('owner\tlab\nn\t{"a": 1}', {"owner": "lab", "n": {"a": 1}}, "a\t1\na\t2"),
}
NEVER_EMPTY = {"kind", "command", "shell", "python", "call", "prompt", "simulate"}
USUAL = {
    "simulate.outcome": "completed",
    "simulate.fail_attempts": "0",
    "priority": "normal",
    "join": "all",
    "breakpoint": "false",
    "bypass": "false",
    "retry": "0",
    "retry.backoff": "fixed",
    "severity": "error",
    "on_interrupt": "reattach",
    "upstream": "false",
}
"""What clears a field, where that is not an empty text."""


class FormBench:
    """A task of a kind that has not started, in an inspector."""

    def __init__(self, name: str = "", appearance: Appearance | None = None, unfolded: OpenParts | None = None) -> None:
        self.driver = Driver(devices=(), checked=False)
        self.driver.add_device("local", slots=1)
        action = name.partition(".")[0]
        works: dict[str, dict[str, Any]] = {
            "shell": {"shell": "make"},
            "python": {"python": "platform:platform"},
            "call": {"call": "handler"},
            "prompt": {"prompt": "Hello."},
            "permissions": {"prompt": "Hello."},
            "expects": {"prompt": "Hello."},
            "simulate": {"simulate": 1},
            "inputs": {"python": "json:dumps"},
            "gate": {"gate": {"message": "Go on?", "after": 60, "then": "skip"}},
        }
        work = works.get(action, {"command": ("make",)})
        if name == "expects.schema":
            work = {**work, "expects": "json"}
        if name == "bypass.value":
            work = {**work, "bypass": True}
        tasks = (task("first"), Task(id="t", **work), Task(id="u", **work))
        self.run = self.driver.create(Plan(tasks=tasks, dependencies=[edge("first", "t"), edge("first", "u")]))
        self.asks = ByHand(self.driver)
        if appearance is not None:
            self.selection = Selection()
            self.inspector = Inspector(
                appearance,
                self.selection,
                lambda: RunView(self.driver.run()),
                lambda: 0.0,
                self.asks,
                lambda _, id: self.driver.why(id),
                unfolded=unfolded,
            )
            self.inspector.resize(296, 752)
            self.inspector.show()
            self.inspector.activateWindow()
            assert QTest.qWaitForWindowActive(self.inspector)
            self.select("t")

    def select(self, *ids: str) -> None:
        self.selection.select_all(self.run.graph.place[id] for id in ids)

    def told(self) -> None:
        self.inspector.on_changes(Changes(run_id=self.run.run_id, everything=True))

    @property
    def view(self) -> TaskView:
        return RunView(self.run).task(self.run.graph.place["t"])

    @property
    def task(self) -> Task:
        return self.run.graph.task("t")

    def change(self, name: str, text: str) -> str:
        return change(self.asks, self.view, name, text, self.run.revision)

    def text(self, name: str) -> str:
        return next(one.text for one in fields_of(self.view) if one.name == name)


def told_of(name: str, bench: FormBench) -> Any:
    """What the task says in a field, as it is compared."""
    one, part = bench.task, name.partition(".")[2]
    if name in {"priority", "device"}:
        return bench.view.priority if name == "priority" else bench.view.pin
    if name == "kind":
        return one.action
    if name.startswith("files"):
        return [(copy.source, copy.target) for copy in getattr(one.files, part)]
    if name == "expects.schema":
        return one.expects.to_plain()  # type: ignore[union-attr]  # it was set
    if name == "severity.codes":
        return {code: str(word) for code, word in one.severity.codes.items()}  # type: ignore[union-attr]  # it was set
    if name == "env":
        return {key: str(value) for key, value in one.env.items()}
    value = getattr(one, name.partition(".")[0])
    first = {"retry": "attempts", "simulate": "duration", "gate": "message"}
    return getattr(value, part or first[name]) if part or name in first else value


def is_edited(name: str) -> bool:
    return any(one.name.partition(".")[0] == name for one in SPECS)


def test_every_field_of_a_task_has_an_editor_but_its_id_which_is_shown() -> None:
    of_class = {one.name for one in fields(Task)}
    of_schema = set(plan_schema()["$defs"]["task"]["properties"]) - {"needs"}
    assert of_class == of_schema, "what a task needs are its edges, which are drawn"
    assert [name for name in sorted(of_class) if not is_edited(name)] == ["id"]
    bench = FormBench()
    (shown,) = [one for one in fields_of(bench.view) if one.name == "id"]
    assert (shown.text, bool(shown.locked)) == ("t", True)


@pytest.mark.parametrize(
    ("model", "owner", "first"),
    [(Retry, "retry", "attempts"), (Simulate, "simulate", "duration"), (Gate, "gate", "message")],
)
def test_every_value_within_a_field_has_an_editor(model: type, owner: str, first: str) -> None:
    wanted = {owner if one.name == first else f"{owner}.{one.name}" for one in fields(model)}
    assert wanted == {one.name for one in SPECS if one.name.partition(".")[0] == owner}
    assert {"files.send", "files.fetch", "device.prefer", "severity.codes", "expects.schema"} <= SPEC_OF.keys()


def test_each_is_tried_here() -> None:
    assert TRIES.keys() == SPEC_OF.keys()


@pytest.mark.parametrize("name", TRIES)
def test_a_value_is_set_saved_read_back_and_cleared(name: str) -> None:
    bench, tried = FormBench(name), TRIES[name]
    before = bench.task
    assert bench.change(name, tried.text) == ""
    assert told_of(name, bench) == tried.value
    saved = write_plan(Plan(tasks=[task("first"), bench.task], dependencies=[edge("first", "t")]), "yaml")
    assert parse_plan(saved, format="yaml").tasks[1] == bench.task
    if name != "kind":
        one, again = bench.task, bench.text(name)
        bench.change(name, again)
        assert (bench.text(name), bench.task) == (again, one), "what is shown is what is read"
    if name not in NEVER_EMPTY:
        unset = USUAL.get(name, "")
        assert bench.change(name, unset) == ""
        bare = FormBench(name)
        if name not in {"gate", "gate.after", "gate.then"}:
            assert bench.task == before == bare.task
        assert bench.text(name) == ("50 normal" if name == "priority" else unset)


@pytest.mark.parametrize("name", TRIES)
def test_a_wrong_value_is_refused_in_a_sentence_and_nothing_is_changed(name: str) -> None:
    bench, before = FormBench(name), FormBench(name).task
    said = bench.change(name, TRIES[name].wrong)
    assert said.endswith("."), said
    assert (bench.task, bench.asks.sent) == (before, [])


@pytest.mark.parametrize("name", TRIES)
def test_each_editor_shows_what_it_is_given_and_hands_it_on(
    app: QApplication, appearance: Appearance, name: str
) -> None:
    bench = FormBench(name, appearance)
    shown = bench.inspector.fields
    editor = shown.value(name)
    assert shown.parts[SPEC_OF[name].part].is_open
    assert bench.change(name, TRIES[name].text) == ""
    bench.told()
    if name == "kind":
        assert shown.value("kind").text() == "prompt"
        assert shown.value("prompt").text() == "Say hello."
        return
    assert shown.value(name).text() == bench.text(name)
    assert not shown._rows[name].draft.is_edited
    assert (editor.focusProxy() or editor).accessibleName() == label_of(name)


WRITTEN = [
    one.name
    for one in SPECS
    if one.kind not in {EditorKind.CHOICE, EditorKind.SWITCH, EditorKind.VALUES, EditorKind.VALUE}
    and TRIES[one.name].wrong is not LONG
]
"""A widget would take seconds to lay out what is too long; its refusal is seen above."""
TREES = [one.name for one in SPECS if one.kind in {EditorKind.VALUES, EditorKind.VALUE}]


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_refused_stands_below_its_row_and_what_was_typed_stays(
    app: QApplication, appearance: Appearance, name: str
) -> None:
    bench = FormBench(name, appearance)
    wrong = TRIES[name].wrong
    editor = bench.inspector.fields.value(name)
    editor.write(wrong)
    bench.inspector.fields._rows[name].draft.finish()
    assert bench.inspector.fields.reason(name).endswith("Nothing was changed.")
    bench.told()
    assert editor.text() == wrong
    assert bench.asks.sent == []


@pytest.mark.parametrize("name", TREES)
def test_a_wrong_value_deep_in_a_tree_is_refused_below_it_outlined_and_mended(
    app: QApplication, appearance: Appearance, name: str
) -> None:
    bench = FormBench(name, appearance)
    assert bench.change(name, '{"n": [1]}' if name.endswith(".value") else 'a\t{"n": [1]}') == ""
    bench.told()
    editor, fields, sent = bench.inspector.fields.value(name), bench.inspector.fields, len(bench.asks.sent)
    rows = editor.table.rows
    deep = next(rows.of(rows.root.parts[0].parts[0].parts[0]))
    rows.type_in(deep, VALUE, "1o")
    rows.ended.emit()
    assert fields.reason(name).startswith("“1o” is no number.")
    assert fields.reason(name).endswith("Nothing was changed.")
    assert len(bench.asks.sent) == sent
    assert editor.table.is_wrong(editor.table.indexFromItem(deep, VALUE))
    (mend,) = fields._rows[name].error.findChildren(QPushButton)
    mend.click()
    assert fields.reason(name) == ""
    assert told_of(name, bench) in ({"n": ["1o"]}, {"a": {"n": ["1o"]}})
    assert len(bench.asks.sent) == sent + 1, "one step"


@pytest.mark.parametrize(
    ("name", "typed", "cells"),
    [
        ("env", "A\tb\nLAB PORT\t7021\nC\td", [(1, 0)]),
        ("files.send", "in.csv\n/etc/x\tdata.csv", [(1, 0)]),
        ("severity.codes", "75\twarning\n76\tbad", [(1, 1)]),
        ("severity.codes", "75\twarning\n75\terror", [(1, 0)]),
    ],
)
def test_the_wrong_cell_of_a_table_is_outlined_itself_and_put_back(
    app: QApplication, appearance: Appearance, name: str, typed: str, cells: list[tuple[int, int]]
) -> None:
    bench = FormBench(name, appearance)
    row, editor = bench.inspector.fields._rows, bench.inspector.fields.value(name)
    editor.write(typed)
    row[name].draft.finish()
    assert bench.inspector.fields.reason(name).endswith("Nothing was changed."), bench.text(name)
    table = editor.table
    model = table.model()
    places = [(at, one) for at in range(model.rowCount()) for one in range(model.columnCount())]
    assert [place for place in places if table.is_wrong(model.index(*place))] == cells
    (back,) = row[name].error.findChildren(QPushButton)
    back.click()
    assert (editor.text(), bench.inspector.fields.reason(name)) == ("", "")
    assert not any(table.is_wrong(model.index(*place)) for place in places)


def test_another_kind_is_one_step_that_keeps_what_it_can_say(app: QApplication, appearance: Appearance) -> None:
    bench = FormBench("", appearance)
    assert bench.change("command", "make 'all of it'") == ""
    bench.told()
    kind = bench.inspector.fields.value("kind")
    kind.box.setCurrentIndex(1)
    kind.box.activated.emit(1)
    assert len(bench.asks.sent) == 2
    assert (bench.task.command, bench.task.shell) == (None, "make 'all of it'")
    bench.told()
    assert bench.inspector.fields.value("shell").text() == "make 'all of it'"


@pytest.mark.parametrize("old", ["command", "shell", "python", "call", "prompt", "simulate", "gate"])
@pytest.mark.parametrize("new", ["command", "shell", "python", "call", "prompt", "simulate", "gate"])
def test_each_kind_becomes_each_other_one(old: str, new: str) -> None:
    bench = FormBench(old)
    assert bench.task.action == old
    if old != new:
        assert bench.change("kind", new) == ""
    assert bench.task.action == new
    assert as_kind(bench.task, new) == {new: getattr(bench.task, new)}


def test_a_text_only_a_shell_can_read_is_not_made_a_command() -> None:
    bench = FormBench("shell")
    assert bench.change("shell", "echo 'open") == ""
    assert bench.change("kind", "command") == ""
    assert bench.task.command == ("echo", "hello")


def test_a_folded_part_says_what_is_in_it(app: QApplication, appearance: Appearance) -> None:
    bench = FormBench("", appearance)
    for name, text in (("retry", "2"), ("retry.delay", "5s"), ("groups", "licences"), ("timeout", "2m")):
        assert bench.change(name, text) == ""
    bench.told()
    parts = bench.inspector.fields.parts
    assert parts[FormPart.RETRY].summary.text() == "2 times, back off 5s"
    assert parts[FormPart.WHERE].summary.text() == "any device · group licences"
    assert bench.change("requires", "tpu") == ""
    assert summary_of(FormPart.WHERE, bench.view) == "any device with tpu · group licences"
    assert parts[FormPart.WHEN].summary.text() == "", "it is unfolded"
    assert summary_of(FormPart.WHEN, bench.view) == "at most 2m"
    parts[FormPart.RETRY].head.click()
    assert parts[FormPart.RETRY].summary.text() == ""
    assert bench.inspector.fields._rows["retry.delay"].editor.isVisible()
    parts[FormPart.RETRY].head.click()
    assert "retry.delay" not in bench.inspector.fields._rows
    assert [part_word(part) for part in FormPart][:3] == ["What", "Where", "When"]
