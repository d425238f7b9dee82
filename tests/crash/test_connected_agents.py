"""A model and an agent of UFO, whose program is killed while they work. `make test-agents` tries it with 100 tasks.

Each of them notes what it was asked and what it has answered.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from tests.aip_server import SLOW, UfoServer
from tests.crash.harness import events_of
from tests.crash.sessions import PATIENCE, SLOTS, check_slots, start
from tests.integration.chat_server import BEGIN, InThread, Talk, end, piece

from starloom import events as ev
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from pathlib import Path

FEW = 16
TASKS = max(FEW, int(os.environ.get("STARLOOM_AGENT_SESSIONS", FEW)))
KILLS = 5 if TASKS > FEW else 1
KINDS = ("llm", "aip")
pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="programs are killed"),
    pytest.mark.timeout(120 + 5 * TASKS),
]


class Model(InThread):
    """A model that takes its time.

    Attributes:
        answered: the prompts of the answers that it has given to their end.
    """

    def __init__(self) -> None:
        super().__init__(self._answer)
        self.answered: list[str] = []

    async def _answer(self, talk: Talk) -> None:
        await talk.say(BEGIN + piece("so far\n"))
        await asyncio.sleep(SLOW)
        if not talk.is_left:
            await talk.say(piece(talk.prompt) + end(total_tokens=7))
            self.answered.append(talk.prompt)


def prompt_of(number: int) -> str:
    return f"slow t{number}"


def plan_of(model: Model, server: UfoServer) -> dict[str, Any]:
    options = {"llm": {"model": "m", "url": model.url}, "aip": {"url": server.url, "target": "dev"}}
    devices = [{"id": kind, "kind": kind, "slots": SLOTS, "options": options[kind]} for kind in KINDS]
    tasks = [{"id": f"t{n}", "prompt": prompt_of(n), "device": KINDS[n % 2], "timeout": PATIENCE} for n in range(TASKS)]
    return {"starloom": 1, "name": "connected", "devices": devices, "tasks": tasks}


def test_each_request_has_one_answer_or_its_attempt_was_interrupted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, model, dice = tmp_path / "run", Model(), Random(TASKS)
    folder.mkdir()
    with UfoServer() as server, model.stands():
        (folder / "plan.json").write_text(json.dumps(plan_of(model, server)))

        def asked() -> int:
            return len(model.talks) + len(server.of("task"))

        for _ in range(KILLS):
            program, before, deadline = start(folder, silent=True), asked(), time.monotonic() + PATIENCE
            try:
                while asked() < before + max(2, TASKS // (2 * KILLS)):
                    assert program.poll() is None, "it ended before it was killed"
                    assert time.monotonic() < deadline
                    time.sleep(0.01)
                time.sleep(dice.uniform(0, SLOW))
            finally:
                program.kill()
                program.communicate()
        program = start(folder, silent=True)
        _, err = program.communicate(timeout=PATIENCE + TASKS)
        assert program.returncode == 0, err.decode()
        requests = Counter(talk.prompt for talk in model.talks), Counter(one["request"] for one in server.of("task"))
        answers = Counter(model.answered), Counter(server.ended)
        cancelled = Counter(server.cancelled)
    events = events_of(folder)
    interrupted = Counter(one.task_id for one in events if isinstance(one, ev.TaskInterrupted))
    check_slots(events)
    run = fold(FoldedRun(events[0].run_id), events).run
    for number in range(TASKS):
        prompt, which = prompt_of(number), number % 2
        result = run.results[run.graph.place[f"t{number}"]]
        assert result is not None
        assert str(result.value).endswith(prompt), result
        assert 1 <= requests[which][prompt] <= 1 + interrupted[f"t{number}"], f"{prompt} was asked too often"
        assert 1 <= answers[which][prompt] <= requests[which][prompt]
        if KINDS[which] == "aip":
            assert answers[which][prompt] + cancelled[prompt] == requests[which][prompt], f"{prompt} goes on"
    with capsys.disabled():
        told = ", ".join(
            f"{kind}: {sum(requests[which].values())} requests, {sum(answers[which].values())} answers"
            for which, kind in enumerate(KINDS)
        )
        sys.stdout.write(f" {KILLS} kills, {sum(interrupted.values())} attempts interrupted; {told} ")
