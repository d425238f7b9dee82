"""The machine of a Dask worker, as the worker itself sees it: processes there end with the worker."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from typing_extensions import override

from starloom.devices.dask import guardian
from starloom.devices.dask.pythons import Birth, Pythons, are_possible
from starloom.devices.ended import failed
from starloom.devices.environment import environment_of
from starloom.devices.family import TOKEN
from starloom.devices.local import OWN_VARIABLES, LocalDevice
from starloom.devices.process import StartFailed
from starloom.model.result import ErrorCode

if TYPE_CHECKING:
    from starloom.devices.attempt_files import AttemptFiles
    from starloom.devices.base import TaskContext
    from starloom.devices.output import Output
    from starloom.devices.process import StartedProcess
    from starloom.model.result import Outcome
    from starloom.model.task import Task


class WorkersDevice(LocalDevice):
    """The machine of a worker; the processes it starts end with the worker, however that ends.

    A function is called in a Python that has been there before, if one has the task's working directory and variables.
    One that is told secrets has a process of its own.

    Attributes:
        pythons: those that are there.
    """

    def __init__(self) -> None:
        super().__init__("worker")
        self._guardian: subprocess.Popen[bytes] | None = None
        # The worker's loop has others to serve: with one thread to start in, they need not wait for it.
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="starloom-start")
        self.pythons = Pythons(self._threads)

    def path_of(self, name: str) -> str:
        """A path in the worker's folder."""
        return os.path.join(self._scratch.path(), name)

    @override
    async def connect(self) -> None:
        await super().connect()
        if self._guardian is not None:
            return
        mark = secrets.token_hex(12)
        self._environment[guardian.MARK] = mark
        command = (sys.executable, "-P", guardian.__file__, mark, self._scratch.path())
        # In a session of its own, so that what ends the worker's process group leaves it alone. Starting it takes a
        # millisecond, once for each worker.
        self._guardian = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)  # noqa: ASYNC220

    @override
    async def _run_process(
        self, task: Task, context: TaskContext, files: AttemptFiles, token: str, stdin: bytes
    ) -> Outcome:
        try:
            return await super()._run_process(task, context, files, token, stdin)
        except StartFailed as error:  # after its start: the Python that was to call it could not, nor could another
            return failed(ErrorCode.START_FAILED, str(error))

    @override
    async def _start(
        self, task: Task, context: TaskContext, files: AttemptFiles, token: str, output: Output, stdin: int
    ) -> StartedProcess:
        if task.python is None or context.secrets or not are_possible():
            return await super()._start(task, context, files, token, output, stdin)
        env = self._env(task, context, files, token)
        own = {name: env[name] for name in OWN_VARIABLES & env.keys() - {TOKEN}}
        return await self.pythons.call(self._birth(task), (task.python, files.inputs, files.error), own, output.feed)

    def _birth(self, task: Task) -> Birth:
        return Birth(os.path.abspath(self._cwd(task) or ""), {**self._environment, **environment_of(task)})
