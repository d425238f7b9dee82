"""What an agent says while it works, as output of its attempt, and the last message it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from starloom.decodable import decodable
from starloom.devices.acp.messages import AgentPlan, Chunk, Cost, ToolCall, UpdateKind, UpdateParams, UsageUpdate
from starloom.devices.acp.permissions import detail_of
from starloom.devices.excerpts import one_line
from starloom.model.activity_lines import DETAIL, MARK, MOST_DETAILS
from starloom.model.result import MAX_VALUE_BYTES

if TYPE_CHECKING:
    from starloom.devices.base import TaskContext
    from starloom.devices.output import Output

_MOST_CALLS: Final = 1000
"""Tool calls of which the latest state is kept: requests for permission name what has been told of them."""
_LONGEST_TITLE: Final = 300


class Transcript:
    """Tells the output and progress of one attempt. Each way to speak begins on a line of its own.

    Args:
        output: of the attempt.
        context: of the attempt.
        cwd: where the agent works.

    Attributes:
        cost: what the agent says that its session has cost; None: it does not say.
    """

    def __init__(self, output: Output, context: TaskContext, cwd: str) -> None:
        self._output = output
        self._context = context
        self._cwd = cwd
        self.cost: Cost | None = None
        self._calls: dict[str, ToolCall] = {}
        self._told: dict[str, str] = {}
        self._speaking = ""
        self._message_id: str | None = None
        self._parts: list[str] = []
        self._size = 0
        self._ends_line = True

    @property
    def last_message(self) -> str | None:
        """The text since the agent did something else than speak; None: it is larger than a value may be."""
        return None if self._size > MAX_VALUE_BYTES else "".join(self._parts)

    def note(self, params: msgspec.Raw) -> None:
        """Tell an update of the session; one that cannot be read, or is of a kind we do not know, changes nothing."""
        try:
            update = msgspec.json.decode(params, type=decodable(UpdateParams)).update
            kind = msgspec.json.decode(update, type=decodable(UpdateKind)).session_update
            if kind in {"agent_message_chunk", "agent_thought_chunk"}:
                self._take_chunk(kind, msgspec.json.decode(update, type=decodable(Chunk)))
            elif kind in {"tool_call", "tool_call_update"}:
                self._take_call(msgspec.json.decode(update, type=decodable(ToolCall)))
            elif kind == "usage_update":
                self.cost = msgspec.json.decode(update, type=decodable(UsageUpdate)).cost or self.cost
            elif kind == "plan":
                self._take_plan(msgspec.json.decode(update, type=decodable(AgentPlan)))
        except (msgspec.MsgspecError, UnicodeError):
            return

    def tool_call(self, changes: ToolCall) -> ToolCall:
        """A tool call with all that has been told of it, as a request for permission may name it by its id alone."""
        known = self._calls.get(changes.tool_call_id)
        return changes if known is None else known.with_changes(changes)

    def line(self, text: str, about: ToolCall | None = None) -> None:
        """Tell a line that is not the agent's.

        Args:
            text: the line.
            about: the tool call that it is about; what that does exactly stands below the line, once.
        """
        self._speaking = ""
        self._say("" if self._ends_line else "\n")
        self._say(f"{MARK}{text}\n")
        if about is not None:
            self._say("".join(f"{DETAIL}{one}\n" for one in self._news_of(about, text)))
            self._told[about.tool_call_id] = self._detail(about)

    def _news_of(self, call: ToolCall, told: str) -> list[str]:
        """The lines that say what a tool call does exactly, unless that was told before."""
        detail = self._detail(call)
        lines = detail.splitlines()
        if detail == self._told.get(call.tool_call_id) or all(line in told for line in lines):
            return []
        more = len(lines) - MOST_DETAILS
        return [*lines[:MOST_DETAILS], f"… {more} more lines"] if more > 0 else lines

    def begin_turn(self) -> None:
        """Begin a message anew, as the agent was told something."""
        self._speaking = ""

    def close(self) -> None:
        """Complete the last line and close the output."""
        if not self._ends_line:
            self._say("\n")
        self._output.close()

    def _take_chunk(self, kind: str, chunk: Chunk) -> None:
        text = chunk.text
        if not text:
            return
        if kind != self._speaking or (chunk.message_id is not None and chunk.message_id != self._message_id):
            self._begin(kind)
        self._message_id = chunk.message_id
        self._say(text)
        if kind == "agent_message_chunk":
            self._size += len(text)
            if self._size <= MAX_VALUE_BYTES:
                self._parts.append(text)

    def _begin(self, kind: str) -> None:
        if not self._ends_line:
            self._say("\n")
        self._speaking = kind
        if kind == "agent_message_chunk":
            self._parts, self._size = [], 0
        else:
            self._say(f"{MARK}thinks\n")

    def _take_call(self, changes: ToolCall) -> None:
        known = self._calls.pop(changes.tool_call_id, None)
        call = changes if known is None else known.with_changes(changes)
        self._calls[changes.tool_call_id] = call  # the latest last
        if len(self._calls) > _MOST_CALLS:
            oldest = next(iter(self._calls))
            del self._calls[oldest]
            self._told.pop(oldest, None)
        words, status = described(call), changes.status
        if known is None:
            self.line(words, call)
        elif status in {"completed", "failed"} and status != known.status:
            self._speaking = ""
            if status == "failed" or self._news_of(call, words):
                self.line(f"{status}: {words}", call)
        else:
            self._speaking = ""

    def _detail(self, call: ToolCall) -> str:
        try:
            return detail_of(call, self._cwd)[0]
        except ValueError as error:
            return str(error)

    def _take_plan(self, plan: AgentPlan) -> None:
        done = sum(entry.status == "completed" for entry in plan.entries)
        now = next((entry.content for entry in plan.entries if entry.status == "in_progress"), "")
        if plan.entries:
            self._context.progress(done / len(plan.entries), one_line(now))

    def _say(self, text: str) -> None:
        if text:
            self._ends_line = text.endswith("\n")
            self._output.feed("stdout", text.encode("utf-8", "replace"))


def described(call: ToolCall) -> str:
    """A tool call on one line."""
    kind = call.kind or "tool"
    title = one_line(call.title or "", _LONGEST_TITLE)
    places = ", ".join(one_line(place.path) for place in (call.locations or [])[:3] if place.path not in title)
    return f"{kind}: {title or 'without a title'}{f' ({places})' if places else ''}"
