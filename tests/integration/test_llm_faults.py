"""Endpoints of models that fail: each way is a sentence that says what to do, with a true outcome and no hang."""

from __future__ import annotations

import asyncio
import gzip
import re
import time
from email.utils import formatdate
from typing import TYPE_CHECKING

import pytest
from tests.integration.acp_harness import Context
from tests.integration.chat_server import BEGIN, Talk, answer, chat_server, end, event, failing, piece, response
from tests.integration.llm_harness import SECRET, ask, device
from tests.integration.llm_harness import alone as alone
from tests.integration.local_harness import BOUND

from starloom.devices.llm import failures
from starloom.model.result import ErrorCode, OutcomeStatus
from starloom.model.task import Task

if TYPE_CHECKING:
    from tests.integration.chat_server import Script

pytest.importorskip("openai")
MEBIBYTE = 2**20


async def resets(talk: Talk) -> None:
    await talk.say(BEGIN + piece("half"))
    talk.reset()


async def half_closes(talk: Talk) -> None:
    await talk.say(BEGIN + piece("half"))
    talk.end()
    await talk.wait()


async def hangs(talk: Talk) -> None:
    await talk.wait()


async def hangs_in_the_middle(talk: Talk) -> None:
    await talk.say(BEGIN + piece("half"))
    await talk.wait()


@pytest.mark.parametrize(
    ("script", "said", "code"),
    [
        (failing(400, "This model's maximum context length is 8"), "longer than its context: .*Shorten", "agent"),
        (failing(400, "too much", code="context_length_exceeded"), "longer than its context: too much", "agent"),
        (failing(413, "no"), "longer than its context", "agent"),
        (failing(401, f"{SECRET} is wrong"), "does not take the key .401: … is wrong.*keyring set", "start_failed"),
        (failing(403), "does not take the key .403", "start_failed"),
        (failing(404, "no such model"), "There is no model m at .*Correct `model` or `url`", "start_failed"),
        (failing(429, "pay", code="insufficient_quota"), "quota at .* is used up: pay", "start_failed"),
        (failing(500, "ouch"), "answers with 500: ouch", "start_failed"),
        (failing(503, "full"), "answers with 503: full", "start_failed"),
        (response(307, b"", location="http://127.0.0.1:1/v1"), "it has moved", "start_failed"),
        (response(200, b"<html>hello</html>", "text/html"), "no stream of chat completions, but with '<html>", "agent"),
        (response(200, b"\x00\xff" * 99), "no stream of chat completions", "agent"),
        (BEGIN + b"data: {no\n\n", "sends something that is no chat completion: '{no'", "agent"),
        (BEGIN + b"data: [1]\n\n", "sends something that is no chat completion", "agent"),
        (BEGIN + b"data: " + b"[" * 100_000 + b"\n\n", "sends something that is no chat completion", "agent"),
        (
            BEGIN + 'data: {"choices": [{"delta": {"content": "ü"}}]}\n\n'.encode("latin-1"),
            "no chat completion",
            "agent",
        ),
        (BEGIN + piece("é").decode().encode("utf-16"), "no stream of chat completions", "agent"),
        (BEGIN + event(error={"message": "overloaded"}), "gave up in the middle: overloaded", "agent"),
        (BEGIN + piece("half"), "broke off in the middle: the connection was closed", "agent"),
        (BEGIN, "broke off in the middle", "agent"),
        (resets, "broke off in the middle", "agent"),
        (half_closes, "broke off in the middle: the connection was closed", "agent"),
        (BEGIN + piece("half") + end("length"), "used up all the tokens", "agent"),
        (BEGIN + piece("half") + end("content_filter"), "content filter", "agent"),
        (BEGIN + end("tool_calls"), "wants to use tools", "agent"),
        (BEGIN + event(choices=[{"delta": {"refusal": "No."}}]) + end(), "refuses to do this task: No", "agent"),
        (BEGIN + b"x" * (10 * MEBIBYTE), "a line of more than 8 MiB", "agent"),
        (BEGIN + piece("x" * (2 * MEBIBYTE)) + end(), "more than 1 MiB", "result_too_large"),
        (b"garbage\r\n\r\n", "cannot be reached|broke off", "start_failed"),
        (b"", "cannot be reached|broke off", "start_failed"),
    ],
)
def test_each_failure_is_a_sentence(script: Script, said: str, code: str) -> None:
    asked = ask(script)
    assert re.search(said, asked.error), asked.error
    assert (asked.outcome.status, asked.outcome.result.error.code) == (OutcomeStatus.FAILED, code)  # type: ignore[union-attr]
    assert asked.outcome.device_failed is (code == ErrorCode.START_FAILED)
    assert "\n" not in asked.error


@pytest.mark.parametrize("script", [hangs, hangs_in_the_middle])
def test_one_that_says_nothing_is_given_up(script: Script) -> None:
    asked = ask(script, with_silence=0.2)
    assert "silen" in asked.error
    assert "`silence`" in asked.error


def test_one_that_packs_its_answer_is_understood() -> None:
    body = gzip.compress(piece("packed") + end())
    assert ask(response(200, body, "text/event-stream", content_encoding="gzip")).outcome.result.value == "packed"


def test_an_answer_may_come_byte_by_byte_and_with_other_ends_of_lines() -> None:
    async def drips(talk: Talk) -> None:
        await talk.say(BEGIN)
        for byte in (b": hello\n\n" + piece("ü") + end()).replace(b"\n", b"\r\n"):
            await talk.say(bytes([byte]))

    assert ask(drips).outcome.result.value == "ü"


@pytest.mark.parametrize("status", [429, 503])
def test_one_that_is_asked_too_often_is_asked_again_when_it_says(status: int) -> None:
    asked = ask(failing(status, "slow down", retry_after="0.3"), answer("ok"))
    assert asked.outcome.result.value == "ok"
    assert len(asked.server.talks) == 2
    ((seconds, reason),) = asked.held
    assert (seconds, reason[:19]) == (0.3, "rate limited until ")
    assert "slow down" in asked.context.text


def test_when_to_ask_again_may_be_a_date_or_nonsense() -> None:
    later = formatdate(time.time() + 60, usegmt=True)
    assert 50 < (failures.retry_after({"retry-after": later}) or 0) <= 60
    assert failures.retry_after({"retry-after": formatdate(0, usegmt=True)}) == 0
    for nonsense in ("", "soon", "nan", "inf", "Wed, 99 Foo 2026"):
        assert failures.retry_after({"retry-after": nonsense}) is None
    assert failures.retry_after({"retry-after": "1e99"}) == failures.LONGEST_WAIT
    assert failures.retry_after({"retry-after": "-5"}) == 0


def test_all_slots_of_the_device_wait() -> None:
    async def scenario() -> None:
        async with asyncio.timeout(BOUND), chat_server(failing(429, retry_after="0.5"), answer("ok")) as there:
            made = device(there)
            held = asyncio.Event()
            made.on_held = lambda _seconds, _reason: held.set()
            await made.connect()
            first = asyncio.ensure_future(made.run(Task(id="t", prompt="hello"), Context()))
            await held.wait()
            second = asyncio.ensure_future(made.run(Task(id="t", prompt="hello"), Context()))
            await asyncio.sleep(0.2)
            assert len(there.talks) == 1
            assert [(await one).result.value for one in (first, second)] == ["ok", "ok"]
            await made.disconnect()

    asyncio.run(scenario())


def test_one_that_is_cancelled_while_it_waits_is_stopped() -> None:
    async def scenario() -> None:
        async with asyncio.timeout(BOUND), chat_server(failing(429, retry_after="3600")) as there:
            made, context = device(there), Context()
            await made.connect()
            running = asyncio.ensure_future(made.run(Task(id="t", prompt="hello"), context))
            await context.spoke.wait()
            running.cancel()
            assert (await running).status is OutcomeStatus.STOPPED
            await made.disconnect()

    asyncio.run(scenario())
