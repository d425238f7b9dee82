"""One run of a real plan that is killed at random moments and taken up again, and what must be true of it in the end.

Each task is a shell script that notes its beginning and its end, with its process id, in a file of side effects. A
script that finds an earlier attempt of its task still alive notes that as well.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Final

from starloom.devices.marker import read_marker
from starloom.events import TaskCompleted, TaskFailed, TaskInterrupted
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.events import Event

MOST_KILLS: Final = 4
PATIENCE: Final = 60.0
SCRIPT: Final = """\
effects=$1; task=$2; seconds=$3; code=$4
for pid in $(sed -n "s/^begin $task \\([0-9]*\\)$/\\1/p" "$effects"); do
  if tr '\\0' ' ' 2>/dev/null < "/proc/$pid/cmdline" | grep -q " $task $seconds "; then
    echo "overlap $task $pid" >> "$effects"
  fi
done
echo "begin $task $$" >> "$effects"
sleep "$seconds"
echo "end $task $$" >> "$effects"
echo "{\\"task\\": \\"$task\\"}"
exit "$code"
"""


@dataclass
class Disturbed:
    """What happened to one run.

    Attributes:
        kills: how many times its program was killed before it had ended.
        final: the last fold of its journal.
        events: all events of its journal.
        effects: the lines of side effects.
        settled: for each task known to have ended at a kill, by its journal or its marker, how many lines there were.
    """

    final: FoldedRun
    events: list[Event]
    effects: list[str]
    kills: int = 0
    settled: dict[str, int] = field(default_factory=dict)


HERE: Final[dict[str, Any]] = {"id": "here", "slots": 3}
"""The device of a plan if none is given: this machine."""


def plan_of(seed: int, folder: Path, device: dict[str, Any]) -> dict[str, Any]:
    """A random plan of 8 to 20 scripts, as a native file: some fail, and some of those are tried again."""
    dice = Random(seed)
    script = folder / "script.sh"
    script.write_text(SCRIPT)
    tasks: list[dict[str, Any]] = []
    for number in range(dice.randint(8, 20)):
        name = f"t{number}"
        longest = 1.2 if dice.random() < 0.3 else 0.2  # some outlast the start of the next program
        seconds = f"{dice.uniform(0.005, longest):.3f}"
        code = "3" if dice.random() < 0.15 else "0"
        needs = dice.sample([task["id"] for task in tasks], min(len(tasks), dice.choice([0, 1, 1, 2])))
        task: dict[str, Any] = {"id": name, "command": ["/bin/sh", str(script), str(folder / "effects"), name, seconds]}
        task["command"].append(code)
        if needs:
            task["needs"] = needs
        if dice.random() < 0.3:
            task["retry"] = dice.choice([1, {"attempts": 2, "delay": 0.05}])
        tasks.append(task)
    return {"starloom": 1, "name": f"crash {seed}", "devices": [device], "tasks": tasks}


def undisturbed(seed: int, folder: Path, device: dict[str, Any] = HERE) -> Disturbed:
    """The plan run to its end in peace."""
    return _run(seed, folder, device, kills=0)


def disturbed(seed: int, folder: Path, device: dict[str, Any] = HERE) -> Disturbed:
    """The plan run to its end by as many programs as it takes."""
    return _run(seed, folder, device, kills=Random(f"{seed} kills").randint(1, MOST_KILLS))


def _run(seed: int, folder: Path, device: dict[str, Any], *, kills: int) -> Disturbed:
    dice = Random(f"{seed} moments")
    folder.mkdir()
    (folder / "effects").touch()
    (folder / "plan.json").write_text(json.dumps(plan_of(seed, folder, device)))
    result = Disturbed(final=FoldedRun(""), events=[], effects=[])
    for _ in range(kills):
        # Half of those that take the run up are killed at any moment of that, before they have committed anything, and
        # half of the others right after a commit, when what it ordered is about to be done.
        is_early = journal_of(folder) is not None and dice.random() < 0.5
        longest = 2.0 if is_early else dice.choice([0.02, 0.5])
        if _run_until_killed(folder, dice.uniform(0.0, longest), is_early=is_early):
            result.kills += 1
        note_what_is_settled(folder, result)
    _run_to_the_end(folder)
    result.effects = effects_of(folder)
    result.events = events_of(folder)
    result.final = fold(FoldedRun(result.events[0].run_id), result.events)
    return result


def reach(journal: Path, device: dict[str, Any]) -> None:
    """Have another program with this journal reach the device, for a run of its own."""
    plan = journal.parent / "reach.json"
    plan.write_text(json.dumps({"starloom": 1, "devices": [device], "tasks": {"reach": {"shell": "true"}}}))
    words = ("run", str(plan), "--journal", str(journal), "--quiet")
    env = {**os.environ, "STARLOOM_SETTINGS": os.devnull}
    subprocess.run([sys.executable, "-m", "starloom.cli", *words], env=env, check=True, capture_output=True)


# ---- programs


def _start(folder: Path) -> subprocess.Popen[bytes]:
    begun = journal_of(folder) is not None
    what = ["resume"] if begun else ["run", str(folder / "plan.json")]
    return subprocess.Popen(
        [sys.executable, "-m", "starloom.cli", *what, "--journal", str(folder / "journal"), "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "STARLOOM_SETTINGS": os.devnull},
    )


def _run_until_killed(folder: Path, seconds: float, *, is_early: bool) -> bool:
    """Kill a program so many seconds after it has committed something, or was started; whether it still ran."""
    before = _size(folder)
    program = _start(folder)
    try:
        deadline = time.monotonic() + PATIENCE
        while not is_early and _size(folder) == before and program.poll() is None:
            assert time.monotonic() < deadline, "it commits nothing"
            time.sleep(0.001)
        with suppress(subprocess.TimeoutExpired):
            program.wait(seconds)
    finally:
        program.kill()
        program.communicate()
    return program.returncode < 0


def _run_to_the_end(folder: Path) -> None:
    program = _start(folder)
    out, err = program.communicate(timeout=PATIENCE)
    assert program.returncode in (0, 1, 2), (program.returncode, out, err)
    if program.returncode == 2:
        assert b"was interrupted" in err, err  # nothing was: it had ended when its program was killed


def journal_of(folder: Path) -> Path | None:
    found = [path for path in folder.glob(f"journal/runs/*/{JOURNAL}") if _has_begun(path)]
    return found[0] if found else None


def _has_begun(path: Path) -> bool:
    return next(iter(events_in(path)), None) is not None


def _size(folder: Path) -> int:
    total = 0
    for path in folder.glob("journal/runs/*/journal.db*"):
        with suppress(FileNotFoundError):  # SQLite makes and removes some as it goes
            total += path.stat().st_size
    return total


# ---- what is found


def events_in(path: Path) -> list[Event]:
    try:
        with StreamFile(path, read_only=True) as file:
            return list(file.committed())
    except Exception:  # killed while it was being made: there is nothing in it
        if path.stat().st_size > 16_384:
            raise
        return []


def events_of(folder: Path) -> list[Event]:
    path = journal_of(folder)
    return [] if path is None else events_in(path)


def effects_of(folder: Path) -> list[str]:
    return (folder / "effects").read_text().splitlines()


def note_what_is_settled(folder: Path, result: Disturbed) -> None:
    path = journal_of(folder)
    if path is None:
        return
    ended = {event.task_id for event in events_in(path) if isinstance(event, TaskCompleted | TaskFailed)}
    for marker in path.parent.glob("attempts/*.marker"):
        if marker.is_file() and _completed(marker):  # that of an attempt that was taken back is a folder
            ended.add(marker.name.split("-")[0])
    lines = len(effects_of(folder))
    for task in ended:
        result.settled.setdefault(task, lines)


def _completed(marker: Path) -> bool:
    """Whether it says that its task completed: one that failed may be tried again."""
    found = read_marker(str(marker))
    return found is not None and found.code == 0


def check(result: Disturbed, peaceful: Disturbed) -> None:
    """Fail if anything was lost, run twice, or turned out otherwise than in peace."""
    assert not [line for line in result.effects if line.startswith("overlap")]
    for task, lines in result.settled.items():
        again = [line for line in result.effects[lines:] if line.startswith(f"begin {task} ")]
        assert not again, f"{task} had ended, and began again: {again}"
    assert _picture(result) == _picture(peaceful)
    begun = Counter(line.split()[1] for line in result.effects if line.startswith("begin"))
    interrupted = Counter(event.task_id for event in result.events if isinstance(event, TaskInterrupted))
    for task, count in Counter(_begun_in_peace(peaceful)).items():
        assert count <= begun[task] <= count + interrupted[task], f"{task} ran {begun[task]} times"


def _begun_in_peace(peaceful: Disturbed) -> list[str]:
    return [line.split()[1] for line in peaceful.effects if line.startswith("begin")]


def _picture(result: Disturbed) -> dict[str, Any]:
    """How everything ended: state, and of each task status, value, exit code, output and attempts that count."""
    run = result.final.run
    tasks = {}
    for number, task in run.graph.present():
        ended = run.results[number]
        attempts = [one.status for one in run.attempts(number) if one.status != "interrupted"]
        told = None if ended is None else (ended.value, ended.exit_code, ended.output, ended.error and ended.error.code)
        tasks[task.id] = (run.status_of(number).value, told, attempts)
    return {"state": run.state, "tasks": tasks}
