"""A unit file by which systemd runs an engine's server for a user."""

from __future__ import annotations

import getpass
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starloom.private_files import make_folder, replacing
from starloom.server.socket_path import ServerError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NAME: Final = "starloom.service"
_LINGERS: Final = Path("/var/lib/systemd/linger")
"""Where systemd notes the users whose services outlive their logins, as files with their names."""


def unit_text(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """The text of the unit.

    Stopping it ends no task at once: the server drains for as long as it takes, and a task that a killed server has
    left goes on until the next server takes its run up.

    Args:
        command: the program by its absolute path, and its arguments.
        environment: variables it is to have, besides those of the user's services.
    """
    variables = "".join(f"Environment={_quoted(f'{name}={value}')}\n" for name, value in sorted(environment.items()))
    return f"""\
[Unit]
Description=Starloom engine

[Service]
ExecStart={" ".join(_quoted(word).replace("$", "$$") for word in command)}
{variables}KillMode=process
TimeoutStopSec=infinity
Restart=on-failure

[Install]
WantedBy=default.target
"""


def _quoted(word: str) -> str:
    if any(ord(one) < 32 for one in word):
        raise ServerError(f"{word!r} holds a control character, which no unit file can have. Use another name.")
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


def write_unit(command: Sequence[str], environment: Mapping[str, str]) -> Path:
    """Write the unit of a server for this user; returns its path.

    Args:
        command: see `unit_text`.
        environment: likewise.

    Raises:
        StarloomError: it cannot be written.
    """
    config = os.environ.get("XDG_CONFIG_HOME", "")
    folder = (Path(config) if Path(config).is_absolute() else Path.home() / ".config") / "systemd" / "user"
    try:
        make_folder(folder)
    except OSError as error:
        raise ServerError(f"{folder} cannot be made ({error.strerror}).") from None
    text = unit_text(command, environment)
    with replacing(folder / NAME) as part:
        part.write_text(text, encoding="utf-8")
    return folder / NAME


def advice() -> tuple[str, ...]:
    """The commands that have the unit run: now, and also while the user is not logged in."""
    user = getpass.getuser()
    begin = f"systemctl --user daemon-reload && systemctl --user enable --now {NAME}"
    return (begin,) if (_LINGERS / user).exists() else (begin, f"loginctl enable-linger {user}")
