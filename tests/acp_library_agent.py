"""An agent made with the protocol's own library, which we did not write: it quotes what it is given and asks once."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import acp
from acp.schema import AgentCapabilities, PermissionOption, PromptCapabilities, ToolCallLocation, ToolCallUpdate


class Quoting:
    """The agent; what it does not name its library refuses."""

    def on_connect(self, client: Any) -> None:
        self.client = client

    async def initialize(self, protocol_version: int, **_: Any) -> acp.InitializeResponse:
        prompts = AgentCapabilities(prompt_capabilities=PromptCapabilities(embedded_context=True))
        return acp.InitializeResponse(protocol_version=protocol_version, agent_capabilities=prompts)

    async def new_session(self, cwd: str, **_: Any) -> acp.NewSessionResponse:
        self.cwd = cwd
        return acp.NewSessionResponse(session_id="lib")

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> acp.PromptResponse:
        call = ToolCallUpdate(tool_call_id="c", title="Look", kind="read", locations=[ToolCallLocation(path="x")])
        options = [PermissionOption(option_id="y", name="Yes", kind="allow_once")]
        asked = await self.client.request_permission(session_id=session_id, tool_call=call, options=options)
        texts = [getattr(block, "text", None) or block.resource.text for block in prompt]
        said = json.dumps([*texts, asked.outcome.option_id, self.cwd])
        for piece in (said[:5], said[5:]):
            await self.client.session_update(session_id, acp.update_agent_message_text(piece))
        return acp.PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    asyncio.run(acp.run_agent(Quoting()))  # type: ignore[arg-type]  # it is only a part of the library's protocol
