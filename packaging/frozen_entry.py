"""Where the packaged program begins: the command line, or one of the files that it runs in child processes.

`starloom --starloom-child FILE …` runs a file of the package as Python would, for tasks that are Python functions, and
for what is done in a process of its own: a packaged program is no interpreter, and whoever uses it need not have one.
"""

from __future__ import annotations

import io
import os
import runpy
import sys
import warnings
from pathlib import Path
from typing import Final

CHILD: Final = "--starloom-child"
_OURS: Final = frozenset(
    {
        "journal/foreign_child.py",
        "journal/import_child.py",
        "reporting/digests_child.py",
        "reporting/export_child.py",
    }
)
_ALONE: Final = _OURS | frozenset(
    {
        "devices/acp/scripted_agent.py",
        "devices/environment_child.py",
        "devices/keeper_child.py",
        "devices/schema_child.py",
    }
)
"""Files that import nothing of the user's."""
_FILES: Final = frozenset({"devices/python_child.py", "agents/python_child.py"}) | _ALONE


def main() -> None:
    """Do what the arguments say."""
    _forget_loader()
    if sys.argv[1:2] == [CHILD]:
        run_child(*sys.argv[2:])
    else:
        from starloom.cli import main as command_line

        command_line()


def _forget_loader() -> None:
    """Give child processes the library path that we were given: our own libraries are nothing for other programs."""
    given = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if given is not None:
        os.environ["LD_LIBRARY_PATH"] = given
    else:
        os.environ.pop("LD_LIBRARY_PATH", None)


def run_child(path: str, *arguments: str) -> None:
    """Run a file of the package as the main module, with output that is seen at once."""
    package = Path(sys._MEIPASS, "starloom")  # type: ignore[attr-defined]  # there in a packaged program
    name = next((each for each in _FILES if Path(path) == package / each), None)
    if name is None:
        sys.exit(f"{CHILD} runs files of this program only, not {path}.")
    warnings.simplefilter("ignore") if name in _ALONE else _find_users_modules()
    sys.stdin = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8")
    sys.stdout = _unbuffered(1, "strict")
    sys.stderr = _unbuffered(2, "backslashreplace")
    sys.argv = [path, *arguments]
    runpy.run_path(path, run_name="__main__")


def _find_users_modules() -> None:
    """Look for modules where Python itself would: first here, then where PYTHONPATH says."""
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:0] = [os.getcwd(), *(place for place in named if place)]


def _unbuffered(descriptor: int, errors: str) -> io.TextIOWrapper:
    raw = open(descriptor, "wb", buffering=0, closefd=False)  # noqa: SIM115 - lives as long as the program
    return io.TextIOWrapper(raw, encoding="utf-8", errors=errors, write_through=True)


if __name__ == "__main__":
    main()
