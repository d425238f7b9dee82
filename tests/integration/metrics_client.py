"""What the tests of the metrics share: an engine to look at, and a client that can also send nonsense."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from prometheus_client.parser import text_string_to_metric_families as families

from starloom import InProcessDevice
from starloom.orchestration.orchestrator import Orchestrator
from starloom.settings import SchedulerSettings
from starloom.testing import noop

if TYPE_CHECKING:
    from starloom.devices.inprocess import Handler
    from starloom.journal.base import Journal
    from starloom.telemetry import MetricsEndpoint

WITHIN = 20.0


def engine(*devices: Any, journal: Journal | None = None, **settings: Any) -> Orchestrator:
    return Orchestrator(devices, settings=SchedulerSettings(**settings), journal=journal)


def here(handler: Handler = noop, slots: int | None = 4) -> InProcessDevice:
    return InProcessDevice("here", slots=slots, handlers={"noop": handler})


async def raw(endpoint: MetricsEndpoint, request: bytes) -> bytes:
    """All that is answered to these bytes, until the other side closes."""
    reader, writer = await connected(endpoint)
    try:
        writer.write(request)
        return await asyncio.wait_for(reader.read(), WITHIN)
    finally:
        writer.close()


async def connected(endpoint: MetricsEndpoint) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = endpoint.url.removeprefix("http://").removesuffix("/metrics").partition(":")
    return await asyncio.open_connection(host, int(port))


async def get(endpoint: MetricsEndpoint, path: str = "/metrics", **fields: str) -> tuple[int, dict[str, str], str]:
    lines = [f"GET {path} HTTP/1.1", "Host: localhost", *(f"{name}: {value}" for name, value in fields.items())]
    head, _, body = (await raw(endpoint, "\r\n".join([*lines, "", ""]).encode())).decode().partition("\r\n\r\n")
    first, *rest = head.split("\r\n")
    return int(first.split(" ")[1]), dict(line.split(": ", 1) for line in rest), body


def values(text: str) -> dict[str, float]:
    """The samples of Prometheus text by name and labels, e.g. `starloom_tasks{queued}`."""
    return {
        sample.name + ("{" + ",".join(sample.labels.values()) + "}" if sample.labels else ""): sample.value
        for family in families(text)
        for sample in family.samples
    }
