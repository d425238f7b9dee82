"""The messages of UFO's Agent Interaction Protocol (AIP): what we say, and what we read of what a server says.

Only the names and shapes are the protocol's. It has no version: what a newer server says beyond this is left out.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from starloom.devices.excerpts import one_line

LARGEST_MESSAGE: Final = 16 * 1024 * 1024
"""Bytes of a message, ours or theirs."""
_MOST_CAPABILITIES: Final = 100
_LONGEST_CAPABILITY: Final = 100


class ClientMessage(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A message to a server. The kind of client stands in each, as a server compares it with that of the first."""

    type: str
    status: str
    client_id: str
    target_id: str
    client_type: str
    timestamp: str
    session_id: str | None = None
    task_name: str | None = None
    request: str | None = None
    request_id: str | None = None
    metadata: dict[str, Any] | None = None


class ServerMessage(msgspec.Struct):
    """A message of a server. Fields that may look otherwise elsewhere are read as whatever they are."""

    type: str
    status: Any = None
    messages: Any = None
    error: Any = None
    session_id: Any = None
    response_id: Any = None
    result: Any = None

    @property
    def words(self) -> str:
        """The reason for an error on one line."""
        return one_line(_text(self.error) or "it gives no reason", 300)


class DeviceInfo(msgspec.Struct):
    """What an agent has told its server about its machine, as far as it is known here."""

    platform: Any = None
    os_version: Any = None
    cpu_count: Any = None
    memory_total_gb: Any = None
    hostname: Any = None
    platform_type: Any = None
    supported_features: Any = None
    tags: Any = None

    @property
    def capabilities(self) -> frozenset[str]:
        """What tasks may require of it: its system, the sort of machine, what it says that it can do, its tags."""
        several = [name for field in (self.supported_features, self.tags) if isinstance(field, list) for name in field]
        names = [name for name in (self.platform, self.platform_type, *several) if isinstance(name, str)]
        short = (one_line(name, _LONGEST_CAPABILITY) for name in names[:_MOST_CAPABILITIES])
        return frozenset(name for name in short if name and name != "unknown")

    @property
    def about(self) -> str:
        """The machine in a few words: its name, its system, its processors and memory."""
        system = " ".join(part for part in (_text(self.platform), _text(self.os_version)) if part != "unknown")
        cores, memory = _positive(self.cpu_count), _positive(self.memory_total_gb)
        facts = (
            _text(self.hostname).removeprefix("unknown"),
            system,
            f"{cores:g} CPU" if cores else "",
            f"{memory:.3g} GB" if memory else "",
        )
        return " · ".join(one_line(fact) for fact in facts if fact.strip())


def message(type: str, client_id: str, target_id: str, *, status: str = "ok", **fields: Any) -> ClientMessage:  # noqa: A002
    """A message of an orchestrator, which the protocol calls a constellation.

    Args:
        type: of the message.
        client_id: the name under which its connection is registered.
        target_id: the agent that it is about.
        status: of the task, as the sender sees it.
        fields: what else it says.
    """
    now = datetime.now(UTC).isoformat()
    return ClientMessage(
        type=type,
        status=status,
        client_id=client_id,
        target_id=target_id,
        client_type="constellation",
        timestamp=now,
        **fields,
    )


def last_result(result: Any) -> Any:
    """The result of a task: that of the last round, where a session of UFO tells the results of all its rounds."""
    rounds = result if isinstance(result, list) else []
    if rounds and all(isinstance(one, dict) and one.keys() == {"request", "result"} for one in rounds):
        return rounds[-1]["result"]
    return result


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else msgspec.json.encode(value).decode()


def _positive(value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) and 0 < value < 2**53 else 0.0
