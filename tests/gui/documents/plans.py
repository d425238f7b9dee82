"""Plans, files and made-up collaborators that the tests of documents share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.driver import plan, task
from tests.gui.event_loop.loops import run_on
from tests.waiting import until

from starloom.formats import save_plan
from starloom_gui.documents.document import Loaded, stamp_of
from starloom_gui.documents.would_run import digest_of
from starloom_gui.event_loop import QtEventLoop

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from PySide6.QtWidgets import QDialog, QWidget

    from starloom.model.plan import Plan
    from starloom_gui.widgets.message_bar import ErrorMessage

BROKEN = """starloom: 1
name: broken
tasks:
  - id: a
    command: [echo, hi]
    timout: 5m
  - id: b
    needs: [c]
    command: [echo, hi]
"""


def small(*ids: str, **fields: Any) -> Plan:
    """A plan of simulated tasks."""
    return plan([task(id, simulate=1.0, **fields) for id in ids or ("a", "b")], ["a>b"] if not ids else [])


def commands() -> Plan:
    """A plan that would run something."""
    return plan([task("a", command=("echo", "hi there")), task("b", command=("echo", "hi there")), task("c")])


def written(plan: Plan, path: Path) -> Path:
    """A file of a plan."""
    path.parent.mkdir(parents=True, exist_ok=True)
    save_plan(plan, path)
    return path


def loaded(plan: Plan, path: Path) -> Loaded:
    """What reading a file of this plan gives."""
    return Loaded(path=path, plan=plan, format="yaml", remarks=(), stamp=stamp_of(path), digest=digest_of(plan))


def on_qt(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a coroutine function as the console would."""
    run_on(QtEventLoop, main)


async def shown(window: QWidget, kind: type[QDialog]) -> Any:
    """The dialog of this kind that stands over a window, once it does."""

    def found() -> list[QDialog]:
        return [dialog for dialog in window.findChildren(kind) if dialog.isVisible()]

    await until(found)
    return found()[0]


class Reports:
    """Remembers what went wrong."""

    def __init__(self) -> None:
        self.troubles: list[ErrorMessage] = []

    def __call__(self, trouble: ErrorMessage) -> None:
        self.troubles.append(trouble)
