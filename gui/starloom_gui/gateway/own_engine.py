"""The engine that a console opens for itself: with its user's journals and settings, and metrics if they are set."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from starloom.errors import SettingsError
from starloom.journal.base import Journal, JournalError, NullJournal
from starloom.journal.library import Library
from starloom.orchestration.orchestrator import Orchestrator
from starloom.settings import journal_path, load_settings
from starloom_gui.text.engine_words import said, why_not
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@asynccontextmanager
async def own_engine() -> AsyncIterator[tuple[Orchestrator, str, str]]:
    """An open engine, what the user should know of how it was opened, and the address of its metrics; empty: none.

    Raises:
        SettingsError: the engine's settings cannot be used.
    """
    async with AsyncExitStack() as stack:
        settings = load_settings()
        journal, notice = _journal(stack)
        engine = Orchestrator(settings=settings, journal=journal)
        await engine.open()
        stack.push_async_callback(engine.shutdown, "now")
        metrics, trouble = await _serve_metrics(engine, settings.metrics_port, stack)
        yield engine, " ".join(filter(None, (notice, trouble))), metrics


def _journal(stack: AsyncExitStack) -> tuple[Journal, str]:
    """The journals in their usual place, or none, and what the user should know of that."""
    try:
        library = stack.enter_context(Library(journal_path()))
    except JournalError as error:
        words = translate("OwnEngine", "Runs are not kept, and cannot be gone on with after this program: %1")
        return NullJournal(), fill(words, why_not(error))
    return library, said(library.notice)


async def _serve_metrics(engine: Orchestrator, port: int | None, stack: AsyncExitStack) -> tuple[str, str]:
    """Serve the metrics where the settings say; returns their address, and why they are not served; empty: neither."""
    if port is None:
        return "", ""
    from starloom.telemetry.endpoint import MetricsEndpoint

    try:
        endpoint = await stack.enter_async_context(MetricsEndpoint(engine, port))
    except SettingsError as error:
        return "", why_not(error)
    return endpoint.url, ""
