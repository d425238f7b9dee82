"""Edits of a large graph, from the step to its answer: of a plan, of a run at once, staged, and committed."""

from __future__ import annotations

import gc
import itertools
import os
import time
from typing import TYPE_CHECKING, Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication
from tests.benchmarks.measuring import Budget, Row, quantile, row
from tests.driver import Driver
from tests.gui.editing.run_editor_bench import RunEditorBench

from starloom.constellation.edits import AddDependency, AddTask, RemoveDependency, RemoveTask, UpdateTask
from starloom.model.dependency import Dependency
from starloom.model.task import Task
from starloom.testing import layered
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.editing.base import Mode, Step
from starloom_gui.editing.plan_editor import PlanEditor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.benchmarks.workloads import Sizes

    from starloom.constellation.edits import Edit

MILLI: Final = 1e3
TIMES: Final = 12
COMMIT: Final = Budget(50, absolute=True)


def edits(sizes: Sizes) -> Iterator[Row]:
    """All rows about edits. They count processor time: what else the machine does is no fault of an edit's."""
    application = QApplication.instance() or QApplication(["bench"])
    assert isinstance(application, QApplication)
    plan = layered(sizes.layers, sizes.width)
    count = len(plan.tasks)
    documents = OpenDocuments()
    editor = PlanEditor(documents, documents.put_plan(plan).key)
    yield from _rows(f"a plan of {count:,} tasks", sizes, lambda some: editor.do(Step(label="edit", edits=some)))
    yield from _taking_back(f"a plan of {count:,} tasks", editor.undo)
    for mode, name in ((Mode.LIVE, "at once"), (Mode.STAGED, "staged")):
        driver = Driver(checked=False)
        driver.create(plan)
        run = RunEditorBench(mode, driver=driver)
        yield from _rows(f"a run of {count:,} tasks, {name}", sizes, lambda some, run=run: run.do(*some))  # type: ignore[misc]
        yield from _taking_back(f"a run of {count:,} tasks, {name}", run.undo)
        if mode is Mode.STAGED:
            taken = [_timed(lambda run=run: (run.editor.staging.commit(), run.settle()))]  # type: ignore[misc]
            yield row("edits", f"committing all that is left of it, {count:,} tasks", "ms", taken, budget=COMMIT)


def _rows(what: str, sizes: Sizes, do: Callable[[tuple[Edit, ...]], object]) -> Iterator[Row]:
    for name, some in _kinds(sizes).items():
        gc.collect()
        taken = [_timed(lambda each=each: do(each)) for each in itertools.islice(some, TIMES)]  # type: ignore[misc]
        yield row("edits", f"{name}, {what}, p90", "ms", [quantile(taken, 0.9)], budget=COMMIT)


def _taking_back(what: str, undo: Callable[[], object]) -> Iterator[Row]:
    taken = [_timed(undo) for _ in range(TIMES)]
    yield row("edits", f"undo, {what}, p90", "ms", [quantile(taken, 0.9)], budget=COMMIT)


def _kinds(sizes: Sizes) -> dict[str, Iterator[tuple[Edit, ...]]]:
    """Edits of each kind, each of them about tasks that the others leave alone."""
    first, last, middle = 1, sizes.layers - 1, sizes.layers // 2
    places = range(sizes.width)
    names = [f"l{middle}-{place}" for place in places]
    new = [Task(id=f"new-{place}", call="noop") for place in places]
    links = [Dependency(parent=f"l{first}-{place}", child=f"l{last}-{place}") for place in places]
    return {
        "changing a field": ((UpdateTask(name, priority="high"),) for name in names),
        "adding a task behind another": (
            (AddTask(task), AddDependency(Dependency(parent=name, child=task.id)))
            for task, name in zip(new, names, strict=True)
        ),
        "adding a dependency": ((AddDependency(link),) for link in links),
        "removing a dependency": ((RemoveDependency(link.parent, link.child),) for link in links),
        "removing a task": ((RemoveTask(f"l{middle - 1}-{place}"),) for place in places),
    }


def _timed(do: Callable[[], object]) -> float:
    begun = time.process_time()
    do()
    return (time.process_time() - begun) * MILLI
