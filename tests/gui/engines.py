"""The orchestrator behind a console: its own, or the one that a test serves to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.gateway.local_engine import LocalEngine

if TYPE_CHECKING:
    from starloom.orchestration.orchestrator import Orchestrator
    from starloom_gui.composition.console import Console
    from starloom_gui.gateway.engine import Engine

SERVED: dict[Engine, Orchestrator] = {}
"""What tests serve in this process to an engine of a console that is elsewhere to it."""


def orchestrator_of(console: Console) -> Orchestrator:
    """The orchestrator that carries out what is asked for in a console."""
    engine = console.engine
    return engine.orchestrator if isinstance(engine, LocalEngine) else SERVED[engine]
