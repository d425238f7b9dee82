"""The address of a model, and its key: from the environment or the system's keyring, never from a plan or journal."""

from __future__ import annotations

import os
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from starloom.errors import AgentError
from starloom.model.address import is_loopback

VARIABLE: Final = "STARLOOM_AGENT_KEY"
SERVICE: Final = "starloom-agent"
"""The service under which the keyring is asked; the user name is the endpoint's host."""
OPENAI: Final = "https://api.openai.com/v1"
_LONGEST_ERROR: Final = 500
NO_KEY: Final = "none"
"""What endpoints are sent that want no key, as local ones do."""


class Endpoint(NamedTuple):
    """The address of a model, with its key."""

    model: str
    url: str
    key: str

    def legible(self, text: str) -> str:
        """What it says of an error: on one line, bounded, and without the key, which some endpoints repeat."""
        shown = text.replace(self.key, "…") if self.key else text
        return " ".join(shown.split())[:_LONGEST_ERROR].rstrip(".")


def check_url(url: str) -> str:
    """The address of an endpoint, if it can be one.

    Raises:
        AgentError: it is not an address, or holds a password.
    """
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise AgentError(f"{url!r} is not the address of an endpoint; write e.g. http://127.0.0.1:11434/v1.")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        hint = f"it is told in messages; put the key into the keyring or into {VARIABLE}"
        raise AgentError(
            f"the address of the endpoint at {parts.hostname} holds more than host, port and path; {hint}."
        )
    return url


def find_key(url: str, *, plaintext: bool = False) -> str:
    """The key for an endpoint; `NO_KEY` if there is none. May ask the system's keyring, so not on the loop.

    Args:
        url: of the endpoint.
        plaintext: whether it may travel to another computer so that others can read it.

    Raises:
        AgentError: the key would travel to another computer unencrypted.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    key = os.environ.get(VARIABLE) or _from_keyring(host)
    if not key and url.rstrip("/") == OPENAI:
        key = os.environ.get("OPENAI_API_KEY")
    if key and not plaintext and not is_private(url):
        raise AgentError(f"the key for {host} would travel unencrypted; use an https address.")
    return key or NO_KEY


def is_private(url: str) -> bool:
    """Whether nobody can read what is sent there: it is encrypted, or does not leave this computer."""
    parts = urlsplit(url)
    return parts.scheme == "https" or is_loopback(parts.hostname or "")


def _from_keyring(host: str) -> str | None:
    try:
        import keyring
        import keyring.errors
    except ImportError:
        return None
    try:
        return keyring.get_password(SERVICE, host)
    except keyring.errors.KeyringError:  # there is none, or it is locked: then there is no key
        return None
