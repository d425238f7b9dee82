"""What people are told when an endpoint cannot be reached: the cause and what to do, in no library's words."""

from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starloom.devices.unreached import connection_reason

if TYPE_CHECKING:
    from starloom.devices.llm.key import Endpoint


def unreachable(error: BaseException, endpoint: Endpoint, seconds: float) -> str:
    """The sentence that an endpoint cannot be reached.

    Args:
        error: of the client's library, below which that of the system may lie.
        endpoint: who cannot be reached.
        seconds: for how long it was waited for.
    """
    url, cause = endpoint.url, cause_of(error)
    reason = endpoint.legible(connection_reason(cause))
    if isinstance(cause, TimeoutError):
        return (
            f"{url} cannot be reached: no answer within {seconds:g} s. Check that it runs, its address, and that no "
            "firewall keeps it away."
        )
    if isinstance(cause, socket.gaierror):
        return (
            f"{url} cannot be reached: no machine is known by the name {urlsplit(url).hostname} ({reason}). Correct "
            "the name, or check the network."
        )
    if isinstance(cause, ssl.SSLCertVerificationError):
        return (
            f"The certificate of {url} is not trusted here: {endpoint.legible(cause.verify_message)}. Add its "
            "authority to those of this system, or name the file with that in SSL_CERT_FILE; or correct the address."
        )
    if isinstance(cause, ssl.SSLError) and cause.reason == "WRONG_VERSION_NUMBER":
        return (
            f"What answers at {url} speaks no TLS ({reason}). Correct the port, or write http:// where that is meant."
        )
    return f"{url} cannot be reached: {reason}. Start it, or correct its address."


def cause_of(error: BaseException) -> BaseException:
    """The system's error below those of libraries, which put theirs in its place; else the first cause there is."""
    last, under = error, error.__cause__ or error.__context__
    while under is not None:
        if isinstance(under, TimeoutError) or (isinstance(under, OSError) and under.errno):
            return under
        last, under = under, under.__cause__ or under.__context__
    return last
