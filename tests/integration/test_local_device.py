"""The local device with real processes: how they start, what they are given, how they end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections import namedtuple

import psutil
import pytest
from tests.integration.local_harness import (
    COMPLETED,
    FAILED,
    FOREVER,
    RUN,
    STOPPED,
    Attempt,
    alive,
    error_of,
    linux_only,
    on_device,
    outcome_of,
    posix_only,
    python,
    shell,
    untimed,
    write_result,
)

from starloom.devices.local import LocalDevice
from starloom.devices.process import can_watch
from starloom.errors import DeviceError
from starloom.model.device import DeviceSpec
from starloom.model.result import MAX_VALUE_BYTES, ErrorCode, ErrorInfo, Outcome, Result
from starloom.model.task import Simulate, Task

# How a process ends


def test_a_command_completes_with_its_output(door):
    outcome = outcome_of(python("print('hello')"))
    assert untimed(outcome) == Outcome(
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
    assert error_of(outcome) == ErrorInfo(code="exit_code", message="exit code 3")
    assert outcome.result.exit_code == 3
    assert outcome.result.output.strip() == "bye"


@posix_only
def test_a_signal_is_named(door):
    outcome = outcome_of(shell("kill -9 $$"))
    assert error_of(outcome) == ErrorInfo(code="exit_code", message="killed by SIGKILL")
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
    assert error_of(outcome_of(Task(id="t", command=(str(file),)))) == ErrorInfo(code="start_failed", message=message)
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
def test_too_many_open_files_fail_the_start_and_later_tasks_run(door):
    import resource

    async def scenario(device):
        task = python("print('ok')")
        await Attempt(device, task).run()  # what starts commands for a device is there from then on
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
        assert len(failures) >= (2 if door == "kept" else 4)  # a keeper needs few of ours
        assert {error.code for error in failures} == {ErrorCode.START_FAILED}
        assert all("too many files open" in error.message for error in failures)
        if door != "portable" or sys.version_info >= (3, 11, 5):  # asyncio itself kept a failed start's pipes before
            assert len(os.listdir("/proc/self/fd")) <= before
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
    assert (value["STARLOOM_RUN_ID"], value["STARLOOM_TASK_ID"], value["STARLOOM_ATTEMPT"]) == (RUN, "t", "7")
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
        "bad": Result(error=ErrorInfo(code="timeout", message="too slow")),
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


# The rest of the protocol


def test_a_simulated_task_takes_its_time_over_the_speed_and_no_process():
    async def scenario(device):
        loop = asyncio.get_running_loop()
        start = loop.time()
        outcome = await Attempt(device, Task(id="t", simulate=Simulate(duration=100.0, value=[1]))).run()
        return outcome, loop.time() - start

    outcome, seconds = on_device(scenario, speed=2000.0)
    assert outcome == Outcome(COMPLETED, Result(value=[1]))
    assert 0.04 < seconds < 50
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


def test_several_devices_of_one_machine_tell_the_same_load(monkeypatch):
    times = namedtuple("times", ("user", "system", "idle", "iowait", "guest", "guest_nice"))
    told = [times(100.0, 0.0, 100.0, 0.0, 0.0, 0.0)]
    monkeypatch.setattr(psutil, "cpu_times", lambda *_: told[0])
    first, second = LocalDevice("first"), LocalDevice("second")

    async def shares():
        return [(await device.metrics()).cpu for device in (first, second)]

    told[0] = times(160.0, 20.0, 110.0, 10.0, 30.0, 0.0)
    assert asyncio.run(shares()) == [pytest.approx(0.8)] * 2, "guests are counted among users already"
    assert asyncio.run(shares()) == [pytest.approx(0.8)] * 2, "no time has passed"
    told[0] = times(160.0, 20.0, 120.0, 10.0, 30.0, 0.0)
    assert asyncio.run(shares()) == [0.0, 0.0]


def test_options_are_described_and_equal_devices_are_equal():
    spec = DeviceSpec(id="here", slots=3, options={"grace": "2s", "tail_bytes": 5, "working_directory": "/x"})
    description = LocalDevice.from_spec(spec).describe()
    assert description == LocalDevice("here", slots=3, grace=2, tail_bytes=5, working_directory="/x").describe()
    assert description["inherit_env"] is True
    assert description != LocalDevice("here", slots=3, grace=2, tail_bytes=6, working_directory="/x").describe()


def test_slots_are_the_processors_this_process_may_use_unless_told(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 2, 5}, raising=False)
    assert LocalDevice("here").slots == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 11)
    assert LocalDevice("here").slots == 11
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
