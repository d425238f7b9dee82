"""Without the extra `agent` a language model cannot be asked, and that is one sentence."""

from __future__ import annotations

import asyncio
import sys

import pytest

from starloom.agents.llm import LlmAgent
from starloom.errors import AgentError


@pytest.mark.parametrize("package", ["openai", "pydantic_ai"])
def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch, package: str):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, "starloom.agents.llm_wire", raising=False)
    monkeypatch.delitem(sys.modules, "starloom.devices.llm.endpoint", raising=False)
    monkeypatch.delattr("starloom.agents.llm_wire", raising=False)
    with pytest.raises(AgentError) as refusal:
        asyncio.run(LlmAgent("m", "http://127.0.0.1:9/v1").create_plan("anything"))
    assert str(refusal.value) == "The agent llm needs the extra 'agent': pip install 'starloom[agent]'."
