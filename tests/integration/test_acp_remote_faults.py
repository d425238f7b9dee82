"""What agents on another machine do wrong: each is a sentence and a true outcome, and nothing is left there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.integration.acp_harness import YES, Context, error_of
from tests.integration.local_harness import COMPLETED, FAILED
from tests.integration.ssh_harness import BOUND, folders_of
from tests.integration.ssh_harness import mortal_server as mortal_server
from tests.integration.test_acp_remote import _patience as _patience
from tests.integration.test_acp_remote import agents, device
from tests.waiting import until

from starloom.model.result import ErrorCode, Outcome
from starloom.model.task import Task

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ssh_servers import OpensshServer

HALF_CLOSED = "It closed its input or its output and did not end"
FAULTS = {
    "dies": (ErrorCode.AGENT_ENDED, "ended with exit code 3 before it answered. Its last words: out of memory"),
    "stillborn": (ErrorCode.START_FAILED, "ended with exit code 4 before it began. Its last words: no such model"),
    "hangs": (ErrorCode.START_FAILED, "opened no session within"),
    "garbage": (ErrorCode.AGENT, "{this is no JSON"),
    "latin": (ErrorCode.AGENT, "no message of the protocol"),
    "endless": (ErrorCode.AGENT, "more than 16 MiB"),
    "asks_and_dies": (ErrorCode.AGENT_ENDED, "ended with exit code 5"),
    "new": (ErrorCode.START_FAILED, "speaks version 99"),
    "mute": (ErrorCode.AGENT, HALF_CLOSED),
    "closes_its_input": (ErrorCode.AGENT, HALF_CLOSED),
}


async def outcome_of(server: OpensshServer, manner: str, context: Context) -> Outcome:
    there = device(server, manner, start_timeout=1.0 if manner == "hangs" else BOUND)
    async with asyncio.timeout(BOUND):
        await there.connect()
        try:
            return await there.run(Task(id="t", prompt="go"), context)
        finally:
            await there.disconnect()


@pytest.mark.parametrize("manner", FAULTS)
def test_a_faulty_agent_there_is_a_sentence_and_a_true_outcome(
    manner: str, mortal_server: OpensshServer, tmp_path: Path
) -> None:
    code, words = FAULTS[manner]
    asks = manner == "asks_and_dies"
    outcome = asyncio.run(outcome_of(mortal_server, manner, Context(lambda _: None if asks else YES)))
    assert (outcome.status, error_of(outcome).code) == (FAILED, code)
    assert words in error_of(outcome).message
    assert outcome.device_failed is (code is ErrorCode.START_FAILED)
    assert (agents(tmp_path), folders_of(mortal_server)) == ([], [])


def test_what_agents_there_may_do_goes_on_to_its_end(mortal_server: OpensshServer, tmp_path: Path) -> None:
    """A message of 10 MiB, a hundred questions at once, and a process that it leaves with its output open."""

    async def scenario() -> dict[str, Outcome]:
        manners = ("long", "asks_100", "leaves")
        outcomes = [outcome_of(mortal_server, manner, Context(lambda _: YES)) for manner in manners]
        return dict(zip(manners, await asyncio.gather(*outcomes), strict=True))

    found = asyncio.run(scenario())
    assert {one.status for one in found.values()} == {COMPLETED}, found
    assert found["long"].result.value == "done"
    assert found["asks_100"].result.value.count("once") == 100
    asyncio.run(until(lambda: not agents(tmp_path)))
