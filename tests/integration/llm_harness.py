"""What the tests of language models as devices share."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.acp_harness import Context
from tests.integration.chat_server import ChatServer, chat_server
from tests.integration.local_harness import BOUND

from starloom.devices.llm import LlmDevice
from starloom.devices.llm.key import VARIABLE
from starloom.model.task import Task

if TYPE_CHECKING:
    from tests.integration.chat_server import Script

    from starloom.model.result import Outcome

SECRET = "sk-very-secret"


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a module that imports it: no proxy comes in between, and the key is known."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv(VARIABLE, SECRET)


class Asked:
    """What one attempt came to.

    Attributes:
        held: what the device has said of its rate.
    """

    def __init__(self, outcome: Outcome, server: ChatServer, context: Context, held: list[tuple[float, str]]) -> None:
        self.outcome, self.server, self.context, self.held = outcome, server, context, held

    @property
    def error(self) -> str:
        assert self.outcome.result.error is not None, self.outcome
        assert self.outcome.result.error.message.endswith("."), self.outcome.result.error.message
        assert SECRET not in repr(self.outcome)
        return self.outcome.result.error.message


def device(there: ChatServer, **options: Any) -> LlmDevice:
    return LlmDevice("dev", **{"model": "m", "url": there.url, "slots": 4, **options})


def ask(*scripts: Script, context: Context | None = None, **more: Any) -> Asked:
    """One attempt with a model that answers so; options of the device begin with `with_`, fields of the task do not."""
    options = {name.removeprefix("with_"): more.pop(name) for name in [*more] if name.startswith("with_")}
    used = context or Context()

    async def scenario() -> Asked:
        async with asyncio.timeout(BOUND), chat_server(*scripts) as there:
            made, held = device(there, **options), []
            made.on_held = lambda seconds, reason: held.append((seconds, reason))
            await made.connect()
            try:
                return Asked(await made.run(Task(id="t", **{"prompt": "hello", **more}), used), there, used, held)
            finally:
                await made.disconnect()

    return asyncio.run(scenario())
