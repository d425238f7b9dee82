"""A running task that asks a person, in the console over a real engine."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_agents import pane_of, readied, waiting
from tests.gui.composition.test_console import front
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom import InProcessDevice, Task, TaskContext
from starloom.model.question import Option, Question
from starloom.scheduling.read.open_questions import questions_of
from starloom_gui.panels.waiting import question_key
from starloom_gui.widgets.click_guard import MILLISECONDS

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

OPTIONS = (Option("once", "Allow once"), Option("no", "Reject", allows=False))
DIFF = """--- a/tests/test_ring.py
+++ b/tests/test_ring.py
@@ -41,4 +41,6 @@
 def test_wraps(ring):
-    ring.push(range(8))
-    assert ring.read() == list(range(8))
+    ring.push(range(ring.size + 1))
+    assert ring.read() == list(range(1, ring.size + 1))
+    assert ring.label == "lab\u202ec"
"""
DIFF += "".join(f" # line {number} of what stays\n" for number in range(30))  # more than any font lets into the pane
WRITES = Question("box-coder wants to write 2 files", "permission", OPTIONS, DIFF, "diff", "write")
ALT = Qt.KeyboardModifier.AltModifier
RUNS = Question("triage wants to run a command", "permission", OPTIONS, "rm -rf build\n(in /srv/lab)", "command")


async def asks(task: Task, context: TaskContext) -> Any:
    answer = await context.ask(RUNS if task.id == "triage" else WRITES)
    return [answer.option, answer.note, answer.allowed]


def test_what_tasks_ask_waits_in_the_console_and_is_answered_there(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await orchestrator_of(console).fleet.add(InProcessDevice("box", handlers={"ask": asks}))
            run = await readied(console, plan([task(name, call="ask") for name in ("fix", "docs", "triage")]))
            pane = pane_of(console)
            console.actions["start"].trigger()
            await until(lambda: waiting(console).startswith("3 "))
            await until(lambda: console.notifications.notices.unseen >= 1)
            pane.show_request(question_key(1))
            await at_rest(console)
            page = pane.question
            assert page.isVisible()
            page.alike.setChecked(True)
            page.note.setText("fine")
            await until(lambda: page.area.verticalScrollBar().maximum() > 0)
            assert not page.buttons["once", True].isEnabled(), "not all of it was in sight"
            page.area.verticalScrollBar().setValue(page.area.verticalScrollBar().maximum())
            await until(lambda: page.buttons["once", True].isEnabled())
            page.buttons["once", True].click()
            await until(lambda: run.task("docs").status == "completed")
            await until(lambda: waiting(console).startswith("1 "))
            await run.cancel_tasks("triage")
            await until(lambda: not waiting(console))
            assert {run.results[name].value[1] for name in ("fix", "docs")} == {"fine"}

    desktop.run(main)


def test_what_would_be_waited_for_before_runs_go_on_elsewhere_says_that_it_waits_for_an_answer(
    desktop: Desktop,
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await orchestrator_of(console).fleet.add(InProcessDevice("box", handlers={"ask": asks}))
            run = await readied(console, plan([task("fix", name="Fix it", call="ask")]))
            console.actions["start"].trigger()
            await until(lambda: waiting(console).startswith("1 "))
            assert console._endings.interrupted_tasks() == ["Fix it (box, waits for your answer)"]
            await run.cancel()
            await until(lambda: run.state.has_ended)

    desktop.run(main)


def test_alt_and_a_letter_answer_while_the_keyboard_is_in_the_pane(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await orchestrator_of(console).fleet.add(InProcessDevice("box", handlers={"ask": asks}))
            run = await readied(console, plan([task(name, call="ask") for name in ("triage", "fix")]))
            pane = pane_of(console)
            console.actions["start"].trigger()
            await until(lambda: waiting(console).startswith("2 "))
            numbers = {one.task_id: one.number for one in questions_of(run.facts)}
            pane.show_request(question_key(numbers["triage"]))
            await at_rest(console)
            page, entries = pane.question, pane.entries
            reject, once = page.buttons["no", False], page.buttons["once", True]
            menus = {action.text() for action in console.window.menuBar().actions()}
            assert {"&Edit", "&Run"} <= menus
            assert (reject.text(), once.text()) == ("Re&ject", "All&ow once"), "others do something else, or are thin"
            await until(once.isEnabled)
            front(console).canvas.setFocus()
            QTest.keyClick(front(console).canvas, Qt.Key.Key_O, ALT)
            entries.setFocus()
            QTest.keyClick(entries, Qt.Key.Key_O)
            QTest.keyClick(entries, Qt.Key.Key_Return)
            await at_rest(console)
            assert waiting(console).startswith("2 "), "nothing of it answers; a letter alone finds"
            pane.show_request(question_key(numbers["triage"]))
            await asyncio.sleep(MILLISECONDS / 1000)
            QTest.keyClick(entries, Qt.Key.Key_O, ALT)
            await until(lambda: waiting(console).startswith("1 "))
            await until(lambda: entries.key == ("question", numbers["fix"]))
            for made in page.buttons.values():
                QTest.keyClick(entries, Qt.Key(ord(made.text().split("&")[1][0].upper())), ALT)
            await at_rest(console)
            assert waiting(console).startswith("1 "), "the letters were meant for the question before"
            await asyncio.sleep(MILLISECONDS / 1000)
            page.note.setFocus()
            QTest.keyClicks(page.note, "use a branch")
            QTest.keyClick(page.note, Qt.Key.Key_J, ALT)
            await until(lambda: not waiting(console))
            await until(lambda: len(run.results) == 2)
            assert run.results["triage"].value == ["once", "", True]
            assert run.results["fix"].value == ["no", "use a branch", False]

    desktop.run(main)
