"""A connection to a UFO server that is registered there for one agent. Needs the extra `aip` (websockets)."""

from __future__ import annotations

import asyncio
import logging
import ssl
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec
from typing_extensions import override
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from starloom.decodable import decodable
from starloom.devices.aip.messages import LARGEST_MESSAGE, ClientMessage, ServerMessage, message
from starloom.devices.excerpts import one_line, quoted
from starloom.devices.masking import SecretValues
from starloom.devices.unreached import connection_reason
from starloom.errors import DeviceError, DeviceRefused

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

    from starloom.devices.aip.address import ServerAddress

_GOODBYE: Final = 2.0
"""Seconds a server may take to answer that a connection is closed."""
_PATIENT_PINGS: Final = 5
"""Intervals for which a server may leave a ping unanswered: UFO's is deaf while it waits for its model."""
_TOO_LARGE, _POLICY = 1009, 1008


class LinkBroken(DeviceError):  # noqa: N818 - says what is wrong, like the other errors people meet
    """The connection is gone."""


class NotUnderstood(DeviceError):  # noqa: N818 - likewise
    """The server has said what the protocol does not know; the connection is of no use any more."""


class NotSent(DeviceError):  # noqa: N818 - likewise
    """A message cannot be sent, and nothing of it was."""


class _Connect(connect):
    """Follows no redirects: they might lead out of this computer in the clear."""

    @override
    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


def _silent() -> logging.Logger:
    """A logger that tells nobody: the first line of a connection holds the token."""
    logger = logging.getLogger("starloom.devices.aip.wire")
    logger.disabled = True
    return logger


class AipLink:
    """A registered connection; made by `open`.

    Attributes:
        heard: when the server last said something, on the loop's clock.
        masks: hide the token in what the server says.
    """

    def __init__(self, socket: ClientConnection, place: str, client_id: str, target_id: str, token: str) -> None:
        self._socket = socket
        self._place = place
        self._client_id = client_id
        self._target_id = target_id
        self.masks = SecretValues([token])
        self.heard = asyncio.get_running_loop().time()

    @classmethod
    async def open(
        cls,
        address: ServerAddress,
        token: str,
        target_id: str,
        client_id: str,
        patience: float,
        ping_every: float | None = None,
    ) -> Self:
        """Connect to a server, and register for one of its agents.

        Args:
            address: of the server.
            token: that it wants; empty: none.
            target_id: the agent, as the server calls it.
            client_id: the name of this connection, which no other one has.
            patience: seconds that the server may take.
            ping_every: seconds between two pings of the connection; None: it is not pinged.

        Raises:
            DeviceRefused: not before a person does something.
            DeviceError: it cannot, now.
        """
        place = address.place
        try:
            async with asyncio.timeout(patience):
                socket = await _open(address, token, ping_every)
                link = cls(socket, place, client_id, target_id, token)
                try:
                    await link._register()
                except BaseException:
                    socket.transport.abort()
                    raise
                return link
        except TimeoutError:
            raise DeviceError(f"The UFO server at {place} does not answer within {patience:g} s.") from None

    async def _register(self) -> None:
        about = {"type": "constellation_client", "targeted_device_id": self._target_id, "version": "2.0"}
        await self.send("register", metadata=about)
        try:
            told = await self.receive()
        except LinkBroken as error:
            if self._socket.close_code == _POLICY:
                raise DeviceRefused(
                    f"The UFO server at {self._place} refuses the connection; check the option `token`. {error}"
                ) from error
            raise
        if told.type == "error":
            raise DeviceError(
                f"The UFO server at {self._place} did not register {self._target_id!r}: {self.masks.mask(told.words)}."
            )
        if told.type != "heartbeat" or told.status != "ok":
            raise NotUnderstood(
                f"The UFO server at {self._place} answered the registration with {one_line(told.type)!r}, which is not "
                "known here; it may be newer than what is spoken here."
            )

    async def send(self, type: str, **fields: Any) -> None:  # noqa: A002 - the protocol's word
        """Send a message.

        Raises:
            LinkBroken: the connection is gone.
            NotSent: the message is larger than one may be.
        """
        said: ClientMessage = message(type, self._client_id, self._target_id, **fields)
        data = msgspec.json.encode(said)
        if len(data) > LARGEST_MESSAGE:
            raise NotSent(
                f"What it has to be told takes {len(data)} bytes, more than the {LARGEST_MESSAGE} of a message."
            )
        try:
            await self._socket.send(data, text=True)
        except ConnectionClosed as error:
            raise self._end_of(error) from None

    async def receive(self) -> ServerMessage:
        """The next message; may be cancelled without losing one.

        Raises:
            LinkBroken: the connection is gone.
            NotUnderstood: what came is no message.
        """
        try:
            data = await self._socket.recv(decode=False)
        except ConnectionClosed as error:
            raise self._end_of(error) from None
        self.heard = asyncio.get_running_loop().time()
        try:
            return msgspec.json.decode(data, type=decodable(ServerMessage))
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            shown = self.masks.mask(quoted(bytes(data)))
            raise NotUnderstood(f"It sent what is no message of the protocol ({error}): {shown}.") from None

    async def close(self) -> None:
        """Close the connection, whether or not the server answers that; cancelled, it is cut at once."""
        try:
            await self._socket.close()
        finally:
            if self._socket.transport is not None:
                self._socket.transport.abort()

    @property
    def is_open(self) -> bool:
        """Whether the connection is not known to be gone."""
        return self._socket.close_code is None

    def _end_of(self, error: ConnectionClosed) -> DeviceError:
        """Why the connection has ended."""
        sent, received = error.sent, error.rcvd
        if sent is not None and not error.rcvd_then_sent:  # we have closed it first
            if sent.code == _TOO_LARGE:
                most = f"{LARGEST_MESSAGE // 2**20} MiB"
                return NotUnderstood(f"It sent a message of more than {most}, which no message may have.")
            if "keepalive" in sent.reason:
                return LinkBroken("The server did not answer the pings of the connection any more.")
        if received is None:
            return LinkBroken("The connection broke off.")
        reason = self.masks.mask(one_line(received.reason))
        return LinkBroken(f"The server closed the connection ({received.code}{f', {reason}' if reason else ''}).")


async def _open(address: ServerAddress, token: str, ping_every: float | None) -> ClientConnection:
    """A connection that is not registered yet.

    Raises:
        DeviceRefused: not before a person does something.
        DeviceError: it cannot be made now.
    """
    place = address.place
    try:
        return await _Connect(
            address.with_token(token),
            compression=None,  # a small frame could become a large message
            proxy=True if address.is_encrypted else None,  # what may be read on its way goes straight there
            open_timeout=None,  # the caller has one
            ping_interval=ping_every,
            ping_timeout=None if ping_every is None else ping_every * _PATIENT_PINGS,
            close_timeout=_GOODBYE,
            max_size=LARGEST_MESSAGE,
            logger=_silent(),
        )
    except InvalidStatus as error:
        code = error.response.status_code
        if code in {401, 403}:
            raise DeviceRefused(
                f"The UFO server at {place} lets nobody in {'with this' if token else 'without a'} token (HTTP status "
                f"{code}); it printed its key at its start: keep it where the option `token` says."
            ) from None
        raise DeviceError(
            f"The UFO server at {place} does not take the connection (HTTP status {code}); check the path of its "
            "address, which is /ws mostly."
        ) from None
    except ssl.SSLCertVerificationError as error:
        raise DeviceRefused(f"The certificate of {place} is not trusted here: {error.verify_message}.") from None
    except WebSocketException as error:
        raise DeviceError(f"What answers at {place} is no UFO server: {type(error).__name__}.") from None
    except OSError as error:
        raise DeviceError(
            f"The UFO server at {place} cannot be reached: {one_line(connection_reason(error))}. Check the "
            "address, and that it runs."
        ) from None


async def closed(link: AipLink) -> None:
    """Close a connection; whoever is cancelled meanwhile has cut it first."""
    closing = asyncio.ensure_future(link.close())
    cancelled: asyncio.CancelledError | None = None
    while not closing.done():
        try:
            await asyncio.wait((closing,))
        except asyncio.CancelledError as error:
            cancelled = error
            closing.cancel()
    if not closing.cancelled():
        closing.exception()
    if cancelled is not None:
        raise cancelled
