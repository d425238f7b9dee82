"""`GET /metrics`: an engine's metrics over HTTP, on this computer only."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final, Self

import msgspec

from starloom.telemetry.loopback import HOST, LoopbackServer, Request, Response
from starloom.telemetry.watch import EngineWatch

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.telemetry.reading import Reading

_JSON: Final = "application/json"
_TEXTS: Final = ("text/plain", "application/openmetrics-text")
"""What Prometheus names in its `Accept`."""
_NO_TEXT: Final = (
    b"Prometheus text needs the package prometheus-client, which is not installed: pip install 'starloom[metrics]'. "
    b"The same figures are at /metrics.json.\n"
)


class MetricsEndpoint:
    """Serves the metrics of an open engine at `http://127.0.0.1:PORT/metrics`; an async context manager.

    `/metrics` is Prometheus text, or JSON for a client whose `Accept` names `application/json`; `/metrics.json` is JSON
    always. The JSON is a `Reading`; what the seeds count stands under `scheduler`, with their names. Prometheus text
    needs the extra `metrics`; without it, a client that asks for text is told so, and any other gets JSON. Nothing
    wakes up while nobody asks and nothing happens.

    Args:
        orchestrator: the engine; must be open when the endpoint is opened.
        port: where; 0: at any port that is free.
    """

    def __init__(self, orchestrator: Orchestrator, port: int = 0) -> None:
        self._orchestrator = orchestrator
        self._server = LoopbackServer(self._answer, port)
        self._watch: EngineWatch | None = None
        self._text: Callable[[Reading], Response] | None = None

    async def open(self) -> None:
        """Start to measure and to serve.

        Raises:
            SettingsError: the port cannot be had.
            CommandRefused: the engine is not open.
        """
        self._text = _text_maker()
        self._watch = EngineWatch(self._orchestrator)
        try:
            await self._server.open()
        except BaseException:
            self._watch.close()
            raise

    async def close(self) -> None:
        """Stop; returns when all connections are closed. Closing twice is no error."""
        await self._server.close()
        if self._watch is not None:
            self._watch.close()

    @property
    def url(self) -> str:
        """The URL of the metrics; must be open."""
        return f"http://{HOST}:{self._server.port}/metrics"

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _answer(self, request: Request) -> Response:
        if request.path not in ("/metrics", "/metrics.json"):
            return Response(b"There is /metrics and /metrics.json here.\n", status=HTTPStatus.NOT_FOUND)
        assert self._watch is not None
        reading = await self._watch.reading()
        if request.path == "/metrics.json" or request.accepts(_JSON):
            return _as_json(reading)
        if self._text is not None:
            return self._text(reading)
        if any(request.accepts(kind) for kind in _TEXTS):
            return Response(_NO_TEXT, status=HTTPStatus.NOT_ACCEPTABLE)
        return _as_json(reading)


def _as_json(reading: Reading) -> Response:
    return Response(msgspec.json.encode(reading) + b"\n", _JSON)


def _text_maker() -> Callable[[Reading], Response] | None:
    """The function that makes Prometheus text; None: the extra is not installed."""
    try:
        from starloom.telemetry.prometheus import CONTENT_TYPE, prometheus_text
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "prometheus_client":
            raise
        return None
    return lambda reading: Response(prometheus_text(reading), CONTENT_TYPE)
