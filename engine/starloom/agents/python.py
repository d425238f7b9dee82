"""The agent that asks a Python function, in a child process of its own for each question.

The function is called as `function(view, finished)` with plain JSON (`picture.py` says which) and returns None, a list
of edits as `edit_forms.py` has them, or `{"edits": […], "reason": "…"}`.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import tempfile
from typing import TYPE_CHECKING, Any, Final

from starloom.agents.allowance import Allowance, Caps
from starloom.agents.base import Proposal
from starloom.agents.picture import ended, picture
from starloom.agents.python_child import command_line
from starloom.devices.family import TOKEN
from starloom.devices.process import StartFailed, start_process
from starloom.errors import AgentError
from starloom.formats.edit_forms import read_edits
from starloom.formats.fields import describe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from starloom.agents.base import AgentView, FinishedTask
    from starloom.devices.output import Stream
    from starloom.devices.process import Process

TIME_LIMIT: Final = 60.0
GRACE: Final = 1.0
"""Seconds between asking a child to end and killing it."""
MAX_ANSWER: Final = 8 * 1024 * 1024
_KEPT: Final = 2_000
"""How many bytes of what the child printed are kept for the message."""
_WAY: Final = re.compile(r'^  File "[^\n]*\n(?:  [^\n]*\n)*(?=\S)', re.MULTILINE)
"""The last line of a traceback that is no exception, with what stands below it of the code."""
_TARGET: Final = re.compile(r"[\w.]+:[\w.]+")


class PythonAgent:
    """Asks `module:function` in a child process, which keeps no state between two questions."""

    def __init__(
        self,
        target: str,
        *,
        name: str = "",
        time_limit: float = TIME_LIMIT,
        cwd: Path | str | None = None,
        caps: Caps | None = None,
    ) -> None:
        """An agent made of a function.

        Args:
            target: `module:function`.
            name: what it is called in events; empty: as the target.
            time_limit: seconds for one answer; then the child and all its kin are killed.
            cwd: where the child starts, and where modules are looked for first; None: where we are.
            caps: how much it may change in one run.

        Raises:
            AgentError: the target names no function.
        """
        if _TARGET.fullmatch(target) is None:
            raise AgentError(f"{target!r} does not name a function; write module:function, e.g. plans.agent:propose.")
        self.name = name or target
        self._target = target
        self._time_limit = time_limit
        self._cwd = cwd
        self._allowance = Allowance(caps or Caps())

    async def propose(self, view: AgentView, finished: Sequence[FinishedTask]) -> Proposal | None:
        """Call the function and return its answer.

        Raises:
            AgentError: it failed, was too slow, or answered something else than edits.
        """
        if self._allowance.is_used_up(view.run_id):
            return None
        question = await asyncio.to_thread(_question, view, finished)  # of a large run it takes a while
        return self._proposal(view, await self._ask(question))

    def _proposal(self, view: AgentView, answer: Any) -> Proposal | None:
        reason = ""
        if isinstance(answer, dict):
            if not answer.keys() <= {"edits", "reason"}:
                unknown = sorted(answer.keys() - {"edits", "reason"})
                raise AgentError(f"{self._target} answered with {unknown[0]!r}; known are edits and reason.")
            answer, reason = answer.get("edits"), answer.get("reason") or ""
        if not answer:
            return None
        edits, problems = read_edits(answer)
        if problems or not isinstance(reason, str):
            what = problems[0] if problems else f"reason: must be text, not {describe(reason)}."
            raise AgentError(f"the answer of {self._target} cannot be used: {what}")
        self._allowance.spend(view.run_id, len(edits))
        return Proposal(edits=edits, reason=reason)

    async def _ask(self, question: bytes) -> Any:
        heard = _Heard()
        try:
            code = await self._converse(question, heard)
        except TimeoutError:
            limit = f"within {self._time_limit:g} s and was ended"
            raise AgentError(f"{self._target} has not answered {limit}.{heard.told}") from None
        if code != 0:
            raise AgentError(f"{self._target} failed with exit code {code}{heard.why}")
        if len(heard.answer) > MAX_ANSWER:
            raise AgentError(f"{self._target} answered more than {MAX_ANSWER // 1024**2} MiB; propose fewer edits.")
        return json.loads(heard.answer)

    async def _converse(self, question: bytes, heard: _Heard) -> int:
        """The exit code of a child that was asked; whatever ends this, the child has gone with all its kin."""
        with tempfile.TemporaryFile() as file:  # as its input; a pipe would need somebody who feeds it
            file.write(question)
            file.seek(0)
            env = {**os.environ, TOKEN: secrets.token_hex(16)}
            process = await self._start(env, heard, file.fileno())
            try:
                async with asyncio.timeout(self._time_limit):
                    return await process.wait()
            except (TimeoutError, asyncio.CancelledError):
                await process.stop(GRACE)
                raise

    async def _start(self, env: Mapping[str, str], heard: _Heard, stdin: int) -> Process:
        argv = command_line(self._target)
        cwd = None if self._cwd is None else str(self._cwd)
        try:
            return await start_process(argv, cwd=cwd, env=env, on_output=heard.take, stdin=stdin)
        except StartFailed as error:
            raise AgentError(f"{self._target} cannot be asked: {error}") from error


def _question(view: AgentView, finished: Sequence[FinishedTask]) -> bytes:
    return json.dumps({"view": picture(view), "finished": ended(finished)}).encode()


class _Heard:
    """The output of a child: its answer, and the end of what it printed."""

    def __init__(self) -> None:
        self.answer = bytearray()
        self._printed = bytearray()

    def take(self, stream: Stream, data: bytes) -> None:
        if stream == "stderr":
            self._printed += data
            del self._printed[:-_KEPT]
        elif len(self.answer) <= MAX_ANSWER:
            self.answer += data

    @property
    def told(self) -> str:
        """The end of what it printed, as the end of a message."""
        text = self._printed.decode(errors="replace").strip()
        return f" It printed: {text}" if text else ""

    @property
    def why(self) -> str:
        """The same of one that failed, the exception before the way to it, as the end of a message may be cut off."""
        text = self._printed.decode(errors="replace").strip()
        ways = [found.end() for found in _WAY.finditer(text)]
        at = ways[-1] if ways else text.rfind("\n") + 1
        before = f"\nIt printed before: {text[:at].strip()}" if at else ""
        return f": {text[at:]}{before}" if text else "."
