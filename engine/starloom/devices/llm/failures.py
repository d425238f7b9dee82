"""Why a model gives no answer, in sentences that say what to do; knows no library."""

from __future__ import annotations

import math
import re
import time
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from starloom.devices.llm.key import NO_KEY, SERVICE, VARIABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.devices.llm.key import Endpoint

LONGEST_WAIT: Final = 86_400.0
"""Seconds after which an endpoint is asked again, whatever it says."""
_TOO_LONG: Final = re.compile(
    r"context[ _](length|window|size)|maximum context|prompt is too long|too many tokens", re.I
)


class AnswerFailed(Exception):  # noqa: N818 - becomes an outcome
    """There is no answer, or no whole one; the sentence says why.

    Attributes:
        has_begun: whether the endpoint took the prompt; else whatever prompt it was would have failed.
    """

    def __init__(self, message: str, *, has_begun: bool = True) -> None:
        super().__init__(message)
        self.has_begun = has_begun


class RateLimited(AnswerFailed):
    """The endpoint is to be asked later.

    Attributes:
        seconds: how much later; None: it does not say.
    """

    def __init__(self, message: str, seconds: float | None) -> None:
        super().__init__(message)
        self.seconds = seconds


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that `Retry-After`, a number or a date, tells to wait; None: it tells nothing that can be read."""
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return None
    return min(max(seconds, 0.0), LONGEST_WAIT) if math.isfinite(seconds) else None


def until(seconds: float) -> str:
    """The time of day, so many seconds from now."""
    return datetime.fromtimestamp(time.time() + seconds).astimezone().strftime("%H:%M:%S")


def refusal_of(status: int, headers: Mapping[str, str], body: Any, message: str, endpoint: Endpoint) -> AnswerFailed:
    """Why an endpoint refuses to answer.

    Args:
        status: of its response; 0: it says so in the middle of an answer.
        headers: of its response.
        body: what it says, as JSON.
        message: what the client makes of it.
        endpoint: who refuses.
    """
    said = body.get("error", body) if isinstance(body, dict) else body
    code, text = (said.get("code"), said.get("message")) if isinstance(said, dict) else (None, said)
    told = endpoint.legible(text if isinstance(text, str) and text else message or "it does not say why")
    url, model = endpoint.url, endpoint.model
    if code == "context_length_exceeded" or status == 413 or _TOO_LONG.search(told):
        return AnswerFailed(
            f"What the model {model} was given is longer than its context: {told}. Shorten the prompt, or have earlier "
            "tasks return less."
        )
    if code == "insufficient_quota":
        return AnswerFailed(f"The quota at {url} is used up: {told}. Raise it, or wait.", has_begun=False)
    wait = retry_after(headers)
    if status == 429 or (status == 503 and wait is not None):
        return RateLimited(f"{url} is asked too often: {told}.", wait)
    return AnswerFailed(_sentence(status, told, endpoint), has_begun=not status or status in _OF_THE_PROMPT)


_OF_THE_PROMPT: Final = frozenset({400, 422})


def _sentence(status: int, told: str, endpoint: Endpoint) -> str:
    url, model = endpoint.url, endpoint.model
    if not status:
        return f"The model {model} at {url} gave up in the middle: {told}."
    if status in {401, 403}:
        where = f"with `keyring set {SERVICE} {urlsplit(url).hostname}`, or into {VARIABLE}"
        wrong = "wants a key" if endpoint.key == NO_KEY else "does not take the key"
        return f"{url} {wrong} ({status}: {told}). Put it into the keyring {where}."
    if status == 404:
        return f"There is no model {model} at {url} (404: {told}). Correct `model` or `url` of the device."
    if 300 <= status < 400:
        return f"{url} answers with {status}: it has moved, and prompts are not sent on. Correct `url` of the device."
    return f"{url} answers with {status}: {told}."
