"""An agent that is started to be greeted only: whether a program speaks the protocol is known once it has answered."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from starloom.devices.acp.conversation import SessionRefused, greeted, introduction
from starloom.devices.acp.peer import METHOD_NOT_FOUND, Peer, PeerFailed, RequestRefused
from starloom.devices.excerpts import one_line, quoted
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import msgspec

    from starloom.devices.acp.attempt import AgentProcess
    from starloom.devices.process import OnOutput

_LONGEST: Final = 300


class AgentProbe:
    """One probe of an agent. `run` is awaited once; however it ends, so has the agent's process.

    Args:
        patience: seconds in which it has to answer.
        grace: seconds between asking it to end and killing it.
    """

    def __init__(self, patience: float, grace: float) -> None:
        self._patience, self._grace = patience, grace
        self._process: AgentProcess | None = None
        self._printed = b""
        self._peer = Peer(self._write, lambda *_: None, _refuse, self._keep)

    async def run(self, start: Callable[[OnOutput], Awaitable[AgentProcess]]) -> str:
        """Start the agent, greet it and end it; returns its name and version, as far as it tells them.

        Args:
            start: starts the process, which tells what it prints to what it is given.

        Raises:
            StartFailed, DeviceError: it cannot be started, or is no agent; the sentence says why.
        """
        self._process = process = await start(self._heard)
        exiting = asyncio.ensure_future(process.exited())
        exiting.add_done_callback(self._ended)
        try:
            async with asyncio.timeout(self._patience):
                return introduction((await greeted(self._peer)).agent_info)
        except TimeoutError:
            reason = f"it did not answer within {self._patience:g} s"
        except (SessionRefused, PeerFailed, RequestRefused) as error:
            reason = str(error)
        finally:
            process.close_input()
            exiting.remove_done_callback(self._ended)
            await process.end(self._grace)
            exiting.cancel()
            await self._peer.close()
        printed = f" It printed {quoted(self._printed)}." if self._printed else ""
        raise DeviceError(
            f"The program was started, and is no agent of the Agent Client Protocol: {reason.rstrip('.')}.{printed}"
        )

    def _write(self, data: bytes) -> None:
        if self._process is not None:
            self._process.write(data)

    def _heard(self, stream: str, data: bytes) -> None:
        if stream == "stdout" and data:
            self._peer.heard(data)
        elif stream == "stderr" and data.strip():
            self._keep(data)

    def _keep(self, line: bytes) -> None:
        self._printed = self._printed or one_line(line.decode(errors="replace"), _LONGEST).encode()

    def _ended(self, exiting: asyncio.Future[int | None]) -> None:
        if not exiting.cancelled() and exiting.exception() is None:
            self._peer.fail("it ended before it answered")


async def _refuse(method: str, _params: msgspec.Raw) -> Any:
    raise RequestRefused(METHOD_NOT_FOUND, f"There is no {one_line(method)} here.")
