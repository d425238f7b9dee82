"""Requests of an agent for permission: what a policy says to one by itself, and the question it is to a person.

A policy answers questions, it does not confine: an agent that does not ask, or says something else than it does, is
held back by nothing here. What confines is a container, as of a `wrapped` device.
"""

from __future__ import annotations

import difflib
import json
import posixpath
import shlex
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from starloom.devices.excerpts import one_line
from starloom.model.question import LONGEST_DETAIL, Option, Question
from starloom.model.status import PermissionPolicy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starloom.devices.acp.messages import PermissionOption, PermissionParams, ToolCall


class Ruling(StrEnum):
    """What becomes of a request."""

    ALLOW = "allow"
    REJECT = "reject"
    ASK = "ask"


_READS: Final = frozenset({"read", "search"})
_ALLOWED: Final = {
    PermissionPolicy.ALLOW_READS: _READS,
    PermissionPolicy.ALLOW_WITHIN_CWD: _READS | {"edit", "delete", "move"},
}
_LEAST_PLACES: Final = {"move": 2}
"""How many files a tool of this kind touches at least; one that names fewer has not said which."""
_LONGEST_LABEL: Final = 200
_MOST_DIFFED: Final = 4000
"""Lines of a file, before or after, up to which it is compared; comparing takes the square of them."""
_COMMANDS: Final = ("command", "cmd")
_FOLDERS: Final = ("cwd", "workdir", "working_directory", "directory", "dir_path")


def places_of(call: ToolCall) -> tuple[str, ...]:
    """The paths of the files that a tool call names: those it declares, and those of its changes."""
    declared = [place.path for place in call.locations or ()]
    return tuple(dict.fromkeys([*declared, *(str(diff.get("path")) for diff in _diffs(call))]))


def verdict(policy: PermissionPolicy, call: ToolCall, resolved: Mapping[str, str | None], cwd: str) -> Ruling:
    """What a policy says to a tool call.

    Args:
        policy: of the task or its device.
        call: with its kind and locations as the agent declares them.
        resolved: the absolute path of each of `places_of` on the agent's machine, without symbolic links; None: nobody
            knows where it leads.
        cwd: likewise of the session's working directory.
    """
    if policy is PermissionPolicy.REJECT:
        return Ruling.REJECT
    kind, places = call.kind or "", places_of(call)
    if kind not in _ALLOWED.get(policy, ()) or len(places) < _LEAST_PLACES.get(kind, 1):
        return Ruling.ASK
    found = [resolved.get(place) for place in places]
    if policy is PermissionPolicy.ALLOW_WITHIN_CWD and not all(_is_within(path, cwd) for path in found):
        return Ruling.ASK
    return Ruling.ALLOW if all(found) else Ruling.ASK


def _is_within(path: str | None, folder: str) -> bool:
    return path is not None and (path == folder or path.startswith(folder.rstrip("/") + "/"))


def option_for(options: Sequence[PermissionOption], *, allow: bool) -> PermissionOption | None:
    """The option by which a policy answers: only for this once where it allows; None: there is none."""
    wanted = ("allow_once",) if allow else ("reject_once", "reject_always")
    return next((option for kind in wanted for option in options if option.kind == kind), None)


class Asked(NamedTuple):
    """A request for permission as it is shown to a person."""

    question: Question
    title: str
    """The request on one line."""


def as_question(params: PermissionParams, call: ToolCall, agent: str, cwd: str) -> Asked:
    """The question that a request is.

    Args:
        params: of the request.
        call: the tool call with all that has been told of it.
        agent: what the agent calls itself.
        cwd: the session's working directory.

    Raises:
        ValueError: it cannot be shown to a person as a whole.
    """
    title = one_line(call.title or "", _LONGEST_LABEL) or f"a tool of the kind {call.kind or 'unknown'}"
    detail, kind = detail_of(call, cwd)
    options = tuple(
        Option(option.option_id, one_line(option.name, _LONGEST_LABEL) or option.kind, option.allows)
        for option in params.options
    )
    text = f"{agent} asks for permission: {title}"
    alike = f"{call.kind or 'unknown'}: {title}"
    question = Question(text, kind="permission", options=options, detail=detail, detail_kind=kind, alike=alike)
    return Asked(question, title)


def detail_of(call: ToolCall, cwd: str) -> tuple[str, str]:
    """What exactly a tool call does, and how that is to be shown, as of a question.

    Raises:
        ValueError: it is too large for a person.
    """
    diffs = _diffs(call)
    if diffs:
        return "\n".join(_unified(diff) for diff in diffs), "diff"
    given = call.raw_input if isinstance(call.raw_input, dict) else {}
    command = next((given[name] for name in _COMMANDS if given.get(name)), None)
    if call.kind == "execute" or command is not None:
        folder = next((given[name] for name in _FOLDERS if isinstance(given.get(name), str)), "")
        # What else it is given may change what the command does, so all of it is shown.
        others = {name: value for name, value in given.items() if name not in (*_COMMANDS, *_FOLDERS)}
        said = [_command_text(command) or call.title or "", f"in {posixpath.join(cwd, folder) if folder else cwd}"]
        return "\n".join([*said, *([_plain(others)] if others else [])]), "command"
    named = "\n".join(places_of(call))
    return "\n".join(text for text in (named, _plain(call.raw_input) if call.raw_input else "") if text), "text"


def _command_text(command: Any) -> str:
    if isinstance(command, list) and all(isinstance(part, str) for part in command):
        return shlex.join(command)
    return command if isinstance(command, str) else "" if command is None else _plain(command)


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _diffs(call: ToolCall) -> list[dict[str, Any]]:
    return [one for one in call.content or () if one.get("type") == "diff" and isinstance(one.get("path"), str)]


def _unified(diff: dict[str, Any]) -> str:
    """A change of a file as a unified diff; one too large to be compared, as all that goes and all that comes."""
    path, before, after = diff["path"], str(diff.get("oldText") or ""), str(diff.get("newText") or "")
    if len(before) + len(after) > 2 * LONGEST_DETAIL:
        raise ValueError(f"The change of {path} has more characters than a person reads before answering.")
    old, new = before.splitlines(), after.splitlines()
    head = f"--- {path if before else '/dev/null'}\n+++ {path}"
    if max(len(old), len(new)) > _MOST_DIFFED:
        return "\n".join([head, *(f"-{line}" for line in old), *(f"+{line}" for line in new)])
    lines = difflib.unified_diff(old, new, lineterm="", n=3)
    return "\n".join([head, *list(lines)[2:]])
