"""The one place that chooses the Qt bindings: PySide6, whatever the user's shell says.

qasync and pyqtgraph work with several bindings and let the environment (`QT_API`, `PYQTGRAPH_QT_LIB`) choose. A process
must not load two of them, so every module of the console imports these two libraries from here:

    from starloom_gui.qt_bindings import qasync

PySide6 replaces the import statement by one that reads the source of every module, in case it wants one of PySide6's
features (`snake_case`, `true_property`). Nothing here does, so Python's own import is put back: measured, the modules
of the console are imported in 2.05 s of processor time instead of 2.3 s.
"""

from __future__ import annotations

import builtins
import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import PySide6.QtCore  # noqa: F401

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLES: Final = {"QT_API": "pyside6", "PYQTGRAPH_QT_LIB": "PySide6"}
"""The environment variables that choose bindings, and how each calls ours."""

_environment = threading.Lock()

builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


def __getattr__(name: str) -> Any:
    """Import `qasync` or `pyqtgraph` when it is first asked for; pyqtgraph takes half a second to load."""
    if name == "qasync":
        with _pyside6_chosen():
            import qasync
        return qasync
    if name == "pyqtgraph":
        with _pyside6_chosen():
            import pyqtgraph
        return pyqtgraph
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@contextmanager
def _pyside6_chosen() -> Iterator[None]:
    """Set the variables while a library is imported, and no longer: the user's own tasks inherit the environment."""
    with _environment:
        before = {name: os.environ.get(name) for name in VARIABLES}
        os.environ.update(VARIABLES)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value
