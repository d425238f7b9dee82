"""Every private name of asyncio and qasync that the console's loop uses is there: an upgrade says which one went."""

from __future__ import annotations

import ast
import asyncio
import inspect
import sys
from pathlib import Path
from typing import Final

import pytest

import starloom_gui.event_loop
from starloom_gui.qt_bindings import qasync

OF_THE_LOOP: Final = {
    "_add_callback",
    "_add_reader",
    "_add_writer",
    "_after_run_forever",
    "_asyncgen_finalizer_hook",
    "_asyncgen_firstiter_hook",
    "_before_run_forever",
    "_check_closed",
    "_check_running",
    "_closed",
    "_csock",
    "_debug",
    "_default_executor",
    "_make_self_pipe",
    "_process_events",
    "_ready",
    "_remove_reader",
    "_remove_writer",
    "_scheduled",
    "_selector",
    "_set_coroutine_origin_tracking",
    "_ssock",
    "_stopping",
    "_thread_id",
    "_timer_cancelled_count",
    "_timer_handle_cancelled",
}
OF_HANDLES: Final = {"_cancelled", "_run", "_scheduled", "_when"}
OF_ASYNCIO: Final = {"_set_running_loop"}

ROOM: Final = Path(starloom_gui.event_loop.__file__).parent


@pytest.mark.parametrize("name", sorted(OF_THE_LOOP))
def test_a_loop_of_qasync_has(app, name):
    stock = qasync.QEventLoop(app)
    has_it = hasattr(stock, name)
    stock.close()
    assert has_it


@pytest.mark.parametrize("name", sorted(OF_HANDLES))
def test_a_timer_of_asyncio_has(name):
    async def look() -> bool:
        timer = asyncio.get_running_loop().call_later(0, int)
        return hasattr(timer, name)

    assert asyncio.run(look())


@pytest.mark.parametrize("name", sorted(OF_ASYNCIO))
def test_asyncio_has(name):
    assert hasattr(asyncio, name)


@pytest.mark.skipif(sys.platform == "win32", reason="qasync has another base there")
def test_methods_that_are_taken_from_asyncio_are_those_that_qasync_has_replaced(app):
    """One that qasync no longer has a version of need not be taken any more."""
    taken = {name for name, value in vars(starloom_gui.event_loop.QtEventLoop).items() if _is_asyncios(value)}
    assert taken
    assert taken - vars(qasync._QEventLoop).keys() == set()


def _is_asyncios(value: object) -> bool:
    return getattr(value, "__module__", "").startswith("asyncio.")


def test_the_names_are_all_that_the_loop_uses():
    used: set[str] = set()
    own: set[str] = set()
    for path in ROOM.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        used |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        used |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                own |= _defined_by(node)
    private = {name for name in used if name.startswith("_") and not name.startswith("__")}
    functions = {"_disabled_notifier", "_end_of"}
    assert private - own - functions == OF_THE_LOOP | OF_HANDLES | OF_ASYNCIO


def _defined_by(node: ast.ClassDef) -> set[str]:
    """Methods of a class of ours, and what its constructor sets, but for what asyncio has, too."""
    theirs = dir(asyncio.SelectorEventLoop) + list(OF_THE_LOOP)
    found = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            targets = [target for each in ast.walk(part) for target in _targets(each)]
            found |= {target.attr for target in targets if isinstance(target, ast.Attribute)}
    return found - set(theirs)


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AnnAssign) else []


def test_the_decision_record_says_whose_each_method_of_qasyncs_loop_is():
    record = (Path(__file__).parents[3] / "docs/decisions/0001-the-loop-is-qasync.md").read_text(encoding="utf-8")
    table = record.partition("## Each method")[2].partition("\n## ")[0]
    methods = {name for name, value in vars(qasync._QEventLoop).items() if inspect.isfunction(value)}
    methods = {name for name in methods if not name.startswith("_QEventLoop__")}
    assert len(methods) > 20
    assert {name for name in methods if f"`{name}`" not in table} == set()
