"""Planted defects of consoles and servers, each of which rounds of attached consoles have to find.

As a program it is `starloom` with a defect: its name, and the words of the command line.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from msgspec import structs

from starloom.events import TasksHeld, TasksPrioritised
from starloom.scheduling.fold.apply import fold
from starloom.server.messages import GiveCommand
from starloom.server.socket_path import ServerError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.events import Event


@dataclass(frozen=True)
class Defect:
    """A defect.

    Attributes:
        found: what the rounds say of it, in part.
        of, name: the function that it replaces, by what has it: a module, or a class behind its module and a colon.
        wrong: what is there instead.
        faults: the faults by which it shows.
        is_of_server: whether it is a server's, and not a console's.
    """

    found: str
    of: str
    name: str
    wrong: Any
    faults: tuple[str, ...]
    is_of_server: bool = False


async def _given_anew(self: Any, request: Any) -> Any:
    """A command is given again as another one, where the connection was lost."""
    async with self._is_asking:
        while True:
            try:
                return await self._connection.ask(request)
            except ServerError as lost:
                await self._connection.connect_again(lost)
            request = structs.replace(request, number=self._connection.next_number())
            if isinstance(request, GiveCommand):
                request = structs.replace(request, command_id=uuid4().hex)


def _without_steering(view: Any, events: Sequence[Event]) -> Any:
    """A fold that holds no task, and gives none a priority."""
    left = (TasksHeld, TasksPrioritised)
    return fold(view, [structs.replace(one, task_ids=()) if isinstance(one, left) else one for one in events])


def _nothing_changed(_self: Any, _changes: Any) -> None:
    """A view that is not told."""


DEFECTS: Final[dict[str, Defect]] = {
    "a command is given again without its id": Defect(
        "happened", "starloom.server.client:EngineClient", "_give", _given_anew, ("link", "link", "link", "link")
    ),
    "a follower's fold leaves something out": Defect(
        "facts", "starloom.journal.sent_rows", "fold", _without_steering, ()
    ),
    "a table is not told of changes": Defect(
        "table", "starloom_gui.models.task_table:TaskTable", "on_changes", _nothing_changed, ()
    ),
    "attempts that go on are not looked for": Defect(
        "begun", "starloom.orchestration.resuming", "_orders", lambda _folded: [], ("server",), is_of_server=True
    ),
}


def plant(name: str) -> None:
    """Put a defect into this program; empty: none."""
    if name:
        defect = DEFECTS[name]
        module, _, inside = defect.of.partition(":")
        of = import_module(module)  # only where it is planted: a server has no window
        setattr(getattr(of, inside) if inside else of, defect.name, defect.wrong)


if __name__ == "__main__":
    from starloom.cli.app import main

    plant(sys.argv.pop(1))
    main()
