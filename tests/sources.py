"""Provides the modules of the repository to the tests that look into them, parsed once for all tests of a process."""

from __future__ import annotations

import ast
import functools
import gc
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[1]
ENGINE: Final = ROOT / "engine" / "starloom"
CONSOLE: Final = ROOT / "gui" / "starloom_gui"


@dataclass(frozen=True, eq=False)
class Source:
    """The text of a module and, once somebody asks, what it says."""

    text: str

    @functools.cached_property
    def tree(self) -> ast.Module:
        """The module, parsed."""
        return ast.parse(self.text)

    @functools.cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the module in the order of `ast.walk`."""
        return tuple(ast.walk(self.tree))


def read(*folders: Path) -> Iterator[tuple[Path, Source]]:
    """Each module below the folders, in order, not parsed yet."""
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            yield path, Source(path.read_text(encoding="utf-8"))


@functools.cache
def parsed(folder: Path) -> dict[Path, Source]:
    """Each module below a folder, in order, parsed, and kept for the other tests."""
    found = dict(read(folder))
    for source in found.values():
        _ = source.nodes
    gc.collect()
    gc.freeze()  # a million nodes, which would slow each round of the garbage collector
    return found
