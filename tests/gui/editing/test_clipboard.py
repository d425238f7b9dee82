"""Copy, cut and paste: ids and what names them, dependencies with and without outside, and content nobody can trust."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from tests.driver import Driver, edge, task
from tests.gui.editing.engine_by_hand import EditorByHand, build, links, number

from starloom.constellation.edits import RemoveTask
from starloom.formats import dump_plan
from starloom.model.plan import Plan
from starloom_gui.editing.clipboard import EDITS_TYPE, TEMPLATE_TYPE, Clipboard, mime_of, snippet_in
from starloom_gui.editing.snippets import Snippet, pasted, read_snippet, renamed, snippet_of, write_snippet
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication


class User:
    """Somebody with a graph, a selection and the clipboard."""

    def __init__(self) -> None:
        self.editor, self.selection = build(), Selection()
        self.clipboard = Clipboard(self.editor, self.selection)
        self.refused: list[tuple[str, str]] = []
        self.clipboard.refused.connect(lambda what, why: self.refused.append((what, why)))

    def select(self, *ids: str) -> None:
        self.selection.select_all(number(self.editor.facts(), one) for one in ids)

    @property
    def selected(self) -> set[str]:
        return {self.editor.facts().graph.ids[one] for one in self.selection.now.numbers}

    @property
    def ids(self) -> set[str]:
        return set(self.editor.facts().graph.place)


@pytest.fixture
def user(app: QApplication) -> Iterator[User]:
    QGuiApplication.clipboard().clear()
    yield User()
    QGuiApplication.clipboard().clear()


# ---- ids and dependencies


def test_copies_get_ids_of_their_own_and_the_dependencies_between_them(user: User) -> None:
    user.select("compile", "test")
    assert user.clipboard.copy()
    assert user.clipboard.paste()
    assert user.ids >= {"compile-2", "test-2"}
    assert "compile-2>test-2>condition" in links(user.editor.facts())
    assert not {one for one in links(user.editor.facts()) if "sources>compile-2" in one or "-2>report" in one}
    assert user.editor.steps[-1].label == "Paste 2 task(s)"
    assert user.selected == {"compile-2", "test-2"}


def test_what_names_a_copied_task_names_the_copy_and_nothing_else_is_touched(user: User) -> None:
    user.select("compile", "test")
    user.clipboard.copy()
    user.clipboard.paste()
    test = user.editor.facts().graph.task("test-2")
    assert test.command == ("pytest", "${compile-2.value[0]}", "$${compile.value}", "${HOME}")
    assert user.editor.facts().graph.task("compile-2").command == ("cc", "${sources.value.path}")


def test_with_outside_the_copies_are_connected_like_the_originals(user: User) -> None:
    user.select("test")
    user.clipboard.copy()
    assert user.clipboard.paste(with_outside=True)
    assert {"compile>test-2>condition", "test-2>report>always"} <= links(user.editor.facts())


def test_what_has_started_or_gone_is_not_waited_on_by_copies(user: User) -> None:
    user.editor.driver.end("sources")
    user.editor.driver.end("compile", value={"ok": True})
    user.select("compile", "test")
    user.clipboard.copy()
    user.editor.driver.edit(RemoveTask("report"))
    assert user.clipboard.paste(with_outside=True)
    assert "sources>compile-2" in links(user.editor.facts())
    assert user.refused == []


def test_a_running_child_is_not_made_to_wait_for_a_copy(user: User) -> None:
    user.editor.driver.end("sources")
    user.editor.driver.end("compile", value={"ok": True})
    assert user.editor.driver.status("test") == "running"
    user.select("compile")
    user.clipboard.copy()
    assert user.clipboard.paste(with_outside=True)
    assert {one for one in links(user.editor.facts()) if "compile-2" in one} == {
        "sources>compile-2",
        "compile-2>report",
    }
    assert user.refused == []


def test_copies_of_copies_count_on(user: User) -> None:
    user.select("docs")
    user.clipboard.copy()
    for _ in range(3):
        user.clipboard.paste()
    assert {"docs-2", "docs-3", "docs-4"} <= user.ids
    user.clipboard.copy()
    user.clipboard.paste()
    assert "docs-5" in user.ids


def test_duplicating_leaves_the_clipboard_alone(user: User) -> None:
    user.select("docs")
    assert user.clipboard.duplicate()
    assert user.editor.steps[-1].label == "Duplicate docs"
    assert "docs-2" in user.ids
    assert not user.clipboard.can_paste()


def test_a_copy_has_the_priority_and_the_device_its_original_was_given(user: User) -> None:
    editor = user.editor
    facts = editor.facts()
    facts.priority[number(facts, "docs")] = 77
    facts.pins[number(facts, "docs")] = "local"
    copied = snippet_of(facts, [number(facts, "docs")]).tasks[0]
    assert (copied.priority, copied.device) == (77, "local")


# ---- cut


def test_cutting_takes_tasks_out_and_pasting_puts_them_back_under_their_ids(user: User) -> None:
    user.select("test", "report")
    assert user.clipboard.cut()
    assert not {"test", "report"} & user.ids
    assert user.editor.steps[-1].label == "Cut 2 task(s)"
    assert user.clipboard.paste(with_outside=True)
    assert {"test", "report"} <= user.ids
    assert links(user.editor.facts()) == links(build().facts())


def test_what_runs_is_not_cut_and_nothing_is_copied(user: User) -> None:
    user.select("sources", "docs")
    assert not user.clipboard.cut()
    assert user.refused[0][0] == "Nothing was cut"
    assert "sources" in user.refused[0][1]
    assert not user.clipboard.can_paste()
    assert {"sources", "docs"} <= user.ids


def test_nothing_selected_is_nothing_copied(user: User) -> None:
    assert not user.clipboard.can_copy()
    assert not user.clipboard.copy()
    assert not user.clipboard.cut()
    assert not user.clipboard.duplicate()


# ---- an engine that answers later


def test_what_was_pasted_is_selected_once_the_engine_has_taken_it(user: User) -> None:
    user.select("docs")
    user.clipboard.copy()
    user.editor.answers = False
    user.clipboard.paste()
    assert user.selected == {"docs"}
    user.editor.answer()
    assert user.selected == {"docs-2"}


# ---- text


def test_text_becomes_an_equal_snippet_again(app: QApplication) -> None:
    facts = build().facts()
    taken = snippet_of(facts, range(len(facts.graph.tasks)))
    assert read_snippet(write_snippet(taken)) == taken
    alone = snippet_of(facts, [number(facts, "test")])
    assert {f"{one.parent}>{one.child}" for one in alone.outer()} == {"compile>test", "test>report"}
    assert read_snippet(write_snippet(alone)) == alone


def test_copied_tasks_are_plain_text_too_and_are_pasted_from_it(user: User) -> None:
    user.select("docs")
    user.clipboard.copy()
    text = QGuiApplication.clipboard().mimeData().text()
    mime = QMimeData()
    mime.setText(text)
    QGuiApplication.clipboard().setMimeData(mime)
    assert user.clipboard.paste()
    assert "docs-2" in user.ids


@pytest.mark.parametrize("syntax", ["yaml", "json"])
def test_a_whole_plan_is_pasted_from_text(user: User, syntax: str) -> None:
    plan = Plan(name="p", tasks=(task("one"), task("docs")), dependencies=(edge("one", "docs"),))
    QGuiApplication.clipboard().setText(dump_plan(plan, syntax))
    assert user.clipboard.paste()
    assert {"one", "docs-2"} <= user.ids
    assert "one>docs-2" in links(user.editor.facts())


def test_a_template_is_pasted_like_any_task(user: User) -> None:
    mime = mime_of(Snippet(tasks=(task("new"),)), TEMPLATE_TYPE)
    assert not mime.hasText()
    assert user.clipboard.put(mime)
    assert "new" in user.ids


# ---- content nobody can trust

BAD: dict[str, tuple[str, str]] = {
    "no text at all": ("", "empty"),
    "prose": ("Dear Sir or Madam", "plan"),
    "json that ends": ('{"starloom_edits": 1, "tasks": [', "ends too early"),
    "a later version": ('{"starloom_edits": 2, "tasks": []}', "Update Starloom"),
    "true as a version": ('{"starloom_edits": true, "tasks": []}', "version"),
    "no tasks": ('{"starloom_edits": 1, "tasks": []}', "at least one task"),
    "tasks that are a number": ('{"starloom_edits": 1, "tasks": 7}', "at least one task"),
    "a task that is none": ('{"starloom_edits": 1, "tasks": ["a"]}', "mapping of fields"),
    "no action": ('{"starloom_edits": 1, "tasks": [{"id": "a"}]}', "exactly one of"),
    "a misspelt field": ('{"starloom_edits": 1, "tasks": [{"id": "a", "shel": "x", "call": "y"}]}', "Did you mean"),
    "an unknown key": ('{"starloom_edits": 1, "tasks": [{"id": "a", "call": "b"}], "taks": []}', "Did you mean"),
    "one id twice": ('{"starloom_edits": 1, "tasks": [{"id": "a", "call": "b"}, {"id": "a", "call": "b"}]}', "own id"),
    "a bad dependency": (
        '{"starloom_edits": 1, "tasks": [{"id": "a", "call": "b"}], "dependencies": [{"parent": "a"}]}',
        "child",
    ),
    "too deep": ('{"starloom_edits": 1, "tasks": ' + "[" * 200 + "]" * 200 + "}", "deeper"),
    "a key twice": ('{"starloom_edits": 1, "starloom_edits": 1, "tasks": []}', "twice"),
    "no number": ('{"starloom_edits": 1, "tasks": [{"id": "a", "simulate": NaN}]}', "number"),
    "an anchor in yaml": ("starloom: 1\ntasks: &a [*a]", "anchor"),
}


def test_an_empty_clipboard_is_said_to_hold_no_tasks(user: User) -> None:
    assert not user.clipboard.put(QMimeData())
    assert user.refused == [("Nothing was pasted", "The clipboard holds no tasks.")]


@pytest.mark.parametrize("kind", [EDITS_TYPE, TEMPLATE_TYPE, "text/plain"])
@pytest.mark.parametrize("name", BAD)
def test_bad_content_is_refused_with_a_sentence_and_changes_nothing(user: User, name: str, kind: str) -> None:
    text, said = BAD[name]
    before = user.editor.facts().graph.canonical_bytes()
    mime = QMimeData()
    mime.setData(kind, text.encode())
    assert not user.clipboard.put(mime)
    ((what, why),) = user.refused
    assert what == "Nothing was pasted"
    assert said.lower() in why.lower() or (why, text) == ("The clipboard holds no tasks.", "")
    assert user.editor.facts().graph.canonical_bytes() == before
    assert user.editor.steps == []


@pytest.mark.parametrize("data", [b"\xff\xfe{", b'{"starloom_edits": 1, "tasks": "\\ud800"}', b"\0" * 50], ids=repr)
def test_bytes_that_are_no_text_are_refused(user: User, data: bytes) -> None:
    mime = QMimeData()
    mime.setData(EDITS_TYPE, data)
    assert not user.clipboard.put(mime)
    assert len(user.refused) == 1


def test_more_than_a_file_may_hold_is_not_even_read(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("starloom.formats.source.MAX_BYTES", 1000)
    mime = QMimeData()
    mime.setData(EDITS_TYPE, write_snippet(Snippet(tasks=(task("a", inputs={"x": "y" * 1000}),))).encode())
    assert not user.clipboard.put(mime)
    assert "MB" in user.refused[0][1]


def test_a_cycle_in_what_is_pasted_is_refused_by_the_engine_and_named(user: User) -> None:
    text = write_snippet(Snippet(tasks=(task("a"), task("b")), dependencies=(edge("a", "b"), edge("b", "a"))))
    QGuiApplication.clipboard().setText(text)
    assert not user.clipboard.paste()
    assert "a → b" in user.refused[0][1] or "b → a" in user.refused[0][1]


# ---- many


def test_ten_thousand_tasks_are_copied_under_free_ids() -> None:
    tasks: list[Any] = [task(f"t-{at}") for at in range(10_000)]
    driver = Driver(checked=False)
    facts = driver.create(Plan(tasks=tasks, dependencies=[edge(f"t-{at}", f"t-{at + 1}") for at in range(9_999)]))
    editor = EditorByHand(driver)
    edits = pasted(snippet_of(facts, range(10_000)), facts)
    assert editor.verdict(edits).ok
    assert len(edits) == 19_999


def test_what_is_brought_in_our_own_type_comes_before_its_text(app: QApplication) -> None:
    mime = mime_of(Snippet(tasks=(task("own"),)))
    mime.setText("something else")
    assert snippet_in(mime).tasks[0].id == "own"


def test_a_copied_gate_asks_with_the_results_of_the_copies() -> None:
    gate = renamed(task("ask", gate="Publish ${build.value}?"), {"build": "build-2"}).gate
    assert gate is not None
    assert gate.message == "Publish ${build-2.value}?"
