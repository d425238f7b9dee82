"""The child process of a `python` task: calls `module:function` with the task's inputs and writes its return value.

INPUTS is a JSON file with the keyword arguments, ERROR the file that says what went wrong. Run by its path, not as a
module of the package, and also copied to machines that have no Starloom: so it keeps to the standard library of
Python 3.8. A task pays for whatever is imported here, which is why the rest is imported only where something failed.
"""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False  # the module `typing` takes as long as the rest together
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType
    from typing import Any, Final

MAX_MESSAGE: Final = 2_000
MAX_TRACEBACK: Final = 16 * 1024

# What `python -m` would do: the working directory comes first where modules are looked for. Even an old Python reads
# this, and can say that it is too old.
BOOT: Final = """\
import os, sys
sys.argv = sys.argv[1:]
if sys.version_info < (3, 8):
    with open(sys.argv[3], "w") as file:
        file.write('{"code": "start_failed", "message": "%s is Python %d.%d; 3.8 is the oldest that can be used."}' % (
            (sys.executable,) + tuple(sys.version_info[:2])))
    sys.exit(1)
sys.path[:1] = [p or os.getcwd() for p in sys.path[:1]]
__file__ = sys.argv[0]
with open(__file__, "rb") as file:
    exec(compile(file.read(), __file__, "exec"))
"""

_FROZEN: Final = "--starloom-child"
"""A packaged program is no interpreter; with this it becomes one for a file of its own: `packaging/frozen_entry.py`."""


def command_line(target: str, inputs: str, error: str) -> tuple[str, ...]:
    """The command line of the child for `module:function`, given the paths of INPUTS and ERROR.

    Its output is unbuffered, so that what the function prints is seen while it runs.
    """
    if getattr(sys, "frozen", False):
        return (sys.executable, _FROZEN, __file__, target, inputs, error)
    return interpreter_line(sys.executable, __file__, target, inputs, error)


def interpreter_line(python: str, child: str, target: str, inputs: str, error: str) -> tuple[str, ...]:
    """The command line for another interpreter, and a copy of this file."""
    return (python, "-u", "-c", BOOT, child, target, inputs, error)


def main(arguments: Sequence[str]) -> int:
    """The exit code: 0 when the function returned JSON, 1 when not; then the last file says why."""
    target, inputs_path, error_path = arguments
    try:
        with open(inputs_path, encoding="utf-8") as file:
            inputs = json.load(file)
        value = load(target)(**inputs)
    except Exception as error:  # noqa: BLE001 - the boundary to the task's code; everything is reported
        _report(error_path, "exception", _sentence(error, target), _traceback(error), _severity(error))
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
    __import__(module)
    found: Any = sys.modules[module]
    for name in path.split("."):
        found = getattr(found, name)
    if not callable(found):
        raise TypeError(f"{target} is a {type(found).__name__} and cannot be called")
    function: Callable[..., Any] = found
    return function


def _report(path: str, code: str, message: str, detail: str, severity: str | None = None) -> None:
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"code": code, "message": message, "detail": detail, "severity": severity}, file)


def _severity(error: Exception) -> str | None:
    """What `model.result.raised_severity` says; that module need not be here."""
    try:
        word = getattr(error, "severity", None)
        return word if isinstance(word, str) and word in ("warning", "error", "critical") else None
    except Exception:  # noqa: BLE001 - as there
        return None


def _sentence(error: Exception, target: str) -> str:
    import traceback

    ours = sys.modules.get("starloom.model.result")
    if ours is not None and isinstance(error, ours.TaskError) and str(error):
        return _bounded(str(error))
    sentence = "".join(traceback.format_exception_only(type(error), error)).strip()
    module = target.partition(":")[0]
    if isinstance(error, ModuleNotFoundError) and error.name and f"{module}.".startswith(f"{error.name}."):
        sentence += f"; {sys.executable} looked for it in {os.getcwd()}, in PYTHONPATH, and among what is installed"
    return _bounded(sentence)


def _bounded(text: str) -> str:
    return text if len(text) <= MAX_MESSAGE else text[:MAX_MESSAGE] + "…"


def _traceback(error: Exception) -> str:
    """The traceback from the task's own code on; its end when it is long."""
    import traceback

    text = "".join(traceback.format_exception(type(error), error, _beyond_us(error.__traceback__)))
    return text if len(text) <= MAX_TRACEBACK else "…" + text[-MAX_TRACEBACK:]


def _beyond_us(frames: TracebackType | None) -> TracebackType | None:
    while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    return frames


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
