"""A running task that asks a person, in the console over a real engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.driver import plan, task
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_agents import pane_of, readied, waiting
from tests.waiting import until

from starloom import InProcessDevice, Task, TaskContext
from starloom.model.question import Option, Question

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
WRITES = Question("box-coder wants to write 2 files", "permission", OPTIONS, DIFF, "diff", "write")
RUNS = Question("triage wants to run a command", "permission", OPTIONS, "rm -rf build\n(in /srv/lab)", "command")


async def asks(task: Task, context: TaskContext) -> Any:
    answer = await context.ask(RUNS if task.id == "triage" else WRITES)
    return [answer.option, answer.note, answer.allowed]


def test_what_tasks_ask_waits_in_the_console_and_is_answered_there(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await console.engine.fleet.add(InProcessDevice("box", handlers={"ask": asks}))
            run = await readied(console, plan([task(name, call="ask") for name in ("fix", "docs", "triage")]))
            pane = pane_of(console)
            console.actions["start"].trigger()
            await until(lambda: waiting(console).startswith("3 "))
            await until(lambda: console.notifications.notices.unseen >= 1)
            pane.show_question(1)
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
