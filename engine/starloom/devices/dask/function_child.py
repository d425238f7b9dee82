"""The long-lived Python process of a Dask worker: calls functions one after the other, each for its own attempt.

What a function prints goes to pipes that were made for its attempt alone. A function that has left its Python as it was
leaves it to the next one: modules stay loaded. After any other, or once a module that is loaded has changed on disk,
this Python ends as if it had been started for that one attempt. Run by its path.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import json
import os
import resource
import signal
import site
import socket
import sys
import sysconfig
import threading

TYPE_CHECKING = False  # `typing` takes a third of the time in which all this is there
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

BEGUN: Final = b"begun"
"""The answer that the function is about to be called."""
STALE: Final = b"stale"
"""The answer that nothing was called, as what is loaded is not what would be loaded now."""
MOST_BYTES: Final = 64 * 1024
"""Of an order: the paths of files, and a few variables."""
_ADOPT_ORPHANS: Final = 36
"""PR_SET_CHILD_SUBREAPER: whoever is left behind by a process of ours is our child, and so noticed."""
_SIGNALS: Final = tuple(sorted(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}))
_LIMITS: Final = tuple(number for name, number in vars(resource).items() if name.startswith("RLIMIT_"))


class _Modules:
    """The modules that are loaded from files that people edit: not those of Python, nor what is installed in it."""

    def __init__(self) -> None:
        paths = sysconfig.get_paths()
        kept = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
        self._installed = tuple(path + os.sep for path in (*kept, *site.getsitepackages()))
        self._seen: set[str] = set()
        self._files: dict[str, tuple[int, int] | None] = {}

    def note(self) -> None:
        """Remember how the files are of what was loaded since."""
        for name in sys.modules.keys() - self._seen:
            path = getattr(sys.modules[name], "__dict__", {}).get("__file__")
            if isinstance(path, str) and not path.startswith(self._installed):
                self._files[path] = _stamp(path)
            self._seen.add(name)

    def are_current(self) -> bool:
        """Whether none of the files has changed."""
        return all(_stamp(path) == stamp for path, stamp in self._files.items())


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _state() -> tuple[Any, ...]:
    """The state of this Python that a function may change for the next one, apart from modules."""
    os.umask(mask := os.umask(0))
    return (
        dict(os.environ),
        os.getcwd(),
        sys.path.copy(),
        sys.argv.copy(),
        [(stream, stream is None or stream.closed) for stream in (sys.stdin, sys.stdout, sys.stderr)],
        sys.getrecursionlimit(),
        sys.gettrace(),
        threading.active_count(),
        [signal.getsignal(number) for number in _SIGNALS],
        signal.pthread_sigmask(signal.SIG_BLOCK, ()),
        signal.getitimer(signal.ITIMER_REAL)[0] > 0,
        [resource.getrlimit(number) for number in _LIMITS],
        os.getpriority(os.PRIO_PROCESS, 0),
        os.sched_getaffinity(0),
        mask,
    )


def _has_children() -> bool:
    """Whether a process lives that was left behind."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        return True
    return False


def _main_of(path: str) -> Callable[[list[str]], int]:
    """The main function of the module at a path, which calls one function."""
    spec = importlib.util.spec_from_file_location("starloom_python_child", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    main: Callable[[list[str]], int] = module.main
    return main


def main(arguments: list[str]) -> int:
    """Call functions until standard input ends; the arguments are the path of `python_child` and of the folder."""
    (child, folder), sys.argv = arguments, [""]
    control = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    library = ctypes.CDLL(None)
    library.prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
    call, modules = _main_of(child), _Modules()
    while True:
        order, streams, _, _ = socket.recv_fds(control, MOST_BYTES, 2)
        if not order:
            return 0
        if not modules.are_current() or not _is_in(folder):
            control.send(STALE)
            return 0
        control.send(BEGUN)
        _speak_to(*streams)
        for descriptor in streams:
            os.close(descriptor)
        code, is_as_before = _called(call, **json.loads(order))
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(AttributeError, OSError, ValueError):
                stream.flush()
        library.fflush(None)
        modules.note()
        if is_as_before:
            _speak_to(nothing, nothing)
        control.send(bytes((code, is_as_before)))
        if not is_as_before:
            return code


def _is_in(folder: str) -> bool:
    try:
        os.chdir(folder)
    except OSError:
        return False
    return True


def _speak_to(stdout: int, stderr: int) -> None:
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)


def _called(call: Callable[[list[str]], int], arguments: list[str], env: dict[str, str]) -> tuple[int, bool]:
    """The exit code of the call, and whether it has left no state that the next one would notice."""
    before = _state()
    os.environ.update(env)
    if arguments[0].partition(":")[0] not in sys.modules:
        importlib.invalidate_caches()  # it may have been written since we looked
    code = call(arguments)
    for name in env:
        os.environ.pop(name, None)
    return code, _state() == before and not _has_children()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
