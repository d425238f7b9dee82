"""What people are told when a Dask scheduler cannot be reached: what is wrong, what to set, in no library's words."""

from __future__ import annotations

import socket

import pytest

from starloom.devices.dask.unreachable import sentence

SECURE, PLAIN = "tls://farm:8786", "tcp://farm:8786"


@pytest.mark.parametrize(
    ("address", "error", "told"),
    [
        (
            SECURE,
            ValueError("IOStream is not idle; cannot convert to SSL"),
            "was closed as TLS began. Check that it runs",
        ),
        (SECURE, TypeError("TLS expects a `ssl_context` argument of type"), "no keys. Name those of the cluster in"),
        (SECURE, OSError("TLS certificate does not match."), "is trusted here. Name that of the cluster as `ca-file`"),
        (
            SECURE,
            OSError("Timed out trying to connect after 15 s"),
            "after 15 s. Check the address, and that `dask sch",
        ),
        (PLAIN, ConnectionResetError(104, "x"), "it closed the connection, or does not talk as Dask does. Check the"),
        (PLAIN, MemoryError("Unable to allocate 3.07 EiB"), "it closed the connection, or does not talk as Dask does"),
    ],
)
def test_where_somebody_listens(address: str, error: Exception, told: str) -> None:
    said = sentence(address, error, was_heard=True)
    assert said.startswith(f"The Dask scheduler at {address} cannot be reached: ")
    assert told in said
    assert not any(word in said for word in ("IOStream", "ssl_context", "EiB", "Errno"))


def test_where_nobody_does() -> None:
    refused = ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 9)")
    assert ": Connection refused. Check the address" in sentence(PLAIN, refused, was_heard=False)
    unknown = socket.gaierror(-2, "Name or service not known")
    assert ": Name or service not known. Check the address" in sentence(PLAIN, unknown, was_heard=False)
