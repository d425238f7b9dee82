"""Files of tasks on this computer and in what wrappers such as `docker exec` reach: a plan moved there just works."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.local_harness import COMPLETED, STOPPED, Attempt, context_of, error_of, posix_only
from tests.integration.test_wrapped import stand_in as stand_in
from tests.waiting import POLL, until

from starloom.devices.local import LocalDevice
from starloom.devices.local_side import LocalSide
from starloom.devices.wrapped import WrappedDevice
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from starloom.model.result import Outcome

pytestmark = posix_only
KINDS = ("local", "wrapped", "docker", "adb")


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path, Callable[[], LocalDevice]]:
    """The folder of files here, that where tasks run, and a device."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    kind = request.param
    if kind in {"docker", "adb"}:
        request.getfixturevalue("stand_in")
    wrapper: Any = {"wrapped": ["env", "-u", "X"], "docker": "docker exec", "adb": "adb shell"}.get(kind)
    options: dict[str, Any] = {"slots": 2, "files_directory": str(here), "grace": 0.5}
    if kind == "local":
        return here, there, lambda: LocalDevice("d", **options)
    return here, there, lambda: WrappedDevice("d", wrapper=wrapper, target="box", **options)


def on(make: Callable[[], LocalDevice], scenario: Callable[[LocalDevice], Awaitable[Any]]) -> Any:
    async def connected() -> Any:
        device = make()
        await device.connect()
        try:
            return await scenario(device)
        finally:
            await device.disconnect()

    return asyncio.run(connected())


def run(make: Callable[[], LocalDevice], task: Task, **context: Any) -> Outcome:
    outcome: Outcome = on(make, lambda device: Attempt(device, task, kept=None, **context).run())
    return outcome


def test_files_are_there_before_it_begins_and_here_once_it_has_completed(place: Any) -> None:
    here, there, make = place
    (here / "tool").write_text("#!/bin/sh\ntr a-z A-Z\n")
    (here / "tool").chmod(0o755)
    (here / "-a b'c").write_bytes(b"hello\0\xff" * 100_000)
    files: Any = {
        "send": [{"from": "tool", "to": "bin/tool"}, "-a b'c"],
        "fetch": [{"from": f"{there}/out", "to": "results/out"}, "none"],
    }
    told: list[tuple[float, str]] = []
    task = Task(id="t", shell='bin/tool <./"-a b\'c" >out; : >none', cwd=str(there), files=files)
    outcome = run(make, task, progress=lambda share, note: told.append((share, note)))
    assert outcome.status is COMPLETED, outcome
    assert (here / "results" / "out").read_bytes() == b"HELLO\0\xff" * 100_000
    assert (here / "results" / "out").stat().st_mode & 0o777 == 0o600
    assert (here / "none").read_bytes() == b""
    assert (1.0, "send -a b'c") in told
    assert told[-1] == (1.0, "fetch none")
    assert not [*here.rglob("*starloom-part"), *there.rglob("*starloom-part")]


@pytest.mark.parametrize(
    ("files", "code", "words"),
    [
        ({"send": ["link/passwd"]}, "start_failed", "lies outside"),
        ({"send": ["absent"]}, "start_failed", "here/absent' cannot be read: there is no such file."),
        ({"fetch": ["absent"]}, "fetch_failed", "there/absent' cannot be read"),
        ({"fetch": ["pipe"]}, "fetch_failed", "there/pipe'"),
        ({"send": [{"from": "data", "to": "made/x"}]}, "start_failed", "cannot be written"),
    ],
)
def test_what_is_wrong_with_them_is_said_with_the_path(place: Any, files: Any, code: str, words: str) -> None:
    here, there, make = place
    (here / "link").symlink_to("/etc")
    (here / "data").write_text("x")
    (there / "made").write_text("no folder")
    os.mkfifo(there / "pipe")
    error = error_of(run(make, Task(id="t", shell="touch begun", cwd=str(there), files=files)))
    assert (error.code, words in error.message) == (code, True), error
    assert (there / "begun").exists() == (code == "fetch_failed")


def test_a_file_that_lies_where_the_task_runs_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").write_text("x")
    (tmp_path / "data").chmod(0o640)
    before = (tmp_path / "data").stat()
    files: Any = {"send": ["data"], "fetch": ["made"]}
    outcome = run(lambda: LocalDevice("d"), Task(id="t", shell="cp data made", files=files))
    assert outcome.status is COMPLETED, outcome
    after = (tmp_path / "data").stat()
    assert (after.st_ino, after.st_mtime_ns, after.st_mode) == (before.st_ino, before.st_mtime_ns, before.st_mode)
    assert (tmp_path / "made").read_text() == "x"


def test_what_is_there_in_part_is_gone_on_with_and_checked(place: Any) -> None:
    here, there, make = place
    data = bytes(range(256)) * 4000
    (here / "data").write_bytes(data)
    name = f"data.{hashlib.sha256(data).hexdigest()[:16]}.starloom-part"
    for begun in (data[:500_000], b"x" * 500_000):
        (there / name).write_bytes(begun)
        task = Task(id="t", shell="true", cwd=str(there), files={"send": ["data"]})  # type: ignore[arg-type]
        assert run(make, task).status is COMPLETED
        assert (there / "data").read_bytes() == data
        (there / "data").unlink()


def test_cancelled_while_a_file_is_sent_it_never_begins_and_nothing_stays(
    place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there, make = place
    (here / "data").write_bytes(b"x" * 1_000_000)
    read = LocalSide.read

    async def hang(side: LocalSide, path: str, at: int, size: int) -> bytes:
        return await read(side, path, at, size) if not at else await asyncio.Future()

    monkeypatch.setattr(LocalSide, "read", hang)

    async def scenario(device: LocalDevice) -> Any:
        task = Task(id="t", shell="touch begun", cwd=str(there), files={"send": ["data"]})  # type: ignore[arg-type]
        running = asyncio.ensure_future(Attempt(device, task, kept=None).run())
        await until(lambda: list(there.glob("*starloom-part")), every=POLL)
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            return (await running).status
        return STOPPED

    assert on(make, scenario) is STOPPED
    assert list(there.iterdir()) == []


def test_the_next_program_fetches_what_a_task_has_made(place: Any, tmp_path: Path) -> None:
    here, there, make = place
    os.mkfifo(there / "go")
    text = "echo x >>ran; read -r _ <go; echo made >made"
    task = Task(id="t", shell=text, cwd=str(there), files={"fetch": ["made"]})  # type: ignore[arg-type]
    context = context_of(task, tmp_path)

    async def first(device: LocalDevice) -> None:
        running = asyncio.ensure_future(device.run(task, context))
        await until(lambda: (there / "ran").exists(), every=POLL)
        (here / "made").mkdir()  # so that the first one cannot bring it
        await asyncio.to_thread((there / "go").write_text, "now\n")
        assert error_of(await running).code == "fetch_failed"
        (here / "made").rmdir()

    async def second(device: LocalDevice) -> Any:
        return await device.recover(task, context)

    on(make, first)
    assert on(make, second).status is COMPLETED
    assert (here / "made").read_text() == "made\n"
    assert (there / "ran").read_text() == "x\n"
