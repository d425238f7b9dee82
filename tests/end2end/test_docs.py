"""The pages in docs: what they name exists, what they say of tests stands in tests, and their programs run."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
import typer.main

import starloom
from starloom import events
from starloom.agents.python import PythonAgent
from starloom.agents.rules import RuleAgent
from starloom.cli.app import app
from starloom.model.task import TASK_FIELDS
from starloom.observers import Observer
from starloom.orchestration.bus import EventBus
from starloom.orchestration.fleet import Fleet
from starloom.orchestration.subscription import Subscription
from starloom.orchestration.synchronizer import Synchronizer
from starloom.scheduling.read.counters import Counters
from starloom.settings import PREFIX, SchedulerSettings

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = ("seeds.md", "editing-while-running.md")
HOLDERS: Final[dict[str, type[Any]]] = {
    "orchestrator.events.": EventBus,
    "orchestrator.synchronizer.": Synchronizer,
    "orchestrator.fleet.": Fleet,
    "orchestrator.": starloom.Orchestrator,
    "run.": starloom.Run,
    "view.": starloom.AgentView,
}
"""What the names of objects on the pages are, the longest first."""
FIELDS: Final = (
    *(events.ConstellationModified, events.EditCycleClosed, events.TaskCompleted, Counters, Subscription),
    *(starloom.RunSummary, starloom.Device, starloom.AgentView, EventBus.subscribe, starloom.Run.edit),
    *(starloom.Run.set_fence, starloom.Agent, starloom.Orchestrator.start, starloom.Plan),
    *(Observer, starloom.Agent.propose, starloom.Run.attach, RuleAgent),
)
"""Where a name without a holder may be a field or an argument."""
VALUES: Final = frozenset(
    {str(value) for kind in (starloom.Placement, starloom.Fence, starloom.DependencyKind) for value in kind}
    | {
        str(value)
        for kind in (starloom.TaskStatus, starloom.RunState, starloom.ScopeKind, starloom.OnConflict)
        for value in kind
    }
    | {
        *("answered", "out_of_scope"),
        "timed_out",
        "interrupted",
        "drain",
        "cancel_pending",
        "now",
        "wrapped",
        "acp",
        "aip",
        "prompt",
        "/metrics",
    }
)
EXAMPLES: Final = frozenset({"a", "b", "a → b → a"})


def text(page: str) -> str:
    return (ROOT / "docs" / page).read_text(encoding="utf-8")


def names(page: str) -> list[str]:
    """What stands in back quotes; in rows that set a seed's names beside ours only what is ours."""
    found: list[str] = []
    for line in re.sub(r"^```.*?^```", "", text(page), flags=re.DOTALL | re.MULTILINE).splitlines():
        cells = line.strip("| ").split(" | ") if line.startswith("| ") else [line]
        is_row = page == "seeds.md" and len(cells) == 3 and re.match(r"[A-E]\d", cells[0])
        found += re.findall(r"`([^`]+)`", cells[2] if is_row else line)
    return list(dict.fromkeys(found))


def has(holder: Any, name: str) -> bool:
    """Whether there is such an attribute, field or argument, also one that is only given in `__init__`."""
    if inspect.isfunction(holder):
        return name in inspect.signature(holder).parameters
    return hasattr(holder, name) or f"self.{name}" in inspect.getsource(holder) or name in _annotated(holder)


def _annotated(holder: type[Any]) -> set[str]:
    return {name for base in holder.__mro__ for name in vars(base).get("__annotations__", {})}


def is_imported(path: str) -> bool:
    """Whether a dotted name leads somewhere."""
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for name in parts[length:]:
            if not hasattr(found, name):
                return False
            found = getattr(found, name)
        return True
    return False


def is_test(name: str) -> bool:
    path, _, test = name.partition("::")
    file = ROOT / path
    return file.exists() and (not test or f"def {test}(" in file.read_text(encoding="utf-8"))


def is_command(name: str) -> bool:
    """Whether `starloom …` is a command, or `make …` a target, with options that it has."""
    words = name.split()
    if words[0] == "make":
        return f"\n{words[1]}:" in (ROOT / "Makefile").read_text(encoding="utf-8")
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]  # it has several
    known = {option for one in commands.values() for parameter in one.params for option in parameter.opts}
    given = [word for word in words if word.startswith("--")]
    return (words[0] != "starloom" or words[1] in commands) and set(given) <= known


def exists(name: str) -> bool:
    """Whether what a page names is part of the program."""
    if name in VALUES | EXAMPLES:
        return True
    if name.startswith(("tests/", "docs/")):
        return is_test(name)
    if name.startswith(("starloom ", "make ", "--")):
        return is_command(name)
    if name.startswith("starloom."):
        return is_imported(name)
    if name.startswith("STARLOOM_"):
        return name.removeprefix(PREFIX).lower() in SchedulerSettings.model_fields
    if match := re.fullmatch(r"(\w+)(?:: |=).+", name):  # `fence: descendants` of a plan, `priority=80` of a call
        return match[1] in {*TASK_FIELDS, "prompt"} or any(has(one, match[1]) for one in FIELDS)
    holder = next((holder for holder in HOLDERS if name.startswith(holder)), None)
    bare = re.sub(r"\(.*\)$", "", name)
    if holder is not None:
        return has(HOLDERS[holder], re.split(r"[(.]", bare.removeprefix(holder))[0])
    if hasattr(starloom, bare) or hasattr(events, bare):
        return True
    if bare.startswith("async def "):
        return has(starloom.Agent, bare.removeprefix("async def ").split("(")[0])
    return any(has(one, bare) for one in FIELDS)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_only_what_exists(page: str) -> None:
    found = names(page)
    assert len(found) > 40
    assert [name for name in found if not exists(name)] == []


@pytest.mark.parametrize(
    "name",
    [
        *("starloom.observers.Observer5", "orchestrator.sumbit", "run.attaches", "STARLOOM_SCHEDULER_MAXIMUM"),
        *("tests/unit/test_settings.py::test_nothing_of_that_name", "tests/unit/test_nowhere.py", "--fences"),
        *("starloom runn --fence", "make bench-pears", "TaskStartled", "fense: descendants", "newly_ready_tasks"),
    ],
)
def test_what_does_not_exist_is_noticed(name: str) -> None:
    assert not exists(name)


def test_each_row_of_the_seeds_has_its_answer() -> None:
    rows = re.findall(r"^\| ((?:[A-E]\d+(?:, )?)+) \| .+ \| .+ \|$", text("seeds.md"), re.MULTILINE)
    numbers = [number for row in rows for number in row.split(", ")]
    assert sorted(numbers) == sorted(
        f"{seed}{number}"
        for seed, count in {"A": 45, "B": 33, "C": 35, "D": 39, "E": 33}.items()
        for number in range(1, count + 1)
    )


def test_the_links_between_the_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", text(page)):
            assert (ROOT / "docs" / target).exists(), f"{page} → {target}"


def test_the_python_agent_of_the_page_on_editing_does_what_is_said_of_it(tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", text("editing-while-running.md"), re.DOTALL | re.MULTILINE)
    function = next(block for block in blocks if block.startswith("def propose"))
    (tmp_path / "mine.py").write_text(function, encoding="utf-8")
    build = starloom.Task(id="build-x", simulate=starloom.Simulate(outcome="failed"))
    upload = starloom.Task(id="upload-x", simulate=starloom.Simulate())
    made = starloom.Plan(
        tasks=(build, upload),
        dependencies=(starloom.Dependency(parent="build-x", child="upload-x", kind=starloom.DependencyKind.ALWAYS),),
    )

    async def main() -> set[str]:
        async with starloom.Orchestrator([starloom.SimulatedDevice("s")]) as orchestrator:
            run = await orchestrator.start(made, paused=True)
            await run.attach(PythonAgent("mine:propose", cwd=tmp_path))
            await run.start()
            await run.finished()
            (agent,) = run.agents.values()
            assert (agent.errors, agent.proposed, agent.accepted) == (0, 2, 1)
            return set(run.facts.graph.place)

    assert asyncio.run(main()) == {"build-x", "look-x"}


def test_a45_the_seeds_race_runs_as_the_page_on_editing_says(tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", text("editing-while-running.md"), re.DOTALL | re.MULTILINE)
    program = tmp_path / "program.py"
    program.write_text(blocks[-1], encoding="utf-8")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    *starts, last = done.stdout.splitlines()
    assert sorted(starts) == ["starts: a", "starts: b2", "starts: c"]
    assert last == "revision 1 ['a', 'c', 'b2']"
