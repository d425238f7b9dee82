"""Sentences on why a Dask scheduler cannot be reached, above all where only one side uses TLS."""

from __future__ import annotations

from typing import Final

from starloom.devices.unreached import connection_reason

_TLS: Final = "tls://"
_CONFIGURATION: Final = "Dask's configuration (~/.config/dask/distributed.yaml, as `distributed: {comm: {tls: …}}`)"
_NO_KEYS: Final = (
    "it speaks TLS, for which this program has no keys. Name those of the cluster in "
    f"{_CONFIGURATION}: `ca-file`, and under `client` `cert` and `key`."
)
_OTHER_AUTHORITY: Final = (
    "its certificate is not from the authority that is trusted here. Name that of the cluster as `ca-file` in "
    f"{_CONFIGURATION}."
)
_NOT_TLS: Final = (
    "the connection was closed as TLS began. Check that it runs and speaks TLS; the address of one that does not "
    "begins with tcp://, and one that does accepts only keys of its own authority."
)
_NOT_PLAIN: Final = (
    "it closed the connection, or does not talk as Dask does. Check the address; that of a scheduler that speaks TLS "
    "begins with tls://."
)
_CHECK: Final = "Check the address, and that `dask scheduler` runs there."
_STARTING_TLS: Final = "not idle"
"""What tornado says of a connection that was closed before TLS began."""


def sentence(address: str, error: BaseException, *, was_heard: bool) -> str:
    """The reason why the scheduler at an address cannot be reached, and what to do.

    Args:
        address: of the scheduler.
        error: what was raised.
        was_heard: whether somebody accepted a connection there.
    """
    return f"The Dask scheduler at {address} cannot be reached: {_why(address, error, was_heard=was_heard)}"


def _why(address: str, error: BaseException, *, was_heard: bool) -> str:
    is_tls = address.startswith(_TLS)
    if is_tls and isinstance(error, TypeError):
        return _NO_KEYS
    if is_tls and "certificate" in str(error).lower():
        return _OTHER_AUTHORITY
    is_timeout = isinstance(error, TimeoutError) or "timed out" in str(error).lower()
    if was_heard and not is_timeout and isinstance(error, OSError | ValueError | MemoryError):
        return _NOT_TLS if is_tls else _NOT_PLAIN
    return f"{reason_of(error)}. {_CHECK}"


def reason_of(error: BaseException) -> str:
    """The text of an error as a part of a sentence, without its full stop."""
    if isinstance(error, ValueError) and _STARTING_TLS in str(error):
        return "the connection was closed as TLS began"
    return connection_reason(error)
