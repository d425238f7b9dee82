"""The lines of an agent's output that are not its words: its device writes them, and who shows output opens them."""

from __future__ import annotations

from typing import Final

MARK: Final = "▸ "
"""How a line begins that tells of what an agent does."""
DETAIL: Final = "  │ "
"""How the lines below it begin that say what exactly that is."""
MOST_DETAILS: Final = 400
"""The number of lines that stand below one."""
