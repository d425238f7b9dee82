"""The address of a server, and the token that it wants, which stands in no address that is written down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit, urlunsplit

from pydantic import ValidationError

from starloom.devices.secret_sources import SecretError, look_up
from starloom.errors import DeviceError, DeviceRefused
from starloom.model.address import holds_secret, is_loopback
from starloom.model.secret import Secret

if TYPE_CHECKING:
    from urllib.parse import SplitResult


class ServerAddress:
    """The address of a UFO server.

    Args:
        device_id: whose it is, for messages.
        url: `ws://host:port/ws` or `wss://…`, without a token.
        token: where the token is kept, as `env:NAME` or `keyring:NAME`; None: the server wants none.
        plaintext: whether it may be read by others on its way beyond this computer.

    Attributes:
        url: as it was given.
        token: likewise; never its value.
        place: the host and port, for messages.
        is_encrypted: whether nobody can read what is said on its way.

    Raises:
        DeviceError: the address or the token cannot be used; no sentence holds what may be a token's value.
    """

    def __init__(self, device_id: str, url: Any, token: Any = None, *, plaintext: bool = False) -> None:
        self._who = f"Device {device_id!r}"
        parts = self._split(url)
        self.url, self._parts = str(url), parts
        host = parts.hostname or ""
        self.place = parts.netloc
        self.is_encrypted = parts.scheme == "wss"
        if not self.is_encrypted and not plaintext and not is_loopback(host):
            raise DeviceError(
                f"{self._who}: url is ws://, so what is said to {host} can be read and changed by others on its way. "
                "Use wss://, or ws://localhost through an SSH tunnel; or set `plaintext: true` where that is no harm."
            )
        self._secret = None if token is None else self._reference(token)
        self.token = None if self._secret is None else self._secret.secret

    def _split(self, url: Any) -> SplitResult:
        form = "give it the server's address, like ws://localhost:5000/ws"
        try:
            parts = urlsplit(url if isinstance(url, str) else "")
            has_host = bool(parts.hostname) and (parts.port is None or parts.port > 0)
        except ValueError:
            has_host = False
        if not has_host or parts.scheme not in {"ws", "wss"} or parts.fragment:
            raise DeviceError(f"{self._who}: url is no address of a WebSocket; {form}.")
        if holds_secret(parts):
            raise DeviceError(
                f"{self._who}: url holds a token or password, which would be written down with it. Leave it out there, "
                "and name where it is kept in `token`, as keyring:NAME or env:NAME."
            )
        return parts

    def _reference(self, token: Any) -> Secret:
        try:
            return Secret(token)
        except ValidationError:
            raise DeviceError(
                f"{self._who}: token says where the token is kept, not what it is: write keyring:NAME or env:NAME."
            ) from None

    async def secret(self) -> str:
        """The token's value; empty: there is none.

        Raises:
            DeviceRefused: it cannot be looked up.
        """
        if self._secret is None:
            return ""
        try:
            return await look_up(self._secret)
        except SecretError as error:
            raise DeviceRefused(f"{self._who}: {error}") from error

    def with_token(self, value: str) -> str:
        """The address that is connected to, which is not to be shown."""
        if not value:
            return self.url
        query = f"{self._parts.query}&" if self._parts.query else ""
        return urlunsplit(self._parts._replace(query=f"{query}token={quote(value, safe='')}"))
