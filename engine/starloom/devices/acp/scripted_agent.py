"""An agent of the Agent Client Protocol that acts a script, without a model or a network, for `starloom demo agents`.

Run by its path, so it keeps to the standard library. The first word of a prompt chooses the script. It reads and writes
no files: what it says to have read and changed is made up. It asks for permission as real agents do.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

FROZEN: Final = "--starloom-child"
"""A packaged program is no interpreter; with this it becomes one for a file of its own: `packaging/frozen_entry.py`."""
SPEED: Final = "STARLOOM_DEMO_SPEED"
GREETING: Final = "greeting.py"
BEFORE: Final = 'def greet(name):\n    return "Hello " + name\n'
AFTER: Final = (
    'def greet(name):\n    """Greet somebody, also one without a name."""\n    return f"Hello {name or \'you\'}"\n'
)
OPTIONS: Final = [
    {"optionId": "once", "name": "Allow", "kind": "allow_once"},
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
]


def command_line(name: str) -> tuple[str, ...]:
    """The command line of an agent of this name."""
    if getattr(sys, "frozen", False):
        return (sys.executable, FROZEN, __file__, name)
    return (sys.executable, "-I", "-S", "-u", __file__, name)


class _CancelledError(Exception):
    """The agent was told to stop."""


class ScriptedAgent:
    """One agent, with one session.

    Attributes:
        name: what it calls itself.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._speed = float(os.environ.get(SPEED, "1"))
        self._heard: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._numbers = 0
        self._tokens = 0
        self._came_to = ""

    # ---- the wire

    def listen(self) -> None:
        """Read messages until the input ends."""
        for line in sys.stdin.buffer:
            self._heard.put(json.loads(line))
        self._heard.put(None)

    def live(self) -> None:
        """Answer until the input ends."""
        while (message := self._heard.get()) is not None:
            method = message.get("method")
            if method == "initialize":
                self._initialize(message["id"])
            elif method == "session/new":
                self._say(id=message["id"], result={"sessionId": "scripted"})
            elif method == "session/prompt":
                self._prompted(message["id"], message["params"]["prompt"][0]["text"])

    def _say(self, **message: Any) -> None:
        sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        sys.stdout.buffer.flush()

    def _initialize(self, id: int) -> None:
        takes = {"promptCapabilities": {"embeddedContext": True}}
        info = {"name": self.name, "title": self.name.capitalize(), "version": "1"}
        self._say(id=id, result={"protocolVersion": 1, "agentCapabilities": takes, "agentInfo": info})

    def _prompted(self, id: int, text: str) -> None:
        script = getattr(self, f"do_{text.split(' ', 1)[0].lower()}", self.do_anything)
        try:
            reason = script()
        except _CancelledError:
            reason = "cancelled"
        used = {"totalTokens": self._tokens, "inputTokens": self._tokens // 3, "outputTokens": self._tokens // 3 * 2}
        cost = {"amount": self._tokens / 100_000, "currency": "USD"}
        self._update("usage_update", used=self._tokens, size=200_000, cost=cost)
        self._say(id=id, result={"stopReason": reason, "usage": used})

    def _update(self, kind: str, /, **fields: Any) -> None:
        self._say(
            method="session/update", params={"sessionId": "scripted", "update": {"sessionUpdate": kind, **fields}}
        )

    # ---- what it can do

    def pause(self, seconds: float) -> None:
        """Work for so long at speed 1; raises an error when told to stop meanwhile."""
        until = time.monotonic() + seconds / self._speed
        while (left := until - time.monotonic()) > 0:
            try:
                message = self._heard.get(timeout=left)
            except queue.Empty:
                return
            self._mind(message)

    def _mind(self, message: dict[str, Any] | None) -> None:
        if message is None:
            raise SystemExit(0)
        if message.get("method") == "session/cancel":
            raise _CancelledError

    def think(self, text: str) -> None:
        """Think aloud."""
        self._stream("agent_thought_chunk", text)

    def write(self, text: str) -> None:
        """Say something."""
        self._stream("agent_message_chunk", text)

    def _stream(self, kind: str, text: str) -> None:
        for word in text.split(" "):
            self._update(kind, content={"type": "text", "text": word if word is text else f"{word} "})
            self._tokens += 40
            self.pause(0.04)

    def plan(self, *steps: str, done: int) -> None:
        """Tell the steps of its plan, of which so many are done."""
        status = ["completed"] * done + ["in_progress"] + ["pending"] * len(steps)
        entries = [
            {"content": step, "priority": "medium", "status": one} for step, one in zip(steps, status, strict=False)
        ]
        self._update("plan", entries=entries)
        self.pause(0.6)

    def use(self, id: str, title: str, kind: str, path: str, **more: Any) -> None:
        """Use a tool for which it asks nobody."""
        self._update(
            "tool_call", toolCallId=id, title=title, kind=kind, status="in_progress", locations=[{"path": path}], **more
        )
        self.pause(0.6)
        self._update("tool_call_update", toolCallId=id, status="completed")

    def may(self, id: str, title: str, kind: str, path: str, **more: Any) -> bool:
        """Ask for permission to use a tool, and wait for the answer."""
        call = {"toolCallId": id, "title": title, "kind": kind, "status": "pending", "locations": [{"path": path}]}
        self._update("tool_call", **call, **more)
        self._numbers += 1
        params = {"sessionId": "scripted", "toolCall": {**call, **more}, "options": OPTIONS}
        self._say(id=self._numbers, method="session/request_permission", params=params)
        while True:
            message = self._heard.get()
            self._mind(message)
            if message and message.get("id") == self._numbers and "method" not in message:
                allowed = bool(message.get("result", {}).get("outcome", {}).get("optionId") == "once")
                self._update("tool_call_update", toolCallId=id, status="completed" if allowed else "failed")
                return allowed

    def come_to(self, result: str) -> str:
        """End with this message; returns the reason to stop."""
        self._came_to = result
        self.write(result)
        return "end_turn"

    # ---- the scripts

    def do_plan(self) -> str:
        """Plan a change."""
        self.think("A greeting for somebody without a name is missing.")
        self.plan("look around", "choose the steps", done=0)
        self.use("p-1", f"Read {GREETING}", "read", GREETING)
        self.plan("look around", "choose the steps", done=1)
        steps = {"file": GREETING, "steps": ["greet whoever has no name", "say so in the docstring"]}
        self.write("Two steps will do.\n")
        return self.come_to(json.dumps(steps))

    def do_write(self) -> str:
        """Change a file, if that is allowed."""
        self.plan("read it", "change it", done=0)
        allowed = self.may("w-1", f"Read {GREETING}", "read", GREETING)
        self.plan("read it", "change it", done=1)
        diff = {"type": "diff", "path": GREETING, "oldText": BEFORE, "newText": AFTER}
        allowed = allowed and self.may("w-2", f"Change {GREETING}", "edit", GREETING, content=[diff])
        self.write("It greets everybody now.\n" if allowed else "It stays as it was.\n")
        return self.come_to(json.dumps({"changed": allowed}))

    def do_review(self) -> str:
        """Judge a change."""
        self.think("Is a name that is empty one that is missing?")
        self.pause(1.0)
        return self.come_to('{"verdict": "approve", "remarks": ["A test for the empty name would be good."]}')

    def do_measure(self) -> str:
        """Fail: it runs out of tokens."""
        self.use("m-1", "Measure greet()", "execute", GREETING, rawInput={"command": ["python", "-m", "timeit"]})
        self.write("Each of the ten million names is greeted now, and")
        return "max_tokens"

    def do_sum(self) -> str:
        """Sum up."""
        return self.come_to("The greeting was planned, changed and reviewed; measuring it takes a larger budget.")

    def do_anything(self) -> str:
        """Repeat what it came to, as when a person has written something beside an answer; else say what it can."""
        return self.come_to(self._came_to or "I act scripts; begin with Plan, Write, Review, Measure or Sum.")


if __name__ == "__main__":
    agent = ScriptedAgent(sys.argv[1] if len(sys.argv) > 1 else "agent")
    threading.Thread(target=agent.listen, daemon=True).start()
    agent.live()
