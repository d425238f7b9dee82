"""What the tests of agents as devices share: scripted agents, contexts that answer questions, what was heard."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.local_harness import BOUND
from typing_extensions import override

from starloom.devices.acp import AcpDevice
from starloom.devices.base import TaskContext
from starloom.model.question import Answer, Question
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starloom.model.result import ErrorInfo, Outcome

AGENT = Path(__file__).parents[1] / "acp_agent.py"
YES = Answer("once", allowed=True)
NO = Answer("no")


class Context(TaskContext):
    """The context of one attempt: what was said, and what was asked, which a function answers."""

    def __init__(self, answering: Callable[[Question], Answer | None] = lambda _: NO, **more: Any) -> None:
        self.said: list[str] = []
        self.shares: list[tuple[float, str]] = []
        self.asked: list[Question] = []
        self.spoke = asyncio.Event()
        self.answering = answering
        super().__init__("run 1", "t", 1, "dev", 0, emit=self._hear, progress=self._note, **more)

    def _hear(self, text: str, stream: str) -> None:
        self.said.append(text)
        self.spoke.set()

    def _note(self, share: float, note: str) -> None:
        self.shares.append((share, note))

    @property
    def text(self) -> str:
        return "".join(self.said)

    @override
    async def ask(self, question: Question) -> Answer:
        self.asked.append(question)
        self.spoke.set()
        answer = self.answering(question)
        if answer is None:
            await asyncio.Event().wait()
        assert answer is not None
        return answer


def device(*manner: str, **options: Any) -> AcpDevice:
    command = [sys.executable, "-I", "-S", "-u", str(AGENT), *manner]
    return AcpDevice("dev", command=command, **{"grace": 1.0, "slots": 4, **options})


def on(there: AcpDevice, scenario: Callable[[], Awaitable[Any]]) -> Any:
    """Run the scenario while the device is connected, within the bound."""

    async def within_bound() -> Any:
        async with asyncio.timeout(BOUND):
            await there.connect()
            try:
                return await scenario()
            finally:
                await there.disconnect()

    return asyncio.run(within_bound())


def outcome_of(there: AcpDevice, prompt: str = "hello", context: Context | None = None, **fields: Any) -> Outcome:
    async def run() -> Outcome:
        return await there.run(Task(id="t", prompt=prompt, **fields), context or Context())

    return on(there, run)  # type: ignore[no-any-return]


def error_of(outcome: Outcome) -> ErrorInfo:
    assert outcome.result.error is not None, outcome
    assert outcome.result.error.message.endswith((".", "]", "memory", "model")), outcome.result.error.message
    return outcome.result.error


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[dict[str, Any]]]:
    """What the agent has heard so far."""
    path = tmp_path / "acp.log"
    monkeypatch.setenv("ACP_LOG", str(path))
    return lambda: [json.loads(line) for line in path.read_bytes().splitlines()]
