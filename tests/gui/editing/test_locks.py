"""Which tasks can be changed while edits are staged: the locks of all of them, and of one, say the same."""

from __future__ import annotations

from tests.driver import RUN
from tests.gui.editing.run_editor_bench import RunEditorBench

from starloom.constellation.edits import RemoveTask
from starloom.scheduling import commands as c
from starloom_gui.editing.base import Mode
from starloom_gui.editing.legality import Lock, lock_of, locks


def test_a_task_whose_removal_is_staged_is_not_locked_though_it_gets_ready() -> None:
    bench = RunEditorBench(Mode.STAGED)
    bench.do(RemoveTask("b"), label="Remove b")
    bench.driver.do(c.PauseRun(run_id=RUN))
    bench.driver.end("a")
    bench.tell()
    facts = bench.editor.facts()
    assert facts is not None
    known = locks(facts)
    for number in range(len(facts.status)):
        assert lock_of(facts, number) is known.get(number, Lock.OPEN), facts.graph.ids[number]
    assert lock_of(facts, bench.run().graph.place["b"]) is Lock.OPEN
