"""The console reads a run through `RunView` and its tasks through `TaskView`, and knows no status as a bare number.

The arrays of `RunFacts` and the codes in them are read only where thousands of tasks are painted, sorted or counted at
once: in the rooms and modules listed here.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from tests.sources import CONSOLE, ENGINE, Source, parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

RAW = {
    "canvas": "paints every task of a run",
    "timeline": "paints every attempt of a run",
    "models": "tables page through 10,000 rows",
    "panels.grid": "paints every task of twenty runs",
    "panels.plots": "curves and distributions of every attempt of a run",
    "diff.difference_columns": "differences of every task of two runs, by which a table is sorted",
    "diff.task_times": "when every task of a run started and how long it ran, for these",
    "editing.legality": "what every task of a run allows, found at the begin of a gesture",
    "editing.preview": "a copy of a run with what is staged, which the canvas paints",
    "viewmodel.projected": "bars of every task that is foreseen, made in a thread",
    "viewmodel.staged_overlay": "copies of a run's arrays that the canvas paints",
    "viewmodel.status_forms": "counts the forms of every task with each picture",
    "theme.status_form": "gives the codes their members",
}
"""Rooms and modules that may read the arrays, each with what it reads them for."""

READS_FACTS = {
    "gateway": "hands on the facts of an engine",
    "time_travel": "hands on the facts of a moment",
    "documents": "makes the facts of a plan that is not started",
    "editing": "rehearses edits on copies of the facts",
    "diff": "compares the facts of two runs",
    "workspace": "hands the facts to canvas, timeline and tables",
    "viewmodel": "makes views of facts",
    "shell.plan_actions": "copies the facts of a run, to make a plan of them in a thread",
    "headless": "follows a run without a window",
}
"""Rooms besides the raw ones that may name `RunFacts`, each with why; panes, dialogs and the shell may not."""

CODES = "starloom.scheduling.state.codes"
ARRAYS = frozenset(
    {
        *("status", "unmet", "tries", "ready_at", "started_at", "ended_at", "device_of", "slot_of", "results"),
        *("priority", "spent", "pins", "backoff", "overdue", "reasons", "gates", "history"),
    }
)
"""What `RunFacts` has by number of task; of a view or a task these are no lists."""
OWN_NAMES = frozenset({"unmet", "tries", "device_of", "slot_of"})
"""Those of them that nothing else has."""
OF_PROCESSES = {"devices": "the exit status of a process is a number"}
"""Rooms of the engine where a status is something else."""
NUMBERED = frozenset({"status", "form", "with_status"})
"""What is compared with, asked for or looked up by a status."""


def modules(root: Path) -> dict[str, Source]:
    """Each module of a package by its name below it."""
    return {".".join(path.relative_to(root).with_suffix("").parts): source for path, source in parsed(root).items()}


def is_listed(name: str, listed: dict[str, str]) -> bool:
    """Whether a module, or a room it is in, is in a list."""
    parts = name.split(".")
    return any(".".join(parts[:count]) in listed for count in range(1, len(parts) + 1))


def raw_reads(source: Source) -> Iterator[str]:
    """Where a module imports codes of statuses or reads an array of the facts."""
    for node in source.nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            if node.module == CODES or f"{node.module}.{node.names[0].name}" == CODES:
                yield f"{node.lineno} imports codes"
        elif isinstance(node, ast.expr) and _is_read(node):
            yield f"{node.lineno} reads {ast.unparse(node)}"


def _is_read(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in OWN_NAMES or _is_of_facts(node)
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and _is_array(node.value)


def _is_of_facts(node: ast.Attribute) -> bool:
    """Whether it is the array of the statuses of something that is called a run or its facts."""
    if node.attr != "status":
        return False
    return ast.unparse(node.value).rpartition(".")[2].strip("_") in {"run", "facts"}


def _is_array(node: ast.Attribute) -> bool:
    """Whether it is called as an array of the facts; the inks of a palette are looked up by status, too."""
    if node.attr not in ARRAYS:
        return False
    owner = ast.unparse(node.value)
    return owner != "self" and not {"palette", "_colours()", "event"} & set(owner.split("."))


def names_facts(source: Source) -> Iterator[str]:
    """Where a module imports the facts of runs."""
    for node in source.nodes:
        if isinstance(node, ast.ImportFrom) and any(alias.name == "RunFacts" for alias in node.names):
            yield f"{node.lineno} imports RunFacts"


def bare_numbers(source: Source) -> Iterator[str]:
    """Where a status is a number instead of a member or a constant."""
    for node in source.nodes:
        if isinstance(node, ast.expr | ast.Assign):
            met = list(_met(node))
            if any(map(_is_status, met)) and any(map(_is_number, met)):
                yield f"{node.lineno} {ast.unparse(node)}"


def _met(node: ast.expr | ast.Assign) -> Iterator[ast.expr]:
    """What is compared with each other, looked up, searched for or assigned."""
    if isinstance(node, ast.Compare):
        yield from (node.left, *node.comparators)
    elif isinstance(node, ast.Call) and node.args and isinstance(node.func, ast.Attribute):
        yield node.func.value if node.func.attr in {"count", "find", "index"} else node.func
        yield node.args[0]
    elif isinstance(node, ast.Subscript) and _is_palette(node.value):
        yield from (node.value, node.slice)
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        yield from (node.targets[0], node.value)


def _is_palette(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "status" and "palette" in ast.unparse(node).lower()


def _is_status(node: ast.expr) -> bool:
    node = node.value if isinstance(node, ast.Subscript) else node
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name in NUMBERED


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.Set | ast.Tuple | ast.List):
        return any(map(_is_number, node.elts))
    return isinstance(node, ast.Constant) and type(node.value) is int


# ---- the console and the engine as they are


def found(find: Callable[[Source], Iterator[str]], package: Path, besides: dict[str, str]) -> dict[str, list[str]]:
    """What is found in the modules of a package that are not listed."""
    modules_besides = {name: source for name, source in modules(package).items() if not is_listed(name, besides)}
    return {name: places for name, source in modules_besides.items() if (places := list(find(source)))}


def test_arrays_and_codes_are_read_where_thousands_are_painted_alone() -> None:
    assert found(raw_reads, CONSOLE, RAW) == {}, "read tasks through RunView and TaskView"


def test_panes_dialogs_and_the_shell_do_not_name_the_facts() -> None:
    assert found(names_facts, CONSOLE, RAW | READS_FACTS) == {}, "they are given a RunView"


def test_no_status_is_a_bare_number() -> None:
    assert found(bare_numbers, CONSOLE, {}) == {}
    assert found(bare_numbers, ENGINE, OF_PROCESSES) == {}


def test_what_is_listed_is_there_and_reads_what_it_is_listed_for() -> None:
    names = {name for name, source in modules(CONSOLE).items() if any(names_facts(source))}
    reads = {name for name, source in modules(CONSOLE).items() if any(raw_reads(source))}
    for listed, needing in ((RAW, reads | names), (READS_FACTS, names)):
        for name in listed:
            assert any(is_listed(module, {name: ""}) for module in needing), f"{name} needs no place in the list"


# ---- the test can fail


@pytest.mark.parametrize(
    "planted",
    [
        "from starloom.scheduling.state.codes import FAILED",
        "from starloom.scheduling.state import codes",
        "def f(run, number):\n    return run.status[number]",
        "def f(run):\n    return run.status.count(FAILED)",
        "def f(self, number):\n    return self._run.started_at[number]",
        "def f(source, number):\n    return source.facts.results[number]",
        "def f(run):\n    return [device for device in run.device_of if device]",
    ],
)
def test_a_raw_read_is_found(planted: str) -> None:
    assert list(raw_reads(Source(planted)))


@pytest.mark.parametrize(
    "planted",
    [
        "palette.status[StatusForm.FAILED]",
        "self._appearance.palette.status[form]",
        "self._colours().status[StatusForm.FAILED]",
        "task.status is TaskStatus.FAILED",
        "device.status",
        "run.task(number).started_at",
        "event.reasons[0]",
    ],
)
def test_what_is_no_array_is_none(planted: str) -> None:
    assert list(raw_reads(Source(planted))) == []


@pytest.mark.parametrize(
    "planted",
    [
        "run.with_status(2)",
        "run.status[number] == 3",
        "2 < run.status[number]",
        "run.status[number] in {4, 5}",
        "run.status.count(4)",
        "palette.status[2].text",
        "self.mark.form == 8",
        "run.status[number] = 1",
    ],
)
def test_a_bare_number_is_found(planted: str) -> None:
    assert list(bare_numbers(Source(planted)))


@pytest.mark.parametrize(
    "planted", ["run.with_status(RUNNING)", "run.status[number] == COMPLETED", "len(run.status) == 3", "exit_code == 2"]
)
def test_a_named_status_is_no_bare_number(planted: str) -> None:
    assert list(bare_numbers(Source(planted))) == []


def test_naming_the_facts_is_found() -> None:
    assert list(names_facts(Source("from starloom.scheduling.state.run_facts import RunFacts")))
