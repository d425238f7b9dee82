"""The messages of the Agent Client Protocol that we read, as values: whatever else an agent says in them is left out.

Only the names and shapes are the protocol's. `tests/unit/devices/test_acp_messages.py` holds what we write, and what
our scripted agents write, to the published schema; at run time that schema is not needed.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

PROTOCOL_VERSION: Final = 1
"""The version that we speak."""


class PromptCapabilities(msgspec.Struct, rename="camel"):
    """What an agent takes in a prompt besides text and links."""

    embedded_context: bool | None = False


class AgentCapabilities(msgspec.Struct, rename="camel"):
    """What an agent can do."""

    prompt_capabilities: PromptCapabilities | None = None


class AgentInfo(msgspec.Struct):
    """The name and version of an agent."""

    name: str = ""
    title: str | None = None
    version: str | None = None


class AuthMethod(msgspec.Struct):
    """A way to log in to an agent."""

    id: str = ""
    name: str = ""


class Initialized(msgspec.Struct, rename="camel"):
    """The answer to `initialize`."""

    protocol_version: int
    agent_capabilities: AgentCapabilities | None = None
    agent_info: AgentInfo | None = None
    auth_methods: list[AuthMethod] | None = None

    @property
    def takes_resources(self) -> bool:
        """Whether a prompt may hold the content of resources."""
        prompts = self.agent_capabilities and self.agent_capabilities.prompt_capabilities
        return bool(prompts and prompts.embedded_context)


class SessionMade(msgspec.Struct, rename="camel"):
    """The answer to `session/new`; where it names the model has changed with the protocol: it may be anything."""

    session_id: str
    config_options: Any = None
    models: Any = None

    @property
    def model(self) -> str:
        """The model that the session uses; empty: it does not say."""
        options = self.config_options if isinstance(self.config_options, list) else ()
        chosen = (one for one in options if isinstance(one, dict) and one.get("category") == "model")
        told = self.models.get("currentModelId") if isinstance(self.models, dict) else None
        told = next((one.get("currentValue") for one in chosen), told)
        return told if isinstance(told, str) else ""


class PromptDone(msgspec.Struct, rename="camel"):
    """The answer to `session/prompt`; what it has used is no part of the protocol yet, and so may look otherwise."""

    stop_reason: str
    usage: Any = None

    @property
    def tokens(self) -> int:
        """The tokens of the session so far; 0: it does not say."""
        total = self.usage.get("totalTokens") if isinstance(self.usage, dict) else None
        return total if isinstance(total, int) and not isinstance(total, bool) and 0 < total < 2**53 else 0


class PlanEntry(msgspec.Struct):
    """A step of an agent's plan."""

    content: str = ""
    status: str = ""


class Location(msgspec.Struct):
    """A file that a tool call reads or changes."""

    path: str


class ToolCall(msgspec.Struct, rename="camel"):
    """A tool call of an agent, or what has changed of one: None has not."""

    tool_call_id: str
    title: str | None = None
    kind: str | None = None
    status: str | None = None
    locations: list[Location] | None = None
    content: list[dict[str, Any]] | None = None
    raw_input: Any = None

    def with_changes(self, changes: ToolCall) -> ToolCall:
        """The tool call after these changes."""
        told = {name: value for name, value in msgspec.structs.asdict(changes).items() if value is not None}
        return msgspec.structs.replace(self, **told)


class Chunk(msgspec.Struct, rename="camel"):
    """A piece of a message of an agent."""

    content: dict[str, Any]
    message_id: str | None = None

    @property
    def text(self) -> str:
        """Its text; empty: it is something else."""
        text = self.content.get("text")
        return text if self.content.get("type") == "text" and isinstance(text, str) else ""


class AgentPlan(msgspec.Struct):
    """The plan of an agent as it is now."""

    entries: list[PlanEntry]


class Cost(msgspec.Struct):
    """What a session has cost so far."""

    amount: float
    currency: str


class UsageUpdate(msgspec.Struct):
    """What a session has used so far."""

    cost: Cost | None = None


class UpdateKind(msgspec.Struct, rename="camel"):
    """The kind of an update; by it the rest is read."""

    session_update: str = ""


class UpdateParams(msgspec.Struct):
    """The parameters of `session/update`."""

    update: msgspec.Raw


class PermissionOption(msgspec.Struct, rename="camel"):
    """One of the answers that an agent accepts to a request for permission."""

    option_id: str
    name: str = ""
    kind: str = ""

    @property
    def allows(self) -> bool:
        """Whether it is a permission."""
        return self.kind.startswith("allow")


class PermissionParams(msgspec.Struct, rename="camel"):
    """The parameters of `session/request_permission`."""

    tool_call: ToolCall
    options: list[PermissionOption]
