"""What agents have used by their own account, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.text.words import amount, figure

if TYPE_CHECKING:
    from collections.abc import Mapping


class AgentCounts(QObject):
    """Counts with their nouns. A QObject only because lupdate finds plurals in `self.tr` alone."""

    def sessions(self, count: int) -> str:
        """A number of sessions, as text."""
        return _separated(self.tr("%n session(s)", "", count), count)

    def tokens(self, count: int) -> str:
        """A number of tokens, as text."""
        return _separated(self.tr("%n token(s)", "", count), count)


def used(tokens: int, costs: Mapping[str, float]) -> str:
    """Tokens and costs: `1,234 tokens, 0.75 USD`; empty: none were told.

    Args:
        tokens: 0: not told.
        costs: by currency.
    """
    said = [AgentCounts().tokens(tokens)] if tokens else []
    return ", ".join(said + [f"{figure(f'{cost:,.2f}')} {currency}" for currency, cost in sorted(costs.items())])


def _separated(text: str, count: int) -> str:
    """The text with separators of thousands in its number."""
    return text.replace(str(count), amount(count), 1)
