"""The work of an attempt on the other machine: its command and files, and why that could not be started."""

from __future__ import annotations

import contextlib
import os
import posixpath
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.devices import environment_child, python_child
from starloom.devices.environment import environment_of
from starloom.devices.family import TOKEN
from starloom.devices.ssh.options import expanded
from starloom.devices.ssh.record import SshRecord, write_record
from starloom.devices.ssh.scripts import UNPACKER, AttemptPlace, needs_unpacker

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from starloom.devices.attempt_files import AttemptFiles
    from starloom.devices.base import TaskContext
    from starloom.devices.ssh.address import Address
    from starloom.model.task import Task

UNANSWERED: Final = "unanswered"
"""The reason for a refusal that nobody has given."""
IF_FULL: Final = (
    "perhaps its disk is full or read-only, or a quota is used up: make room, or name another `state_directory`."
)
_CHILD: Final = "python_child.py"
"""What the program that makes a `python` task of a Python there is called in an attempt's folder."""


class NotStarted(Exception):  # noqa: N818 - becomes the outcome
    """Raised if nothing of the attempt has started, nor will; the sentence says why.

    Attributes:
        by_machine: the other machine could not do its part, whatever the task is.
    """

    def __init__(self, message: str, *, by_machine: bool = False) -> None:
        super().__init__(message)
        self.by_machine = by_machine


class RemoteFolders(NamedTuple):
    """The folders of a device on its machine, known once it is connected."""

    home: str
    """That of the user there."""
    state: str
    """In it each attempt has a folder of its own."""

    def place(self, token: str) -> AttemptPlace:
        """The place of an attempt."""
        return AttemptPlace(posixpath.join(self.state, token), token)

    def cwd(self, working_directory: str | None, cwd: str | None) -> str:
        """The working directory of a task with this `cwd`, if tasks run in this directory, relative to the home."""
        return posixpath.join(self.home, expanded(working_directory or ""), expanded(cwd or ""))

    def python(self, python: str) -> str:
        """The Python of this name or path."""
        return posixpath.join(self.home, expanded(python)) if python.startswith("~/") else python


class Work(NamedTuple):
    """The command of an attempt, with its place on the other side and its files on this one."""

    task: Task
    command: tuple[str, ...]
    """What is run there."""
    context: TaskContext
    place: AttemptPlace
    """Where it is on the other side."""
    files: AttemptFiles
    """Its files on this side, none of which outlives it."""
    cwd: str
    env: Mapping[str, str]
    python: str
    """The Python there."""
    folder: Path
    """In what the files on this side lie that are to be moved."""
    grace: float
    tail_bytes: int

    def needed(self) -> dict[str, str]:
        """The files that the command reads: their names in its folder there, and their paths here."""
        task, files = self.task, self.files
        needed = {"upstream": files.upstream} if task.upstream else {}
        if needs_unpacker(self.env):
            needed[UNPACKER] = environment_child.__file__
        return needed if task.python is None else {**needed, "inputs": files.inputs, _CHILD: python_child.__file__}

    def write_down(self, address: Address) -> None:
        """Write the files that are read there, and the record, before anything starts on the machine at an address.

        Raises:
            OSError, TypeError, ValueError, RecursionError: it cannot be written.
        """
        task, context = self.task, self.context
        if task.python is not None:
            self.files.write_inputs(task.inputs)
        if task.upstream:
            path = context.output_path
            folder = "" if path is None else os.path.dirname(os.path.abspath(path))
            self.files.write_upstream(context.upstream, folder)
        if context.kept is not None:
            record = SshRecord(address.host, address.port, address.user, self.place.folder, self.place.token)
            write_record(context.kept, record)

    def weight(self) -> int:
        """The bytes of these files in all; one that cannot be read counts as empty."""
        total = 0
        for path in self.needed().values():
            with contextlib.suppress(OSError):
                total += os.path.getsize(path)
        return total


def environment_there(task: Task, context: TaskContext, place: AttemptPlace) -> dict[str, str]:
    """The variables of an attempt in this place."""
    env = {
        **environment_of(task),
        "STARLOOM_TASK_ID": context.task_id,
        "STARLOOM_RUN_ID": context.run_id,
        "STARLOOM_ATTEMPT": str(context.attempt),
        "STARLOOM_RESULT": f"{place.folder}/result",
        TOKEN: place.token,
    }
    if task.upstream:
        env["STARLOOM_UPSTREAM"] = f"{place.folder}/upstream"
    return env


def command_of(task: Task, folder: str, python: str) -> tuple[str, ...]:
    """The command of a task on a machine with this Python, if its attempt has this folder there."""
    if task.command is not None:
        return task.command
    if task.shell is not None:
        return ("/bin/sh", "-c", task.shell)
    assert task.python is not None
    names = (_CHILD, "inputs", "error")
    child, inputs, error = (f"{folder}/{name}" for name in names)
    return python_child.interpreter_line(python, child, task.python, inputs, error)


def why_refused(reason: str, work: Work) -> str:
    """A sentence on why the command was not started, from the other side's reason."""
    program = work.command[0]
    if work.task.python is not None and reason in {"missing", "denied"}:
        return (
            f"There is no Python {program!r} on the other machine, or it cannot be executed; "
            "name one that is there in the device's option `python`."
        )
    return {
        "cwd": f"The working directory {work.cwd!r} does not exist on the other machine, or cannot be entered.",
        "missing": f"The program {program!r} was not found on the other machine; check its name and the PATH there.",
        "denied": f"The program {program!r} cannot be executed on the other machine; `chmod +x` may be what it needs.",
        "unpacker": (
            f"There is no Python {work.python!r} on the other machine, which is needed to set a variable whose name is "
            "the shell's own or none to it; choose another name, or set the device's option `python`."
        ),
        "folder": f"The files of the attempt cannot be made in {work.place.folder!r} on the other machine; {IF_FULL}",
        UNANSWERED: "The link broke while the task was being started; it never began.",
        "marker": (
            f"The marker cannot be made in {work.place.folder!r} on the other machine, and without it nothing is run; "
            f"{IF_FULL}"
        ),
    }.get(reason, "The shell of the other machine did not do as it was told; its user needs a POSIX /bin/sh.")
