"""Golden journals: runs as earlier versions wrote them, and what they must fold to for ever.

`python tests/replay/golden.py` writes those of today's format, once: a folder `golden/format-N` with a journal for each
story and `pictures.json`. A file that is there is never written again; a new format gets a folder of its own beside it.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.driver import RUN, Driver, as_journalled, edge, plan, task

from starloom.constellation.edits import AddDependency, AddTask, RemoveTask, UpdateTask
from starloom.events import FORMAT_VERSION
from starloom.journal.stream_file import StreamFile
from starloom.model.plan import Limits
from starloom.model.result import ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.model.status import Severity, TaskStatus
from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.stimuli import AttemptEnded, AttemptWarned, AttemptWorkEndNoticed, LateEndNoticed
from starloom.testing import layered

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.events import Event
    from starloom.model.dependency import Dependency

FOLDER: Final = Path(__file__).parent / "golden"
PICTURES: Final = "pictures.json"


# ---- stories


def plain() -> Driver:
    """A plan of layers in which everything completes."""
    driver = Driver(slots=4, checked=False)
    driver.create(layered(6, 8))
    driver.end_all()
    return driver


def eventful() -> Driver:
    """A bit of everything: every kind of dependency, failures, retries, edits, all commands."""
    driver = Driver(slots=2, devices=("d", "é ☃"), checked=False)
    tasks = [
        task("a", name="Ä", priority=80, groups=("g",), retry={"attempts": 2, "delay": 5, "backoff": "exponential"}),
        task("b", command=["echo", "${a.value.x}"], env={"K": "v"}, timeout=90, estimate=2.5),
        task("c", shell="exit 1", severity="warning", metadata={"deep": [1, {"x": None}], "big": 2**70}),
        task("d", python="json:dumps", inputs={"obj": [1.5, "ü"]}, device="d", on_interrupt="ask"),
        task("e", simulate={"duration": 3, "value": {"y": 1}}, requires=frozenset({"gpu"}), join="any"),
        task("f", prompt="Say hello", device={"prefer": "d"}, tips=("one", "two"), cwd="/"),
        task("g1"),
        task("g2"),
    ]
    edges: list[str | Dependency] = [
        "a>b",
        "b>c>always",
        "a>d>failure",
        edge("a", "e", condition="value.x > 1"),
        "c>f>always",
    ]
    story = replace(plan(tasks, edges, Limits(max_concurrency=3, groups={"g": 1})), overdue_factor=0.0)
    driver.create(story, hold_open=True, wall_time=1.7e9)
    driver.now = 1.0
    driver.fail("a")
    driver.advance(5.0)
    driver.end("a", value={"x": 2, "float": 0.1, "text": "é☃", "large": 2**80})
    driver.edit(AddTask(task("n", metadata={"why": "an edit"})), AddDependency(edge("b", "n")), reason="one more")
    receipt = driver.edit(UpdateTask("n", priority=10, timeout=3.5), AddTask(task("gone")))
    driver.edit(RemoveTask("gone"))
    assert receipt.revision == 2
    driver.ask(c.HoldTasks, "f")
    driver.ask(c.PinTasks, "n", device_id="d")
    driver.ask(c.SetPriority, "n", priority="high")
    driver.do(c.SetLimits(max_concurrency=5, groups={"g": 2}, origin="operator"))
    driver.do(c.PauseRun(run_id=RUN, reason="lunch"))
    driver.advance(60.0)
    driver.do(c.ResumeRun(run_id=RUN))
    for name in ("b", "g1"):
        if (RUN, name) in driver.ordered:
            driver.end(name, value=[None, True], exit_code=0, output="last lines\n", output_length=11)
    driver.ask(c.ReleaseTasks, "f")
    driver.ask(c.CancelTasks, "g2", reason="not wanted")
    driver.end("g2", stopped=True)
    for _ in range(20):
        for run, name in list(driver.ordered):
            driver.end(name, run, ok=name != "c")
        driver.advance(1.0)
    driver.ask(c.MarkTasks, "d", status=TaskStatus.COMPLETED, value="by hand")
    driver.do(c.RerunFrom(run_id=RUN, task_id="n"))
    driver.end_all()
    driver.do(c.HoldRunOpen(run_id=RUN, hold_open=False))
    driver.end_all()
    return driver


def taken_up() -> Driver:
    """A run that three programs have worked on."""
    driver = Driver(slots=2, checked=False)
    driver.create(plan([task("a"), task("b", on_interrupt="fail"), task("x", retry=1), "y"], ["a>y", "x>y>always"]))
    for now in (100.0, 3.0):
        heir = Driver(devices=("other",), checked=False)
        heir.now = now
        stream = stream_of(driver)
        heir.inherit(stream)
        error = ErrorInfo(code="exit_code", message="exit code 3", detail="a trace")
        known = Outcome(OutcomeStatus.FAILED, Result(exit_code=3, output="oh", output_file="x-1.log", error=error))
        facts = fold(FoldedRun(RUN), stream).run
        recover = c.RecoverRun(run_id=RUN, facts=facts, outcomes={"x": known}, last_at=stream[-1].at, wall_time=now)
        heir.do(recover)
        heir.advance(1.0)
        driver = heir
    driver.end_all()
    return driver


def noticed() -> Driver:
    """Failures that say how bad they are, warnings, and attempts that are overdue; one still runs."""
    driver = Driver(slots=3, checked=False)
    tasks = [
        task("soft", shell="exit 75", severity={75: "warning", "else": "critical"}),
        task("hard", severity="warning"),
        task("slow", estimate=10.0),
        task("late", estimate=5.0),
    ]
    driver.create(replace(plan(tasks, ["soft>late"]), modification_timeout=1200.0, overdue_factor=2.0), wall_time=1.7e9)
    driver.do(c.SetLimits(modification_timeout=90.0, overdue_factor=4.0))
    driver.turn(AttemptWarned(RUN, "hard", 1, "the disk is nearly full"))
    driver.now = 1.0
    error = ErrorInfo(code="exit_code", message="exit code 75")
    _fail(driver, "soft", Result(exit_code=75, error=error))
    driver.now = 2.0
    _fail(driver, "hard", Result(error=ErrorInfo(code="exception", message="no", severity=Severity.ERROR)))
    driver.advance(30.0)
    driver.end("slow")
    return driver


def late() -> Driver:
    """Ends that were found out late: of an attempt that was given up, known and unknown durations; then a retry."""
    driver = Driver(slots=4, checked=False)
    driver.create(plan([task("given_up", retry=1), "timed", "untimed", "failed"]), wall_time=1.7e9)
    driver.advance(10.0)
    driver.end("given_up", lost=True)
    driver.advance(10.0)
    driver.turn(LateEndNoticed(RUN, "given_up", 1, "d", 0, 4.0))
    for name, ago in (("timed", 15.0), ("untimed", None)):
        attempt = driver.ordered.pop((RUN, name)).attempt
        driver.turn(AttemptEnded(RUN, name, attempt, Outcome(ended_ago=ago)))
    driver.fail("failed")
    driver.end("given_up")
    driver.advance(500.0)
    driver.ask(c.RetryTasks, "failed")
    driver.advance(1.0)
    driver.end_all()
    return driver


def brought() -> Driver:
    """Work that ended before its output and files are here: of a task that has completed, and of one that runs."""
    driver = Driver(slots=1, checked=False)
    files: Any = {"send": ["data"], "fetch": [{"from": "out", "to": "results/out"}]}
    driver.create(plan([task("first", shell="x", files=files), task("second", shell="y"), "after"], ["first>after"]))
    for name, now in (("first", 5.0), ("second", 20.0)):
        driver.now = now
        driver.turn(AttemptWorkEndNoticed(RUN, name, 1))
        if name == "first":
            driver.now = 9.0
            attempt = driver.ordered.pop((RUN, name)).attempt
            driver.turn(AttemptEnded(RUN, name, attempt, Outcome(ended_ago=4.0)))
    return driver


def _fail(driver: Driver, name: str, result: Result) -> None:
    start = driver.ordered.pop((RUN, name))
    driver.turn(AttemptEnded(RUN, name, start.attempt, Outcome(OutcomeStatus.FAILED, result)))


STORIES: Final[dict[str, Callable[[], Driver]]] = {
    "plain": plain,
    "eventful": eventful,
    "taken_up_later": taken_up,  # "taken_up" is from before a program began a microsecond after the one before it
    "noticed": noticed,
    "late": late,
    "brought": brought,
}


# ---- pictures


def stream_of(driver: Driver) -> list[Event]:
    return [as_journalled(event) for event in driver.events if event.run_id == RUN]


def picture(view: FoldedRun) -> dict[str, Any]:
    """What a run came to, in words that no later version may change."""
    run = view.run
    return {
        "state": str(run.state),
        "revision": run.revision,
        "seq": run.seq,
        "graph": _graph_picture(run.graph.canonical_bytes()),
        "sessions": len(run.sessions),
        "limit": run.limit,
        "held": sorted(run.graph.ids[number] for number in run.held),
        "pins": {run.graph.ids[number]: device for number, device in sorted(run.pins.items())},
        "devices": {device.id: device.slots for device in view.fleet.devices.values()},
        "tasks": {task.id: _task_picture(view, number) for number, task in run.graph.present()},
    }


LATER: Final[dict[str, Any]] = {
    "gate": None,
    "breakpoint": False,
    "bypass": False,
    "files": {"send": [], "fetch": []},
    "expects": None,
    "permissions": None,
}
"""Fields of tasks that came after the first pictures, with their defaults: a picture says them only otherwise."""


def _graph_picture(canonical: bytes) -> str:
    tasks, edges = json.loads(canonical)
    for _, fields in tasks:
        for name, default in LATER.items():
            if fields[name] == default:
                del fields[name]
        if fields["on_interrupt"] == "reattach":  # nobody named it, so today's default holds; it was another one then
            fields["on_interrupt"] = "rerun"
    return json.dumps([tasks, edges], ensure_ascii=False, separators=(",", ":"))


def _task_picture(view: FoldedRun, number: int) -> dict[str, Any]:
    run = view.run
    result = run.results[number]
    told = None
    if result is not None:
        error = None if result.error is None else [result.error.code, result.error.message, result.error.detail]
        told = [result.value, result.exit_code, result.output, result.output_length, result.output_file, error]
    return {
        "status": str(run.status_of(number)),
        "priority": run.priority[number],
        "result": told,
        "reason": run.reasons.get(number),
        "attempts": [
            [one.number, one.device_id, one.slot, one.status, round(one.started, 6), one.ended and round(one.ended, 6)]
            for one in run.attempts(number)
        ],
    }


def turns_of(driver: Driver) -> list[list[Event]]:
    """The run's events of each turn; what it inherited from an earlier program comes first, event by event."""
    turns = [[as_journalled(event) for event in turn.events if event.run_id == RUN] for turn in driver.turns]
    told = [turn for turn in turns if turn]
    first = told[0][0].seq
    return [*([event] for event in stream_of(driver) if event.seq < first), *told]


def main() -> None:
    """Write what is not there yet."""
    folder = FOLDER / f"format-{FORMAT_VERSION}"
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {}
    for name, story in STORIES.items():
        driver = story()
        path = folder / f"{name}.db"
        if not path.exists():
            with StreamFile(path, RUN) as file:
                for turn in turns_of(driver):
                    file.commit(turn)
            path.with_name(f"{name}.db.lock").unlink()
        pictures[name] = picture(fold(FoldedRun(RUN), stream_of(driver)))
    known = json.loads((folder / PICTURES).read_text(encoding="utf-8")) if (folder / PICTURES).exists() else {}
    text = json.dumps(pictures | known, indent=1, sort_keys=True, ensure_ascii=False)
    (folder / PICTURES).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
