"""Secrets are planted, and looked for in every file that a run leaves, in every process, and in all that is told."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psutil
import pytest
from tests.dask_clusters import ONE_WORKER
from tests.integration.local_harness import posix_only
from tests.ssh_servers import OpensshServer
from tests.waiting import POLL, until

from starloom import InProcessDevice, LocalDevice, Orchestrator, Plan, Retry, RunState, Secret, Task, TaskContext
from starloom.devices.dask import DaskDevice
from starloom.devices.dask.link import DaskLink
from starloom.devices.family import TOKEN
from starloom.devices.masking import MASK
from starloom.devices.ssh import SshDevice
from starloom.devices.wrapped import WrappedDevice
from starloom.events import TaskWarned
from starloom.journal.library import Library
from starloom.orchestration.channel import OutputChunk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starloom.devices.base import Device

pytestmark = [posix_only, pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")]

BOUND = 90.0
# Tests that run at the same time plant others, and look at all processes too.
MARK = f"s3cr3t-{uuid4().hex}"
SECRET = f"{MARK}-hunter-2-ünïcode"
ODD = f"{MARK}-of-an-odd-name"

# Prints the secret in two pieces, so that who reads may get one without the other, and in all ways there are.
_LEAK = """\
import json, os, sys, time
secret, odd = os.environ["TOKEN"], os.environ["my-token"]
half = len(secret) // 2
for piece in (secret[:half], secret[half:]):
    sys.stdout.write(piece); sys.stdout.flush(); time.sleep(0.2)
print(); print(json.dumps({"token": secret}))
sys.stderr.write(f"no {odd} " + secret)
with open(os.environ["STARLOOM_RESULT"], "w") as file:
    json.dump({secret: [f"a {secret} b", odd]}, file)
"""
_HOLD = """\
import os, time
assert os.environ["TOKEN"] and os.environ["my-token"]
open(os.environ["READY"], "w").close()
while not os.path.exists(os.environ["GO"]):
    time.sleep(0.01)
print("held", os.environ["TOKEN"])
"""


class ProcessWatch:
    """Looks at the arguments of every process of this machine, again and again, until it is left.

    Attributes:
        seen: those that hold what must not be seen.
    """

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> ProcessWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(0.02):  # a look takes as long, and the tests beside it need the processor too
            self.look()

    def look(self) -> None:
        for pid in filter(str.isdigit, os.listdir("/proc")):  # psutil takes eight times as long for it
            with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb", buffering=0) as file:
                line = file.read()
                if MARK.encode() in line:
                    self.seen.add(line.decode())


def strangers_that_know() -> list[list[str]]:
    """The processes with the secret in their environment that belong to no attempt."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            env = process.environ()
            if TOKEN not in env and any(MARK in value for value in env.values()):
                found.append(process.cmdline())
    return found


def files_that_tell(folder: Path) -> list[str]:
    """The files in a folder, however deep, with the secret in them or in their names."""
    found = []
    for path in folder.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        if MARK in path.name or any(one.encode() in data for one in (MARK, "hunter-2", "an-odd-name")):
            found.append(str(path))
    return found


@contextlib.contextmanager
def _made(kind: str, folder: Path) -> Iterator[Device]:
    if kind == "local":
        yield LocalDevice("dev")
    elif kind == "wrapped":
        yield WrappedDevice("dev", wrapper=["env"])
    elif kind == "ssh":
        with OpensshServer(folder / "ssh") as server:
            yield SshDevice("dev", slots=2, **server.options(python=sys.executable))
    else:
        with ONE_WORKER.stands():
            yield DaskDevice("dev", link=DaskLink(ONE_WORKER.address), worker="0", slots=2)


def _planted(folder: Path) -> dict[str, Any]:
    (folder / "token").write_text(f"{SECRET}\n")
    (folder / "odd").write_text(ODD)
    return {"TOKEN": Secret(f"file:{folder}/token"), "my-token": Secret(f"file:{folder}/odd")}


@pytest.mark.parametrize("kind", ["local", "wrapped", "ssh", "dask"])
@pytest.mark.parametrize("journal", [True, False], ids=["kept", "not kept"])
def test_a_planted_secret_is_found_nowhere(tmp_path: Path, kind: str, journal: bool) -> None:
    run_folder, planted, signs = tmp_path / "runs", tmp_path / "planted", tmp_path / "signs"
    for each in (run_folder, planted, signs):
        each.mkdir()
    env = _planted(planted)
    hold = {**env, "READY": str(signs / "ready"), "GO": str(signs / "go")}
    tasks = (
        Task(id="leak", command=(sys.executable, "-c", _LEAK), env=env),
        Task(id="hold", command=(sys.executable, "-c", _HOLD), env=hold),
        Task(id="fail", shell='echo "$TOKEN" >&2; printf %s "$TOKEN"; exit 3', env=env),
    )
    told: list[str] = []

    async def scenario(device: Device, library: Library | None) -> Any:
        engine = Orchestrator([device], journal=library, output_directory=None if library else run_folder)
        async with engine:
            engine.channel.listen(lambda said: told.append(said.text if isinstance(said, OutputChunk) else said.note))
            run = await engine.start(Plan(name="p", tasks=tasks))
            await until((signs / "ready").exists, every=POLL)
            strangers = strangers_that_know()
            (signs / "go").touch()
            async with asyncio.timeout(BOUND):
                summary = await run.finished()
            results = {one.id: run.facts.results[run.facts.graph.place[one.id]] for one in tasks}
            return summary, results, strangers

    with _made(kind, tmp_path) as device, ProcessWatch() as watch:
        with contextlib.closing(Library(run_folder)) if journal else contextlib.nullcontext() as library:
            summary, results, strangers = asyncio.run(scenario(device, library))
        left = [*files_that_tell(run_folder), *files_that_tell(signs), *files_that_tell(tmp_path / "ssh")]
    assert (summary.state, strangers, watch.seen, left) == (RunState.PARTIALLY_FAILED, [], set(), [])
    assert "s3cr3t" not in repr(results) + "".join(told)
    if kind != "wrapped":  # whose results are last lines
        assert results["leak"].value == {MASK: [f"a {MASK} b", MASK]}
    assert f"no {MASK} {MASK}" in results["leak"].output
    assert results["hold"].output == f"held {MASK}\n"
    assert results["fail"].exit_code == 3
    assert results["fail"].output.count(MASK) == 2


def test_a_handler_gets_the_value_and_what_it_says_is_masked(tmp_path: Path) -> None:
    told: list[str] = []

    async def handler(task: Task, context: TaskContext) -> Any:
        value = str(task.env["TOKEN"])
        context.emit(value[:5])
        context.emit(value[5:] + " end s3c")
        context.warn(f"beware of {value}")
        context.progress(0.5, f"at {value}")
        if task.id == "bad":
            raise ValueError(f"no {value}")
        return {"is": value == SECRET, "value": value}

    async def scenario() -> Any:
        async with Orchestrator([InProcessDevice("dev", slots=1, handlers={"work": handler})]) as engine:
            engine.channel.listen(lambda said: told.append(said.text if isinstance(said, OutputChunk) else said.note))
            engine.events.subscribe(lambda event: told.append(repr(event)), TaskWarned)
            env = {"TOKEN": _planted(tmp_path)["TOKEN"]}
            tasks = tuple(Task(id=name, call="work", env=env) for name in ("good", "bad"))
            run = await engine.start(Plan(name="p", tasks=tasks))
            await run.finished()
            await until(lambda: "".join(told).count("TaskWarned") == 2)
            return repr(run.facts.results)

    facts = asyncio.run(scenario())
    assert "s3cr3t" not in facts + "".join(told)
    assert f"{MASK} end " in told
    assert told.count("s3c") == 2  # held back until it was certain that nothing followed
    assert "'is': True" in facts
    assert f"no {MASK}" in facts
    assert f"beware of {MASK}" in "".join(told)


@pytest.mark.parametrize("retry", [0, 1])
def test_a_missing_secret_fails_its_task_in_a_sentence_and_nothing_of_it_runs(tmp_path: Path, retry: int) -> None:
    async def scenario() -> Any:
        async with Orchestrator([LocalDevice("dev")]) as engine:
            env = {"TOKEN": Secret("env:NOT_SET_HERE")}
            task = Task(id="t", command=("touch", str(tmp_path / "ran")), env=env, retry=Retry(attempts=retry + 1))
            run = await engine.start(Plan(name="p", tasks=(task,)))
            await run.finished()
            return run.facts.results[0]

    error = asyncio.run(scenario()).error
    assert error.code == "secret_unavailable"
    assert error.message.startswith("The variable TOKEN cannot be set. There is no secret env:NOT_SET_HERE")
    assert not (tmp_path / "ran").exists()


def test_a_secret_is_looked_up_anew_for_each_attempt(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("first-one")
    script = f'test "$TOKEN" = second-one && echo "$TOKEN" && exit 0; printf second-one >{path}; exit 1'

    async def scenario() -> Any:
        async with Orchestrator([LocalDevice("dev")]) as engine:
            task = Task(id="t", shell=script, env={"TOKEN": Secret(f"file:{path}")}, retry=Retry(attempts=2))
            run = await engine.start(Plan(name="p", tasks=(task,)))
            return await run.finished(), run.facts.results[0]

    summary, result = asyncio.run(scenario())
    assert (summary.state, result.output) == (RunState.COMPLETED, f"{MASK}\n")


def test_what_a_later_task_prints_of_an_earlier_ones_secret_is_masked_too(tmp_path: Path) -> None:
    kept = tmp_path / "kept"

    async def scenario() -> Any:
        async with Orchestrator([LocalDevice("dev", slots=1)]) as engine:
            tasks = (
                Task(id="a", shell=f'printf %s "$TOKEN" >{kept}', env={"TOKEN": _planted(tmp_path)["TOKEN"]}),
                Task(id="b", shell=f"cat {kept}"),
            )
            run = await engine.start(Plan(name="p", tasks=tasks))
            await run.finished()
            return run.facts.results[1]

    assert asyncio.run(scenario()).output == MASK
