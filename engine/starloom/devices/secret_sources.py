"""Lookup of secrets on this machine: in the system's keyring, the environment of this program, or a file."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from typing import TYPE_CHECKING, Final

from starloom.devices.attempt_files import read_bytes
from starloom.errors import StarloomError

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.model.secret import Secret

SERVICE: Final = "starloom"
"""The service under which the keyring is asked; the user name is the secret's name."""
MAX_BYTES: Final = 64 * 1024
"""Of a secret's value; the system takes no more than 128 KiB for one variable."""
PATIENCE: Final = 30.0
"""Seconds that a keyring may take: one that is locked waits for somebody to unlock it, for ever if nobody does."""


class SecretError(StarloomError):
    """A secret cannot be looked up; the sentence says why and never holds a value."""


async def look_up(secret: Secret, patience: float = PATIENCE) -> str:
    """The present value of a secret.

    Args:
        secret: where it is kept.
        patience: seconds for which an answer is waited for.

    Raises:
        SecretError: there is none, it cannot be read in time, or it cannot be the value of a variable.
    """
    if secret.source == "env":
        return read_secret(secret)
    try:
        async with asyncio.timeout(patience):
            return await _in_a_thread(lambda: read_secret(secret))
    except TimeoutError:
        raise SecretError(
            f"The {secret} has not been given within {patience:g} s. Is the keyring unlocked, the disk there?"
        ) from None


def read_secret(secret: Secret) -> str:
    """The value of a secret; may block on the disk or until somebody unlocks a keyring.

    Raises:
        SecretError: there is none, or it cannot be the value of a variable.
    """
    value = _READERS[secret.source](secret)
    if "\0" in value or len(value.encode("utf-8", "surrogateescape")) > MAX_BYTES:
        raise SecretError(
            f"The {secret} cannot be the value of a variable: it holds a NUL character or more than {MAX_BYTES:,} "
            "bytes."
        )
    if not value:
        raise SecretError(f"The {secret} is empty.")
    return value


def _from_environment(secret: Secret) -> str:
    value = os.environ.get(secret.name)
    if value is None:
        raise SecretError(
            f"There is no {secret}: this program was started without the variable {secret.name}. "
            f"Set it, for example with `read -rs {secret.name} && export {secret.name}`, and start Starloom again."
        )
    return value


def _from_file(secret: Secret) -> str:
    path = os.path.expanduser(secret.name)
    try:
        data = read_bytes(path, MAX_BYTES)
    except OSError as error:
        raise SecretError(
            f"The {secret} cannot be read: {error.strerror or error} ({os.path.abspath(path)})."
        ) from None
    if data is None:
        raise SecretError(f"The {secret} cannot be the value of a variable: it has more than {MAX_BYTES:,} bytes.")
    try:
        # The end of the last line belongs to the file; editors and `echo` put it there.
        return data.decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError:
        raise SecretError(f"The {secret} is no text in UTF-8.") from None


def _from_keyring(secret: Secret) -> str:
    try:
        import keyring
        import keyring.errors
    except ImportError:
        raise SecretError(
            f"The {secret} needs the package keyring, which is not installed: pip install 'starloom[secrets]'."
        ) from None
    try:
        value = keyring.get_password(SERVICE, secret.name)
    except keyring.errors.KeyringError as error:
        raise SecretError(
            f"The {secret} cannot be had from the keyring: {str(error) or type(error).__name__}."
        ) from None
    if value is None:
        raise SecretError(
            f"There is no {secret}: the keyring has nothing of that name. "
            f"Put it there with: keyring set {SERVICE} {secret.name}"
        )
    return value


_READERS: Final[dict[str, Callable[[Secret], str]]] = {
    "env": _from_environment,
    "file": _from_file,
    "keyring": _from_keyring,
}


async def _in_a_thread(read: Callable[[], str]) -> str:
    """Run a function in a thread that the end of the program does not wait for; returns its result."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str] = loop.create_future()

    def tell(value: str, error: BaseException | None) -> None:
        if answer.done():
            return
        if error is None:
            answer.set_result(value)
        else:
            answer.set_exception(error)

    def work() -> None:
        value, failure = "", None
        try:
            value = read()
        except SecretError as error:
            failure = error
        except Exception as error:  # noqa: BLE001 - the border to keyrings: what they raise may hold anything
            failure = SecretError(f"A secret cannot be looked up: the keyring raised {type(error).__name__}.")
        with contextlib.suppress(RuntimeError):  # the loop has ended, and nobody listens
            loop.call_soon_threadsafe(tell, value, failure)

    threading.Thread(target=work, name="starloom-secret", daemon=True).start()
    return await answer
