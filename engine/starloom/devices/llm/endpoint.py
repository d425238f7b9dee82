"""The endpoint of a model, which speaks OpenAI's wire format; needs the extra `agent`.

Imported when one is asked, as it takes half a second and is not always installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from openai import APIConnectionError, APIStatusError, AsyncOpenAI, DefaultAsyncHttpxClient, OpenAIError, Timeout

from starloom.devices.llm.failures import refusal_of
from starloom.devices.llm.key import Endpoint
from starloom.devices.llm.unreachable import unreachable
from starloom.errors import AgentError

__all__ = ["Endpoint", "client_of", "listed_models"]

if TYPE_CHECKING:
    from collections.abc import Collection

_CONNECTING: Final = 30.0
"""Seconds that a connection may take to be made."""


def client_of(endpoint: Endpoint, seconds: float, retries: int = 0) -> AsyncOpenAI:
    """A client, to be closed; it follows an endpoint to no other address.

    Args:
        endpoint: whom it asks.
        seconds: for how long that may be silent.
        retries: how often a request is repeated that failed for a moment.
    """
    return AsyncOpenAI(
        base_url=endpoint.url,
        api_key=endpoint.key,
        max_retries=retries,
        timeout=Timeout(seconds, connect=min(seconds, _CONNECTING)),
        http_client=DefaultAsyncHttpxClient(follow_redirects=False),
    )


async def listed_models(endpoint: Endpoint, seconds: float) -> Collection[str] | None:
    """The models that an endpoint lists; None: it has no list, as not all can make one. No tokens are spent.

    Args:
        endpoint: whom to ask.
        seconds: for how long it may take to answer.

    Raises:
        AgentError: it cannot be reached, or refuses.
    """
    who = f"the endpoint {endpoint.url}"
    async with client_of(endpoint, seconds) as client:
        try:
            return [model.id async for model in client.models.list()]
        except APIStatusError as error:
            if error.status_code in {404, 405, 429, 501}:
                return None
            raise AgentError(
                str(refusal_of(error.status_code, error.response.headers, error.body, error.message, endpoint))
            ) from None
        except APIConnectionError as error:
            raise AgentError(unreachable(error, endpoint, seconds)) from None
        except (OpenAIError, ValueError, TypeError, AttributeError) as error:
            raise AgentError(f"{who} answers something else than a list of models: {type(error).__name__}.") from None
