"""The conversation with an agent about one task: a session is opened, the prompt put, its requests answered."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from starloom.decodable import decodable
from starloom.devices.acp.messages import (
    PROTOCOL_VERSION,
    Initialized,
    PermissionParams,
    PromptDone,
    SessionMade,
)
from starloom.devices.acp.peer import (
    AUTH_REQUIRED,
    METHOD_NOT_FOUND,
    Peer,
    RequestRefused,
)
from starloom.devices.acp.permissions import Ruling, as_question, option_for, places_of, verdict
from starloom.devices.acp.resources import embedded, linked
from starloom.devices.excerpts import one_line, quoted
from starloom.devices.materials import fits
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from starloom.devices.acp.messages import AgentInfo, PermissionOption, ToolCall
    from starloom.devices.acp.permissions import Asked
    from starloom.devices.acp.transcript import Transcript
    from starloom.devices.materials import Material
    from starloom.model.expected import JsonSchema
    from starloom.model.question import Answer, Question
    from starloom.model.status import Expects, PermissionPolicy

CANCELLED: Final = {"outcome": {"outcome": "cancelled"}}
_DECLINED: Final = {"action": "decline"}


class SessionRefused(Exception):  # noqa: N818 - becomes an outcome
    """The agent did not begin to work on the prompt; the sentence says why."""


class Terms(NamedTuple):
    """What a conversation is about, and the means it has.

    Attributes:
        run_id: of the attempt.
        prompt: the task's text.
        materials: what its parents have left.
        cwd: where the agent works, as an absolute path on its machine.
        policy: what is answered without a person.
        patience: seconds that the agent may take to open a session.
        expects: what its last message has to end with; None: any text.
        ask: puts a question to a person.
        put: writes materials into files on the agent's machine, and returns their paths.
        resolve: the absolute paths without symbolic links there; None: nobody knows where one leads.
        introduce: is told the agent's name and version, and its model, in a few words.
    """

    run_id: str
    prompt: str
    materials: Sequence[Material]
    cwd: str
    policy: PermissionPolicy
    patience: float
    expects: Expects | JsonSchema | None
    ask: Callable[[Question], Awaitable[Answer]]
    put: Callable[[Sequence[Material]], Awaitable[Mapping[Material, str]]]
    resolve: Callable[[Sequence[str]], Awaitable[Mapping[str, str | None]]]
    introduce: Callable[[str], None] = lambda _: None


class Conversation:
    """One conversation.

    Args:
        terms: what it is about.
        transcript: where the agent's words go.
        write: sends bytes to the agent.

    Attributes:
        peer: the agent, as the other end of the connection.
        has_begun: whether the agent was given the prompt.
        tokens: how many the agent says that it has used.
        by_policy: how many requests for permission a policy has answered.
    """

    def __init__(self, terms: Terms, transcript: Transcript, write: Callable[[bytes], None]) -> None:
        self.has_begun = False
        self.tokens = self.by_policy = 0
        self.peer = Peer(write, self._noted, self._answer, self._stray)
        self._terms = terms
        self._transcript = transcript
        self._agent = "The agent"
        self._session_id = ""
        self._is_cancelled = False
        self._last_stray = b""
        self._notes: list[str] = []
        self._asking: set[asyncio.Future[Answer]] = set()

    # ---- what we say

    async def hold(self) -> str:
        """Have the agent work on the prompt to its end; returns the reason why it stopped.

        Raises:
            SessionRefused: it never began.
            PeerFailed: the connection cannot go on.
            RequestRefused: it gave the prompt up with an error.
        """
        try:
            async with asyncio.timeout(self._terms.patience):
                blocks = await self._open()
        except TimeoutError:
            said = f" Before that it printed {quoted(self._last_stray)}." if self._last_stray else ""
            waited = f"It opened no session within {self._terms.patience:g} s"
            raise SessionRefused(f"{waited}; start it by hand to see what it waits for.{said}") from None
        self.has_begun = True
        reason = await self._put(blocks)
        while self._notes and not self._is_cancelled and reason == "end_turn":
            notes, self._notes = self._notes, []
            reason = await self._put([{"type": "text", "text": "\n".join(notes)}])
        return reason

    async def _put(self, blocks: list[dict[str, Any]]) -> str:
        self._transcript.begin_turn()
        prompt = {"sessionId": self._session_id, "prompt": blocks}
        done = await self.peer.request("session/prompt", prompt, PromptDone)
        self.tokens = max(self.tokens, done.tokens)
        return done.stop_reason

    async def _open(self) -> list[dict[str, Any]]:
        """Open a session; returns the blocks of the prompt."""
        agent = await greeted(self.peer)
        info = agent.agent_info
        self._agent = one_line((info and (info.title or info.name)) or "") or self._agent
        try:
            opened = {"cwd": self._terms.cwd, "mcpServers": []}
            made = await self.peer.request("session/new", opened, SessionMade)
        except RequestRefused as error:
            raise SessionRefused(_why_no_session(error, agent)) from error
        self._session_id = made.session_id
        self._terms.introduce(introduction(info, made.model))
        found = self._terms.materials
        if agent.takes_resources and fits(found):
            resources = embedded(found, self._terms.run_id)
        else:
            resources = linked(found, await self._files_of(found)) if found else []
        return [{"type": "text", "text": self._terms.prompt}, *resources]

    async def _files_of(self, found: Sequence[Material]) -> Mapping[Material, str]:
        try:
            return await self._terms.put(found)
        except OSError as error:
            why = (error.strerror or str(error)).rstrip(".")
            raise SessionRefused(f"What its parents have left cannot be put into files for it: {why}.") from error

    def cancel(self) -> None:
        """Ask the agent to stop; what it has asked for is cancelled."""
        self._is_cancelled = True
        for asking in self._asking:
            asking.cancel()
        if self._session_id:
            self.peer.notify("session/cancel", {"sessionId": self._session_id})

    # ---- what we hear

    def _noted(self, method: str, params: msgspec.Raw) -> None:
        if method == "session/update":
            self._transcript.note(params)

    def _stray(self, line: bytes) -> None:
        self._last_stray = line
        self._transcript.line(one_line(line.decode(errors="replace"), 1000))

    async def _answer(self, method: str, params: msgspec.Raw) -> Any:
        if method == "session/request_permission":
            return await self._permit(msgspec.json.decode(params, type=decodable(PermissionParams)))
        if method == "elicitation/create":
            self._transcript.line("It wanted a form to be filled in; nobody does that here, so that was declined.")
            return _DECLINED
        raise RequestRefused(METHOD_NOT_FOUND, f"There is no {one_line(method)} here: {_INSTEAD}")

    async def _permit(self, params: PermissionParams) -> dict[str, Any]:
        terms, call = self._terms, self._transcript.tool_call(params.tool_call)
        places = places_of(call)
        resolved = await terms.resolve((terms.cwd, *places))
        said = verdict(terms.policy, call, resolved, resolved.get(terms.cwd) or "\0")
        try:
            asked = as_question(params, call, self._agent, terms.cwd)
        except ValueError as error:
            self._transcript.line(f"rejected, as nobody could be shown what it is about: {error}")
            return _chosen(option_for(params.options, allow=False))
        chosen = option_for(params.options, allow=said is Ruling.ALLOW)
        if said is Ruling.ASK or (said is Ruling.ALLOW and chosen is None):
            return await self._ask(asked, call, params.options)
        self.by_policy += 1
        word = "allowed" if said is Ruling.ALLOW else "rejected"
        self._transcript.line(f"{word} by the policy {terms.policy}: {asked.title}", call)
        return _chosen(chosen)

    async def _ask(self, asked: Asked, call: ToolCall, options: Sequence[PermissionOption]) -> dict[str, Any]:
        if self._is_cancelled:
            return CANCELLED
        asking = asyncio.ensure_future(self._terms.ask(asked.question))
        self._asking.add(asking)
        try:
            answer = await asking
        except asyncio.CancelledError:
            if asking.cancelled() and not is_cancelled():
                return CANCELLED  # the question was withdrawn, and not this answer to it
            raise
        except DeviceError as error:
            self._transcript.line(f"rejected: {asked.title}. {error}")
            return _chosen(option_for(options, allow=False))
        finally:
            asking.cancel()
            self._asking.discard(asking)
        self._transcript.line(f"{'allowed' if answer.allowed else 'rejected'}: {asked.title}", call)
        if answer.note.strip():
            # The protocol has no place for words in an answer: they are told next, in the same session.
            self._notes.append(answer.note)
        option = next((one for one in options if one.option_id == answer.option), None)
        if option is None or option.allows != answer.allowed:
            option = option_for(options, allow=answer.allowed)
        return _chosen(option)


async def greeted(peer: Peer) -> Initialized:
    """Greet an agent; returns what it tells of itself.

    Raises:
        SessionRefused: it does not want to talk, or speaks another version of the protocol.
        PeerFailed: the connection cannot go on.
    """
    try:
        agent = await peer.request("initialize", greeting(), Initialized)
    except RequestRefused as error:
        raise SessionRefused(f"It does not want to talk: {error}.") from error
    if agent.protocol_version != PROTOCOL_VERSION:
        raise SessionRefused(
            f"It speaks version {agent.protocol_version} of the Agent Client Protocol, and not {PROTOCOL_VERSION}, "
            "which is spoken here; install a version of one of both that fits."
        )
    return agent


def introduction(info: AgentInfo | None, model: str = "") -> str:
    """An agent, its version and its model, as far as it tells them."""
    name, version_ = ("", "") if info is None else (info.title or info.name, info.version or "")
    agent = " ".join(part for part in (one_line(name, 60), one_line(version_, 30)) if part)
    return " · ".join(part for part in (agent, one_line(model, 60)) if part)


_INSTEAD: Final = (
    "neither files nor terminals are served, as they would be those of another machine. Use your own tools."
)


def greeting() -> dict[str, Any]:
    """The parameters of `initialize`."""
    return {
        "protocolVersion": PROTOCOL_VERSION,
        "clientCapabilities": {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False},
        "clientInfo": {"name": "starloom", "title": "Starloom", "version": version("starloom")},
    }


def is_cancelled() -> bool:
    """Whether the present asyncio task is being cancelled; else what it awaited was."""
    current = asyncio.current_task()
    return current is not None and current.cancelling() > 0


def _chosen(option: PermissionOption | None) -> dict[str, Any]:
    return CANCELLED if option is None else {"outcome": {"outcome": "selected", "optionId": option.option_id}}


def _why_no_session(error: RequestRefused, agent: Initialized) -> str:
    if error.code == AUTH_REQUIRED:
        ways = ", ".join(one_line(way.name or way.id) for way in agent.auth_methods or ())
        return (
            "It wants somebody to be logged in: start it by hand once on its machine and log in there"
            f"{f' (it offers {ways})' if ways else ''}. It said: {error}."
        )
    return f"It opened no session: {error}."
