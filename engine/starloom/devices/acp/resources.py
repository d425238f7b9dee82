"""The results of a task's parents as resources of a prompt: where one begins and ends is said by the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starloom.devices.materials import Material


def embedded(found: Sequence[Material], run_id: str) -> list[dict[str, Any]]:
    """The blocks of a prompt that hold these."""
    return [
        {
            "type": "resource",
            "resource": {"uri": one.uri(run_id), "mimeType": one.mime, "text": one.content.decode()},
        }
        for one in found
    ]


def linked(found: Sequence[Material], paths: Mapping[Material, str]) -> list[dict[str, Any]]:
    """The blocks of a prompt that name files with these.

    Args:
        found: what the parents have left.
        paths: the file of each, as an absolute path on the agent's machine.
    """
    return [
        {
            "type": "resource_link",
            "uri": f"file://{quote(paths[one])}",
            "name": f"{one.task_id} {one.what}",
            "mimeType": one.mime,
            "size": len(one.content),
        }
        for one in found
    ]
