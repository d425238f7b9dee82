"""The engine that a console opens for itself: with its user's journals and settings, and metrics if they are set.

A server that goes on with runs of an earlier console hands them over before anything is opened.
"""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

from starloom.errors import SettingsError, StarloomError
from starloom.journal.base import Journal, JournalError, NullJournal
from starloom.journal.library import Library
from starloom.orchestration.handover import Handover
from starloom.orchestration.orchestrator import Orchestrator
from starloom.server.feeds import RunFeeds
from starloom.server.handovers import ServerElsewhereError, take_over_from_server
from starloom.server.server_lock import can_serve
from starloom.settings import journal_path, load_settings
from starloom_gui.gateway.own_server import OwnServer
from starloom_gui.text.engine_words import said, why_not
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class OwnEngine(NamedTuple):
    """An open engine.

    Attributes:
        notice: what the user should know of how it was opened; empty: nothing.
        metrics: their address; empty: there is none.
        handover: the runs that a server has handed over, to be taken up.
        server: serves it to other programs; None: it cannot be served here.
    """

    engine: Orchestrator
    notice: str
    metrics: str
    handover: Handover
    server: OwnServer | None = None


@asynccontextmanager
async def own_engine() -> AsyncIterator[OwnEngine]:
    """An open engine.

    Raises:
        SettingsError: the engine's settings cannot be used.
    """
    async with AsyncExitStack() as stack:
        settings = load_settings()
        handover, why_kept = await _taken_over()
        journal, notice = _journal(stack)
        feeds = RunFeeds(journal) if isinstance(journal, Library) and can_serve() else None
        engine = Orchestrator(settings=settings, journal=journal)
        await engine.open()
        stack.push_async_callback(engine.shutdown, "now")
        server = None
        if feeds is not None:
            server = await stack.enter_async_context(OwnServer(engine, journal_path(), feeds))
        metrics, trouble = await _serve_metrics(engine, settings.metrics_port, stack)
        yield OwnEngine(engine, " ".join(filter(None, (why_kept or notice, trouble))), metrics, handover, server)


async def _taken_over() -> tuple[Handover, str]:
    """What a server hands over, and what the user should know where one keeps its runs; empty: nothing."""
    try:
        return await take_over_from_server(journal_path()), ""
    except ServerElsewhereError as error:
        words = translate("OwnEngine", "Runs go on in the background, in %1. Start Starloom there to have them here.")
        return Handover(), fill(words, error.folder)
    except StarloomError as error:
        return Handover(), fill(translate("OwnEngine", "Runs go on in the background. %1"), why_not(error))


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
