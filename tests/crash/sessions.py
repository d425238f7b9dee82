"""A run of many agents over a real sshd whose program is killed, and what must be true of it in the end.

Each agent notes what it says and hears in a file of its own, its dialogue. Most of them ask; the program is killed
while questions wait for an answer, and at moments of chance.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import psutil
from tests.crash.harness import events_of

from starloom import events as ev
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from tests.ssh_servers import OpensshServer

    from starloom.events import Event

AGENT: Final = Path(__file__).parents[1] / "acp_agent.py"
ROOT: Final = Path(__file__).parents[2]
SLOTS: Final = 4
ALLOWED: Final = ["once"] * 3
PATIENCE: Final = 120.0
"""Seconds in which a program, on a slow machine, has an agent ask something."""
PROMPTS: Final[tuple[tuple[str, tuple[str, Any]], ...]] = (
    ("hello", ("completed", "hello")),
    ("asks", ("completed", ALLOWED)),
    ("asks_and_stays", ("completed", ALLOWED)),
    ("dies", ("failed", "agent_ended")),
    ("asks_and_dies", ("failed", "agent_ended")),
    ("asks", ("completed", ALLOWED)),
    ("garbage", ("failed", "agent")),
    ("asks_and_stays", ("completed", ALLOWED)),
)
"""What agents are told, and what comes of that: the status, with the value or the code of the error."""


def plan_of(sessions: int, server: OpensshServer, folder: Path) -> dict[str, Any]:
    """So many prompts, as a native file, on an agent behind the server."""
    reached = {name: value for name, value in server.options().items() if name not in ("agent", "files_directory")}
    reached["cwd"] = reached.pop("working_directory")
    command = [sys.executable, "-I", "-S", "-u", str(AGENT)]
    options = {**reached, "key_agent": False, "grace": 0.3, "command": command}
    tasks: list[dict[str, Any]] = []
    for number in range(sessions):
        prompt, (status, _) = PROMPTS[number % len(PROMPTS)]
        env = {"ACP_DIALOGUES": str(folder / "dialogues"), "ACP_TASK": f"t{number}"}
        task: dict[str, Any] = {"id": f"t{number}", "prompt": prompt, "env": env, "timeout": PATIENCE}
        if status == "completed" and prompt != "hello":
            task["expects"] = {"type": "array", "items": {"enum": ["once"]}}
        tasks.append(task)
    device = {"id": "agents", "kind": "acp", "slots": SLOTS, "options": options}
    return {"starloom": 1, "name": "sessions", "devices": [device], "tasks": tasks}


# ---- programs


@dataclass
class Killed:
    """What happened to a run.

    Attributes:
        events: all events of its journal.
        dialogues: of its agents.
        kills: how many programs were killed before it had ended.
        open: for each kill, the tasks whose agents waited for an answer then.
    """

    events: list[Event] = field(default_factory=list)
    dialogues: list[Dialogue] = field(default_factory=list)
    kills: int = 0
    open: list[set[str]] = field(default_factory=list)


def run_and_kill(sessions: int, kills: int, server: OpensshServer, folder: Path) -> Killed:
    """Run the plan to its end by one more program than there are kills."""
    dice, found = Random(sessions), Killed()
    (folder / "dialogues").mkdir(parents=True)
    (folder / "plan.json").write_text(json.dumps(plan_of(sessions, server, folder)))
    for number in range(kills):
        is_silent = number % 2 == 0
        program = start(folder, silent=is_silent)
        try:
            _wait_for_agents(2 if is_silent else 0, folder, program)
            if not is_silent:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    program.wait(dice.uniform(0.0, sessions / 20))
            found.open.append({one.task for one in dialogues_in(folder) if one.waits and one.lives})
        finally:
            program.kill()
            _, err = program.communicate()
        assert program.returncode < 0, err.decode()
        found.kills += 1
    program = start(folder, silent=False)
    _, err = program.communicate(timeout=PATIENCE + 3 * sessions)
    assert program.returncode == 0, err.decode()
    found.events, found.dialogues = events_of(folder), dialogues_in(folder)
    return found


def start(folder: Path, *, silent: bool) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "tests.crash.sessions_engine", str(folder), *(["silent"] if silent else [])]
    env = {**os.environ, "STARLOOM_SETTINGS": os.devnull}
    return subprocess.Popen(words, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def _wait_for_agents(count: int, folder: Path, program: subprocess.Popen[bytes]) -> None:
    """Return when this program has started an agent, and so many wait for answers to what the journal has."""
    before = {one.name for one in dialogues_in(folder)}
    deadline = time.monotonic() + PATIENCE
    while program.poll() is None:
        assert time.monotonic() < deadline, "nobody asks anything"
        new = [one for one in dialogues_in(folder) if one.name not in before]
        waiting = {one.task for one in new if one.waits and one.lives}
        if new and len(waiting) >= count:
            asked = {one.task_id for one in events_of(folder) if isinstance(one, ev.QuestionAsked)}
            if len(waiting & asked) >= count:
                return
        time.sleep(0.05)


# ---- what the agents have noted


class Dialogue(NamedTuple):
    """What one agent has said and heard.

    Attributes:
        name: of its file.
        task: its task.
        began: when, in nanoseconds.
        pid: of its process.
        asked: the ids of its requests.
        answered: the ids of the answers to them.
    """

    name: str
    task: str
    began: int
    pid: int
    asked: Counter[int]
    answered: Counter[int]

    @property
    def waits(self) -> bool:
        return self.asked != self.answered

    @property
    def lives(self) -> bool:
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(self.pid)
            return str(AGENT) in process.cmdline() and process.status() != psutil.STATUS_ZOMBIE
        return False


def dialogues_in(folder: Path) -> list[Dialogue]:
    """All of them, the earliest first."""
    return sorted(map(_read, (folder / "dialogues").iterdir()), key=lambda one: one.began)


def end_all(folder: Path) -> None:
    """End what a test has left that failed."""
    for one in dialogues_in(folder):
        if one.lives:
            with contextlib.suppress(psutil.Error):
                psutil.Process(one.pid).kill()


def _read(path: Path) -> Dialogue:
    task, began, pid = path.name.split("-")
    asked: Counter[int] = Counter()
    answered: Counter[int] = Counter()
    for line in path.read_bytes().splitlines():
        with contextlib.suppress(ValueError):  # not written to its end
            message = json.loads(line[2:])
            if line.startswith(b"> ") and "method" in message and "id" in message:
                asked[message["id"]] += 1
            elif line.startswith(b"< ") and "method" not in message:
                answered[message["id"]] += 1
    return Dialogue(path.name, task, int(began), int(pid), asked, answered)


# ---- what must be true


def check(found: Killed, sessions: int) -> None:
    """Fail if a request was lost or answered twice, a slot not accounted for, or an outcome is another one."""
    check_outcomes(found, sessions)
    check_answers(found)
    check_questions(found)
    check_slots(found.events)
    assert not [one for one in found.dialogues if one.lives]


def check_outcomes(found: Killed, sessions: int) -> None:
    run = fold(FoldedRun(found.events[0].run_id), found.events).run
    for number in range(sessions):
        task = run.graph.place[f"t{number}"]
        result = run.results[task]
        assert result is not None, number
        came_to = result.value if result.error is None else result.error.code
        assert (run.status_of(task).value, came_to) == PROMPTS[number % len(PROMPTS)][1], (number, result.error)


def check_answers(found: Killed) -> None:
    """Each request has exactly one answer, or its attempt was interrupted, or its agent died before one came."""
    interrupted = Counter(one.task_id for one in found.events if isinstance(one, ev.TaskInterrupted))
    of_task: dict[str, list[Dialogue]] = {}
    for one in found.dialogues:
        of_task.setdefault(one.task, []).append(one)
        assert set(one.answered) <= set(one.asked), f"{one.name} was answered what it has not asked"
        assert max(one.answered.values(), default=1) == max(one.asked.values(), default=1) == 1, one.name
    for task, dialogues in of_task.items():
        *earlier, last = dialogues
        assert len(earlier) <= interrupted[task], f"{task} began {len(dialogues)} times"
        dies = PROMPTS[int(task[1:]) % len(PROMPTS)][0] == "asks_and_dies"
        assert last.asked == last.answered or dies, f"{last.name} waits for ever"


def check_questions(found: Killed) -> None:
    """Each question ends once; one that was open at a kill is withdrawn with its attempt, and is asked again."""
    asked = {one.number: one for one in found.events if isinstance(one, ev.QuestionAsked)}
    ends = Counter(one.number for one in found.events if isinstance(one, ev.QuestionAnswered | ev.QuestionWithdrawn))
    assert set(ends) <= set(asked)
    assert max(ends.values()) == 1
    over = ev.TaskInterrupted | ev.TaskCompleted | ev.TaskFailed
    ended = {(one.task_id, one.attempt): one for one in found.events if isinstance(one, over)}
    for number, one in asked.items():
        end = ended[one.task_id, one.attempt]
        assert end.seq > one.seq
        assert number in ends or not isinstance(end, ev.TaskCompleted), "a question is open, and its task completed"
    for kill, tasks in enumerate(found.open):
        for task in tasks:
            attempts = {one.attempt for one in asked.values() if one.task_id == task}
            interrupted = {n for n in attempts if isinstance(ended[task, n], ev.TaskInterrupted)}
            assert interrupted, f"kill {kill}: {task} waited for an answer, and its attempt was not interrupted"
            assert attempts - interrupted, f"kill {kill}: {task} has not asked again"


def check_slots(events: list[Event]) -> None:
    """No slot has two attempts at once, none is unknown, and in the end none is taken."""
    taken: dict[tuple[str, int], str] = {}
    over = ev.TaskInterrupted | ev.TaskCompleted | ev.TaskFailed | ev.TaskCancelled | ev.TaskRetryScheduled
    for event in events:
        if isinstance(event, ev.TaskStarted):
            assert event.slot in range(SLOTS)
            slot = event.device_id, event.slot
            assert slot not in taken, f"{event.task_id} was given the slot of {taken[slot]}"
            taken[slot] = event.task_id
        elif isinstance(event, over):
            taken = {slot: task for slot, task in taken.items() if task != event.task_id}
    assert not taken, f"taken in the end: {taken}"


def figures(found: Killed) -> str:
    """What there was, for whoever runs it."""
    asked, answered = (
        sum(sum(counts.values()) for counts in all_of)
        for all_of in zip(*((one.asked, one.answered) for one in found.dialogues), strict=True)
    )
    interrupted = sum(isinstance(one, ev.TaskInterrupted) for one in found.events)
    waited = sum(map(len, found.open))
    return (
        f"{len(found.dialogues)} sessions, {found.kills} kills with {waited} agents that waited, "
        f"{interrupted} attempts interrupted, {asked} requests, {answered} answers"
    )
