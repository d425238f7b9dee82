"""`starloom run --metrics`: the engine's metrics over HTTP while the run goes on."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starloom.cli.screen import Screen
    from starloom.orchestration.orchestrator import Orchestrator


@asynccontextmanager
async def offered_metrics(orchestrator: Orchestrator, port: int | None, screen: Screen) -> AsyncIterator[None]:
    """Serve the metrics of an open engine in this context and print their URL; without a port, do nothing.

    Raises:
        SettingsError: the port cannot be had.
    """
    if port is None:
        yield
        return
    from starloom.telemetry.endpoint import MetricsEndpoint

    async with MetricsEndpoint(orchestrator, port) as endpoint:
        screen.note(f"Metrics: {endpoint.url}")
        yield
