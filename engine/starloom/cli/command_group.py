"""The commands of the program as a group; whoever gives a file in the place of one reads what to put before it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from typer.core import TyperGroup
from typing_extensions import override


class CommandGroup(TyperGroup):
    """The commands."""

    @override
    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # of the click that typer brings
        name = args[0]
        if name not in self.commands and (Path(name).suffix or Path(name).is_file()):
            opened, run = (shlex.join(("starloom", verb, name)) for verb in ("console", "run"))
            ctx.fail(f"{name!r} is no command. To open it: {opened}   To run it here: {run}")
        return super().resolve_command(ctx, args)
