"""What is said to agents, and what our scripted agents say, is what the published schema of the protocol says."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec
import pytest
from tests.waiting import until

from starloom.devices.acp.conversation import Conversation, Terms
from starloom.devices.acp.messages import AgentInfo, PermissionParams, PromptDone, SessionMade, ToolCall
from starloom.devices.acp.peer import LONGEST_LINE, Peer, PeerFailed
from starloom.devices.acp.resources import embedded, linked
from starloom.devices.acp.transcript import Transcript
from starloom.devices.base import TaskContext
from starloom.devices.materials import Material
from starloom.devices.output import Output
from starloom.model.question import Answer, Question
from starloom.model.status import PermissionPolicy

acp = pytest.importorskip("acp.schema")


class Both:
    """A conversation, and the lines that both ends have said in it; the agent's are made by the test."""

    def __init__(self, materials: tuple[Material, ...] = (), policy: str = "ask") -> None:
        self.ours: list[dict[str, Any]] = []
        self.asked: list[Question] = []
        context = TaskContext("run 1", "t", 1, "dev", 0)
        output = Output.of(context, 1000)

        async def ask(question: Question) -> Answer:
            self.asked.append(question)
            return Answer("once", allowed=True)

        async def put(found: Any) -> Any:
            return {one: f"/tmp/ä b/{number}" for number, one in enumerate(found)}

        async def resolve(paths: Any) -> Any:
            return {path: path for path in paths}

        terms = Terms("run 1", "Do it.", materials, "/work", PermissionPolicy(policy), 60.0, None, ask, put, resolve)
        self.conversation = Conversation(terms, Transcript(output, context, "/work"), self._write)

    def _write(self, data: bytes) -> None:
        self.ours.append(json.loads(data))

    def say(self, **message: Any) -> None:
        self.conversation.peer.heard(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def heard(self, method: str) -> dict[str, Any]:
        """What was said last, once it is this request."""
        await until(lambda: bool(self.ours) and self.ours[-1].get("method") == method)
        return self.ours[-1]

    async def open(self, **capabilities: Any) -> asyncio.Future[str]:
        """Up to where the agent has the prompt."""
        holding = asyncio.ensure_future(self.conversation.hold())
        self.say(id=(await self.heard("initialize"))["id"], result={"protocolVersion": 1, **capabilities})
        self.say(id=(await self.heard("session/new"))["id"], result={"sessionId": "s"})
        await self.heard("session/prompt")
        return holding


MATERIALS = (Material("a", "value", "text/plain", b"x"), Material("b/c", "output", "text/plain", b"\xff"))


def test_what_is_said_to_agents_is_what_the_schema_says() -> None:
    async def scenario() -> list[dict[str, Any]]:
        both = Both(MATERIALS[:1])
        takes = {"agentCapabilities": {"promptCapabilities": {"embeddedContext": True}}}
        holding = await both.open(**takes)
        call = {"toolCallId": "c", "title": "Go", "kind": "edit"}
        options = [{"optionId": "once", "name": "Yes", "kind": "allow_once"}]
        permission = {"sessionId": "s", "toolCall": call, "options": options}
        both.say(id="p", method="session/request_permission", params=permission)
        await until(lambda: "result" in both.ours[-1])
        both.conversation.cancel()
        both.say(id=3, result={"stopReason": "cancelled"})
        assert await holding == "cancelled"
        return both.ours

    opening, session, prompt, permitted, cancel = asyncio.run(scenario())
    acp.InitializeRequest.model_validate(opening["params"])
    acp.NewSessionRequest.model_validate(session["params"])
    blocks = acp.PromptRequest.model_validate(prompt["params"]).prompt
    assert [type(one).__name__ for one in blocks] == ["TextContentBlock", "EmbeddedResourceContentBlock"]
    chosen = acp.RequestPermissionResponse.model_validate(permitted["result"]).outcome
    assert chosen.option_id == "once"
    acp.CancelNotification.model_validate(cancel["params"])
    assert cancel["method"] == "session/cancel"
    acp.RequestPermissionResponse.model_validate({"outcome": {"outcome": "cancelled"}})


def test_blocks_for_results_are_what_the_schema_says() -> None:
    paths = {MATERIALS[1]: "/tmp/ä b/1"}
    blocks = [*embedded(MATERIALS[:1], "r"), *linked(MATERIALS[1:], paths)]
    read = acp.PromptRequest.model_validate({"sessionId": "s", "prompt": blocks}).prompt
    assert read[0].resource.text == "x"
    assert read[1].uri == "file:///tmp/%C3%A4%20b/1"


def test_what_the_schema_says_is_read() -> None:
    info = acp.Implementation(name="a", title="A", version="1").model_dump(by_alias=True)
    assert msgspec.convert(info, AgentInfo).title == "A"
    call = acp.ToolCallUpdate(tool_call_id="c", kind="edit", locations=[acp.ToolCallLocation(path="/x")])
    options = [acp.PermissionOption(option_id="o", name="n", kind="reject_once")]
    request = acp.RequestPermissionRequest(session_id="s", tool_call=call, options=options)
    read = msgspec.convert(request.model_dump(by_alias=True), PermissionParams)
    assert read.tool_call == msgspec.convert(call.model_dump(by_alias=True), ToolCall)
    assert not read.options[0].allows


def test_the_model_is_read_where_agents_tell_it() -> None:
    other = acp.SessionConfigOptionSelect(
        type="select", id="mode", name="Mode", category="mode", current_value="ask", options=[]
    )
    option = other.model_copy(update={"id": "model", "category": "model", "current_value": "m-2"})
    made = acp.NewSessionResponse(session_id="s", config_options=[other, option]).model_dump(by_alias=True)
    assert msgspec.convert(made, SessionMade).model == "m-2"
    assert msgspec.convert({"sessionId": "s", "models": {"currentModelId": "m-1"}}, SessionMade).model == "m-1"
    for strange in ({}, {"models": [1]}, {"configOptions": {"a": 1}}, {"configOptions": [{"category": "model"}]}):
        assert msgspec.convert({"sessionId": "s", **strange}, SessionMade).model == ""


# ---- the wire


class Wire:
    """A peer, and what was heard of it."""

    def __init__(self) -> None:
        self.said: list[bytes] = []
        self.noted: list[str] = []
        self.strays: list[bytes] = []
        self.peer = Peer(
            self.said.append, lambda method, _: self.noted.append(method), self._answer, self.strays.append
        )

    async def _answer(self, method: str, params: msgspec.Raw) -> Any:
        if method == "wait":
            await asyncio.Event().wait()
        return msgspec.json.decode(params, type=dict[str, int])


def on_wire(scenario: Any) -> Any:
    async def run() -> Any:
        wire = Wire()
        try:
            return await asyncio.wait_for(scenario(wire), 30)
        finally:
            await wire.peer.close()

    return asyncio.run(run())


def test_lines_may_come_in_any_pieces() -> None:
    async def scenario(wire: Wire) -> None:
        data = b'{"method":"a"}\n\n{"method":"b"}\r\n{"method":"c"}\n'
        for place in range(len(data)):
            wire.peer.heard(data[place : place + 1])
        wire.peer.heard(data)
        assert wire.noted == ["a", "b", "c"] * 2

    on_wire(scenario)


def test_a_line_of_16_mib_is_read_and_a_longer_one_is_not() -> None:
    async def scenario(wire: Wire) -> None:
        frame = len(b'{"method":""}')
        wire.peer.heard(b'{"method":"' + b"x" * (LONGEST_LINE - frame) + b'"}\n')
        assert len(wire.noted[0]) == LONGEST_LINE - frame
        asking = asyncio.ensure_future(wire.peer.request("m", {}, dict))
        await asyncio.sleep(0)
        wire.peer.heard(b"x" * LONGEST_LINE)
        wire.peer.heard(b"x")
        with pytest.raises(PeerFailed, match="more than 16 MiB"):
            await asking

    on_wire(scenario)


@pytest.mark.parametrize("said", [b"[]", b"1", b"null", b'{"id":{}}', b"\xff\xfe", b"[" * 100_000, b'{"id":1,"result"'])
def test_what_is_no_message_ends_the_connection_once_it_has_begun(said: bytes) -> None:
    async def scenario(wire: Wire) -> None:
        wire.peer.heard(said + b"\n")
        assert len(wire.strays) == 1
        wire.peer.heard(b'{"method":"a"}\n' + said + b'\n{"method":"b"}\n')
        assert wire.noted == ["a"]
        with pytest.raises(PeerFailed):
            await wire.peer.request("m", {}, dict)

    on_wire(scenario)


def test_requests_of_the_other_end_are_answered_whatever_they_hold() -> None:
    async def scenario(wire: Wire) -> list[Any]:
        for line in (
            b'{"id":1,"method":"echo","params":{"a":1}}',
            b'{"id":"x","method":"echo","params":{"a":"b"}}',
            b'{"id":2,"method":"echo"}',
            b'{"id":3,"method":"wait"}',
            b'{"id":3,"method":"echo","params":{}}',
            b'{"method":"$/cancel_request","params":{"requestId":3}}',
            b'{"method":"$/cancel_request","params":[]}',
        ):
            wire.peer.heard(line + b"\n")
        await until(lambda: len(wire.said) == 5)
        wire.peer.heard(b'{"id":1,"method":"echo","params":{"again":1}}\n')  # an id that was answered is free again
        await until(lambda: len(wire.said) == 6)
        assert json.loads(wire.said.pop())["result"] == {"again": 1}
        return sorted((json.loads(line) for line in wire.said), key=lambda one: (str(one["id"]), str(one)))

    one, two, busy, withdrawn, text = on_wire(scenario)
    assert one["result"] == {"a": 1}
    assert (two["error"]["code"], text["error"]["code"]) == (-32602, -32602)
    assert {busy["error"]["code"], withdrawn["error"]["code"]} == {-32603, -32800}


def test_what_is_no_text_is_not_said() -> None:
    async def scenario(wire: Wire) -> None:
        with pytest.raises(PeerFailed, match="half a character"):
            await wire.peer.request("m", {"text": "\ud800"}, dict)
        assert wire.said == []

    on_wire(scenario)


@pytest.mark.parametrize("usage", [None, 7, [], {}, {"totalTokens": "x"}, {"totalTokens": -1}, {"totalTokens": True}])
def test_usage_that_looks_otherwise_is_none_and_fails_nothing(usage: Any) -> None:
    done = msgspec.json.decode(json.dumps({"stopReason": "end_turn", "usage": usage}), type=PromptDone)
    assert (done.stop_reason, done.tokens) == ("end_turn", 0)
