"""A connection to the D-Bus session bus with awaited calls and received signals; nothing blocks.

Not QtDBus: from Python it sends every whole number as another type than the unsigned one that notifications are counted
in, and services refuse such calls.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from typing_extensions import override

from starloom_gui.shell.bus_messages import ERROR, METHOD_RETURN, SIGNAL, Message, MessageError, method_call, split

if TYPE_CHECKING:
    from collections.abc import Callable

ANSWER_SECONDS: Final = 5.0
"""After so long nobody waits for an answer any more."""
BUS: Final = "org.freedesktop.DBus"
_BUS_PATH: Final = "/org/freedesktop/DBus"


class BusError(Exception):
    """The bus or a service on it cannot be used; the text says why."""


class SessionBus(asyncio.Protocol):
    """One connection; whoever makes it with `connect` closes it.

    Attributes:
        heard: called with each signal that was asked for by `listen`.
    """

    def __init__(self) -> None:
        self.heard: Callable[[Message], None] = lambda _: None
        self._transport: asyncio.Transport | None = None
        self._unread = bytearray()
        self._is_agreed = False
        self._serial = 0
        self._agreed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._calls: dict[int, asyncio.Future[Message]] = {}

    @classmethod
    async def connect(cls, address: str | None = None) -> SessionBus:
        """Connect to the session's bus, or to that of an address as D-Bus writes them.

        Raises:
            BusError: there is none, or it does not answer.
        """
        place = _socket_of(address if address is not None else session_address())
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                _, bus = await loop.create_unix_connection(cls, place)
        except TimeoutError as error:
            raise BusError(f"The session bus at {place!r} does not answer.") from error
        except OSError as error:
            raise BusError(f"The session bus at {place!r} cannot be reached: {error}.") from error
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await bus._agreed
            await bus.call(BUS, _BUS_PATH, BUS, "Hello")
        except TimeoutError as error:
            bus.close()
            raise BusError(f"The session bus at {place!r} does not answer.") from error
        except BaseException:
            bus.close()
            raise
        return bus

    @property
    def is_open(self) -> bool:
        """Whether it can be used."""
        return self._transport is not None and not self._transport.is_closing()

    async def call(
        self, service: str, path: str, interface: str, member: str, signature: str = "", *arguments: object
    ) -> Message:
        """Call a method; returns its answer.

        Raises:
            BusError: the connection is closed, the service refuses, is not there, or does not answer in time.
        """
        transport = self._transport
        if transport is None or transport.is_closing():
            raise BusError(f"The connection to the session bus is closed; {member} was not called.")
        self._serial += 1
        serial = self._serial
        answer = self._calls[serial] = asyncio.get_running_loop().create_future()
        transport.write(method_call(serial, service, path, interface, member, signature, arguments))
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                message: Message = await answer
        except TimeoutError as error:
            raise BusError(f"{service} did not answer {member} within {ANSWER_SECONDS:g} s.") from error
        finally:
            self._calls.pop(serial, None)
        if message.kind == ERROR:
            said = next((value for value in message.values if isinstance(value, str)), "")
            raise BusError(f"{service} refused {member}: {said or message.error}")
        return message

    async def listen(self, interface: str) -> None:
        """Receive the signals of an interface from now on.

        Raises:
            BusError: as for `call`.
        """
        rule = f"type='signal',interface='{interface}'"
        await self.call(BUS, _BUS_PATH, BUS, "AddMatch", "s", rule)

    def close(self) -> None:
        """Close the connection; closing twice is allowed."""
        if self._transport is not None:
            self._transport.abort()
        self._fail("The connection to the session bus was closed.")

    # ---- called by asyncio

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")

    @override
    def data_received(self, data: bytes) -> None:
        self._unread += data
        if not self._is_agreed and not self._agree():
            return
        try:
            for message in split(self._unread):
                self._take(message)
        except MessageError as error:
            self._fail(str(error))
            self.close()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._fail("The session bus has closed the connection.")

    # ---- what arrives

    def _agree(self) -> bool:
        """Whether the bus knows by now who we are; only then are there messages."""
        line, found, rest = bytes(self._unread).partition(b"\r\n")
        if not found:
            return False
        if not line.startswith(b"OK"):
            self._fail("The session bus does not let this user in.")
            self.close()
            return False
        self._unread[:] = rest
        self._is_agreed = True
        if self._transport is not None:
            self._transport.write(b"BEGIN\r\n")
        if not self._agreed.done():
            self._agreed.set_result(None)
        return True

    def _take(self, message: Message) -> None:
        if message.kind in (METHOD_RETURN, ERROR):
            call = self._calls.get(message.answers)
            if call is not None and not call.done():
                call.set_result(message)
        elif message.kind == SIGNAL:
            # An answer that came before it is at its caller's first: a bubble is known before it is clicked.
            asyncio.get_running_loop().call_soon(self.heard, message)

    def _fail(self, why: str) -> None:
        waiting: list[asyncio.Future[Any]] = [self._agreed, *self._calls.values()]
        for future in waiting:
            if not future.done():
                future.set_exception(BusError(why))
        if self._agreed.done() and not self._agreed.cancelled():
            self._agreed.exception()  # nobody may be waiting for it any more


def session_address() -> str:
    """The address of the session bus; empty: there is none."""
    given = os.environ.get("DBUS_SESSION_BUS_ADDRESS", "")
    if given:
        return given
    usual = os.path.join(os.environ.get("XDG_RUNTIME_DIR", ""), "bus")
    return f"unix:path={usual}" if os.path.isabs(usual) and os.path.exists(usual) else ""


def _socket_of(address: str) -> str:
    """The first socket an address names, as the system calls it.

    Raises:
        BusError: it names none that can be used here.
    """
    for one in address.split(";"):
        transport, _, pairs = one.partition(":")
        known = dict(pair.split("=", 1) for pair in pairs.split(",") if "=" in pair)
        if transport == "unix" and "path" in known:
            return unquote(known["path"])
        if transport == "unix" and "abstract" in known:
            return "\0" + unquote(known["abstract"])
    raise BusError("There is no session bus here." if not address else f"No socket is named by {address!r}.")
