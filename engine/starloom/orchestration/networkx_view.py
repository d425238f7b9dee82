"""A run as a networkx graph, and the figures of its graph, which are computed in a thread."""

from __future__ import annotations

import asyncio
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from starloom.model.plan import Plan
from starloom.scheduling.state.codes import is_terminal
from starloom.scheduling.state.run_facts import RunFacts

if TYPE_CHECKING:
    import networkx as nx

    from starloom.constellation.structure import Structure


_HEAD: Final = tuple(field.name for field in fields(Plan) if hasattr(RunFacts, field.name))
"""What a run knows of its plan besides tasks and dependencies."""


def to_networkx(run: RunFacts) -> nx.DiGraph:
    """The graph of a run as it is now, with the fields of its plan and `RUN_ATTRIBUTES`; see `Run.to_networkx`."""
    head = Plan(**{name: getattr(run, name) for name in _HEAD} | {"name": run.name or "plan"})
    tasks = tuple(task for _, task in run.graph.present())
    graph = head.edited(tasks, tuple(run.graph.dependencies())).to_networkx()
    for task_id, number in run.graph.place.items():
        graph.nodes[task_id].update(_state(run, number))
    return graph


def _state(run: RunFacts, number: int) -> dict[str, Any]:
    """The attributes of a task's state, by `RUN_ATTRIBUTES`; missing ones are left out."""
    state: dict[str, Any] = {"status": str(run.status_of(number)), "attempts": run.tries[number]}
    device = run.device_of[number]
    if device is not None:
        state["ran_on"] = device
        if is_terminal(run.status[number]) and run.has_last_attempt(number):
            state["duration"] = run.ended_at[number] - run.started_at[number]
    return state


async def structure_of(run: RunFacts) -> Structure:
    """The figures of a run's graph as it is now. The graph is copied at once; the rest is done in a thread."""
    from starloom.constellation.structure import graph_of, structure  # networkx takes 0.3 s to import

    graph = run.graph.copy()
    return await asyncio.to_thread(lambda: structure(graph_of(graph)))
