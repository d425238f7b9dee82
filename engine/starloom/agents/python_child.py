"""The child process of a Python agent: asks `module:function` and answers with what it returns, JSON on both pipes.

The question comes on stdin, the answer goes to stdout; what the function prints goes to stderr. Imports the standard
library only and is run by its path, as importing the package takes far longer than the rest.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import sys
import traceback
from typing import Any

_BOOT = (
    "import os, runpy, sys; sys.argv = sys.argv[1:]; sys.path[:1] = [p or os.getcwd() for p in sys.path[:1]]; "
    "runpy.run_path(sys.argv[0], run_name='__main__')"
)

_FROZEN = "--starloom-child"
"""How a packaged program, which is no interpreter, runs this file: `packaging/frozen_entry.py`."""


def command_line(target: str) -> tuple[str, ...]:
    """The command that starts the child for `module:function`; modules are searched in its working directory first."""
    if getattr(sys, "frozen", False):
        return (sys.executable, _FROZEN, __file__, target)
    return (sys.executable, "-u", "-c", _BOOT, __file__, target)


def main(target: str) -> int:
    """The exit code: 0 when the function has answered in JSON; else 1, and a traceback on stderr says why."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the function prints, itself or by its children, must not get into the answer
    try:
        question = json.load(sys.stdin)
        module, _, path = target.partition(":")
        function: Any = functools.reduce(getattr, path.split("."), importlib.import_module(module))
        text = json.dumps(function(question["view"], question["finished"]), allow_nan=False)
    except Exception:  # noqa: BLE001 - the border to foreign code; everything is reported
        traceback.print_exc()
        return 1
    with answers:
        answers.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
