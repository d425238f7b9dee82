"""`python` tasks: a function called in a child process, with JSON in and JSON out."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from tests.integration.dask_harness import a_workers_device

from starloom.devices.base import TaskContext
from starloom.devices.local import LocalDevice
from starloom.model.result import MAX_VALUE_BYTES, ErrorInfo, Outcome, OutcomeStatus
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

MODULE = """
import os, sys, time

def add(a, b=1):
    print("adding")
    print("[99]")
    return {"sum": a + b}

def nothing():
    print("[99]")

def same(value):
    return value

def where():
    return [os.path.realpath("."), os.environ.get("X"), os.environ["STARLOOM_TASK_ID"]]

def inner():
    raise ValueError("no such thing: \\N{SNOWMAN}")

def fail():
    inner()

def deep():
    deep()

def a_set():
    return {1}

def nan():
    return float("nan")

def surrogate():
    return "\\ud800"

def cycle():
    value = []
    value.append(value)
    return value

def large(size):
    return "x" * size

def leave(code):
    sys.exit(code)

def loud():
    raise ValueError("x" * 100_000)

def sleep():
    print("ready")
    time.sleep(3600)

def modules():
    return list(sys.modules)

def importable_after_chdir():
    os.chdir("/")
    import found_in_cwd
    return found_in_cwd.value

class Tool:
    @staticmethod
    def run():
        return "run"

number = 3
"""


@contextlib.asynccontextmanager
async def a_local_device() -> AsyncIterator[LocalDevice]:
    device = LocalDevice("here")
    await device.connect()
    try:
        yield device
    finally:
        await device.disconnect()


class Devices:
    """Where the functions are called."""

    one: Callable[[], AbstractAsyncContextManager[LocalDevice]] = staticmethod(a_local_device)


@pytest.fixture(autouse=True, params=["a process each", "in a worker of Dask"])
def _device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param != "a process each":
        if sys.platform != "linux":
            pytest.skip("there is none")
        monkeypatch.setattr(Devices, "one", staticmethod(a_workers_device))


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "tasks_of_this_test.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "broken_module.py").write_text("import no_such_module_at_all\n", encoding="utf-8")
    return tmp_path


def call(here: Path, target: str, **inputs: Any) -> Outcome:
    if ":" not in target:
        target = f"tasks_of_this_test:{target}"
    return run(Task(id="t", python=target, inputs=inputs, cwd=str(here)))


def run(task: Task) -> Outcome:
    async def main() -> Outcome:
        async with Devices.one() as device:
            async with asyncio.timeout(30):
                outcome = await device.run(task, TaskContext("run 1", task.id, 1, "here", 0))
            assert os.listdir(device._scratch.path()) == []
            return outcome

    return asyncio.run(main())


def error_of(outcome: Outcome) -> ErrorInfo:
    assert outcome.status is OutcomeStatus.FAILED
    assert outcome.result.error is not None
    return outcome.result.error


def test_a_function_is_called_with_the_inputs_and_its_return_value_is_the_result(here):
    result = call(here, "add", a=2).result
    assert result.value == {"sum": 3}
    assert result.output.split() == ["adding", "[99]"]
    assert result.exit_code == 0
    assert result.error is None


def test_what_a_function_prints_is_never_its_value(here):
    outcome = call(here, "nothing")
    assert (outcome.status, outcome.result.value) == (OutcomeStatus.COMPLETED, None)


@pytest.mark.parametrize("value", [None, True, 0, 2.5, "für 🌟", [1, [2]], {"a": {"b": None}}])
def test_json_goes_in_and_comes_out_as_it_is(here, value):
    assert call(here, "same", value=value).result.value == value


def test_a_method_of_a_class_can_be_named(here):
    assert call(here, "Tool.run").result.value == "run"


def test_cwd_and_env_apply_and_modules_are_found_in_the_cwd(here):
    task = Task(id="t", python="tasks_of_this_test:where", cwd=str(here), env={"X": "1"})
    assert run(task).result.value == [os.path.realpath(here), "1", "t"]


def test_a_function_that_changes_its_directory_still_finds_its_modules(here):
    (here / "found_in_cwd.py").write_text("value = 5", encoding="utf-8")
    assert call(here, "importable_after_chdir").result.value == 5


def test_an_exception_is_told_with_the_traceback_of_the_tasks_own_code(here):
    outcome = call(here, "fail")
    error = error_of(outcome)
    assert (error.code, error.message) == ("exception", "ValueError: no such thing: \N{SNOWMAN}")
    assert error.detail.startswith("Traceback (most recent call last):\n")
    assert "in inner" in error.detail
    assert "python_child" not in error.detail
    assert outcome.result.exit_code == 1


def test_messages_and_tracebacks_are_bounded(here):
    error = error_of(call(here, "loud"))
    assert len(error.message) < 2100
    assert len(error.detail) < 17_000
    assert error_of(call(here, "deep")).message.startswith("RecursionError: ")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("broken_module:f", "ModuleNotFoundError: No module named 'no_such_module_at_all'"),
        ("gone", "AttributeError: module 'tasks_of_this_test' has no attribute 'gone'"),
        ("number", "TypeError: tasks_of_this_test:number is a int and cannot be called"),
    ],
)
def test_a_target_that_is_not_there_is_told(here, target, message):
    error = error_of(call(here, target))
    assert (error.code, error.message) == ("exception", message)


@pytest.mark.parametrize("target", ["no_such_module_at_all:f", "json.no_such_module_at_all:f"])
def test_a_module_that_is_not_there_is_told_with_who_looked_for_it_and_where(here, target):
    error = error_of(call(here, target))
    assert error.message == (
        f"ModuleNotFoundError: No module named '{target.removesuffix(':f')}'; {sys.executable} looked for it in "
        f"{os.path.realpath(here)}, in PYTHONPATH, and among what is installed"
    )


def test_inputs_that_do_not_fit_the_function_are_told(here):
    error = error_of(call(here, "add", c=1))
    assert error.message == "TypeError: add() got an unexpected keyword argument 'c'"


@pytest.mark.parametrize("target", ["a_set", "nan", "cycle", "surrogate"])
def test_a_return_value_that_is_not_json_fails(here, target):
    assert error_of(call(here, target)).code == "result_not_json"


def test_the_sentence_names_what_was_returned(here):
    assert error_of(call(here, "a_set")).message == (
        "tasks_of_this_test:a_set returned a set that is not JSON: Object of type set is not JSON serializable."
    )


def test_a_return_value_may_take_one_mebibyte(here):
    assert call(here, "large", size=MAX_VALUE_BYTES - 2).status is OutcomeStatus.COMPLETED
    assert error_of(call(here, "large", size=MAX_VALUE_BYTES - 1)).code == "result_too_large"


def test_leaving_by_sys_exit_counts_as_the_exit_code_says(here):
    assert call(here, "leave", code=0).status is OutcomeStatus.COMPLETED
    error = error_of(call(here, "leave", code=4))
    assert (error.code, error.message) == ("exit_code", "exit code 4")


def test_a_python_task_is_stopped_like_any_other(here):
    async def main() -> Outcome:
        async with Devices.one() as device:
            before = psutil.Process().children()
            ready = asyncio.Event()
            context = TaskContext("run 1", "t", 1, "here", 0, emit=lambda text, stream: ready.set())
            task = Task(id="t", python="tasks_of_this_test:sleep", cwd=str(here))
            running = asyncio.create_task(device.run(task, context))
            async with asyncio.timeout(30):
                await ready.wait()
                running.cancel()
                outcome = await running
            assert psutil.Process().children() == before
            return outcome

    outcome = asyncio.run(main())
    assert outcome.status is OutcomeStatus.STOPPED
    assert outcome.result.output.strip() == "ready"


def test_the_child_imports_nothing_slow(here):
    if Devices.one is not a_local_device:
        return  # it is started once for many
    loaded = set(call(here, "modules").result.value)
    assert "tasks_of_this_test" in loaded
    assert not {"starloom", "pydantic", "msgspec", "networkx", "psutil", "asyncio", "typing", "traceback"} & loaded
