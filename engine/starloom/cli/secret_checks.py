"""Checks whether the secrets of a plan can be looked up here, before anything runs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starloom.devices.secret_sources import SecretError, look_up
from starloom.model.secret import Secret

if TYPE_CHECKING:
    from starloom.model.plan import Plan

_PATIENCE: Final = 10.0
"""Seconds for which a keyring is waited for that somebody may have to unlock."""
_TASKS_NAMED: Final = 3


def missing_secrets(plan: Plan) -> list[str]:
    """A sentence for each secret of the plan that this machine cannot look up, with the tasks that would fail.

    The values are looked up and thrown away: a keyring may ask to be unlocked.
    """
    wanted: dict[Secret, list[str]] = {}
    for task in plan.tasks:
        for value in task.env.values() if task.simulate is None else ():
            if isinstance(value, Secret):
                wanted.setdefault(value, []).append(task.id)
    return asyncio.run(_missing(wanted)) if wanted else []


async def _missing(wanted: dict[Secret, list[str]]) -> list[str]:
    found = await asyncio.gather(*(look_up(secret, _PATIENCE) for secret in wanted), return_exceptions=True)
    return [
        f"{error} {_who(tasks)} would fail."
        for tasks, error in zip(wanted.values(), found, strict=True)
        if isinstance(error, SecretError)
    ]


def _who(tasks: list[str]) -> str:
    named = ", ".join(map(repr, dict.fromkeys(tasks[:_TASKS_NAMED])))
    rest = len(tasks) - _TASKS_NAMED
    return f"{'Task' if len(tasks) == 1 else 'Tasks'} {named}{f' and {rest} more' if rest > 0 else ''}"
