"""The local device with real processes: how they start, what they say, how they end and how they are ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import threading
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from starloom.devices.base import TaskContext
from starloom.devices.local import LocalDevice
from starloom.devices.process import can_watch
from starloom.errors import DeviceError
from starloom.model.device import DeviceSpec
from starloom.model.result import MAX_VALUE_BYTES, ErrorCode, Outcome, OutcomeStatus, Result, TaskError
from starloom.model.task import Simulate, Task

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals, sessions and a shell")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")

BOUND = 30.0
"""Seconds in which anything here must have ended, on a slow machine too."""
FOREVER = 3600
COMPLETED, FAILED, STOPPED = OutcomeStatus.COMPLETED, OutcomeStatus.FAILED, OutcomeStatus.STOPPED


@pytest.fixture(params=["watched", "portable"])
def door(request, monkeypatch):
    """Both ways to watch a process, wherever the first one exists."""
    if request.param == "portable":
        monkeypatch.setattr("starloom.devices.process.can_watch", lambda loop: False)
    elif sys.platform != "linux":
        pytest.skip("there are no pidfds here")
    return request.param


class Attempt:
    """One attempt, and what it has said so far."""

    def __init__(self, device: LocalDevice, task: Task, **context: Any) -> None:
        self.said: list[tuple[str, str]] = []
        self._spoke = asyncio.Event()
        self._context = TaskContext(
            "run 1", task.id, context.pop("attempt", 1), device.id, 0, emit=self._emit, **context
        )
        self._device = device
        self._task = task

    def _emit(self, text: str, stream: str) -> None:
        self.said.append((stream, text))
        self._spoke.set()

    @property
    def text(self) -> str:
        return "".join(text for _, text in self.said)

    async def run(self) -> Outcome:
        return await self._device.run(self._task, self._context)

    async def started(self, text: str = "ready\n") -> asyncio.Task[Outcome]:
        """Running, and far enough to have said the text."""
        running = asyncio.create_task(self.run())
        await self.heard(text)
        return running

    async def heard(self, text: str) -> None:
        await self.until(lambda: text in self.text)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Returns once the condition holds; asked again after each piece of output."""
        async with asyncio.timeout(BOUND):
            while not condition():
                self._spoke.clear()
                await self._spoke.wait()

    def pids(self) -> list[int]:
        """The numbers in finished lines `pid <number>`."""
        return [int(line.split()[1]) for line in self.text.splitlines(keepends=True) if line.startswith("pid ")]


def on_device(scenario: Callable[[LocalDevice], Awaitable[Any]], **options: Any) -> Any:
    async def within_bound() -> Any:
        device = LocalDevice("here", **options)
        await device.connect()
        try:
            async with asyncio.timeout(BOUND):
                return await scenario(device)
        finally:
            await device.disconnect()

    return asyncio.run(within_bound())


def outcome_of(task: Task, options: dict[str, Any] | None = None, **context: Any) -> Outcome:
    outcome: Outcome = on_device(lambda device: Attempt(device, task, **context).run(), **options or {})
    return outcome


def shell(text: str, **fields: Any) -> Task:
    return Task(id="t", shell=text, **fields)


def python(text: str, **fields: Any) -> Task:
    return Task(id="t", command=(sys.executable, "-u", "-c", text), **fields)


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def left_of(device: LocalDevice) -> list[psutil.Process]:
    """Every process that an attempt on this device has started and that still lives, orphans included."""
    left = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if (
                process.environ().get("STARLOOM_RESULT", "").startswith(f"{device._directory}{os.sep}")
                and process.status() != psutil.STATUS_ZOMBIE
            ):
                left.append(process)
    return left


def error_of(outcome: Outcome) -> TaskError:
    assert outcome.status is FAILED
    assert outcome.result.error is not None
    return outcome.result.error


# How a process ends


def test_a_command_completes_with_its_output(door):
    outcome = outcome_of(python("print('hello')"))
    assert outcome == Outcome(
        COMPLETED, Result(exit_code=0, output="hello" + os.linesep, output_length=5 + len(os.linesep))
    )


@posix_only
def test_shell_text_goes_to_the_shell_as_it_is(door):
    assert outcome_of(shell('echo "${X}" | tr a b', env={"X": "a;a"})).result.output == "b;b\n"


def test_a_command_is_not_read_by_a_shell():
    text = "$HOME `id` ; exit 1 * \" '"
    code = "import sys; sys.stdout.write(sys.argv[1])"
    assert outcome_of(Task(id="t", command=(sys.executable, "-c", code, text))).result.output == text


def test_an_exit_code_fails_with_its_number_and_keeps_the_output(door):
    outcome = outcome_of(python("print('bye'); raise SystemExit(3)"))
    assert error_of(outcome) == TaskError(code="exit_code", message="exit code 3")
    assert outcome.result.exit_code == 3
    assert outcome.result.output.strip() == "bye"


@posix_only
def test_a_signal_is_named(door):
    outcome = outcome_of(shell("kill -9 $$"))
    assert error_of(outcome) == TaskError(code="exit_code", message="killed by SIGKILL")
    assert outcome.result.exit_code == -9


def test_there_is_no_input():
    assert outcome_of(python("import sys; print(repr(sys.stdin.read()))")).result.output.strip() == "''"


@posix_only
def test_a_background_grandchild_that_holds_the_pipe_does_not_hold_the_slot(door):
    outcome = outcome_of(shell(f"sleep {FOREVER} & echo $!"))
    grandchild = int(outcome.result.output)
    assert outcome.status is COMPLETED
    assert alive(grandchild)
    os.kill(grandchild, signal.SIGKILL)


# How it does not start


@pytest.mark.parametrize("name", ["no-such-program-here", "./no/such/program"])
def test_a_program_that_is_not_there_is_told_without_a_traceback(door, name):
    error = error_of(outcome_of(Task(id="t", command=(name,))))
    assert error.code == ErrorCode.START_FAILED
    assert error.message.startswith(f"The program {name!r} was not found; check ")
    assert error.detail == ""


@posix_only
def test_a_file_that_is_no_program_is_told(tmp_path, door):
    file = tmp_path / "file"
    file.write_text("text")
    message = f"The program {str(file)!r} cannot be executed; check its permissions (`chmod +x`)."
    assert error_of(outcome_of(Task(id="t", command=(str(file),)))) == TaskError(code="start_failed", message=message)
    file.write_bytes(b"\x00\x01\x02")
    file.chmod(0o700)
    assert "does not know how to run it" in error_of(outcome_of(Task(id="t", command=(str(file),)))).message


def test_a_working_directory_that_is_not_there_is_told(tmp_path, door):
    missing = str(tmp_path / "missing")
    error = error_of(outcome_of(python("", cwd=missing)))
    assert error.code == ErrorCode.START_FAILED
    assert error.message == (
        f"The working directory {missing!r} does not exist or is no directory; create it or change `cwd`."
    )


@posix_only
def test_arguments_that_no_program_can_get_are_told(door):
    for bad in (Task(id="t", command=("echo", "a\0b")), shell("", env={"X": "a\0b"})):
        assert "its arguments or environment hold" in error_of(outcome_of(bad)).message
    huge = Task(id="t", command=("echo", *["x" * 100_000] * 100))
    assert "longer than the system allows" in error_of(outcome_of(huge)).message


@linux_only
def test_too_many_open_files_fail_the_start_and_later_tasks_run():
    import resource

    async def scenario(device):
        task = python("print('ok')")
        before = len(os.listdir("/proc/self/fd"))
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (before + 40, limits[1]))
        outcomes = []
        try:
            for free in range(14):
                with contextlib.ExitStack() as held:
                    held.callback(lambda fds: [os.close(fd) for fd in fds], _fill_descriptors(free))
                    outcomes.append(await Attempt(device, task).run())
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        assert outcomes[-1].status is COMPLETED
        failures = [error_of(outcome) for outcome in outcomes if outcome.status is FAILED]
        assert len(failures) >= 4
        assert {error.code for error in failures} == {ErrorCode.START_FAILED}
        assert all("too many files open" in error.message for error in failures)
        assert len(os.listdir("/proc/self/fd")) == before
        return await Attempt(device, task).run()

    assert on_device(scenario).status is COMPLETED


def _fill_descriptors(free: int) -> list[int]:
    """Open files until no more can be opened but so many."""
    fds = []
    with contextlib.suppress(OSError):
        while True:
            fds.append(os.open(os.devnull, os.O_RDONLY))
    for _ in range(free):
        os.close(fds.pop())
    return fds


# What it gets


def test_a_process_gets_the_variables_that_name_its_attempt():
    code = "import os, json; print(json.dumps({k: v for k, v in os.environ.items() if k.startswith('STARLOOM_')}))"
    value = outcome_of(python(code), attempt=7).result.value
    assert (value["STARLOOM_RUN_ID"], value["STARLOOM_TASK_ID"], value["STARLOOM_ATTEMPT"]) == ("run 1", "t", "7")
    assert "STARLOOM_UPSTREAM" not in value
    assert value["STARLOOM_ATTEMPT_TOKEN"]


def test_the_environment_is_inherited_unless_told_otherwise(monkeypatch):
    monkeypatch.setenv("INHERITED", "yes")
    monkeypatch.setenv("STARLOOM_UPSTREAM", "that of an outer run")
    code = "import os, json; print(json.dumps([os.environ.get(k) for k in ('INHERITED', 'X', 'STARLOOM_UPSTREAM')]))"
    task = python(code, env={"X": "1"})
    assert outcome_of(task).result.value == ["yes", "1", None]
    assert outcome_of(task, {"inherit_env": False}).result.value == [None, "1", None]


def test_a_task_runs_where_it_says_relative_to_the_devices_directory(tmp_path):
    (tmp_path / "sub").mkdir()
    task = "import os; print(os.path.realpath('.'))"
    there = {"working_directory": str(tmp_path)}
    assert outcome_of(python(task), there).result.output.strip() == os.path.realpath(tmp_path)
    assert outcome_of(python(task, cwd="sub"), there).result.output.strip() == os.path.realpath(tmp_path / "sub")
    assert outcome_of(python(task, cwd=str(tmp_path))).result.output.strip() == os.path.realpath(tmp_path)


def test_upstream_results_are_a_json_file():
    upstream = {
        "a.b": Result(value={"x": [1, None]}, exit_code=0, output="out", output_length=3),
        "bad": Result(error=TaskError(code="timeout", message="too slow")),
    }
    code = "import os; print(open(os.environ['STARLOOM_UPSTREAM'], encoding='utf-8').read())"
    value = outcome_of(python(code, upstream=True), upstream=lambda: upstream).result.value
    assert value["a.b"] == {
        "status": "completed",
        "value": {"x": [1, None]},
        "exit_code": 0,
        "output": "out",
        "output_length": 3,
        "output_file": None,
        "error": None,
    }
    assert value["bad"]["status"] == "failed"
    assert value["bad"]["error"] == {"code": "timeout", "message": "too slow"}


# What it returns


def write_result(text: str, then: str = "") -> Task:
    return python(f"import os; open(os.environ['STARLOOM_RESULT'], 'w').write({text!r})\n{then}")


@pytest.mark.parametrize(
    ("text", "value"), [('{"a": [1, 2.5, null]}', {"a": [1, 2.5, None]}), ("3\n", 3), ("null", None)]
)
def test_the_result_file_is_the_value_whatever_is_printed(text, value):
    outcome = outcome_of(write_result(text, "print('[\"no\"]')"))
    assert outcome.status is COMPLETED
    assert outcome.result.value == value


@pytest.mark.parametrize("text", ["{'a': 1}", "NaN", "[Infinity]", "1 2", '"\\ud800"', "[" * 100_000, "1e999"])
def test_a_result_file_that_is_not_json_fails_the_attempt(text):
    outcome = outcome_of(write_result(text))
    assert error_of(outcome).code == ErrorCode.RESULT_NOT_JSON
    assert outcome.result.exit_code == 0


@pytest.mark.parametrize(("size", "code"), [(MAX_VALUE_BYTES, None), (MAX_VALUE_BYTES + 1, "result_too_large")])
def test_a_result_file_may_take_one_mebibyte(size, code):
    text = f"import os; open(os.environ['STARLOOM_RESULT'], 'w').write('\"' + 'x' * {size - 2} + '\"')"
    outcome = outcome_of(python(text))
    assert (outcome.result.error.code if outcome.result.error else None) == code
    assert (outcome.status is FAILED) == (code is not None)


@posix_only
@pytest.mark.parametrize("make", ["mkfifo", "mkdir"])
def test_a_result_that_is_no_file_holds_nobody_up(make):
    assert error_of(outcome_of(shell(f'{make} "$STARLOOM_RESULT"'))).code == ErrorCode.RESULT_NOT_JSON


def test_an_empty_result_file_says_nothing():
    assert outcome_of(write_result("", "print(5)")).result.value == 5


def test_a_failed_attempt_keeps_its_exit_code_as_the_reason_and_a_value_that_can_be_read():
    outcome = outcome_of(write_result("[1]", "raise SystemExit(2)"))
    assert (error_of(outcome).message, outcome.result.value) == ("exit code 2", [1])
    outcome = outcome_of(write_result("nonsense", "raise SystemExit(2)"))
    assert (error_of(outcome).message, outcome.result.value) == ("exit code 2", None)


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ('log\n{"a": 1}\n', {"a": 1}),
        ("[1]\n\n  \n", [1]),
        ("5", 5),
        ('"text"\n', "text"),
        ("true\n", True),
        ("[1]\nlog\n", None),
        ("NaN\n", None),
        ('{"a": \n1}\n', None),
        ("", None),
    ],
)
def test_else_the_last_line_of_stdout_is_the_value_if_it_is_json(printed, value):
    code = f"import sys; sys.stdout.write({printed!r}); sys.stdout.flush(); sys.stderr.write('[9]\\n')"
    outcome = outcome_of(python(code))
    assert outcome.status is COMPLETED
    assert outcome.result.value == value


# What it prints


def test_output_is_told_in_whole_lines_with_its_stream(door):
    code = """
import sys
for stream, text in ((sys.stdout, "one\\ntw"), (sys.stdout, "o\\n"), (sys.stderr, "err\\n"), (sys.stdout, "end")):
    stream.buffer.write(text.encode()); stream.flush()
"""

    async def scenario(device):
        attempt = Attempt(device, python(code))
        await attempt.run()
        return attempt.said

    said = on_device(scenario)
    streams = {name: "".join(text for stream, text in said if stream == name) for name in ("stdout", "stderr")}
    assert streams == {"stdout": "one\ntwo\nend", "stderr": "err\n"}
    assert all(text.endswith("\n") or text == "end" for _, text in said)


def test_output_is_told_while_the_process_runs(door):
    async def scenario(device):
        attempt = Attempt(device, python(f"import time; print('ready'); time.sleep({FOREVER})"))
        running = await attempt.started("ready")
        assert not running.done()
        running.cancel()
        return await running

    assert on_device(scenario).result.output.strip() == "ready"


def test_the_whole_output_is_in_the_file_when_the_outcome_is_there(tmp_path, door):
    path = tmp_path / "logs" / "t.log"
    code = (
        "import sys; sys.stdout.buffer.write(b'a\\xff' * 100000); sys.stdout.flush(); sys.stderr.buffer.write(b'end')"
    )
    outcome = outcome_of(python(code), {"tail_bytes": 10}, output_path=path)
    data = path.read_bytes()
    assert data.replace(b"end", b"") == b"a\xff" * 100_000
    assert len(data) == outcome.result.output_length == 200_003
    assert outcome.result.output_file == str(path)


def test_an_output_file_that_cannot_be_written_loses_no_result(tmp_path):
    outcome = outcome_of(python("print('[1]')"), output_path=tmp_path)
    assert (outcome.status, outcome.result.value) == (COMPLETED, [1])
    assert outcome.result.error is not None
    assert outcome.result.error.code == "output_lost"
    assert str(tmp_path) in outcome.result.error.message
    failed = outcome_of(python("print(1); raise SystemExit(2)"), output_path=tmp_path)
    assert error_of(failed).message == "exit code 2"
    assert str(tmp_path) in error_of(failed).detail


@posix_only
def test_fifty_megabytes_of_output_pass_in_bounded_memory(tmp_path, door):
    path = tmp_path / "out"
    task = shell("head -c 50000000 /dev/zero | tr '\\0' x; echo; echo '[1]'")
    before = psutil.Process().memory_info().rss
    outcome = on_device(lambda device: device.run(task, TaskContext("run 1", "t", 1, "here", 0, output_path=path)))
    assert psutil.Process().memory_info().rss - before < 20_000_000
    assert outcome.result.output_length == path.stat().st_size == 50_000_005
    assert outcome.result.value == [1]
    assert len(outcome.result.output) == 16 * 1024
    assert outcome.result.output.endswith("xxx\n[1]\n")


def test_bytes_that_are_no_text_and_split_characters_are_told_as_text(door):
    code = """
import sys, time
for byte in "für 🌟".encode() + b"\\xff\\n":
    sys.stdout.buffer.write(bytes([byte])); sys.stdout.flush()
"""
    outcome = outcome_of(python(code), {"tail_bytes": 8})
    assert outcome.result.output == "🌟\ufffd\n"
    assert outcome_of(python(code), {"tail_bytes": 7}).result.output == "\ufffd\n"


# How it is stopped


@posix_only
def test_a_process_that_listens_to_term_ends_by_itself_and_its_last_words_are_kept(door):
    async def scenario(device):
        text = f"trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep {FOREVER} & wait; done"
        running = await Attempt(device, shell(text)).started()
        running.cancel()
        return await running

    outcome = on_device(scenario, grace=FOREVER)
    assert (outcome.status, outcome.result.exit_code) == (STOPPED, 5)
    assert outcome.result.output == "ready\nbye\n"
    assert outcome.result.error is None


@posix_only
def test_term_reaches_each_process_once(door):
    code = f"""
import os, signal, time
count = []
def term(*_):
    count.append(1)
    print('term', len(count))
signal.signal(signal.SIGTERM, term)
if os.fork() == 0:
    time.sleep({FOREVER})
print('ready')
while not count: signal.pause()
deadline = time.monotonic() + 0.3
while time.monotonic() < deadline: time.sleep(0.01)
os._exit(0)
"""

    async def scenario(device):
        running = await Attempt(device, python(code)).started()
        running.cancel()
        return await running

    assert "term 2" not in on_device(scenario, grace=1.0).result.output


@posix_only
def test_a_process_that_ignores_term_is_killed_after_the_grace_period(door):
    async def scenario(device):
        running = await Attempt(device, shell(f"trap '' TERM; echo ready; sleep {FOREVER}; sleep {FOREVER}")).started()
        running.cancel()
        return await running

    outcome = on_device(scenario, grace=0.1)
    assert (outcome.status, outcome.result.exit_code) == (STOPPED, -signal.SIGKILL)


LEAVING = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
def say(): os.write(1, f'pid {os.getpid()}\\n'.encode())
def child():
    say(); BODY
if os.fork() == 0:
    child(); time.sleep(3600); os._exit(0)
say()
while True: time.sleep(3600)
"""
WAYS_OUT = {
    "a child": "pass",
    "a child in its own process group": "os.setpgid(0, 0)",
    "a child in its own session": "os.setsid()",
    "a grandchild in its own session": "os.setsid(); os.fork(); say()",
    "a daemon whose parents have ended": "os.setsid(); os.fork() and os._exit(0); say()",
    "a child without the environment": "os.setsid(); os.execve('/bin/sleep', ['sleep', '3600'], {})",
    "an orphan without the environment": "os.fork() and os._exit(0); say(); "
    "os.execve('/bin/sleep', ['sleep', '3600'], {})",
}


@linux_only
@pytest.mark.parametrize("body", WAYS_OUT.values(), ids=WAYS_OUT)
def test_no_descendant_outlives_a_stop(body, door):
    expected = 2 + body.count("say()")

    async def scenario(device):
        attempt = Attempt(device, python(LEAVING.replace("BODY", body)))
        running = asyncio.create_task(attempt.run())
        await attempt.until(lambda: len(attempt.pids()) >= expected)
        running.cancel()
        return attempt.pids(), await running

    pids, outcome = on_device(scenario, grace=0.05)
    assert outcome.status is STOPPED
    assert len(set(pids)) >= expected - 1
    assert [pid for pid in pids if alive(pid)] == []


@posix_only
def test_a_second_cancel_kills_at_once(door):
    async def scenario(device):
        text = f"trap 'echo term' TERM; echo ready; while :; do sleep {FOREVER} & wait; done"
        attempt = Attempt(device, shell(text))
        running = await attempt.started()
        running.cancel()
        await attempt.heard("term")
        running.cancel()
        return await running

    outcome = on_device(scenario, grace=FOREVER)
    assert (outcome.status, outcome.result.exit_code) == (STOPPED, -signal.SIGKILL)


@posix_only
def test_cancels_at_every_moment_leave_no_process(door):
    """At each step of the loop from the start on: before the start, in it, after it; and then again at each later."""

    async def scenario(device):
        for first in range(12):
            for second in range(0, 6, 2):
                running = asyncio.create_task(Attempt(device, shell(f"sleep {FOREVER}")).run())
                for pause in (first, second):
                    for _ in range(pause):
                        await asyncio.sleep(0)
                    running.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    outcome = await running
                    assert outcome.status is STOPPED
                assert left_of(device) == []

    on_device(scenario)


@posix_only
def test_a_stop_while_a_grandchild_holds_the_pipe_ends_that_too(door):
    async def scenario(device):
        running = await Attempt(device, shell(f"sleep {FOREVER} & echo ready $!; exit 0")).started("\n")
        child = psutil.Process().children()
        while child and child[0].is_running() and child[0].status() != psutil.STATUS_ZOMBIE:  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(0)
        running.cancel()
        return await running

    outcome = on_device(scenario, grace=FOREVER)
    grandchild = int(outcome.result.output.split()[1])
    if outcome.status is COMPLETED:
        os.kill(grandchild, signal.SIGKILL)
    assert (outcome.status, alive(grandchild)) == (STOPPED, False)


@linux_only
def test_the_end_of_the_whole_program_ends_the_processes_too():
    """`asyncio.run` cancels everything at its end; a task in its stop must not be left half done by that."""
    pids = []

    async def main():
        device = LocalDevice("here", grace=FOREVER)
        await device.connect()
        attempt = Attempt(device, shell(f"trap '' TERM; echo pid $$; sleep {FOREVER}; sleep {FOREVER}"))
        running = await attempt.started("pid ")
        pids.extend(attempt.pids())
        running.cancel()
        await asyncio.sleep(0)
        running.cancel()
        await running
        await device.disconnect()

    asyncio.run(main())
    assert not alive(pids[0])


# What it leaves behind


@linux_only
def test_two_hundred_tasks_leave_nothing_behind():
    async def scenario(device):
        def open_things():
            return (len(os.listdir("/proc/self/fd")), threading.active_count(), len(psutil.Process().children()))

        await Attempt(device, python("print(1)")).run()
        before = open_things()
        tasks = [shell("echo x; exit 3"), write_result("1"), Task(id="t", command=("no-such-program",))]
        places = asyncio.Semaphore(8)

        async def one(task):
            async with places:
                await Attempt(device, task).run()

        await asyncio.gather(*(one(tasks[0 if n % 10 else n // 10 % 3]) for n in range(200)))
        assert open_things() == before
        assert os.listdir(device._directory) == []

    on_device(scenario)


def test_the_files_live_in_a_private_directory_until_disconnect(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    async def main():
        device = LocalDevice("here")
        for _ in range(2):
            await device.connect()
            await device.connect()
            (directory,) = tmp_path.iterdir()
            if sys.platform != "win32":
                assert directory.stat().st_mode & 0o777 == 0o700
            task = python("import os; open(os.environ['STARLOOM_RESULT'] + '.part', 'w'); print(os.getcwd())")
            assert (await Attempt(device, task).run()).status is COMPLETED
            await device.disconnect()
            await device.disconnect()
            assert list(tmp_path.iterdir()) == []

    asyncio.run(main())


def test_a_device_that_is_not_connected_says_so():
    outcome = asyncio.run(_unconnected())
    assert error_of(outcome) == TaskError(
        code="start_failed", message="Device 'here' is not connected; connect it first."
    )


async def _unconnected() -> Outcome:
    return await Attempt(LocalDevice("here"), python("")).run()


# The rest of the protocol


def test_a_simulated_task_takes_its_time_over_the_speed_and_no_process():
    async def scenario(device):
        loop = asyncio.get_running_loop()
        start = loop.time()
        outcome = await Attempt(device, Task(id="t", simulate=Simulate(duration=1.0, value=[1]))).run()
        return outcome, loop.time() - start

    outcome, seconds = on_device(scenario, speed=20.0)
    assert outcome == Outcome(COMPLETED, Result(value=[1]))
    assert 0.04 < seconds < 0.9
    failed = outcome_of(Task(id="t", simulate=Simulate(outcome="failed")))
    assert error_of(failed).code == ErrorCode.SIMULATED


def test_a_simulated_task_is_stopped_by_cancel():
    async def scenario(device):
        running = asyncio.create_task(Attempt(device, Task(id="t", simulate=Simulate(duration=FOREVER))).run())
        await asyncio.sleep(0)
        running.cancel()
        return await running

    assert on_device(scenario).status is STOPPED


@pytest.mark.parametrize(
    ("task", "who"),
    [(Task(id="t", call="x"), "an in-process device"), (Task(id="t", prompt="x"), "an agent device")],
)
def test_what_the_device_cannot_do_is_an_outcome_that_names_who_can(task, who):
    error = error_of(outcome_of(task))
    assert error.code == ErrorCode.UNSUPPORTED
    assert who in error.message


def test_metrics_are_shares_and_bytes():
    metrics = on_device(lambda device: device.metrics())
    assert 0 <= metrics.cpu <= 1
    assert 0 < metrics.memory < 1
    assert 0 < metrics.memory_used < metrics.memory_total
    assert sys.platform == "win32" or metrics.load >= 0


def test_options_are_described_and_equal_devices_are_equal():
    spec = DeviceSpec(id="here", slots=3, options={"grace": "2s", "tail_bytes": 5, "working_directory": "/x"})
    description = LocalDevice.from_spec(spec).describe()
    assert description == LocalDevice("here", slots=3, grace=2, tail_bytes=5, working_directory="/x").describe()
    assert description["inherit_env"] is True
    assert description != LocalDevice("here", slots=3, grace=2, tail_bytes=6, working_directory="/x").describe()


def test_slots_are_the_processors_unless_told():
    assert 1 <= (LocalDevice("here").slots or 0) <= (os.cpu_count() or 1)
    assert LocalDevice("here", slots=7).slots == 7


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"slots": 0}, "cannot have 0 slots"),
        ({"grace": "soon"}, "Device 'here': grace: 'soon' is not a duration"),
        ({"grace": -1}, "Device 'here': grace: "),
        ({"tail_bytes": -1}, "Device 'here': tail_bytes cannot be -1; give it 0 to 1048576."),
        ({"tail_bytes": "1k"}, "Device 'here': tail_bytes cannot be '1k'"),
        ({"inherit_env": "no"}, "Device 'here': inherit_env cannot be 'no'; give it true or false."),
        ({"working_directory": 3}, "Device 'here': working_directory cannot be 3; give it a path."),
    ],
)
def test_an_option_that_cannot_be_used_is_refused_with_a_sentence(options, sentence):
    with pytest.raises(DeviceError, match=sentence.replace(".", r"\.")):
        LocalDevice("here", **options)


@linux_only
def test_this_systems_processes_are_watched_without_threads():
    async def main():
        return can_watch(asyncio.get_running_loop())

    assert asyncio.run(main())
