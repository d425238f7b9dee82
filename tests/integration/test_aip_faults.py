"""What servers and agents of UFO do wrong: each is a sentence and a true outcome, frees its slot, and nothing hangs."""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from tests.aip_server import UfoServer
from tests.integration.acp_harness import Context, error_of
from tests.integration.local_harness import BOUND, FAILED, STOPPED
from tests.integration.test_aip import on, outcome_of, refused
from tests.waiting import until

from starloom import Orchestrator
from starloom import events as ev
from starloom.devices.aip import AipDevice
from starloom.devices.aip.link import AipLink
from starloom.errors import DeviceError, DeviceRefused
from starloom.model.plan import Plan
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterator

LOST = OutcomeStatus.LOST
MAY_WORK = "The agent may still work: the protocol does not tell whether it has stopped."


@pytest.fixture
def server() -> Iterator[UfoServer]:
    with UfoServer() as made:
        yield made


@pytest.mark.parametrize(
    ("prompt", "status", "code", "words"),
    [
        ("die", LOST, ErrorCode.DEVICE_LOST, f"The connection broke off. {MAY_WORK}"),
        ("close", LOST, ErrorCode.DEVICE_LOST, f"The server closed the connection (1011, internal error). {MAY_WORK}"),
        ("half", LOST, ErrorCode.DEVICE_LOST, f"The connection broke off. {MAY_WORK}"),
        ("garbage", FAILED, ErrorCode.AGENT, "It sent what is no message of the protocol (JSON is malformed"),
        (
            "a list",
            FAILED,
            ErrorCode.AGENT,
            "It sent what is no message of the protocol (Expected `object`, got `array`",
        ),
        ("deep", FAILED, ErrorCode.AGENT, "It sent what is no message of the protocol"),
        ("large", FAILED, ErrorCode.RESULT_TOO_LARGE, "more than 1 MiB; have it write files instead"),
        ("huge", FAILED, ErrorCode.AGENT, "It sent a message of more than 16 MiB, which no message may have."),
        ("latin-1", FAILED, ErrorCode.AGENT, "It sent what is no message of the protocol"),
        ("utf-16", FAILED, ErrorCode.AGENT, "It sent what is no message of the protocol"),
        ("another session", FAILED, ErrorCode.AGENT, 'ended another task ("somebody else\'s") than it was given'),
        ("another status", FAILED, ErrorCode.AGENT, 'ended the task in a way that is not known here: "postponed".'),
        ("an error", FAILED, ErrorCode.AGENT, "The agent's server reports an error: out of memory."),
        ("refuse", FAILED, ErrorCode.START_FAILED, "The server did not take the task: session_id is owned by another"),
    ],
)
def test_a_faulty_agent_is_a_sentence_and_a_true_outcome(
    server: UfoServer, prompt: str, status: OutcomeStatus, code: ErrorCode, words: str
) -> None:
    outcome = outcome_of(server, prompt)
    assert (outcome.status, error_of(outcome).code) == (status, code)
    assert words in error_of(outcome).message
    assert outcome.device_failed == (prompt == "refuse")


def test_a_result_nested_too_deeply_is_refused_with_a_token_to_hide_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UFO_TOKEN", "t0ken")
    with UfoServer(token="t0ken") as server:
        there = AipDevice("dev", url=server.url, token="env:UFO_TOKEN")

        async def run() -> Outcome:
            return await there.run(Task(id="t", prompt=f"say {'[' * 900}{']' * 900}"), Context())

        error = error_of(on(there, run))
    assert (error.code, "nested more than 100 levels deep" in error.message) == (ErrorCode.RESULT_NOT_JSON, True)


def test_a_server_that_answers_no_pings_any_more_is_lost(server: UfoServer) -> None:
    there = AipDevice("dev", url=server.url, heartbeat_interval=0.05)

    async def run() -> Outcome:
        return await there.run(Task(id="t", prompt="hang"), Context())

    outcome = on(there, run)
    assert outcome.status is LOST
    assert error_of(outcome).message.startswith("The server did not answer the pings of the connection any more.")


@pytest.mark.parametrize("times", [1, 2])
def test_a_server_that_does_not_notice_a_cancel_keeps_no_slot(server: UfoServer, times: int) -> None:
    there, context = AipDevice("dev", url=server.url), Context()

    async def cancel() -> tuple[Outcome, float]:
        running = asyncio.ensure_future(there.run(Task(id="t", prompt="hang"), context))
        await until(lambda: "takes the task" in context.text)
        begun = time.monotonic()
        for _ in range(times):
            running.cancel()
            await asyncio.sleep(0.05)
        return await running, time.monotonic() - begun

    outcome, took = on(there, cancel)
    assert outcome.status is STOPPED
    assert MAY_WORK in error_of(outcome).message
    assert took < (10 if times == 1 else 1.5), "told again it is cut at once"


def test_an_end_that_had_come_before_the_cancel_is_evidence(server: UfoServer, monkeypatch: pytest.MonkeyPatch) -> None:
    there, context = AipDevice("dev", url=server.url), Context()
    receive = AipLink.receive
    stalled = asyncio.Event()

    async def slow(link: AipLink) -> Any:
        told = await receive(link)
        if told.session_id is not None and not stalled.is_set():
            stalled.set()
            await asyncio.sleep(BOUND)
        return told

    async def cancel() -> Outcome:
        monkeypatch.setattr(AipLink, "receive", slow)
        running = asyncio.ensure_future(there.run(Task(id="t", prompt="hello"), context))
        await stalled.wait()
        await asyncio.sleep(0.1)
        running.cancel()
        return await running

    outcome = on(there, cancel)
    assert (outcome.status, outcome.result.error) == (STOPPED, None)


# ---- where no connection is to be had


def test_a_wrong_token_is_told_by_a_closed_connection_too() -> None:
    with UfoServer(manner="policy") as server:
        why = refused(url=server.url)
    assert isinstance(why, DeviceRefused)
    assert "check the option `token`. The server closed the connection (1008, Invalid or missing token)." in str(why)


def test_an_agent_that_is_not_there_is_named() -> None:
    with UfoServer(agents=("other",)) as server:
        assert "did not register 'dev': Target device 'dev' is not connected." in str(refused(url=server.url))
        on(AipDevice("dev", url=server.url, target="other"), lambda: asyncio.sleep(0))


def test_an_agent_that_left_its_server_takes_no_task(server: UfoServer) -> None:
    there = AipDevice("dev", url=server.url)

    async def leave() -> Outcome:
        server.agents.clear()
        return await there.run(Task(id="t", prompt="hello"), Context())

    outcome = on(there, leave)
    assert (error_of(outcome).code, outcome.device_failed) == (ErrorCode.START_FAILED, True)
    assert "is not connected" in error_of(outcome).message


def test_an_agent_that_left_its_server_is_lost(server: UfoServer) -> None:
    there = AipDevice("dev", url=server.url)

    async def leave() -> str:
        await there.ping()
        server.agents.clear()
        with pytest.raises(DeviceError) as caught:
            await there.ping()
        return str(caught.value)

    assert on(there, leave) == "The UFO server says that its agent 'dev' is not there any more."


def test_a_task_that_was_stopped_after_its_timeout_may_still_run(server: UfoServer) -> None:
    async def run() -> ErrorInfo | None:
        async with asyncio.timeout(BOUND), Orchestrator(devices=[AipDevice("dev", url=server.url)]) as engine:
            run = await engine.start(Plan(tasks=(Task(id="t", prompt="wait", timeout=0.2),)))
            await run.finished()
            return run.results["t"].error

    error = asyncio.run(run())
    assert error is not None
    assert error.code == ErrorCode.TIMEOUT
    assert MAY_WORK in error.detail


def test_a_newer_protocol_is_said() -> None:
    with UfoServer(manner="newer") as server:
        assert "answered the registration with 'welcome'" in str(refused(url=server.url))


def test_a_server_that_does_not_answer_is_not_waited_for() -> None:
    with UfoServer(manner="mute") as server:
        assert "does not answer within 0.2 s" in str(refused(url=server.url, start_timeout=0.2))


def test_what_is_no_server_is_said() -> None:
    with closing(socket.socket()) as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"ws://127.0.0.1:{nobody.getsockname()[1]}/ws"
        assert "cannot be reached" in str(refused(url=url))

    async def other() -> str:
        async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"SSH-2.0-x\r\n")
            writer.close()

        async with await asyncio.start_server(answer, "127.0.0.1", 0) as there:
            device = AipDevice("dev", url=f"ws://127.0.0.1:{there.sockets[0].getsockname()[1]}/ws")
            with pytest.raises(DeviceError) as caught:
                await device.connect()
            return str(caught.value)

    assert "is no UFO server: InvalidMessage." in asyncio.run(other())


def test_a_redirect_is_not_followed() -> None:
    with UfoServer(token="x", status=302) as server:
        assert "HTTP status 302" in str(refused(url=server.url))


# ---- heartbeats, in the engine


def test_unanswered_heartbeats_lose_the_device_and_its_attempts_and_say_since_when() -> None:
    reasons: list[str] = []

    async def watch(url: str) -> ErrorInfo | None:
        there = AipDevice("dev", url=url, heartbeat_interval=0.2)
        async with asyncio.timeout(BOUND), Orchestrator(devices=[there]) as engine:
            engine.events.subscribe(lambda event: reasons.append(event.reason), ev.DeviceLost)
            run = await engine.start(Plan(tasks=(Task(id="t", prompt="wait"),)))
            await run.finished()
            return run.results["t"].error

    with UfoServer(manner="deaf") as server:
        error = asyncio.run(watch(server.url))
    assert error is not None
    assert error.code == ErrorCode.DEVICE_LOST
    words = "The agent's server answers no heartbeats; it was last heard 1 s ago."
    assert error.message == f"{words} {MAY_WORK}"
    assert reasons[0] == words


def test_a_late_heartbeat_loses_nothing(server: UfoServer) -> None:
    there = AipDevice("dev", url=server.url, heartbeat_interval=0.1)

    async def late() -> None:
        server.manner = "deaf"
        for _ in range(2):
            with pytest.raises(TimeoutError):
                await there.ping()
        server.manner = ""
        await there.ping()
        server.manner = "deaf"
        with pytest.raises(TimeoutError):
            await there.ping()

    on(there, late)


def test_a_device_comes_back_by_itself() -> None:
    with UfoServer() as first:
        port = first.port
        there = AipDevice("dev", url=first.url, heartbeat_interval=0.1)
        plan = Plan(tasks=(Task(id="t", prompt="die"),))

        async def outlive() -> str:
            async with asyncio.timeout(BOUND), Orchestrator(devices=[there]) as engine:
                run = await engine.start(plan)
                await run.finished()
                await asyncio.to_thread(first.stop)
                second = UfoServer(port=port)
                with second:
                    again = await engine.start(Plan(tasks=(Task(id="t", prompt="hello"),)))
                    await again.finished()
                    return str(again.results["t"].value)

        assert asyncio.run(outlive()) == "hello"
