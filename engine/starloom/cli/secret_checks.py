"""Checks whether the secrets of a plan can be looked up here, before anything runs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starloom.devices.secret_sources import SecretError, look_up
from starloom.model.secret import Secret, is_reference

if TYPE_CHECKING:
    from starloom.model.plan import Plan

_PATIENCE: Final = 10.0
"""Seconds for which a keyring is waited for that somebody may have to unlock."""
_NAMED: Final = 3


def missing_secrets(plan: Plan) -> list[str]:
    """A sentence for each secret of the plan that this machine cannot look up, with the tasks or devices in want of it.

    The values are looked up and thrown away: a keyring may ask to be unlocked.
    """
    wanted: dict[Secret, list[str]] = {}
    for task in plan.tasks:
        for value in task.env.values() if task.simulate is None else ():
            if isinstance(value, Secret):
                wanted.setdefault(value, []).append(task.id)
    tokens: dict[Secret, list[str]] = {}
    for device in plan.devices:
        token = device.options.get("token")
        if is_reference(token):
            tokens.setdefault(Secret(token), []).append(device.id)
    return asyncio.run(_missing(wanted, tokens)) if wanted or tokens else []


async def _missing(wanted: dict[Secret, list[str]], tokens: dict[Secret, list[str]]) -> list[str]:
    secrets = list(dict.fromkeys([*wanted, *tokens]))
    found = await asyncio.gather(*(look_up(secret, _PATIENCE) for secret in secrets), return_exceptions=True)
    return [
        f"{error} {would}"
        for secret, error in zip(secrets, found, strict=True)
        if isinstance(error, SecretError)
        for would in (
            *([f"{_who('Task', wanted[secret])} would fail."] if secret in wanted else ()),
            *([f"{_who('Device', tokens[secret])} would not be reached."] if secret in tokens else ()),
        )
    ]


def _who(what: str, names: list[str]) -> str:
    named = ", ".join(map(repr, dict.fromkeys(names[:_NAMED])))
    rest = len(names) - _NAMED
    return f"{what}{'s' * (len(names) > 1)} {named}{f' and {rest} more' if rest > 0 else ''}"
