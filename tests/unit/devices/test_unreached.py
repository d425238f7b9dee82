"""Why a connection failed is told in the system's words, which people know, whatever a library says of it."""

from __future__ import annotations

import socket
import ssl

import pytest

from starloom.devices.ssh.address import Address
from starloom.devices.ssh.connecting import _why
from starloom.devices.ssh.options import Route
from starloom.devices.unreached import connection_reason


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 9)"), "Connection refused"),
        (
            OSError("Multiple exceptions: [Errno 111] Connect call failed ('::1', 9, 0, 0), [Errno 111] Connect call"),
            "Connection refused",
        ),
        (socket.gaierror(-2, "Name or service not known"), "Name or service not known"),
        (ValueError("odd."), "odd"),
        (ValueError(), "ValueError"),
    ],
)
def test_the_reason_is_the_systems(error: Exception, reason: str) -> None:
    assert connection_reason(error) == reason


def test_the_reason_of_tls_is_not_that_of_a_systems_error_with_its_number() -> None:
    told, theirs = ssl.MemoryBIO(), ssl.MemoryBIO()
    told.write(b"HTTP/1.1 400 no\r\n\r\n")
    with pytest.raises(ssl.SSLError) as caught:
        ssl.create_default_context().wrap_bio(told, theirs, server_hostname="box").do_handshake()
    assert connection_reason(caught.value) == "wrong version number"


def test_a_machine_that_refuses_is_told_so() -> None:
    refused = ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 9)")
    said = str(_why(refused, Address("box"), Route(Address("box"))))
    assert "cannot be reached: Connection refused. Check its name and port" in said
