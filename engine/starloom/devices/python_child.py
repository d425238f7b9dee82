"""The child process of a `python` task: calls `module:function` with the task's inputs and writes down what it returns.

INPUTS is a JSON file with the keyword arguments, ERROR the file that says what went wrong. Imports the standard library
only and is run by its path, not as a module of the package: importing the package takes ten times as long as the rest.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import sys
import traceback
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

MAX_MESSAGE: Final = 2_000
MAX_TRACEBACK: Final = 16 * 1024

# What `python -m` would do: the working directory comes first where modules are looked for.
_BOOT: Final = (
    "import os, runpy, sys; sys.argv = sys.argv[1:]; sys.path[:1] = [p or os.getcwd() for p in sys.path[:1]]; "
    "runpy.run_path(sys.argv[0], run_name='__main__')"
)

_FROZEN: Final = "--starloom-child"
"""A packaged program is no interpreter; with this it becomes one for a file of its own: `packaging/frozen_entry.py`."""


def command_line(target: str, inputs: str, error: str) -> tuple[str, ...]:
    """What starts the child for `module:function`, given the paths of INPUTS and ERROR.

    Its output is unbuffered, so that what the function prints is seen while it runs.
    """
    if getattr(sys, "frozen", False):
        return (sys.executable, _FROZEN, __file__, target, inputs, error)
    return (sys.executable, "-u", "-c", _BOOT, __file__, target, inputs, error)


def main(arguments: Sequence[str]) -> int:
    """The exit code: 0 when the function returned JSON, 1 when not; then the file named last says why."""
    target, inputs_path, error_path = arguments
    try:
        with open(inputs_path, encoding="utf-8") as file:
            inputs = json.load(file)
        value = load(target)(**inputs)
    except Exception as error:  # noqa: BLE001 - the boundary to the task's code; everything is reported
        _report(error_path, "exception", _sentence(error), _traceback(error))
        return 1
    try:
        text = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        message = f"{target} returned a {type(value).__name__} that is not JSON: {_bounded(str(error))}."
        _report(error_path, "result_not_json", message, "")
        return 1
    with open(os.environ["STARLOOM_RESULT"], "w", encoding="utf-8") as file:
        file.write(text)
    return 0


def load(target: str) -> Callable[..., Any]:
    """The function that `module:function` or `module:Class.method` names.

    Raises:
        ImportError: there is no such module, or importing it fails.
        AttributeError: the module has nothing of that name.
        TypeError: what it has cannot be called.
    """
    module, _, path = target.partition(":")
    function = functools.reduce(getattr, path.split("."), importlib.import_module(module))
    if not callable(function):
        raise TypeError(f"{target} is a {type(function).__name__} and cannot be called")
    return function


def _report(path: str, code: str, message: str, detail: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"code": code, "message": message, "detail": detail}, file)


def _sentence(error: Exception) -> str:
    return _bounded("".join(traceback.format_exception_only(error)).strip())


def _bounded(text: str) -> str:
    return text if len(text) <= MAX_MESSAGE else text[:MAX_MESSAGE] + "…"


def _traceback(error: Exception) -> str:
    """The traceback from the task's own code on; its end when it is long."""
    text = "".join(traceback.format_exception(type(error), error, _beyond_us(error.__traceback__)))
    return text if len(text) <= MAX_TRACEBACK else "…" + text[-MAX_TRACEBACK:]


def _beyond_us(frames: TracebackType | None) -> TracebackType | None:
    while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    return frames


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
