"""A scripted agent of the Agent Client Protocol, without a model or a network. It does what it is told, also wrong.

Run as a program: the first argument chooses how it behaves. What it hears is written into the file named by ACP_LOG,
what it says and hears into a file of its own in the folder ACP_DIALOGUES, whose name begins with ACP_TASK.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

FOREVER = 3600
MIB = 2**20


def dialogue_of_its_own() -> str:
    folder, task = os.environ.get("ACP_DIALOGUES"), os.environ.get("ACP_TASK")
    return f"{folder}/{task}-{time.time_ns()}-{os.getpid()}" if folder else ""


class Agent:
    """One agent, which holds one session."""

    def __init__(self, manner: str, words: list[str]) -> None:
        self.manner = manner
        self.words = words
        self.session = "s-1"
        self.numbers = 100
        self.is_cancelled = False
        log = os.environ.get("ACP_LOG")
        self.log = open(log, "ab", buffering=0) if log else None  # noqa: SIM115 - for as long as it lives
        self.stays = False
        self.dialogue = open(path, "ab", buffering=0) if (path := dialogue_of_its_own()) else None  # noqa: SIM115

    # ---- the wire

    def raw(self, line: bytes) -> None:
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()

    def say(self, **message: Any) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.note(b"> " + line + b"\n")
        self.raw(line)

    def note(self, line: bytes) -> None:
        if self.dialogue is not None:
            self.dialogue.write(line)

    def hear(self) -> dict[str, Any]:
        """The next message; at the end of the input it ends, as most agents do."""
        line = sys.stdin.buffer.readline()
        if not line:
            if self.stays:
                time.sleep(FOREVER)
            raise SystemExit(0)
        self.note(b"< " + line)
        if self.log is not None:
            self.log.write(line)
        message: dict[str, Any] = json.loads(line)
        self.is_cancelled = self.is_cancelled or message.get("method") == "session/cancel"
        return message

    def begin_asking(self, method: str, params: dict[str, Any]) -> int:
        self.numbers += 1
        self.say(id=self.numbers, method=method, params=params)
        return self.numbers

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to a request of ours, with its result or its error."""
        number = self.begin_asking(method, {"sessionId": self.session, **params})
        while (message := self.hear()).get("id") != number or "method" in message:
            pass
        return message

    def update(self, kind: str, /, **fields: Any) -> None:
        self.say(
            method="session/update", params={"sessionId": self.session, "update": {"sessionUpdate": kind, **fields}}
        )

    def write(self, text: str) -> None:
        self.update("agent_message_chunk", content={"type": "text", "text": text})

    def permission(self, kind: str, /, *places: str, **call: Any) -> dict[str, Any]:
        """Ask to be allowed something; the outcome."""
        call = {"toolCallId": "c-1", "title": f"{kind} something", "kind": kind, "status": "pending", **call}
        call["locations"] = [{"path": place} for place in places]
        answer = self.ask("session/request_permission", toolCall=call, options=OPTIONS)
        return dict(answer["result"]["outcome"]) if "result" in answer else dict(answer["error"])

    # ---- its life

    def live(self) -> None:
        getattr(self, f"before_{self.manner}", lambda: None)()
        while True:
            message = self.hear()
            method, params = message.get("method"), message.get("params") or {}
            if method == "initialize":
                self.initialize(message["id"])
            elif method == "session/new":
                self.open(message["id"])
            elif method == "session/prompt":
                reason = self.work(params["prompt"])
                self.say(id=message["id"], result={"stopReason": reason})

    def initialize(self, id: int) -> None:
        version = 99 if self.manner == "new" else 1
        takes = {"promptCapabilities": {"embeddedContext": self.manner != "plain"}}
        info = {"name": "scripted", "title": "Scripted agent", "version": "1"}
        ways = [{"id": "oauth", "name": "Log in with a browser"}] if self.manner == "login" else []
        told = {"protocolVersion": version, "agentCapabilities": takes, "agentInfo": info, "authMethods": ways}
        self.say(id=id, result=told)

    def open(self, id: int) -> None:
        if self.manner == "login":
            self.say(id=id, error={"code": -32000, "message": "Authentication required"})
        elif self.manner == "single" and not self.is_first():
            self.say(id=id, error={"code": -32603, "message": "Internal error", "data": {"details": "one at a time"}})
        else:
            self.say(id=id, result={"sessionId": self.session, "configOptions": MODEL})

    def is_first(self) -> bool:
        try:
            os.close(os.open("single.lock", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        return True

    def work(self, blocks: list[dict[str, Any]]) -> str:
        """Do what the prompt, or else the manner, says; the reason to stop."""
        text = blocks[0]["text"]
        doing = getattr(self, f"do_{self.manner}", None) or getattr(self, f"do_{text}", None)
        return str(doing() if doing is not None else self.echo(text))

    def wait(self) -> str:
        while not self.is_cancelled:
            self.hear()
        return "cancelled"

    # ---- what prompts ask for

    def echo(self, text: str) -> str:
        self.write(text)
        return "end_turn"

    def do_fail(self) -> str:
        return "refusal"

    def do_wait(self) -> str:
        self.write("waiting\n")
        return self.wait()

    # ---- manners

    def do_talk(self) -> str:
        self.update("agent_thought_chunk", content={"type": "text", "text": "Hm."})
        self.write("First I look.")
        self.update("plan", entries=[
            {"content": "look", "priority": "high", "status": "completed"},
            {"content": "write", "priority": "low", "status": "in_progress"},
        ])  # fmt: skip
        call = {"toolCallId": "c-7", "title": "Read main.py", "kind": "read", "status": "in_progress"}
        self.update("tool_call", **call, locations=[{"path": "/there/main.py"}])
        self.update("tool_call_update", toolCallId="c-7", status="failed")
        self.update("something_new", anything=[1, {"of": "ours"}])
        self.update("agent_message_chunk", content="not as it has to be")
        self.write("The last ")
        self.write("message.")
        return "end_turn"

    def do_max_tokens(self) -> str:
        return "max_tokens"

    def do_dies(self) -> str:
        self.write("I begin")
        os.write(2, b"out of memory\n")
        os._exit(3)

    def do_is_killed(self) -> str:
        self.write("I begin")
        os.kill(os.getpid(), signal.SIGKILL)
        return "end_turn"

    def do_mute(self) -> str:
        self.write("I begin")
        os.close(1)  # and lives on: half of the connection is closed
        time.sleep(FOREVER)
        return "end_turn"

    def do_closes_its_input(self) -> str:
        os.close(0)
        self.begin_asking("session/request_permission", {
            "sessionId": self.session, "toolCall": {"toolCallId": "c-1", "title": "Go"}, "options": OPTIONS,
        })  # fmt: skip
        time.sleep(FOREVER)
        return "end_turn"

    def before_stillborn(self) -> None:
        os.write(2, b"no such model\n")
        os._exit(4)

    def before_hangs(self) -> None:
        time.sleep(FOREVER)

    def before_deaf(self) -> None:
        while True:
            message = self.hear()
            if message.get("method") == "initialize":
                self.initialize(message["id"])
            elif message.get("method") == "session/new":
                self.open(message["id"])
                time.sleep(FOREVER)  # and never reads the prompt, which may not fit into the pipe

    def before_banner(self) -> None:
        self.raw(b"Need to install the following packages: agent")

    def before_banner_then_hangs(self) -> None:
        self.raw(b"Enter your API key:")
        time.sleep(FOREVER)

    def do_garbage(self) -> str:
        self.raw(b"{this is no JSON")
        return self.wait()

    def do_latin(self) -> str:
        self.raw('{"jsonrpc": "2.0", "method": "caf\xe9"}'.encode("latin-1"))
        return self.wait()

    def do_utf16(self) -> str:
        self.raw('{"jsonrpc": "2.0", "method": "x"}'.encode("utf-16"))
        return self.wait()

    def do_long(self) -> str:
        self.update("tool_call", toolCallId="c-9", title="x" * 10 * MIB)
        self.write("done")
        return "end_turn"

    def do_endless(self) -> str:
        for _ in range(17):
            sys.stdout.buffer.write(b"x" * MIB)
        sys.stdout.buffer.flush()
        return self.wait()

    def do_large(self) -> str:
        for _ in range(9):
            self.write("x" * (MIB // 8))
        return "end_turn"

    def do_stranger(self) -> str:
        self.say(id=4711, result={})
        return self.wait()

    def do_answer(self) -> str:
        self.write(f"Here it is:\n```json\n{self.words[0]}\n```\n")
        return "end_turn"

    def do_error(self) -> str:
        raise KeyError("the model is overloaded")

    def do_stubborn(self) -> str:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for path in self.words:
            with open(path, "a") as begun:
                begun.write(f"{os.getpid()}\n")
        self.write("waiting\n")
        while True:
            time.sleep(FOREVER)

    def do_leaves(self) -> str:
        child = subprocess.Popen(["sleep", str(FOREVER)], start_new_session=True)
        self.write(str(child.pid))
        return "end_turn"

    def do_forbidden(self) -> str:
        answers = [
            self.ask("fs/read_text_file", path="/etc/passwd"),
            self.ask("terminal/create", command="id"),
            self.ask("elicitation/create", mode="form", message="Password?", requestedSchema={"type": "object"}),
        ]
        self.write(json.dumps([one.get("result") or one["error"]["code"] for one in answers]))
        return "end_turn"

    def do_permission(self) -> str:
        """Asks for what its words say: a kind and places."""
        kind, *places = self.words
        outcome = self.permission(kind, *places)
        self.write(json.dumps(outcome))
        return "cancelled" if self.is_cancelled else "end_turn"

    def do_command(self) -> str:
        given = {"command": ["rm", "-r", "my files"], "cwd": "sub", "timeout": 5}
        self.update("tool_call", toolCallId="c-1", title="Remove", kind="execute", rawInput=given)
        answer = self.ask("session/request_permission", toolCall={"toolCallId": "c-1"}, options=OPTIONS)
        self.write(json.dumps(answer["result"]["outcome"]))
        return "end_turn"

    def do_change(self) -> str:
        diff = {"type": "diff", "path": self.words[0], "oldText": "one\ntwo\n", "newText": "one\n2\n"}
        self.write(json.dumps(self.permission("edit", content=[diff])))
        return "end_turn"

    def do_asks_and_dies(self) -> str:
        self.begin_asking("session/request_permission", {
            "sessionId": self.session, "toolCall": {"toolCallId": "c-1", "title": "Go"}, "options": OPTIONS,
        })  # fmt: skip
        os._exit(5)

    def do_asks(self) -> str:
        self.write(json.dumps([*self.chosen(1), *self.chosen(2)]))
        return "end_turn"

    def do_asks_and_stays(self) -> str:
        self.stays = True  # though its input ends
        reason = self.do_asks()
        self.stays = False
        return reason

    def do_asks_100(self) -> str:
        self.write(json.dumps(self.chosen(100)))
        return "end_turn"

    def chosen(self, count: int) -> list[str]:
        """What is chosen by whoever is asked so many times at once."""
        params = {"sessionId": self.session, "toolCall": {"toolCallId": "c-1", "title": "Go"}, "options": OPTIONS}
        open_ = {self.begin_asking("session/request_permission", params) for _ in range(count)}
        chosen = []
        while open_:
            message = self.hear()
            open_.remove(message["id"])
            chosen.append(message["result"]["outcome"]["optionId"])
        return chosen


MODEL = [
    {
        "id": "model",
        "name": "Model",
        "category": "model",
        "type": "select",
        "currentValue": "scripted-2",
        "options": [{"value": "scripted-2", "name": "Scripted 2"}],
    }
]
OPTIONS = [
    {"optionId": "always", "name": "Always", "kind": "allow_always"},
    {"optionId": "once", "name": "Yes", "kind": "allow_once"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
]

if __name__ == "__main__":
    manner, *words = [*sys.argv[1:], "echo"][: max(1, len(sys.argv) - 1)]
    agent = Agent(manner, words)
    try:
        agent.live()
    except KeyError as error:
        agent.say(id=3, error={"code": -32603, "message": str(error.args[0])})
        agent.wait()
