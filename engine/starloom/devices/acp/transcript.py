"""What an agent says while it works, as output of its attempt, and the last message it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from starloom.devices.acp.messages import AgentPlan, Chunk, ToolCall, UpdateKind, UpdateParams
from starloom.devices.acp.peer import one_line
from starloom.model.result import MAX_VALUE_BYTES

if TYPE_CHECKING:
    from starloom.devices.base import TaskContext
    from starloom.devices.output import Output

MARK: Final = "▸ "
"""How lines begin that tell of what an agent does, and are not its words."""
_MOST_CALLS: Final = 1000
"""Tool calls of which the latest state is kept: requests for permission name what has been told of them."""
_LONGEST_TITLE: Final = 300


class Transcript:
    """Tells the output and progress of one attempt. Each way to speak begins on a line of its own."""

    def __init__(self, output: Output, context: TaskContext) -> None:
        self._output = output
        self._context = context
        self._calls: dict[str, ToolCall] = {}
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
            update = msgspec.json.decode(params, type=UpdateParams).update
            kind = msgspec.json.decode(update, type=UpdateKind).session_update
            if kind in {"agent_message_chunk", "agent_thought_chunk"}:
                self._take_chunk(kind, msgspec.json.decode(update, type=Chunk))
            elif kind in {"tool_call", "tool_call_update"}:
                self._take_call(msgspec.json.decode(update, type=ToolCall))
            elif kind == "plan":
                self._take_plan(msgspec.json.decode(update, type=AgentPlan))
        except (msgspec.MsgspecError, UnicodeError):
            return

    def tool_call(self, changes: ToolCall) -> ToolCall:
        """A tool call with all that has been told of it, as a request for permission may name it by its id alone."""
        known = self._calls.get(changes.tool_call_id)
        return changes if known is None else known.with_changes(changes)

    def line(self, text: str) -> None:
        """Tell a line that is not the agent's."""
        self._speaking = ""
        self._say("" if self._ends_line else "\n")
        self._say(f"{MARK}{text}\n")

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
            del self._calls[next(iter(self._calls))]
        if known is None:
            self.line(described(call))
        elif changes.status == "failed" and known.status != "failed":
            self.line(f"failed: {described(call)}")
        else:
            self._speaking = ""

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
