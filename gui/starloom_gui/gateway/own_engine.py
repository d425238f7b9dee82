"""The engine that a console opens for itself: with its user's journals and settings, and metrics if they are set.

A server that goes on with runs of an earlier console hands them over before anything is opened.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.errors import SettingsError, StarloomError
from starloom.journal.base import Journal, JournalError, NullJournal
from starloom.journal.library import Library
from starloom.orchestration.handover import Handover
from starloom.orchestration.orchestrator import Orchestrator
from starloom.server.client import EngineClient, NoServerError
from starloom.server.listening import is_served
from starloom.settings import journal_path, load_settings
from starloom_gui.text.engine_words import said, why_not
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


_PATIENCE: Final = 15.0
"""Seconds in which a server that begins has to listen."""
_LOOK_EVERY: Final = 0.1
"""Seconds between two looks whether it does."""
_NOTHING: Final = Handover()


class OwnEngine(NamedTuple):
    """An open engine.

    Attributes:
        notice: what the user should know of how it was opened; empty: nothing.
        metrics: their address; empty: there is none.
        handover: the runs that a server has handed over, to be taken up.
    """

    engine: Orchestrator
    notice: str
    metrics: str
    handover: Handover


@asynccontextmanager
async def own_engine() -> AsyncIterator[OwnEngine]:
    """An open engine.

    Raises:
        SettingsError: the engine's settings cannot be used.
    """
    async with AsyncExitStack() as stack:
        settings = load_settings()
        handover, why_kept = await taken_over(journal_path())
        journal, notice = _journal(stack)
        engine = Orchestrator(settings=settings, journal=journal)
        await engine.open()
        stack.push_async_callback(engine.shutdown, "now")
        metrics, trouble = await _serve_metrics(engine, settings.metrics_port, stack)
        yield OwnEngine(engine, " ".join(filter(None, (why_kept or notice, trouble))), metrics, handover)


async def taken_over(journals: Path) -> tuple[Handover, str]:
    """What a server hands over that gives way, and what the user should know where one keeps its runs; empty: nothing.

    Args:
        journals: the folder of the journals.
    """
    deadline = asyncio.get_running_loop().time() + _PATIENCE
    while is_served(journals):
        try:
            async with EngineClient(journals, "console") as client:
                return await _taken_over(client)
        except NoServerError as error:  # it begins, and does not listen yet, or is about to end
            if asyncio.get_running_loop().time() > deadline:
                return _NOTHING, _kept(error)
            await asyncio.sleep(_LOOK_EVERY)
        except StarloomError as error:
            return _NOTHING, _kept(error)
    return _NOTHING, ""


async def _taken_over(client: EngineClient) -> tuple[Handover, str]:
    there = client.welcome.folder
    if not client.welcome.gives_way:
        return _NOTHING, ""
    if there != os.getcwd():  # where relative paths of its tasks begin
        words = translate("OwnEngine", "Runs go on in the background, in %1. Start Starloom there to have them here.")
        return _NOTHING, fill(words, there)
    return await client.take_over(), ""


def _kept(error: StarloomError) -> str:
    return fill(translate("OwnEngine", "Runs go on in the background. %1"), why_not(error))


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
