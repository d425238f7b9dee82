"""`starloom draft`: drafts a plan with a language model from a request in words; nothing is run."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starloom.cli.agents import language_model
from starloom.errors import SettingsError
from starloom.formats import dump_plan, load_fleet
from starloom.formats.files import format_of
from starloom.private_files import replacing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from starloom.agents.llm import LlmAgent
    from starloom.cli.screen import Screen
    from starloom.model.device import DeviceSpec
    from starloom.model.plan import Plan

STDOUT: Final = "-"


def draft_plan(request: str, agent: str, target: Path, fleet: Path | None, screen: Screen) -> int:
    """Draft a plan from a request by a language model.

    Args:
        request: what is to be done, in words.
        agent: `llm:model`, or `llm:model@url`.
        target: the file to write, which must not be there yet; `-` for stdout.
        fleet: a file with the devices that may be used; None: the plan names none.
        screen: where to say what was done.

    Returns:
        0; what cannot be done is raised.

    Raises:
        StarloomError: the model made no plan, the fleet is none, or the file cannot be written.
    """
    author = language_model(agent)
    if author is None:
        raise SettingsError(f"--agent: {agent!r} plans nothing from words; write llm:model or llm:model@url.")
    is_file = str(target) != STDOUT
    if is_file and target.exists():
        raise SettingsError(f"There is a file {target} already; name another one with -o.")
    written = format_of(target, None) if is_file else "yaml"
    devices = load_fleet(fleet)[0] if fleet is not None else ()
    if not is_file:
        return screen.result(dump_plan(_drafted(author, request, devices, screen), written).removesuffix("\n"))
    with replacing(target) as part:  # begun before the model is asked: nothing is spent on what cannot be kept
        plan = _drafted(author, request, devices, screen)
        part.write_text(dump_plan(plan, written), encoding="utf-8", newline="\n")
    counts = f"tasks: {len(plan.tasks)}, dependencies: {len(plan.dependencies)}"
    return screen.result(f"{target}: {counts}. Look at it, then: starloom run {target}")


def _drafted(author: LlmAgent, request: str, devices: Sequence[DeviceSpec], screen: Screen) -> Plan:
    screen.note(f"Asking {author.name}; nothing of its plan runs.")
    return asyncio.run(author.create_plan(request, devices))
